//! The built-in conditions and actions of machines, as evaluated and performed by the world.
//!
//! Invariant: every built-in one is implemented here; anything that changes which machines run, or removes an entity,
//! is deferred until after the response, see `messages`. When each is evaluated and performed is decided by
//! `sim::behavior`.

use glam::Vec2;

use crate::{
    model::{Finding, LIFE, Location, Name, Value},
    sim::{
        EntityKey,
        behavior::{BuiltinAction, Cursor, Host, Mail, MsgId, Program, Question, Scope, Target, vocabulary::vec_of},
        fuzzy, limits,
        physics::Other,
    },
};

use super::{
    TraceKind, World,
    bounds::vec_value,
    entity::{Cause, DeferredCommand, Entity, FieldChange, Life},
    input::is_called,
    insight::is_in_cone,
    messages::reason_in,
    order::{Goal, Order, OrderTarget},
    targets::turned,
    why::target_text,
};

/// The text of an order whose target matches nothing.
fn no_match_text(target: &Target) -> Name {
    match target {
        Target::Any => "its order names no goal".into(),
        Target::Me => "its order names itself as its goal".into(),
        target => format!("nothing in the level matches its target ({})", target_text(target)).into(),
    }
}

/// One machine of one entity, while it responds to a message.
pub(super) struct Answering<'w> {
    pub(super) world: &'w mut World,
    pub(super) me: EntityKey,
    pub(super) uid: u32,
    pub(super) machine: Name,
    /// The message; `None` at the start and on `Update`.
    pub(super) mail: Option<&'w Mail>,
    /// The receiver of the message, if this machine only gets a copy.
    pub(super) copy_of: Option<Name>,
}

