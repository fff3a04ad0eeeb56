//! `scenarios/*.ron`

use super::{
    Cx, Decode,
    cx::Record,
    record::{self, record},
    values,
};
use crate::{
    io::ron_text::Node,
    model::{Cue, CueKind, Expectation, Expected, Fields, Scenario, When},
};

record! {
    "a scenario" Scenario {
        "level" level,
        "secs" secs,
        "seed" seed = None,
        "script" script = Vec::new(),
        "expect" expect = Vec::new(),
    }
}

/// Which one of `names` a record has. Notes an error when it has none of them, or several.
fn one_of<'n, 't>(
    record: &mut Record<'n, 't>,
    names: &[&'static str],
    cx: &mut Cx<'t>,
) -> Option<(&'static str, &'n Node<'t>)> {
    let found: Vec<_> = names.iter().filter_map(|name| record.get(name).map(|node| (*name, node))).collect();
    match found.as_slice() {
        [one] => Some(*one),
        [] => {
            record.lacks(names, cx);
            None
        }
        [_, (second, _), ..] => {
            let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            cx.error("wrong-value", record.range_of(second), format!("only one of {list} can be said here"));
            None
        }
    }
}

impl record::Fields for Cue {
    const WHAT: &'static str = "a cue";

    fn keys(out: &mut Vec<&'static str>) {
        out.extend(["at", "to", "send", "payload", "press", "release", "tune", "value"]);
    }

    fn take<'t>(record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> Option<Self> {
        let at = record.required("at", cx);
        let (kind, node) = one_of(record, &["send", "press", "release", "tune"], cx)?;
        let what = match kind {
            "send" => {
                let (message, to) = (Decode::decode(node, cx), record.required("to", cx));
                let payload = record.get("payload").map(|node| values::fields(node, "a payload, as `(name: …)`", cx));
                CueKind::Send { to: to?, message: message?, payload: payload.flatten().unwrap_or_else(Fields::new) }
            }
            "press" => CueKind::Press(Decode::decode(node, cx)?),
            "release" => CueKind::Release(Decode::decode(node, cx)?),
            _ => {
                let (name, value) = (Decode::decode(node, cx), record.required("value", cx));
                CueKind::Tune { name: name?, value: value? }
            }
        };
        record.belongs(&["to", "payload"], kind == "send", "send", cx);
        record.belongs(&["value"], kind == "tune", "tune", cx);
        Some(Self { at: at?, what })
    }
}

impl<'t> Decode<'t> for Cue {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        record::decode(node, cx)
    }
}

impl record::Fields for Expectation {
    const WHAT: &'static str = "an expectation";

    fn keys(out: &mut Vec<&'static str>) {
        out.extend(["by", "at", "entity", "state", "machine", "near", "within", "exists", "said"]);
    }

    fn take<'t>(record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> Option<Self> {
        let when = one_of(record, &["by", "at"], cx);
        let when = when.and_then(|(kind, node)| {
            let secs = Decode::decode(node, cx)?;
            Some(if kind == "by" { When::By(secs) } else { When::At(secs) })
        });
        let entity = record.required("entity", cx);
        let (kind, node) = one_of(record, &["state", "near", "exists", "said"], cx)?;
        let what = match kind {
            "state" => {
                let (state, machine) = (Decode::decode(node, cx), record.or("machine", cx, || None));
                Expected::State { state: state?, machine }
            }
            "near" => {
                let (at, within) = (Decode::decode(node, cx), record.required("within", cx));
                Expected::Near { at: at?, within: within? }
            }
            "exists" => Expected::Exists(Decode::decode(node, cx)?),
            _ => Expected::Said(Decode::decode(node, cx)?),
        };
        record.belongs(&["machine"], kind == "state", "state", cx);
        record.belongs(&["within"], kind == "near", "near", cx);
        Some(Self { when: when?, entity: entity?, what })
    }
}

impl<'t> Decode<'t> for Expectation {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        record::decode(node, cx)
    }
}
