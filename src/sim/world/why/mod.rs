//! Why an entity stands still: what it is to do, whether it will reach its goal, and if not, the cause and its place.
//!
//! Invariant: a pure function of the world that is not charged to a tick. The caller knows whether the preview is
//! paused. What is found is put into words in `sentence`, the transitions out of a state in `exits`.

mod exits;
mod sentence;

use glam::Vec2;

use crate::{
    model::{Cell, LevelView, Name},
    sim::{
        EntityKey,
        nav::{Ground, NoPath, NoPathReason},
        physics::Touched,
    },
};

use exits::exits_text;
pub(super) use exits::target_text;

use super::{
    World,
    actions::Driver,
    entity::Entity,
    order::{Order, OrderTarget, PathSearch},
    progress::{TooLittle, too_little},
};

/// Speed below which an entity stands still, px/s.
const STILL_PX_S: f32 = 2.0;

/// What an entity is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Wants {
    /// Nothing: it has no order, and nothing else moves it.
    Nothing,
    /// Stand still, by an order.
    ToStand,
    /// Go to the place of a route, by its index.
    Route(usize),
    /// Go to a place.
    Place,
    /// Chase another entity.
    Chase(Name),
    /// Flee from another entity.
    Flee(Name),
    /// Follow its player's keys.
    Keys,
    /// Fly with its flock.
    Flock,
    /// Move along its route, as platforms do.
    Ride,
    /// Follow its track.
    Track,
}

/// Why an entity does not move, or that it does.
#[derive(Clone, Debug, PartialEq)]
pub enum StillCause {
    /// It moves.
    Moves,
    /// No tick has run yet.
    NotBegun,
    /// It is being removed.
    Removed,
    /// It has no body.
    NoBody,
    /// Its body is static.
    Static,
    /// Its body is kinematic, and neither a route nor a track moves it.
    Kinematic,
    /// Its body was taken out of the simulation.
    Faulty,
    /// It is inside the ground.
    Buried,
    /// It is asleep in the solver.
    Asleep,
    /// Only forces move it, and it rests on these.
    Rests(Vec<Touched>),
    /// It has no life left.
    Dead,
    /// It has an order to go somewhere, and neither a `Walker` nor a `Flyer`.
    NoMover,
    /// Its speed is 0, or too little to get anywhere.
    NoSpeed,
    /// Its acceleration is 0, or too little to get anywhere.
    NoAcceleration,
    /// A platform waits at a place of its route, for this many more seconds.
    Waits(f64),
    /// A platform waits because it would crush something, or an obstacle cannot be pushed.
    Held,
    /// Its track holds it where it is.
    TrackHolds,
    /// A user holds it where it is.
    HeldByHand,
    /// Its flock is at rest.
    FlockRests,
    /// It is about to begin to move.
    Begins,
    /// Its player presses no key.
    NoKeys,
    /// The keys drive another entity.
    KeysElsewhere(Name),
    /// No machine gives it orders.
    NoMachine,
    /// A machine was stopped because of a problem.
    MachineStopped(Name),
    /// None of its active states gives a movement order.
    NoOrder,
    /// A machine ordered it to stand.
    Ordered,
    /// It has reached the goal of its order.
    Arrived,
    /// Its route has no places.
    NoRoute,
    /// The target of its order matches nothing: the reason as a sentence.
    NoTarget(String),
    /// Its search for a path has not been answered yet.
    WaitsForPath,
    /// It cannot get farther, for this reason.
    NoPath(NoPathReason),
    /// It has made no progress for this many seconds; soon it searches for another path.
    Stalled(f32),
}

