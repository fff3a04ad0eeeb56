//! Agents in each other's way: what an agent without progress goes around, goes through, or waits for.
//!
//! Invariant: only agents under way go through solid ones; agents at rest stay solid. An agent waits only for agents at
//! rest beside it or at its goal, and no longer than these are there; or because all its motion leads no nearer. When an
//! agent lacks progress is in `progress`.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::{
    model::LevelView,
    sim::{
        EntityKey,
        nav::{Leg, NoPath, NoPathReason},
        physics::{BodySpec, Contact, convex::Convex},
    },
};

use super::{
    World,
    crowd::MAX_FAR_PX,
    entity::Entity,
    legs::foot_end,
    order::{Order, Wait},
};

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
/// How often those who go through others are checked, in ticks.
const CHECK_TICKS: u64 = 4;
/// Least cosine of the angle at which another is right ahead.
const AHEAD: f32 = 0.5;
/// A contact with a greater vertical share of its normal holds a walker up, and does not block it.
const STANDING_NORMAL: f32 = 0.7;
/// How far within a body the place of its contact with an agent is put, in pixels.
const INSIDE_PX: f32 = 2.0;
/// Distance in pixels within which two goals are the same, and an agent is still at its place.
const SAME_PLACE_PX: f32 = 8.0;

impl World {
    /// The entities that go through others of these in this tick. Who would stop in another goes on; who comes to a queue
    /// stops.
    pub(super) fn passing(&mut self) -> BTreeSet<EntityKey> {
        let passes = |entity: &Entity| entity.movement.passes(self.tick);
        let mut passing: BTreeSet<EntityKey> =
            self.entities.iter().filter(|(_, entity)| passes(entity)).map(|(key, _)| key).collect();
        if passing.is_empty() || !self.tick.is_multiple_of(CHECK_TICKS) {
            return passing;
        }
        let until = self.tick + 2 * CHECK_TICKS;
        let is_in = |key: EntityKey, me: &Entity| {
            let (middle, reach) = self.reach_beside(key, me);
            let mut near = self.agents_met(middle, reach, key).into_iter();
            near.any(|other| passing.contains(&other) && self.physics.are_within(key, other, 0.0))
        };
        let change = |key: EntityKey| {
            let me = self.entities.get(key)?;
            let is_in = is_in(key, me);
            if self.is_held(key) {
                return (!is_in).then_some((key, self.tick));
            }
            (is_in && !me.movement.is_at_rest() && me.movement.passes_until < until).then_some((key, until))
        };
        let changes: Vec<(EntityKey, u64)> = passing.iter().filter_map(|key| change(*key)).collect();
        for (key, until) in changes {
            if let Some(entity) = self.entities.get_mut(key) {
                entity.movement.passes_until = until;
            }
            if until == self.tick {
                passing.remove(&key);
            }
        }
        passing
    }

    /// Let an agent go through others ahead for a while: those that would not stop it, and those that are under way, which
    /// then go through others as well. Returns whether there are any.
    pub(super) fn pass_through(&mut self, key: EntityKey) -> bool {
        let until = self.tick + self.ticks(self.constants.pass_secs);
        let Some(me) = self.entities.get(key).filter(|me| !me.movement.passes(self.tick)) else { return false };
        if until == self.tick || self.is_held(key) {
            return false;
        }
        let (middle, reach) = self.reach_beside(key, me);
        let reach = if self.avoids(me) { self.avoid_reach(me) } else { reach };
        let way = self.way_of(key, me);
        let is_ahead = |other: &EntityKey| self.pos(*other).is_some_and(|pos| (pos - me.pose.pos).dot(way) > 0.0);
        let near = self.agents_met(middle, reach, key).into_iter().filter(is_ahead);
        let (mut solid, free): (Vec<_>, Vec<_>) = near.partition(|other| self.physics.stop_each_other(key, *other));
        solid.retain(|other| self.entities.get(*other).is_some_and(|it| !it.movement.is_at_rest()));
        if solid.is_empty() && free.is_empty() {
            return false;
        }
        for one in solid.into_iter().chain([key]) {
            if let Some(one) = self.entities.get_mut(one) {
                one.movement.passes_until = one.movement.passes_until.max(until);
            }
        }
        true
    }

