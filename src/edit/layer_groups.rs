//! Groups of layers: moving layers into and out of them, making them and taking them apart.
//!
//! Invariant: a layer that is moved stays the very same; only the groups that it leaves and enters are changed. Taking
//! a group apart leaves the level looking as it did.

use std::sync::Arc;

use super::{
    Edit, Refusal, apply,
    reach::{check_open, layer_at, level_at, level_mut},
};
use crate::model::{
    DocPath, Document, FieldPath, GroupLayer, Layer, LayerContent, LayerLook, Level, Name, Project, color_text,
    too_deep,
};

/// The list that an element of it is in, by the element's place.
pub(super) fn list_at<'a>(level: &'a mut Level, at: &FieldPath) -> Option<&'a mut Vec<Arc<Layer>>> {
    let group = at.0.len().checked_sub(2).and_then(|n| at.0.get(..n)).map(|group| FieldPath(group.to_vec()))?;
    let group = level.layer_on(&group).map(|(_, group, _)| group.name.clone());
    level.list_mut(group.as_deref())
}

pub(super) fn move_layer(
    project: &mut Project,
    path: &DocPath,
    (layer, group): (&Name, Option<&Name>),
    to: usize,
) -> Result<(), Refusal> {
    let level = level_at(project, path)?;
    let (number, moved) = layer_at(level, layer)?;
    let from = level.group_of(number).map(|group| group.name.clone());
    for group in from.as_ref().into_iter().chain(group) {
        let (number, it) = layer_at(level, group)?;
        if !it.is_group() {
            return Err(Refusal::new(format!("layer `{group}` is no group")));
        }
        if moved.is_or_holds(group) {
            return Err(Refusal::new(format!("group `{layer}` cannot be put into itself")));
        }
        check_open(level, number)?;
    }
    // Of all that can be wrong with a level, a move changes only how deep groups are.
    let n_around = |group: &Name| level.layer(group).map_or(0, |(number, _)| level.groups_around(number).len() + 1);
    let (n_before, n_after) = (from.as_ref().map_or(0, n_around), group.map_or(0, n_around));
    if let Some(message) = too_deep(moved, n_after).filter(|_| n_after > n_before) {
        return Err(Refusal::new(message));
    }
    let Some((_, at)) = level.siblings(number) else { return Ok(()) };
    let mut new = level.clone();
    let Some(moved) = new.list_mut(from.as_deref()).map(|list| list.remove(at)) else { return Ok(()) };
    let Some(list) = new.list_mut(group.map(|name| &**name)) else { return Ok(()) };
    let to = to.min(list.len());
    if from.as_ref() == group && to == at {
        return Ok(());
    }
    list.insert(to, moved);
    *level_mut(project, path)? = new;
    Ok(())
}

/// The edits that put layers into a new group of a free name, which takes the place of the front one. They keep their
/// order.
///
/// # Errors
/// There is no such layer, or none at all.
pub fn group_layers((doc, level): (&DocPath, &Level), layers: &[Name], name: &Name) -> Result<Vec<Edit>, Refusal> {
    for layer in layers {
        layer_at(level, layer)?;
    }
    let inside = level.outermost(layers);
    let Some(front) = inside.last() else { return Err(Refusal::new("there is no layer to group")) };
    let group = Layer::new(name.clone(), LayerContent::Group(GroupLayer { layers: Vec::new() }));
    let mut edits = vec![Edit::insert_at(doc, level.in_front_of(Some(*front)), &group)];
    let inside = inside.into_iter().filter_map(|number| level.nth_layer(number)).enumerate();
    edits.extend(inside.map(|(at, layer)| Edit::move_layer(doc, &layer.name, Some(name), at)));
    Ok(edits)
}

