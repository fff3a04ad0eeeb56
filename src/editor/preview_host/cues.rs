//! What is done to the running world by hand and by commands: as cues, so that a scenario of what is played has them.

use glam::Vec2;

use super::{Cameras, PreviewHost, PreviewReport};
use crate::{
    model::{CueKind, Fields, MoveCue, Name, PullCue, SendCue},
    sim::{EntityKey, World, world::Missing},
    tools::HandAct,
};

impl PreviewHost {
    /// Have the keys drive an entity, or none.
    pub fn possess(&mut self, key: Option<EntityKey>) -> Vec<PreviewReport> {
        let id = key.and_then(|key| Some(self.preview.as_ref()?.session.world().entity(key)?.id.clone()));
        self.look_at_driven(id.clone());
        self.perform(CueKind::Drive(id.map(|id| id.to_string()).unwrap_or_default()))
    }

    /// Send a message to the entities of a name.
    pub fn send(&mut self, to: String, message: Name) -> Vec<PreviewReport> {
        self.perform(CueKind::Send(SendCue { to, message, payload: Fields::new() }))
    }

    /// Do something by hand to a running entity.
    pub fn hand(&mut self, act: HandAct) -> Vec<PreviewReport> {
        match act {
            HandAct::Hold(key, pos, angle) => self.perform_on(key, |entity| {
                CueKind::Move(MoveCue { entity, place: wide(pos), rotation: f64::from(angle).to_degrees(), held: true })
            }),
            HandAct::Pull(key, grip, to) => {
                self.perform_on(key, |entity| CueKind::Pull(PullCue { entity, grip: wide(grip), toward: wide(to) }))
            }
            HandAct::LetGo => self.perform(CueKind::LetGo(true)),
        }
    }

    /// Put an entity somewhere at once: in pixels of its layer and degrees.
    fn move_to(&mut self, key: EntityKey, to: [f64; 2], rotation: f64) -> Vec<PreviewReport> {
        self.perform_on(key, |entity| CueKind::Move(MoveCue { entity, place: to, rotation, held: false }))
    }

    /// Go back to the first tick, put the player at a point of the level, in pixels, and play on from there by the keys
    /// that are held now.
    pub fn play_from(&mut self, at: [f64; 2], cameras: &Cameras) -> Vec<PreviewReport> {
        let mut reports = self.seek(0);
        if let Some(preview) = &mut self.preview {
            preview.is_playing = true;
            self.player_to = Some(at);
        }
        // It may be there already.
        reports.extend(self.put_player_back(cameras));
        reports
    }

    /// Put the player where it is to be, once the world is at the tick that is sought.
    pub(super) fn put_player_back(&mut self, cameras: &Cameras) -> Vec<PreviewReport> {
        let Some(preview) = self.preview.as_mut().filter(|preview| !preview.session.is_seeking()) else {
            return Vec::new();
        };
        let Some(at) = self.player_to.take() else { return Vec::new() };
        preview.session.forget_keys();
        self.put_player(at, cameras)
    }

    /// Put the player at a point of the level, in pixels.
    pub(super) fn put_player(&mut self, at: [f64; 2], cameras: &Cameras) -> Vec<PreviewReport> {
        let Some(preview) = &self.preview else { return Vec::new() };
        let Some(player) = preview.session.world().player() else {
            return vec![PreviewReport::Message("The level has no player to put there".to_owned())];
        };
        let level = self.project.level(&preview.level);
        let look = level.and_then(|level| level.looks().into_iter().nth(player.layer));
        let center = cameras.get(&preview.level).map_or(at, |camera| wide(camera.center));
        let [dx, dy] = look.map_or([0.0; 2], |(_, look)| look.seen_from(center).offset);
        let (key, rotation) = (player.key, f64::from(player.angle).to_degrees());
        self.move_to(key, [at[0] - dx, at[1] - dy], rotation)
    }

    /// Put a placed entity back where the level places it.
    pub fn move_back(&mut self, key: EntityKey) -> Vec<PreviewReport> {
        match self.preview.as_ref().and_then(|preview| preview.session.world().placed_at(key)) {
            Some((at, rotation)) => self.move_to(key, at, rotation),
            None => {
                let text = "The level has no place for this entity: the game spawned it".to_owned();
                vec![PreviewReport::Message(text)]
            }
        }
    }

    /// Take an entity out of the running world.
    pub fn despawn(&mut self, key: EntityKey) -> Vec<PreviewReport> {
        self.perform_on(key, CueKind::Remove)
    }

    fn perform_on(&mut self, key: EntityKey, cue: impl FnOnce(String) -> CueKind) -> Vec<PreviewReport> {
        let found = self.preview.as_ref().and_then(|preview| preview.session.world().entity(key));
        let Some(id) = found.map(|entity| entity.id.to_string()) else { return Vec::new() };
        self.perform(cue(id))
    }

    /// Do what a cue does, which a scenario of what is played has then.
    pub(super) fn perform(&mut self, cue: CueKind) -> Vec<PreviewReport> {
        self.change(Some(vec![cue.clone()]), move |world| match world.perform(&cue) {
            Err(Missing::Entity(id)) => Some(format!("No entity is named {id}")),
            // A constant that the project has no more is left as it was.
            Ok(()) | Err(Missing::Constant(_)) => None,
        })
    }

    /// The level has an entity where it is already, under this id: following that edit does not move it.
    pub fn take_into_level(&mut self, key: EntityKey, id: Name, at: [f64; 2], rotation: f64) -> Vec<PreviewReport> {
        self.change(None, move |world| {
            world.take_into_level(key, &id, at, rotation);
            None
        })
    }

    /// Change the running world, by what `cues` of a scenario would do; none where no scenario can hold it.
    pub(super) fn change(
        &mut self,
        cues: Option<Vec<CueKind>>,
        change: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static,
    ) -> Vec<PreviewReport> {
        let messages = self.preview.as_mut().map(|preview| preview.session.change_by(cues, change)).unwrap_or_default();
        messages.into_iter().map(PreviewReport::Message).collect()
    }
}

fn wide(v: Vec2) -> [f64; 2] {
    v.as_dvec2().to_array()
}
