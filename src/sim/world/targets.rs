//! Resolves targets to entities: by id, by definition with its descendants, or by tag.

use glam::Vec2;

use crate::sim::{EntityKey, behavior::Target};

use super::{World, entity::Entity};

/// The entities that a target refers to.
pub(super) enum Targets<'a> {
    /// One entity, if it exists.
    One(Option<EntityKey>),
    /// All of a definition or tag. In a search for the nearest, the entity with the target is left out.
    Kind(&'a [EntityKey]),
}

impl World {
    pub(super) fn resolve(&self, target: &Target, me: Option<EntityKey>, sender: Option<EntityKey>) -> Targets<'_> {
        match target {
            Target::Any => Targets::One(None),
            Target::Me => Targets::One(me),
            Target::Sender => Targets::One(sender),
            Target::Tag(tag) => Targets::Kind(self.groups.tag(tag)),
            Target::Def(def) => Targets::Kind(self.groups.def(def).unwrap_or_default()),
            Target::Name(name) => match (self.ids.get(name), self.groups.def(name)) {
                (Some(key), _) => Targets::One(Some(*key)),
                (None, Some(kind)) => Targets::Kind(kind),
                (None, None) if self.rules.resolution.def_docs.contains_key(name) => Targets::Kind(&[]),
                (None, None) => Targets::Kind(self.groups.tag(name)),
            },
        }
    }

    /// All living entities that a target refers to, in the order in which they were added.
    pub(super) fn resolve_all(
        &self,
        target: &Target,
        me: Option<EntityKey>,
        sender: Option<EntityKey>,
    ) -> Vec<EntityKey> {
        let lives = |key: &EntityKey| self.entities.get(*key).is_some_and(|entity| !entity.is_deleted);
        match self.resolve(target, me, sender) {
            Targets::One(one) => one.filter(lives).into_iter().collect(),
            Targets::Kind(kind) => kind.iter().copied().filter(lives).collect(),
        }
    }

    /// The nearest entity that a target refers to and for which `fits` holds.
    pub(super) fn nearest(
        &self,
        target: &Target,
        me: EntityKey,
        sender: Option<EntityKey>,
        fits: impl Fn(EntityKey, &Entity) -> bool,
    ) -> Option<EntityKey> {
        let from = self.pos(me)?;
        let lives = |key: EntityKey| self.entities.get(key).filter(|entity| !entity.is_deleted);
        match self.resolve(target, Some(me), sender) {
            Targets::One(one) => one.filter(|key| lives(*key).is_some_and(|entity| fits(*key, entity))),
            Targets::Kind(kind) => {
                let mut best: Option<(f32, EntityKey)> = None;
                for key in kind.iter().copied().filter(|key| *key != me) {
                    let Some(entity) = lives(key) else { continue };
                    let distance = entity.pose.pos.distance_squared(from);
                    if best.is_none_or(|(least, _)| distance < least) && fits(key, entity) {
                        best = Some((distance, key));
                    }
                }
                best.map(|(_, key)| key)
            }
        }
    }

    pub(super) fn pos(&self, key: EntityKey) -> Option<Vec2> {
        self.entities.get(key).map(|entity| entity.pose.pos)
    }
}

/// A vector turned so that its x axis points along `toward`. Of the two possible y axes the downward one is used, so an
/// upward push is upward on either side.
pub(super) fn turned(by: Vec2, toward: Vec2) -> Vec2 {
    let Some(x) = toward.try_normalize() else { return by };
    let y = if x.x < 0.0 { Vec2::new(x.y, -x.x) } else { Vec2::new(-x.y, x.x) };
    x * by.x + y * by.y
}
