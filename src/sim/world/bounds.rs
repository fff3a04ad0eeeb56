//! What the world does about values beyond the limits and about too much work: values are limited and reported once, a tick
//! with too much to do is cut short and marked.
//!
//! Invariant: what is limited, and where a tick is cut, depends on the world alone. The limits are `sim::limits`; who
//! pauses when a tick was cut is the caller's business.

use std::sync::Arc;

use crate::{
    model::{FieldPath, Finding, Location, Name, Value},
    sim::{EntityKey, limits, nav},
};

use super::{TraceKind, World};

impl World {
    /// Why the last tick was cut short; nothing when it was not. The world can go on, and will likely be cut again.
    #[must_use]
    pub fn overload(&self) -> Option<&str> {
        self.overload.as_deref()
    }

    /// Count work done on behalf of machines. False when this tick's is used up: what it was for is to be left undone.
    pub(super) fn charge(&mut self, work: u64) -> bool {
        self.work = self.work.saturating_add(work);
        if self.work <= limits::MAX_WORK {
            return true;
        }
        if self.overload.is_none() {
            self.overloaded("machines look at too many things in one tick".to_owned());
        }
        false
    }

    /// Whether this tick still has work left for machines.
    pub(super) fn has_work_left(&self) -> bool {
        self.work <= limits::MAX_WORK
    }

    /// This tick exceeds a budget.
    pub(super) fn overloaded(&mut self, why: String) {
        let location = Location::doc(self.rules.level_doc.clone());
        self.note(Finding::error("preview-overload", location, why.clone()));
        self.overload.get_or_insert_with(|| why.into());
    }

    /// Report what of an entity's fields was limited, each field once.
    pub(super) fn report_limits(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key).filter(|entity| !entity.limited.is_empty()) else { return };
        for limited in std::mem::take(&mut entity.limited) {
            self.limit_reached(key, &limited.path, &limited.value, &limited.used);
        }
    }

    /// Report that something of an entity was limited, once: a field, or what the machine's action calls it.
    pub(super) fn limit_reached(&mut self, key: EntityKey, what: &str, value: &Value, used: &Value) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        if entity.reported.contains(what) {
            return;
        }
        Arc::make_mut(&mut entity.reported).insert(what.into());
        let (component, field) = what.split_once('.').unwrap_or_default();
        let declared = entity.base.components.get(component).and_then(|component| component.fields.get(field));
        let said = declared.and_then(|field| field.provenance.last()?.location());
        let location = said.unwrap_or_else(|| Location::doc(entity.base.doc.clone()));
        let unit = self.rules.resolution.schema.field(component, field).and_then(|spec| spec.unit.clone());
        let text = beyond(what, value, used, unit.as_deref());
        let finding = Finding::error("preview-limit", location, format!("`{}`: {text}", entity.id));
        self.note(finding);
        self.emit(key, None, TraceKind::Problem { text });
    }

    /// Bring the constants within the limits.
    pub(super) fn limit_tuning(&mut self) {
        let beyond = self.tuning.iter().filter_map(|(path, value)| {
            let used = limits::limited(value, limits::of_tunable(path)?)?;
            Some((path.clone(), value.clone(), used))
        });
        let beyond: Vec<(Name, Value, Value)> = beyond.collect();
        for (path, value, used) in beyond {
            self.limit_tunable(&path, &value, &used);
            Arc::make_mut(&mut self.tuning).insert(path, used);
        }
    }

    /// Report waypoint layers that have too many pairs of nodes to link them all.
    pub(super) fn report_shortened_links(&mut self) {
        let rules = self.rules.clone();
        for (i, layer) in rules.level.layers.iter().enumerate() {
            let Some(reach) = layer.waypoints().and_then(nav::shortened_reach) else { continue };
            let text = format!(
                "waypoint layer `{}` has too many pairs of nodes to link them all in the preview; automatic links longer than \
                 {reach:.0} px are left out; give it a shorter `max_length`",
                layer.name
            );
            let at = FieldPath::keys(["layers"]).index(i);
            self.note(Finding::warning("preview-limit", Location::new(rules.level_doc.clone(), at), text));
        }
    }

    /// Report that a constant was limited.
    pub(super) fn limit_tunable(&mut self, path: &str, value: &Value, used: &Value) {
        let location = Location::doc(self.rules.level_doc.clone());
        self.note(Finding::error("preview-limit", location, beyond(path, value, used, None)));
    }
}

fn beyond(what: &str, value: &Value, used: &Value, unit: Option<&str>) -> String {
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    let what = if what.contains('.') { format!("`{what}`") } else { what.to_owned() };
    format!("{what} is {value}{unit}, beyond what the preview computes with; it uses {used}{unit}")
}
