//! Whether an agent makes progress on its order, and the reaction if not: another path, then a report.
//!
//! Invariant: a walker over ledges makes progress only by getting nearer to the end of its leg, or by finishing it;
//! motion alone is no progress, or an agent that falls off and climbs up again would continue for ever. Failed tries
//! are counted in `legs`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Fields, Value},
    sim::{
        EntityKey,
        components::Components,
        nav::{NoPath, NoPathReason},
    },
};

use super::{World, order::Order, tick::rounded};

/// The least share of its speed with which an agent makes progress.
const LEAST_PACE: f32 = 0.25;
/// Distances in pixels, least and greatest, that count as progress whatever the agent's speed.
const PROGRESS_PX: (f32, f32) = (0.5, 8.0);
/// How many times `Navigation.stuck_secs` an agent may move without getting nearer to its goal.
const AWAY_FACTOR: f32 = 5.0;
/// The same after it has waited in vain.
const AGAIN_FACTOR: f32 = 2.0;
/// The least share of the time in the air of a walker that zones keep there.
const LEAST_IN_AIR: f32 = 0.25;
/// The work charged for finding the bodies in the way of an agent.
const WAY_WORK: u64 = 512;

/// The place of an agent, with the measure of its progress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reached {
    /// Anywhere: a change of place is progress.
    Place(Vec2),
    /// In the air, where only hanging in one place is no progress.
    InAir(Vec2),
    /// On the ground, with the distance to the end of a leg: progress is getting nearer.
    Toward(Vec2, Toward),
}

/// The rest of a part of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Toward {
    /// Identity of the part: its start and end; for one on foot the end twice.
    pub(super) ends: [Vec2; 2],
    /// Number of its turns for a run-up.
    pub(super) n_run_ups: u32,
    /// Horizontal distance left, in pixels.
    pub(super) left_px: f32,
}

impl Toward {
    fn is_on_foot(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    fn is_same(&self, other: &Self) -> bool {
        self.ends == other.ends && self.n_run_ups == other.n_run_ups
    }
}

/// How near an agent has come to a goal, along its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Approach {
    /// Position of the goal, in pixels.
    goal: Vec2,
    /// The tick of the search that its path comes from.
    search: Option<u64>,
    /// The least length left of any path to this goal, and of the present path, in pixels.
    least_px: f32,
    path_least_px: f32,
    /// Time since it last got nearer along the path that it had then, in seconds.
    since_secs: f32,
    /// Time without such progress since it was nearest to the goal, in seconds.
    away_secs: f32,
}

/// How long a walker has been near a place, in zones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Aloft {
    /// Where it was at first, in pixels.
    from: Vec2,
    secs: f32,
    in_air_secs: f32,
}

/// Progress of an agent between two ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// It is farther along than before.
    Progress,
    /// It moves, perhaps without getting farther.
    Moves,
    /// It does not move.
    Rests,
}

/// The least distance in pixels that counts as progress of an agent: it may still gather speed.
fn enough_px(components: &Components, limit_secs: f32) -> f32 {
    let speed = components.speed().min(components.acceleration() * limit_secs / 2.0);
    (LEAST_PACE * speed * limit_secs).clamp(PROGRESS_PX.0, PROGRESS_PX.1)
}

/// Which is too little for an agent to make progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooLittle {
    Speed,
    Acceleration,
}

/// Why an agent is too slow to make progress, if it is.
pub(super) fn too_little(components: &Components, limit_secs: f32) -> Option<TooLittle> {
    let (speed, gained) = (components.speed(), components.acceleration() * limit_secs);
    let what = if speed <= gained { TooLittle::Speed } else { TooLittle::Acceleration };
    (speed.min(gained) * limit_secs <= PROGRESS_PX.0).then_some(what)
}

impl Reached {
    pub(super) fn place(&self) -> Vec2 {
        let (Self::Place(place) | Self::InAir(place) | Self::Toward(place, _)) = *self;
        place
    }