    /// Whether an agent is held up by one at rest: right ahead of it, or at the head of the queue that it stands in. Those
    /// who went through each other there would press on the one at rest together.
    fn is_held(&self, key: EntityKey) -> bool {
        self.in_queue(key, |one, _| (one != key && self.is_at_rest(one)).then_some(())).is_some()
    }

    fn is_at_rest(&self, key: EntityKey) -> bool {
        self.entities.get(key).is_some_and(|it| it.movement.is_at_rest())
    }

    /// Whether a contact may be in the way of an entity: seen from the side, what it stands on is not.
    pub(super) fn is_beside(&self, contact: &Contact) -> bool {
        let is_side = self.rules.view == LevelView::TopDown || contact.normal.y.abs() < STANDING_NORMAL;
        !contact.sensor && is_side
    }

    /// Another reason for an agent that is stuck in a crowd: a body that the floor does not have stands right ahead of it,
    /// or at the head of the queue that it stands in, such as a door that its track holds shut.
    pub(super) fn blocked_by_body(&self, key: EntityKey, stuck: NoPath) -> Option<NoPath> {
        if stuck.reason != NoPathReason::Crowded {
            return None;
        }
        let blocks = |one: EntityKey, way: Vec2| {
            let is_ahead = |it: &Contact| self.is_beside(it) && -it.normal.dot(way) >= AHEAD;
            let mut ahead = self.physics.touching(one).into_iter().filter(is_ahead);
            let met = ahead.find(|it| it.b.entity().is_some_and(|other| self.is_unseen_by_paths(other)));
            met.map(|it| it.point - it.normal * INSIDE_PX)
        };
        self.in_queue(key, blocks).map(|at| NoPath { reason: NoPathReason::Wall, at })
    }

    /// Whether a body stands still that paths do not see: a static or kinematic one that stops bodies though not all that
    /// tiles stop, or one that its track holds where it is.
    fn is_unseen_by_paths(&self, key: EntityKey) -> bool {
        let is_fixed = |spec: &BodySpec| !spec.is_dynamic() && !spec.is_mover();
        self.physics.spec(key).is_some_and(is_fixed)
            && !self.physics.is_obstacle(key)
            && self.entities.get(key).is_some_and(|it| it.pose.vel.length() < RESTING_PX_S)
    }

    /// The first answer for an agent, or for one of those that stand ahead of it in a queue, given the direction in which
    /// each goes. Those at rest end a queue.
    fn in_queue<T>(&self, key: EntityKey, answer: impl Fn(EntityKey, Vec2) -> Option<T>) -> Option<T> {
        let (mut seen, mut rest) = (BTreeSet::from([key]), vec![key]);
        while let Some(one) = rest.pop() {
            let Some(it) = self.entities.get(one) else { continue };
            let way = self.way_of(one, it);
            let found = answer(one, way);
            if found.is_some() {
                return found;
            }
            if one != key && self.is_at_rest(one) {
                continue;
            }
            let (middle, reach) = self.reach_beside(one, it);
            for other in self.agents_met(middle, reach, one) {
                let Some(ahead) = self.entities.get(other).filter(|_| self.physics.stop_each_other(one, other)) else {
                    continue;
                };
                let is_ahead = (ahead.pose.pos - it.pose.pos).normalize_or_zero().dot(way) >= AHEAD;
                let goes_along = || ahead.movement.is_at_rest() || self.way_of(other, ahead).dot(way) > 0.0;
                if is_ahead && goes_along() && seen.len() < MAX_IN_WAY && seen.insert(other) {
                    rest.push(other);
                }
            }
        }
        None
    }

    /// The direction in which an agent goes next; zero without a goal.
    fn way_of(&self, key: EntityKey, agent: &Entity) -> Vec2 {
        let (pos, legs) = (agent.pose.pos, &agent.movement.legs);
        // Over ledges, its path is the whole of the present leg and those after it.
        let end = |leg: &Leg| match foot_end(leg) {
            end if legs.is_flying || end.distance(pos) <= SAME_PLACE_PX => leg.to,
            end => end,
        };
        let next = legs.now().map(end).or_else(|| agent.movement.rest_of_path().first().copied());
        let way = next.or_else(|| self.goal(key)).map_or(Vec2::ZERO, |next| (next - pos).normalize_or_zero());
        if legs.is_backing { -way } else { way }
    }

