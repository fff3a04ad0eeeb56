//! About how much memory keeping two versions of a document costs, so that history can be bounded by it.
//!
//! Invariant: what the versions share counts nothing. It is an estimate: exact sizes of allocations are not worth
//! asking for.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{
    Document, FieldsOf, LayerContent, Level, Name, OpKind, Ops, State, Tiles, TuningOverlay, TuningSide, Value,
};

/// What an entry of a map costs beside its value: key, hash, index.
const ENTRY: usize = 64;

/// What one of two versions has that the other has not, in bytes, both ways together.
pub(super) fn between(before: Option<&Document>, after: Option<&Document>) -> usize {
    match (before, after) {
        (Some(before), Some(after)) => only(before, Some(after)) + only(after, Some(before)),
        (Some(one), None) | (None, Some(one)) => only(one, None),
        (None, None) => 0,
    }
}

/// The values that a tuning overlay holds, in bytes.
pub(super) fn of_overlay(overlay: &TuningOverlay) -> usize {
    let sets = TuningSide::ALL.into_iter().map(|side| overlay.values(side));
    sets.flatten().map(|(name, it)| ENTRY + name.len() + value(it)).sum()
}

/// What `doc` has that `other` does not share.
fn only(doc: &Document, other: Option<&Document>) -> usize {
    size_of::<Document>()
        + match (doc, other) {
            (Document::Level(level), Some(Document::Level(other))) => levels(level, Some(other)),
            (Document::Level(level), _) => levels(level, None),
            (Document::Entities(file), other) => {
                let others = if let Some(Document::Entities(other)) = other { Some(&other.defs) } else { None };
                unshared(&file.defs, others, |def| 96 + ops(&def.ops))
            }
            (Document::Machines(file), other) => {
                let others = if let Some(Document::Machines(other)) = other { Some(&other.machines) } else { None };
                unshared(&file.machines, others, |it| state(&it.root) + it.layout.len() * ENTRY)
            }
            (Document::Tileset(set), _) => {
                let terrains = set.terrains.iter().map(|terrain| terrain.tiles.len() * (ENTRY + 32));
                set.tiles.len() * (ENTRY + 192) + terrains.sum::<usize>()
            }
            (Document::Tuning(page), _) => page.values.len() * (ENTRY + 160),
            (Document::Scenario(it), _) => (it.script.len() + it.expect.len()) * 160,
            (Document::Stamp(it), _) => it.layers.iter().map(|layer| 160 + chunks(&layer.tiles, None)).sum(),
            (Document::Schema(it), _) => {
                let fields = it.components.values().map(|spec| spec.fields.len());
                let args = it.actions.values().chain(it.conditions.values()).map(|spec| spec.args.len());
                let payloads = it.messages.values().map(|spec| spec.payload.len());
                let custom = FieldsOf::ALL.into_iter().map(|of| of.specs(it).len());
                fields.chain(args).chain(payloads).chain(custom).map(|n| (n + 1) * 320).sum()
            }
            (Document::Region(region), _) => region.layers.values().map(|tiles| ENTRY + chunks(tiles, None)).sum(),
            (Document::Project(_), _) => 128,
        }
}

fn unshared<T>(
    all: &IndexMap<Name, Arc<T>>,
    others: Option<&IndexMap<Name, Arc<T>>>,
    weigh: impl Fn(&T) -> usize,
) -> usize {
    // Most edits leave the order, so the counterpart is usually at the same place.
    let is_shared = |at: usize, name: &Name, it: &Arc<T>| {
        let Some(others) = others else { return false };
        others.get_index(at).is_some_and(|(_, other)| Arc::ptr_eq(it, other))
            || others.get(name).is_some_and(|other| Arc::ptr_eq(it, other))
    };
    let own = all.iter().enumerate().filter(|(at, (name, it))| !is_shared(*at, name, it));
    own.map(|(_, (_, it))| weigh(it)).sum::<usize>() + all.len() * ENTRY
}

fn levels(level: &Level, other: Option<&Level>) -> usize {
    let others = other.map(Level::all_layers).unwrap_or_default();
    let all = level.all_layers();
    let n_layers = all.len();
    let own = all.into_iter().filter(|layer| !others.iter().any(|it| Arc::ptr_eq(it, layer)));
    let weighed = own.map(|layer| {
        let counterpart = other.and_then(|other| other.layer(&layer.name)).map(|(_, counterpart)| &counterpart.content);
        192 + match (&layer.content, counterpart) {
            (LayerContent::Tiles(it), Some(LayerContent::Tiles(counterpart))) => {
                chunks(&it.tiles, Some(&counterpart.tiles))
            }
            (LayerContent::Tiles(it), _) => chunks(&it.tiles, None),
            (LayerContent::Entities(it), counterpart) => {
                let others =
                    if let Some(LayerContent::Entities(counterpart)) = counterpart { Some(counterpart) } else { None };
                unshared(it, others, |it| 128 + ops(&it.ops))
            }
            (LayerContent::Image(_), _) => 0,
            (LayerContent::Group(it), _) => it.layers.len() * 8,
            (LayerContent::Values(it), counterpart) => {
                let others = if let Some(LayerContent::Values(it)) = counterpart { Some(&it.values) } else { None };
                it.names.len() * (ENTRY + 64) + chunks(&it.values, others)
            }
            (LayerContent::Waypoints(it), _) => it.nodes.len() * (ENTRY + 64) + it.links.len() * 72,
        }
    });
    weighed.sum::<usize>() + n_layers * 8
}

fn chunks(tiles: &Tiles, other: Option<&Tiles>) -> usize {
    let none = Tiles::default();
    let own = tiles.unshared(other.unwrap_or(&none)).filter_map(|(_, chunk, _)| chunk);
    tiles.regions().count() * 32 + own.map(|chunk| 24 + chunk.n_bytes()).sum::<usize>()
}

fn ops(it: &Ops) -> usize {
    let valued = OpKind::VALUED.iter().filter_map(|op| it.values(*op)).flatten();
    valued.map(|(_, fields)| ENTRY + fields.values().map(|it| ENTRY + value(it)).sum::<usize>()).sum::<usize>()
        + it.remove.len() * 40
}

fn value(it: &Value) -> usize {
    size_of::<Value>()
        + match it {
            Value::Str(text) => text.len(),
            Value::List(items) | Value::Tuple(items) => items.iter().map(value).sum(),
            Value::Struct(fields) => fields.values().map(|it| ENTRY + value(it)).sum(),
            Value::Map(entries) => entries.iter().map(|(key, it)| value(key) + value(it)).sum(),
            Value::Tagged(_, content) => value(content),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Symbol(_) => 0,
        }
}

fn state(it: &State) -> usize {
    let calls = it.enter.len() + it.exit.len() + it.update.len() + it.on.values().map(Vec::len).sum::<usize>();
    size_of::<State>()
        + calls * 160
        + it.transitions.len() * 320
        + it.states.values().map(|child| ENTRY + state(child)).sum::<usize>()
}
