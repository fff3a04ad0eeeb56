//! Whether an agent makes progress on its order, and the reaction if not: another path, then a report.
//!
//! Invariant: a walker over ledges makes progress only by getting nearer to the end of its leg, or by finishing it;
//! motion alone is no progress, or an agent that falls off and climbs up again would continue for ever. Failed tries
//! are counted in `legs`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec2;

use crate::{
    model::{Fields, Value},
    sim::{
        EntityKey,
        nav::{NoPath, NoPathReason},
        physics::convex::Convex,
    },
};

use super::{
    World,
    crowd::MAX_FAR_PX,
    entity::Entity,
    order::{Order, Wait},
    tick::rounded,
};

/// The least share of its speed with which an agent makes progress.
const LEAST_PACE: f32 = 0.25;
/// Distances in pixels, least and greatest, that count as progress whatever the agent's speed.
const PROGRESS_PX: (f32, f32) = (0.5, 8.0);
/// How many times `Navigation.stuck_secs` an agent may move without getting nearer to its goal.
const AWAY_FACTOR: f32 = 5.0;
/// The same after it has waited in vain.
const AGAIN_FACTOR: f32 = 2.0;
/// Speed below which an agent without an order is at rest, px/s.
const RESTING_PX_S: f32 = 1.0;
/// The most bodies that an agent looks for a path around.
const MAX_IN_WAY: usize = 64;
/// Distance between the bodies of agents, besides what they keep by avoiding each other, at which one may hold up the
/// other, in pixels.
const BESIDE_PX: f32 = 4.0;
/// How long an agent waits that others keep from its goal, in seconds: at first, and at most after waiting in vain.
const WAIT_SECS: (f32, f32) = (4.0, 64.0);
/// How often it looks whether they are still there, in seconds.
const LOOK_SECS: f32 = 0.5;
/// The work charged for finding them.
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
    /// Time since it last got nearer on the present path, in seconds.
    since_secs: f32,
    /// Time without such progress since it was nearest to the goal, in seconds.
    away_secs: f32,
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

