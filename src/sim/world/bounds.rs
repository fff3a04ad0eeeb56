//! Limits of values and of work: values beyond a limit are limited and reported once; a tick with too much work is cut
//! short and marked.
//!
//! Invariant: the limited values, and where a tick is cut, depend on the world alone. The limits are in `sim::limits`;
//! the caller decides whether to pause after a tick was cut.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Finding, Location, Value},
    sim::{EntityKey, limits, nav},
};

use super::{TraceKind, World, entity::Cause};

impl World {
    /// Why the last tick was cut short; `None` if it was not. The world can continue, and will likely be cut again.
    #[must_use]
    pub fn overload(&self) -> Option<&str> {
        self.overload.as_deref()
    }

    /// Charge work for entities to this tick's budget; `doing` completes "in this tick entities …". Returns false if
    /// the budget is exhausted: then the work must not be done.
    pub(super) fn charge(&mut self, work: u64, doing: &str) -> bool {
        self.work = self.work.saturating_add(work);
        if self.work <= limits::MAX_WORK {
            return true;
        }
        if self.overload.is_none() {
            self.overloaded(format!("too much work for one tick, reached while entities {doing}"));
        }
        false
    }

    /// Whether this tick still has work left for machines.
    pub(super) fn has_work_left(&self) -> bool {
        self.work <= limits::MAX_WORK
    }

    /// Mark this tick as cut short.
    pub(super) fn overloaded(&mut self, why: String) {
        let location = Location::doc(self.rules.level_doc.clone());
        self.note(Finding::error("preview-overload", location, why.clone()));
        self.overload.get_or_insert_with(|| why.into());
    }

    /// Report the values of an entity's fields that were limited, each field once.
    pub(super) fn report_limits(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key).filter(|entity| !entity.limited.is_empty()) else { return };
        for limited in std::mem::take(&mut entity.limited) {
            self.limit_reached(key, Cause::Field(limited.path), &limited.value, &limited.used);
        }
    }

    /// Move an entity to a place within the limits, which is returned, in pixels. Its body stays where it is.
    pub(super) fn put_at(&mut self, key: EntityKey, pos: Vec2) -> Vec2 {
        let within = limits::place(pos);
        if within != pos {
            // As written in the level: the value may exceed the preview's numbers.
            let placed = self.entities.get(key).and_then(|entity| entity.placed_at);
            let given = placed.map_or_else(|| vec_value(pos), |([x, y], _)| Value::vec2(x, y));
            self.limit_reached(key, Cause::Place, &given, &vec_value(within));
        }
        if let Some(entity) = self.entities.get_mut(key) {
            entity.pose.pos = within;
        }
        within
    }

    /// Report that a value of an entity was limited, once.
    pub(super) fn limit_reached(&mut self, key: EntityKey, cause: Cause, value: &Value, used: &Value) {
        let Some(entity) = self.entities.get(key) else { return };
        let what = match &cause {
            Cause::Field(path) => &**path,
            Cause::Action(argument) => argument,
            Cause::Place | Cause::Body(_) => "its position",
        };
        let (component, field) = what.split_once('.').unwrap_or_default();
        let declared = entity.base.components.get(component).and_then(|component| component.fields.get(field));
        let location = match cause {
            Cause::Place if entity.placed_at.is_some() => {
                let at = self.rules.level.entity_at(entity.layer, &entity.id).key("at");
                Some(Location::new(self.rules.level_doc.clone(), at))
            }
            _ => declared.and_then(|field| field.provenance.last()?.location()),
        };
        let unit = self.rules.resolution.schema.field(component, field).and_then(|spec| spec.unit.clone());
        let text = exceeds(what, value, used, unit.as_deref());
        self.report_once(key, cause, "preview-limit", text, location);
    }

    /// Report a problem of an entity, once for each cause; at its definition if no place in the data is known.
    pub(super) fn report_once(
        &mut self,
        key: EntityKey,
        cause: Cause,
        rule: &'static str,
        text: String,
        location: Option<Location>,
    ) {
        let Some(entity) = self.entities.get_mut(key).filter(|entity| !entity.reported.contains_key(&cause)) else {
            return;
        };
        let location = location.unwrap_or_else(|| Location::doc(entity.base.doc.clone()));
        let finding = Finding::error(rule, location, format!("`{}`: {text}", entity.id));
        Arc::make_mut(&mut entity.reported).insert(cause, finding.clone());
        self.note(finding);
        self.emit(key, None, TraceKind::Problem { text });
    }

    /// Limit the constants, and read those of the built-in pages.
    pub(super) fn limit_tuning(&mut self) {
        for (path, value) in self.tuning.clone().iter() {
            let exceeds = limits::of_tunable(path).is_some_and(|range| limits::limited(value, range).is_some());
            if exceeds {
                let used = self.limit_tunable(path, value.clone());
                Arc::make_mut(&mut self.tuning).insert(path.clone(), used);
            }
        }
        self.read_constants();
    }

    /// A constant's value within its limits. If it had to be limited, that is reported, replacing an earlier report of
    /// it.
    pub(super) fn limit_tunable(&mut self, path: &str, value: Value) -> Value {
        let used = limits::of_tunable(path).and_then(|range| limits::limited(&value, range));
        if let Some(before) = self.limited_tuning.remove(path) {
            self.drop_finding(&before);
        }
        let Some(used) = used else { return value };
        let finding = Finding::error(
            "preview-limit",
            Location::doc(self.rules.level_doc.clone()),
            exceeds(path, &value, &used, None),
        );
        self.limited_tuning.insert(path.into(), finding.clone());
        self.note(finding);
        used
    }

    /// Report tile layers that are not wholly used as solid ground.
    pub(super) fn report_cut_layers(&mut self) {
        let rules = self.rules.clone();
        for name in rules.grid.cut_layers() {
            let text = format!(
                "tiles of layer `{name}` cover more cells of the level than the preview computes with; it is not solid in all of them"
            );
            let Some((number, _)) = rules.level.layer(name) else { continue };
            let at = rules.level.layer_at(number).key("tile_size");
            self.note(Finding::warning("preview-limit", Location::new(rules.level_doc.clone(), at), text));
        }
    }

    /// Report waypoint layers with too many pairs of nodes to link them all.
    pub(super) fn report_shortened_links(&mut self) {
        let rules = self.rules.clone();
        for (i, layer) in rules.level.all_layers().into_iter().enumerate() {
            let Some(reach) = layer.waypoints().and_then(nav::shortened_reach) else { continue };
            let left_out = if reach < 1.0 {
                "many of them are in the same place".to_owned()
            } else {
                format!("automatic links longer than {reach:.0} px are left out; give it a shorter `max_length`")
            };
            let text = format!(
                "waypoint layer `{}` has too many pairs of nodes to link them all in the preview; {left_out}",
                layer.name
            );
            let at = rules.level.layer_at(i);
            self.note(Finding::warning("preview-limit", Location::new(rules.level_doc.clone(), at), text));
        }
    }
}

/// A vector as a value.
pub(super) fn vec_value(v: Vec2) -> Value {
    Value::vec2(v.x.into(), v.y.into())
}

fn exceeds(what: &str, value: &Value, used: &Value, unit: Option<&str>) -> String {
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    let what = if what.contains('.') { format!("`{what}`") } else { what.to_owned() };
    format!("{what} is {value}{unit}, which exceeds the preview's limit; limited to {used}{unit}")
}
