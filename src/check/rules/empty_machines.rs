//! A definition has a component that runs machines, and no machine to run.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{FieldPath, FieldType, Finding, Location, Value},
};

pub(super) const RULE: Rule = Rule {
    name: "empty-machines",
    doc: "A definition has a component that runs machines, and no machine to run.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (name, def) in input.resolution.defs.iter().filter(|(_, def)| !def.is_abstract) {
        for (component_name, component) in &def.components {
            let Some(spec) = input.schema().components.get(component_name) else { continue };
            let runs = |ty: &FieldType| matches!(ty, FieldType::List(item) if **item == FieldType::Machine);
            let mut lists = spec.fields.iter().filter(|(_, spec)| runs(&spec.ty)).peekable();
            let empty = |value: &Value| value.as_list().is_some_and(<[Value]>::is_empty);
            let idle = lists.peek().is_some()
                && lists.all(|(field, _)| component.fields.get(field).is_none_or(|field| empty(&field.value)));
            // Placed entities may bring their own; only who says the component itself is told.
            let speaker = if idle { input.speaker(&def.doc, name) } else { None };
            if let Some(speaker) = speaker.filter(|speaker| speaker.ops.set.contains_key(component_name)) {
                let path: FieldPath = speaker.base.key("set").key(component_name);
                let message = format!("`{name}` has {component_name} and no machine in it, so it does nothing");
                out.push(Problem::new(Finding::hint(RULE.name, Location::key(def.doc.clone(), path), message)));
            }
        }
    }
}