impl Answering<'_> {
    fn sender(&self) -> Option<EntityKey> {
        self.mail?.from.as_ref().map(|(key, _)| *key)
    }

    fn my(&self) -> Option<&Entity> {
        self.world.entities.get(self.me).map(Box::as_ref)
    }

    fn emit(&mut self, kind: TraceKind) {
        self.world.emit(self.me, Some(self.machine.clone()), kind);
    }

    fn nearest(&mut self, target: &Target, fits: impl Fn(EntityKey, &Entity) -> bool) -> Option<EntityKey> {
        if !self.charge_for(target) {
            return None;
        }
        self.world.nearest(target, self.me, self.sender(), fits)
    }

    /// Charge the examination of every entity that a target refers to. Returns false if this tick's budget is
    /// exhausted.
    fn charge_for(&mut self, target: &Target) -> bool {
        let n = match self.world.resolve(target, Some(self.me), self.sender()) {
            super::targets::Targets::One(_) => 1,
            super::targets::Targets::Kind(kind) => kind.len() as u64,
        };
        self.world.charge(n, "look for others")
    }

    fn resolve_all(&mut self, target: &Target) -> Vec<EntityKey> {
        if !self.charge_for(target) {
            return Vec::new();
        }
        self.world.resolve_all(target, Some(self.me), self.sender())
    }

    /// A vector within a limit. If it had to be limited, `given` is reported for the action's argument.
    fn within(&mut self, argument: &'static str, given: [f64; 2], v: Vec2, limit: impl Fn(Vec2) -> Vec2) -> Vec2 {
        let used = limit(v);
        if used != v {
            let given = Value::vec2(given[0], given[1]);
            self.world.limit_reached(self.me, Cause::Action(argument), &given, &vec_value(used));
        }
        used
    }

    /// A delay within its limit, in seconds. If it had to be limited, that is reported for the action's argument.
    fn delay(&mut self, argument: &'static str, secs: f64) -> f64 {
        let used = secs.min(limits::MAX_DELAY_SECS);
        if used < secs {
            let (given, used) = (Value::Float(secs), Value::Float(used));
            self.world.limit_reached(self.me, Cause::Action(argument), &given, &used);
        }
        used
    }

    fn number(&self, field: &str) -> Option<f64> {
        self.world.number(self.me, field)
    }

    /// A target as stored in an order: the sender is resolved at once, because it differs from message to message.
    fn order_target(&self, target: &Target) -> OrderTarget {
        match target {
            Target::Sender => self.sender().map_or(OrderTarget::None, OrderTarget::Entity),
            Target::Me => OrderTarget::Entity(self.me),
            Target::Any => OrderTarget::None,
            other => OrderTarget::Nearest(other.clone()),
        }
    }

    fn order(&mut self, order: Order) {
        self.order_along(order, "");
    }

    /// Begin an order along the links of a waypoint layer, if one is named.
    fn order_along(&mut self, order: Order, layer: &str) {
        self.world.navigator.cancel(self.me);
        let components = self.world.entities.get(self.me).map(|entity| &entity.components);
        if order != Order::Stop && components.is_some_and(|it| it.walker.is_none() && it.flyer.is_none()) {
            self.problem("it is to go somewhere, and has neither `Walker` nor `Flyer`".to_owned());
        }
        let is_there = layer.is_empty() || self.world.navigator.waypoints(layer).is_some();
        if let Some(entity) = self.world.entities.get_mut(self.me) {
            let lacks = || Order::Nowhere(format!("there is no waypoint layer `{layer}`").into());
            let order = if is_there { order } else { lacks() };
            entity.movement.begin(order, (is_there && !layer.is_empty()).then(|| layer.into()));
        }
        if !is_there {
            self.problem(format!("there is no waypoint layer `{layer}`"));
        }
    }

    fn can_see(&mut self, target: &Target, range: f32) -> bool {
        if !self.charge_for(target) {
            return false;
        }
        let Some(me) = self.my() else { return false };
        let eye = me.pose.pos + me.components.sight.offset;
        let cone = (me.movement.facing, me.components.sight.cone_rad);
        let grid = &self.world.rules.grid;
        // Each line of sight costs the cells it crosses; beyond the budget nothing is seen.
        let (crossed, left) = (std::cell::Cell::new(0_u64), limits::MAX_WORK.saturating_sub(self.world.work));
        let sees = |_: EntityKey, other: &Entity| {
            is_in_cone(other.pose.pos - eye, cone, range) && {
                crossed.set(crossed.get() + grid.n_cells_between(eye, other.pose.pos));
                crossed.get() <= left && grid.sight_clear(eye, other.pose.pos)
            }
        };
        let is_seen = self.world.nearest(target, self.me, self.sender(), sees).is_some();
        self.world.charge(crossed.get(), "look along lines of sight");
        is_seen
    }

    fn is_touching(&mut self, target: &Target) -> bool {
        let touched = self.world.physics.touching(self.me);
        if *target == Target::Any {
            return !touched.is_empty();
        }
        let meant = self.resolve_all(target);
        touched.iter().any(|contact| matches!(&contact.b, Other::Entity(other) if meant.contains(other)))
    }

    fn is_in_state(&self, program: &Program, cursor: &Cursor, state: &str, machine: &str, own: Option<u16>) -> bool {
        if let Some(own) = own {
            return program.is_inside(cursor.current(), own);
        }
        if *program.name == *machine
            && let Some(state) = program.find(state)
        {
            return program.is_inside(cursor.current(), state);
        }
        let Some(me) = self.my() else { return false };
        let others = me.machines.iter().chain(me.queue.front()).flatten();
        others.filter(|running| *running.program.name == *machine && running.cursor.is_started()).any(|running| {
            let state = running.program.find(state);
            state.is_some_and(|state| running.program.is_inside(running.cursor.current(), state))
        })
    }

    fn send(&mut self, program: &Program, cursor: &Cursor, state: u16, action: &BuiltinAction) {
        let BuiltinAction::Send { to, message, payload, delay, jitter, scoped } = action else { return };
        let sender = self.sender();
        let (delay, jitter) = (&self.delay("Send.delay", *delay), &self.delay("Send.jitter", *jitter));
        if !self.charge_for(to) {
            return;
        }
        let receivers: Vec<EntityKey> = match self.world.resolve(to, Some(self.me), sender) {
            // The bare name of a definition or tag refers to the nearest entity; `def:` and `tag:` refer to all.
            super::targets::Targets::Kind(_) if matches!(to, Target::Name(_)) => {
                self.world.nearest(to, self.me, sender, |_, _| true).into_iter().collect()
            }
            _ => self.world.resolve_all(to, Some(self.me), sender),
        };
        if receivers.is_empty() {
            let named = match to {
                Target::Name(name) => Some(name.clone()),
                Target::Sender => self.mail.and_then(|mail| mail.from.as_ref()).map(|(_, id)| id.clone()),
                _ => None,
            };
            if let Some(named) = named {
                let name = self.world.symbols.name(*message);
                self.world.drop_message(&named, name, "no_receiver");
            }
            return;
        }
        let hz = self.world.rules.hz;
        let reaction = self.my().map_or(0.0, |me| f64::from(me.components.brain.reaction_secs));
        let scope = cursor.entry(program, state).filter(|_| *scoped && *delay + *jitter > 0.0);
        let scope = scope.map(|entry| Scope { machine: self.uid, state, entry });
        let Some(me) = self.world.entities.get_mut(self.me) else { return };
        let my_id = me.id.clone();
        for receiver in receivers {
            // Each receiver gets it after its own reaction time; messages to oneself have none.
            let Some(me) = self.world.entities.get_mut(self.me) else { return };
            let drawn = if *jitter > 0.0 { me.random.unit() * jitter } else { 0.0 };
            let late = if receiver == self.me { 0.0 } else { reaction };
            let Some(to_id) = self.world.entities.get(receiver).map(|entity| entity.id.clone()) else { continue };
            let mail = Mail {
                name: *message,
                from: Some((self.me, my_id.clone())),
                to: receiver,
                to_id,
                payload: payload.clone(),
                scope: scope.filter(|_| receiver == self.me),
                timer: None,
            };
            if self.world.mail.len() >= limits::MAX_MAIL {
                let text = format!("more than {} messages wait to be delivered", limits::MAX_MAIL);
                self.world.overloaded(text);
                return;
            }
            self.world.mail.send(self.world.tick, (delay + drawn + late) * hz, mail);
        }
    }

    /// The direction to a target, by which a vector is turned; without a target the x axis, which leaves it as it is.
    fn direction(&mut self, from: Vec2, toward: &Target) -> Vec2 {
        if *toward == Target::Any {
            return Vec2::X;
        }
        let other = self.nearest(toward, |_, _| true).and_then(|key| self.world.pos(key));
        other.map_or(Vec2::X, |to| to - from)
    }

    fn defer(&mut self, command: DeferredCommand) {
        if let Some(me) = self.world.entities.get_mut(self.me) {
            me.deferred.push(command);
        }
    }
}

