//! Effects of cues on a running world: those of a scenario, and what a user does to the preview.

use super::World;
use crate::model::{CueKind, MoveCue, PullCue, SendCue, TuneCue};

/// A name in a cue that does not exist in the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No entity has this id or matches this target.
    Entity(String),
    /// There is no constant of this name.
    Constant(String),
}

impl World {
    /// Apply a cue to the world. Keys are not applied here: they are the input of each tick.
    ///
    /// # Errors
    /// If an entity or constant named by the cue does not exist.
    pub fn perform(&mut self, cue: &CueKind) -> Result<(), Missing> {
        let missing = |id: &str| Missing::Entity(id.to_owned());
        let find = |world: &Self, id: &str| world.by_id(id).ok_or_else(|| missing(id));
        match cue {
            CueKind::Press(_) | CueKind::Release(_) => {}
            CueKind::Send(SendCue { to, message, payload }) => {
                if self.send(to, message, payload, 0.0) == 0 {
                    return Err(missing(to));
                }
            }
            CueKind::Drive(id) => {
                let key = self.by_id(id);
                self.possess(key);
                if key.is_none() && !id.is_empty() {
                    return Err(missing(id));
                }
            }
            CueKind::Tune(TuneCue { name, value }) => {
                if !self.set_tunable(name, value.clone()) {
                    return Err(Missing::Constant(name.clone()));
                }
            }
            CueKind::Move(MoveCue { entity, place, rotation, held }) => {
                let (key, to) = (find(self, entity)?, super::build::place(*place));
                #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                let angle = rotation.to_radians() as f32;
                if *held {
                    self.hold(key, to, angle);
                } else {
                    self.move_to(key, to, angle);
                }
            }
            CueKind::Pull(PullCue { entity, grip, toward }) => {
                let key = find(self, entity)?;
                self.pull(key, super::build::place(*grip), super::build::place(*toward));
            }
            CueKind::LetGo(true) => self.let_go(),
            CueKind::LetGo(false) => {}
            CueKind::Remove(id) => {
                let key = find(self, id)?;
                self.despawn(key);
            }
        }
        Ok(())
    }
}
