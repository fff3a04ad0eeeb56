//! The impact of a change to a definition, shown before it is made.

use std::{collections::BTreeSet, fmt};

use crate::{
    defs::{Resolution, Resolved, Source},
    model::{FieldType, Instance, Name, OpKind, Ops, Project, counted},
};

use super::Census;

/// Definitions and placed entities that a change would reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Impact {
    /// The definitions, the changed one among them, by name.
    pub defs: BTreeSet<Name>,
    /// Entities placed of them.
    pub n_instances: usize,
    /// Levels that hold these.
    pub n_levels: usize,
}

impl fmt::Display for Impact {
    /// As in "3 definitions, 41 instances in 4 levels".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.defs.len(), "definition"), counted(self.n_instances, "instance"))?;
        if self.n_instances > 0 {
            write!(f, " in {}", counted(self.n_levels, "level"))?;
        }
        Ok(())
    }
}

/// What any change to definition `name` could reach: itself, all that inherits it, and every entity placed of these.
#[must_use]
pub fn impact_of_def(resolution: &Resolution, census: &Census, name: &Name) -> Impact {
    impact_of_defs(resolution, census, std::slice::from_ref(name))
}

/// The same for a change to several definitions at once.
#[must_use]
pub fn impact_of_defs(resolution: &Resolution, census: &Census, names: &[Name]) -> Impact {
    let mut defs: BTreeSet<Name> = names.iter().flat_map(|name| resolution.descendants(name)).collect();
    defs.extend(names.iter().cloned());
    let mut levels = BTreeSet::new();
    let mut n_instances = 0;
    for (level, n) in defs.iter().flat_map(|def| census.placed(def)) {
        levels.insert(level);
        n_instances += n;
    }
    let n_levels = levels.len();
    Impact { defs, n_instances, n_levels }
}

/// What a change of one field in definition `name` reaches: those that neither declare the field themselves nor inherit
/// it from a nearer ancestor. Looks at every placed entity.
#[must_use]
pub fn impact_of_field(
    project: &Project,
    resolution: &Resolution,
    name: &Name,
    component: &str,
    field: &str,
) -> Impact {
    // Structs and maps merge: a definition that declares a part of one inherits the rest from here.
    let merges = matches!(
        resolution.schema.field(component, field).map(|spec| &spec.ty),
        Some(FieldType::Struct(_) | FieldType::Map(_))
    );
    let follows = |def: &Resolved| merges || !is_covered(def, name, component, field) && def.has(component);
    let mut defs: BTreeSet<Name> = resolution.descendants(name).into_iter().collect();
    defs.retain(|def| resolution.defs.get(def).is_some_and(|def| follows(def)));
    defs.insert(name.clone());
    placed_of(project, defs, |ops| merges || !declares(ops, component, field))
}

/// What a change of a field in certain definitions affects: these, and their placed entities that do not declare the
/// field themselves. Looks at every placed entity.
#[must_use]
pub fn impact_among(project: &Project, defs: BTreeSet<Name>, component: &str, field: &str) -> Impact {
    placed_of(project, defs, |ops| !declares(ops, component, field))
}

fn placed_of(project: &Project, defs: BTreeSet<Name>, follows: impl Fn(&Ops) -> bool) -> Impact {
    let mut impact = Impact { defs, ..Impact::default() };
    for (_, level) in project.levels() {
        let reached = |it: &Instance| impact.defs.contains(&it.def) && follows(&it.ops);
        let n = level.entities().filter(|(_, _, it)| reached(it)).count();
        impact.n_instances += n;
        impact.n_levels += usize::from(n > 0);
    }
    impact
}

/// Whether an ancestor between `name` and the definition declares the field.
fn is_covered(def: &Resolved, name: &Name, component: &str, field: &str) -> bool {
    let Some(at) = def.order.iter().position(|ancestor| ancestor == name) else { return true };
    let nearer = &def.order[at + 1..];
    let chain = def.components.get(component).and_then(|component| component.fields.get(field));
    chain.is_some_and(|chain| {
        chain.provenance.iter().any(|declared| {
            matches!(declared.op, OpKind::Set | OpKind::Remove)
                && matches!(&declared.by, Source::Def(by) if nearer.contains(by))
                // A list element taken away leaves the rest of the list as an ancestor declares it.
                && !(declared.op == OpKind::Remove && declared.after.as_list().is_some())
        })
    })
}

/// Whether operations replace or take away a field.
fn declares(ops: &Ops, component: &str, field: &str) -> bool {
    let whole = format!("{component}.{field}");
    ops.declared(OpKind::Set, component, field).is_some()
        || ops.remove.iter().any(|entry| *entry == component || *entry == whole)
}
