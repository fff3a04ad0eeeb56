//! Views of the world: read-only, borrowed, for drawing and for panes. Nothing here changes anything.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    defs::Resolved,
    model::Name,
    sim::{
        Appearance, EntityKey,
        grid::SolidGrid,
        nav::{Answer, Navigator, NoPath},
        physics::{PartSpec, Physics, convex::around},
    },
};

use super::{
    TraceEvent, World,
    entity::{Entity, Running},
    order::Order,
    rules::LevelSide,
};

/// An entity at this moment.
#[derive(Clone, Debug)]
pub struct EntityView<'a> {
    /// Its key.
    pub key: EntityKey,
    /// Its id: that of the placed entity, or one made when it was spawned.
    pub id: &'a Name,
    /// Its definition.
    pub def: &'a Name,
    /// Its origin, in pixels.
    pub pos: Vec2,
    /// Clockwise angle, in radians.
    pub angle: f32,
    /// Velocity, px/s.
    pub vel: Vec2,
    /// Position (px) and angle (radians) before the last tick.
    pub(super) before: (Vec2, f32),
    /// Whether it is not flagged for removal.
    pub alive: bool,
    /// Its picture.
    pub sprite: Option<Appearance>,
    /// The parts of its collider.
    pub parts: &'a [PartSpec],
    /// Index of the layer in which it, or its spawner, was placed.
    pub layer: usize,
    /// Its machines in listed order, then those of the movement queue, front first.
    pub machines: Vec<MachineView<'a>>,
    /// Hit points and their maximum.
    pub life: Option<(f64, f64)>,
    /// The text it shows.
    pub saying: Option<&'a str>,
    /// Its components.
    pub resolved: &'a Arc<Resolved>,
}

/// A machine of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineView<'a> {
    /// The machine's name.
    pub name: &'a Name,
    /// Path of its innermost active state; empty at the root.
    pub state: &'a str,
    /// Whether it runs. A queued machine that is not at the front does not, nor does one that was stopped because of a
    /// problem.
    pub runs: bool,
    /// Whether it belongs to the movement queue.
    pub queued: bool,
}

/// The path of an entity, and the cells that the search examined.
#[derive(Clone, Debug)]
pub struct PathView<'a> {
    /// The entity.
    pub key: EntityKey,
    /// Its position, in pixels.
    pub pos: Vec2,
    /// The rest of the path, in pixels.
    pub points: &'a [Vec2],
    /// The last answer of the search. It has open and closed cells only while [`World::keep_searches`] is on.
    pub searched: Option<&'a Answer>,
    /// The places of a route, in pixels; empty without one.
    pub route: &'a [Vec2],
    /// Why it does not reach its goal.
    pub no_path: Option<NoPath>,
    /// Whether it is outside the level.
    pub is_outside: bool,
}

/// The cone of sight of an entity with `Sight`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SightView {
    /// The entity.
    pub key: EntityKey,
    /// Position of the eye, in pixels.
    pub eye: Vec2,
    /// Unit vector of the direction it faces.
    pub facing: Vec2,
    /// The whole angle of the cone, in radians.
    pub cone_rad: f32,
}

