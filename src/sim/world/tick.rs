//! One tick, in the order given in the documentation of `world`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Fields, Value},
    sim::{
        EntityKey,
        insight::profile::{Meter, System},
        physics::{Contact, Crushed, Other, convex::around},
    },
};

use super::{Input, TraceKind, World, entity::Cause};

impl World {
    /// Advance by one tick with this input.
    pub fn step(&mut self, input: &Input) {
        self.pass_tick(input, &mut Meter::off());
    }

    /// The same, measured.
    pub(super) fn pass_tick(&mut self, input: &Input, meter: &mut Meter<'_>) {
        (self.delivered, self.work, self.n_born) = (0, 0, 0);
        // Problems of the level itself are reported before the first tick.
        if self.tick > 0 {
            self.overload = None;
        }
        if self.tick == 0 {
            let keys: Vec<EntityKey> = self.entities.keys().collect();
            meter.sample(System::Messages, |meter| {
                for key in keys {
                    meter.sample_of(System::Machines, key, |_| {
                        self.start_machines(key);
                        self.flush(key);
                    });
                }
            });
        }
        for entity in self.entities.values_mut() {
            entity.before = (entity.pose.pos, entity.pose.angle);
        }
        self.before = std::mem::replace(&mut self.input, *input);
        self.report_actions();
        meter.sample(System::Messages, |meter| self.deliver_due(meter));
        meter.sample(System::Updates, |meter| self.update_all(meter));
        meter.sample(System::Messages, |meter| self.deliver_due(meter));
        self.drive_all(meter);
        meter.sample(System::Joints, |_| self.link_joints());
        meter.sample(System::Movement, |meter| self.move_all(meter));
        self.pull_by_hand();
        let contacts = meter.sample(System::Physics, |meter| self.physics.step_measured(meter));
        if let Some(why) = self.physics.take_overload() {
            self.overloaded(why);
        }
        self.hold_driven();
        self.hold_by_hand();
        meter.sample(System::Contacts, |_| {
            self.take_poses();
            self.report_leaving();
            for contact in contacts {
                self.report(&contact);
                self.break_by(&contact);
            }
            self.report_crushed();
            self.report_broken_joints();
        });
        meter.sample(System::Animation, |_| self.pass_time());
        meter.sample(System::Messages, |meter| self.deliver_due(meter));
        self.replace_broken();
        self.forget_gone();
        self.tick += 1;
    }

    fn take_poses(&mut self) {
        let (dt, tick) = (self.dt(), self.tick);
        for (key, entity) in &mut self.entities {
            if let Some(pose) = self.physics.pose(key).filter(|_| entity.has_body)
                && pose.pos.is_finite()
                && pose.angle.is_finite()
            {
                // The velocity at which a body is added is no acceleration.
                let is_new = entity.since >= tick;
                entity.acceleration = if is_new { Vec2::ZERO } else { (pose.vel - entity.pose.vel) / dt };
                entity.pose = pose;
            }
        }
        for fault in self.physics.drain_faults() {
            self.report_once(fault.key, Cause::Body(fault.rule), fault.rule, fault.message, None);
        }
    }

    /// Send a message to each entity that has gone beyond the level's edge since it was last inside.
    fn report_leaving(&mut self) {
        let rules = self.rules.clone();
        let mut left = Vec::new();
        for (key, entity) in &mut self.entities {
            let side = rules.beyond(around([entity.pose.pos]));
            if !std::mem::replace(&mut entity.is_outside, side.is_some()) {
                left.extend(side.map(|side| (key, side)));
            }
        }
        for (key, side) in left {
            let payload: Fields = [("side".into(), Value::Symbol(side.name().into()))].into();
            self.send_from_world(key, rules.left_level, None, Arc::new(payload));
        }
    }

    /// Send a message to each entity that has no room left.
    fn report_crushed(&mut self) {
        for Crushed { key, by } in self.physics.take_crushed() {
            let id = self.entities.get(by).map_or("", |entity| &*entity.id);
            let payload = [("by".into(), Value::str(id))].into();
            self.send_from_world(key, self.rules.crushed, Some(by), Arc::new(payload));
        }
    }

