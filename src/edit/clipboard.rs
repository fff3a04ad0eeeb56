//! Copy and paste: copied things go to the system's clipboard as RON text with their kind, and are read back from it.
//!
//! Invariant: pasted things get fresh ids and free names, and what pointed from one copied thing to another points from
//! copy to copy. Text from elsewhere is refused with a sentence.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    Edit, Refusal, Stamp, StampPart, free_name,
    states::{is_in, join, split},
    states::{visit_state_args, visit_targets},
};
use crate::model::{
    Call, DocPath, Fields, Instance, Layer, LayerContent, LayerLook, Level, Link, Machine, Name, Node, OpKind, Ops,
    State, Value, fresh_id,
};

/// Text larger than this is not looked at, in bytes.
const MAX_TEXT: usize = 64 << 20;

/// Something copied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fragment {
    /// Placed entities and waypoints with the links among them.
    Things {
        /// By their ids where they were copied.
        entities: Vec<(Name, Instance)>,
        /// By their ids where they were copied.
        nodes: Vec<(Name, Node)>,
        /// Among the nodes.
        links: Vec<Link>,
    },
    /// Tiles of one layer; without a tileset they are values.
    OneLayer(StampPart),
    /// Tiles of a tileset that is not known, as versions before wrote them.
    Tiles(Stamp),
    /// Tiles of several layers, all of one size.
    Layers(Vec<StampPart>),
    /// States of a machine, with all inside them. Addresses in them are whole paths.
    States(Vec<CopiedState>),
    /// Actions of a state.
    Calls(Vec<Call>),
}

/// A copied state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CopiedState {
    /// Its path where it was copied.
    pub path: Name,
    /// The state.
    pub state: State,
    /// Places of it (under `""`) and of those inside it, by path from it.
    pub layout: Vec<(Name, [f64; 2])>,
}

/// The text's outer shape, by which a paste knows its own.
#[derive(Serialize, Deserialize)]
#[serde(rename = "LevelwrightClipboard")]
struct Envelope {
    levelwright_clipboard: u32,
    content: Fragment,
}

impl Fragment {
    /// Text for the clipboard.
    ///
    /// # Errors
    /// The fragment cannot be written down, which no fragment copied here is.
    pub fn to_text(&self) -> Result<String, Refusal> {
        let envelope = Envelope { levelwright_clipboard: 1, content: self.clone() };
        ron::to_string(&envelope).map_err(|why| Refusal::new(format!("this cannot be copied: {why}")))
    }

    /// What text from the clipboard is.
    ///
    /// # Errors
    /// It is something else.
    pub fn from_text(text: &str) -> Result<Self, Refusal> {
        let not_ours = || Refusal::new("the clipboard holds nothing that was copied in Levelwright");
        if text.len() > MAX_TEXT || !text.contains("levelwright_clipboard") {
            return Err(not_ours());
        }
        let envelope: Envelope = ron::from_str(text).map_err(|_| not_ours())?;
        match envelope.levelwright_clipboard {
            1 => Ok(envelope.content),
            _ => Err(Refusal::new("this was copied in a newer Levelwright")),
        }
    }

    /// A short description: `3 entities`.
    #[must_use]
    pub fn describe(&self) -> String {
        let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        match self {
            Self::Things { entities, nodes, .. } if nodes.is_empty() => count(entities.len(), "entity", "entities"),
            Self::Things { entities, nodes, .. } if entities.is_empty() => count(nodes.len(), "waypoint", "waypoints"),
            Self::Things { entities, nodes, .. } => count(entities.len() + nodes.len(), "thing", "things"),
            Self::OneLayer(StampPart { tiles: stamp, .. }) | Self::Tiles(stamp) => {
                format!("{} × {} tiles", stamp.size()[0], stamp.size()[1])
            }
            Self::Layers(layers) => {
                let [w, h] = layers.first().map_or([0, 0], |part| part.tiles.size());
                format!("{w} × {h} tiles of {}", count(layers.len(), "layer", "layers"))
            }
            Self::States(states) => count(states.len(), "state", "states"),
            Self::Calls(calls) => count(calls.len(), "action", "actions"),
        }
    }
}

/// Copy placed entities and waypoints; `None` when none of the ids is there.
#[must_use]
pub fn copy_things(level: &Level, ids: &[Name]) -> Option<Fragment> {
    let ids: HashSet<&Name> = ids.iter().collect();
    let mut things = Things::default();
    for layer in level.all_layers() {
        let Things { entities, nodes, links } = Things::of_layer(layer, &ids);
        things.entities.extend(entities);
        things.nodes.extend(nodes);
        things.links.extend(links);
    }
    (!things.is_empty()).then(|| things.into_fragment())
}

/// What [`Fragment::Things`] has.
#[derive(Default)]
struct Things {
    entities: Vec<(Name, Instance)>,
    nodes: Vec<(Name, Node)>,
    links: Vec<Link>,
}

