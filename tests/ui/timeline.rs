//! The Tracks pane: keys picked, dragged, inserted, copied and deleted, and the playhead that the level follows.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, accesskit::Role, vec2};
use egui_kittest::kittest::Queryable as _;
use levelwright::{
    editor::{Action, Command, Pane, Selection},
    model::{Name, Value},
    tools::timeline::{keys_of, tracks_value},
};

use crate::window::{Window, doc};

/// The tracks of the lantern.
fn lantern() -> Window {
    let mut window = Window::sample();
    show(&mut window, "entities/mechanisms.ron", "lantern");
    window
}

fn show(window: &mut Window, file: &str, def: &str) {
    window.act(Action::Select(Selection::definition(doc(file), def.into())));
    window.command(Command::Show(Pane::Tracks));
}

fn tracks(window: &Window, def: &str) -> Value {
    tracks_value(&window.editor().resolution().defs[def])
}

fn times(window: &Window, track: &str) -> Vec<f64> {
    keys_of(&tracks(window, "lantern"), track).map(|(at, _)| at).collect()
}

fn values(window: &Window, track: &str) -> Vec<f64> {
    keys_of(&tracks(window, "lantern"), track).map(|(_, key)| key.field("value").unwrap().as_f64().unwrap()).collect()
}

fn rect(window: &Window, label: &str) -> Rect {
    window.find(label).rect()
}

fn key(window: &Window, secs: &str) -> Pos2 {
    rect(window, &format!("Key of glow at {secs} s")).center()
}

/// Where a time of the track `glow` is.
fn at(window: &Window, secs: f32) -> Pos2 {
    let (zero, far) = (key(window, "0"), key(window, "2.4"));
    Pos2::new(zero.x + (far.x - zero.x) * secs / 2.4, rect(window, "Track glow").center().y)
}

#[test]
fn keys_are_dragged_as_one_step_that_escape_cancels() {
    let mut window = lantern();
    assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.1, 1.8, 2.4]);
    let (from, to) = (key(&window, "1.1"), at(&window, 1.4));
    window.drag_to(from, &[from.lerp(to, 0.5), to]);
    window.until("the key follows the pointer", |window| times(window, "glow") == [0.0, 0.7, 1.4, 1.8, 2.4]);
    window.key(Modifiers::NONE, Key::Escape);
    window.until("it is back", |window| times(window, "glow") == [0.0, 0.7, 1.1, 1.8, 2.4]);
    window.button(to, false);
    assert_eq!(window.editor().history().n_done(), 0);
    window.drag(from, &[from.lerp(to, 0.5), to]);
    assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.4, 1.8, 2.4]);
    assert_eq!(window.editor().history().n_done(), 1);
    assert!(window.has("Key time"), "it stays picked");
    // Past another one, with the one beside it.
    window.click("Key of glow at 0.7 s");
    window.click_with(key(&window, "1.4"), Modifiers::SHIFT);
    let (from, to) = (key(&window, "0.7"), at(&window, 1.2));
    window.drag(from, &[from.lerp(to, 0.5), to]);
    assert_eq!(times(&window, "glow"), [0.0, 1.2, 1.8, 1.9, 2.4]);
    assert_eq!(values(&window, "glow"), [0.0, 9.0, -6.0, 4.0, 0.0]);
    window.command(Command::Undo);
    window.command(Command::Undo);
    assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.1, 1.8, 2.4]);
}

