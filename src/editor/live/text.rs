//! Live changes in words.

use super::LiveKind;
use crate::model::{
    DocPath, Name, OpKind, Seg, Value, capitalized, counted,
    reflect::{MapView, RecordView, Reflect, View, record_in, unshared},
    shortened,
};

/// What a placed entity is called in the description of documents.
pub(super) const PLACED: &str = "placed entity";

/// The longest text of a value, in characters.
const MAX_TEXT: usize = 32;

/// A step on the way to a place, and what is there: `layer`, `placed entity`, if it is a thing with a name.
pub(super) struct Step {
    pub(super) seg: Seg,
    pub(super) noun: Option<&'static str>,
    /// Its definition, of a placed entity.
    pub(super) def: Option<Name>,
}

/// Something has another value: `goblin g1 moved 60, 100 → 80, 100`, `Goblin Walker.speed 60 → 90`.
pub(super) fn changed(doc: &DocPath, trail: &[Step], before: &dyn Reflect, after: &dyn Reflect) -> String {
    let (thing, noun, inside) = split(doc, trail);
    let values = short(before).zip(short(after)).filter(|(before, after)| before != after);
    let values = values.map(|(before, after)| format!(" {before} → {after}")).unwrap_or_default();
    match (noun, inside.as_str()) {
        (Some(PLACED | "waypoint"), "at") => format!("{thing} moved{values}"),
        (Some(PLACED), "rotation") => format!("{thing} turned{values}°"),
        (_, "") => format!("{thing} changed{values}"),
        (_, inside) if values.is_empty() => format!("{thing}: {inside} changed"),
        (_, inside) => format!("{thing}: {inside}{values}"),
    }
}

/// Something is new or gone.
pub(super) fn lone(doc: &DocPath, trail: &[Step], kind: LiveKind, value: &dyn Reflect) -> String {
    let (thing, noun, inside) = split(doc, trail);
    let is_new = kind == LiveKind::Added;
    if let (Some(PLACED), "") = (noun, inside.as_str()) {
        return format!("{thing} {}", if is_new { "placed" } else { "deleted" });
    }
    if let Some((field, value)) = override_field(trail, value) {
        return match value {
            Some(value) if is_new => format!("{thing}: {field} set to {value}"),
            _ if is_new => format!("{thing}: {field} set"),
            _ => format!("{thing}: {field} no longer set"),
        };
    }
    let verb = if is_new { "added" } else { "removed" };
    match (inside.as_str(), short(value)) {
        ("", _) => format!("{thing} {verb}"),
        (inside, Some(value)) if is_new => format!("{thing}: {inside} {value} added"),
        (inside, _) => format!("{thing}: {inside} {verb}"),
    }
}

/// The names from the innermost thing with a name to the place.
fn inside(trail: &[Step]) -> Vec<&str> {
    let at = trail.iter().rposition(|step| step.noun.is_some()).map_or(0, |at| at + 1);
    trail[at..].iter().map(key).collect()
}

/// The fields of a component that an entity sets, where the place is a component.
pub(super) fn component_fields<'v>(trail: &[Step], value: &'v dyn Reflect) -> Option<&'v dyn MapView> {
    match (inside(trail).as_slice(), unshared(value).view()) {
        ([set, _], View::Map(fields)) if *set == OpKind::Set.key() => Some(fields),
        _ => None,
    }
}

/// A field that an entity sets, with its value in few words, where the place is a field or a component with one.
fn override_field(trail: &[Step], value: &dyn Reflect) -> Option<(String, Option<String>)> {
    match inside(trail).as_slice() {
        [set, component] if *set == OpKind::Set.key() => {
            let (key, value) = component_fields(trail, value)?.at(0)?;
            Some((dotted(component, &[&key.name()]), short(value)))
        }
        [set, component, field] if *set == OpKind::Set.key() => Some((dotted(component, &[field]), short(value))),
        _ => None,
    }
}