impl StillCause {
    /// Name in the output of `simulate --why`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Moves => "Moves",
            Self::NotBegun => "NotBegun",
            Self::Removed => "Removed",
            Self::NoBody => "NoBody",
            Self::Static => "Static",
            Self::Kinematic => "Kinematic",
            Self::Faulty => "Faulty",
            Self::Buried => "Buried",
            Self::Asleep => "Asleep",
            Self::Rests(_) => "Rests",
            Self::Dead => "Dead",
            Self::NoMover => "NoMover",
            Self::NoSpeed => "NoSpeed",
            Self::NoAcceleration => "NoAcceleration",
            Self::Waits(_) => "Waits",
            Self::Held => "Held",
            Self::TrackHolds => "TrackHolds",
            Self::HeldByHand => "HeldByHand",
            Self::FlockRests => "FlockRests",
            Self::Begins => "Begins",
            Self::NoKeys => "NoKeys",
            Self::KeysElsewhere(_) => "KeysElsewhere",
            Self::NoMachine => "NoMachine",
            Self::MachineStopped(_) => "MachineStopped",
            Self::NoOrder => "NoOrder",
            Self::Ordered => "Ordered",
            Self::Arrived => "Arrived",
            Self::NoRoute => "NoRoute",
            Self::NoTarget(_) => "NoTarget",
            Self::WaitsForPath => "WaitsForPath",
            Self::NoPath(reason) => reason.name(),
            Self::Stalled(_) => "Stalled",
        }
    }
}

/// Why an entity stands still.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyStill {
    /// Its id.
    pub id: Name,
    /// What it is to do.
    pub wants: Wants,
    /// Its goal, in pixels.
    pub goal: Option<Vec2>,
    /// Whether it will reach its goal; `None` if it has none, or that is not known yet.
    pub arrives: Option<bool>,
    /// Why it does not move.
    pub cause: StillCause,
    /// What it is to do, whether it will reach its goal, and if not why: one sentence, without a full stop.
    pub sentence: String,
    /// The place of the cause, in pixels.
    pub at: Option<Vec2>,
    /// The cell of the level's grid that is in its way.
    pub cell: Option<Cell>,
    /// The obstacle there: the id of an entity, or the name of a tile.
    pub by: Option<Name>,
    /// The nearest place to its goal that it can reach if there is no path, in pixels; if known.
    pub reached: Option<Vec2>,
    /// Its width, if that is the cause, in pixels.
    pub needs_px: Option<f32>,
    /// The width of the passage, in pixels.
    pub has_px: Option<f32>,
    /// The body that closes a wider way, with its cell, if a passage over cells is too narrow.
    pub wider: Option<(Name, Cell)>,
    /// The rest of its path, in pixels.
    pub path: Vec<Vec2>,
    /// The machines that it runs, each with its state; the root's is empty.
    pub states: Vec<(Name, Name)>,
    /// The transitions out of these states, in the order in which they are tried.
    pub exits: Vec<String>,
}

impl World {
    /// Why an entity stands still, or that it moves; `None` if it does not exist.
    #[must_use]
    pub fn why_still(&self, key: EntityKey) -> Option<WhyStill> {
        let entity = self.entities.get(key)?;
        let wants = self.wants(key, entity);
        let goal = self.goal_of(key, entity).filter(|_| wants != Wants::Keys);
        let cause = self.still_cause(key, entity, &wants);
        let movement = &entity.movement;
        let blocked = movement.no_path.filter(|_| matches!(cause, StillCause::NoPath(_)));
        let at = blocked.map(|it| it.at).or_else(|| matches!(cause, StillCause::Stalled(_)).then_some(entity.pose.pos));
        let by = at.and_then(|at| self.in_the_way(key, at, blocked.map(|it| it.reason)));
        // The obstacle is another body at the place, not at the point of contact.
        let is_body = matches!(cause, StillCause::Stalled(_) | StillCause::NoPath(NoPathReason::Crowded));
        let body = by.as_ref().filter(|_| is_body).and_then(|id| self.entities.get(self.by_id(id)?));
        let at = body.map(|it| it.pose.pos).or(at);
        let cell = at.filter(|_| blocked.is_some() || body.is_some()).map(|at| self.rules.grid.cell_at(at));
        let is_narrow = blocked.is_some_and(|it| it.reason == NoPathReason::TooNarrow);
        let needs_px = is_narrow.then(|| 2.0 * self.radius_of(key, entity));
        // If only the grid of cells keeps it out of a passage that is wide enough, the width there is not the cause.
        let floor = self.navigator.floor();
        let is_wide = |at: Vec2, needs: f32| {
            self.is_by_cells(entity) && floor.is_wide_enough(at, goal.unwrap_or(at), needs / 2.0)
        };
        let found = at.zip(needs_px).filter(|(at, needs)| !is_wide(*at, *needs));
        let has_px = found.and_then(|(at, needs)| self.width_at(at, needs));
        let arrives = match &cause {
            StillCause::Arrived => Some(true),
            StillCause::Moves | StillCause::WaitsForPath | StillCause::NotBegun => None,
            _ if goal.is_some() => Some(false),
            _ => None,
        };
        let running: Vec<_> = entity.machines.iter().chain(entity.queue.front()).flatten().collect();
        let state =
            |it: &&super::entity::Running| (it.program.name.clone(), it.program.path(it.cursor.current()).clone());
        let states = running.iter().map(state).collect();
        let started = running.iter().filter(|it| it.cursor.is_started() && !it.cursor.is_stopped());
        let exits = started.flat_map(|it| exits_text(&it.program, it.cursor.current(), &self.symbols)).collect();
        let path = movement.rest_of_path().to_vec();
        let mut why = WhyStill {
            id: entity.id.clone(),
            wants,
            goal,
            arrives,
            cause,
            sentence: String::new(),
            at,
            cell,
            by,
            reached: blocked.and_then(|it| self.nearest_reached(entity, it)),
            needs_px,
            has_px,
            wider: Some(entity).filter(|_| is_narrow).and_then(|entity| self.closes_wider_way(entity)),
            path,
            states,
            exits,
        };
        why.sentence = self.sentence(&why, entity);
        Some(why)
    }

