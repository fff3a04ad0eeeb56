//! Why an entity stands still, in words.

use glam::Vec2;

use crate::sim::{
    nav::{self, Ground, NoPathReason},
    physics::Touched,
    world::{World, entity::Entity},
};

use super::{StillCause, Wants, WhyStill, exits::short};

impl World {
    /// What it is to do, whether it gets there, and the cause if it does not.
    pub(super) fn sentence(&self, why: &WhyStill, entity: &Entity) -> String {
        let WhyStill { id, goal, .. } = why;
        let place = |at: Vec2| format!("{}, {}", at.x.round(), at.y.round());
        let to = goal.map(|goal| format!(" at {}", place(goal))).unwrap_or_default();
        let wants = match &why.wants {
            Wants::Nothing => "has no order to go anywhere".to_owned(),
            Wants::ToStand => "has the order to stand".to_owned(),
            Wants::Route(at) => format!("is on its route, to place {}{to}", at + 1),
            Wants::Place if goal.is_none() => "has the order to go to a place".to_owned(),
            Wants::Place => format!("goes to the place{to}"),
            Wants::Chase(whom) => format!("chases {whom}{to}"),
            Wants::Flee(whom) => format!("flees from {whom}"),
            Wants::Keys => "follows its player's keys".to_owned(),
            Wants::Flock => "flies with its flock".to_owned(),
            Wants::Ride => format!("goes along its route{to}"),
            Wants::Track => "follows its track".to_owned(),
        };
        let but = match why.arrives {
            Some(true) => " and is there",
            Some(false) => " and does not get there",
            None => "",
        };
        let cause = self.cause_text(why, entity);
        match cause {
            Some(cause) => format!("{id} {wants}{but}: {cause}"),
            None => format!("{id} {wants}{but}"),
        }
    }

    fn cause_text(&self, why: &WhyStill, entity: &Entity) -> Option<String> {
        use StillCause as C;
        let whom = |with: &Touched| match with {
            Touched::Body(key) => self.entities.get(*key).map_or_else(String::new, |it| it.id.to_string()),
            Touched::Tile([x, y]) => format!("the tile at {x}, {y}"),
        };
        let text = match &why.cause {
            C::Moves => format!("it moves, at {} px/s", entity.pose.vel.length().round()),
            C::NotBegun => "no tick has run yet".to_owned(),
            C::Removed => "it is being removed".to_owned(),
            C::NoBody => "it has no body that could move".to_owned(),
            C::Static => "its body is static (Body.kind)".to_owned(),
            C::Kinematic => "its body is kinematic (Body.kind), and neither a route nor a track moves it".to_owned(),
            C::Faulty => "its pose was no longer a number, so it was taken out of the simulation".to_owned(),
            C::Buried => "it lies within the ground and is held there".to_owned(),
            C::Asleep => "its body is at rest and sleeps until something pushes it".to_owned(),
            C::Rests(on) if on.is_empty() => "only forces move it, and no force acts on it".to_owned(),
            C::Rests(on) => {
                let on: Vec<String> = on.iter().take(3).map(whom).collect();
                format!("only forces move it, and it rests on {}", on.join(" and "))
            }
            C::Dead => "it has no life left".to_owned(),
            C::NoMover => "it has neither a Walker nor a Flyer, so it cannot move by itself".to_owned(),
            C::NoSpeed => format!("its speed is {}", little(entity.components.speed())),
            C::NoAcceleration => format!("its acceleration is {}", little(entity.components.acceleration())),
            C::Waits(secs) => format!("it waits {} s more before it goes on", short(*secs)),
            C::Held => "something is in its way that it must not crush or cannot push".to_owned(),
            C::HeldByHand => "it is held there by hand".to_owned(),
            C::FlockRests => "its flock is at rest".to_owned(),
            C::Begins => "it is about to begin".to_owned(),
            C::TrackHolds => "the track holds it where it is".to_owned(),
            C::NoKeys => "no key is pressed".to_owned(),
            C::KeysElsewhere(other) => format!("the keys drive {other}"),
            C::NoMachine => "no machine runs that could give it an order".to_owned(),
            C::MachineStopped(machine) => format!("its machine {machine} was stopped because of a problem"),
            C::NoOrder => format!("none of its active states{} gives a movement order", in_states(why)),
            C::Ordered => format!("its machine waits in its state{}", in_states(why)),
            C::Arrived => return None,
            C::NoRoute => "the route has no places to go to".to_owned(),
            C::NoTarget(why) => why.clone(),
            C::WaitsForPath => "its search for a path has not been answered yet".to_owned(),
            C::NoPath(reason) => self.blocked_text(*reason, why, entity),
            C::Stalled(secs) => {
                let by = why.by.as_ref().map(|by| format!(", with {by} in its way")).unwrap_or_default();
                format!("it has made no progress for {} s{by}", short(f64::from(*secs)))
            }
        };
        Some(text)
    }

