//! Loose bodies between a kinematic body and something opposite to it, and whether they have room.
//!
//! Invariant: each body of a row is followed once in a direction, so a heap costs no more than its contacts.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::sim::EntityKey;

use super::Physics;

/// A loose body has no room where an opposite surface is nearer than this, in pixels.
const NO_ROOM: f32 = 0.3;

/// A loose body that overlaps its neighbors by more than this is under pressure, and pushes walkers away, in pixels. It
/// remains so while a platform waits: else a walker ahead of it would go to and fro.
const PRESSED: f32 = 1.0;

/// Two surfaces are opposite where the cosine of the angle between one's normal and the reverse of the other's is
/// greater than this.
pub(super) const OPPOSITE: f32 = 0.5;

/// The most bodies in a row of which each presses the next; a longer row counts as one without room.
const LONGEST_ROW: usize = 64;

/// A loose body between a kinematic body, or a mover that this one pushes, and something opposite to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squeeze {
    pub(super) key: EntityKey,
    /// The body that presses it: `by`, or the last of the movers and loose bodies between the two.
    pub(super) presser: EntityKey,
    /// The kinematic body.
    pub(super) by: EntityKey,
    /// Unit normal from the presser toward the loose body.
    pub(super) way: Vec2,
    /// How far the three overlap along the normal, in pixels; below zero while there is room.
    pub(super) depth: f32,
    /// The opposite body; `None` for tiles.
    pub(super) against: Option<EntityKey>,
    /// Whether the opposite body can be pushed away: a mover that is not cornered, or a loose body that has room itself.
    pub(super) has_room: bool,
    /// Whether the opposite body is a mover.
    pub(super) is_against_mover: bool,
    /// Whether it pushes walkers away: it overlaps by more than `PRESSED`, or did, and the platform has waited since.
    pub(super) is_pressed: bool,
}

impl Squeeze {
    /// Whether it is under pressure only because it was.
    pub(super) fn stays_pressed(&self) -> bool {
        self.is_pressed && self.depth <= PRESSED
    }
}

/// What presses a body.
#[derive(Clone, Copy)]
struct Pressure {
    presser: EntityKey,
    /// Unit normal from the presser toward the body.
    way: Vec2,
    /// Their overlap, in pixels.
    depth: f32,
}

/// The search for what a kinematic body presses.
struct Row<'a> {
    by: EntityKey,
    /// Movers that could not be pushed away.
    without_room: &'a BTreeSet<EntityKey>,
    /// The bodies met, by direction, each with whether it has no room: false while that is being found out.
    is_held: BTreeMap<(EntityKey, [bool; 4]), bool>,
    found: &'a mut Vec<Squeeze>,
    /// Number of bodies in the row so far.
    length: usize,
}

impl Row<'_> {
    /// Whether a body has no room that is pressed in a direction. It is found out once for each body and direction;
    /// beyond `LONGEST_ROW` none has room.
    fn visit(&mut self, key: EntityKey, way: Vec2, find_out: impl FnOnce(&mut Self) -> bool) -> bool {
        let key = (key, [way.x > OPPOSITE, way.x < -OPPOSITE, way.y > OPPOSITE, way.y < -OPPOSITE]);
        if let Some(known) = self.is_held.get(&key) {
            return *known;
        }
        if self.length >= LONGEST_ROW {
            return true;
        }
        self.is_held.insert(key, false);
        self.length += 1;
        let is_held = find_out(self);
        self.length -= 1;
        self.is_held.insert(key, is_held);
        is_held
    }
}

impl Physics {
    /// The loose bodies that are pressed between others by a kinematic body, directly or through movers and loose
    /// bodies, in key order.
    pub(super) fn squeezes(&self, without_room: &BTreeSet<EntityKey>) -> Vec<Squeeze> {
        let mut found = Vec::new();
        for by in self.carried.iter().copied() {
            let mut row = Row { by, without_room, is_held: BTreeMap::new(), found: &mut found, length: 0 };
            self.press(by, None, &mut row);
        }
        found.sort_by_key(|squeeze| (squeeze.key, squeeze.presser, squeeze.by));
        found
    }

    /// Follow what a kinematic body or a mover presses in a direction (`None`: in all). Returns whether something there
    /// has no room, so that it cannot go on.
    fn press(&self, presser: EntityKey, way: Option<Vec2>, row: &mut Row<'_>) -> bool {
        let mut is_held = false;
        for it in self.neighbors(presser) {
            let Some(key) = it.key.filter(|_| way.is_none_or(|way| it.way.dot(way) > OPPOSITE)) else { continue };
            if self.is_mover(key) {
                is_held |= self.press_mover(key, it.way, row);
            } else if self.is_loose(key) {
                is_held |= self.press_loose(key, Pressure { presser, way: it.way, depth: it.depth }, row);
            }
        }
        is_held
    }

    /// Whether a mover that is pressed in a direction has no room.
    fn press_mover(&self, key: EntityKey, way: Vec2, row: &mut Row<'_>) -> bool {
        row.visit(key, way, |row| self.press(key, Some(way), row) || row.without_room.contains(&key))
    }

    /// Whether a loose body that is pressed has no room.
    fn press_loose(&self, key: EntityKey, pressure: Pressure, row: &mut Row<'_>) -> bool {
        row.visit(key, pressure.way, |row| {
            let worst = self.squeeze(key, pressure, row);
            row.found.extend(worst);
            worst.is_some_and(|squeeze| !squeeze.has_room)
        })
    }

    /// What presses a loose body most, of what is opposite to its presser.
    fn squeeze(
        &self,
        key: EntityKey,
        Pressure { presser, way, depth }: Pressure,
        row: &mut Row<'_>,
    ) -> Option<Squeeze> {
        let (by, mut worst) = (row.by, None::<Squeeze>);
        for its in self.neighbors(key) {
            let against = its.key;
            if [Some(presser), Some(by)].contains(&against) || its.way.dot(way) < OPPOSITE {
                continue;
            }
            let mover = against.filter(|key| self.is_mover(*key));
            let loose = against.filter(|key| self.is_loose(*key));
            let sum = depth + its.depth;
            let stays = mover.or(loose).is_none();
            // Of what is only pushed along, the row is not followed so far that its length alone would mean no room.
            let is_pushed_along = || {
                let is_short = row.length < LONGEST_ROW / 2;
                is_short && against.is_some_and(|against| self.pushed_along.contains_key(&[key, against]))
            };
            if sum <= PRESSED && !(stays && depth.min(its.depth) > -NO_ROOM) && !is_pushed_along() {
                continue;
            }
            let has_room = match (mover, loose) {
                (Some(mover), _) => !self.press_mover(mover, way, row),
                (None, Some(loose)) => !self.press_loose(loose, Pressure { presser: key, way, depth: its.depth }, row),
                (None, None) => false,
            };
            let is_against_mover = mover.is_some();
            let is_pressed = sum > PRESSED || self.crushes.stays_pressed(key, by);
            let squeeze =
                Squeeze { key, presser, by, way, depth: sum, has_room, is_against_mover, is_pressed, against };
            let order = |it: &Squeeze| (!it.has_room, it.depth);
            if worst.is_none_or(|worst| order(&worst) < order(&squeeze)) {
                worst = Some(squeeze);
            }
        }
        worst
    }
}