    fn wants(&self, key: EntityKey, entity: &Entity) -> Wants {
        if entity.movement.driven.is_some_and(|driven| driven.place.is_some()) {
            return Wants::Track;
        }
        let components = &entity.components;
        if components.platform.is_some() {
            return Wants::Ride;
        }
        let name = |target: &OrderTarget| -> Name {
            match target {
                OrderTarget::None => "no target".into(),
                OrderTarget::Entity(other) => {
                    self.entities.get(*other).map_or_else(|| "no target".into(), |it| it.id.clone())
                }
                OrderTarget::Nearest(target) => {
                    let found = self.nearest(target, key, None, |_, _| true).and_then(|key| self.entities.get(key));
                    found.map_or_else(|| target_text(target).into(), |it| it.id.clone())
                }
            }
        };
        match &entity.movement.order {
            _ if self.driver(key, entity) != Driver::Order => Wants::Keys,
            Order::None if components.flock.is_some() => Wants::Flock,
            Order::None => Wants::Nothing,
            Order::Nowhere(_) => Wants::Place,
            Order::Stop if components.flock.is_some() && components.walker.is_none() => Wants::Flock,
            Order::Stop => Wants::ToStand,
            Order::Route { route, .. } => Wants::Route(route.at),
            Order::GoTo { .. } => Wants::Place,
            Order::Chase(target) => Wants::Chase(name(target)),
            Order::Flee(target) => Wants::Flee(name(target)),
        }
    }

    fn goal_of(&self, key: EntityKey, entity: &Entity) -> Option<Vec2> {
        let ride = entity.movement.platform.as_ref().filter(|_| entity.components.platform.is_some());
        ride.map_or_else(|| self.goal(key), |ride| ride.route.point())
    }

    fn still_cause(&self, key: EntityKey, entity: &Entity, wants: &Wants) -> StillCause {
        use StillCause as C;
        if entity.is_deleted {
            return C::Removed;
        }
        let Some(spec) = self.physics.spec(key).filter(|_| entity.has_body) else { return C::NoBody };
        if self.physics.is_faulty(key) {
            return C::Faulty;
        }
        if self.tick == 0 {
            return C::NotBegun;
        }
        let moves = entity.pose.vel.length() > STILL_PX_S;
        if self.hand().key() == Some(key) && !moves {
            return C::HeldByHand;
        }
        if *wants == Wants::Track {
            return if moves { C::Moves } else { C::TrackHolds };
        }
        if let Some(platform) = &entity.components.platform {
            return self.platform_cause(entity, platform.speed, moves);
        }
        if spec.is_static() {
            return C::Static;
        }
        if !spec.is_mover() {
            return match () {
                () if moves || entity.pose.spin.abs() > 0.1 => C::Moves,
                () if !spec.is_dynamic() => C::Kinematic,
                () if self.physics.is_buried(key) => C::Buried,
                () if self.goal(key).is_some() => C::NoMover,
                () if self.physics.is_sleeping(key) => C::Asleep,
                () => C::Rests(self.physics.contacts_of(key).into_iter().map(|(with, _)| with).collect()),
            };
        }
        self.mover_cause(key, entity, wants, moves)
    }