/// The least distance in pixels that counts as progress of an agent with a speed in px/s; `None` if it cannot move.
fn enough_px(speed: f32, limit_secs: f32) -> Option<f32> {
    (speed > 0.0).then(|| (LEAST_PACE * speed * limit_secs).clamp(PROGRESS_PX.0, PROGRESS_PX.1))
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
    /// getting nearer: because it circles an agent at its goal, or alternates between two paths.
    pub(super) fn note_approach(
        &mut self,
        key: EntityKey,
        (goal, left_px): (Vec2, f32),
        stuck: impl FnOnce(&Self) -> NoPath,
    ) {
        let (dt, limit_secs) = (self.dt(), self.constants.stuck_secs.max(0.1));
        // Until its answer comes, the path is that of the search before.
        let is_waiting = self.navigator.is_waiting(key);
        let Some(entity) = self.entities.get_mut(key) else { return };
        let Some(enough) = enough_px(entity.components.speed(), limit_secs) else { return };
        let search = entity.movement.searched_path.as_ref().filter(|_| !is_waiting).map(|search| search.tick);
        let new = Approach { goal, search, least_px: left_px, path_least_px: left_px, since_secs: 0.0, away_secs: 0.0 };
        let known = entity.movement.approach.filter(|known| known.goal.distance(goal) <= PROGRESS_PX.1);
        let mut now = known.unwrap_or(new);
        if now.search != search {
            now = Approach { search, path_least_px: left_px, since_secs: 0.0, ..now };
        }
        if left_px <= now.path_least_px - enough {
            (now.path_least_px, now.since_secs) = (left_px, 0.0);
        } else {
            now.since_secs += dt;
        }
        // One that reported looks for new paths all the time.
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
        if is_lost {
            let stuck = stuck(self);
            if stuck.reason == NoPathReason::Crowded && !self.wait(key, goal) && self.pass_through(key) {
                return;
            }
            self.report_no_path(key, stuck);
        }
    }

    /// Record the progress of an agent that tries to move, and react to a lack of it: request another path once, then
    /// report why it is stuck.
    pub(super) fn note_progress(&mut self, key: EntityKey, now: Reached, stuck: impl FnOnce(&Self) -> NoPath) {
        let (dt, limit_secs) = (self.dt(), self.constants.stuck_secs.max(0.1));
        let Some(entity) = self.entities.get_mut(key) else { return };
        let Some(enough) = enough_px(entity.components.speed(), limit_secs) else { return };
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
        // It looks for another path the first time, and where something else is in its way.
        if !self.charge(WAY_WORK, "look for a way around others") {
            return;
        }
        let around = self.in_its_way(key);
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        let is_first = !std::mem::replace(&mut movement.has_replanned, true);
        // Not by shapes: what is pushed, or jitters, is in another place each time.
        let is_other = !movement.around.keys().eq(around.keys());
        movement.around = Arc::new(around);
        if (is_first || is_other) && movement.searched_path.take().is_some() {
            return;
        }
        let stuck = stuck(self);
        if stuck.reason == NoPathReason::Crowded {
            if self.pass_through(key) {
                return;
            }
            if let Some(goal) = self.goal(key) {
                self.wait(key, goal);
            }
        }
        self.report_no_path(key, stuck);
    }

    /// Let an agent go through others for a while: those that would not stop it, and those that are under way, which then
    /// go through others as well. Returns whether there are any.
    fn pass_through(&mut self, key: EntityKey) -> bool {
        let until = self.tick + self.ticks(self.constants.pass_secs);
        let Some(me) = self.entities.get(key).filter(|me| self.tick > me.movement.passes_until) else { return false };
        let avoids = self.avoids(me);
        let mut others = self.physics.overlapping_circle(me.pose.pos, self.meeting_reach(me));
        others.retain(|other| *other != key && self.entities.get(*other).is_some_and(|it| it.is_agent()));
        let (mut solid, free): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|other| self.physics.stop_each_other(key, *other));
        solid.retain(|other| !self.has_stopped(*other));
        if until == self.tick || solid.is_empty() && (free.is_empty() || !avoids) {
            return false;
        }
        for one in solid.into_iter().chain([key]) {
            if let Some(one) = self.entities.get_mut(one) {
                one.movement.passes_until = one.movement.passes_until.max(until);
            }
        }
        true
    }

    /// Let an agent wait, longer each time, if agents without an order are beside it or at its goal. Returns whether there
    /// are any.
    fn wait(&mut self, key: EntityKey, goal: Vec2) -> bool {
        let Some(me) = self.entities.get(key).filter(|me| !self.walks_on_ledges(me)) else { return false };
        let avoids = self.avoids(me);
        let mut others = self.agents_that_stay(me.pose.pos, self.meeting_reach(me), key, avoids);
        others.extend(self.agents_that_stay(goal, me.components.agent_radius(), key, avoids));
        let resting =
            |other: EntityKey| Some((other, self.entities.get(other).filter(|it| it.movement.is_idle())?.pose.pos));
        let others: Vec<(EntityKey, Vec2)> = others.into_iter().filter_map(resting).collect();
        if others.is_empty() {
            return false;
        }
        let secs = me.movement.wait.as_ref().map_or(WAIT_SECS.0, |before| (2.0 * before.secs).min(WAIT_SECS.1));
        let (until, look_at) = (self.tick + self.ticks(secs), self.tick + self.ticks(LOOK_SECS));
        if let Some(me) = self.entities.get_mut(key) {
            me.movement.wait = Some(Wait { goal, until, look_at, secs, others });
        }
        true
    }

    /// Whether an agent waits for others to leave. It does no longer if one of them has left, or the goal has.
    pub(super) fn waits(&mut self, key: EntityKey, goal: Vec2) -> bool {
        let Some(me) = self.entities.get(key).filter(|me| me.movement.is_waiting(self.tick)) else { return false };
        let Some(wait) = me.movement.wait.as_ref() else { return false };
        let is_there = |(other, at): &(EntityKey, Vec2)| {
            let it = self.entities.get(*other).filter(|it| it.movement.is_idle());
            it.is_some_and(|it| it.pose.pos.distance(*at) <= PROGRESS_PX.1)
        };
        let looks = self.tick >= wait.look_at;
        let goes = wait.goal.distance(goal) > PROGRESS_PX.1 || looks && !wait.others.iter().all(is_there);
        let (now, look_at) = (self.tick, self.tick + self.ticks(LOOK_SECS));
        let wait = self.entities.get_mut(key).and_then(|me| me.movement.wait.as_mut());
        if let Some(wait) = wait.filter(|_| goes || looks) {
            wait.look_at = look_at;
            wait.until = if goes { now } else { wait.until };
        }
        !goes
    }

    /// Whether an agent has no order, or waits.
    pub(super) fn has_stopped(&self, key: EntityKey) -> bool {
        let movement = self.entities.get(key).map(|it| &it.movement);
        movement.is_some_and(|it| it.is_idle() || it.is_waiting(self.tick))
    }

    /// The number of ticks of a duration in seconds, rounded down.
    fn ticks(&self, secs: f32) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few ticks")]
        let n = (f64::from(secs) * self.rules.hz) as u64;
        n
    }

    /// How far from an agent's position others may hold it up, in pixels.
    fn meeting_reach(&self, agent: &Entity) -> f32 {
        if self.avoids(agent) { self.avoid_reach(agent) } else { agent.components.agent_radius() + BESIDE_PX }
    }

    /// Whether an agent has others right beside it that it avoids, or that are solid to it.
    pub(super) fn is_beside_agents(&self, key: EntityKey) -> bool {
        let Some(me) = self.entities.get(key) else { return false };
        let near = self.physics.overlapping_circle(me.pose.pos, me.components.agent_radius() + BESIDE_PX);
        let avoids = self.avoids(me);
        let is_met = |other: EntityKey| other != key && (avoids || self.physics.stop_each_other(key, other));
        near.into_iter().any(|other| is_met(other) && self.entities.get(other).is_some_and(|it| it.is_agent()))
    }

    /// Whether an agent goes around others before it touches them.
    fn avoids(&self, agent: &Entity) -> bool {
        agent.components.agent.avoid_secs > 0.0 && !self.walks_on_ledges(agent)
    }

    /// How far an agent looks for others that rest, in pixels.
    fn avoid_reach(&self, agent: &Entity) -> f32 {
        let components = &agent.components;
        (components.speed() * components.agent.avoid_secs + 2.0 * components.agent_radius()).min(MAX_FAR_PX)
    }

    /// The bodies around which an agent without progress looks for a path: those that it touches, the agents that it
    /// avoids, and the agents so near to one of these that it fits through nowhere between them; of all of them, those
    /// that do not move away by themselves.
    fn in_its_way(&self, key: EntityKey) -> BTreeMap<(EntityKey, usize), Convex> {
        let Some(me) = self.entities.get(key) else { return BTreeMap::new() };
        let (pos, radius) = (me.pose.pos, me.components.agent_radius());
        let avoids = self.avoids(me);
        let touched = self.physics.touching(key).into_iter().filter(|contact| !contact.sensor);
        let touched = touched.filter_map(|contact| contact.b.entity());
        let mut found: BTreeSet<EntityKey> = touched.filter(|other| *other != key && self.stays(*other, key)).collect();
        if avoids {
            found.extend(self.agents_that_stay(pos, self.avoid_reach(me), key, avoids));
        }
        let mut rest: Vec<EntityKey> = found.iter().copied().collect();
        while let Some(one) = rest.pop().filter(|_| found.len() < MAX_IN_WAY) {
            let Some(middle) = self.pos(one) else { continue };
            let far = self.physics.bounds(one).map_or(0.0, |bounds| (bounds.hi - bounds.lo).max_element() / 2.0);
            let next = self.agents_that_stay(middle, far + 2.0 * radius, key, avoids);
            rest.extend(next.into_iter().filter(|other| found.len() < MAX_IN_WAY && found.insert(*other)));
        }
        let shapes = |other: EntityKey| {
            let solid = self.physics.shapes(other);
            let entity = self.entities.get(other).filter(|it| avoids && it.is_agent());
            let avoided = entity.map(|it| Convex { points: vec![it.pose.pos], radius: it.components.agent_radius() });
            solid.into_iter().chain(avoided).enumerate().map(move |(i, part)| ((other, i), part))
        };
        found.into_iter().flat_map(shapes).collect()
    }

    /// The nearest agents whose bodies are within `far` pixels of a place and that stay there, as seen by one of them that
    /// avoids all, or is stopped by those that are solid to it.
    fn agents_that_stay(&self, place: Vec2, far: f32, me: EntityKey, avoids: bool) -> Vec<EntityKey> {
        let is_met = |other: &EntityKey| {
            *other != me
                && self.entities.get(*other).is_some_and(|it| it.is_agent())
                && self.stays(*other, me)
                && (avoids || self.physics.stop_each_other(me, *other))
        };
        let mut near: Vec<EntityKey> = self.physics.overlapping_circle(place, far).into_iter().filter(is_met).collect();
        let far_of = |key: &EntityKey| self.pos(*key).map_or(f32::INFINITY, |pos| pos.distance_squared(place));
        near.sort_by(|a, b| far_of(a).total_cmp(&far_of(b)).then(a.cmp(b)));
        near.truncate(MAX_IN_WAY);
        near
    }

    /// Whether a body does not move away by itself: a loose one, or an agent at rest. Of two agents that hold each other
    /// up, one stays and the other goes around it.
    fn stays(&self, other: EntityKey, me: EntityKey) -> bool {
        let Some((spec, entity)) = self.physics.spec(other).zip(self.entities.get(other)) else { return false };
        let movement = &entity.movement;
        let rests = self.has_stopped(other) && entity.pose.vel.length() < RESTING_PX_S;
        let is_stuck = movement.has_replanned || movement.stuck_secs > self.constants.stuck_secs / 2.0;
        if spec.is_mover() { rests || me < other && is_stuck } else { spec.is_dynamic() }
    }
}