#[test]
fn keys_are_inserted_framed_copied_and_deleted() {
    let mut window = lantern();
    let spot = at(&window, 1.5);
    window.point(spot);
    // Frames of a test are further apart than the clicks of a double click.
    for pressed in [true, false, true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        window.harness.input_mut().events.push(Event::PointerButton { pos: spot, button, pressed, modifiers });
    }
    window.settle();
    assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.1, 1.5, 1.8, 2.4]);
    // A frame over the last three.
    let (from, to) = (at(&window, 1.3) + vec2(0.0, -20.0), at(&window, 2.5) + vec2(0.0, 10.0));
    window.drag(from, &[from.lerp(to, 0.5), to]);
    assert!(window.says("3 keys"));
    window.harness.event(Event::Copy);
    window.settle();
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.1]);
    let copied = "{\"glow\": [(at: 0.0, value: 1.0), (at: 0.3, value: 2.0)]}";
    window.harness.event(Event::Paste(copied.to_owned()));
    window.settle();
    assert_eq!(
        (times(&window, "glow"), values(&window, "glow")[..2].to_vec()),
        (vec![0.0, 0.3, 0.7, 1.1], vec![1.0, 2.0])
    );
    window.key(Modifiers::COMMAND, Key::A);
    window.key(Modifiers::NONE, Key::Delete);
    assert!(times(&window, "glow").is_empty() && times(&window, "color").is_empty());
    window.command(Command::Undo);
    assert_eq!(times(&window, "glow").len(), 4);
}

#[test]
fn the_menu_stays_while_the_pointer_goes_into_it() {
    let mut window = lantern();
    let spot = at(&window, 1.5);
    window.right_click_at(spot);
    let item = rect(&window, "Add key here").center();
    for share in [0.25, 0.5, 0.75, 1.0] {
        window.point(spot.lerp(item, share));
        assert!(window.has("Add key here"), "it has closed");
    }
    window.click_at(item);
    assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.1, 1.5, 1.8, 2.4]);
}

#[test]
fn a_double_click_adds_a_key_also_where_keys_were_picked() {
    for picks in [false, true] {
        let mut window = lantern();
        if picks {
            window.click("Key of glow at 0.7 s");
        }
        // Presses and releases come in frames of their own, long after the click before.
        window.harness.ctx.options_mut(|options| options.input_options.max_double_click_delay = 3.0);
        window.harness.run_steps(60);
        let spot = at(&window, 1.5);
        window.point(spot);
        for pressed in [true, false, true, false] {
            window.button(spot, pressed);
        }
        window.settle();
        assert_eq!(times(&window, "glow"), [0.0, 0.7, 1.1, 1.5, 1.8, 2.4], "picked before: {picks}");
    }
}

#[test]
fn the_time_line_is_worked_by_keys_alone() {
    let mut window = lantern();
    window.press("Track glow");
    window.key(Modifiers::NONE, Key::ArrowRight);
    window.key(Modifiers::NONE, Key::ArrowRight);
    assert!(window.has("Key time"));
    window.key(Modifiers::ALT, Key::ArrowRight);
    assert_eq!(times(&window, "glow"), [0.0, 0.8, 1.1, 1.8, 2.4]);
    window.key(Modifiers::NONE, Key::ArrowDown);
    window.key(Modifiers::NONE, Key::Delete);
    assert_eq!(times(&window, "color"), [0.0], "the one nearest in time");
    window.key(Modifiers::NONE, Key::Period);
    let playhead = window.editor().view().scrub.unwrap();
    window.key(Modifiers::NONE, Key::Enter);
    assert_eq!(times(&window, "color"), [0.0, playhead]);
    window.key(Modifiers::NONE, Key::Escape);
    window.key(Modifiers::NONE, Key::Escape);
    assert_eq!(window.editor().view().scrub, None);
}

#[test]
fn the_picked_key_has_its_value_ease_and_slope_in_the_bar() {
    let mut window = lantern();
    window.click("Key of glow at 0.7 s");
    window.fill("Key value", "12");
    assert_eq!(values(&window, "glow")[1], 12.0);
    window.fill("Key slope", "40");
    window.fill("Key time", "0.6");
    window.click("Key ease");
    window.type_text("EaseOut");
    window.key(Modifiers::NONE, Key::Enter);
    let tracks = tracks(&window, "lantern");
    let (at, key) = keys_of(&tracks, "glow").nth(1).unwrap();
    let field = |name| key.field(name).unwrap().to_string();
    assert_eq!((at, &*field("value"), &*field("ease")), (0.6, "12.0", "EaseOut"));
    assert!(field("slope").contains("40"), "{}", field("slope"));
    assert_eq!(window.editor().history().n_done(), 4);
}