    /// The progress from the last place to this one, with `enough_px` as the least distance; and the place to remember.
    fn after(self, last: Self, enough_px: f32) -> (Pace, Self) {
        let is_moved = last.place().distance(self.place()) >= enough_px;
        let (pace, is_nearer) = match (last, self) {
            (Self::Toward(_, last), Self::Toward(_, now)) if last.is_same(&now) => {
                let is_nearer = now.left_px <= last.left_px - enough_px;
                (if is_nearer { Pace::Progress } else { Pace::Rests }, is_nearer)
            }
            // The goal moves: getting nearer to its old place is not what counts.
            (Self::Toward(_, last), Self::Toward(_, now)) if last.is_on_foot() && now.is_on_foot() => {
                (if is_moved { Pace::Progress } else { Pace::Rests }, is_moved)
            }
            (Self::Place(_), Self::Place(_)) => (if is_moved { Pace::Progress } else { Pace::Rests }, is_moved),
            _ => (if is_moved { Pace::Moves } else { Pace::Rests }, is_moved),
        };
        let kept = match (last, self) {
            _ if is_nearer => self,
            (Self::Toward(_, was), Self::Toward(_, now)) if was.is_same(&now) => last,
            // The part of the path has changed, at the same place.
            (_, Self::Toward(_, now)) => Self::Toward(last.place(), now),
            (_, Self::InAir(_)) => Self::InAir(last.place()),
            (_, Self::Place(_)) => Self::Place(last.place()),
        };
        (pace, kept)
    }
}

impl World {
    /// The reason why an agent gets no farther toward a place, given relative to it, if a zone holds it back, or one has
    /// lately blown it about.
    pub(super) fn held_back(&self, key: EntityKey, to: Vec2) -> Option<NoPath> {
        let ahead = self.zone_ahead(key, to).and_then(|(_, ahead)| Some(self.pos(key)? + ahead));
        let at = ahead.or_else(|| self.lately_overpowered(key))?;
        Some(NoPath { reason: NoPathReason::HeldBack, at })
    }

    /// The zone that holds an agent back from a place, given relative to it, and where it was looked for: near the agent.
    fn zone_ahead(&self, key: EntityKey, to: Vec2) -> Option<(EntityKey, Vec2)> {
        const AHEAD_PX: f32 = 16.0;
        let ahead = to.clamp_length_max(AHEAD_PX);
        Some((self.physics.zone_against(key, ahead, self.least_speed(key)?)?, ahead))
    }

    /// The zone that holds an agent back from a place, given relative to it, or else acts on it.
    pub(super) fn zone_at(&self, key: EntityKey, to: Vec2) -> Option<EntityKey> {
        let ahead = self.zone_ahead(key, to).map(|(zone, _)| zone);
        ahead.or_else(|| self.physics.strongest_zone(key, self.least_speed(key)?))
    }

    /// The least speed with which an agent makes progress, px/s.
    fn least_speed(&self, key: EntityKey) -> Option<f32> {
        Some(LEAST_PACE * self.entities.get(key)?.components.speed())
    }

    /// Record whether zones accelerate an agent more than it can itself: wind that comes and goes may be gone when it is
    /// found to be stuck.
    pub(super) fn note_zones(&mut self, key: EntityKey) {
        if !self.physics.is_in_zone(key) {
            return;
        }
        let Some((speed, goal)) = self.least_speed(key).zip(self.goal(key)) else { return };
        let Some(entity) = self.entities.get(key) else { return };
        let (pos, on_ledges) = (entity.pose.pos, self.walks_on_ledges(entity));
        if self.physics.is_overpowered(key, speed, goal - pos, on_ledges)
            && let Some(entity) = self.entities.get_mut(key)
        {
            entity.movement.overpowered = Some((self.tick, pos));
        }
    }

    /// Where zones lately accelerated an agent more than it can itself.
    fn lately_overpowered(&self, key: EntityKey) -> Option<Vec2> {
        let (tick, at) = self.entities.get(key)?.movement.overpowered?;
        #[expect(clippy::cast_precision_loss, reason = "a few ticks")]
        let ago_secs = self.tick.saturating_sub(tick) as f32 * self.dt();
        (ago_secs <= AWAY_FACTOR * self.stuck_limit_secs()).then_some(at)
    }

    pub(super) fn stuck_limit_secs(&self) -> f32 {
        self.constants.stuck_secs.max(0.1)
    }