    /// Report a contact as an event of the moving entity, and as messages to both.
    fn report(&mut self, contact: &Contact) {
        let is_fixed =
            |key: EntityKey| self.physics.spec(key).is_some_and(|spec| !spec.is_dynamic() && !spec.is_mover());
        let turned = match contact.b {
            Other::Entity(b) if is_fixed(contact.a) && !is_fixed(b) => {
                let normal = -contact.normal;
                Some(Contact { a: b, b: Other::Entity(contact.a), normal, ..contact.clone() })
            }
            _ => None,
        };
        let contact = turned.as_ref().unwrap_or(contact);
        let a_id = self.entities.get(contact.a).map(|entity| entity.id.clone());
        let (other, b) = match &contact.b {
            Other::Entity(b) => (self.entities.get(*b).map(|entity| entity.id.clone()), Some(*b)),
            Other::Tile { name, .. } => (Some(name.clone()), None),
        };
        // The id of a removed entity is gone with it; the other one still gets its message.
        let other = other.unwrap_or_else(|| "".into());
        let (normal, speed) = (contact.normal, contact.speed);
        if contact.began {
            let kind = TraceKind::Contact {
                other: other.clone(),
                nx: rounded(normal.x),
                ny: rounded(normal.y),
                speed: rounded(speed),
            };
            self.emit(contact.a, None, kind);
        }
        let payload = |other: &str, sign: f32| -> Arc<Fields> {
            let sensor = ("sensor".into(), Value::Bool(contact.sensor));
            let mut fields: Fields = [("other".into(), Value::str(other)), sensor].into();
            if contact.began {
                fields.insert("normal".into(), Value::vec2(rounded(normal.x * sign), rounded(normal.y * sign)));
                fields.insert("speed".into(), Value::Float(rounded(speed)));
            }
            Arc::new(fields)
        };
        let message = if contact.began { self.rules.contact } else { self.rules.contact_end };
        self.send_from_world(contact.a, message, b, payload(&other, 1.0));
        if let Some(b) = b {
            self.send_from_world(b, message, Some(contact.a), payload(a_id.as_deref().unwrap_or_default(), -1.0));
        }
    }

    /// Advance clips, remove texts whose time is over, clear requests of jumps that were made.
    fn pass_time(&mut self) {
        let (dt, view, tick) = (self.timestep_secs(), self.rules.view, self.tick);
        let keys: Vec<EntityKey> = self.entities.keys().collect();
        for key in keys {
            self.note_jump(key);
            let Some(entity) = self.entities.get_mut(key) else { continue };
            let on_ground = entity.components.walker.is_none() || self.physics.on_ground(key);
            if entity.saying.as_ref().is_some_and(|(_, until)| *until <= tick) {
                entity.saying = None;
            }
            entity.show_motion(view, on_ground, self.physics.clip_of_motion(key));
            if let Some(clip) = entity.clip.advance(dt) {
                let payload = [("clip".into(), Value::str(&*clip))].into();
                let ended = self.rules.clip_ended;
                self.send_from_world(key, ended, None, Arc::new(payload));
            }
        }
    }

    /// Flag an entity for removal; it is removed when the response under way is over.
    pub(super) fn despawn_later(&mut self, key: EntityKey) {
        if let Some(entity) = self.entities.get_mut(key).filter(|entity| !entity.is_deleted) {
            entity.is_deleted = true;
            self.to_despawn.push(key);
        }
    }

    pub(super) fn remove(&mut self, key: EntityKey) {
        self.emit(key, None, TraceKind::Despawn {});
        self.joints_changed = true;
        if let Some(entity) = self.entities.remove(key) {
            if !entity.watchers.is_empty() {
                self.watchers_of_gone.insert(key, entity.watchers);
            }
            Arc::make_mut(&mut self.ids).remove(&entity.id);
            Arc::make_mut(&mut self.groups).remove(key);
            self.physics.despawn(key);
            self.navigator.cancel(key);
            if self.possessed == Some(key) {
                self.possessed = None;
            }
        }
    }

    /// Remove an entity from the running world, from outside.
    pub fn despawn(&mut self, key: EntityKey) {
        self.despawn_later(key);
        self.flush(key);
    }
}

/// A number rounded as in files: no `-0.0`, no digits of rounding noise.
pub(super) fn rounded(x: f32) -> f64 {
    (f64::from(x) * 1e4).round() / 1e4 + 0.0
}
