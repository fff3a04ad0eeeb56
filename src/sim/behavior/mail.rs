//! Messages not yet delivered, in order of delivery.
//!
//! Invariant: messages are delivered by (time, send sequence); one without delay is delivered after all that were sent
//! before it, in the same tick. Whether the receiver still lives and whether a scope is over is checked by the world at
//! delivery.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    sync::Arc,
};

use crate::{
    model::{Fields, Name},
    sim::EntityKey,
};

use super::MsgId;

/// Number of parts of a tick in a delivery time: fine enough to order messages within a tick, coarse enough that `0.1 s
/// × 60 Hz` is exactly six ticks.
const PARTS: f64 = 1e6;

/// One entry of one state of one running machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Number of the entity's machine; never used again.
    pub machine: u32,
    /// The state's index in its program.
    pub state: u16,
    /// Number of this entry of the state.
    pub entry: u32,
}

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub struct Mail {
    /// Its name.
    pub name: MsgId,
    /// The sender; `None` for messages from outside.
    pub from: Option<(EntityKey, Name)>,
    /// The receiver.
    pub to: EntityKey,
    /// The receiver's id, known even when the receiver is gone.
    pub to_id: Name,
    /// Its payload.
    pub payload: Arc<Fields>,
    /// The entry of a state with which the message ends.
    pub scope: Option<Scope>,
    /// For an `after` transition: its index in the program.
    pub timer: Option<u16>,
}

/// Messages that wait for delivery.
#[derive(Clone, Debug, Default)]
pub struct MailQueue {
    later: BinaryHeap<Reverse<Waiting>>,
    now: VecDeque<Waiting>,
    sequence: u64,
}

#[derive(Clone, Debug)]
struct Waiting {
    /// Delivery time, in parts of a tick since the start.
    time: u64,
    sequence: u64,
    mail: Mail,
}

impl Waiting {
    fn key(&self) -> (u64, u64) {
        (self.time, self.sequence)
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a range where both hold")]
fn parts(ticks: f64) -> u64 {
    (ticks.clamp(0.0, 1e12) * PARTS).round() as u64
}

impl MailQueue {
    /// Send a message at `tick`, to arrive `delay_ticks` later: in the first tick that is not before that time.
    pub fn send(&mut self, tick: u64, delay_ticks: f64, mail: Mail) {
        let time = tick.saturating_mul(parts(1.0)).saturating_add(parts(delay_ticks));
        let waiting = Waiting { time, sequence: self.sequence, mail };
        self.sequence += 1;
        if delay_ticks > 0.0 {
            self.later.push(Reverse(waiting));
        } else {
            self.now.push_back(waiting);
        }
    }

    /// The next message due at `tick`.
    pub fn next(&mut self, tick: u64) -> Option<Mail> {
        let due = tick.saturating_mul(parts(1.0));
        let later = self.later.peek().map(|Reverse(waiting)| waiting.key()).filter(|(time, _)| *time <= due);
        let now = self.now.front().map(Waiting::key).filter(|(time, _)| *time <= due);
        let take_later = match (later, now) {
            (None, None) => return None,
            (Some(later), Some(now)) => later < now,
            (later, _) => later.is_some(),
        };
        if take_later {
            self.later.pop().map(|Reverse(waiting)| waiting.mail)
        } else {
            self.now.pop_front().map(|waiting| waiting.mail)
        }
    }

    /// The receivers of the messages that wait, one for each.
    pub fn receivers(&self) -> impl Iterator<Item = EntityKey> {
        self.later.iter().map(|Reverse(waiting)| waiting).chain(&self.now).map(|waiting| waiting.mail.to)
    }

    /// Discard the messages due at `tick`, after too many deliveries. Returns the first and the number of them.
    pub fn discard_due(&mut self, tick: u64) -> Option<(Mail, usize)> {
        let first = self.next(tick)?;
        Some((first, 1 + std::iter::from_fn(|| self.next(tick)).count()))
    }

    /// The number of waiting messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.later.len() + self.now.len()
    }

    /// Whether no message waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every waiting message in order of delivery with the ticks left at `tick`, for display or hashing.
    #[must_use]
    pub fn waiting(&self, tick: u64) -> Vec<(f64, &Mail)> {
        let mut all: Vec<&Waiting> = self.later.iter().map(|Reverse(waiting)| waiting).chain(&self.now).collect();
        all.sort_by_key(|waiting| waiting.key());
        let now = tick.saturating_mul(parts(1.0));
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53 parts")]
        all.into_iter().map(|waiting| (waiting.time.saturating_sub(now) as f64 / PARTS, &waiting.mail)).collect()
    }

    /// Keep the messages for which `keep` returns true; it may change them.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Mail) -> bool) {
        let later = std::mem::take(&mut self.later).into_vec();
        self.later = later
            .into_iter()
            .filter_map(|Reverse(mut waiting)| keep(&mut waiting.mail).then_some(Reverse(waiting)))
            .collect();
        self.now.retain_mut(|waiting| keep(&mut waiting.mail));
    }
}
