//! Which entities may carry walkers, and where to: for questions about whole levels, not for the tick.
//!
//! Invariant: the areas are never too small, so nobody is said not to get where something may carry it.

use glam::Vec2;

use crate::sim::{
    EntityKey,
    nav::Carrier,
    physics::{
        BodyKind, BodySpec,
        convex::{Aabb, area},
    },
    tracks::{Driven, Ease, Track},
};

use super::{World, carriers::route_of, entity::Entity};

/// The beginning of the names of the fields of zones.
const ZONE: &str = "Zone.";

/// The motion that an entity's tracks, route and velocity give it.
struct Course {
    /// Least and greatest positions of its origin, in pixels.
    ends: [Vec2; 2],
    /// About its greatest speed along each axis, px/s.
    speed: Vec2,
    /// Whether it turns.
    turns: bool,
}

impl World {
    /// The entities that may carry walkers: solid bodies that tracks, routes and joints move, and zones that lift walkers.
    /// Joints are made first, as in the first tick.
    pub(crate) fn carriers(&mut self) -> Vec<Carrier> {
        self.link_joints();
        let driven = self.physics.carried().filter_map(|key| self.driven_body(key));
        let others = self
            .entities
            .iter()
            .filter_map(|(key, entity)| self.jointed_body(key, entity).or_else(|| self.lifting_zone(key, entity)));
        driven.chain(others).collect()
    }

    /// Whether the level has lifts: solid bodies that tracks, routes or velocities move.
    pub(in crate::sim) fn has_lifts(&self) -> bool {
        self.physics.carried().any(|key| self.driven_body(key).is_some())
    }

    /// A solid kinematic body that a track, a route or its velocity moves.
    fn driven_body(&self, key: EntityKey) -> Option<Carrier> {
        let (entity, around) = (self.entities.get(key)?, self.physics.solid_bounds(key)?);
        let spec = self.physics.spec(key)?;
        if spec.collider.as_ref()?.is_sensor() {
            return None;
        }
        let Course { ends, speed, turns } = self.course(key, entity)?;
        let pos = entity.pose.pos;
        let (mut lo, mut hi) = (around.lo - pos, around.hi - pos);
        if turns {
            let far = Vec2::splat(lo.abs().max(hi.abs()).length());
            (lo, hi) = (-far, far);
        }
        let lowest_top = ends[1].y + if is_box(spec, entity.pose.angle) && !turns { lo.y } else { hi.y };
        let area = Aabb { lo: ends[0] + lo, hi: ends[1] + hi };
        Some(Carrier { id: entity.id.clone(), area, lowest_top, speed, is_driven: true })
    }

    /// A solid loose body that joints hold, which a motor, a spring or others may move.
    fn jointed_body(&self, key: EntityKey, entity: &Entity) -> Option<Carrier> {
        let (room, around) = (self.physics.joint_bounds(key)?, self.physics.solid_bounds(key)?);
        let level = self.level_px();
        let area = Aabb { lo: room.lo.max(level.lo), hi: room.hi.min(level.hi) }.union(around);
        let lowest_top = area.hi.y;
        Some(Carrier { id: entity.id.clone(), area, lowest_top, speed: Vec2::ZERO, is_driven: false })
    }

    /// A zone that may lift walkers: by an upward acceleration, by a pull, as water, without gravity, or by fields that
    /// tracks drive.
    fn lifting_zone(&self, key: EntityKey, entity: &Entity) -> Option<Carrier> {
        let spec = self.physics.spec(key)?;
        let (zone, collider) = (spec.zone.as_ref()?, spec.collider.as_ref()?);
        let is_driven = |track: &Track| matches!(&track.drives, Driven::Field(field) if field.starts_with(ZONE));
        let changes = entity.components.tracks.iter().any(is_driven);
        let lifts = zone.acceleration.y < 0.0 || zone.pull != 0.0 || zone.density > 0.0 || zone.replaces;
        let around = collider.bounds(entity.pose.pos, entity.pose.angle);
        let (pos, course) = (entity.pose.pos, self.course(key, entity));
        let area = course.map_or(around, |Course { ends: [lo, hi], turns, .. }| {
            let far = if turns { (around.hi - around.lo).length() } else { 0.0 };
            around.swept(lo - pos).union(around.swept(hi - pos)).grown(far)
        });
        // As fast as it makes what it accelerates all through it.
        let most = (zone.acceleration.length() + zone.pull.abs()).max(self.constants.gravity);
        let speed = Vec2::splat((2.0 * most * (area.hi - area.lo).max_element()).sqrt());
        let lowest_top = area.hi.y;
        let carrier = || Carrier { id: entity.id.clone(), area, lowest_top, speed, is_driven: false };
        (lifts || changes).then(carrier)
    }

