//! Tracks on a time line: what moving, inserting, copying and easing keys makes of the field `Tracks.tracks`.
//!
//! Invariant: functions of the field's value as it stands; the keys of a track that was changed are in the order of
//! their times, each at a time of its own. Which of the definitions declares the change is for [`timeline_edits`].

use std::collections::BTreeSet;

use crate::{
    defs::{Resolution, Resolved},
    edit::{Edit, Owner, set_to},
    model::{FieldPath, FieldType, Fields, Name, Project, Value},
    refactor::{FieldOf, edits_for_value},
    sim::tracks::{Driven, Ease, Kind, Track},
};

/// A key, by the name of its track and its place in the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyAt {
    /// The track.
    pub track: Name,
    /// In the list of its keys as it is written.
    pub key: usize,
}

/// The longest a track may be, in seconds: as its schema has it.
const MOST_SECS: f64 = 3600.0;

/// Which of the keys that a track is played by is meant: those are in the order of their times, and wrong ones are not
/// among them.
#[must_use]
pub fn played_key(track: &Track, tracks: &Value, at: &KeyAt) -> Option<usize> {
    let (secs, _) = keys_of(tracks, &at.track).nth(at.key)?;
    track.keys.iter().position(|key| key.at == secs)
}

/// The keys of a track as they are written, each with its time in seconds.
pub fn keys_of<'a>(tracks: &'a Value, track: &str) -> impl Iterator<Item = (f64, &'a Value)> {
    let keys = tracks.field(track).and_then(|track| track.field("keys")).and_then(Value::as_list).unwrap_or_default();
    keys.iter().map(|key| (time_of(key), key))
}

fn time_of(key: &Value) -> f64 {
    key.field("at").and_then(Value::as_f64).unwrap_or_default()
}

/// The field of a key, as it is written.
#[must_use]
pub fn key_field<'a>(tracks: &'a Value, at: &KeyAt, field: &str) -> Option<&'a Value> {
    keys_of(tracks, &at.track).nth(at.key)?.1.field(field)
}

/// The time nearest to one that is a whole number of steps; the time itself, rounded to what is worth writing, without
/// a step.
#[must_use]
pub fn snapped(secs: f64, step: Option<f64>) -> f64 {
    let secs = secs.clamp(0.0, MOST_SECS);
    let to = step.filter(|step| *step > 0.0).map_or(secs, |step| (secs / step).round() * step);
    tidy(to.min(MOST_SECS))
}

/// The distance of lines of a ruler, in seconds: of those with a number and of those between. `px_per_sec` is the zoom.
#[must_use]
pub fn ruler_steps(px_per_sec: f64) -> (f64, f64) {
    const LEAST_PX: f64 = 64.0;
    let steps =
        [(0.01, 0.001), (0.02, 0.005), (0.05, 0.01), (0.1, 0.02), (0.2, 0.05), (0.5, 0.1), (1.0, 0.2), (2.0, 0.5)];
    let larger = [(5.0, 1.0), (10.0, 2.0), (30.0, 5.0), (60.0, 10.0), (300.0, 60.0), (600.0, 60.0)];
    let fits = |(major, _): &(f64, f64)| major * px_per_sec >= LEAST_PX;
    steps.into_iter().chain(larger).find(fits).unwrap_or((3600.0, 600.0))
}

/// Give a track other keys; those that were picked are found again.
fn with_keys(tracks: &Value, track: &Name, keys: Vec<(Value, bool)>, picked: &mut BTreeSet<KeyAt>) -> Value {
    let mut keys = keys;
    keys.sort_by(|(a, _), (b, _)| time_of(a).total_cmp(&time_of(b)));
    picked.retain(|at| at.track != *track);
    picked.extend(
        keys.iter()
            .enumerate()
            .filter(|(_, (_, is_picked))| *is_picked)
            .map(|(key, _)| KeyAt { track: track.clone(), key }),
    );
    let list = Value::List(keys.into_iter().map(|(key, _)| without_defaults(key)).collect());
    crate::edit::with_part(tracks, &FieldPath::keys([&**track, "keys"]), list)
}