    fn blocked_text(&self, reason: NoPathReason, why: &WhyStill, entity: &Entity) -> String {
        let cell = why.cell.map(|[x, y]| format!(" at cell {x}, {y}")).unwrap_or_default();
        let by = why.by.as_ref().map(|by| format!(" ({by})")).unwrap_or_default();
        match reason {
            NoPathReason::Wall => format!("something solid{by} is in the way{cell}"),
            NoPathReason::Outside => {
                let grid = self.navigator.floor().grid();
                let who = if grid.contains(grid.cell_at(entity.pose.pos)) { "its goal" } else { "it" };
                format!("{who} is outside the level{cell}")
            }
            NoPathReason::TooNarrow => {
                // The body that stands in the passage itself is named there.
                let wider = why.wider.as_ref().filter(|(id, _)| why.by.as_ref() != Some(id));
                let wider = wider.map(|(id, [x, y])| format!("; {id} closes a wider way at cell {x}, {y}"));
                let wider = wider.unwrap_or_default();
                let widths = match (why.needs_px, why.has_px) {
                    (Some(needs), Some(has)) => {
                        format!(": it needs {} px, and there are {} px", short(needs.into()), short(has.into()))
                    }
                    (Some(_), None) if self.is_by_cells(entity) => {
                        let side = self.navigator.floor().grid().tile_size();
                        let needs = entity.components.nav_agent().width_in_cells(side);
                        return format!(
                            "on the grid of cells it needs a passage of {} px{cell}{by}{wider}",
                            short(needs.into())
                        );
                    }
                    (Some(needs), None) => format!(": it needs {} px", short(needs.into())),
                    _ => String::new(),
                };
                format!("a passage is too narrow for it{cell}{by}{widths}{wider}")
            }
            NoPathReason::Crowded => format!("another body{by} blocks its path{cell}"),
            NoPathReason::HeldBack => {
                let by = why.by.as_deref().unwrap_or("a zone");
                format!("{by} holds it back{cell}")
            }
            NoPathReason::TooFar | NoPathReason::NoTarget | NoPathReason::CannotMove => reason.text().to_owned(),
            NoPathReason::Missed => {
                let to = why.at.and_then(|at| entity.movement.tries.end_of(at)).map(|to| self.rules.grid.cell_at(to));
                let to = to.map(|[x, y]| format!(" to cell {x}, {y}")).unwrap_or_default();
                let from = why.cell.map(|[x, y]| format!(" from cell {x}, {y}")).unwrap_or_default();
                format!("its jumps or drops{from}{to} repeatedly land at another place")
            }
            NoPathReason::Unconnected => {
                let heights = || {
                    let searched = entity.movement.searched.as_deref().filter(|_| self.walks_on_ledges(entity))?;
                    let (at, jump) = (why.at?, self.jump_px(self.by_id(&why.id)?));
                    searched.too_high_text(entity.pose.pos, at, (why.goal?, entity.movement.along.is_some()), jump)
                };
                let heights = heights().unwrap_or_default();
                let closed = why.by.as_ref().map(|by| format!("; {by} closes the way{cell}")).unwrap_or_default();
                let movement = &entity.movement;
                let along = movement.along.as_ref().and_then(|along| along.searched.as_ref());
                let search = movement.searched_path.as_ref().or(along);
                let nothing = match search.map(|search| &search.request.on) {
                    Some(Ground::Waypoints(layer)) => format!("no links of the layer “{layer}” lead there"),
                    Some(Ground::Ledges(_)) => nav::NO_WALK.to_owned(),
                    None if self.walks_on_ledges(entity) => nav::NO_WALK.to_owned(),
                    _ => "no path over cells that it can enter leads there".to_owned(),
                };
                let reached = why.reached.map(|at| self.rules.grid.cell_at(at));
                let reached =
                    reached.map(|[x, y]| format!("; the nearest cell it can reach is {x}, {y}")).unwrap_or_default();
                let carried = if self.walks_on_ledges(entity) && self.has_lifts() {
                    format!("; {}", nav::NO_RIDES)
                } else {
                    String::new()
                };
                format!("{nothing}{heights}{reached}{closed}{carried}")
            }
        }
    }
}

/// Its active states, in brackets.
fn in_states(why: &WhyStill) -> String {
    let states: Vec<&str> = why.states.iter().map(|(_, state)| &**state).filter(|state| !state.is_empty()).collect();
    if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) }
}

/// A speed or acceleration that is 0 or too little.
fn little(value: f32) -> String {
    if value > 0.0 { format!("only {value}") } else { "0".to_owned() }
}
