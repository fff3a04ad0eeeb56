//! The cameras of the running preview, and what moves the view of its level.

use super::{Cameras, PLAY_SCALE, PreviewHost};
use crate::{
    editor::{Camera, CameraMode, PlayCamera},
    model::{DocPath, Name},
};

impl PreviewHost {
    /// Where the game has no camera of its own that decides how large things are, have the view near enough to see what
    /// it follows.
    pub(super) fn come_near(&self, cameras: &mut Cameras) {
        let Some(preview) = self.preview.as_ref().filter(|it| it.camera.game_view(&it.cameras).is_none()) else {
            return;
        };
        let target = preview.session.world().cameras(1.0).first().and_then(|it| it.target);
        let camera = cameras.get(&preview.level).copied().filter(|camera| camera.scale < PLAY_SCALE);
        if let (Some(camera), Some(target)) = (camera, target) {
            let near = Camera { center: target.pos.as_vec2(), ..camera.scaled(PLAY_SCALE) };
            cameras.insert(preview.level.clone(), near);
        }
    }

    /// Have the game's cameras and the view of the level follow the world that is shown.
    pub(super) fn move_cameras(&mut self, cameras: &mut Cameras) {
        let Some(preview) = &mut self.preview else { return };
        let moment = preview.drawn_moment();
        let (world, secs) = (preview.session.world(), preview.session.shown_secs(moment));
        let now = world.cameras(moment);
        preview.cameras.follow(&now, world.constants().camera.picture, secs);
        if let Some(camera) = cameras.get_mut(&preview.level) {
            let game = (&now[..], &preview.cameras);
            preview.camera.follow((world, moment), game, (secs, preview.is_playing), camera);
        }
    }

    /// Have the game's camera move the view of the level that plays, or one that follows an entity, or the hand alone.
    pub fn look(&mut self, mode: CameraMode, followed: Option<Name>) {
        if let Some(preview) = &mut self.preview {
            preview.camera.choose(mode, followed);
        }
    }

    /// The view of a level was moved by hand: from now on that alone moves it.
    pub fn look_freely(&mut self, level: &DocPath) {
        let preview = self.preview.as_mut().filter(|preview| preview.level == *level);
        if let Some(preview) = preview.filter(|preview| preview.camera.mode() != CameraMode::Free) {
            preview.camera.choose(CameraMode::Free, None);
        }
    }

    /// How large a level is shown was chosen by hand: where the game's camera says that, the view is the hand's from
    /// now on.
    pub fn look_by_scale(&mut self, level: Option<&DocPath>) {
        let Some(preview) = self.preview.as_mut().filter(|preview| level == Some(&preview.level)) else { return };
        if preview.camera.game_view(&preview.cameras).is_some() {
            preview.camera.choose(CameraMode::Free, None);
        }
    }

    /// Who is driven is followed; when the keys are the player's again, the game's camera is.
    pub(super) fn look_at_driven(&mut self, id: Option<Name>) {
        let Some(preview) = &mut self.preview else { return };
        match id {
            Some(id) => preview.camera.choose(CameraMode::Follow, Some(id)),
            None if preview.camera.mode() == CameraMode::Follow => {
                preview.camera = PlayCamera::new(&preview.cameras);
            }
            None => {}
        }
    }
}