    /// Record how long a walker seen from the side has been near the same place in zones, and report it if these keep it
    /// in the air. It may touch the ground or a ceiling now and then.
    pub(super) fn note_aloft(&mut self, key: EntityKey) {
        if self.lately_overpowered(key).is_none() {
            self.entities.get_mut(key).into_iter().for_each(|entity| entity.movement.aloft = None);
            return;
        }
        let (dt, limit_secs, in_air) = (self.dt(), self.stuck_limit_secs(), self.physics.is_in_air(key));
        let Some(entity) = self.entities.get_mut(key) else { return };
        // Half as far as it walks in that time.
        let (pos, far) = (entity.pose.pos, entity.components.speed() * AWAY_FACTOR / 2.0 * limit_secs);
        let known = entity.movement.aloft.filter(|known| known.from.distance(pos) < far);
        let mut aloft = known.unwrap_or(Aloft { from: pos, secs: 0.0, in_air_secs: 0.0 });
        aloft.secs += dt;
        aloft.in_air_secs += if in_air { dt } else { 0.0 };
        let is_kept = aloft.secs > AWAY_FACTOR * limit_secs && aloft.in_air_secs > LEAST_IN_AIR * aloft.secs;
        entity.movement.aloft = (!is_kept).then_some(aloft);
        if is_kept {
            self.report_no_path(key, NoPath { reason: NoPathReason::HeldBack, at: pos });
        }
    }

    /// Record that an entity with an order to go somewhere cannot move by itself, and report it after a while.
    pub(super) fn note_immobile(&mut self, key: EntityKey) {
        let (dt, limit_secs) = (self.dt(), self.stuck_limit_secs());
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        if !matches!(movement.order, Order::Route { .. } | Order::GoTo { .. } | Order::Chase(_)) {
            return;
        }
        let at = entity.pose.pos;
        // A track, or others, may take it there.
        let is_moved = movement.reached.is_none_or(|last| last.place().distance(at) >= PROGRESS_PX.0);
        if is_moved {
            (movement.reached, movement.stuck_secs) = (Some(Reached::Place(at)), 0.0);
        }
        movement.stuck_secs += dt;
        let is_known = movement.no_path.is_some_and(|it| it.reason == NoPathReason::CannotMove);
        let far_px = self.constants.arrive_distance;
        if movement.stuck_secs >= limit_secs
            && !is_known
            && self.goal(key).is_some_and(|goal| goal.distance(at) > far_px)
        {
            self.report_no_path(key, NoPath { reason: NoPathReason::CannotMove, at });
        }
    }

