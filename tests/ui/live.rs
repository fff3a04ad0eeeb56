//! Edits while a level plays, in the window: what is live is marked and listed, Stop gives the document back, Keep
//! writes it, and running entities are moved by hand.

use std::cell::RefCell;

use egui::{Event, Key, Modifiers, Pos2, accesskit::Role};
use levelwright::{
    edit::{Edit, Stamp},
    editor::{Action, Camera, Command, Pane, PreviewAction, Selection, ViewChange},
    io::codec,
    model::{Name, Project, Tile},
    sim::{EntityView, Hand, physics::BodySpec},
    tools::ToolKind,
};

use crate::window::{Window, courtyard, set_speed, speed};

/// The sample game, played for a moment and paused, so that what is dragged stands still; with the Preview pane in
/// front.
fn paused() -> Window {
    let mut window = Window::sample();
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| {
        window.editor().preview().is_some_and(|preview| preview.session.world().tick() > 5)
    });
    window.key(Modifiers::NONE, Key::F5);
    window.command(Command::Show(Pane::Preview));
    window.settle();
    window
}

fn running<R>(window: &Window, id: &str, read: impl FnOnce(EntityView<'_>) -> R) -> R {
    let world = window.editor().preview().unwrap().session.world();
    read(world.entity(world.by_id(id).unwrap()).unwrap())
}

/// A dynamic body of the running level that no other thing is near, with the canvas looking at it.
fn in_sight(window: &mut Window) -> (Name, [f64; 2]) {
    let world = window.editor().preview().unwrap().session.world();
    let (_, level) = window.level();
    let is_meant = |it: &EntityView<'_>| {
        let spec = world.physics().spec(it.key);
        let is_alone = || world.entities().all(|other| other.key == it.key || other.pos.distance(it.pos) > 30.0);
        spec.is_some_and(BodySpec::is_dynamic) && level.entity(it.id).is_some() && is_alone()
    };
    let found = world.entities().find(is_meant).unwrap();
    let (id, pos) = (found.id.clone(), found.pos);
    let camera = Camera { center: pos, scale: 2.0 };
    window.act(Action::View(ViewChange::Camera(courtyard(), camera)));
    window.settle();
    (id, [pos.x, pos.y].map(f64::from))
}

fn live(window: &Window) -> Vec<String> {
    let actions = RefCell::default();
    let changes = window.app().cx(&actions).workspace.live_changes();
    changes.into_iter().map(|change| change.text).collect()
}

fn text(project: &Project) -> String {
    codec::encode(project.doc(&courtyard()).unwrap())
}

/// Where a point of the level is, in points, moved by a few.
fn beside(at: Pos2, [x, y]: [f32; 2]) -> Pos2 {
    at + egui::vec2(x, y)
}

/// Paint a stone where nothing is, in the middle of what is seen.
fn paint(window: &mut Window) {
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "ground".into())));
    window.act(Action::View(ViewChange::Stamp(Stamp::one(Tile::id_only(2)))));
    window.command(Command::Tool(ToolKind::Pencil));
    let at = window.canvas().center();
    window.click_at(at);
    window.command(Command::Tool(ToolKind::Select));
}

#[test]
fn stop_gives_the_document_back_and_undo_brings_live_changes_back() {
    let mut window = paused();
    let before = window.editor().project().clone();
    let (id, at) = in_sight(&mut window);
    let from = window.at(at);
    window.drag(from, &[beside(from, [20.0, -30.0]), beside(from, [40.0, -60.0])]);
    let scale = f64::from(window.editor().view().cameras[&courtyard()].scale);
    let moved = running(&window, &id, |it| [it.pos.x, it.pos.y].map(f64::from));
    let expected = [at[0] + 40.0 / scale, at[1] - 60.0 / scale];
    assert!((0..2).all(|i| (moved[i] - expected[i]).abs() < 0.1), "{moved:?} {expected:?}");
    assert_eq!(window.editor().selection().ids_in(&courtyard()), std::slice::from_ref(&id));
    assert!(live(&window).is_empty(), "the running world alone was changed");

    paint(&mut window);
    set_speed(&mut window, "goblin", "95");
    assert_eq!(live(&window), ["Definition goblin: Walker.speed 55 → 95", "Layer ground: 1 cell painted"]);
    assert!(window.editor().unsaved().is_empty() && !window.says("courtyard*"));
    assert!(window.has("2 live changes"), "the status line says so");
    window.command(Command::Save);
    assert_eq!(window.editor().notice(), Some("Live changes are not saved until they are kept"));

    window.key(Modifiers::SHIFT, Key::F5);
    assert!(window.editor().project().has_same_documents(&before), "the very same");
    assert_eq!(window.editor().notice(), Some("2 live changes dropped. Undo brings them back"));
    assert_eq!(text(window.editor().project()), text(&before));
    assert!(window.editor().unsaved().is_empty());
    window.command(Command::Undo);
    assert!((speed(&window, "goblin") - 95.0).abs() < 1e-9);
    assert_eq!(window.editor().unsaved().len(), 2, "ordinary unsaved edits now");
}

