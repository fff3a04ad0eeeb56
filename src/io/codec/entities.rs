//! `entities/*.ron`, and the operations that placed entities share with definitions.

use super::{
    Cx, Decode, Encode,
    cx::Record,
    describe::{self, Describer, Property},
    record::{self, Fields, record},
    values,
};
use crate::{
    io::ron_text::{Form, Node, Slot},
    model::{EntitiesFile, EntityDef, Instance, OpKind, Ops},
};

impl<'t> Decode<'t> for EntitiesFile {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        Decode::decode(node, cx).map(|defs| Self { defs })
    }
}

impl Encode for EntitiesFile {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        self.defs.form(base.map(|base| &base.defs))
    }
}

record! {
    "a definition" EntityDef per line {
        "abstract" is_abstract = false,
        "inherits" inherits = Vec::new(),
        .. ops: Ops,
    }
}

record! {
    "a placed entity" Instance per line {
        "def" def,
        "at" at,
        "rotation" rotation = 0.0,
        .. ops: Ops,
    }
}

impl Fields for Ops {
    const WHAT: &'static str = "operations";

    fn keys(out: &mut Vec<&'static str>) {
        out.extend(["set", "scale", "add", "append", "remove"]);
    }

    fn take<'t>(record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> Option<Self> {
        let mut valued = |name: &str, cx: &mut Cx<'t>| {
            record.get(name).and_then(|node| values::components(node, cx)).unwrap_or_default()
        };
        let (set, scale) = (valued("set", cx), valued("scale", cx));
        let (add, append) = (valued("add", cx), valued("append", cx));
        Some(Self { remove: record.or("remove", cx, Vec::new), set, scale, add, append })
    }

    fn describe_fields(out: &mut Describer<'_>, all: &mut Vec<Property>) {
        for op in OpKind::VALUED {
            all.push((op.key(), describe::components(out, op), false));
        }
        all.push((OpKind::Remove.key(), describe::of(|it: &Self| &it.remove, out), false));
    }

    fn put<'m>(&'m self, _: Option<&Self>, out: &mut Vec<Slot<'m>>) {
        for (name, components) in
            [("set", &self.set), ("scale", &self.scale), ("add", &self.add), ("append", &self.append)]
        {
            let form = values::components_form(components);
            out.push(Slot { name, form, is_default: components.is_empty() });
        }
        out.push(Slot { name: "remove", form: self.remove.form(None), is_default: self.remove.is_empty() });
    }
}

impl Encode for Ops {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        record::form(self, base)
    }
}