impl World {
    /// Every entity, in key order.
    pub fn entities(&self) -> impl Iterator<Item = EntityView<'_>> {
        self.entities.iter().map(|(key, entity)| view_of(key, entity))
    }

    /// The living entities of a layer whose origins are within a rectangle at a moment of the last tick, as drawn then:
    /// left top and right bottom, in pixels. See [`EntityView::drawn_at`].
    pub fn drawn_within(&self, layer: usize, [lo, hi]: [Vec2; 2], moment: f32) -> impl Iterator<Item = EntityView<'_>> {
        let is_within = move |entity: &Entity| {
            let (pos, _) = entity.drawn_at(moment);
            entity.layer == layer && !entity.is_deleted && pos.cmpge(lo).all() && pos.cmple(hi).all()
        };
        let found = self.entities.iter().filter(move |(_, entity)| is_within(entity));
        found.map(move |(key, entity)| view_of(key, entity).drawn_at(moment))
    }

    /// One entity, if it is still there.
    #[must_use]
    pub fn entity(&self, key: EntityKey) -> Option<EntityView<'_>> {
        self.entities.get(key).map(|entity| view_of(key, entity))
    }

    /// The number of entities.
    #[must_use]
    pub fn n_entities(&self) -> usize {
        self.entities.len()
    }

    /// The last events of an entity, oldest first.
    pub fn log(&self, key: EntityKey) -> impl Iterator<Item = &TraceEvent> {
        self.entities.get(key).into_iter().flat_map(|entity| entity.log.iter().map(|event| &**event))
    }

    /// Messages not yet delivered: seconds left, name, sender, receiver; soonest first.
    #[must_use]
    pub fn mail(&self) -> Vec<(f64, Name, Option<Name>, Name)> {
        let waiting = self.mail.waiting(self.tick).into_iter();
        let shown = waiting.map(|(ticks, mail)| {
            let from = mail.from.as_ref().map(|(_, id)| id.clone());
            (ticks * self.timestep_secs(), self.symbols.name(mail.name), from, mail.to_id.clone())
        });
        shown.collect()
    }

    /// The paths of entities, for an overlay.
    pub fn paths(&self) -> impl Iterator<Item = PathView<'_>> {
        self.entities.iter().filter_map(|(key, entity)| {
            let movement = &entity.movement;
            let route: &[Vec2] = if let Order::Route { route, .. } = &movement.order { &route.points } else { &[] };
            let points = movement.rest_of_path();
            let no_path = movement.no_path;
            let shows = !points.is_empty() || !route.is_empty() || movement.searched.is_some() || no_path.is_some();
            let searched = movement.searched.as_deref();
            let (pos, is_outside) = (entity.pose.pos, entity.is_outside);
            shows.then_some(PathView { key, pos, points, searched, route, no_path, is_outside })
        })
    }

    /// Set whether searches record the cells they examine; this costs time.
    pub fn keep_searches(&mut self, keep: bool) {
        self.navigator.keeps_shapes = keep;
    }

    /// The cones of sight of all entities with `Sight`, for an overlay.
    pub fn sights(&self) -> impl Iterator<Item = SightView> {
        let seeing = self.entities.iter().filter(|(_, entity)| entity.components.has_sight);
        seeing.map(|(key, entity)| SightView {
            key,
            eye: entity.pose.pos + entity.components.sight.offset,
            facing: entity.movement.facing,
            cone_rad: entity.components.sight.cone_rad,
        })
    }

    /// The entity that the first player's keys drive; without one, the first that cameras follow.
    #[must_use]
    pub fn player(&self) -> Option<EntityView<'_>> {
        let find = |is_it: fn(&Entity) -> bool| {
            self.entities.iter().find(|(_, entity)| !entity.is_deleted && is_it(entity)).map(|(key, _)| key)
        };
        let player = || find(|entity| entity.components.player == Some(0));
        let target = || find(|entity| entity.components.is_camera_target);
        self.possessed().or_else(player).or_else(target).and_then(|key| self.entity(key))
    }

    /// The entity that the first player's keys drive, if no part of its body is within the level, and the side on which it
    /// is.
    #[must_use]
    pub fn lost_player(&self) -> Option<(&Name, LevelSide)> {
        let player = self.player().filter(|player| self.player_of(player.key) == Some(0))?;
        let body = self.physics.bounds(player.key);
        let side = self.rules.beyond(body.unwrap_or_else(|| around([player.pos])))?;
        Some((player.id, side))
    }

    /// Whether the keys of the first player drive an entity.
    #[must_use]
    pub fn has_player(&self) -> bool {
        self.entities.iter().any(|(key, entity)| !entity.is_deleted && self.player_of(key) == Some(0))
    }

    /// Bodies, contacts and outlines, read-only.
    #[must_use]
    pub fn physics(&self) -> &Physics {
        &self.physics
    }

    /// The solid tiles of the level.
    #[must_use]
    pub fn grid(&self) -> &SolidGrid {
        &self.rules.grid
    }

    /// Waypoint graphs with their links, read-only.
    #[must_use]
    pub fn navigator(&self) -> &Navigator {
        &self.navigator
    }
}

fn view_of(key: EntityKey, entity: &Entity) -> EntityView<'_> {
    let listed = entity.machines.iter().flatten().map(|running| (running, false, true));
    let queued = entity.queue.iter().flatten().enumerate().map(|(i, running)| (running, true, i == 0));
    EntityView {
        key,
        id: &entity.id,
        def: &entity.def,
        pos: entity.pose.pos,
        angle: entity.pose.angle,
        vel: entity.pose.vel,
        before: entity.before,
        alive: !entity.is_deleted,
        sprite: entity.components.sprite.as_ref().and_then(|it| it.appearance(entity.clip.frame(), entity.clip.flip_h)),
        parts: entity.components.parts(),
        layer: entity.layer,
        machines: listed.chain(queued).map(machine_view).collect(),
        life: entity.life_of(),
        saying: entity.saying.as_ref().map(|(text, _)| &**text),
        resolved: &entity.live,
    }
}

fn machine_view((running, queued, is_front): (&Running, bool, bool)) -> MachineView<'_> {
    MachineView {
        name: &running.program.name,
        state: running.program.path(running.cursor.current()),
        runs: is_front && running.cursor.is_started() && !running.cursor.is_stopped(),
        queued,
    }
}
