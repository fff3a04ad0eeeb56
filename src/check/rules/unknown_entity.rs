//! A placed entity, layer or level that refers to an entity missing in its level.

use std::collections::BTreeMap;

use crate::{
    check::{Fix, Problem, Rule, input::Input, references},
    edit::{Edit, Owner},
    model::{FieldPath, FieldType, Finding, Level, Location, Name, OpKind, Value, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-entity", doc: "A field refers to a placed entity that its level does not have.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    inherited(input, out);
    references::declared_names(input, &mut |declared| {
        if *declared.ty != FieldType::Entity {
            return;
        }
        let at = declared.location();
        // A definition may refer to an entity of any level; ids of spawned entities are known only during the run.
        let Some(level) = input.project.level(&at.doc).filter(|_| !declared.name.contains('#')) else { return };
        if level.entity(declared.name).is_some() {
            return;
        }
        let near = near(input, level, declared.name);
        let message = format!("no entity of this level is called `{}`", declared.name);
        let fix = near.map(|near| Fix::new(format!("Use {near}"), declared.replaced_by(near)));
        out.push(Problem::new(Finding::warning(RULE.name, at, message).with_help(mean(near))).with(fix));
    });
}

fn near<'l>(input: &Input<'_>, level: &'l Level, id: &str) -> Option<&'l str> {
    input.near(id, level.entities().map(|(_, id, _)| &**id))
}

/// Placed entities that inherit such a field.
fn inherited(input: &Input<'_>, out: &mut Vec<Problem>) {
    let components = input.schema().components.iter();
    let fields = components.flat_map(|(component, spec)| spec.fields.iter().map(move |field| (component, field)));
    let fields: Vec<(&Name, &Name)> = fields
        .filter(|(_, (_, spec))| spec.ty == FieldType::Entity)
        .map(|(component, (field, _))| (component, field))
        .collect();
    let mut of_defs: BTreeMap<&Name, Vec<(&Name, &Name, &str)>> = BTreeMap::new();
    for (doc, level) in input.levels() {
        let (layers, paths) = (level.all_layers(), level.layer_paths());
        for (i, id, instance) in level.entities() {
            let references = of_defs.entry(&instance.def).or_insert_with_key(|def| {
                let def = input.resolution.defs.get(*def);
                let wanted = |component: &str, field: &str| {
                    let wanted = def?.get(component, field)?.as_str()?;
                    (!wanted.is_empty() && !wanted.contains('#')).then_some(wanted)
                };
                fields.iter().filter_map(|(of, field)| Some((*of, *field, wanted(of, field)?))).collect()
            });
            for (component, field, wanted) in references.iter().copied() {
                let is_own = instance.ops.declared(OpKind::Set, component, field).is_some();
                if is_own || instance.ops.removes(component) || level.entity(wanted).is_some() {
                    continue;
                }
                let Some((layer, path)) = layers.get(i).zip(paths.get(i)) else { continue };
                let at = Location::key(doc.clone(), path.key("entities").key(id));
                let near = near(input, level, wanted);
                let message = format!(
                    "no entity of this level is called `{wanted}`, the `{component}.{field}` of `{}`",
                    instance.def
                );
                let owner = Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() };
                let fix = near.map(|near| {
                    let (component, field, inner) = (component.clone(), field.clone(), FieldPath::default());
                    let edit =
                        Edit::SetValue { owner, op: OpKind::Set, component, field, inner, value: Value::str(near) };
                    Fix::new(format!("Use {near} here"), edit)
                });
                out.push(Problem::new(Finding::warning(RULE.name, at, message).with_help(mean(near))).with(fix));
            }
        }
    }
}