/// Why a layer cannot be taken apart as a group, as a sentence.
#[must_use]
pub fn ungroup_problem(level: &Level, number: usize) -> Option<String> {
    let layer = level.nth_layer(number)?;
    if !layer.is_group() {
        return Some(format!("Layer “{}” is no group", layer.name));
    }
    level.lock_on(number).map(|locked| format!("Unlock “{}” to take “{}” apart", locked.name, layer.name))
}

/// What nothing takes over when a group is taken apart, as a sentence: its custom fields.
#[must_use]
pub fn ungroup_loss(level: &Level, name: &str) -> Option<String> {
    let (_, group) = level.layer(name)?;
    let fields: Vec<&str> = group.fields.keys().map(|field| &**field).collect();
    let all = fields.join(", ");
    (!fields.is_empty()).then(|| format!("The custom fields of {name} are gone with it: {all}; undo brings them back"))
}

/// The edits that put what is in a group in its place and remove it. What is in it looks as it did: it gets the group's
/// opacity, tint, offset, parallax and visibility.
///
/// # Errors
/// There is no such group, or [`ungroup_problem`] says why not.
pub fn ungroup((doc, level): (&DocPath, &Level), name: &str) -> Result<Vec<Edit>, Refusal> {
    let (number, group) = layer_at(level, name)?;
    if let Some(why) = ungroup_problem(level, number) {
        return Err(Refusal::new(why));
    }
    let outer = level.group_of(number).map(|outer| &outer.name);
    let at = level.siblings(number).map_or(0, |(_, at)| at);
    let mut edits = Vec::new();
    for (i, layer) in group.children().iter().enumerate() {
        let place = level.layer_at(&*layer.name);
        edits.extend(look_edits(doc, layer, group, &place));
        edits.push(Edit::move_layer(doc, &layer.name, outer, at + i));
    }
    edits.push(Edit::Remove { doc: doc.clone(), at: level.layer_at(name) });
    Ok(edits)
}

/// The edits that give a layer the look that it has in a group.
fn look_edits(doc: &DocPath, layer: &Layer, group: &Layer, at: &FieldPath) -> Vec<Edit> {
    // Products are written into the file: as many digits as matter.
    let short = |x: f64| (x * 1e9).round() / 1e9;
    let (own, whole) = (LayerLook::of(layer), LayerLook::of(layer).inside(&LayerLook::of(group)));
    let mut edits = Vec::new();
    if own.visible != whole.visible {
        edits.push(Edit::set_at(doc, at.key("visible"), &whole.visible));
    }
    if own.opacity.to_bits() != whole.opacity.to_bits() {
        edits.push(Edit::set_at(doc, at.key("opacity"), &short(whole.opacity)));
    }
    if own.tint != whole.tint {
        edits.push(Edit::set_at(doc, at.key("tint"), &Name::from(color_text(whole.tint))));
    }
    for (key, own, whole) in [("parallax", own.parallax, whole.parallax), ("offset", own.offset, whole.offset)] {
        if own.map(f64::to_bits) != whole.map(f64::to_bits) {
            edits.push(Edit::set_at(doc, at.key(key), &whole.map(short)));
        }
    }
    edits
}

/// Where something is dropped in a list of layers that shows groups with what is in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerSpot {
    /// In front of a layer, in the group it is in.
    InFront,
    /// Behind it, in the group it is in.
    Behind,
    /// In a group, in front of all that is there.
    Inside,
    /// Behind everything, in no group.
    Bottom,
}

