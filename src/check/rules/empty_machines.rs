//! A definition has a component that runs machines, and no machine to run.

use crate::{
    check::{Problem, Rule, input::Input},
    edit::Owner,
    model::{ComponentSpec, FieldPath, FieldType, Finding, Location, Name, OpKind, Value},
};

pub(super) const RULE: Rule = Rule {
    name: "empty-machines",
    doc: "A definition has a component that runs machines, and no machine to run.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    // Components that run machines, with the fields that list these.
    let runs = |ty: &FieldType| matches!(ty, FieldType::List(item) if **item == FieldType::Machine);
    let lists = |spec: &ComponentSpec| -> Vec<Name> {
        spec.fields.iter().filter(|(_, spec)| runs(&spec.ty)).map(|(field, _)| field.clone()).collect()
    };
    let all = input.schema().components.iter().map(|(name, spec)| (name, lists(spec)));
    let runners: Vec<(&Name, Vec<Name>)> = all.filter(|(_, lists)| !lists.is_empty()).collect();
    for (component, lists) in runners {
        // Placed entities may add their own; only the definition that declares the component gets the problem.
        for (declarer, _) in input.declared(component).filter(|(_, declared)| declared.op == OpKind::Set) {
            let Owner::Def { doc, name } = &declarer.owner else { continue };
            let Some(def) = declarer.resolved.filter(|def| !def.is_abstract && def.doc == *doc) else { continue };
            let empty = |value: &Value| value.as_list().is_some_and(<[Value]>::is_empty);
            if def.has(component) && lists.iter().all(|field| def.get(component, field).is_none_or(empty)) {
                let path: FieldPath = declarer.at(OpKind::Set, component);
                let message = format!("`{name}` has {component} and no machine in it, so it does nothing");
                out.push(Problem::new(Finding::hint(RULE.name, Location::key(doc.clone(), path), message)));
            }
        }
    }
}