impl Things {
    /// Those of a layer that have one of the ids, in the layer's order. They are looked up by id: a layer may have far
    /// more of them.
    fn of_layer(layer: &Layer, ids: &HashSet<&Name>) -> Self {
        fn found<'a, T>(all: &'a IndexMap<Name, T>, ids: &HashSet<&Name>) -> impl Iterator<Item = (Name, &'a T)> {
            let mut at: Vec<usize> = ids.iter().filter_map(|id| all.get_index_of(*id)).collect();
            at.sort_unstable();
            at.into_iter().filter_map(|at| all.get_index(at)).map(|(id, it)| (id.clone(), it))
        }
        let mut out = Self::default();
        match &layer.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(all) => out.entities.extend(found(all, ids).map(|(id, it)| (id, (**it).clone()))),
            LayerContent::Waypoints(graph) => {
                out.nodes.extend(found(&graph.nodes, ids).map(|(id, it)| (id, it.clone())));
                // A link among them has two of them.
                if out.nodes.len() > 1 {
                    let among = graph.links.iter().filter(|link| ids.contains(&link.from) && ids.contains(&link.to));
                    out.links.extend(among.cloned());
                }
            }
        }
        out
    }

    fn is_empty(&self) -> bool {
        self.entities.is_empty() && self.nodes.is_empty()
    }

    fn into_fragment(self) -> Fragment {
        Fragment::Things { entities: self.entities, nodes: self.nodes, links: self.links }
    }
}

/// The middle of copied things, in pixels; `None` for other fragments.
#[must_use]
pub fn middle_of(fragment: &Fragment) -> Option<[f64; 2]> {
    let Fragment::Things { entities, nodes, .. } = fragment else { return None };
    let mut places = entities.iter().map(|(_, it)| it.at).chain(nodes.iter().map(|(_, it)| it.at));
    let first = places.next()?;
    let (lo, hi) = places.fold((first, first), |(lo, hi), at| {
        ([lo[0].min(at[0]), lo[1].min(at[1])], [hi[0].max(at[0]), hi[1].max(at[1])])
    });
    Some([f64::midpoint(lo[0], hi[0]), f64::midpoint(lo[1], hi[1])])
}

type IsKind = fn(&LayerContent) -> bool;
const HOLDS_ENTITIES: IsKind = |content| matches!(content, LayerContent::Entities(_));
const HOLDS_WAYPOINTS: IsKind = |content| matches!(content, LayerContent::Waypoints(_));

/// A layer where it is unlocked and of a kind, else the first that is.
fn layer_of_kind(level: &Level, layer: Option<&str>, is_kind: IsKind) -> Option<Name> {
    let is_open = |(layer, look): &(&Arc<Layer>, LayerLook)| !look.locked && is_kind(&layer.content);
    let open: Vec<&Name> = level.looks().into_iter().filter(is_open).map(|(layer, _)| &layer.name).collect();
    let wanted = open.iter().find(|name| layer == Some(&***name));
    wanted.or(open.first()).map(|name| Name::clone(name))
}

/// The layer that [`paste_things`] puts copied entities on, or waypoints where there are no entities.
#[must_use]
pub fn layer_for_things(level: &Level, layer: Option<&str>, fragment: &Fragment) -> Option<Name> {
    let Fragment::Things { entities, .. } = fragment else { return None };
    layer_of_kind(level, layer, if entities.is_empty() { HOLDS_WAYPOINTS } else { HOLDS_ENTITIES })
}

/// The edits that paste things into a level, moved by `by` pixels, and the ids they get. They go to `layer` where it is
/// unlocked and of their kind, else to the first layer that is. `seed` makes the ids: a different number each time.
///
/// # Errors
/// There is no layer for them, or the fragment is something else.
pub fn paste_things(
    (doc, level): (&DocPath, &Level),
    layer: Option<&str>,
    fragment: &Fragment,
    by: [f64; 2],
    seed: u64,
) -> Result<(Vec<Edit>, Vec<Name>), Refusal> {
    let Fragment::Things { entities, nodes, .. } = fragment else {
        return Err(Refusal::new(format!("{} cannot be placed in a level", fragment.describe())));
    };
    let ids_there = entities.iter().map(|(id, _)| id).chain(nodes.iter().map(|(id, _)| id));
    let (fresh, ids) = FreshIds::new(level).make(ids_there, seed);
    let edits = pasted((doc, level), layer, fragment, &[Copies { by, fresh }])?;
    Ok((edits, ids))
}

