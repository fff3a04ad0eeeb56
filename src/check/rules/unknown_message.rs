//! A message that no schema declares: a warning if it looks like a misspelling, else a hint.

use std::collections::HashMap;

use crate::{
    check::{Fix, Problem, Rule, input::Input, machines, references},
    edit::{Declared, Edit},
    model::{
        CueKind, FieldPath, FieldType, Finding, Location, Name, RESERVED_MESSAGES, SendCue, Trigger, did_you_mean, mean,
    },
    refactor::Evidence,
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-message", doc: "A message is sent or answered that no schema declares.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let mut found = Vec::new();
    used(input, &mut found);
    if found.is_empty() {
        return;
    }
    let sent = sent(input);
    let mut made: HashMap<Name, Option<Fix>> = HashMap::new();
    for (message, problem) in found {
        let fix = made.entry(message).or_insert_with_key(|message| {
            let payload = sent.get(&**message).cloned().unwrap_or_default();
            input.declare(|declaring| declaring.thing(&Declared::Message(message.clone()), &payload))
        });
        out.push(problem.with(fix.clone()));
    }
}

/// The payloads sent with each message.
pub(super) fn sent<'a>(input: &Input<'a>) -> HashMap<&'a str, Evidence<'a>> {
    let mut out: HashMap<&str, Evidence<'_>> = HashMap::new();
    for sent in input.calls.iter().filter_map(|site| references::sent(input, site)) {
        out.entry(sent.message).or_default().meet(sent.payload);
    }
    for cue in input.scenarios().flat_map(|(_, scenario)| &scenario.script) {
        if let CueKind::Send(SendCue { message, payload, .. }) = &cue.what {
            out.entry(message).or_default().meet(payload);
        }
    }
    out
}

fn used(input: &Input<'_>, out: &mut Vec<(Name, Problem)>) {
    for machine in &input.machines {
        for state in machines::states(*machine) {
            let doc = machine.doc.clone();
            for message in state.state.on.keys() {
                let at = Location::key(doc.clone(), state.at.key("on").key(message));
                let place = at.path.clone();
                out.extend(look(input, message, at, |near| {
                    if state.state.on.contains_key(near) {
                        return Vec::new();
                    }
                    let copy = Edit::Copy { doc: doc.clone(), at: place.clone(), to: near.into() };
                    vec![copy, Edit::Remove { doc: doc.clone(), at: place.clone() }]
                }));
            }
            for (i, transition) in state.state.transitions.iter().enumerate() {
                let Trigger::On(message) = &transition.trigger else { continue };
                let at = Location::new(doc.clone(), state.at.key("transitions").index(i).key("on"));
                let place = at.path.clone();
                out.extend(look(input, message, at, |near| vec![Edit::set_at(&doc, place.clone(), &Name::from(near))]));
            }
        }
    }
    references::argument_names(input, &mut |argument| {
        if *argument.ty == FieldType::Message {
            out.extend(look(input, argument.name, argument.location(), |near| vec![argument.replaced_by(near)]));
        }
    });
    references::declared_names(input, &mut |it| {
        if *it.ty == FieldType::Message {
            out.extend(look(input, it.name, it.location(), |near| vec![it.replaced_by(near)]));
        }
    });
    for (doc, scenario) in input.scenarios() {
        for (i, cue) in scenario.script.iter().enumerate() {
            let CueKind::Send(SendCue { message, .. }) = &cue.what else { continue };
            let at = Location::new(doc.clone(), FieldPath::keys(["script"]).index(i).key("send"));
            let place = at.path.clone();
            out.extend(look(input, message, at, |near| vec![Edit::set_at(doc, place.clone(), &Name::from(near))]));
        }
    }
}

fn look(input: &Input<'_>, message: &str, at: Location, rename: impl Fn(&str) -> Vec<Edit>) -> Option<(Name, Problem)> {
    let declared = &input.schema().messages;
    let reserved = RESERVED_MESSAGES.contains(&message);
    if declared.contains_key(message) || reserved {
        return None;
    }
    let near = did_you_mean(message, declared.keys().map(|name| &**name));
    let text = format!("no schema declares the message `{message}`");
    let finding = match near {
        Some(_) => Finding::warning(RULE.name, at, text).with_help(mean(near)),
        None => Finding::hint(RULE.name, at, text)
            .with_help("declare it in schemas/ to have its payload checked".to_owned()),
    };
    let fix = near.map(|near| Fix::of(format!("Use {near}"), rename(near))).filter(|fix| !fix.edits.is_empty());
    Some((message.into(), Problem::new(finding).with(fix)))
}
