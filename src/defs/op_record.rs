//! What operations did: every one, with the value before and after, and what was removed again. Recorded while they are
//! applied.

use std::{fmt::Write as _, sync::Arc};

use indexmap::IndexMap;

use crate::model::{Location, Name, OpKind, Value};

use super::{AppliedOp, RemoveStep, Source};

/// The history of everything a definition or placed entity has, or had until it was removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueHistory {
    /// By component, in the order they are first declared.
    pub components: IndexMap<Name, ComponentHistory>,
}

/// The history of a component.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComponentHistory {
    /// Where the component was added and removed, oldest first.
    pub presence: Vec<Presence>,
    /// The operations on each field, oldest first. A field that is no more ends with an `after` of `None`.
    pub fields: IndexMap<Name, Vec<OpRecord>>,
}

/// A component added or removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Presence {
    /// The definition, placed entity or schema that declares it.
    pub by: Source,
    /// The operation; it is taken away by [`OpKind::Remove`] and given by every other.
    pub op: OpKind,
    /// Where it is written.
    pub location: Location,
}

/// One thing done to a field.
#[derive(Clone, Debug, PartialEq)]
pub struct OpRecord {
    /// The definition, placed entity or schema that declares it.
    pub by: Source,
    /// The operation; the schema's default counts as `Set`.
    pub op: OpKind,
    /// The operand: the value set, the factor, the summand, the elements appended or removed; `None` when the field or
    /// its whole component is removed.
    pub operand: Option<Value>,
    /// The path from the field to what is removed inside it; empty when the field itself is meant.
    pub taken: Vec<RemoveStep>,
    /// The value before; `None` when there was none.
    pub before: Option<Value>,
    /// The value afterwards; `None` when there is none any more.
    pub after: Option<Value>,
    /// Where it is written; `None` for a default of the built-in schema.
    pub location: Option<Location>,
}

impl ValueHistory {
    /// The operations on a field, oldest first; empty when it never was.
    #[must_use]
    pub fn of(&self, component: &str, field: &str) -> &[OpRecord] {
        let fields = self.components.get(component).map(|component| &component.fields);
        fields.and_then(|fields| fields.get(field)).map_or(&[], Vec::as_slice)
    }
}

impl OpRecord {
    /// What a `remove` that goes into the field takes away, as it is written from the field on, and what is there
    /// instead if anything is: `power`, back to `1.0`; `runes["ash"]`.
    #[must_use]
    pub fn part_taken(&self) -> Option<(String, Option<&Value>)> {
        let last = self.taken.last()?;
        let path = path_text(&self.taken);
        let is_member = matches!(last, RemoveStep::Field(_));
        Some((path, self.after.as_ref().filter(|_| is_member).and_then(|after| part(after, &self.taken))))
    }
}

fn path_text(steps: &[RemoveStep]) -> String {
    let mut out = String::new();
    for step in steps {
        let _ = match step {
            RemoveStep::Field(name) => write!(out, "{}{name}", if out.is_empty() { "" } else { "." }),
            RemoveStep::Item(item) => write!(out, "[{item}]"),
        };
    }
    out
}

/// The part of a value at the end of a path through structs and maps.
fn part<'v>(value: &'v Value, path: &[RemoveStep]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match (step, value) {
        (RemoveStep::Field(name), value) => value.field(name),
        (RemoveStep::Item(key), Value::Map(entries)) => {
            entries.iter().find(|(k, _)| k.is_like(key)).map(|(_, value)| value)
        }
        _ => None,
    })
}

impl ComponentHistory {
    /// The component was added.
    pub(super) fn given(&mut self, by: &Source, op: OpKind, location: Location) {
        self.presence.push(Presence { by: by.clone(), op, location });
    }

    /// The component was removed, and with it its `fields`.
    pub(super) fn taken<'a>(&mut self, by: &Source, fields: impl Iterator<Item = &'a Name>, location: &Location) {
        fields.for_each(|field| self.lost(by, field, location));
        self.presence.push(Presence { by: by.clone(), op: OpKind::Remove, location: location.clone() });
    }

    /// A field was removed.
    pub(super) fn lost(&mut self, by: &Source, field: &Name, location: &Location) {
        let location = Some(location.clone());
        let record = OpRecord {
            by: by.clone(),
            op: OpKind::Remove,
            operand: None,
            taken: Vec::new(),
            before: None,
            after: None,
            location,
        };
        self.step(field, record);
    }

    /// Operations were applied to a field.
    pub(super) fn record(&mut self, field: &Name, applied: &[Arc<AppliedOp>]) {
        for applied in applied {
            let AppliedOp { by, op, operand, after, .. } = &**applied;
            let (operand, taken) = (Some(operand.clone()), applied.taken().to_vec());
            let (after, location) = (Some(after.clone()), applied.location());
            self.step(field, OpRecord { by: by.clone(), op: *op, operand, taken, before: None, after, location });
        }
    }

    fn step(&mut self, field: &Name, step: OpRecord) {
        let steps = self.fields.entry(field.clone()).or_default();
        let before = steps.last().and_then(|step| step.after.clone());
        steps.push(OpRecord { before, ..step });
    }
}