/// The edits that copy things within a level, once for each of `moves`, moved by so many pixels, and the ids of the
/// copies. Each goes to the layer of what it was copied from, or, where that is locked, to the first unlocked one of
/// its kind. `seed` makes the ids: a different number each time.
///
/// # Errors
/// None of the ids is there, or there is no layer for the copies.
pub fn duplicate_things(
    (doc, level): (&DocPath, &Level),
    ids: &[Name],
    moves: &[[f64; 2]],
    seed: u64,
) -> Result<(Vec<Edit>, Vec<Name>), Refusal> {
    let ids: HashSet<&Name> = ids.iter().collect();
    let looks = level.looks().into_iter();
    let of_layers = looks.map(|(layer, look)| {
        let target = (!look.locked).then_some(&*layer.name);
        (target, Things::of_layer(layer, &ids))
    });
    let of_layers: Vec<(Option<&str>, Things)> = of_layers.filter(|(_, things)| !things.is_empty()).collect();
    if of_layers.is_empty() {
        return Err(Refusal::new("there is nothing to duplicate".to_owned()));
    }
    let entities = of_layers.iter().flat_map(|(_, things)| &things.entities).map(|(id, _)| id);
    let nodes = of_layers.iter().flat_map(|(_, things)| &things.nodes).map(|(id, _)| id);
    let copied: Vec<&Name> = entities.chain(nodes).collect();
    let (mut fresh_ids, mut made) = (FreshIds::new(level), Vec::new());
    // Far from each other, or the ids of one copy would be tried for the next.
    let seeds = (0_u64..).map(|i| seed.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let copies = moves.iter().zip(seeds).map(|(by, seed)| {
        let (fresh, ids) = fresh_ids.make(copied.iter().copied(), seed);
        made.extend(ids);
        Copies { by: *by, fresh }
    });
    let copies: Vec<Copies> = copies.collect();
    drop(copied);
    let mut edits = Vec::new();
    for (target, things) in of_layers {
        edits.extend(pasted((doc, level), target, &things.into_fragment(), &copies)?);
    }
    Ok((edits, made))
}

/// One copy of each of some things.
pub(super) struct Copies {
    /// How far they are from what they are copied from, in pixels.
    pub(super) by: [f64; 2],
    /// Their ids, by those of what they are copied from.
    pub(super) fresh: BTreeMap<Name, Name>,
}

/// Ids that are free in a level, each given once.
pub(super) struct FreshIds<'a> {
    layers: Vec<&'a Arc<Layer>>,
    given: HashSet<Name>,
}

impl<'a> FreshIds<'a> {
    pub(super) fn new(level: &'a Level) -> Self {
        Self { layers: level.all_layers(), given: HashSet::new() }
    }

    /// Ids for copies: by what they are copied from, and in order.
    pub(super) fn make<'i>(
        &mut self,
        copied: impl Iterator<Item = &'i Name>,
        seed: u64,
    ) -> (BTreeMap<Name, Name>, Vec<Name>) {
        let mut fresh = BTreeMap::new();
        let mut ids = Vec::new();
        for (i, old) in copied.enumerate() {
            let is_taken = |id: &str| self.given.contains(id) || self.layers.iter().any(|layer| layer.has_id(id));
            let id = fresh_id(seed.wrapping_add(i as u64), is_taken);
            self.given.insert(id.clone());
            fresh.insert(old.clone(), id.clone());
            ids.push(id);
        }
        (fresh, ids)
    }
}

/// The edits that put copies of things on `layer` where it is of their kind, else on the first unlocked layer that is:
/// one for each kind, however many copies there are.
pub(super) fn pasted(
    (doc, level): (&DocPath, &Level),
    layer: Option<&str>,
    fragment: &Fragment,
    copies: &[Copies],
) -> Result<Vec<Edit>, Refusal> {
    let Fragment::Things { entities, nodes, links } = fragment else { return Ok(Vec::new()) };
    let target = |what: &str, is_kind: IsKind| {
        layer_of_kind(level, layer, is_kind)
            .ok_or_else(|| Refusal::new(format!("there is no unlocked layer for {what} in this level; add one")))
    };
    let mut edits = Vec::new();
    if !entities.is_empty() {
        let layer = target("entities", HOLDS_ENTITIES)?;
        let pasted = copies.iter().flat_map(|copy| {
            entities.iter().map(|(id, it)| {
                let mut it = Instance { at: copy.moved(it.at), ..it.clone() };
                point_to_copies(&mut it.ops, &copy.fresh);
                (copy.new_id(id), it)
            })
        });
        let entities = pasted.collect();
        edits.push(Edit::PasteThings { doc: doc.clone(), layer, entities, nodes: Vec::new(), links: Vec::new() });
    }
    if !nodes.is_empty() {
        let layer = target("waypoints", HOLDS_WAYPOINTS)?;
        let pasted = copies.iter().flat_map(|copy| {
            nodes.iter().map(|(id, it)| (copy.new_id(id), Node { at: copy.moved(it.at), ..it.clone() }))
        });
        let nodes = pasted.collect();
        let pasted = copies.iter().flat_map(|copy| {
            links.iter().map(|link| Link { from: copy.new_id(&link.from), to: copy.new_id(&link.to), ..link.clone() })
        });
        let links = pasted.collect();
        edits.push(Edit::PasteThings { doc: doc.clone(), layer, entities: Vec::new(), nodes, links });
    }
    Ok(edits)
}

