//! `scenarios/*.ron`

use super::{
    Cx, Decode, Encode,
    cx::Record,
    describe::{self, Describe, Describer, Property},
    record::{self, record},
    values,
};
use crate::{
    io::ron_text::{Form, Node, Slot},
    model::{Cue, CueKind, Expectation, Expected, Scenario, Value, When},
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
                CueKind::Send { to: to?, message: message?, payload: payload.flatten().unwrap_or_default() }
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

    fn describe_fields(out: &mut Describer<'_>, all: &mut Vec<Property>) {
        all.push(("at", describe::of(|it: &Self| &it.at, out), true));
        for name in ["to", "send", "press", "release", "tune"] {
            all.push((name, String::describe(out), false));
        }
        all.push(("payload", serde_json::json!({ "type": "object" }), false));
        all.push(("value", Value::describe(out), false));
    }

    fn put<'m>(&'m self, _: Option<&Self>, out: &mut Vec<Slot<'m>>) {
        out.push(Slot::new("at", self.at.form(None)));
        match &self.what {
            CueKind::Send { to, message, payload } => {
                out.extend([Slot::new("to", to.form(None)), Slot::new("send", message.form(None))]);
                let form = Form::Record(values::fields_slots(payload));
                out.push(Slot { name: "payload", form, is_default: payload.is_empty() });
            }
            CueKind::Press(key) => out.push(Slot::new("press", key.form(None))),
            CueKind::Release(key) => out.push(Slot::new("release", key.form(None))),
            CueKind::Tune { name, value } => {
                out.extend([Slot::new("tune", name.form(None)), Slot::new("value", value.form(None))]);
            }
        }
    }
}

impl Describe for Cue {
    fn describe(out: &mut Describer<'_>) -> serde_json::Value {
        describe::record::<Self>(out)
    }
}

impl Describe for Expectation {
    fn describe(out: &mut Describer<'_>) -> serde_json::Value {
        describe::record::<Self>(out)
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

    fn describe_fields(out: &mut Describer<'_>, all: &mut Vec<Property>) {
        for name in ["by", "at", "within"] {
            all.push((name, f64::describe(out), false));
        }
        all.push(("entity", describe::of(|it: &Self| &it.entity, out), true));
        for name in ["state", "machine", "said"] {
            all.push((name, String::describe(out), false));
        }
        all.push(("near", <[f64; 2]>::describe(out), false));
        all.push(("exists", bool::describe(out), false));
    }

    fn put<'m>(&'m self, _: Option<&Self>, out: &mut Vec<Slot<'m>>) {
        out.push(match &self.when {
            When::By(secs) => Slot::new("by", secs.form(None)),
            When::At(secs) => Slot::new("at", secs.form(None)),
        });
        out.push(Slot::new("entity", self.entity.form(None)));
        match &self.what {
            Expected::State { state, machine } => {
                out.push(Slot::new("state", state.form(None)));
                out.push(Slot { name: "machine", form: machine.form(None), is_default: machine.is_none() });
            }
            Expected::Near { at, within } => {
                out.extend([Slot::new("near", at.form(None)), Slot::new("within", within.form(None))]);
            }
            Expected::Exists(exists) => out.push(Slot::new("exists", exists.form(None))),
            Expected::Said(text) => out.push(Slot::new("said", text.form(None))),
        }
    }
}

impl<'t> Decode<'t> for Expectation {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        record::decode(node, cx)
    }
}

impl Encode for Cue {
    const OWN_LINE: bool = true;

    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        record::form(self, base)
    }
}

impl Encode for Expectation {
    const OWN_LINE: bool = true;

    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        record::form(self, base)
    }
}
