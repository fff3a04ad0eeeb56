//! The fields by which an entity refers to others, and which entities of a level they refer to.
//!
//! Invariant: what a field is, the schema's types say: an id (`Entity`), or whom it is about (`Target`), one or a list
//! of them.

use crate::{
    defs::{Resolution, Resolved},
    model::{FieldType, Level, Name, Value},
};

/// A field that refers to entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityRefField {
    /// The component.
    pub component: Name,
    /// The field.
    pub field: Name,
    /// Whether it takes any number of them.
    pub is_list: bool,
    /// Whether its value may be left out.
    pub is_option: bool,
    /// Whether it takes definitions and tags, too, and not only ids.
    pub is_target: bool,
    /// What it refers to, as it is written; empty where it refers to nothing.
    pub targets: Vec<String>,
}

impl EntityRefField {
    /// As `Flock.enemy`.
    #[must_use]
    pub fn full(&self) -> String {
        format!("{}.{}", self.component, self.field)
    }
}

/// More entities than these are not looked for: a tag may be that of a thousand coins.
const MOST_MEANT: usize = 64;

/// The fields of an entity that refer to others, in the order of its components.
#[must_use]
pub fn entity_refs(resolution: &Resolution, resolved: &Resolved) -> Vec<EntityRefField> {
    let mut out = Vec::new();
    for (component, it) in &resolved.components {
        for (field, now) in &it.fields {
            let Some(spec) = resolution.schema.field(component, field) else { continue };
            let (is_list, is_option, of) = match &spec.ty {
                FieldType::List(of) => (true, false, &**of),
                FieldType::Option(of) => (false, true, &**of),
                of => (false, false, of),
            };
            if !matches!(of, FieldType::Entity | FieldType::Target) {
                continue;
            }
            let text = |value: &Value| value.as_option()?.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
            let targets = match now.value.as_list().filter(|_| is_list) {
                Some(items) => items.iter().filter_map(text).collect(),
                None => text(&now.value).into_iter().collect(),
            };
            let is_target = *of == FieldType::Target;
            let (component, field) = (component.clone(), field.clone());
            out.push(EntityRefField { component, field, is_list, is_option, is_target, targets });
        }
    }
    out
}

/// The entities of a level that a target of a field refers to, as the preview understands it: an id, else those of a
/// definition or with a tag; no more than a few dozen of these.
#[must_use]
pub fn entities_meant(resolution: &Resolution, level: &Level, field: &EntityRefField, target: &str) -> Vec<Name> {
    let by_id = level.all_layers().into_iter().find_map(|layer| layer.entities()?.get_key_value(target));
    if let Some((id, _)) = by_id {
        return vec![id.clone()];
    }
    if !field.is_target {
        return Vec::new();
    }
    let named = |prefix: &str| target.strip_prefix(prefix);
    let is_def = resolution.def_docs.contains_key(target);
    let has_tag = |def: &Name, tag: &str| {
        let tags = resolution.defs.get(def).and_then(|def| def.get("Tags", "tags")?.as_list());
        tags.is_some_and(|tags| tags.iter().any(|it| it.as_str() == Some(tag)))
    };
    let fits = |def: &Name| match (named("def:"), named("tag:")) {
        (Some(of), _) => resolution.is_a(def, of),
        (_, Some(tag)) => has_tag(def, tag),
        _ if is_def => resolution.is_a(def, target),
        _ => has_tag(def, target),
    };
    level.entities().filter(|(_, _, it)| fits(&it.def)).map(|(_, id, _)| id.clone()).take(MOST_MEANT).collect()
}
