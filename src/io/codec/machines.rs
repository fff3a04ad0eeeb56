//! `machines/*.ron`

use indexmap::IndexMap;

use super::{
    Cx, Decode, Encode,
    cx::Record,
    describe::{self, Describe, Describer, Property},
    record::{self, record},
    values,
};
use crate::{
    io::ron_text::{Form, Kind, Node, Slot},
    model::{Call, Condition, Fields, Machine, MachinesFile, State, Transition, Trigger},
};

impl<'t> Decode<'t> for MachinesFile {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        Decode::decode(node, cx).map(|machines| Self { machines })
    }
}

impl Encode for MachinesFile {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        self.machines.form(base.map(|base| &base.machines))
    }
}

record! {
    "a machine" Machine per line {
        .. root: State,
        "layout" layout = IndexMap::new(),
    }
}

record! {
    "a state" State per line {
        "initial" initial = None,
        "enter" enter = Vec::new(),
        "exit" exit = Vec::new(),
        "update" update = Vec::new(),
        "on" on = IndexMap::new(),
        "transitions" transitions = Vec::new(),
        "states" states = IndexMap::new(),
    }
}

/// `Despawn`, `Say(text: "!")`
impl<'t> Decode<'t> for Call {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        match &node.kind {
            Kind::Symbol(word) => Some(Self { name: cx.name(word), args: Fields::new() }),
            Kind::Tagged(word, content) => {
                let args = values::fields(content, "arguments by name, as `(name: …)`", cx)?;
                Some(Self { name: cx.name(word), args })
            }
            _ => cx.expected("a named call, as `Despawn` or `Say(text: \"!\")`", node),
        }
    }
}

/// A call, `All([…])`, `Any([…])` or `Not(…)`.
impl<'t> Decode<'t> for Condition {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let Kind::Tagged(word @ ("All" | "Any" | "Not"), content) = &node.kind else {
            return Call::decode(node, cx).map(Self::Call);
        };
        let one = match &content.kind {
            Kind::Tuple(items) if items.len() == 1 => items.first(),
            _ => None,
        };
        match (*word, one) {
            ("All", Some(list)) => Decode::decode(list, cx).map(Self::All),
            ("Any", Some(list)) => Decode::decode(list, cx).map(Self::Any),
            ("Not", Some(inner)) => Decode::decode(inner, cx).map(|inner| Self::Not(Box::new(inner))),
            ("Not", None) => cx.expected("`Not(…)` with one condition", node),
            _ => cx.expected(&format!("`{word}([…])` with one list of conditions"), node),
        }
    }
}

impl record::Fields for Transition {
    const WHAT: &'static str = "a transition";

    fn keys(out: &mut Vec<&'static str>) {
        out.extend(["when", "on", "after", "if", "do", "to"]);
    }

    fn take<'t>(record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> Option<Self> {
        let (when, on, after) = (record.get("when"), record.get("on"), record.get("after"));
        let trigger = match (when, on, after) {
            (Some(node), None, None) => Condition::decode(node, cx).map(Trigger::When),
            (None, Some(node), None) => Decode::decode(node, cx).map(Trigger::On),
            (None, None, Some(node)) => Decode::decode(node, cx).map(Trigger::After),
            (None, None, None) => {
                record.lacks(&["when", "on", "after"], cx);
                None
            }
            _ => {
                let second = [("on", on), ("after", after)].into_iter().rev().find(|(_, node)| node.is_some());
                let range = record.range_of(second.map_or("when", |(name, _)| name));
                cx.error("wrong-value", range, "a transition has one of `when`, `on` and `after`");
                None
            }
        };
        let guard = record.or("if", cx, || None);
        let actions = record.or("do", cx, Vec::new);
        let to = record.required("to", cx);
        Some(Self { trigger: trigger?, guard, actions, to: to? })
    }

    fn describe_fields(out: &mut Describer<'_>, all: &mut Vec<Property>) {
        let (secs, condition) = (f64::describe(out), Condition::describe(out));
        all.extend([("when", condition, false), ("on", String::describe(out), false), ("after", secs, false)]);
        all.push(("if", describe::of(|it: &Self| &it.guard, out), false));
        all.push(("do", describe::of(|it: &Self| &it.actions, out), false));
        all.push(("to", describe::of(|it: &Self| &it.to, out), true));
    }

    fn put<'m>(&'m self, _: Option<&Self>, out: &mut Vec<Slot<'m>>) {
        out.push(slot(&self.trigger));
        out.push(Slot { name: "if", form: self.guard.form(None), is_default: self.guard.is_none() });
        out.push(Slot { name: "do", form: self.actions.form(None), is_default: self.actions.is_empty() });
        out.push(Slot::new("to", self.to.form(None)));
    }
}

fn slot(trigger: &Trigger) -> Slot<'_> {
    match trigger {
        Trigger::When(condition) => Slot::new("when", condition.form(None)),
        Trigger::On(message) => Slot::new("on", message.form(None)),
        Trigger::After(secs) => Slot::new("after", secs.form(None)),
    }
}

impl Encode for Trigger {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Record(vec![slot(self)])
    }
}

impl Describe for Transition {
    fn describe(out: &mut Describer<'_>) -> serde_json::Value {
        describe::record::<Self>(out)
    }
}

impl<'t> Decode<'t> for Transition {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        record::decode(node, cx)
    }
}

impl Encode for Call {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Call(&self.name, values::fields_slots(&self.args))
    }
}

impl Encode for Condition {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        let (word, content) = match self {
            Self::Call(call) => return call.form(None),
            Self::All(list) => ("All", list.form(None)),
            Self::Any(list) => ("Any", list.form(None)),
            Self::Not(inner) => ("Not", inner.form(None)),
        };
        Form::Tagged(word, Box::new(Form::Tuple(vec![content])))
    }
}

impl Encode for Transition {
    const OWN_LINE: bool = true;

    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        record::form(self, base)
    }
}