    /// Let an agent wait, longer each time, if agents at rest that stop it are beside it or at its goal. Returns whether
    /// it waits.
    pub(super) fn begin_wait(&mut self, key: EntityKey, goal: Vec2) -> bool {
        let Some(me) = self.entities.get(key) else { return false };
        let (middle, reach) = self.reach_beside(key, me);
        let mut others = self.agents_met(middle, reach, key);
        others.extend(self.agents_met(goal, me.components.agent_radius(), key));
        let resting = |other: EntityKey| {
            let it = self.entities.get(other).filter(|it| it.movement.is_at_rest())?;
            self.physics.stop_each_other(key, other).then_some((other, it.pose.pos))
        };
        let others: Vec<(EntityKey, Vec2)> = others.into_iter().filter_map(resting).collect();
        !others.is_empty() && self.pause(key, goal, others)
    }

    /// Let an agent stand still for a while, longer each time, at most while these others are where they are. Returns
    /// whether it can: not on ledges, where it may be amid a jump.
    pub(super) fn pause(&mut self, key: EntityKey, goal: Vec2, others: Vec<(EntityKey, Vec2)>) -> bool {
        let Some(me) = self.entities.get(key).filter(|me| !self.walks_on_ledges(me)) else { return false };
        // Another of several goals may become free at any time.
        let has_others = matches!(&me.movement.order, Order::GoTo { goals, .. } if goals.len() > 1);
        let before = me.movement.wait.as_ref().filter(|_| !has_others);
        let secs = before.map_or(WAIT_SECS.0, |before| (2.0 * before.secs).min(WAIT_SECS.1));
        let (until, look_at) = (self.tick + self.ticks(secs), self.tick + self.ticks(LOOK_SECS));
        let revision = self.navigator.revision();
        if let Some(me) = self.entities.get_mut(key) {
            me.movement.wait = Some(Wait { goal, until, look_at, secs, revision, others });
        }
        true
    }

    /// Whether an agent still waits: not if an agent that it waits for has left, its goal has, or the floor has changed.
    pub(super) fn update_wait(&mut self, key: EntityKey, goal: Vec2) -> bool {
        let Some(me) = self.entities.get(key).filter(|me| me.movement.is_waiting(self.tick)) else { return false };
        let Some(wait) = me.movement.wait.as_ref() else { return false };
        let is_there = |(other, at): &(EntityKey, Vec2)| {
            let it = self.entities.get(*other).filter(|it| it.movement.is_at_rest());
            it.is_some_and(|it| it.pose.pos.distance(*at) <= SAME_PLACE_PX)
        };
        let looks = self.tick >= wait.look_at;
        let is_over = wait.goal.distance(goal) > SAME_PLACE_PX
            || wait.revision != self.navigator.revision()
            || looks && !wait.others.iter().all(is_there);
        let look_at = self.tick + self.ticks(LOOK_SECS);
        let Some(movement) = self.entities.get_mut(key).map(|me| &mut me.movement) else { return false };
        if is_over {
            (movement.wait, movement.approach) = (None, None);
        } else if let Some(wait) = movement.wait.as_mut().filter(|_| looks) {
            wait.look_at = look_at;
        }
        !is_over
    }

    /// Whether an agent has others right ahead of it that it avoids, or that are solid to it.
    pub(super) fn has_agents_ahead(&self, key: EntityKey, next: Vec2) -> bool {
        let Some(me) = self.entities.get(key) else { return false };
        let (middle, reach) = self.reach_beside(key, me);
        let way = next - me.pose.pos;
        let is_ahead = |other: EntityKey| self.pos(other).is_some_and(|pos| (pos - middle).dot(way) > 0.0);
        self.agents_met(middle, reach, key).into_iter().any(is_ahead)
    }

    /// The middle of an agent's body, and how far from there others may hold it up, in pixels.
    fn reach_beside(&self, key: EntityKey, agent: &Entity) -> (Vec2, f32) {
        let around = self.physics.solid_bounds(key);
        let (middle, half) = around.map_or((agent.pose.pos, 0.0), |around| {
            ((around.lo + around.hi) / 2.0, (around.hi - around.lo).max_element() / 2.0)
        });
        (middle, half.max(agent.components.agent_radius()) + BESIDE_PX)
    }