    /// The motion of an entity; `None` if nothing moves it.
    fn course(&self, key: EntityKey, entity: &Entity) -> Option<Course> {
        let pos = entity.pose.pos;
        let (mut places, mut speed, mut turns) = (Vec::new(), Vec2::ZERO, false);
        if let Some(platform) = &entity.components.platform {
            let (layer, tag) = route_of(platform, &self.rules.level);
            let route = self.route(layer, tag, pos).ok();
            let points: Vec<Vec2> = route.iter().flat_map(|route| route.points.to_vec()).chain([pos]).collect();
            let extent = points.iter().fold(Vec2::ZERO, |most, at| most.max((*at - pos).abs()));
            speed = Vec2::select(extent.cmpgt(Vec2::ZERO), Vec2::splat(platform.speed.abs()), Vec2::ZERO);
            places.extend(points);
        }
        for track in entity.components.tracks.iter() {
            match track.drives {
                Driven::Position => {
                    let (way, fastest) = way_of(track);
                    places.extend(way.into_iter().map(|at| if track.added { pos + at } else { at }));
                    speed = speed.max(fastest);
                }
                Driven::Rotation => turns = true,
                Driven::Field(_) => {}
            }
        }
        if places.is_empty() && self.physics.spec(key).is_some_and(|spec| spec.kind == BodyKind::Kinematic) {
            // By its velocity it goes on to the end of the level.
            let (vel, level) = (entity.pose.vel, self.level_px());
            let end = |vel: f32, lo: f32, hi: f32, at: f32| match vel {
                vel if vel < 0.0 => lo,
                vel if vel > 0.0 => hi,
                _ => at,
            };
            if vel != Vec2::ZERO {
                let [x, y] = [0, 1].map(|i| end(vel[i], level.lo[i], level.hi[i], pos[i]));
                places.push(Vec2::new(x, y));
            }
            speed = speed.max(vel.abs());
            turns |= entity.pose.spin != 0.0;
        }
        if places.is_empty() && !turns {
            return None;
        }
        let ends = places.iter().fold([pos; 2], |[lo, hi], at| [lo.min(*at), hi.max(*at)]);
        Some(Course { ends, speed, turns })
    }

    /// The box around the cells of the level, in pixels.
    fn level_px(&self) -> Aabb {
        let (first, last) = self.rules.grid.bounds();
        let half = (self.rules.grid.center([1, 1]) - self.rules.grid.center([0, 0])) / 2.0;
        Aabb { lo: self.rules.grid.center(first) - half, hi: self.rules.grid.center(last) - half }
    }
}

/// Whether a body's only solid part is an upright rectangle at an angle in radians.
fn is_box(spec: &BodySpec, angle: f32) -> bool {
    let part = spec.collider.as_ref().and_then(|collider| collider.only_outline());
    part.is_some_and(|part| {
        let part = part.placed(Vec2::ZERO, angle);
        let Aabb { lo, hi } = part.aabb();
        let whole = (hi - lo).element_product();
        (area(&part.outline()) - whole).abs() < 1e-3 * whole
    })
}

/// Places (px) along a track of positions, and about its greatest speed along each axis (px/s); steps have none.
fn way_of(track: &Track) -> (Vec<Vec2>, Vec2) {
    const N_PARTS: u32 = 16;
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let at = |secs: f64| track.lanes_at(secs).map(|[x, y, ..]| Vec2::new(x as f32, y as f32));
    let mut places: Vec<Vec2> = track.keys.iter().filter_map(|key| at(key.at)).collect();
    let mut fastest = Vec2::ZERO;
    for pair in track.keys.windows(2).filter(|pair| pair[0].ease != Ease::Step && pair[0].at < pair[1].at) {
        let part = (pair[1].at - pair[0].at) / f64::from(N_PARTS);
        let way: Vec<Vec2> = (0..=N_PARTS).filter_map(|i| at(pair[0].at + part * f64::from(i))).collect();
        #[expect(clippy::cast_possible_truncation, reason = "seconds")]
        let speeds = way.windows(2).map(|ends| (ends[1] - ends[0]).abs() / part as f32);
        fastest = speeds.fold(fastest, Vec2::max);
        places.extend(way);
    }
    (places, fastest)
}
