//! Lookup of nearby agents, for agents that walk around each other.
//!
//! Invariant: avoidance depends on the positions at the end of the last tick, not on the order of the agents. How a
//! velocity is chosen is in `sim::avoid`.

use glam::Vec2;

use crate::sim::{
    EntityKey,
    avoid::{Mover, avoid},
};

use super::{World, order::Order};

/// The most others that an agent tests for being near.
const MAX_SEEN: usize = 256;
/// The most others that an agent avoids: the nearest.
const MAX_AVOIDED: usize = 12;
/// Angle by which an agent that meets others turns to its right, in radians.
const KEEP_RIGHT_RAD: f32 = 0.06;
/// Side of the squares of the lookup grid, in pixels.
const SQUARE_PX: f32 = 64.0;
/// The greatest distance at which an agent looks for others, in pixels.
pub(super) const MAX_FAR_PX: f32 = 256.0;

/// The agents of a level by position; empty if no agent avoids others.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    /// By square; those of a square by key.
    agents: Vec<([i32; 2], EntityKey, Mover)>,
}

impl Crowd {
    /// The agents in a square.
    fn within(&self, at: [i32; 2]) -> &[([i32; 2], EntityKey, Mover)] {
        let first = self.agents.partition_point(|(square, ..)| *square < at);
        let n = self.agents[first..].partition_point(|(square, ..)| *square == at);
        &self.agents[first..first + n]
    }
}

fn square([x, y]: [f32; 2]) -> [i32; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "places are limited")]
    [(x / SQUARE_PX).floor() as i32, (y / SQUARE_PX).floor() as i32]
}

/// The square of the distance from a place to a square of agents, in px².
fn far_from_square(pos: Vec2, at: [i32; 2]) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "squares of a level")]
    let lo = Vec2::new(at[0] as f32, at[1] as f32) * SQUARE_PX;
    pos.distance_squared(pos.clamp(lo, lo + SQUARE_PX))
}

impl World {
    pub(super) fn crowd(&self) -> Crowd {
        let mut crowd = Crowd::default();
        let agents = || self.entities.iter().filter(|(_, it)| it.is_agent());
        if !agents().any(|(_, it)| self.avoids(it)) {
            return crowd;
        }
        for (key, entity) in agents() {
            let rests = entity.movement.is_at_rest() || entity.movement.is_waiting(self.tick);
            let is_avoiding = entity.components.agent.avoid_secs > 0.0 && !rests;
            let mover = Mover {
                pos: entity.pose.pos,
                vel: entity.pose.vel,
                radius: entity.components.agent.radius,
                share: if is_avoiding { 0.5 } else { 1.0 },
            };
            crowd.agents.push((square(mover.pos.into()), key, mover));
        }
        crowd.agents.sort_unstable_by_key(|(square, key, _)| (*square, *key));
        crowd
    }

    /// The direction in which an agent moves around others, given its wanted direction; a length of 1 is full speed.
    pub(super) fn around_others(&mut self, crowd: &Crowd, key: EntityKey, dir: Vec2) -> Vec2 {
        let Some(entity) = self.entities.get(key) else { return dir };
        let components = &entity.components;
        let (ahead_secs, radius) = (components.agent.avoid_secs, components.agent.radius);
        let speed = components.speed();
        if ahead_secs <= 0.0 || speed <= 0.0 || dir == Vec2::ZERO {
            return dir;
        }
        let me = Mover { pos: entity.pose.pos, vel: entity.pose.vel, radius, share: 0.5 };
        let far = (2.0 * speed * ahead_secs + 2.0 * radius).min(MAX_FAR_PX);
        let (lo, hi) = (square((me.pos - far).into()), square((me.pos + far).into()));
        let squares = (lo[1]..=hi[1]).flat_map(|y| (lo[0]..=hi[0]).map(move |x| [x, y]));
        let mut squares: Vec<_> = squares.map(|at| (at, crowd.within(at))).collect();
        // If not all can be tested, those in the nearest squares are.
        if squares.iter().map(|(_, inside)| inside.len()).sum::<usize>() > MAX_SEEN {
            squares.sort_by(|a, b| far_from_square(me.pos, a.0).total_cmp(&far_from_square(me.pos, b.0)));
        }
        // The target of a chase is not avoided.
        let (chased, goal) = match &entity.movement.order {
            Order::Chase(target) => (self.find_key(key, target), None),
            _ => (None, self.goal(key)),
        };
        // Nor is an agent at the place of the goal, or near it if the two do not stop each other: those that have arrived
        // would keep the others away.
        let near_px = self.constants.arrive_distance + radius;
        let is_at_goal = |other: EntityKey, mover: &Mover| {
            goal.is_some_and(|goal| {
                let is_near = goal.distance(mover.pos) <= near_px + mover.radius;
                goal == mover.pos || is_near && !self.physics.stop_each_other(key, other)
            })
        };
        let passes = entity.movement.passes(self.tick);
        let seen = squares.into_iter().flat_map(|(_, inside)| inside);
        let seen = seen.filter(|(_, other, mover)| {
            *other != key
                && Some(*other) != chased
                && !is_at_goal(*other, mover)
                && (!passes || self.physics.stop_each_other(key, *other) && !self.physics.pass_each_other(key, *other))
        });
        let mut near: Vec<(f32, Mover)> = seen
            .take(MAX_SEEN)
            .map(|(.., other)| (other.pos.distance_squared(me.pos), *other))
            .filter(|(far2, _)| *far2 <= far * far)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let near: Vec<Mover> = near.into_iter().take(MAX_AVOIDED).map(|(_, other)| other).collect();
        if near.is_empty() || !self.charge(near.len() as u64 * 8, "go around others") {
            return dir;
        }
        // A little to the right, or two agents that meet head-on would both stand still.
        let preferred = Vec2::from_angle(KEEP_RIGHT_RAD).rotate(dir * speed);
        avoid(&me, &near, preferred, speed, self.dt(), ahead_secs) / speed
    }
}