/// A resolved key has all its fields; those that say no more than the schema are not written.
fn without_defaults(mut key: Value) -> Value {
    if let Value::Struct(fields) = &mut key {
        fields.retain(|name, value| match &**name {
            "ease" => value.as_str() != Some(Ease::Linear.word()),
            "slope" => !value.is_none(),
            _ => true,
        });
    }
    key
}

fn tracks_among(picked: &BTreeSet<KeyAt>) -> BTreeSet<Name> {
    picked.iter().map(|at| at.track.clone()).collect()
}

fn marked(tracks: &Value, track: &Name, picked: &BTreeSet<KeyAt>) -> Vec<(Value, bool)> {
    let is_picked = |key| picked.contains(&KeyAt { track: track.clone(), key });
    keys_of(tracks, track).enumerate().map(|(i, (_, key))| (key.clone(), is_picked(i))).collect()
}

fn put(key: &Value, field: &str, value: Value) -> Value {
    crate::edit::with_part(key, &FieldPath::keys([field]), value)
}

/// Move keys by so many seconds, none before the start. What comes to lie on a key that stays replaces it. Returns the
/// tracks, and the keys that were moved where they are then.
#[must_use]
pub fn moved_keys(tracks: &Value, picked: &BTreeSet<KeyAt>, by: f64) -> (Value, BTreeSet<KeyAt>) {
    let times = picked.iter().filter_map(|at| Some(keys_of(tracks, &at.track).nth(at.key)?.0));
    let by = by.max(-times.fold(f64::INFINITY, f64::min));
    let (mut out, mut now) = (tracks.clone(), picked.clone());
    for track in tracks_among(picked) {
        let mut keys = marked(tracks, &track, picked);
        for (key, _) in keys.iter_mut().filter(|(_, is_picked)| *is_picked) {
            *key = put(key, "at", Value::Float(snapped(time_of(key) + by, None)));
        }
        let taken: Vec<f64> = keys.iter().filter(|(_, is_picked)| *is_picked).map(|(key, _)| time_of(key)).collect();
        keys.retain(|(key, is_picked)| *is_picked || !taken.contains(&time_of(key)));
        out = with_keys(&out, &track, keys, &mut now);
    }
    (out, now)
}

/// A key more, with the value that its track has there. Where there is one, it is that one.
#[must_use]
pub fn with_key(tracks: &Value, track: &Track, at: f64) -> Option<(Value, KeyAt)> {
    let has = keys_of(tracks, &track.name).position(|(secs, _)| (secs - at).abs() < 1e-9);
    if let Some(key) = has {
        return Some((tracks.clone(), KeyAt { track: track.name.clone(), key }));
    }
    let ease = track.keys.iter().rev().find(|key| key.at <= at).map_or(Ease::Linear, |key| key.ease);
    let value = rounded(track.kind, track.value_at(at)?);
    let mut key: Fields = [("at".into(), Value::Float(at)), ("value".into(), value)].into();
    if ease != Ease::Linear {
        key.insert("ease".into(), Value::Symbol(ease.word().into()));
    }
    let mut keys = marked(tracks, &track.name, &BTreeSet::new());
    keys.push((Value::Struct(key), true));
    let mut picked = BTreeSet::new();
    let out = with_keys(tracks, &track.name, keys, &mut picked);
    Some((out, picked.pop_first()?))
}

/// To a thousandth: what is worth writing.
fn tidy(x: f64) -> f64 {
    (x * 1e3).round() / 1e3
}

/// A value with no more digits than are worth writing.
fn rounded(kind: Kind, value: Value) -> Value {
    let Some(lanes) = kind.lanes(&value).filter(|_| matches!(kind, Kind::Number | Kind::Pair)) else { return value };
    kind.value(lanes.map(tidy)).unwrap_or(value)
}

/// The tracks without some keys.
#[must_use]
pub fn without_keys(tracks: &Value, picked: &BTreeSet<KeyAt>) -> Value {
    tracks_among(picked).iter().fold(tracks.clone(), |out, track| {
        let keys = marked(tracks, track, picked).into_iter().filter(|(_, is_picked)| !is_picked).collect();
        with_keys(&out, track, keys, &mut BTreeSet::new())
    })
}

