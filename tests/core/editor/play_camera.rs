//! The view of the level while it plays: as the game's camera sees, following an entity, or moved by hand.

use glam::Vec2;
use levelwright::{
    edit::Edit,
    editor::{Camera, CameraMode, PreviewReport},
    model::{Fields, Instance, Value},
};

use super::{preview_host::Hosted, yard};

const NEAR: Camera = Camera { center: Vec2::new(300.0, 90.0), scale: 3.0 };

fn mode(it: &Hosted) -> CameraMode {
    it.host.preview().unwrap().camera.mode()
}

fn center(it: &Hosted) -> Vec2 {
    it.cameras[&yard()].center
}

fn place_of(it: &Hosted, id: &str) -> Vec2 {
    it.world().entity(it.world().by_id(id).unwrap()).unwrap().pos
}

/// A level that is looked at from somewhere and begins to play or stands still, with a camera placed in it or not.
fn begun(is_playing: bool, camera: Option<&[(&str, Value)]>) -> Hosted {
    let mut it = Hosted::new();
    it.cameras.insert(yard(), NEAR);
    if let Some(fields) = camera {
        let mut placed = Instance::new("goblin".into(), [40.0, 40.0]);
        let fields: Fields = fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        placed.ops.set.insert("Camera".into(), fields);
        it.step(&[Edit::place(&yard(), &"actors".into(), "cam".into(), placed)]);
        it.bring_up();
    }
    it.start(&yard(), is_playing);
    assert_eq!(it.until(|host| host.preview().is_some()), [PreviewReport::Started]);
    it
}

#[test]
fn the_game_s_camera_follows_the_player_until_the_view_is_moved_by_hand() {
    let mut it = begun(true, None);
    assert_eq!((mode(&it), it.cameras[&yard()]), (CameraMode::Game, NEAR), "near enough already");
    it.play(20);
    let (followed, player) = (center(&it), place_of(&it, "p1"));
    assert!(followed.x < 290.0 && followed.x > player.x, "it comes from where the view was: {followed}");
    it.host.look_freely(&super::path("levels/cave.ron"));
    assert_eq!(mode(&it), CameraMode::Game, "another level's view is none of its business");
    it.host.look_freely(&yard());
    it.cameras.insert(yard(), NEAR);
    it.play(20);
    assert_eq!((mode(&it), it.cameras[&yard()]), (CameraMode::Free, NEAR));
    it.host.look(CameraMode::Game, None);
    it.play(100);
    assert!(center(&it).distance(place_of(&it, "p1")) < 1.0, "home again");
    // How large it is shown is the user's here.
    it.host.look_by_scale(Some(&yard()));
    assert_eq!(mode(&it), CameraMode::Game);
    it.host.stop(&mut it.cameras);
    assert_eq!(it.cameras[&yard()], NEAR);
}

#[test]
fn an_entity_is_followed_and_who_is_driven() {
    let mut it = begun(true, None);
    it.host.look(CameraMode::Follow, Some("g1".into()));
    it.play(128);
    assert_eq!(it.host.preview().unwrap().camera.followed().map(|id| &**id), Some("g1"));
    assert!(center(&it).distance(place_of(&it, "g1")) < 1.0, "{}", center(&it));
    assert_eq!(it.host.possess(it.world().by_id("p1")), []);
    assert_eq!(mode(&it), CameraMode::Follow);
    it.play(128);
    assert!(center(&it).distance(place_of(&it, "p1")) < 1.0, "who is driven is followed");
    // Who is gone is not: the view stays.
    let before = center(&it);
    it.host.despawn(it.world().by_id("p1").unwrap());
    it.play(30);
    assert!(center(&it).distance(before) < 1.0);
    assert_eq!(it.host.possess(None), []);
    assert_eq!(mode(&it), CameraMode::Free, "nothing is left for the game's camera");
    it.host.stop(&mut it.cameras);
    assert_eq!(it.cameras[&yard()], NEAR, "whoever moved it, it is given back");
}

#[test]
fn what_is_chosen_while_it_is_paused_is_looked_at_at_once() {
    let mut it = begun(false, None);
    it.pass(0.0);
    assert_eq!(center(&it), NEAR.center, "paused, nothing moves by itself");
    it.host.look(CameraMode::Follow, Some("g1".into()));
    it.pass(0.0);
    assert_eq!(center(&it), place_of(&it, "g1"));
    it.cameras.insert(yard(), NEAR);
    it.pass(1.0);
    assert_eq!(center(&it), NEAR.center, "the hand alone moves it then");
    it.host.look(CameraMode::Game, None);
    it.pass(0.0);
    assert_eq!(center(&it), place_of(&it, "p1"));
}

#[test]
fn a_placed_camera_says_what_is_seen() {
    let fields = [("bounded", Value::Bool(false)), ("zoom", Value::Float(2.0))];
    let mut it = begun(true, Some(&fields));
    assert_eq!(mode(&it), CameraMode::Game);
    it.play(10);
    let preview = it.host.preview().unwrap();
    let view = preview.camera.game_view(&preview.cameras).unwrap().clone();
    assert_eq!((&*view.id, view.size.as_vec2()), ("cam", Vec2::new(240.0, 135.0)));
    assert_eq!(center(&it), view.center.as_vec2());
    assert!(center(&it).distance(place_of(&it, "p1")) < 5.0, "it began on its target, whatever was looked at");
    // Constants and fields count at once.
    it.host.set_constant("Camera.width".into(), 640.0.into());
    it.pass(0.0);
    assert_eq!(it.host.preview().unwrap().cameras.views()[0].size.x, 320.0);
    it.host.look_by_scale(None);
    assert_eq!(mode(&it), CameraMode::Game);
    it.host.look_by_scale(Some(&yard()));
    assert_eq!(mode(&it), CameraMode::Free, "how large things are was chosen by hand");
    assert!(it.host.preview().unwrap().camera.followed().is_none());
}

#[test]
fn a_level_with_nothing_to_follow_is_looked_at_freely() {
    let mut it = Hosted::new();
    let cave = super::path("levels/cave.ron");
    it.start(&cave, true);
    it.until(|host| host.preview().is_some());
    assert_eq!(mode(&it), CameraMode::Free);
    assert!(!it.host.preview().unwrap().cameras.is_any_there());
}
