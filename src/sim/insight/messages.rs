//! Recent messages, as arrows from their senders to their receivers.

use crate::{
    model::Name,
    sim::{TraceEvent, TraceKind},
};

/// How long an arrow is shown after its message arrived, in seconds of the world.
const SHOWN_SECS: f64 = 0.5;

/// Messages from one entity to another.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageArrow {
    /// Id of the sender.
    pub from: Name,
    /// Id of the receiver.
    pub to: Name,
    /// The messages, the latest first, each once.
    pub names: Vec<Name>,
    /// Whether a machine of the receiver responded to one of them.
    pub is_handled: bool,
    /// Age of the latest message, as a share 0 to 1 of the time for which it is shown.
    pub age: f32,
}

/// The messages that arrived within half a second before a time, by sender and receiver. `events` are those of a log,
/// in order. Messages of an entity to itself, and those from outside the world, are left out.
pub fn message_arrows<'e>(events: impl DoubleEndedIterator<Item = &'e TraceEvent>, now_secs: f64) -> Vec<MessageArrow> {
    let mut arrows: Vec<MessageArrow> = Vec::new();
    for event in events.rev().take_while(|event| now_secs - event.t <= SHOWN_SECS) {
        let TraceKind::Message { name, from: Some(from), handled_by, to: None, .. } = &event.kind else { continue };
        if *from == event.entity || event.t > now_secs {
            continue;
        }
        let known = arrows.iter_mut().find(|it| it.from == *from && it.to == event.entity);
        if let Some(known) = known {
            if !known.names.contains(name) {
                known.names.push(name.clone());
            }
            known.is_handled |= handled_by.is_some();
            continue;
        }
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let age = ((now_secs - event.t) / SHOWN_SECS) as f32;
        let (from, to, names) = (from.clone(), event.entity.clone(), vec![name.clone()]);
        arrows.push(MessageArrow { from, to, names, is_handled: handled_by.is_some(), age });
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(t: f64, to: &str, name: &str, from: Option<&str>, handled: bool) -> TraceEvent {
        let kind = TraceKind::Message {
            name: name.into(),
            from: from.map(Into::into),
            handled_by: handled.then(|| "A".into()),
            to: None,
            reason: None,
        };
        TraceEvent { t, tick: 0, entity: to.into(), machine: None, kind }
    }

    #[test]
    fn messages_of_the_last_half_second_are_arrows_each_pair_once() {
        let log = [
            event(0.2, "a", "Old", Some("b"), true),
            event(0.6, "a", "Hit", Some("b"), false),
            event(0.7, "a", "Bell", Some("b"), true),
            event(0.8, "a", "Bell", Some("b"), true),
            event(0.8, "b", "Hit", Some("a"), false),
            event(0.8, "b", "Own", Some("b"), true),
            event(0.8, "b", "Update", None, true),
        ];
        let arrows = message_arrows(log.iter(), 0.9);
        let seen: Vec<_> = arrows.iter().map(|it| (&*it.from, &*it.to, it.names.len(), it.is_handled)).collect();
        assert_eq!(seen, [("a", "b", 1, false), ("b", "a", 2, true)]);
        assert_eq!(arrows[1].names, ["Bell".into(), "Hit".into()] as [Name; 2]);
        assert!((arrows[1].age - 0.2).abs() < 1e-6);
        assert!(message_arrows(log.iter(), 2.0).is_empty());
    }
}