    /// Store why an entity does not reach its goal, and send it a message if the reason is new.
    pub(super) fn report_no_path(&mut self, key: EntityKey, no_path: NoPath) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let old = entity.movement.no_path.replace(no_path);
        if old.is_none_or(|old| old.reason != no_path.reason) {
            let blocked = self.rules.blocked;
            let payload: Fields = [
                ("reason".into(), Value::Symbol(no_path.reason.name().into())),
                ("at".into(), Value::vec2(rounded(no_path.at.x), rounded(no_path.at.y))),
            ]
            .into();
            self.send_from_world(key, blocked, None, Arc::new(payload));
        }
    }

    /// Report an order whose target matches nothing; an order that waits for its target continues when there is one.
    pub(super) fn note_target(&mut self, key: EntityKey) {
        let has_goal = self.goal(key).is_some();
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        if !matches!(movement.order, Order::Chase(_) | Order::Nowhere(_)) {
            return;
        }
        let lacks = NoPath { reason: NoPathReason::NoTarget, at: entity.pose.pos };
        if !has_goal {
            self.report_no_path(key, lacks);
        } else if movement.no_path.is_some_and(|it| it.reason == lacks.reason) {
            movement.no_path = None;
        }
    }

    /// Record how much of an agent's path to its goal is left, in pixels, and report an agent that keeps moving without
    /// getting nearer, because it circles an agent at its goal or alternates between two paths; it then stands still for a
    /// while, unless a body blocks its way.
    pub(super) fn note_approach(
        &mut self,
        key: EntityKey,
        (goal, left_px): (Vec2, f32),
        stuck: impl FnOnce(&Self) -> NoPath,
    ) {
        let (dt, limit_secs) = (self.dt(), self.stuck_limit_secs());
        // Until its answer comes, the path is that of the search before.
        let is_searching = self.navigator.is_waiting(key);
        let Some(entity) = self.entities.get_mut(key) else { return };
        if too_little(&entity.components, limit_secs).is_some() {
            return;
        }
        let enough = enough_px(&entity.components, limit_secs);
        let search = entity.movement.searched_path.as_ref().filter(|_| !is_searching).map(|search| search.tick);
        let new = Approach { goal, search, least_px: left_px, path_least_px: left_px, since_secs: 0.0, away_secs: 0.0 };
        let known = entity.movement.approach.filter(|known| known.goal.distance(goal) <= PROGRESS_PX.1);
        let mut now = known.unwrap_or(new);
        // To have another path is no progress: in a crowd it looks for one again and again.
        if now.search != search {
            now = Approach { search, path_least_px: left_px, ..now };
        }
        if left_px <= now.path_least_px - enough {
            (now.path_least_px, now.since_secs) = (left_px, 0.0);
        } else {
            now.since_secs += dt;
        }
        // After a wait it searches again and again, which would always begin the time anew.
        let is_again = entity.movement.wait.is_some();
        let is_nearest = left_px <= now.least_px - enough;
        if is_nearest {
            (now.least_px, now.away_secs) = (left_px, 0.0);
        } else if is_again || now.since_secs > limit_secs / 2.0 {
            now.away_secs += dt;
        }
        let is_lost = now.away_secs >= limit_secs * if is_again { AGAIN_FACTOR } else { AWAY_FACTOR };
        now.away_secs = if is_lost { 0.0 } else { now.away_secs };
        entity.movement.approach = Some(now);
        if is_nearest {
            entity.movement.mark_approach();
        }
        if is_lost && self.charge(WAY_WORK, "look for who is at its goal") {
            let stuck = stuck(self);
            if let Some(blocked) = self.blocked_by_body(key, stuck) {
                return self.report_no_path(key, blocked);
            }
            // It moves, so it is no jam: first it looks for who is at its goal.
            if stuck.reason != NoPathReason::Crowded {
                self.pause(key, goal, Vec::new());
            } else if !self.begin_wait(key, goal) && self.pass_through(key) {
                return;
            }
            self.report_no_path(key, stuck);
        }
    }

    /// Record the progress of an agent that tries to move, and react to a lack of it: request another path once, then
    /// report why it is stuck.
    pub(super) fn note_progress(&mut self, key: EntityKey, now: Reached, stuck: impl FnOnce(&Self) -> NoPath) {
        let (dt, limit_secs) = (self.dt(), self.stuck_limit_secs());
        let Some(entity) = self.entities.get_mut(key) else { return };
        let enough = enough_px(&entity.components, limit_secs);
        let movement = &mut entity.movement;
        let (pace, reached) = movement.reached.map_or((Pace::Progress, now), |last| now.after(last, enough));
        if pace == Pace::Progress {
            movement.mark_progress();
        }
        movement.reached = Some(reached);
        if pace != Pace::Rests {
            movement.stuck_secs = 0.0;
            return;
        }
        movement.stuck_secs += dt;
        if movement.stuck_secs < limit_secs {
            return;
        }
        movement.stuck_secs = 0.0;
        if too_little(&entity.components, limit_secs).is_some() {
            let at = now.place();
            return self.report_no_path(key, NoPath { reason: NoPathReason::CannotMove, at });
        }
        // It looks for another path the first time, and where something else is in its way.
        if !self.charge(WAY_WORK, "look for a way around others") {
            return;
        }
        let stuck = stuck(self);
        if stuck.reason == NoPathReason::Wall && self.leave_out_link(key) {
            return;
        }
        let (around, blocked) = (self.in_its_way(key), self.blocked_by_body(key, stuck));
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        let is_first = !std::mem::replace(&mut movement.has_replanned, true);
        // Not by shapes: what is pushed, or jitters, is in another place each time.
        let is_other = !movement.around.keys().eq(around.keys());
        movement.around = Arc::new(around);
        if (is_first || is_other) && movement.searched_path.take().is_some() {
            return;
        }
        if let Some(blocked) = blocked {
            return self.report_no_path(key, blocked);
        }
        if let Some(goal) = self.goal(key).filter(|_| stuck.reason == NoPathReason::Crowded) {
            if self.pass_through(key) {
                return;
            }
            self.begin_wait(key, goal);
        }
        self.report_no_path(key, stuck);
    }
}