/// Give a field of some keys a value, or none of its own.
#[must_use]
pub fn with_key_field(tracks: &Value, picked: &BTreeSet<KeyAt>, field: &str, value: Option<&Value>) -> Value {
    tracks_among(picked).iter().fold(tracks.clone(), |out, track| {
        let change = |(key, is_picked): (Value, bool)| match value {
            _ if !is_picked => (key, false),
            Some(value) => (put(&key, field, value.clone()), true),
            None => (crate::edit::without_part(&key, &FieldPath::keys([field])), true),
        };
        let keys = marked(tracks, track, picked).into_iter().map(change).collect();
        with_keys(&out, track, keys, &mut BTreeSet::new())
    })
}

/// Keys as text for the clipboard: those of each track, at times from the first of all.
#[must_use]
pub fn copied_keys(tracks: &Value, picked: &BTreeSet<KeyAt>) -> String {
    let keys = |track: &Name| {
        marked(tracks, track, picked).into_iter().filter(|(_, is_picked)| *is_picked).map(|(key, _)| key)
    };
    let all = tracks_among(picked);
    let first = all.iter().flat_map(keys).map(|key| time_of(&key)).fold(f64::INFINITY, f64::min);
    let moved = |key: Value| put(&key, "at", Value::Float(snapped(time_of(&key) - first, None)));
    let entry = |track: &Name| (Value::str(&**track), Value::List(keys(track).map(moved).collect()));
    Value::Map(all.iter().map(entry).collect()).to_string()
}

/// Paste keys that were copied, the first at a time: on the tracks of their names, or those of a single one on the
/// track `onto`. What they come to lie on is replaced.
///
/// # Errors
/// The text holds no keys, or no track fits them.
pub fn pasted_keys(
    tracks: &Value,
    text: &str,
    at: f64,
    onto: Option<&Name>,
) -> Result<(Value, BTreeSet<KeyAt>), String> {
    let nothing = || "The clipboard holds no keys of tracks".to_owned();
    let Ok(Value::Map(entries)) = text.parse::<Value>() else { return Err(nothing()) };
    let (mut out, mut picked) = (tracks.clone(), BTreeSet::new());
    for (name, keys) in &entries {
        let (Some(name), Value::List(keys)) = (name.as_str(), keys) else { return Err(nothing()) };
        if keys.iter().any(|key| key.field("value").is_none()) {
            return Err(nothing());
        }
        let onto = onto.filter(|_| entries.len() == 1).map_or(name, |onto| &**onto);
        if tracks.field(onto).is_none() {
            return Err(format!("There is no track `{onto}` to paste on"));
        }
        let new = keys.iter().map(|key| put(key, "at", Value::Float(snapped(at + time_of(key), None))));
        let new: Vec<Value> = new.collect();
        let stays = |key: &Value| new.iter().all(|new| time_of(new) != time_of(key));
        let kept = marked(&out, &onto.into(), &BTreeSet::new()).into_iter().filter(|(key, _)| stays(key));
        let all = kept.chain(new.iter().map(|key| (key.clone(), true))).collect();
        out = with_keys(&out, &onto.into(), all, &mut picked);
    }
    if picked.is_empty() { Err(nothing()) } else { Ok((out, picked)) }
}

/// A track more for something to drive, with a first key of the value that it has; a position is added to where the
/// entity is. Returns its name, too.
#[must_use]
pub fn with_track(tracks: &Value, resolution: &Resolution, resolved: &Resolved, driven: &Driven) -> (Value, Name) {
    let (drives, field, value) = match driven {
        Driven::Position => (Some("Position"), None, Value::vec2(0.0, 0.0)),
        Driven::Rotation => (Some("Rotation"), None, Value::Float(0.0)),
        Driven::Field(path) => {
            let (component, name) = path.split_once('.').unwrap_or((path, ""));
            let own = resolved.get(component, name).cloned();
            let value = own.or_else(|| Some(resolution.schema.field(component, name)?.default_value()));
            (None, Some(path.to_string()), value.unwrap_or(Value::Float(0.0)))
        }
    };
    let key = |at: f64| Value::Struct([("at".into(), Value::Float(at)), ("value".into(), value.clone())].into());
    let mut track = Fields::new();
    track.extend(drives.map(|word| ("drives".into(), Value::Symbol(word.into()))));
    track.extend(field.map(|field| ("field".into(), Value::Str(field))));
    track.insert("keys".into(), Value::List(vec![key(0.0), key(1.0)]));
    if drives.is_some() {
        track.insert("added".into(), Value::Bool(true));
    }
    let word = match driven {
        Driven::Position => "position",
        Driven::Rotation => "rotation",
        Driven::Field(path) => path.rsplit(['.', ' ']).next().unwrap_or("track"),
    };
    let names = std::iter::once(word.to_owned()).chain((2..).map(|n| format!("{word}_{n}")));
    let name: Name = names.into_iter().find(|name| tracks.field(name).is_none()).unwrap_or_default().into();
    (crate::edit::with_part(tracks, &FieldPath::keys([&*name]), Value::Struct(track)), name)
}

