//! The layers of a level as a tree of groups: every layer by a number, where it is in the document, and how it looks
//! with the groups around it.
//!
//! Invariant: a layer's number is its place in [`Level::all_layers`], back to front with groups right after what is in
//! them. It is good for one state of the level; names are unique in a level at any depth, so what lasts goes by these.

use std::sync::Arc;

use super::{Cell, FieldPath, Layer, LayerContent, Level, Name, Seg};

/// How deep groups may be in each other. Each takes two of the levels that a file may nest.
pub(super) const MAX_DEPTH: usize = 16;

/// How a layer is drawn and whether it can be edited, with the groups around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerLook {
    /// Drawn: it and every group around it are.
    pub visible: bool,
    /// Protected: it or a group around it is.
    pub locked: bool,
    /// Multiplied, 0 to 1.
    pub opacity: f64,
    /// Multiplied: red, green, blue, alpha.
    pub tint: [u8; 4],
    /// Multiplied.
    pub parallax: [f64; 2],
    /// Added, in pixels.
    pub offset: [f64; 2],
}

impl LayerLook {
    /// That of a layer by itself.
    #[must_use]
    pub fn of(layer: &Layer) -> Self {
        Self {
            visible: layer.visible,
            locked: layer.locked,
            opacity: layer.opacity,
            tint: layer.tint_rgba(),
            parallax: layer.parallax,
            offset: layer.offset,
        }
    }

    /// That of something with this look in a group with another.
    #[must_use]
    pub fn inside(self, group: &Self) -> Self {
        Self {
            visible: self.visible && group.visible,
            locked: self.locked || group.locked,
            opacity: self.opacity * group.opacity,
            tint: std::array::from_fn(|i| multiplied(self.tint[i], group.tint[i])),
            parallax: [0, 1].map(|i| self.parallax[i] * group.parallax[i]),
            offset: [0, 1].map(|i| self.offset[i] + group.offset[i]),
        }
    }

    /// That of a layer as it stands on a canvas with a point of the level in its middle: how far its parallax moves it
    /// is part of its offset. Whatever is drawn, hit or painted on a layer goes by this.
    #[must_use]
    pub fn seen_from(self, center: [f64; 2]) -> Self {
        let offset = [0, 1].map(|i| self.offset[i] + center[i] * (1.0 - self.parallax[i]));
        Self { offset, parallax: [1.0; 2], ..self }
    }

    /// The point of the level in the middle of a canvas that has a point of the layer there. A layer that does not move
    /// with the camera has it there from nowhere: then it is the place that the point has in a level without parallax.
    #[must_use]
    pub fn center_on(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|i| {
            let place = at[i] + self.offset[i];
            if self.parallax[i] == 0.0 { place } else { place / self.parallax[i] }
        })
    }

    /// Whether it moves as the world does, so that the level's bounds are its own. Others reach beyond these to be seen
    /// at the level's ends.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "only exactly 1 moves with the world")]
    pub fn moves_with_world(&self) -> bool {
        self.parallax == [1.0, 1.0]
    }
}

/// Two shares of 255 multiplied.
fn multiplied(a: u8, b: u8) -> u8 {
    u8::try_from((u32::from(a) * u32::from(b) + 127) / 255).unwrap_or(u8::MAX)
}

