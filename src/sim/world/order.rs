//! The movement order of an entity, and its progress. Orders are carried out in `movement`.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use glam::Vec2;

use crate::{
    model::Name,
    sim::{
        EntityKey,
        behavior::{Target, vocabulary::RouteMode},
        nav::{Answer, NoPath, PathRequest},
        physics::convex::Convex,
    },
};

use super::{
    along::Along,
    legs::{Legs, Tries},
    progress::{Aloft, Approach, Reached},
};

/// A movement order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Order {
    /// No order yet.
    #[default]
    None,
    /// Stand still.
    Stop,
    /// Go from node to node.
    Route { route: Route, mode: RouteMode, forward: bool },
    /// Go nowhere, because there is no goal: the reason as a sentence.
    Nowhere(Name),
    /// Go to the nearest of some places, with the index of that one.
    GoTo { goals: Arc<[Goal]>, at: usize },
    /// Follow a target.
    Chase(OrderTarget),
    /// Move away from a target.
    Flee(OrderTarget),
}

/// The places of a route, in pixels, and the index of the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Route {
    /// The waypoint layer that it was read from, and the tag of the nodes that are meant (empty: all).
    pub(super) layer: Name,
    pub(super) tag: Name,
    /// The names of its nodes in the layer, in the order of `points`.
    pub(super) nodes: Arc<[Name]>,
    /// Where they are, in pixels.
    pub(super) points: Arc<[Vec2]>,
    pub(super) at: usize,
}

/// A place to go to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Goal {
    /// Position, in pixels.
    pub(super) at: Vec2,
    /// The entity that was there when the order was given.
    pub(super) target: Option<EntityKey>,
}

/// The target of an order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OrderTarget {
    /// The target names no entity.
    None,
    Entity(EntityKey),
    /// The nearest entity that matches at the moment.
    Nearest(Target),
}

impl Route {
    /// Advance to the next place. Returns false at the end of a route that ends there.
    pub(super) fn advance(&mut self, mode: RouteMode, forward: &mut bool) -> bool {
        let last = self.points.len().saturating_sub(1);
        match mode {
            RouteMode::Loop => self.at = if self.at >= last { 0 } else { self.at + 1 },
            RouteMode::Once if self.at >= last => return false,
            RouteMode::Once => self.at += 1,
            RouteMode::PingPong => {
                if (*forward && self.at >= last) || (!*forward && self.at == 0) {
                    *forward = !*forward;
                }
                self.at = if *forward { (self.at + 1).min(last) } else { self.at.saturating_sub(1) };
            }
        }
        true
    }

    pub(super) fn point(&self) -> Option<Vec2> {
        self.points.get(self.at).copied()
    }
}

/// An entity's order and its progress.
#[derive(Clone, Debug)]
pub(super) struct Movement {
    pub(super) order: Order,
    /// Whether the last movement action reached its goal.
    pub(super) has_reached: bool,
    /// Where the target was when this walker touched it in the air, in pixels: it waits until the target leaves.
    pub(super) touched_at: Option<Vec2>,
    /// Why the last movement action does not reach its goal.
    pub(super) no_path: Option<NoPath>,
    /// The path that it follows, in pixels, and the index of the next point.
    pub(super) path: Vec<Vec2>,
    pub(super) path_at: usize,
    /// For a path over ledges: its legs, and the progress along them.
    pub(super) legs: Legs,
    /// The legs that it missed, of any order.
    pub(super) tries: Tries,
    /// The latest search for a path.
    pub(super) searched_path: Option<PathSearch>,
    /// The links of a waypoint layer that the order follows.
    pub(super) along: Option<Along>,
    /// The last answer to a search, for the overlay.
    pub(super) searched: Option<Arc<Answer>>,
    /// Speed of a jump requested by a machine, px/s, and the tick until which the request is valid.
    pub(super) jump_now: Option<f32>,
    pub(super) jump_until: u64,
    /// Whether it is in the air by a jump that a machine requested.
    pub(super) jumps_by_order: bool,
    /// How long it has made no progress although it tries to, in seconds.
    pub(super) stuck_secs: f32,
    /// Its place when it last made progress.
    pub(super) reached: Option<Reached>,
    /// Whether it has searched for another path since it last made progress.
    pub(super) has_replanned: bool,
    /// The tick until which it goes straight through other agents that do not stop it, and those that go through others
    /// as well.
    pub(super) passes_until: u64,
    /// The latest pause that it made because it did not get nearer to its goal, since it last did.
    pub(super) wait: Option<Wait>,
    /// How near it has come to its goal.
    pub(super) approach: Option<Approach>,
    /// The parts of the bodies that have stopped it since: the next search leads around them if possible.
    pub(super) around: Arc<BTreeMap<(EntityKey, usize), Convex>>,
    /// The tick in which zones last accelerated it more than it can itself, and its place then.
    pub(super) overpowered: Option<(u64, Vec2)>,
    /// How long zones that overpower it have kept it near one place.
    pub(super) aloft: Option<Aloft>,
    /// Unit vector of the direction it faces.
    pub(super) facing: Vec2,
    pub(super) platform: Option<Ride>,
    /// The part of its pose that a track sets in this tick.
    pub(super) driven: Option<DrivenPose>,
}

