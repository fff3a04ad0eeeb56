//! Delivery: messages to machines, `Update` to all machines, then the deferred commands of machines.
//!
//! Invariant: one message is handled completely, state changes included, before the next; an entity flagged for removal
//! is removed when its response is over; a tick delivers at most [`limits::MAX_DELIVERIES`] messages.

use std::{collections::HashSet, sync::Arc};

use crate::{
    model::{Fields, Finding, Location, Name, Value},
    sim::{
        EntityKey,
        behavior::{Cursor, Mail, MsgId, Program, Target, run},
        insight::profile::{Meter, System},
        limits::{self, MAX_DELIVERIES},
    },
};

use super::{
    TraceEvent, TraceKind, World,
    entity::{DeferredCommand, Running},
    host::Answering,
};

impl World {
    /// Deliver the messages that are due, and those sent meanwhile.
    pub(super) fn deliver_due(&mut self, meter: &mut Meter<'_>) {
        loop {
            if self.delivered >= MAX_DELIVERIES {
                if let Some((mail, n)) = self.mail.discard_due(self.tick) {
                    let level = self.rules.level_doc.clone();
                    let name = self.symbols.name(mail.name);
                    let from = mail.from.map(|(_, id)| format!(" from `{id}`")).unwrap_or_default();
                    let text = format!(
                        "more than {MAX_DELIVERIES} messages in one tick; {n} were discarded, the first `{name}`{from} to `{}`",
                        mail.to_id
                    );
                    self.note(Finding::warning("message-flood", Location::doc(level), text.clone()));
                    self.overload.get_or_insert_with(|| text.into());
                }
                return;
            }
            if !self.has_work_left() {
                return;
            }
            let Some(mail) = self.mail.next(self.tick) else { return };
            self.delivered += 1;
            meter.sample_of(System::Machines, mail.to, |_| self.deliver(&mail));
        }
    }

    fn deliver(&mut self, mail: &Mail) {
        let Some(entity) = self.entities.get(mail.to).filter(|entity| !entity.is_deleted) else {
            let name = self.symbols.name(mail.name);
            self.drop_message(&mail.to_id, name, "no_receiver");
            if mail.scope.is_none() {
                let watchers = self.watchers_of_gone.get(&mail.to).cloned().unwrap_or_default();
                self.deliver_copies(mail, watchers);
            }
            return;
        };
        if let Some(scope) = mail.scope {
            let is_current = |running: &Running| running.cursor.is_current(&running.program, scope.state, scope.entry);
            if !entity.machine(scope.machine).is_some_and(is_current) {
                let name = self.symbols.name(mail.name);
                let machine = entity.machine(scope.machine).map(|running| running.program.name.clone());
                self.emit(mail.to, machine, TraceKind::Drop { name, reason: "scope" });
                return;
            }
        }
        if let (Some(timer), Some(scope)) = (mail.timer, mail.scope) {
            self.answer(mail.to, scope.machine, Some(mail), None, |program, cursor, host| {
                run::time_out(program, cursor, timer, host);
            });
            self.flush(mail.to);
            return;
        }
        // Watchers get copies even when its response removes the receiver.
        let watchers = entity.watchers.clone();
        self.adjust_life(mail);
        self.steer_tracks(mail.to, mail.name);
        self.play_sounds_on(mail.to, mail.name);
        let receivers = entity_receivers(self, mail.to);
        if receivers.is_empty() {
            let name = self.symbols.name(mail.name);
            let from = mail.from.as_ref().map(|(_, id)| id.clone());
            let reason = reason_in(&mail.payload);
            self.emit(mail.to, None, TraceKind::Message { name, from, handled_by: None, to: None, reason });
        }
        for uid in receivers {
            self.answer(mail.to, uid, Some(mail), None, |program, cursor, host| {
                run::dispatch(program, cursor, mail.name, host);
            });
            self.flush(mail.to);
        }
        self.deliver_copies(mail, watchers);
    }