#[test]
fn what_is_picked_is_kept_as_one_step() {
    let mut window = paused();
    let was = speed(&window, "goblin");
    paint(&mut window);
    set_speed(&mut window, "goblin", "95");
    window.command(Command::Show(Pane::Preview));
    window.click_role(Role::CheckBox, "Keep Layer ground: 1 cell painted");
    assert!(window.has("1 of 2 changes"));
    window.click("Keep selected");
    window.settle();
    assert_eq!(live(&window), ["Layer ground: 1 cell painted"]);
    assert_eq!(window.editor().unsaved().len(), 1);
    window.command(Command::Undo);
    assert_eq!((live(&window).len(), window.editor().unsaved().len()), (2, 0), "undo takes the keeping back");
    window.command(Command::Redo);
    window.command(Command::Stop);
    assert!((speed(&window, "goblin") - 95.0).abs() < 1e-9);
    assert_eq!(window.editor().unsaved().len(), 1, "what was painted is gone");
    window.act(Action::HistoryGoTo(0));
    assert!((speed(&window, "goblin") - was).abs() < 1e-9);
}

#[test]
fn what_is_live_is_marked_and_a_click_goes_to_it() {
    let mut window = paused();
    let (id, _) = in_sight(&mut window);
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: vec![id.clone()] }));
    window.act(Action::Edit(Edit::MoveThings { doc: courtyard(), ids: vec![id.clone()], by: [8.0, 0.0] }));
    window.command(Command::Show(Pane::Inspector));
    assert!(window.says("placed entity, live"));
    window.act(Action::Select(Selection::None));
    window.command(Command::Show(Pane::Preview));
    let row = live(&window).remove(0);
    assert!(row.contains(&format!(" {id} moved ")), "{row}");
    window.click(&row);
    assert_eq!(window.editor().selection().ids_in(&courtyard()), [id]);
    window.command(Command::DropLive);
    assert!(live(&window).is_empty());
}

#[test]
fn the_menu_of_a_running_entity_keeps_its_place_and_moves_it_back() {
    let mut window = paused();
    let (id, at) = in_sight(&mut window);
    let placed = window.level().1.entity(&id).unwrap().1.at;
    let from = window.at(at);
    let to = beside(from, [30.0, -20.0]);
    window.drag(from, &[to]);
    let now = running(&window, &id, |it| it.pos);
    window.right_click_at(to);
    window.click("Keep its place");
    window.settle();
    let kept = window.level().1.entity(&id).unwrap().1.at;
    assert!(kept != placed && (kept[0] - f64::from(now.x)).abs() < 0.01, "{placed:?} {kept:?} {now}");
    assert!(live(&window).is_empty() && window.editor().unsaved() == [courtyard()], "kept is not live");
    window.command(Command::Stop);
    assert_eq!(window.level().1.entity(&id).unwrap().1.at, kept);
    window.command(Command::Undo);
    assert_eq!(window.level().1.entity(&id).unwrap().1.at, placed);
}

#[test]
fn ctrl_pulls_a_body_by_a_spring_and_delete_takes_it_out() {
    let mut window = paused();
    let (id, at) = in_sight(&mut window);
    let from = window.at(at);
    window.harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
    window.point(from);
    let press = |window: &mut Window, pos: Pos2, pressed: bool| {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::COMMAND);
        window.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
        window.harness.run_steps(2);
    };
    press(&mut window, from, true);
    window.point(beside(from, [40.0, -40.0]));
    let hand = |window: &Window| window.editor().preview().unwrap().session.world().hand();
    assert!(matches!(hand(&window), Hand::Pulls(pull) if pull.to.y < pull.grip.y + 1e6), "{:?}", hand(&window));
    press(&mut window, beside(from, [40.0, -40.0]), false);
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.settle();
    assert_eq!(hand(&window), Hand::Empty);
    window.key(Modifiers::NONE, Key::Delete);
    window.settle();
    assert_eq!(live(&window).len(), 1, "it is out of the level until the end");
    window.until("it is out of the world", |window| {
        window.editor().preview().unwrap().session.world().by_id(&id).is_none()
    });
    window.command(Command::Stop);
    assert!(window.level().1.entity(&id).is_some());
}