/// A pause of an agent that others keep from its goal, or that moves without getting nearer.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    /// The goal, in pixels.
    pub(super) goal: Vec2,
    /// The ticks of its end, and of the next look whether the others are still there.
    pub(super) until: u64,
    pub(super) look_at: u64,
    /// Duration, in seconds.
    pub(super) secs: f32,
    /// Revision of the floor.
    pub(super) revision: u64,
    /// The agents at rest beside it or at the goal, and where they are, in pixels.
    pub(super) others: Vec<(EntityKey, Vec2)>,
}

/// A requested search for a path.
#[derive(Clone, Debug)]
pub(super) struct PathSearch {
    pub(super) tick: u64,
    /// The goal: of several, the one that was found. In pixels.
    pub(super) goal: Vec2,
    /// Revision of the floor.
    pub(super) revision: u64,
    pub(super) request: Arc<PathRequest>,
    /// The goals of the request, by their indices in the order.
    pub(super) goals: Vec<usize>,
    /// Explanations of a failure, computed on request; not part of the world's state.
    pub(super) failure: Failure,
}

/// Explanations of a search that failed, each computed on the first request, by another search.
#[derive(Clone, Debug, Default)]
pub(super) struct Failure {
    /// The nearest place to the goal that can be reached, in pixels.
    pub(super) nearest: OnceLock<Option<Vec2>>,
    /// The body that closes a wider way over cells, and its middle in pixels.
    pub(super) closed_by: OnceLock<Option<(EntityKey, Vec2)>>,
}

/// The part of a pose that a track sets in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrivenPose {
    /// Position at the end of the tick, in pixels: nothing else moves the entity.
    pub(super) place: Option<Vec2>,
    /// Angle at the end of the tick, in radians.
    pub(super) angle: Option<f32>,
}

/// The progress of a platform along its route.
#[derive(Clone, Debug, Default)]
pub(super) struct Ride {
    pub(super) route: Route,
    pub(super) forward: bool,
    /// The tick until which it waits.
    pub(super) until: u64,
    /// Speed, px/s.
    pub(super) speed: f32,
}

impl Ride {
    /// Distance from a place along the route to the next stop, in pixels, at most `most`: the stops are the ends of the
    /// route, and a loop has none.
    pub(super) fn to_end(&self, mode: RouteMode, from: Vec2, most: f32) -> f32 {
        let (mut way, mut at) = (0.0, from);
        let mut index = self.route.at;
        while let Some(next) = self.route.points.get(index).filter(|_| mode != RouteMode::Loop && way < most) {
            way += at.distance(*next);
            at = *next;
            let before = index.checked_sub(1);
            match if self.forward || mode == RouteMode::Once { Some(index + 1) } else { before } {
                Some(after) if after < self.route.points.len() => index = after,
                _ => return way,
            }
        }
        most
    }
}

impl Movement {
    pub(super) fn new(facing: Vec2) -> Self {
        Self {
            order: Order::None,
            has_reached: false,
            touched_at: None,
            no_path: None,
            path: Vec::new(),
            path_at: 0,
            legs: Legs::default(),
            tries: Tries::default(),
            searched_path: None,
            along: None,
            searched: None,
            jump_now: None,
            jump_until: 0,
            jumps_by_order: false,
            stuck_secs: 0.0,
            reached: None,
            has_replanned: false,
            passes_until: 0,
            wait: None,
            approach: None,
            around: Arc::default(),
            overpowered: None,
            aloft: None,
            facing,
            platform: None,
            driven: None,
        }
    }