#[test]
fn tracks_are_added_and_deleted_and_the_inspector_leads_there() {
    let mut window = Window::sample();
    show(&mut window, "entities/mechanisms.ron", "bell");
    assert!(window.says("No tracks yet"));
    window.click("Add track");
    window.type_text("Rotation");
    window.key(Modifiers::NONE, Key::Enter);
    let names = |window: &Window| {
        let Value::Map(entries) = tracks(window, "bell") else { return Vec::new() };
        entries.iter().map(|(name, _)| Name::from(name.as_str().unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(names(&window), ["rotation".into()]);
    assert!(window.has("Key of rotation at 0 s") && window.has("Key value"), "its first key is picked");
    window.command(Command::Show(Pane::History));
    window.press("Show on the time line");
    window.click("More about track rotation");
    window.click("Delete track");
    assert_eq!(names(&window), [] as [Name; 0]);
    window.act(Action::Select(Selection::None));
    assert!(window.says("No tracks to show"));
}

#[test]
fn the_menu_of_a_track_leads_to_its_fields_in_the_inspector() {
    let mut window = lantern();
    // Neither a folded component nor a search hides them, nor another pane.
    window.find_role(Role::DisclosureTriangle, "Tracks").click_accesskit();
    window.settle();
    assert!(!window.has("Tracks.tracks key 1"));
    window.find_role(Role::TextInput, "Search fields").focus();
    window.type_text("Body.kind");
    window.command(Command::Show(Pane::Tuning));
    window.click("More about track color");
    window.click("Edit in the Inspector");
    let (pane, name) = (window.find_role(Role::Pane, "Inspector").rect(), rect(&window, "Tracks.tracks key 1"));
    assert!((0.0..100.0).contains(&(name.top() - pane.top())), "{name:?} in {pane:?}");
    assert!(window.find("Edit Tracks.tracks key 1").is_focused(), "Tab goes on from there");
    assert_eq!(window.editor().history().n_done(), 0);
}

#[test]
fn of_several_no_tracks_are_shown_and_the_pane_says_so() {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(doc("levels/range.ron")));
    let level = window.editor().project().level(&doc("levels/range.ron")).unwrap();
    let gates: Vec<Name> = level.entities().map(|(_, id, _)| id.clone()).take(2).collect();
    window.act(Action::Select(Selection::Things { doc: doc("levels/range.ron"), ids: gates }));
    window.command(Command::Show(Pane::Tracks));
    assert!(window.says("Several are selected") && !window.says("No tracks to show"));
}

#[test]
fn the_playhead_shows_what_is_selected_and_changes_nothing() {
    let mut window = Window::sample();
    window.act(Action::OpenLevel(doc("levels/range.ron")));
    let gate = Selection::Things { doc: doc("levels/range.ron"), ids: vec!["gate01".into()] };
    window.act(Action::Select(gate));
    window.command(Command::Show(Pane::Tracks));
    let ruler = rect(&window, "Playhead");
    let from = Pos2::new(rect(&window, "Key of lift at 0 s").center().x, ruler.center().y);
    let to = Pos2::new(rect(&window, "Key of lift at 1.2 s").center().x, ruler.center().y);
    window.drag(from, &[from.lerp(to, 0.5), to]);
    assert_eq!(window.editor().view().scrub, Some(1.2));
    assert_eq!(window.editor().history().n_done(), 0);
    assert!(window.has("Playhead time"));
    window.click("Put the playhead away");
    assert_eq!(window.editor().view().scrub, None);
    assert!(window.harness.query_by_label("Playhead time").is_none());
}

#[test]
fn delete_after_a_click_on_the_ruler_means_keys() {
    let mut window = lantern();
    let ruler = rect(&window, "Playhead");
    window.click_at(ruler.lerp_inside(vec2(0.7, 0.5)));
    window.key(Modifiers::NONE, Key::Delete);
    assert!(window.editor().dialog().is_none(), "it does not ask to delete the definition");
    assert_eq!(window.editor().history().n_done(), 0);
    let from = key(&window, "1.1");
    window.click_at(from);
    window.click_at(ruler.lerp_inside(vec2(0.7, 0.5)));
    window.key(Modifiers::NONE, Key::Delete);
    window.until("the picked key is gone", |window| times(window, "glow") == [0.0, 0.7, 1.8, 2.4]);
}