/// An element of a list is new, gone or another.
pub(super) fn element(doc: &DocPath, trail: &[Step], kind: LiveKind, (name, value): (&str, &dyn Reflect)) -> String {
    let record = record_in(value);
    let noun = record.map_or("entry", |record| record.record().noun());
    // A link broken by hand is an entry of its own in the file.
    let is_break = record.is_some_and(is_broken_link);
    let verb = match kind {
        LiveKind::Added if is_break => "broken",
        LiveKind::Removed if is_break => "no longer broken",
        LiveKind::Added => "added",
        LiveKind::Removed => "removed",
        LiveKind::Changed | LiveKind::Order => "changed",
    };
    format!("{} {name} {verb} in {}", capitalized(noun), lowered(&split(doc, trail).0))
}

fn is_broken_link(record: &dyn RecordView) -> bool {
    let by = record.record().fields.iter().position(|field| field.key == "by").and_then(|at| record.get(at));
    record.record().noun() == "link" && by.is_some_and(|by| matches!(by.view(), View::Word("Broken")))
}

/// So many cells of a layer were painted or erased.
pub(super) fn painted(doc: &DocPath, trail: &[Step], n: usize) -> String {
    format!("{}: {} painted", split(doc, trail).0, counted(n, "cell"))
}

/// Its entries are in another order.
pub(super) fn reordered(doc: &DocPath, trail: &[Step]) -> String {
    match split(doc, trail) {
        (thing, _, inside) if inside.is_empty() => format!("{thing}: another order"),
        (thing, _, inside) => format!("{thing}: another order of {inside}"),
    }
}

/// The innermost thing with a name on the way to a place, its noun, and the names of what is inside it. A placed entity
/// is called by its definition and id.
fn split(doc: &DocPath, trail: &[Step]) -> (String, Option<&'static str>, String) {
    let at = trail.iter().rposition(|step| step.noun.is_some());
    let noun = at.and_then(|at| trail[at].noun);
    let thing = match (at, noun) {
        (Some(at), Some(PLACED)) => {
            let names = trail[at].def.as_deref().into_iter().chain([key(&trail[at])]);
            names.collect::<Vec<_>>().join(" ")
        }
        (Some(at), Some(noun)) => format!("{} {}", capitalized(noun), key(&trail[at])),
        _ => doc.to_string(),
    };
    let rest = &trail[at.map_or(0, |at| at + 1)..];
    let names: Vec<&str> = rest.iter().map(key).collect();
    let inside = match names.as_slice() {
        // What is declared is usually set.
        [set, component, field @ ..] if *set == OpKind::Set.key() => dotted(component, field),
        [op, component, field @ ..] if OpKind::VALUED.iter().any(|it| it.key() == *op) => {
            format!("{op} {}", dotted(component, field))
        }
        names => names.join(" ").replace('_', " "),
    };
    (thing, noun, inside)
}

fn dotted(component: &str, field: &[&str]) -> String {
    [component].into_iter().chain(field.iter().copied()).collect::<Vec<_>>().join(".")
}

fn key(step: &Step) -> &str {
    if let Seg::Key(key) = &step.seg { key } else { "" }
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// A value in few words, where that can be.
fn short(value: &dyn Reflect) -> Option<String> {
    let text = match unshared(value).view() {
        View::Bool(value) => value.to_string(),
        View::Int(value) => value.to_string(),
        View::Float(value) => number(value),
        View::Text("") | View::Option(None) => "none".to_owned(),
        View::Text(text) => text.to_owned(),
        View::Word(word) => word.to_owned(),
        View::Pair([a, b]) => format!("{}, {}", short(a)?, short(b)?),
        View::Option(Some(value)) => short(value)?,
        View::Value(Value::Float(value)) => number(*value),
        View::Value(value) => value.to_string(),
        _ => return None,
    };
    Some(shortened(&text, MAX_TEXT))
}

/// A number as people would write it.
fn number(x: f64) -> String {
    ((x * 100.0).round() / 100.0 + 0.0).to_string()
}