/// The tracks without one.
#[must_use]
pub fn without_track(tracks: &Value, track: &str) -> Value {
    crate::edit::without_part(tracks, &FieldPath::keys([track]))
}

/// What of an entity a track can drive: `Position` and `Rotation`, then its fields that a schema declares, as
/// `Component.field`.
#[must_use]
pub fn drivable(resolution: &Resolution, resolved: &Resolved) -> Vec<(Driven, String)> {
    let mut all = vec![
        (Driven::Position, "where the entity is, in px".to_owned()),
        (Driven::Rotation, "how the entity is turned, in degrees".to_owned()),
    ];
    for component in resolved.components.keys().filter(|name| ***name != *"Tracks") {
        let Some(spec) = resolution.schema.components.get(component) else { continue };
        let fields = spec
            .fields
            .iter()
            .map(|(field, spec)| (Driven::Field(format!("{component}.{field}").into()), spec.doc.clone()));
        all.extend(fields);
    }
    all
}

/// The edits that give an owner other tracks than `before`: only what differs is declared. `resolved` is the owner as
/// it was then.
#[must_use]
pub fn timeline_edits(
    project: &Project,
    resolution: &Resolution,
    (owner, resolved): (&Owner, &Resolved),
    (before, after): (&Value, &Value),
) -> Vec<Edit> {
    let (component, field): (Name, Name) = ("Tracks".into(), "tracks".into());
    let Some(ty) = resolution.schema.field(&component, &field).map(|spec| spec.ty.clone()) else { return Vec::new() };
    let known = resolved.components.get(&component).and_then(|component| component.fields.get(&field));
    let gone: Vec<&str> = names(before).filter(|name| after.field(name).is_none()).collect();
    match known {
        // A track that is gone may be an ancestor's.
        Some(known) if !gone.is_empty() => {
            let left = gone.into_iter().fold(known.value.clone(), |left, name| without_track(&left, name));
            let of = FieldOf { owner, component: &component, field: &field, ty: &ty };
            edits_for_value(project, of, known, &left)
        }
        _ => set_to(project, (owner.clone(), component, field), &ty, before, after),
    }
}

fn names(tracks: &Value) -> impl Iterator<Item = &str> {
    let entries = if let Value::Map(entries) = tracks { &entries[..] } else { &[] };
    entries.iter().filter_map(|(name, _)| name.as_str())
}

/// The tracks of an entity as a value, with keys as they are worth writing; none when it has none.
#[must_use]
pub fn tracks_value(resolved: &Resolved) -> Value {
    let Some(all) = resolved.get("Tracks", "tracks") else { return Value::Map(Vec::new()) };
    names(all).fold(all.clone(), |out, track| {
        let keys = keys_of(all, track).map(|(_, key)| without_defaults(key.clone())).collect();
        crate::edit::with_part(&out, &FieldPath::keys([track, "keys"]), Value::List(keys))
    })
}

/// The type of what a track drives; nothing for a field that no schema declares.
#[must_use]
pub fn type_driven(resolution: &Resolution, driven: &Driven) -> Option<FieldType> {
    match driven {
        Driven::Position => Some(FieldType::Vec2),
        Driven::Rotation => Some(FieldType::Angle),
        Driven::Field(path) if **path == *crate::model::LIFE => Some(FieldType::Float),
        Driven::Field(path) => {
            let (component, field) = path.split_once('.')?;
            Some(resolution.schema.field(component, field)?.ty.clone())
        }
    }
}