    fn deliver_copies(&mut self, mail: &Mail, watchers: Vec<EntityKey>) {
        for watcher in watchers {
            for uid in entity_receivers(self, watcher) {
                self.answer(watcher, uid, Some(mail), Some(mail.to_id.clone()), |program, cursor, host| {
                    run::dispatch(program, cursor, mail.name, host);
                });
                self.flush(watcher);
            }
        }
    }

    /// Drop the watchers of removed entities to which no message is pending.
    pub(super) fn forget_gone(&mut self) {
        if !self.watchers_of_gone.is_empty() {
            let receivers: HashSet<EntityKey> = self.mail.receivers().collect();
            self.watchers_of_gone.retain(|key, _| receivers.contains(key));
        }
    }

    /// Send `Update` to every machine of every entity, except those added in this very tick: their contacts are not
    /// known before their first physics step.
    pub(super) fn update_all(&mut self, meter: &mut Meter<'_>) {
        let here = self.entities.iter().filter(|(_, entity)| entity.since < self.tick);
        let keys: Vec<EntityKey> = here.map(|(key, _)| key).collect();
        for key in keys {
            let receivers = entity_receivers(self, key);
            if receivers.is_empty() {
                continue;
            }
            meter.sample_of(System::Machines, key, |_| {
                for uid in receivers {
                    self.answer(key, uid, None, None, |program, cursor, host| {
                        run::dispatch(program, cursor, MsgId::UPDATE, host);
                    });
                    self.flush(key);
                }
            });
        }
    }