impl Copies {
    fn new_id(&self, old: &Name) -> Name {
        self.fresh.get(old).unwrap_or(old).clone()
    }

    fn moved(&self, at: [f64; 2]) -> [f64; 2] {
        [at[0] + self.by[0], at[1] + self.by[1]]
    }
}

/// Strings that are the id of a copied thing become its copy's.
fn point_to_copies(ops: &mut Ops, fresh: &BTreeMap<Name, Name>) {
    fn walk(value: &mut Value, fresh: &BTreeMap<Name, Name>) {
        match value {
            Value::Str(text) => {
                if let Some(id) = fresh.get(text.as_str()) {
                    *text = id.to_string();
                }
            }
            Value::List(items) | Value::Tuple(items) => items.iter_mut().for_each(|it| walk(it, fresh)),
            Value::Struct(fields) => fields.values_mut().for_each(|it| walk(it, fresh)),
            Value::Map(entries) => entries.iter_mut().for_each(|(_, it)| walk(it, fresh)),
            Value::Tagged(_, content) => walk(content, fresh),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Symbol(_) => {}
        }
    }
    for op in OpKind::VALUED {
        if let Some(all) = ops.values_mut(op) {
            all.values_mut().flat_map(Fields::values_mut).for_each(|it| walk(it, fresh));
        }
    }
}

/// Copy states of a machine by path; those inside another copied one come along with it anyway.
#[must_use]
pub fn copy_states(machine: &Machine, name: &Name, paths: &[Name]) -> Option<Fragment> {
    let outermost = paths.iter().filter(|path| {
        !path.is_empty() && !paths.iter().any(|other| other != *path && !other.is_empty() && is_in(path, other))
    });
    let copied: Vec<CopiedState> = outermost
        .filter_map(|path| {
            let mut state = machine.state(path)?.clone();
            let whole = |address: &str| machine.find(address).ok();
            visit_targets(&mut state, &mut |to| whole(to));
            visit_state_args(&mut state, &mut |of, address| {
                if of.is_empty() || of == &**name { whole(address) } else { None }
            });
            let inside = machine.layout.iter().filter(|(at, _)| is_in(at, path));
            let layout = inside.map(|(at, place)| (at[path.len()..].trim_start_matches('/').into(), *place)).collect();
            Some(CopiedState { path: path.clone(), state, layout })
        })
        .collect();
    (!copied.is_empty()).then_some(Fragment::States(copied))
}

/// The edits that paste states into a state of a machine, drawn `by` pixels from where they were, and their new paths.
///
/// # Errors
/// There is no such parent, or the fragment is something else.
pub fn paste_states(
    (doc, name, machine): (&DocPath, &Name, &Machine),
    parent: &Name,
    fragment: &Fragment,
    by: [f64; 2],
) -> Result<(Vec<Edit>, Vec<Name>), Refusal> {
    let Fragment::States(copied) = fragment else {
        return Err(Refusal::new(format!("{} cannot be put into a machine", fragment.describe())));
    };
    let siblings = machine.state(parent).ok_or_else(|| Refusal::new(format!("there is no state `{parent}`")))?;
    let mut names: Vec<Name> = Vec::new();
    for it in copied {
        let is_taken = |name: &str| siblings.states.contains_key(name) || names.iter().any(|it| **it == *name);
        let free = free_name(split(&it.path).1, is_taken);
        names.push(free);
    }
    let paths: Vec<Name> = names.iter().map(|it| join(parent, it)).collect();
    let new_address = |address: &str| -> Option<Name> {
        let (at, old) = copied.iter().enumerate().find(|(_, old)| is_in(address, &old.path))?;
        Some(format!("{}{}", paths[at], &address[old.path.len()..]).into())
    };
    let edits = copied.iter().zip(&names).map(|(it, new)| {
        let mut state = it.state.clone();
        visit_targets(&mut state, &mut |to| new_address(to));
        visit_state_args(&mut state, &mut |of, address| if of.is_empty() { new_address(address) } else { None });
        let layout = it.layout.iter().map(|(at, place)| {
            let place = if at.is_empty() { [place[0] + by[0], place[1] + by[1]] } else { *place };
            (at.clone(), place)
        });
        Edit::PasteState {
            doc: doc.clone(),
            machine: name.clone(),
            parent: parent.clone(),
            name: new.clone(),
            state,
            layout: layout.collect(),
        }
    });
    Ok((edits.collect(), paths))
}
