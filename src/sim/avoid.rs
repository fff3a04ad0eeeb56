//! Reciprocal collision avoidance: each of two agents makes its share of the change of velocity that keeps them apart.
//!
//! Invariant: the same agents in the same order give the same velocity, bit for bit. Units are pixels and seconds.
//! Nearby agents are found by the caller. (`dodgy_2d`, which does the same, draws random numbers if two agents are at
//! the same place, so that a run would not repeat; a test compares the two.)
//!
//! Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance" (ORCA).

use glam::Vec2;

/// Directions whose cross product is smaller are parallel.
const PARALLEL: f32 = 1e-5;

/// An agent that moves, or is avoided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Position, in pixels.
    pub pos: Vec2,
    /// Velocity, px/s.
    pub vel: Vec2,
    /// Radius of a disc around it, in pixels.
    pub radius: f32,
    /// Share of the avoidance that the other agent does: 1 if this agent avoids no one, ½ if both avoid.
    pub share: f32,
}

/// A half plane of velocities: those to the left of a line, seen along it, are allowed.
#[derive(Clone, Copy, Debug)]
struct Line {
    at: Vec2,
    dir: Vec2,
}

impl Line {
    /// How far a velocity is outside the half plane, px/s.
    fn excess(&self, vel: Vec2) -> f32 {
        self.dir.perp_dot(self.at - vel)
    }
}

/// The velocity nearest to the preferred one, at most `max_speed`, that meets none of the others within `ahead_secs`;
/// if there is none, the one that comes closest. `dt_secs` is the length of a tick, within which agents that overlap
/// already move apart.
#[must_use]
pub fn avoid(me: &Mover, others: &[Mover], preferred: Vec2, max_speed: f32, dt_secs: f32, ahead_secs: f32) -> Vec2 {
    let lines: Vec<Line> = others.iter().map(|other| line(me, other, dt_secs, ahead_secs.max(dt_secs))).collect();
    let mut vel = preferred.clamp_length_max(max_speed);
    match allowed(&lines, max_speed, Aim::Near(preferred), &mut vel) {
        Ok(()) => {}
        Err(failed) => least_excess(&lines, failed, max_speed, &mut vel),
    }
    vel
}

/// The half plane of velocities with which one agent avoids another.
fn line(me: &Mover, other: &Mover, dt_secs: f32, ahead_secs: f32) -> Line {
    let to = other.pos - me.pos;
    let vel = me.vel - other.vel;
    let (far2, reach) = (to.length_squared(), me.radius + other.radius);
    let reach2 = reach * reach;
    // Relative velocities that meet within the time are a disc; those that meet later are the cone behind it.
    let off_disc = |secs: f32| {
        let from_middle = vel - to / secs;
        // Agents at the same place part to their right.
        let out = from_middle.try_normalize().or_else(|| (-to).try_normalize()).unwrap_or(Vec2::X);
        (Vec2::new(out.y, -out.x), out * (reach / secs - from_middle.dot(out)))
    };
    let (dir, change) = if far2 <= reach2 {
        off_disc(dt_secs)
    } else {
        let from_middle = vel - to / ahead_secs;
        let along = from_middle.dot(to);
        if along < 0.0 && along * along > reach2 * from_middle.length_squared() {
            off_disc(ahead_secs)
        } else {
            // Along the nearer side of the cone.
            let leg = (far2 - reach2).sqrt();
            let dir = if to.perp_dot(from_middle) > 0.0 {
                Vec2::new(to.x * leg - to.y * reach, to.x * reach + to.y * leg) / far2
            } else {
                -Vec2::new(to.x * leg + to.y * reach, -to.x * reach + to.y * leg) / far2
            };
            (dir, dir * vel.dot(dir) - vel)
        }
    };
    // Two agents that would not meet may each use up the whole margin.
    let meets = change.dot(dir.perp()) > 0.0;
    Line { at: me.vel + change * if meets { other.share } else { 1.0 }, dir }
}

/// The objective by which a velocity is chosen.
#[derive(Clone, Copy)]
enum Aim {
    /// As near as possible to a velocity.
    Near(Vec2),
    /// As far as possible in a direction.
    Along(Vec2),
}

/// Change a velocity to the best one that all half planes allow.
///
/// # Errors
/// The index of the first half plane that cannot be satisfied; the velocity is then the best that those before it
/// allow.
fn allowed(lines: &[Line], max_speed: f32, aim: Aim, vel: &mut Vec2) -> Result<(), usize> {
    for (i, line) in lines.iter().enumerate() {
        if line.excess(*vel) > 0.0 {
            *vel = on_line(line, &lines[..i], max_speed, aim).ok_or(i)?;
        }
    }
    Ok(())
}

/// The best velocity on the edge of a half plane that the others allow.
fn on_line(line: &Line, others: &[Line], max_speed: f32, aim: Aim) -> Option<Vec2> {
    let middle = line.at.dot(line.dir);
    let room = middle * middle + max_speed * max_speed - line.at.length_squared();
    if room < 0.0 {
        return None;
    }
    let (mut first, mut last) = (-middle - room.sqrt(), -middle + room.sqrt());
    for other in others {
        let cross = line.dir.perp_dot(other.dir);
        let beyond = other.dir.perp_dot(line.at - other.at);
        if cross.abs() <= PARALLEL {
            if beyond < 0.0 {
                return None;
            }
            continue;
        }
        let meet = beyond / cross;
        if cross > 0.0 {
            last = last.min(meet);
        } else {
            first = first.max(meet);
        }
        if first > last {
            return None;
        }
    }
    let along = match aim {
        Aim::Near(to) => line.dir.dot(to - line.at).clamp(first, last),
        Aim::Along(dir) if dir.dot(line.dir) > 0.0 => last,
        Aim::Along(_) => first,
    };
    Some(line.at + line.dir * along)
}

/// Change a velocity to the one with the smallest greatest excess. The half planes before `failed` can all be
/// satisfied.
fn least_excess(lines: &[Line], failed: usize, max_speed: f32, vel: &mut Vec2) {
    let mut most = 0.0;
    for (i, line) in lines.iter().enumerate().skip(failed) {
        if line.excess(*vel) <= most {
            continue;
        }
        // Where this half plane is exceeded as much as each of those before.
        let level = lines[..i].iter().filter_map(|other| {
            let cross = line.dir.perp_dot(other.dir);
            let at = if cross.abs() > PARALLEL {
                line.at + line.dir * (other.dir.perp_dot(line.at - other.at) / cross)
            } else if line.dir.dot(other.dir) > 0.0 {
                return None;
            } else {
                line.at.midpoint(other.at)
            };
            Some(Line { at, dir: (other.dir - line.dir).try_normalize()? })
        });
        let level: Vec<Line> = level.collect();
        let inward = line.dir.perp();
        let mut best = inward * max_speed;
        // Rounding may leave no such place; then the previous result stays.
        if allowed(&level, max_speed, Aim::Along(inward), &mut best).is_ok() {
            *vel = best;
        }
        most = line.excess(*vel);
    }
}