    /// Begin another order, along the links of a layer if one is given; the progress of the old one is dropped.
    pub(super) fn begin(&mut self, order: Order, layer: Option<Name>) {
        let mut old = std::mem::replace(self, Self::new(self.facing));
        if old.order != order {
            old.tries.forget_misses();
        }
        *self = Self {
            order,
            along: layer.map(Along::new),
            jump_now: old.jump_now,
            tries: old.tries,
            platform: old.platform,
            driven: old.driven,
            jump_until: old.jump_until,
            jumps_by_order: old.jumps_by_order,
            ..Self::new(old.facing)
        };
    }

    /// Whether it follows this route already, has not arrived and is not blocked: to renew the order changes nothing.
    pub(super) fn is_under_way(&self, new: &Route, new_mode: RouteMode) -> bool {
        let Order::Route { route, mode, .. } = &self.order else { return false };
        let is_same = *mode == new_mode && Route { at: new.at, ..route.clone() } == *new;
        is_same && !self.has_reached && self.no_path.is_none()
    }

    /// Record progress or arrival: the entity is no longer stuck.
    pub(super) fn mark_progress(&mut self) {
        (self.stuck_secs, self.reached, self.has_replanned) = (0.0, None, false);
        self.around = Arc::default();
        if !self.waits_for_path() && self.wait.is_none() {
            self.no_path = None;
        }
    }

    /// Record that it got nearer to its goal than ever before.
    pub(super) fn mark_approach(&mut self) {
        if self.wait.take().is_some() && !self.waits_for_path() {
            self.no_path = None;
        }
    }

    /// Whether it pauses because it does not get nearer to its goal.
    pub(super) fn is_waiting(&self, tick: u64) -> bool {
        self.wait.as_ref().is_some_and(|wait| tick < wait.until)
    }

    /// Whether the search has found no path. Otherwise it follows its path, and may be stuck on it.
    pub(super) fn waits_for_path(&self) -> bool {
        self.path.is_empty() && self.searched.as_ref().is_some_and(|answer| !answer.found)
    }

    /// Whether it has nowhere to go, or is there.
    pub(super) fn is_at_rest(&self) -> bool {
        self.is_idle() || self.has_reached
    }

    /// Whether it goes through others that do so as well.
    pub(super) fn passes(&self, tick: u64) -> bool {
        tick < self.passes_until
    }

    /// Whether its order is not to move.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.order, Order::None | Order::Stop | Order::Nowhere(_))
    }

    /// The rest of the path, from the next point on, in pixels.
    pub(super) fn rest_of_path(&self) -> &[Vec2] {
        self.path.get(self.path_at..).unwrap_or_default()
    }

    /// Length of the rest of the path from a place, in pixels.
    pub(super) fn left_px(&self, pos: Vec2) -> f32 {
        let rest = self.rest_of_path().iter();
        rest.fold((0.0, pos), |(left, at), next| (left + at.distance(*next), *next)).0
    }

    pub(super) fn digest(&self) -> impl Iterator<Item = u64> + '_ {
        let flags = u64::from(self.has_reached) | u64::from(self.no_path.is_some()) << 1 | self.legs.digest() << 2;
        let order = match &self.order {
            Order::None => 0,
            Order::Stop => 1,
            Order::Route { route, forward, .. } => 2 | (route.at as u64) << 8 | u64::from(*forward) << 7,
            Order::GoTo { at, .. } => 3 | (*at as u64) << 8,
            Order::Chase(_) => 4,
            Order::Flee(_) => 5,
            Order::Nowhere(_) => 6,
        };
        let platform = self
            .platform
            .as_ref()
            .map_or(0, |ride| ride.route.at as u64 | u64::from(ride.forward) << 32 | ride.until << 33);
        let points = self.rest_of_path().iter().flat_map(|p| [p.x, p.y]).chain([self.facing.x, self.facing.y]);
        [
            flags,
            order,
            platform,
            self.jump_until ^ self.tries.digest() ^ self.passes_until.rotate_left(32),
            self.wait
                .as_ref()
                .map_or(0, |wait| wait.until ^ wait.look_at.rotate_left(32) ^ u64::from(wait.secs.to_bits())),
            u64::from(self.stuck_secs.to_bits()),
        ]
        .into_iter()
        .chain(points.chain(self.touched_at.into_iter().flat_map(|at| at.to_array())).map(|x| u64::from(x.to_bits())))
    }
}
