//! `entities/*.ron`, and the operations that placed entities share with definitions.

use super::{
    Cx, Decode,
    cx::Record,
    record::{Fields, record},
    values,
};
use crate::{
    io::ron_text::Node,
    model::{Components, EntitiesFile, EntityDef, Instance, Ops},
};

impl<'t> Decode<'t> for EntitiesFile {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        Decode::decode(node, cx).map(|defs| Self { defs })
    }
}

record! {
    "a definition" EntityDef {
        "abstract" is_abstract = false,
        "inherits" inherits = Vec::new(),
        .. ops: Ops,
    }
}

record! {
    "a placed entity" Instance {
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
            record.get(name).and_then(|node| values::components(node, cx)).unwrap_or_else(Components::new)
        };
        let (set, scale) = (valued("set", cx), valued("scale", cx));
        let (add, append) = (valued("add", cx), valued("append", cx));
        Some(Self { remove: record.or("remove", cx, Vec::new), set, scale, add, append })
    }
}
