//! Contacts between bodies: begin and end events, each pair once.
//!
//! Invariant: a pair that began ends once, and an end is reported only if its beginning was. Tiles are one partner per
//! side on which they are touched, so a body that rolls along the floor into a wall has two contacts. Contacts are
//! found by the solver and by the movers; this file only keeps them.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::{
    model::{Cell, Name},
    sim::EntityKey,
};

/// The other side of a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Other {
    /// Another body.
    Entity(EntityKey),
    /// A tile.
    Tile {
        /// The tile's cell.
        cell: Cell,
        /// The tile's name; may be empty.
        name: Name,
    },
}

impl Other {
    /// The body; `None` for a tile.
    #[must_use]
    pub fn entity(&self) -> Option<EntityKey> {
        if let Self::Entity(key) = self { Some(*key) } else { None }
    }
}

/// A contact that began or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The first body.
    pub a: EntityKey,
    /// The other body or tile; a body has the greater key of the two.
    pub b: Other,
    /// Unit normal, from `b` toward `a`.
    pub normal: Vec2,
    /// Position, in pixels.
    pub point: Vec2,
    /// Impact speed along the normal, before the solver, in px/s; 0 for ends, and for sensors that are entered slowly.
    pub speed: f32,
    /// Whether it begins, else it ends.
    pub began: bool,
    /// Whether one of the two is a sensor.
    pub sensor: bool,
}

/// The other side of a pair, and whether a sensor touches: a body can have both solid parts and sensors. Ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Partner {
    /// Tiles, by which of eight directions their surface faces, and whether a sensor touches.
    Tiles(u8, bool),
    Entity(EntityKey, bool),
}

/// State of a pair in contact.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touch {
    /// Unit normal toward the first of the pair.
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
    pub(super) tile: Option<(Cell, Name)>,
    /// Whether the beginning was reported.
    reported: bool,
    /// Number of collider pairs in contact, as the solver reports them.
    n_solver_contacts: u32,
    /// The tick in which it was last found, for pairs that the solver does not report.
    seen: u64,
}

/// A contact as found, before it is known whether it is new.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) a: EntityKey,
    pub(super) b: Other,
    /// Unit normal toward `a`.
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
    pub(super) speed: f32,
    pub(super) sensor: bool,
}

/// Time to look a pair up, in steps of an iteration over all pairs (measured).
const LOOKUP_STEPS: usize = 8;

/// The normal that stands for the ground around a sensor.
pub(super) const SENSED: Vec2 = Vec2::NEG_Y;

/// All pairs in contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    pairs: BTreeMap<(EntityKey, Partner), Touch>,
    /// Pairs of bodies in reverse order, for lookup by the second body.
    mirror: BTreeSet<(EntityKey, EntityKey, bool)>,
    /// The pairs with no contact in the solver, which therefore does not report their end: they end in the tick in which
    /// they are not found.
    unreported: BTreeSet<(EntityKey, Partner)>,
    /// Begin and end events for the next step to report.
    events: Vec<Contact>,
}

impl Touches {
    /// Record a pair in contact, found by the solver, which reports its end as well, or by a caller that reports it
    /// every tick.
    pub(super) fn find(&mut self, found: Found, tick: u64, by_solver: bool, contact_speed: f32) {
        let Found { mut a, b, mut normal, point, speed, sensor } = found;
        let (partner, tile) = match b {
            Other::Entity(mut b) => {
                if b < a {
                    (a, b, normal) = (b, a, -normal);
                }
                (Partner::Entity(b, sensor), None)
            }
            Other::Tile { cell, name } => (Partner::Tiles(octant(normal), sensor), Some((cell, name))),
        };
        let id = (a, partner);
        let mut is_new = false;
        let touch = self.pairs.entry(id).or_insert_with(|| {
            is_new = true;
            if let Partner::Entity(b, _) = partner {
                self.mirror.insert((b, a, sensor));
            }
            Touch { normal, point, tile: None, reported: false, n_solver_contacts: 0, seen: tick }
        });
        (touch.normal, touch.point, touch.seen) = (normal, point, tick);
        if tile.is_some() {
            touch.tile = tile;
        }
        touch.n_solver_contacts += u32::from(by_solver);
        if is_new && !by_solver {
            self.unreported.insert(id);
        } else if by_solver && touch.n_solver_contacts == 1 {
            self.unreported.remove(&id);
        }
        if is_new && (sensor || speed >= contact_speed) {
            touch.reported = true;
            let contact = contact(id, touch, speed.max(0.0), true);
            self.events.push(contact);
        }
    }

    /// End the contact of two colliders that the solver reported: of two bodies or, with no second, of a sensor and the
    /// ground.
    pub(super) fn release(&mut self, a: EntityKey, b: Option<EntityKey>, sensor: bool) {
        let id = match b {
            Some(b) => (a.min(b), Partner::Entity(a.max(b), sensor)),
            None => (a, Partner::Tiles(octant(SENSED), sensor)),
        };
        if let Some(touch) = self.pairs.get_mut(&id) {
            touch.n_solver_contacts = touch.n_solver_contacts.saturating_sub(1);
            if touch.n_solver_contacts == 0 {
                self.unreported.insert(id);
            }
        }
    }

