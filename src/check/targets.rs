//! The entities of a level that may be targets: goals of agents, and bodies in their way as long as the level is played.
//!
//! Invariant: those that the level does not place when it is played, such as instances of abstract definitions, are left
//! out.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use glam::Vec2;
use slotmap::SlotMap;

use super::{
    input::Input,
    trips::place,
    walks::{Placed, placed},
};
use crate::{
    defs::Resolved,
    model::{DocPath, Level, Name, Value},
    sim::{
        EntityKey,
        behavior::Target,
        components::{lasting_body, stays_in_place},
        nav::Navigator,
        physics::{ColliderSpec, convex::Convex},
    },
};

/// A placed entity that may be a target.
pub(super) struct PlacedTarget {
    pub id: Name,
    pub at: Vec2,
    angle_rad: f32,
    def: Name,
    pub of: Rc<OfTarget>,
}

/// What a definition, or a placed entity with changes of its own, decides of a target.
pub(super) struct OfTarget {
    tags: Vec<Name>,
    pub may_move: bool,
    /// Its body, if that stays as it is while the level is played.
    lasting_body: Option<ColliderSpec>,
}

/// The entities that a target refers to.
pub(super) fn meant<'t>(input: &Input<'_>, targets: &'t [PlacedTarget], target: &str) -> Vec<&'t PlacedTarget> {
    let all = |is_meant: &dyn Fn(&PlacedTarget) -> bool| targets.iter().filter(|it| is_meant(it)).collect();
    match Target::parse(target) {
        Target::Any | Target::Me | Target::Sender => Vec::new(),
        Target::Name(id) if targets.iter().any(|it| it.id == id) => all(&|it| it.id == id),
        Target::Name(def) if input.resolution.def_docs.contains_key(&def) => {
            all(&|it| input.resolution.is_a(&it.def, &def))
        }
        Target::Def(def) => all(&|it| input.resolution.is_a(&it.def, &def)),
        Target::Tag(tag) | Target::Name(tag) => all(&|it| it.of.tags.contains(&tag)),
    }
}

/// The entities of a level.
pub(super) fn targets(input: &Input<'_>, doc: &DocPath, level: &Level) -> Vec<PlacedTarget> {
    let of = |resolved: &Resolved| {
        let tags = resolved.get("Tags", "tags").and_then(Value::as_list).into_iter().flatten();
        OfTarget {
            tags: tags.filter_map(Value::as_str).map(Name::from).collect(),
            may_move: !stays_in_place(input.resolution, resolved),
            lasting_body: lasting_body(input.resolution, resolved),
        }
    };
    let target = |((_, id, instance), of): (Placed<'_>, Rc<OfTarget>)| {
        #[expect(clippy::cast_possible_truncation, reason = "an angle")]
        let angle_rad = instance.rotation.to_radians() as f32;
        PlacedTarget { id: id.clone(), at: place(instance.at), angle_rad, def: instance.def.clone(), of }
    };
    let is_placed = |def: &Name| input.resolution.defs.get(def).is_some_and(|def| !def.is_abstract);
    let all = placed(input, doc, level, of).into_iter();
    all.filter(|((_, _, instance), _)| is_placed(&instance.def)).map(target).collect()
}

/// Give a navigator the bodies that stay as they are while the level is played: those of entities on which no machine
/// acts. Returns the ids of these entities.
pub(super) fn place_lasting_bodies(
    input: &Input<'_>,
    targets: &[PlacedTarget],
    acted_on: &BTreeSet<Name>,
    navigator: &mut Navigator,
) -> SlotMap<EntityKey, Name> {
    let mut ids = SlotMap::with_key();
    if acted_on.iter().any(|target| Target::parse(target) == Target::Sender) {
        return ids;
    }
    let changed: BTreeSet<&Name> =
        acted_on.iter().flat_map(|target| meant(input, targets, target)).map(|it| &it.id).collect();
    let [mut solid, mut one_way] = [(); 2].map(|()| BTreeMap::new());
    for it in targets.iter().filter(|it| !changed.contains(&it.id)) {
        let Some(collider) = &it.of.lasting_body else { continue };
        let key = ids.insert(it.id.clone());
        let parts = collider.solids().map(|part| part.convex.placed(it.at, it.angle_rad));
        let bodies: &mut BTreeMap<(EntityKey, usize), Convex> =
            if collider.one_way { &mut one_way } else { &mut solid };
        bodies.extend(parts.enumerate().map(|(i, part)| ((key, i), part)));
    }
    navigator.set_bodies(solid);
    navigator.set_one_way_bodies(one_way);
    ids
}
