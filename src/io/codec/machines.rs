//! Calls and conditions of machines.

use super::{Cx, Decode, Encode, values};
use crate::{
    io::ron_text::{Form, Kind, Node},
    model::{Call, Condition, Fields},
};

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