impl Host for Answering<'_> {
    fn ask(&mut self, program: &Program, cursor: &mut Cursor, question: &Question) -> bool {
        match question {
            Question::CanSee { target, range } => self.can_see(target, *range),
            Question::Within { target, range } => {
                let Some(from) = self.world.pos(self.me) else { return false };
                self.nearest(target, |_, other| other.pose.pos.distance(from) <= *range).is_some()
            }
            Question::LifeBelow { percent } => {
                self.my().and_then(Entity::life_of).is_some_and(|(now, max)| now < max * percent / 100.0)
            }
            Question::FieldBelow { field, value } => self.number(field).is_some_and(|x| x < *value),
            Question::FieldAbove { field, value } => self.number(field).is_some_and(|x| x > *value),
            Question::Hysteresis { field, low, high, memory } => {
                let Some(x) = self.number(field) else { return false };
                let Some(was) = cursor.memory.get_mut(usize::from(*memory)) else { return false };
                *was = x >= *high || (*was && x >= *low);
                *was
            }
            Question::Touching { target } => self.is_touching(target),
            Question::OnGround => self.world.physics.on_ground(self.me),
            Question::Holds { action } => self.world.holds(self.me, action),
            Question::ActionIs { action } => {
                let of = self.mail.and_then(|mail| mail.payload.get("action")).and_then(Value::as_str);
                of.is_some_and(|of| is_called(of, action))
            }
            Question::ReachedGoal => self.my().is_some_and(|me| me.movement.has_reached),
            Question::NoPath => self.my().is_some_and(|me| me.movement.no_path.is_some()),
            Question::InState { state, machine, own } => self.is_in_state(program, cursor, state, machine, *own),
            Question::Chance { percent } => {
                let me = self.world.entities.get_mut(self.me);
                me.is_some_and(|me| me.random.unit() * 100.0 < *percent)
            }
            Question::Tagged { tag, target } => {
                self.nearest(target, |_, other| other.components.tags.iter().any(|t| t == tag)).is_some()
            }
            Question::HasComponent { component, target } => {
                self.nearest(target, |_, other| other.live.has(component)).is_some()
            }
            Question::FuzzyAbove { field, low, high, level } => {
                self.number(field).is_some_and(|x| fuzzy::ramp(x, *low, *high) > *level)
            }
            Question::Other(_) => false,
        }
    }

    fn act(&mut self, program: &Program, cursor: &Cursor, state: u16, action: &BuiltinAction) {
        match action {
            BuiltinAction::SetState(_) | BuiltinAction::Other(_) => {}
            BuiltinAction::Send { .. } => self.send(program, cursor, state, action),
            BuiltinAction::Despawn { target } => {
                let target = if *target == Target::Any { &Target::Me } else { target };
                for key in self.resolve_all(target) {
                    self.world.despawn_later(key);
                }
            }
            BuiltinAction::Spawn { def, at, velocity, toward } => {
                let Some(me) = self.my() else { return };
                let (from, layer) = (me.pose.pos, me.layer);
                let given = [f64::from(from.x) + at[0], f64::from(from.y) + at[1]];
                let pos = self.within("Spawn.at", given, from + vec_of(*at), limits::place);
                let velocity = self.within("Spawn.velocity", *velocity, vec_of(*velocity), limits::velocity);
                let velocity = turned(velocity, self.direction(pos, toward));
                if let Err(why) = self.world.spawn(def, pos, velocity, layer) {
                    let text = format!("`{def}` was not spawned: {why}");
                    self.problem(text);
                }
            }
            BuiltinAction::Say { text, secs } => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to an hour")]
                let ticks = (secs.clamp(0.0, 3600.0) * self.world.rules.hz).ceil() as u64;
                let until = self.world.tick + ticks;
                if let Some(me) = self.world.entities.get_mut(self.me) {
                    me.saying = Some((text.clone(), until));
                }
                self.world.emit(self.me, None, TraceKind::Say { text: text.to_string() });
            }
            BuiltinAction::FollowRoute { layer, mode, tag } => {
                let Some(pos) = self.world.pos(self.me) else { return };
                if !self.world.charge(self.world.route_work(layer), "look for routes") {
                    return;
                }
                match self.world.route(layer, tag, pos) {
                    // A renewed order goes on to its next node, instead of beginning at the nearest again.
                    Ok(route) if self.my().is_some_and(|me| me.movement.is_under_way(&route, *mode)) => {}
                    Ok(route) => self.order_along(Order::Route { route, mode: *mode, forward: true }, layer),
                    Err(why) => {
                        self.order(Order::Nowhere(why.as_str().into()));
                        self.problem(why);
                    }
                }
            }
            BuiltinAction::GoTo { target, places, layer } => {
                let Some(pos) = self.world.pos(self.me) else { return };
                let place = |at: &[f64; 2]| self.within("GoTo.at", *at, vec_of(*at), limits::place);
                let mut goals: Vec<Goal> = places.iter().map(place).map(|at| Goal { at, target: None }).collect();
                let meant = self.resolve_all(target).into_iter().filter(|key| *key != self.me);
                goals.extend(meant.filter_map(|key| Some(Goal { at: self.world.pos(key)?, target: Some(key) })));
                // In order of straight distance, until a path is found.
                goals.sort_by(|a, b| a.at.distance_squared(pos).total_cmp(&b.at.distance_squared(pos)));
                goals.truncate(limits::MAX_GOALS);
                if goals.is_empty() {
                    self.order(Order::Nowhere(no_match_text(target)));
                } else {
                    self.order_along(Order::GoTo { goals: goals.into(), at: 0 }, layer);
                }
            }
            BuiltinAction::Chase { target, layer } => {
                self.order_along(Order::Chase(self.order_target(target)), layer);
            }
            BuiltinAction::Flee { target } => self.order(Order::Flee(self.order_target(target))),
            BuiltinAction::Stop => self.order(Order::Stop),
            BuiltinAction::Jump { speed } => {
                if let Some(me) = self.world.entities.get_mut(self.me) {
                    let speed = speed.or(me.components.walker.as_ref().map(|walker| walker.jump_speed));
                    me.movement.jump_now = speed.map(|speed| speed.min(limits::MAX_SPEED_PX_S));
                }
            }
            BuiltinAction::Face { target } => {
                let Some(pos) = self.world.pos(self.me) else { return };
                let other = self.nearest(target, |_, _| true).and_then(|key| self.world.pos(key));
                let Some(delta) = other.and_then(|other| (other - pos).try_normalize()) else { return };
                if let Some(me) = self.world.entities.get_mut(self.me) {
                    me.movement.facing = delta;
                    me.face(delta.x);
                }
            }
            BuiltinAction::SetField { field, value } => {
                let change = |change: &mut FieldChange| *change = FieldChange { set: Some(value.clone()), add: 0.0 };
                self.change(field, value.as_f64(), change);
            }
            BuiltinAction::AddField { field, by } => {
                let to = self.number(field).map(|x| x + by);
                self.change(field, to, |change| change.add += by);
            }
            BuiltinAction::Impulse { by, toward, target } => {
                let Some(key) = self.nearest(target, |_, _| true) else { return };
                let Some(from) = self.world.pos(key) else { return };
                let by = self.within("Impulse.by", *by, vec_of(*by), limits::impulse);
                let impulse = match toward {
                    // From the other's position toward this entity itself.
                    Target::Me => turned(by, self.world.pos(self.me).map_or(Vec2::X, |to| to - from)),
                    toward => turned(by, self.direction(from, toward)),
                };
                self.world.physics.add_impulse(key, impulse);
            }
            BuiltinAction::PlayClip { clip } => {
                if let Some(me) = self.world.entities.get_mut(self.me) {
                    me.play(clip, true);
                }
            }
            BuiltinAction::PlaySound { sound, volume, pitch } => {
                self.world.play_sound(self.me, Some(&self.machine), sound, *volume, *pitch);
            }
            BuiltinAction::StartMachine { machine } => self.defer(DeferredCommand::Start { machine: machine.clone() }),
            BuiltinAction::SwapMachine { machine, from } => {
                self.defer(DeferredCommand::Swap { machine: machine.clone(), from: from.clone(), asker: self.uid });
            }
            BuiltinAction::QueueMachine { machine } => self.defer(DeferredCommand::Queue { machine: machine.clone() }),
            BuiltinAction::Finish => self.defer(DeferredCommand::Finish { asker: self.uid }),
            BuiltinAction::Watch { target, on } => {
                let me = self.me;
                for key in self.resolve_all(target) {
                    let Some(other) = self.world.entities.get_mut(key).filter(|_| key != me) else { continue };
                    other.watchers.retain(|watcher| *watcher != me);
                    if *on {
                        other.watchers.push(me);
                    }
                }
            }
            BuiltinAction::Log { text } => self.emit(TraceKind::Log { text: text.to_string() }),
        }
    }

    fn start_timer(&mut self, state: u16, entry: u32, transition: u16, secs: f64) {
        let Some(id) = self.my().map(|me| me.id.clone()) else { return };
        let mail = Mail {
            name: MsgId::AFTER,
            from: Some((self.me, id.clone())),
            to: self.me,
            to_id: id,
            payload: std::sync::Arc::default(),
            scope: Some(Scope { machine: self.uid, state, entry }),
            timer: Some(transition),
        };
        let secs = self.delay("after", secs);
        self.world.mail.send(self.world.tick, secs * self.world.rules.hz, mail);
    }

    fn handled(&mut self, by: Option<&Name>) {
        let Some(mail) = self.mail else { return };
        let name = self.world.symbols.name(mail.name);
        let from = mail.from.as_ref().map(|(_, id)| id.clone());
        let reason = reason_in(&mail.payload);
        self.emit(TraceKind::Message { name, from, handled_by: by.cloned(), to: self.copy_of.clone(), reason });
    }

    fn transition(&mut self, from: &Name, to: &Name, cause: Option<MsgId>) {
        let cause = cause.map_or_else(|| "Enter".into(), |cause| self.world.symbols.name(cause));
        self.emit(TraceKind::Transition { from: from.clone(), to: to.clone(), cause });
    }

    fn entered(&mut self, state: &Name) {
        self.emit(TraceKind::Enter { state: state.clone() });
    }

    fn exited(&mut self, state: &Name) {
        self.emit(TraceKind::Exit { state: state.clone() });
    }

    fn problem(&mut self, text: String) {
        let location = match self.world.rules.programs.get(&self.machine) {
            Some(program) => Location::key(program.doc.clone(), crate::model::FieldPath::keys([&*self.machine])),
            None => Location::doc(self.world.rules.level_doc.clone()),
        };
        self.world.note(Finding::warning("preview-problem", location, text.clone()));
        self.emit(TraceKind::Problem { text });
    }
}

impl Answering<'_> {
    fn change(&mut self, field: &Name, to: Option<f64>, change: impl FnOnce(&mut FieldChange)) {
        let world = &mut *self.world;
        let Some(me) = world.entities.get_mut(self.me) else { return };
        if **field == *LIFE {
            if let (Some(life), Some(to)) = (&mut me.life, to) {
                *life = Life::of(*life, to);
            }
            return;
        }
        if me.change(&world.rules.resolution, field, change) {
            world.report_limits(self.me);
            world.refresh(self.me, field);
        } else {
            self.problem(format!("it has no field `{field}` to change"));
        }
    }
}