/// The edits that drop layers at a spot of another one, next to each other and in their order; `None` where they would
/// stay where they are or cannot go.
#[must_use]
pub fn dropped((doc, level): (&DocPath, &Level), layers: &[Name], (on, spot): (usize, LayerSpot)) -> Option<Vec<Edit>> {
    let target = level.nth_layer(on)?;
    let (group, gap) = match spot {
        LayerSpot::Bottom => (None, 0),
        LayerSpot::Inside => (Some(target).filter(|it| it.is_group()), target.children().len()),
        LayerSpot::InFront => (level.group_of(on), level.siblings(on)?.1 + 1),
        LayerSpot::Behind => (level.group_of(on), level.siblings(on)?.1),
    };
    let moved: Vec<&Arc<Layer>> =
        level.outermost(layers).into_iter().filter_map(|number| level.nth_layer(number)).collect();
    let is_into_itself = group.is_some_and(|group| moved.iter().any(|it| it.is_or_holds(&group.name)));
    if spot == LayerSpot::Inside && group.is_none() || is_into_itself {
        return None;
    }
    // The front layer of all is in no group.
    let outer = level.siblings(level.all_layers().len().checked_sub(1)?)?.0;
    let list = group.map_or(outer, |group| group.children());
    let stays = |layer: &&Arc<Layer>| !moved.iter().any(|it| it.name == layer.name);
    // Each goes right in front of the one before; the first in front of what stays behind the gap.
    let mut behind = list.get(..gap)?.iter().rfind(stays).map(|it| &it.name);
    let mut names: Vec<&Name> = list.iter().map(|it| &it.name).collect();
    let mut edits = Vec::new();
    for layer in moved {
        let from = names.iter().position(|name| **name == layer.name);
        names.retain(|name| **name != layer.name);
        let to = behind.and_then(|behind| names.iter().position(|name| *name == behind)).map_or(0, |at| at + 1);
        names.insert(to, &layer.name);
        behind = Some(&layer.name);
        if from != Some(to) {
            edits.push(Edit::move_layer(doc, &layer.name, group.map(|it| &it.name), to));
        }
    }
    (!edits.is_empty()).then_some(edits)
}

/// The edits that move layers one step to the front or to the back: past the next layer, into the next group, or out of
/// the group they are in at its end. Groups that are locked are passed. Empty where none can go on; those that stand
/// right before one of them that cannot stay, too.
#[must_use]
pub fn stepped((doc, level): (&DocPath, &Level), layers: &[Name], is_forward: bool) -> Vec<Edit> {
    let mut names: Vec<Name> =
        level.outermost(layers).into_iter().filter_map(|at| Some(level.nth_layer(at)?.name.clone())).collect();
    if is_forward {
        // Those in front make room first.
        names.reverse();
    }
    let mut tried = Project::default();
    tried.documents.insert(doc.clone(), Arc::new(Document::Level(level.clone())));
    let mut edits = Vec::new();
    for name in &names {
        let Some(level) = tried.level(doc) else { break };
        let Some(edit) = level.layer(name).and_then(|(at, _)| step((doc, level), at, is_forward, &names)) else {
            continue;
        };
        let is_refused = apply(&mut tried, &edit).is_err();
        edits.push(edit);
        if is_refused {
            break;
        }
    }
    edits
}

/// The step of one layer that passes none of others.
fn step((doc, level): (&DocPath, &Level), number: usize, is_forward: bool, others: &[Name]) -> Option<Edit> {
    let layer = level.nth_layer(number)?;
    let (list, at) = level.siblings(number)?;
    let group = level.group_of(number);
    let next = if is_forward { list.get(at + 1) } else { at.checked_sub(1).and_then(|at| list.get(at)) };
    let (group, to) = match (next, group) {
        (Some(next), _) if others.contains(&next.name) => return None,
        (Some(next), _) if next.is_group() && !next.locked => {
            (Some(&next.name), if is_forward { 0 } else { next.children().len() })
        }
        (Some(_), group) => (group.map(|it| &it.name), if is_forward { at + 1 } else { at - 1 }),
        (None, Some(group)) => {
            let (outer_number, _) = level.layer(&group.name)?;
            let (_, place) = level.siblings(outer_number)?;
            (level.group_of(outer_number).map(|it| &it.name), if is_forward { place + 1 } else { place })
        }
        (None, None) => return None,
    };
    Some(Edit::move_layer(doc, &layer.name, group, to))
}
