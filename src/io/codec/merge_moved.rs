//! Layers that a side of a merge moved into a group or out of one. Lists merge one by one, so each such layer is first
//! put into the same group in all versions; then it merges as one that stayed.
//!
//! Invariants: a layer of both sides is in the same group of both afterwards, so none is there twice and none is lost;
//! nothing but the groups that layers are in is changed. A side that moved a layer is followed; where both did, mine
//! is. A group that the other side has removed is no place to move a layer to: it is where that side has it, or in no
//! group.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{FieldPath, GroupLayer, Layer, LayerContent, Level, Name, Side};

/// Versions of a level with their layers in the same groups.
pub(super) struct Aligned {
    pub(super) base: Option<Level>,
    pub(super) mine: Level,
    pub(super) theirs: Level,
    /// Where layers are that only one side moved, or that one was followed in.
    pub(super) moved: Vec<(Side, FieldPath)>,
}

/// The group that each layer is in, groups before what is in them.
type Groups = IndexMap<Name, Option<Name>>;

/// `None` where a name stands twice.
fn groups(level: &Level) -> Option<Groups> {
    fn add(layers: &[Arc<Layer>], group: Option<&Name>, out: &mut Groups) -> bool {
        layers.iter().all(|layer| {
            let is_new = out.insert(layer.name.clone(), group.cloned()).is_none();
            is_new && add(layer.children(), Some(&layer.name), out)
        })
    }
    let mut out = Groups::new();
    add(&level.layers, None, &mut out).then_some(out)
}

/// The versions with layers in the same groups; `None` where they are.
pub(super) fn aligned(base: Option<&Level>, mine: &Level, theirs: &Level) -> Option<Aligned> {
    let (in_mine, in_theirs) = (groups(mine)?, groups(theirs)?);
    let was = base.map_or_else(|| Some(Groups::new()), groups)?;
    let is_moved = |(name, group): (&Name, &Option<Name>)| {
        let other = in_mine.get(name);
        other.is_some_and(|other| other != group || was.get(name).is_some_and(|was| was != group))
    };
    if !in_theirs.iter().any(is_moved) {
        return None;
    }
    let is_shared = |name: &Name| in_mine.contains_key(name) && in_theirs.contains_key(name);
    // A group that theirs has, or could get.
    let is_there = |group: &Layer| match theirs.layer(&group.name) {
        Some((_, group)) => group.is_group(),
        None => !was.contains_key(&group.name),
    };
    let can_stay = |level: &Level, name: &Name| {
        level.layer(name).is_some_and(|(number, _)| level.groups_around(number).into_iter().all(|it| is_there(it)))
    };
    let mut out = mine.clone();
    for (name, group) in &in_theirs {
        if let Some(own) = in_mine.get(name).filter(|own| *own != group)
            && (was.get(name) == Some(own) || !can_stay(&out, name))
        {
            put(&mut out, name, theirs, &|group| !was.contains_key(group));
        }
    }
    for name in groups(&out)?.keys().filter(|name| is_shared(name)) {
        if !can_stay(&out, name)
            && let Some(layer) = take(&mut out, name)
        {
            out.layers.push(layer);
        }
    }
    let (mut theirs, mut base) = (theirs.clone(), base.cloned());
    let now = groups(&out)?;
    let mut moved = Vec::new();
    for (name, group) in now.iter().filter(|(name, _)| is_shared(name)) {
        for level in [Some(&mut theirs), base.as_mut()].into_iter().flatten() {
            let is_elsewhere = |(number, _)| level.groups_around(number).last().map(|it| &it.name) != group.as_ref();
            if level.layer(name).is_some_and(is_elsewhere) {
                put(level, name, &out, &|_| true);
            }
        }
        let (own, other) = (&in_mine[name], &in_theirs[name]);
        let sides = [(Side::Mine, group != other), (Side::Theirs, group != own)];
        moved
            .extend(sides.into_iter().filter(|(_, is_moved)| *is_moved).map(|(side, _)| (side, out.layer_at(&**name))));
    }
    Some(Aligned { base, mine: out, theirs, moved })
}

/// Put a layer where it is in `like`, with the groups around it that are missing and may be added, but nothing else in
/// them. Without such a place it stays where it is.
fn put(level: &mut Level, name: &Name, like: &Level, may_add: &dyn Fn(&Name) -> bool) {
    let Some((number, _)) = like.layer(name) else { return };
    let around = like.groups_around(number);
    let is_there = |group: &&Arc<Layer>| level.layer(&group.name).is_some();
    let n_there = around.iter().rposition(is_there).map_or(0, |at| at + 1);
    let (there, missing) = around.split_at(n_there);
    let inmost = there.last().and_then(|group| level.layer(&group.name));
    let is_inside = |group: &Layer| level.layer(name).is_some_and(|(_, it)| it.is_or_holds(&group.name));
    if inmost.is_some_and(|(_, group)| !group.is_group() || is_inside(group))
        || !missing.iter().all(|group| may_add(&group.name))
    {
        return;
    }
    for group in missing {
        let content = LayerContent::Group(GroupLayer { layers: Vec::new() });
        insert(level, Arc::new(Layer { content, ..(***group).clone() }), like);
    }
    if let Some(layer) = take(level, name) {
        insert(level, layer, like);
    }
}

fn take(level: &mut Level, name: &Name) -> Option<Arc<Layer>> {
    let (number, _) = level.layer(name)?;
    let (_, at) = level.siblings(number)?;
    let group = level.group_of(number).map(|group| group.name.clone());
    Some(level.list_mut(group.as_deref())?.remove(at))
}

/// Put a layer into the group it is in in `like`, in front of the one that it is in front of there.
fn insert(level: &mut Level, layer: Arc<Layer>, like: &Level) {
    let Some((number, _)) = like.layer(&layer.name) else { return };
    let Some((siblings, at)) = like.siblings(number) else { return };
    let group = like.group_of(number).map(|group| &*group.name);
    let Some(list) = level.list_mut(group) else { return };
    let place = |behind: &Arc<Layer>| list.iter().position(|it| it.name == behind.name);
    let behind = siblings.iter().take(at).rev().find_map(place);
    list.insert(behind.map_or(0, |behind| behind + 1), layer);
}