#[test]
fn escape_puts_what_is_dragged_back() {
    let mut window = paused();
    let (id, at) = in_sight(&mut window);
    let from = window.at(at);
    window.drag_to(from, &[beside(from, [40.0, -40.0])]);
    assert!(running(&window, &id, |it| f64::from(it.pos.y)) < at[1] - 10.0);
    window.key(Modifiers::NONE, Key::Escape);
    window.point(beside(from, [50.0, -40.0]));
    window.button(beside(from, [50.0, -40.0]), false);
    assert!((running(&window, &id, |it| f64::from(it.pos.y)) - at[1]).abs() < 1e-3);
    assert_eq!(window.editor().preview().unwrap().session.world().hand(), Hand::Empty);
}

#[test]
fn where_edits_are_not_to_be_live_they_stay() {
    let mut window = Window::sample();
    window.command(Command::ToggleLive);
    window.key(Modifiers::NONE, Key::F5);
    window.until("it plays", |window| window.editor().preview().is_some());
    set_speed(&mut window, "goblin", "95");
    assert!(live(&window).is_empty() && window.editor().unsaved().len() == 1);
    // Turned on while it plays, it is so from now on.
    window.command(Command::ToggleLive);
    set_speed(&mut window, "goblin", "96");
    assert_eq!(live(&window).len(), 1);
    window.command(Command::ToggleLive);
    assert_eq!(window.editor().notice(), Some("1 live change stays so until kept or dropped"));
    window.command(Command::Stop);
    assert!((speed(&window, "goblin") - 95.0).abs() < 1e-9);
}

#[test]
fn closing_asks_about_live_changes_and_saves_them() {
    let mut window = paused();
    set_speed(&mut window, "goblin", "95");
    window.command(Command::Quit);
    assert!(window.has("Save and close"));
    window.click("Save and close");
    window.until("it closes", |window| window.editor().is_closing());
    assert!(std::fs::read_to_string(window.file("entities/goblins.ron")).unwrap().contains("95"));
}

#[test]
fn one_that_was_placed_while_it_plays_is_kept_once_where_it_is() {
    let mut window = paused();
    let n_before = window.level().1.entities().count();
    window.act(Action::View(ViewChange::ActiveLayer(courtyard(), "actors".into())));
    window.act(Action::View(ViewChange::PlaceDef("crate".into())));
    window.command(Command::Tool(ToolKind::Entity));
    let at = window.canvas().center();
    window.click_at(at);
    window.command(Command::Tool(ToolKind::Select));
    window.settle();
    let id = window.editor().selection().ids_in(&courtyard())[0].clone();
    assert_eq!(live(&window).len(), 1);
    let key = window.editor().preview().unwrap().session.world().by_id(&id).unwrap();
    window.act(Action::Preview(PreviewAction::KeepPlace(key)));
    window.settle();
    assert!(live(&window).is_empty(), "{:?}", live(&window));
    window.command(Command::Stop);
    assert_eq!(window.level().1.entities().count(), n_before + 1);
    assert!(window.level().1.entity(&id).is_some());
}

#[test]
fn delete_takes_out_what_is_selected_also_where_a_point_of_it_would_be() {
    let mut window = Window::sample();
    let mill = crate::window::doc("levels/mill.ron");
    window.act(Action::OpenLevel(mill.clone()));
    window.key(Modifiers::NONE, Key::F5);
    window.until("some ticks have passed", |window| {
        window.editor().preview().is_some_and(|preview| preview.session.world().tick() > 5)
    });
    window.key(Modifiers::NONE, Key::F5);
    let at = running(&window, "plank1", |it| it.pos);
    window.act(Action::View(ViewChange::Camera(mill.clone(), Camera { center: at, scale: 4.0 })));
    window.act(Action::Select(Selection::Things { doc: mill.clone(), ids: vec!["plank1".into()] }));
    window.settle();
    // Its anchor is at its left end, where the level that does not play shows a handle.
    let end = window.at([168.0 - 8.0, 196.0]);
    window.point(end);
    window.key(Modifiers::NONE, Key::Delete);
    window.until("the plank is gone", |window| {
        window.editor().project().level(&crate::window::doc("levels/mill.ron")).unwrap().entity("plank1").is_none()
    });
}

#[test]
fn agents_near_each_other_that_are_blocked_alike_share_a_label() {
    use levelwright::ui::canvas::labels::Shared;
    let (crowd, wall) = ("another body blocks its path", "a wall is in the way");
    let things = [([0.0, 50.0], crowd), ([40.0, 20.0], crowd), ([10.0, 50.0], wall), ([400.0, 50.0], crowd)];
    let labels = Shared::of(things.into_iter().map(|(at, text)| (at.into(), text)));
    let of = |at: [f32; 2], text, n| Shared { at: at.into(), text, n };
    assert_eq!(labels, [of([40.0, 20.0], crowd, 2), of([10.0, 50.0], wall, 1), of([400.0, 50.0], crowd, 1)]);
}
