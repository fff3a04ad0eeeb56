//! The component `Tracks`, read into the tracks of `sim::tracks`.
//!
//! Invariant: unusable data is left out: keys whose value is of another kind, one of two keys at the same time. A track
//! that drives nothing still passes time and sends its messages.

use std::sync::Arc;

use super::Reader;
use crate::{
    defs::{Resolution, Resolved, ResolvedField},
    model::{Name, Value},
    sim::{
        limits,
        tracks::{Driven, Ease, Key, Kind, Track, place},
    },
};

/// The shortest duration of a track, in seconds.
const MIN_SECS: f64 = 1e-3;

/// The tracks of an entity, in their order; empty if it has no `Tracks`.
#[must_use]
pub fn tracks_of(resolution: &Resolution, resolved: &Resolved) -> Arc<[Track]> {
    if !resolved.has("Tracks") {
        return Arc::default();
    }
    read(&Reader::new(resolution, Some(resolved), "Tracks"))
}

/// An entity as its tracks set it.
#[derive(Clone, Debug)]
pub struct Posed {
    /// Its components.
    pub resolved: Resolved,
    /// Position, in pixels.
    pub pos: [f64; 2],
    /// Clockwise angle, in degrees.
    pub rotation: f64,
}

/// An entity at a place, turned by an angle in degrees, after all its tracks have played for a time in seconds. Fields
/// with added values start from their definitions, as in the preview.
#[must_use]
pub fn posed_by_tracks(
    resolution: &Resolution,
    resolved: &Resolved,
    (pos, rotation): ([f64; 2], f64),
    secs: f64,
) -> Posed {
    let mut posed = Posed { resolved: resolved.clone(), pos, rotation };
    for track in &*tracks_of(resolution, resolved) {
        let at = place(track.mode, track.secs, secs);
        match (&track.drives, track.lanes_at(at)) {
            (Driven::Position, Some([x, y, ..])) if track.added => posed.pos = [pos[0] + x, pos[1] + y],
            (Driven::Position, Some([x, y, ..])) => posed.pos = [x, y],
            (Driven::Rotation, Some([degrees, ..])) if track.added => posed.rotation = rotation + degrees,
            (Driven::Rotation, Some([degrees, ..])) => posed.rotation = degrees,
            (Driven::Field(path), _) => {
                let Some((component, field)) = path.split_once('.') else { continue };
                let defined = resolved.get(component, field);
                let Some(value) = track.value_on(defined, at) else { continue };
                let Some(component) = posed.resolved.components.get_mut(component) else { continue };
                let fields = &mut Arc::make_mut(component).fields;
                let provenance = fields.get(field).map(|field| field.provenance.clone()).unwrap_or_default();
                fields.insert(field.into(), Arc::new(ResolvedField { value, provenance }));
            }
            (Driven::Position | Driven::Rotation, None) => {}
        }
    }
    posed
}

pub(super) fn read(it: &Reader<'_>) -> Arc<[Track]> {
    it.entries("tracks").map(|(name, it)| track(name, &it)).collect()
}

fn track(name: &str, it: &Reader<'_>) -> Track {
    let drives = match &*it.get::<Name>("drives") {
        "Position" => Driven::Position,
        "Rotation" => Driven::Rotation,
        _ => Driven::Field(it.get("field")),
    };
    let kind = drives.kind(it.schema);
    let time = |secs: f64| secs.clamp(0.0, limits::MAX_DELAY_SECS);
    let mut keys: Vec<Key> = match kind {
        Some(kind) => it.items("keys").filter_map(|it| key(kind, &it)).collect(),
        None => Vec::new(),
    };
    keys.sort_by(|a, b| a.at.total_cmp(&b.at));
    keys.dedup_by(|later, earlier| {
        let is_same = later.at == earlier.at;
        if is_same {
            earlier.clone_from(later);
        }
        is_same
    });
    let secs = time(it.get("secs"));
    let last = keys.last().map_or(0.0, |key| key.at);
    Track {
        name: name.into(),
        drives,
        kind: kind.unwrap_or(Kind::Other),
        secs: if secs > 0.0 { secs } else { last }.max(MIN_SECS),
        keys,
        mode: it.get("mode"),
        added: it.get("added"),
        autostart: it.get("autostart"),
        start_on: it.get("start_on"),
        reverse_on: it.get("reverse_on"),
        stop_on: it.get("stop_on"),
        send_at_end: it.get("send_at_end"),
        marks: it.items("marks").map(|it| (time(it.get("at")), it.get("send"))).collect(),
    }
}

fn key(kind: Kind, it: &Reader<'_>) -> Option<Key> {
    let value = it.value("value")?;
    let is_right = kind == Kind::Other || kind.lanes(value).is_some();
    let slope = it.value("slope").and_then(Value::as_option).and_then(|slope| kind.slope(slope));
    is_right.then(|| Key {
        at: it.get::<f64>("at").clamp(0.0, limits::MAX_DELAY_SECS),
        value: value.clone(),
        ease: Ease::parse(&it.get::<Name>("ease")).unwrap_or_default(),
        slope,
    })
}
