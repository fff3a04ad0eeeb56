//! The flocking rule: the change of a bird's velocity in a tick, from the birds that it can see.
//!
//! Invariant: a bird has no memory, and the result does not depend on the order of the others, to the last bit:
//! averages are sums of whole numbers. All birds decide on the same state of the world; the caller moves them
//! afterward.
//!
//! Source: Woodcock, "Flocking: a simple technique for simulating group behavior" (GPG 3.7).

use glam::Vec2;

/// Fixed-point scale of sums, per pixel: sums of whole numbers do not depend on their order.
const GRAIN: f32 = 1024.0;

/// A member of the flock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bird {
    /// Position, in pixels.
    pub pos: Vec2,
    /// Velocity, px/s.
    pub vel: Vec2,
}

/// The settings of a flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlockRules {
    /// How far a bird sees, in pixels.
    pub perception: f32,
    /// The distance it keeps to its nearest neighbor, in pixels.
    pub separation: f32,
    /// Weight of keeping that distance.
    pub separation_weight: f32,
    /// Weight of matching the average heading.
    pub alignment_weight: f32,
    /// Weight of moving to the average position of the others.
    pub cohesion_weight: f32,
    /// Weight of fleeing the nearest enemy.
    pub flee_weight: f32,
    /// The greatest speed, px/s.
    pub max_speed: f32,
    /// The greatest change of velocity, px/s².
    pub max_change: f32,
}

/// The velocity of a bird one tick later.
///
/// Steering requests are added in order of urgency: fleeing the nearest enemy, the distance to the nearest neighbor,
/// the average heading, the average position. They add up to one unit of change; later ones are cut off. A bird that
/// sees no other cruises: it accelerates to full speed in its direction.
#[must_use]
pub fn fly(me: Bird, others: &[Bird], enemies: &[Vec2], rules: &FlockRules, dt_secs: f32) -> Vec2 {
    let offset = |to: Vec2| to - me.pos;
    let seen = |delta: Vec2| delta.length_squared() <= rules.perception * rules.perception;
    let nearer = |a: &Vec2, b: &Vec2| {
        let by_distance = a.length_squared().total_cmp(&b.length_squared());
        by_distance.then(a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y))
    };
    let mut change = Vec2::ZERO;
    let enemy = enemies.iter().map(|enemy| offset(*enemy)).filter(|delta| seen(*delta)).min_by(nearer);
    if let Some(delta) = enemy {
        let urgency = 1.0 - delta.length() / rules.perception.max(1.0);
        add(&mut change, -delta.normalize_or(Vec2::X) * urgency.max(0.1) * rules.flee_weight);
    }
    let near: Vec<(Vec2, Vec2)> =
        others.iter().map(|bird| (offset(bird.pos), bird.vel)).filter(|(delta, _)| seen(*delta)).collect();
    if let Some(nearest) = near.iter().map(|(delta, _)| *delta).min_by(nearer) {
        // Two birds at the same position separate along x, each in the direction of its own velocity.
        let direction = nearest.normalize_or(if me.vel.x < 0.0 { Vec2::X } else { Vec2::NEG_X });
        let distance = nearest.length();
        let urgency = if distance < rules.separation {
            distance / rules.separation - 1.0
        } else {
            ((distance - rules.separation) / (rules.perception - rules.separation).max(1.0)).min(1.0)
        };
        add(&mut change, direction * urgency * rules.separation_weight);
        let heading = average(near.iter().map(|(_, vel)| *vel));
        add(&mut change, (heading - me.vel) / rules.max_speed.max(1.0) * rules.alignment_weight);
        let middle = average(near.iter().map(|(delta, _)| *delta));
        add(&mut change, middle / rules.perception.max(1.0) * rules.cohesion_weight);
    } else if enemy.is_none() {
        let cruise = me.vel.normalize_or(Vec2::X) * rules.max_speed;
        add(&mut change, (cruise - me.vel) / rules.max_speed.max(1.0));
    }
    (me.vel + change * rules.max_change * dt_secs).clamp_length_max(rules.max_speed.max(0.0))
}

/// Add a steering request as far as the unit of change has room for it.
fn add(change: &mut Vec2, desired: Vec2) {
    let room = 1.0 - change.length();
    if room > 0.0 && desired.is_finite() {
        *change = (*change + desired.clamp_length_max(room)).clamp_length_max(1.0);
    }
}

fn average(vectors: impl Iterator<Item = Vec2>) -> Vec2 {
    #[allow(clippy::cast_possible_truncation)] // saturates
    let grains = |x: f32| i64::from((x * GRAIN).round() as i32);
    let (x, y, n) = vectors.fold((0, 0, 0_i32), |(x, y, n), v| (x + grains(v.x), y + grains(v.y), n + 1));
    #[allow(clippy::cast_precision_loss)] // rounded alike in any order
    let (x, y, n) = (x as f32, y as f32, n.max(1) as f32);
    Vec2::new(x, y) / (GRAIN * n)
}