impl Level {
    /// Every layer at any depth, back to front; a group comes right after what is in it. Its place here is a layer's
    /// number.
    #[must_use]
    pub fn all_layers(&self) -> Vec<&Arc<Layer>> {
        fn add<'a>(layers: &'a [Arc<Layer>], all: &mut Vec<&'a Arc<Layer>>) {
            for layer in layers {
                add(layer.children(), all);
                all.push(layer);
            }
        }
        let mut all = Vec::with_capacity(self.layers.len());
        add(&self.layers, &mut all);
        all
    }

    /// The same, each with its look in the groups around it.
    #[must_use]
    pub fn looks(&self) -> Vec<(&Arc<Layer>, LayerLook)> {
        fn add<'a>(layers: &'a [Arc<Layer>], group: Option<&LayerLook>, all: &mut Vec<(&'a Arc<Layer>, LayerLook)>) {
            for layer in layers {
                let look = LayerLook::of(layer);
                let look = group.map_or(look, |group| look.inside(group));
                add(layer.children(), Some(&look), all);
                all.push((layer, look));
            }
        }
        let mut all = Vec::with_capacity(self.layers.len());
        add(&self.layers, None, &mut all);
        all
    }

    /// The same on a canvas with a point of the level in its middle ([`LayerLook::seen_from`]).
    #[must_use]
    pub fn looks_from(&self, center: [f64; 2]) -> Vec<(&Arc<Layer>, LayerLook)> {
        self.looks().into_iter().map(|(layer, look)| (layer, look.seen_from(center))).collect()
    }

    /// The look of a layer of this level in the groups around it, by its name.
    #[must_use]
    pub fn look_of(&self, layer: &Layer) -> LayerLook {
        let found = self.looks().into_iter().find(|(it, _)| it.name == layer.name);
        found.map_or_else(|| LayerLook::of(layer), |(_, look)| look)
    }

    /// How far from their places by [`Level::grid_at`] the cells of a layer are on a canvas with a point of the level
    /// in its middle, in pixels: its offset, with that of the groups around it, and what its parallax adds. Cells that
    /// are no layer's own are the level's.
    #[must_use]
    pub fn cells_offset(&self, layer: Option<usize>, center: [f64; 2]) -> [f64; 2] {
        let look = layer.and_then(|number| self.looks_from(center).into_iter().nth(number));
        look.filter(|(layer, _)| layer.cells().is_some()).map_or([0.0; 2], |(_, look)| look.offset)
    }

    /// The cell of the layer of a number that is seen at a point of the level, in pixels, on such a canvas.
    #[must_use]
    pub fn cell_under(&self, layer: Option<usize>, px: [f64; 2], center: [f64; 2]) -> Cell {
        let offset = self.cells_offset(layer, center);
        self.grid_at(layer).cell_at([px[0] - offset[0], px[1] - offset[1]])
    }

    /// The layer of a number.
    #[must_use]
    pub fn nth_layer(&self, number: usize) -> Option<&Arc<Layer>> {
        self.all_layers().get(number).copied()
    }

    /// The same, to change: it and the groups around it are copied where they have other owners.
    pub fn nth_layer_mut(&mut self, number: usize) -> Option<&mut Layer> {
        let way: Vec<usize> = self.way_to(number).into_iter().map(|(at, _)| at).collect();
        let (first, rest) = way.split_first()?;
        let mut layer = Arc::make_mut(self.layers.get_mut(*first)?);
        for at in rest {
            let LayerContent::Group(group) = &mut layer.content else { return None };
            layer = Arc::make_mut(group.layers.get_mut(*at)?);
        }
        Some(layer)
    }

    /// The list of layers of a group; without one, the level's own.
    pub fn list_mut(&mut self, group: Option<&str>) -> Option<&mut Vec<Arc<Layer>>> {
        let Some(group) = group else { return Some(&mut self.layers) };
        let (number, _) = self.layer(group)?;
        match &mut self.nth_layer_mut(number)?.content {
            LayerContent::Group(group) => Some(&mut group.layers),
            _ => None,
        }
    }

    /// Call `change` for every layer that is no group; one for which it returns `None` stays the very same.
    pub fn change_layers(&mut self, change: &mut dyn FnMut(&Layer, &LayerLook) -> Option<Layer>) {
        fn inside(
            layers: &mut [Arc<Layer>],
            group: Option<&LayerLook>,
            change: &mut dyn FnMut(&Layer, &LayerLook) -> Option<Layer>,
        ) {
            for slot in layers {
                let look = LayerLook::of(slot);
                let look = group.map_or(look, |group| look.inside(group));
                if slot.is_group() {
                    let mut children = slot.children().to_vec();
                    inside(&mut children, Some(&look), change);
                    let is_same = |(a, b): (&Arc<Layer>, &Arc<Layer>)| Arc::ptr_eq(a, b);
                    if !children.iter().zip(slot.children()).all(is_same)
                        && let LayerContent::Group(group) = &mut Arc::make_mut(slot).content
                    {
                        group.layers = children;
                    }
                } else if let Some(changed) = change(slot, &look) {
                    *slot = Arc::new(changed);
                }
            }
        }
        inside(&mut self.layers, None, change);
    }

    /// The groups around a layer and itself, from the outside, each with its place in the list it is in.
    fn way_to(&self, number: usize) -> Vec<(usize, &Arc<Layer>)> {
        fn find<'a>(layers: &'a [Arc<Layer>], left: &mut usize, way: &mut Vec<(usize, &'a Arc<Layer>)>) -> bool {
            for (at, layer) in layers.iter().enumerate() {
                way.push((at, layer));
                if find(layer.children(), left, way) || *left == 0 {
                    return true;
                }
                *left -= 1;
                way.pop();
            }
            false
        }
        let (mut left, mut way) = (number, Vec::new());
        find(&self.layers, &mut left, &mut way);
        way
    }

    /// The groups around a layer, from the outside.
    #[must_use]
    pub fn groups_around(&self, number: usize) -> Vec<&Arc<Layer>> {
        let mut way = self.way_to(number);
        way.pop();
        way.into_iter().map(|(_, layer)| layer).collect()
    }

    /// Of layers, by their names, the numbers of those that are in no other of them, back to front.
    #[must_use]
    pub fn outermost(&self, names: &[Name]) -> Vec<usize> {
        let is_meant = |layer: &Layer| names.contains(&layer.name);
        let mut numbers: Vec<usize> = Vec::new();
        for (number, layer) in self.all_layers().into_iter().enumerate() {
            if is_meant(layer) && !self.groups_around(number).into_iter().any(|group| is_meant(group)) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// The group that a layer is in.
    #[must_use]
    pub fn group_of(&self, number: usize) -> Option<&Arc<Layer>> {
        self.groups_around(number).pop()
    }

    /// The list that a layer is in, that of a group or of the level, and its place there.
    #[must_use]
    pub fn siblings(&self, number: usize) -> Option<(&[Arc<Layer>], usize)> {
        let way = self.way_to(number);
        let (at, _) = *way.last()?;
        let group = way.len().checked_sub(2).and_then(|i| way.get(i));
        Some((group.map_or(&*self.layers, |(_, group)| group.children()), at))
    }

    /// The layer to go on with when these are deleted: the nearest behind the first of them that stays, else in front,
    /// else the group that it was in.
    #[must_use]
    pub fn next_to(&self, deleted: &[Name]) -> Option<&Arc<Layer>> {
        let first = *self.outermost(deleted).first()?;
        let (siblings, at) = self.siblings(first)?;
        let stays = |layer: &&Arc<Layer>| !deleted.contains(&layer.name);
        let (behind, in_front) = (siblings.get(..at)?.iter().rev(), siblings.get(at + 1..)?.iter());
        behind.chain(in_front).find(stays).or_else(|| self.group_of(first))
    }

    /// The layer or group that protects a layer from being edited.
    #[must_use]
    pub fn lock_on(&self, number: usize) -> Option<&Layer> {
        self.way_to(number).into_iter().map(|(_, layer)| &**layer).find(|layer| layer.locked)
    }

    /// The same of a layer of this level, by its name.
    #[must_use]
    pub fn lock_of(&self, layer: &Layer) -> Option<&Layer> {
        self.layer(&layer.name).and_then(|(number, _)| self.lock_on(number))
    }

    /// The layers to lock, or unlock, so that all but one are: whole groups that this one is not in; to unlock, what is
    /// in them too.
    #[must_use]
    pub fn others_to_lock(&self, name: &str, locked: bool) -> Vec<&Name> {
        let Some((_, kept)) = self.layer(name) else { return Vec::new() };
        let is_other = |layer: &Layer| !layer.is_or_holds(name) && !kept.is_or_holds(&layer.name);
        let all =
            self.all_layers().into_iter().enumerate().filter(|(_, layer)| is_other(layer) && layer.locked != locked);
        let is_outer = |number: usize| self.groups_around(number).into_iter().all(|group| !is_other(group));
        all.filter(|(number, _)| !locked || is_outer(*number)).map(|(_, layer)| &layer.name).collect()
    }

    /// Whether what is on every layer but one is locked. The groups around that one stay open.
    #[must_use]
    pub fn are_others_locked(&self, name: &str) -> bool {
        let Some((_, layer)) = self.layer(name) else { return false };
        let is_part = |other: &Layer| other.is_or_holds(name) || layer.is_or_holds(&other.name);
        self.looks().into_iter().all(|(other, look)| look.locked || is_part(other))
    }
}

/// Where things are in a level's document: layers by their names, or by where they are in their lists, as a layer is
/// given by its name or its number.
impl Level {
    /// A layer.
    #[must_use]
    pub fn layer_at(&self, layer: impl Into<Seg>) -> FieldPath {
        let layer = layer.into();
        let number = match &layer {
            Seg::Index(number) => Some(*number),
            Seg::Key(name) => self.layer(name).map(|(number, _)| number),
        };
        let way = number.map(|number| self.way_to(number)).unwrap_or_default();
        if way.is_empty() {
            return FieldPath::keys(["layers"]).with(layer);
        }
        way.into_iter().fold(FieldPath::root(), |path, (at, it)| {
            let seg = if matches!(layer, Seg::Key(_)) { Seg::Key(it.name.clone()) } else { Seg::Index(at) };
            path.key("layers").with(seg)
        })
    }

    /// Every layer by where it is in its list, as [`Self::all_layers`] numbers them: all from one walk.
    #[must_use]
    pub fn layer_paths(&self) -> Vec<FieldPath> {
        self.paths(&|at, _| Seg::Index(at))
    }

    /// Every layer by its name, in the same order.
    #[must_use]
    pub fn layer_paths_by_name(&self) -> Vec<FieldPath> {
        self.paths(&|_, layer| Seg::Key(layer.name.clone()))
    }

    fn paths(&self, seg: &dyn Fn(usize, &Layer) -> Seg) -> Vec<FieldPath> {
        fn add(
            layers: &[Arc<Layer>],
            group: &FieldPath,
            seg: &dyn Fn(usize, &Layer) -> Seg,
            paths: &mut Vec<FieldPath>,
        ) {
            let list = group.key("layers");
            for (at, layer) in layers.iter().enumerate() {
                let path = list.clone().with(seg(at, layer));
                add(layer.children(), &path, seg, paths);
                paths.push(path);
            }
        }
        let mut paths = Vec::with_capacity(self.layers.len());
        add(&self.layers, &FieldPath::root(), seg, &mut paths);
        paths
    }

    /// The place right in front of a layer, in the group it is in, for another one; without a layer, in front of all.
    #[must_use]
    pub fn in_front_of(&self, number: Option<usize>) -> FieldPath {
        let way = number.map(|number| self.way_to(number)).unwrap_or_default();
        let Some(((at, _), groups)) = way.split_last() else {
            return FieldPath::keys(["layers"]).index(self.layers.len());
        };
        let list = groups.iter().fold(FieldPath::root(), |path, (_, group)| path.key("layers").key(&group.name));
        list.key("layers").index(at + 1)
    }

    /// The place for a layer that is added while tools work on one: in front of it, or in it, in front of all there,
    /// where it is a group.
    #[must_use]
    pub fn place_for_new(&self, active: Option<usize>) -> FieldPath {
        match active.and_then(|number| self.nth_layer(number)) {
            Some(group) if group.is_group() => self.layer_at(&*group.name).key("layers").index(group.children().len()),
            _ => self.in_front_of(active),
        }
    }

    /// A placed entity.
    #[must_use]
    pub fn entity_at(&self, layer: impl Into<Seg>, id: &str) -> FieldPath {
        self.layer_at(layer).key("entities").key(id)
    }

    /// A waypoint.
    #[must_use]
    pub fn node_at(&self, layer: impl Into<Seg>, id: &str) -> FieldPath {
        self.layer_at(layer).key("nodes").key(id)
    }

    /// A link, by its number.
    #[must_use]
    pub fn link_at(&self, layer: impl Into<Seg>, number: usize) -> FieldPath {
        self.layer_at(layer).key("links").index(number)
    }

    /// The innermost layer that a path leads to or through: its number, itself, and the way on from it.
    #[must_use]
    pub fn layer_on<'a, 'p>(&'a self, path: &'p FieldPath) -> Option<(usize, &'a Arc<Layer>, &'p [Seg])> {
        let (mut list, mut rest, mut found): (_, _, Option<&Arc<Layer>>) = (&*self.layers, &*path.0, None);
        while let [Seg::Key(key), seg, after @ ..] = rest
            && **key == *"layers"
        {
            let layer = match seg {
                Seg::Index(at) => list.get(*at),
                Seg::Key(name) => list.iter().find(|layer| layer.name == *name),
            };
            let Some(layer) = layer else { break };
            (list, rest, found) = (layer.children(), after, Some(layer));
        }
        let found = found?;
        let number = self.all_layers().into_iter().position(|layer| std::ptr::eq(layer, found))?;
        Some((number, found, rest))
    }
}

impl FieldPath {
    /// What is left of a place in a level's document after the layer that it is in, at any depth; all of it where it is
    /// in none.
    #[must_use]
    pub fn within_layer(&self) -> &[Seg] {
        let mut rest = &*self.0;
        while let [Seg::Key(key), _, after @ ..] = rest
            && **key == *"layers"
        {
            rest = after;
        }
        rest
    }
}

impl Layer {
    /// Whether it is the layer of a name, or a group that holds it at any depth.
    #[must_use]
    pub fn is_or_holds(&self, name: &str) -> bool {
        *self.name == *name || self.children().iter().any(|layer| layer.is_or_holds(name))
    }
}