    /// The agents whose bodies are within `far` pixels of a place, without one of them: of those all if it avoids others,
    /// else those that are solid to it.
    fn agents_met(&self, place: Vec2, far: f32, me: EntityKey) -> Vec<EntityKey> {
        let avoids = self.entities.get(me).is_some_and(|it| self.avoids(it));
        let mut near = self.physics.overlapping_circle(place, far);
        near.retain(|other| {
            *other != me
                && self.entities.get(*other).is_some_and(|it| it.is_agent())
                && (avoids || self.physics.stop_each_other(me, *other))
        });
        near
    }

    /// Whether an agent goes around others before it touches them.
    pub(super) fn avoids(&self, agent: &Entity) -> bool {
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
    pub(super) fn in_its_way(&self, key: EntityKey) -> BTreeMap<(EntityKey, usize), Convex> {
        let Some(me) = self.entities.get(key) else { return BTreeMap::new() };
        let (pos, radius) = (me.pose.pos, me.components.agent_radius());
        let avoids = self.avoids(me);
        let touched = self.physics.touching(key).into_iter().filter(|contact| !contact.sensor);
        let touched = touched.filter_map(|contact| contact.b.entity());
        let mut found: BTreeSet<EntityKey> = touched.filter(|other| *other != key && self.stays(*other, key)).collect();
        if avoids {
            found.extend(self.agents_that_stay(pos, self.avoid_reach(me), key));
        }
        let mut rest: Vec<EntityKey> = found.iter().copied().collect();
        while let Some(one) = rest.pop().filter(|_| found.len() < MAX_IN_WAY) {
            let Some(middle) = self.pos(one) else { continue };
            let far = self.physics.bounds(one).map_or(0.0, |bounds| (bounds.hi - bounds.lo).max_element() / 2.0);
            let next = self.agents_that_stay(middle, far + 2.0 * radius, key);
            rest.extend(next.into_iter().filter(|other| found.len() < MAX_IN_WAY && found.insert(*other)));
        }
        let shapes = |other: EntityKey| {
            let solid = self.physics.solids(other);
            let entity = self.entities.get(other).filter(|it| avoids && it.is_agent());
            let avoided = entity.map(|it| Convex { points: vec![it.pose.pos], radius: it.components.agent_radius() });
            solid.into_iter().chain(avoided).enumerate().map(move |(i, part)| ((other, i), part))
        };
        found.into_iter().flat_map(shapes).collect()
    }

    /// The nearest of these agents that stay where they are.
    fn agents_that_stay(&self, place: Vec2, far: f32, me: EntityKey) -> Vec<EntityKey> {
        let mut near = self.agents_met(place, far, me);
        near.retain(|other| self.stays(*other, me));
        let far_of = |key: &EntityKey| self.pos(*key).map_or(f32::INFINITY, |pos| pos.distance_squared(place));
        near.sort_by(|a, b| far_of(a).total_cmp(&far_of(b)).then(a.cmp(b)));
        near.truncate(MAX_IN_WAY);
        near
    }

    /// Whether a body does not move away by itself: a loose one, one that paths do not see, or an agent at rest. Of two
    /// agents that hold each other up, one stays and the other goes around it.
    fn stays(&self, other: EntityKey, me: EntityKey) -> bool {
        let Some((spec, entity)) = self.physics.spec(other).zip(self.entities.get(other)) else { return false };
        let movement = &entity.movement;
        let has_stopped = movement.is_at_rest() || movement.is_waiting(self.tick);
        let rests = has_stopped && entity.pose.vel.length() < RESTING_PX_S;
        let is_stuck = movement.has_replanned || movement.stuck_secs > self.constants.stuck_secs / 2.0;
        if spec.is_mover() {
            return rests || me < other && is_stuck;
        }
        // What is solid only from above is gone through from below, and a platform waits only for a while.
        let is_wall = spec.collider.as_ref().is_some_and(|collider| !collider.one_way);
        spec.is_dynamic() || is_wall && entity.components.platform.is_none() && self.is_unseen_by_paths(other)
    }
}