    fn platform_cause(&self, entity: &Entity, speed: f32, moves: bool) -> StillCause {
        let Some(ride) = entity.movement.platform.as_ref().filter(|ride| ride.route.points.len() > 1) else {
            return StillCause::NoRoute;
        };
        if moves {
            return StillCause::Moves;
        }
        if speed <= 0.0 {
            return StillCause::NoSpeed;
        }
        if ride.until > self.tick {
            #[expect(clippy::cast_precision_loss, reason = "a few ticks")]
            let ticks = (ride.until - self.tick) as f64;
            return StillCause::Waits(ticks / self.rules.hz);
        }
        StillCause::Held
    }

    /// The cause for a walker or flyer.
    fn mover_cause(&self, key: EntityKey, entity: &Entity, wants: &Wants, moves: bool) -> StillCause {
        use StillCause as C;
        let (movement, components) = (&entity.movement, &entity.components);
        if !moves && self.physics.is_buried(key) {
            return C::Buried;
        }
        // One that is pressed against a wall keeps the speed it tries.
        let no_path = movement.no_path.filter(|it| it.reason != NoPathReason::CannotMove);
        if let Some(no_path) = no_path.filter(|_| *wants != Wants::Keys && self.goal(key).is_some()) {
            return C::NoPath(no_path.reason);
        }
        if moves {
            return C::Moves;
        }
        if entity.life.is_some_and(|life| life.is_dead) {
            return C::Dead;
        }
        if let Some(stopped) = entity.machines.iter().flatten().find(|running| running.cursor.is_stopped()) {
            return C::MachineStopped(stopped.program.name.clone());
        }
        let is_slow = movement.no_path.is_some_and(|it| it.reason == NoPathReason::CannotMove);
        let too_little = too_little(components, self.stuck_limit_secs()).filter(|_| is_slow);
        if components.speed() <= 0.0 || too_little == Some(TooLittle::Speed) {
            return C::NoSpeed;
        }
        if components.acceleration() <= 0.0 || too_little == Some(TooLittle::Acceleration) {
            return C::NoAcceleration;
        }
        if *wants == Wants::Keys {
            let other = self.possessed.filter(|other| *other != key && components.player == Some(0));
            let other = other.and_then(|other| self.entities.get(other));
            let holds = self.player_of(key).is_some_and(|player| self.direction_of(player) != Vec2::ZERO);
            let own = if holds { C::Held } else { C::NoKeys };
            return other.map_or(own, |other| C::KeysElsewhere(other.id.clone()));
        }
        if *wants == Wants::Flock {
            return C::FlockRests;
        }
        if matches!(wants, Wants::Nothing | Wants::ToStand) && entity.receivers().is_empty() {
            return C::NoMachine;
        }
        match &movement.order {
            Order::None | Order::Stop if movement.has_reached => C::Arrived,
            Order::None => C::NoOrder,
            Order::Stop => C::Ordered,
            Order::Route { route, .. } if route.points.is_empty() => C::NoRoute,
            Order::Route { route, .. } if route.points.len() == 1 && movement.has_reached => C::Arrived,
            Order::Nowhere(why) => C::NoTarget(why.to_string()),
            Order::Chase(target) | Order::Flee(target) if self.find(key, target).is_none() => {
                let whom = match target {
                    OrderTarget::None => "no target".to_owned(),
                    OrderTarget::Entity(_) => "an entity that is gone".to_owned(),
                    OrderTarget::Nearest(target) => target_text(target),
                };
                C::NoTarget(format!("nothing in the level matches its target ({whom})"))
            }
            Order::Chase(_) if movement.has_reached => C::Arrived,
            _ if movement.path.is_empty() && self.navigator.is_waiting(key) => C::WaitsForPath,
            _ if movement.stuck_secs > 0.0 => C::Stalled(movement.stuck_secs),
            _ => C::Begins,
        }
    }

