//! Cameras of a running world: a view of the world that is no part of its state.

use super::{TraceKind, World, entity::Entity};
use crate::{
    model::{LayerLook, Name},
    sim::{
        EntityKey,
        camera::{CameraNow, CameraTarget, Seat, Surroundings, cameras_of, target_of},
    },
};

impl World {
    /// The cameras at a moment of the last tick (0 is before it, 1 is now), in drawing order: one for each entity with
    /// a `Camera`; without any, the one that the constants define.
    #[must_use]
    pub fn cameras(&self, moment: f32) -> Vec<CameraNow> {
        let level = &self.rules.level;
        let looks: Vec<LayerLook> = level.looks().into_iter().map(|(_, look)| look).collect();
        let target = |key: EntityKey| self.camera_target(key, &looks, moment);
        let first = self.alive().find(|(_, entity)| entity.components.is_camera_target).map(|(key, _)| key);
        let seats = self.alive().filter_map(|(key, entity)| {
            let fields = entity.components.camera.as_ref()?;
            let at = target(key)?;
            let itself = entity.components.is_camera_target.then_some(key);
            let followed = target_of(&fields.target, itself, |id| self.by_id(id), || first);
            let shaken = [Some(key), followed].into_iter().flatten();
            let shaken_at = shaken.filter_map(|key| self.last_received(key, &fields.shake_on)).reduce(f64::max);
            let (pos, angle) = entity.drawn_at(moment);
            let pos = pos.as_dvec2().to_array();
            Some(Seat {
                id: &entity.id,
                fields,
                placed: entity.placed_at.unwrap_or((pos, f64::from(angle).to_degrees())),
                look: looks.get(entity.layer).copied(),
                at,
                target: followed.and_then(target),
                shaken_at,
            })
        });
        let bounds = level.size.is_some().then(|| level.bounds_px());
        cameras_of(seats, &Surroundings { constants: &self.constants.camera, bounds, first: first.and_then(target) })
    }

    /// An entity as cameras see it at a moment of the last tick; `None` if it was removed.
    #[must_use]
    pub fn seen_by_camera(&self, key: EntityKey, moment: f32) -> Option<CameraTarget> {
        let looks: Vec<LayerLook> = self.rules.level.looks().into_iter().map(|(_, look)| look).collect();
        self.camera_target(key, &looks, moment)
    }

    /// Position and velocity of an entity for cameras: the only place that computes them.
    fn camera_target(&self, key: EntityKey, looks: &[LayerLook], moment: f32) -> Option<CameraTarget> {
        let entity = self.entities.get(key).filter(|entity| !entity.is_deleted)?;
        let (pos, vel) = (entity.drawn_at(moment).0.as_dvec2(), entity.pose.vel.as_dvec2());
        Some(CameraTarget::on_layer(looks.get(entity.layer), pos, vel))
    }

    fn alive(&self) -> impl Iterator<Item = (EntityKey, &Entity)> {
        self.entities.iter().map(|(key, entity)| (key, &**entity)).filter(|(_, entity)| !entity.is_deleted)
    }

    /// The time at which an entity last received one of these messages, in seconds.
    fn last_received(&self, key: EntityKey, messages: &[Name]) -> Option<f64> {
        let entity = self.entities.get(key).filter(|_| !messages.is_empty())?;
        let is_meant = |kind: &TraceKind| match kind {
            // Copies of messages to others do not count.
            TraceKind::Message { name, to: None, .. } => messages.contains(name),
            _ => false,
        };
        entity.log.iter().rev().find(|event| is_meant(&event.kind)).map(|event| event.t)
    }
}