    /// End the pairs that were not found in this tick; `rests` is whether a body sleeps, and so keeps its contacts.
    pub(super) fn sweep(&mut self, tick: u64, rests: impl Fn(EntityKey) -> bool) {
        let ends = |(id, touch): &(&(EntityKey, Partner), &Touch)| {
            let stays = || matches!(id.1, Partner::Tiles(..)) && rests(id.0);
            touch.n_solver_contacts == 0 && touch.seen != tick && !stays()
        };
        let gone: Vec<_> = if self.unreported.len() * LOOKUP_STEPS < self.pairs.len() {
            let found = self.unreported.iter().filter_map(|id| Some((id, self.pairs.get(id)?)));
            found.filter(ends).map(|(id, _)| *id).collect()
        } else {
            self.pairs.iter().filter(ends).map(|(id, _)| *id).collect()
        };
        gone.into_iter().for_each(|id| self.end(id));
    }

    /// Remove the contacts of a body.
    pub(super) fn forget(&mut self, key: EntityKey) {
        let own = self.pairs.range((key, Partner::Tiles(0, false))..).map(|(id, _)| *id);
        let mut ids: Vec<_> = own.take_while(|(a, _)| *a == key).collect();
        let mirrored = self.mirror.range((key, lowest(), false)..).take_while(|(b, ..)| *b == key);
        ids.extend(mirrored.map(|(b, a, sensor)| (*a, Partner::Entity(*b, *sensor))));
        ids.into_iter().for_each(|id| self.end(id));
    }

    fn end(&mut self, id: (EntityKey, Partner)) {
        if let Partner::Entity(b, sensor) = id.1 {
            self.mirror.remove(&(b, id.0, sensor));
        }
        self.unreported.remove(&id);
        if let Some(touch) = self.pairs.remove(&id)
            && touch.reported
        {
            self.events.push(contact(id, &touch, 0.0, false));
        }
    }

    /// The events since the last call: ends before beginnings, in key order.
    pub(super) fn take_events(&mut self) -> Vec<Contact> {
        let mut events = std::mem::take(&mut self.events);
        let order = |contact: &Contact| {
            let partner = match &contact.b {
                Other::Entity(b) => Partner::Entity(*b, contact.sensor),
                Other::Tile { .. } => Partner::Tiles(octant(contact.normal), contact.sensor),
            };
            (contact.began, contact.a, partner)
        };
        events.sort_by_key(order);
        events
    }

    /// The contacts of a body, with normals toward it.
    pub(super) fn of(&self, key: EntityKey) -> impl Iterator<Item = Contact> {
        let first = (key, Partner::Tiles(0, false));
        let own = self.pairs.range(first..).take_while(move |((a, _), _)| *a == key);
        let own = own.map(|(id, touch)| contact(*id, touch, 0.0, true));
        let mirrored = self.mirror.range((key, lowest(), false)..).take_while(move |(b, ..)| *b == key);
        let mirrored = mirrored.filter_map(|(b, a, sensor)| {
            let id = (*a, Partner::Entity(*b, *sensor));
            let seen = contact(id, self.pairs.get(&id)?, 0.0, true);
            Some(Contact { a: *b, b: Other::Entity(*a), normal: -seen.normal, ..seen })
        });
        own.chain(mirrored)
    }
}

/// A key below that of every living entity.
fn lowest() -> EntityKey {
    slotmap::KeyData::from_ffi(1 << 32).into()
}

fn contact((a, partner): (EntityKey, Partner), touch: &Touch, speed: f32, began: bool) -> Contact {
    let (normal, point) = (touch.normal, touch.point);
    let (b, sensor) = match (partner, &touch.tile) {
        (Partner::Entity(b, sensor), _) => (Other::Entity(b), sensor),
        (Partner::Tiles(_, sensor), Some((cell, name))) => (Other::Tile { cell: *cell, name: name.clone() }, sensor),
        (Partner::Tiles(_, sensor), None) => (Other::Tile { cell: [0, 0], name: "".into() }, sensor),
    };
    Contact { a, b, normal, point, speed, began, sensor }
}

/// Which of eight directions a normal points in: 0 is right, then clockwise.
fn octant(n: Vec2) -> u8 {
    /// tan(22.5°)
    const FLAT: f32 = 0.414_213_57;
    let (x, y) = (n.x.abs(), n.y.abs());
    match (n.x >= 0.0, n.y >= 0.0) {
        (right, _) if y < FLAT * x => {
            if right {
                0
            } else {
                4
            }
        }
        (_, down) if x < FLAT * y => {
            if down {
                2
            } else {
                6
            }
        }
        (true, true) => 1,
        (false, true) => 3,
        (false, false) => 5,
        (true, false) => 7,
    }
}