    /// Take a machine out, let it respond, put it back.
    pub(super) fn answer(
        &mut self,
        key: EntityKey,
        uid: u32,
        mail: Option<&Mail>,
        copy_of: Option<Name>,
        act: impl FnOnce(&Program, &mut Cursor, &mut Answering<'_>),
    ) {
        if !self.charge(limits::RESPONSE_WORK, "answer messages") {
            return;
        }
        let entity = self.entities.get_mut(key).filter(|entity| !entity.is_deleted);
        let Some(mut running) = entity.and_then(|entity| entity.slot(uid)?.take()) else { return };
        let machine = running.program.name.clone();
        let mut host = Answering { world: self, me: key, uid, machine, mail, copy_of };
        act(&running.program, &mut running.cursor, &mut host);
        if let Some(entity) = self.entities.get_mut(key) {
            // Deferred commands are carried out later, so the one empty slot is still in its place.
            if let Some(slot) = entity.machines.iter_mut().chain(&mut entity.queue).find(|slot| slot.is_none()) {
                *slot = Some(running);
            }
        }
    }

    /// After a response: carry out deferred commands (start, swap, queue and finish machines), start the machines of
    /// spawned entities, remove entities flagged for removal.
    pub(super) fn flush(&mut self, key: EntityKey) {
        self.run_deferred(key);
        let mut at = 0;
        while let Some(born) = self.born.get(at).copied() {
            at += 1;
            self.start_machines(born);
            self.run_deferred(born);
        }
        self.born.clear();
        for to_despawn in std::mem::take(&mut self.to_despawn) {
            self.remove(to_despawn);
        }
    }

    fn run_deferred(&mut self, key: EntityKey) {
        // Entering a machine may defer more commands; an endless chain is cut short, as too many messages are.
        for _ in 0..run::MAX_CHANGES {
            let Some(entity) = self.entities.get_mut(key).filter(|entity| !entity.is_deleted) else { return };
            if entity.deferred.is_empty() {
                return;
            }
            let deferred = std::mem::take(&mut entity.deferred);
            for command in deferred {
                self.run_command(key, command);
            }
        }
        let level = self.rules.level_doc.clone();
        let text = "machines start one another without end".to_owned();
        self.note(Finding::warning("preview-problem", Location::doc(level), text));
        if let Some(entity) = self.entities.get_mut(key) {
            entity.deferred.clear();
        }
    }

    fn run_command(&mut self, key: EntityKey, command: DeferredCommand) {
        let Some(entity) = self.entities.get(key) else { return };
        match command {
            DeferredCommand::Start { machine } => {
                if let Some(running) = self.new_machine(key, &machine) {
                    let uid = running.uid;
                    if let Some(entity) = self.entities.get_mut(key) {
                        entity.machines.push(Some(running));
                    }
                    self.start_machine(key, uid);
                }
            }
            DeferredCommand::Swap { machine, from, asker } => {
                let all = || entity.machines.iter().chain(&entity.queue).flatten();
                let old = if from.is_empty() {
                    Some(asker)
                } else {
                    all().find(|running| running.program.name == from).map(|running| running.uid)
                };
                let Some(old) = old else {
                    self.report_problem(key, format!("it runs no machine `{from}` to swap"));
                    return;
                };
                let Some(new) = self.new_machine(key, &machine) else { return };
                self.finish_machine(key, old);
                let uid = new.uid;
                if let Some(slot) = self.entities.get_mut(key).and_then(|entity| entity.slot(old)) {
                    *slot = Some(new);
                }
                self.start_machine(key, uid);
            }
            DeferredCommand::Queue { machine } => {
                let Some(running) = self.new_machine(key, &machine) else { return };
                let uid = running.uid;
                let Some(entity) = self.entities.get_mut(key) else { return };
                entity.queue.push_back(Some(running));
                if entity.queue.len() == 1 {
                    self.start_machine(key, uid);
                }
            }
            DeferredCommand::Finish { asker } => {
                // From a machine outside the queue, the command applies to the front of the queue.
                let front = entity.queue.front().and_then(Option::as_ref).map(|running| running.uid);
                let Some(front) = front else {
                    self.report_problem(key, "there is no movement machine to finish".to_owned());
                    return;
                };
                let is_queued = entity.queue.iter().flatten().any(|running| running.uid == asker);
                if is_queued && asker != front {
                    return;
                }
                self.finish_machine(key, front);
                let Some(entity) = self.entities.get_mut(key) else { return };
                entity.queue.pop_front();
                let next = entity.queue.front().and_then(Option::as_ref).map(|running| running.uid);
                if let Some(next) = next {
                    self.start_machine(key, next);
                }
            }
        }
    }

    fn new_machine(&mut self, key: EntityKey, name: &Name) -> Option<Running> {
        let Some(program) = self.rules.programs.get(name).cloned() else {
            self.report_problem(key, format!("there is no machine `{name}`"));
            return None;
        };
        let entity = self.entities.get_mut(key)?;
        if entity.machines.len() + entity.queue.len() >= limits::MAX_MACHINES {
            let text = format!("`{}` runs more than {} machines", entity.id, limits::MAX_MACHINES);
            self.overloaded(text);
            return None;
        }
        let uid = entity.next_machine;
        entity.next_machine += 1;
        let cursor = Cursor::new(&program);
        Some(Running { uid, program, cursor })
    }

    pub(super) fn start_machines(&mut self, key: EntityKey) {
        for uid in entity_receivers(self, key) {
            self.start_machine(key, uid);
            self.run_deferred(key);
        }
    }

    fn start_machine(&mut self, key: EntityKey, uid: u32) {
        self.answer(key, uid, None, None, |program, cursor, host| run::start(program, cursor, host));
    }

    pub(super) fn finish_machine(&mut self, key: EntityKey, uid: u32) {
        self.answer(key, uid, None, None, |program, cursor, host| run::finish(program, cursor, host));
    }

    /// Resume a machine of an edited project: enter the initial states of the ancestor it fell back to.
    pub(super) fn resume_machine(&mut self, key: EntityKey, uid: u32) {
        self.answer(key, uid, None, None, |program, cursor, host| run::resume(program, cursor, host));
    }

    /// `Damaged` and `Healed` change hit points before any machine responds; at zero `Dead` is sent, once.
    fn adjust_life(&mut self, mail: &Mail) {
        let sign = match mail.name {
            name if name == self.rules.damaged => -1.0,
            name if name == self.rules.healed => 1.0,
            _ => return,
        };
        let amount = mail.payload.get("amount").and_then(Value::as_f64).unwrap_or(self.rules.default_amount).max(0.0);
        let Some(entity) = self.entities.get_mut(mail.to) else { return };
        let (Some(max), Some(life)) = (entity.components.max_health, entity.life.as_mut()) else { return };
        life.now = (life.now + sign * amount).clamp(0.0, max.max(0.0));
        if life.now > 0.0 {
            life.is_dead = false;
        } else if !life.is_dead {
            life.is_dead = true;
            let to_id = entity.id.clone();
            let dead = Mail {
                name: self.rules.dead,
                from: mail.from.clone(),
                to: mail.to,
                to_id,
                payload: Arc::default(),
                scope: None,
                timer: None,
            };
            self.mail.send(self.tick, 0.0, dead);
        }
    }

    /// Send a message from within the world. Only entities that run machines receive it, or those that it affects
    /// without a machine.
    pub(super) fn send_from_world(
        &mut self,
        key: EntityKey,
        name: MsgId,
        from: Option<EntityKey>,
        payload: Arc<Fields>,
    ) {
        let Some(entity) = self.entities.get(key) else { return };
        let has_machines = !(entity.machines.is_empty() && entity.queue.is_empty());
        if !has_machines && entity.watchers.is_empty() && !entity.components.is_listening() {
            // No entity receives it; the trace records who left the level or was crushed.
            if [self.rules.left_level, self.rules.crushed].contains(&name) {
                let from = from.and_then(|from| Some(self.entities.get(from)?.id.clone()));
                let name = self.symbols.name(name);
                let reason = reason_in(&payload);
                self.emit(key, None, TraceKind::Message { name, from, handled_by: None, to: None, reason });
            }
            return;
        }
        let from = from.and_then(|from| Some((from, self.entities.get(from)?.id.clone())));
        let mail = Mail { name, from, to: key, to_id: entity.id.clone(), payload, scope: None, timer: None };
        self.mail.send(self.tick, 0.0, mail);
    }

    /// Send a message from outside, `delay` seconds from now; without delay it arrives in the next tick. `to` is an
    /// entity's id, `tag:…` or `def:…`. Returns how many will receive it.
    pub fn send(&mut self, to: &str, message: &str, payload: &Fields, delay: f64) -> usize {
        let name = Arc::make_mut(&mut self.symbols).intern(message);
        let receivers = self.resolve_all(&Target::parse(to), None, None);
        if receivers.is_empty() {
            self.drop_message(&to.into(), message.into(), "no_receiver");
        }
        let payload = Arc::new(payload.clone());
        let delay_ticks =
            if delay.is_finite() { delay.clamp(0.0, limits::MAX_DELAY_SECS) * self.rules.hz } else { 0.0 };
        for key in &receivers {
            let Some(to_id) = self.entities.get(*key).map(|entity| entity.id.clone()) else { continue };
            let payload = payload.clone();
            let mail = Mail { name, from: None, to: *key, to_id, payload, scope: None, timer: None };
            self.mail.send(self.tick, delay_ticks, mail);
        }
        receivers.len()
    }

    pub(super) fn drop_message(&mut self, entity: &Name, name: Name, reason: &'static str) {
        let event = TraceEvent {
            t: self.time_secs(),
            tick: self.tick,
            entity: entity.clone(),
            machine: None,
            kind: TraceKind::Drop { name, reason },
        };
        self.record(event);
    }

    /// Report that a command of an entity cannot be carried out.
    pub(super) fn report_problem(&mut self, key: EntityKey, text: String) {
        let Some(entity) = self.entities.get(key) else { return };
        let location = Location::doc(entity.base.doc.clone());
        let finding = Finding::warning("preview-problem", location, format!("`{}`: {text}", entity.id));
        self.note(finding);
        self.emit(key, None, TraceKind::Problem { text });
    }
}

/// The reason that a message gives in its payload, as `Blocked` does.
pub(super) fn reason_in(payload: &Fields) -> Option<Name> {
    payload.get("reason").and_then(Value::as_str).map(Name::from)
}

fn entity_receivers(world: &World, key: EntityKey) -> Vec<u32> {
    world.entities.get(key).filter(|entity| !entity.is_deleted).map(|entity| entity.receivers()).unwrap_or_default()
}
