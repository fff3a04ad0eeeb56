//! A field's value of placed entities that becomes another, or is inherited again.

use super::Hits;
use crate::{
    defs::Resolution,
    edit::{Edit, Owner, Refusal},
    explain::{EntityHit, EntityQuery},
    model::{DocPath, FieldPath, FieldSpec, Instance, Level, Name, OpKind, Value},
    refactor::{FieldOf, edits_to_set},
};

/// What replaces a value.
#[derive(Clone, Debug, PartialEq)]
pub enum NewValue {
    /// Another value.
    Value(Value),
    /// That of the entity's definition.
    Inherited,
}

/// Which values are looked for, and what they become.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplaceValues {
    /// The component and the field.
    pub field: Option<(Name, Name)>,
    /// What the value is, as it is typed: `10`, `> 10`, `!= red`; any value when empty.
    pub is: String,
    /// Which entities are looked at, as a query of [`EntityQuery`]; all when empty.
    pub of: String,
    /// What it becomes.
    pub with: Option<NewValue>,
}

impl ReplaceValues {
    /// Look at another field. What was typed and chosen of the one before is none of it.
    pub fn choose_field(&mut self, component: &Name, field: &Name, spec: &FieldSpec) {
        let field = Some((component.clone(), field.clone()));
        if self.field != field {
            let with = Some(NewValue::Value(spec.default_value()));
            *self = Self { field, with, of: std::mem::take(&mut self.of), is: String::new() };
        }
    }

    pub(super) fn hits(&self, resolution: &Resolution, levels: &[(&DocPath, &Level)]) -> Result<Vec<Hits>, Refusal> {
        let Some((component, field)) = &self.field else {
            return Err(Refusal::new("choose the field whose values are replaced"));
        };
        let Some(spec) = resolution.schema.field(component, field) else {
            return Err(Refusal::new(format!("there is no field `{component}.{field}`")));
        };
        let query = EntityQuery::parse(&self.of).and_then(|query| query.with_field(component, field, &self.is));
        let query = query.map_err(Refusal::new)?;
        let Some(with) = &self.with else { return Err(Refusal::new("choose the value to replace it with")) };
        let mut hits: Vec<Hits> = Vec::new();
        for (doc, level) in levels {
            let (layers, paths) = (level.all_layers(), level.layer_paths());
            for found in query.find_in(resolution, doc, level) {
                let Some((layer, at)) = layers.get(found.layer).zip(paths.get(found.layer)) else { continue };
                let Some(instance) = layer.entities().and_then(|all| all.get(&found.id)) else { continue };
                if !self.changes(resolution, at, &found, instance) {
                    continue;
                }
                let owner = Owner::Instance { doc: (*doc).clone(), layer: layer.name.clone(), id: found.id.clone() };
                let edits = match with {
                    NewValue::Value(value) => {
                        edits_to_set(FieldOf { owner: &owner, component, field, ty: &spec.ty }, value)
                    }
                    NewValue::Inherited => vec![Edit::clear(owner, component, field)],
                };
                match hits.last_mut().filter(|it| it.count.doc == **doc && it.count.layer == layer.name) {
                    Some(last) => {
                        last.count.n += 1;
                        last.edits.extend(edits);
                    }
                    None => {
                        let path = level.entity_at(found.layer, &found.id);
                        hits.push(Hits::new((doc, level), found.layer, &layer.name, path, 1, edits));
                    }
                }
            }
        }
        Ok(hits)
    }

    /// Whether what is found would be different from what it is.
    fn changes(&self, resolution: &Resolution, at: &FieldPath, found: &EntityHit, instance: &Instance) -> bool {
        let Some((component, field)) = &self.field else { return false };
        match &self.with {
            Some(NewValue::Inherited) => {
                OpKind::VALUED.iter().any(|op| instance.ops.declared(*op, component, field).is_some())
            }
            Some(NewValue::Value(value)) => {
                let (resolved, _) = resolution.instance(&found.doc, at, &found.id, instance);
                resolved.get(component, field).is_some_and(|now| now != value)
            }
            None => false,
        }
    }

    pub(super) fn describe(&self) -> String {
        let other = if matches!(self.with, Some(NewValue::Value(_))) { "other " } else { "own " };
        let is = self.is.trim();
        match &self.field {
            Some((component, field)) if is.is_empty() => format!("{other}value of {component}.{field}"),
            Some((component, field)) => format!("value of {component}.{field} that is {is}"),
            None => "value".to_owned(),
        }
    }

    pub(super) fn label(&self) -> String {
        let field = self.field.as_ref().map_or_else(String::new, |(component, field)| format!("{component}.{field}"));
        match &self.with {
            Some(NewValue::Value(value)) => format!("Set {field} to {value}"),
            _ => format!("Reset {field}"),
        }
    }
}