    /// The nearest place to its goal that it can reach, over ledges and along waypoints, in pixels.
    fn nearest_reached(&self, entity: &Entity, no_path: NoPath) -> Option<Vec2> {
        let PathSearch { request, failure, .. } = entity.movement.searched_path.as_ref()?;
        if no_path.reason != NoPathReason::Unconnected {
            return None;
        }
        let nearest = || match &request.on {
            Ground::Grid => None,
            // Within the cell above the ground.
            Ground::Ledges(walker) => {
                let feet = self.navigator.clone().nearest_on_ledges(walker, request.from, &request.to);
                feet.map(|feet| feet - Vec2::Y)
            }
            Ground::Waypoints(_) => {
                let mut navigator = self.navigator.clone();
                navigator.keeps_shapes = true;
                let from_goal =
                    |at: &Vec2| request.to.iter().map(|goal| goal.distance_squared(*at)).fold(f32::INFINITY, f32::min);
                let examined = navigator.find_now(request).closed.into_iter();
                examined.min_by(|a, b| from_goal(a).total_cmp(&from_goal(b)))
            }
        };
        *failure.nearest.get_or_init(nearest)
    }

    /// The radius that its path needs, in pixels.
    fn radius_of(&self, key: EntityKey, entity: &Entity) -> f32 {
        let body = || {
            let around = self.physics.spec(key)?.collider.as_ref()?.solid_bounds(Vec2::ZERO, 0.0);
            Some((around.hi.x - around.lo.x) / 2.0)
        };
        // Walkers seen from the side are planned for by their bodies; along links, by their agents. A body that is
        // longer than wide is planned for by its width, and held up by its length.
        let is_along = entity.movement.along.is_some();
        if self.walks_on_ledges(entity) && !is_along {
            body().unwrap_or_default()
        } else {
            entity.components.widest_radius()
        }
    }

    /// The width of the widest agent that fits at a place, in pixels; `None` if the entity itself fits.
    fn width_at(&self, at: Vec2, needs_px: f32) -> Option<f32> {
        let floor = self.navigator.floor();
        if floor.is_clear(at, at, needs_px / 2.0) {
            return None;
        }
        Some(2.0 * floor.room_at(at, needs_px / 2.0))
    }

    /// The body that closes a wider way over cells, with its cell.
    fn closes_wider_way(&self, entity: &Entity) -> Option<(Name, Cell)> {
        let search = entity.movement.searched_path.as_ref().filter(|_| self.is_by_cells(entity))?;
        let closed_by = || self.navigator.closes_way(&search.request);
        let (by, at) = (*search.failure.closed_by.get_or_init(closed_by))?;
        Some((self.entities.get(by)?.id.clone(), self.rules.grid.cell_at(at)))
    }

    /// Whether it walks in a level seen from the side.
    pub(super) fn walks_on_ledges(&self, entity: &Entity) -> bool {
        self.rules.view == LevelView::Platformer && entity.components.walker.is_some()
    }

    /// Whether a search over cells found no path for it.
    fn is_by_cells(&self, entity: &Entity) -> bool {
        !self.walks_on_ledges(entity) && entity.movement.along.is_none() && entity.movement.waits_for_path()
    }

    /// The obstacle at a position: a touching entity, a body of the floor, a tile, or the zone that holds it back.
    fn in_the_way(&self, key: EntityKey, at: Vec2, reason: Option<NoPathReason>) -> Option<Name> {
        let id = |key: EntityKey| self.entities.get(key).map(|entity| entity.id.clone());
        let touched = || {
            let touching = self.physics.touching(key).into_iter().filter(|contact| self.is_beside(contact));
            touching.filter_map(|contact| contact.b.entity()).find_map(id)
        };
        let standing = || {
            let there = self.physics.overlapping_circle(at, 1.0).into_iter().filter(|other| *other != key);
            let closes = |other: &EntityKey| {
                self.physics.can_stop(*other, key) || self.navigator.floor().body_near(at) == Some(*other)
            };
            there.filter(closes).find_map(id)
        };
        let tile =
            || Some(self.rules.grid.cell(self.rules.grid.cell_at(at)).name.clone()).filter(|name| !name.is_empty());
        match reason {
            None | Some(NoPathReason::Crowded) => touched(),
            Some(NoPathReason::HeldBack) => self.zone_at(key, at - self.pos(key)?).and_then(id).or_else(tile),
            Some(NoPathReason::Wall) => standing().or_else(tile).or_else(touched),
            // The obstacle in the passage, not at the goal.
            Some(NoPathReason::TooNarrow | NoPathReason::Unconnected)
                if self.goal(key).is_none_or(|goal| goal.distance(at) > 1.0) =>
            {
                standing()
            }
            Some(_) => None,
        }
    }
}
