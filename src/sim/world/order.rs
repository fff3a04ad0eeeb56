//! What an entity is to do, and how far it got. How orders are carried out is `movement`.

use std::{collections::BTreeMap, sync::Arc};

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
    progress::Reached,
};

/// What an entity is to do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Order {
    /// No order yet.
    #[default]
    None,
    /// Stand still.
    Stop,
    /// Node after node.
    Route { route: Route, mode: RouteMode, forward: bool },
    /// Nowhere, for there is nothing to go to: why, as a sentence.
    Nowhere(Name),
    /// To the nearest of some places, and which one that is.
    GoTo { goals: Arc<[Vec2]>, at: usize },
    /// After a target.
    Chase(OrderTarget),
    /// Away from a target.
    Flee(OrderTarget),
}

/// The places of a route, and which is next.
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
    /// Go on to the next place. False at the end of a route that does not go on.
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

/// An entity's order and how far it got.
#[derive(Clone, Debug)]
pub(super) struct Movement {
    pub(super) order: Order,
    /// The last movement action arrived.
    pub(super) has_reached: bool,
    /// Why the last movement action does not get there.
    pub(super) no_path: Option<NoPath>,
    /// The path being walked, in pixels.
    pub(super) path: Vec<Vec2>,
    pub(super) path_at: usize,
    /// Of a path over ledges: its parts, and how far it got with them.
    pub(super) legs: Legs,
    /// The legs by which it did not get where they lead, of any order.
    pub(super) tries: Tries,
    /// The latest search for a path.
    pub(super) searched_path: Option<PathSearch>,
    /// The links of a waypoint layer that the order keeps to.
    pub(super) along: Option<Along>,
    /// The cells that the last search examined, for the overlay.
    pub(super) searched: Option<Arc<Answer>>,
    /// A jump requested by a machine.
    pub(super) jump_now: Option<f32>,
    pub(super) jump_until: u64,
    /// It is in the air by a jump that a machine requested.
    pub(super) jumps_by_order: bool,
    /// How long it has made no progress although it wants to.
    pub(super) stuck_secs: f32,
    /// How far it was when it last made progress.
    pub(super) reached: Option<Reached>,
    /// It has looked for another path since it last made progress.
    pub(super) has_replanned: bool,
    /// The bodies that stopped it since, by their parts: the next search leads around them if it can.
    pub(super) around: BTreeMap<(EntityKey, usize), Convex>,
    /// Unit vector of the direction it faces.
    pub(super) facing: Vec2,
    pub(super) platform: Option<Ride>,
    /// What of its pose follows a track in this tick.
    pub(super) driven: Option<DrivenPose>,
}

/// A search for a path that was asked for.
#[derive(Clone, Debug)]
pub(super) struct PathSearch {
    pub(super) tick: u64,
    /// The goal that counts: of several the one that was found.
    pub(super) goal: Vec2,
    /// Of the floor.
    pub(super) revision: u64,
    pub(super) request: Arc<PathRequest>,
}

/// What of a pose follows a track in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrivenPose {
    /// Where it is at the end of the tick, in pixels: nothing else moves it.
    pub(super) place: Option<Vec2>,
    /// In radians.
    pub(super) angle: Option<f32>,
}

/// How far a platform got.
#[derive(Clone, Debug, Default)]
pub(super) struct Ride {
    pub(super) route: Route,
    pub(super) forward: bool,
    /// The tick when it goes on.
    pub(super) until: u64,
    /// How fast it goes, px/s.
    pub(super) speed: f32,
}

impl Ride {
    /// How far it is from a place to where it comes to rest, as far as that is less than `most`: the ends of its route,
    /// of which a loop has none.
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
            around: BTreeMap::new(),
            facing,
            platform: None,
            driven: None,
        }
    }

    /// Begin another order, along the links of a layer where one is given; the progress of the old one is dropped.
    pub(super) fn begin(&mut self, order: Order, layer: Option<Name>) {
        let old = std::mem::replace(self, Self::new(self.facing));
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

    /// It makes progress, or has arrived: forget that it was stuck.
    pub(super) fn gets_on(&mut self) {
        (self.stuck_secs, self.reached, self.has_replanned) = (0.0, None, false);
        self.around.clear();
        if !self.waits_for_path() {
            self.no_path = None;
        }
    }

    /// Whether the search has found no path. Otherwise it is walking, and may be stuck on its path.
    pub(super) fn waits_for_path(&self) -> bool {
        self.path.is_empty() && self.searched.as_ref().is_some_and(|answer| !answer.found)
    }

    /// Whether it neither goes anywhere nor wants to.
    pub(super) fn rests(&self) -> bool {
        matches!(self.order, Order::None | Order::Stop | Order::Nowhere(_))
    }

    /// The rest of the path, from the next point on.
    pub(super) fn rest_of_path(&self) -> &[Vec2] {
        self.path.get(self.path_at..).unwrap_or_default()
    }

    /// How long the rest of the path is from a place, in pixels.
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
        [flags, order, platform, self.jump_until ^ self.tries.digest(), u64::from(self.stuck_secs.to_bits())]
            .into_iter()
            .chain(points.map(|x| u64::from(x.to_bits())))
    }
}
