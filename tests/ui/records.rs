//! Records of documents in the Inspector: scenarios, tilesets, layers and waypoints, each by its description; and one
//! that only this test declares.

use std::cell::RefCell;

use egui::{Key, Modifiers, accesskit::Toggled, vec2};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use levelwright::{
    edit::edit_value,
    editor::{Action, Command, Selection},
    model::{
        Blend, CueKind, DocPath, Document, Expected, FieldPath, FieldType, Name, Scenario, Tileset, Value, When,
        reflect::{Reflect as _, describe},
    },
    ui::panels::inspector::{Outside, Places, record_ui},
};

use crate::window::{Window, courtyard, doc};

const STEPS: &str = "scenarios/first_steps.ron";

fn scenario(window: &Window) -> Scenario {
    match &**window.editor().project().doc(&doc(STEPS)).unwrap() {
        Document::Scenario(scenario) => scenario.clone(),
        other => panic!("{other:?}"),
    }
}

fn tileset(window: &Window, path: &DocPath) -> Tileset {
    window.editor().project().tileset(path).unwrap().clone()
}

/// Choose one of many by typing its name.
fn choose(window: &mut Window, field: &str, name: &str) {
    window.press(field);
    window.find(&format!("Search {field}")).type_text(name);
    window.settle();
    window.key(Modifiers::NONE, Key::Enter);
}

#[test]
fn a_scenario_is_edited_by_its_description() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Document(doc(STEPS))));
    let before = scenario(&window);
    window.fill("scenario.secs", "33");
    assert!((scenario(&window).secs - 33.0).abs() < 1e-9);
    assert_eq!(window.editor().history().next(None, false).unwrap().label(), "Set secs of first_steps");
    window.fill("scenario.secs", "-1");
    assert!((scenario(&window).secs - 33.0).abs() < 1e-9, "it lasts more than no time");
    window.press("Add to scenario.script");
    let n = before.script.len();
    assert_eq!(scenario(&window).script.len(), n + 1);
    window.press(&format!("cue {}", n + 1));
    window.fill(&format!("scenario.script.{}.at", n + 1), "2.5");
    assert!((scenario(&window).script[n].at - 2.5).abs() < 1e-9);
    window.press(&format!("Delete cue {}", n + 1));
    assert_eq!(scenario(&window).script, before.script);
    window.command(Command::Undo);
    assert_eq!(scenario(&window).script.len(), n + 1);
}

#[test]
fn what_a_cue_does_is_chosen() {
    let mut window = Window::sample();
    window.act(Action::Select(Selection::Document(doc(STEPS))));
    window.press("Add to scenario.script");
    let n = scenario(&window).script.len();
    window.press(&format!("cue {n}"));
    choose(&mut window, &format!("scenario.script.{n}.kind of cue"), "press");
    assert!(matches!(scenario(&window).script[n - 1].what, CueKind::Press(_)));
    window.press("Add to scenario.expect");
    let n = scenario(&window).expect.len();
    window.press(&format!("expectation {n}"));
    choose(&mut window, &format!("scenario.expect.{n}.expectation"), "exists");
    assert!(matches!(scenario(&window).expect[n - 1].what, Expected::Exists(_)));
    window.fill(&format!("scenario.expect.{n}.by"), "4");
    choose(&mut window, &format!("scenario.expect.{n}.expectation"), "state");
    choose(&mut window, &format!("scenario.expect.{n}.time"), "at");
    let now = scenario(&window).expect[n - 1].clone();
    assert!(matches!(now.what, Expected::State(_)));
    assert_eq!(now.when, When::At(4.0), "the time stays");
    choose(&mut window, &format!("scenario.expect.{n}.time"), "at");
    assert_eq!(scenario(&window).expect[n - 1], now, "what it is already changes nothing");
}

#[test]
fn a_tile_is_edited_and_renamed_with_its_uses() {
    let mut window = Window::sample();
    let at = doc("tilesets/keep.ron");
    let (id, _) = tileset(&window, &at).tiles.into_iter().find(|(_, tile)| !tile.name.is_empty()).unwrap();
    window.act(Action::Select(Selection::Tiles { doc: at.clone(), ids: vec![id] }));
    window.fill("tile.weight", "3");
    assert!((tileset(&window, &at).tiles[&id].weight - 3.0).abs() < 1e-9);
    window.press("Reset tile.weight");
    assert!((tileset(&window, &at).tiles[&id].weight - 1.0).abs() < 1e-9);
    window.fill("tile.name", "marble");
    assert_eq!(tileset(&window, &at).tiles[&id].name, "marble");
    assert_eq!(window.editor().history().next(None, false).unwrap().label(), format!("Rename tile {id} to marble"));
}

/// The value of an inherited or default field turns into the owner's at the first step of a drag, which gives its row
/// another button.
#[test]
fn a_value_that_is_dragged_follows_the_pointer_from_its_default_on() {
    let mut window = Window::sample();
    let level = window.level().1.clone();
    let drag = |window: &mut Window, name: &str, by: f32| {
        let from = window.find(name).rect().center();
        let way: Vec<_> = (1..=10_u8).map(|i| from + vec2(by * f32::from(i) / 10.0, 0.0)).collect();
        window.drag(from, &way);
    };
    let layer = level.layers.iter().find(|layer| layer.tiles().is_some()).unwrap().name.clone();
    window.act(Action::Select(Selection::Layer { doc: courtyard(), layer: layer.clone() }));
    drag(&mut window, "layer.opacity", -60.0);
    let opacity = |window: &Window| window.level().1.layer(&layer).unwrap().1.opacity;
    let dragged = opacity(&window);
    assert!(dragged < 0.6, "{dragged}");
    window.act(Action::Select(Selection::None));
    assert!((opacity(&window) - dragged).abs() < 1e-9, "it is kept whatever comes next");
    window.act(Action::Command(Command::Undo));
    assert!((opacity(&window) - 1.0).abs() < 1e-9, "it is one step");

    // Of an entity, and of several.
    let crates: Vec<Name> =
        level.entities().filter(|(.., it)| &*it.def == "crate").map(|(_, id, _)| id.clone()).collect();
    let mass = |window: &Window, id: &Name| {
        let level = window.level().1;
        let (.., found) = level.entities().find(|(_, other, _)| *other == id).unwrap();
        found.ops.set.get("Body").and_then(|fields| fields.get("mass")).and_then(Value::as_f64)
    };
    for n in [1, 2] {
        let ids: Vec<Name> = crates.iter().take(n).cloned().collect();
        window.act(Action::Select(Selection::Things { doc: courtyard(), ids }));
        drag(&mut window, "Body.mass", 80.0);
        for id in crates.iter().take(n) {
            assert!(mass(&window, id).is_some_and(|mass| mass > 4.0), "{n}: {:?}", mass(&window, id));
        }
        window.act(Action::Command(Command::Undo));
        assert_eq!(mass(&window, &crates[0]), None);
    }
}

#[test]
fn layers_and_several_waypoints_are_edited() {
    let mut window = Window::sample();
    let level = window.level().1;
    let layer = level.layers.iter().find(|layer| layer.waypoints().is_some()).unwrap().name.clone();
    let ids: Vec<_> = level.layer(&layer).unwrap().1.waypoints().unwrap().nodes.keys().take(2).cloned().collect();
    window.act(Action::Select(Selection::Layer { doc: courtyard(), layer: layer.clone() }));
    window.fill("layer.opacity", "0.5");
    let of = |window: &Window| window.level().1.layer(&layer).unwrap().1.clone();
    assert!((of(&window).opacity - 0.5).abs() < 1e-9);
    window.fill("layer.opacity", "7");
    assert!((of(&window).opacity - 1.0).abs() < 1e-9, "it is a share");
    window.fill("layer.opacity", "0.5");
    window.press("Reset layer.opacity");
    assert!((of(&window).opacity - 1.0).abs() < 1e-9);
    window.fill("layer.tint hex", "#ff8040");
    assert_eq!(of(&window).tint_rgba(), [255, 128, 64, 255]);
    window.fill("layer.tint hex", "orange");
    assert_eq!(of(&window).tint_rgba(), [255, 128, 64, 255], "it is a color");
    window.press("Reset layer.tint");
    let n_before = window.editor().history().n_done();
    window.click("layer.tint");
    let square = window.find("layer.tint saturation and brightness").rect();
    let in_square = |x: f32, y: f32| square.min + square.size() * egui::vec2(x, y);
    window.drag(in_square(0.2, 0.2), &[in_square(0.5, 0.2), in_square(1.0, 0.5)]);
    assert_eq!(of(&window).tint_rgba(), [128, 0, 0, 255], "the first change does not close the picker");
    assert_eq!(window.editor().history().n_done(), n_before + 1, "a drag is one step");
    let hue = window.find("layer.tint hue").rect();
    window.drag(hue.left_center(), &[hue.center(), hue.min + hue.size() * egui::vec2(1.0 / 3.0, 0.5)]);
    assert_eq!(of(&window).tint_rgba(), [0, 128, 0, 255]);
    let opacity = window.find("layer.tint opacity bar").rect();
    window.drag(
        opacity.right_center() - egui::vec2(1.0, 0.0),
        &[opacity.center() + egui::vec2(9.0, 0.0), opacity.center()],
    );
    assert_eq!(of(&window).tint_rgba(), [0, 128, 0, 128]);
    window.fill("layer.tint code", "#80ff40");
    assert_eq!(of(&window).tint_rgba(), [128, 255, 64, 255]);
    window.key(Modifiers::NONE, Key::Escape);
    assert!(!window.has("layer.tint hue"));
    let tiles = window.level().1.layers.iter().find(|layer| layer.tiles().is_some()).unwrap().name.clone();
    window.act(Action::Select(Selection::Layer { doc: courtyard(), layer: tiles.clone() }));
    choose(&mut window, "layer.blend", "Multiply");
    assert_eq!(window.level().1.layer(&tiles).unwrap().1.blend(), Blend::Multiply);
    window.act(Action::Select(Selection::Document(courtyard())));
    window.press("level.background is set");
    window.fill("level.background hex", "#203040");
    assert_eq!(window.level().1.background_rgba(), Some([0x20, 0x30, 0x40, 255]));
    window.act(Action::Select(Selection::Things { doc: courtyard(), ids: ids.clone() }));
    assert!(window.says("2 waypoints"));
    window.press("Add to waypoint.tags");
    let tagged = |window: &Window| {
        let layer = of(window);
        ids.iter().all(|id| !layer.waypoints().unwrap().nodes[id].tags.is_empty())
    };
    assert!(tagged(&window), "both have one");
}

#[test]
fn what_is_wrong_with_a_field_is_mended_at_its_badge() {
    let mut window = Window::changed([1440.0, 900.0], |folder| {
        let file = folder.join(STEPS);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, text.replace("level: \"courtyard\"", "level: \"couryard\"")).unwrap();
    });
    window.act(Action::Select(Selection::Document(doc(STEPS))));
    // The first is in the Problems pane.
    let n_shown = |window: &Window| window.harness.query_all_by_label("Use courtyard").count();
    window.press("scenario.secs is own");
    assert_eq!(n_shown(&window), 1, "it is the level's");
    window.press("scenario.level is own");
    assert_eq!(n_shown(&window), 2);
    window.harness.query_all_by_label("Use courtyard").last().unwrap().click_accesskit();
    window.settle();
    assert_eq!(&*scenario(&window).level, "courtyard");
}

describe! {
    /// A wave of enemies.
    #[derive(Clone, Debug, PartialEq)]
    struct Wave: "a wave" => locked_by("sealed") {
        /// Who comes.
        def: Name => names(&FieldType::Def),
        /// How many.
        count: u32 = 1 => range(1.0, 100.0),
        /// When, from the start of the level.
        at: f64 => at_least(0.0) unit("s"),
        /// How long the next one waits.
        pause: Option<f64> = None => unit("s"),
        /// What is said then.
        cry: Option<String> = None,
        /// Whether it is announced.
        loud: bool = false,
        /// Nothing else of it changes any more.
        sealed: bool = false => open(),
    }
}

describe! {
    /// Waves of one level.
    #[derive(Clone, Debug, PartialEq)]
    struct Waves: "a page" {
        /// In the order in which they come.
        waves: Vec<Wave> = Vec::new(),
        /// The messages received meanwhile.
        music: String = String::new(),
    }
}

/// A window that shows nothing but a page of waves. What they have to do with a project, it has from that of another
/// window.
struct Page {
    window: Window,
    waves: Waves,
    refused: Vec<String>,
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let (actions, edits) = (RefCell::default(), RefCell::default());
        let outside = Outside { root: &self.waves, edit: &|edit| Vec::push(&mut edits.borrow_mut(), edit) };
        let (doc, all) = (doc("levels/waves.ron"), [FieldPath::root()]);
        let places = Places { outside: Some(outside), ..Places::new(&doc, &all, &[]) };
        record_ui(&self.window.app().cx(&actions), ui, places);
        for edit in edits.take() {
            self.refused.extend(edit_value(&mut self.waves, &edit).err().map(|why| why.to_string()));
        }
    }
}

/// The page in its window.
struct PageWindow(Harness<'static, Page>);

impl PageWindow {
    fn new(waves: Waves) -> Self {
        let page = Page { window: Window::sample(), waves, refused: Vec::new() };
        let builder = Harness::builder().with_size([480.0, 900.0]).with_max_steps(8);
        Self(builder.build_eframe(|cc| {
            egui_material_icons::initialize(&cc.egui_ctx);
            page
        }))
    }

    fn has(&self, label: &str) -> bool {
        self.0.query_all_by_label(label).next().is_some()
    }

    fn press(&mut self, label: &str) {
        self.0.get_by_label(label).click_accesskit();
        self.0.run_steps(3);
    }

    fn fill(&mut self, label: &str, text: &str) {
        self.0.get_by_label(label).focus();
        self.0.step();
        self.0.key_press_modifiers(Modifiers::COMMAND, Key::A);
        self.0.step();
        self.0.get_by_label(label).type_text(text);
        self.0.step();
        self.0.key_press(Key::Enter);
        self.0.run_steps(3);
    }

    fn wave(&self) -> &Wave {
        &self.0.state().waves.waves[0]
    }
}

#[test]
fn a_record_declared_here_is_edited_like_every_other() {
    let mut page = PageWindow::new(Waves::blank());
    page.press("Add to page.waves");
    page.press("wave 1");
    // Name, mark, range and unit are there.
    assert!(page.has("page.waves.1.count is default") && page.has("page.waves.1.at is own"));
    assert!(page.has("page.waves.1.loud is default") && page.has("page.waves.1.pause is default"));
    let count = page.0.get_by_label("page.waves.1.count");
    let count = count.accesskit_node();
    assert_eq!((count.min_numeric_value(), count.max_numeric_value()), (Some(1.0), Some(100.0)));
    let at = page.0.get_by_label("page.waves.1.at").accesskit_node().value();
    assert!(at.is_some_and(|at| at.ends_with(" s")));
    // Numbers, texts and switches are edited, within their limits.
    page.fill("page.waves.1.count", "7");
    page.fill("page.waves.1.at", "2.5");
    page.fill("page.waves.1.pause", "0.5");
    page.fill("page.waves.1.cry", "Hurrah");
    page.press("page.waves.1.loud");
    let wave = page.wave().clone();
    assert_eq!((wave.count, wave.at, wave.pause, wave.loud), (7, 2.5, Some(0.5), true));
    assert_eq!(wave.cry.as_deref(), Some("Hurrah"));
    assert_eq!(page.0.get_by_label("page.waves.1.loud").accesskit_node().toggled(), Some(Toggled::True));
    assert!(page.has("page.waves.1.count is own"));
    page.fill("page.waves.1.count", "500");
    assert_eq!(page.wave().count, 100);
    // The way back to defaults.
    page.press("Reset page.waves.1.count");
    page.press("Reset page.waves.1.pause");
    page.fill("page.waves.1.cry", " ");
    assert_eq!((page.wave().count, page.wave().pause, page.wave().cry.as_deref()), (1, None, None));
    assert!(!page.has("Reset page.waves.1.at"), "it has no default");
    assert_eq!(page.0.state().refused, [""; 0]);
    // What is locked refuses, and says why.
    page.press("page.waves.1.sealed");
    page.fill("page.waves.1.count", "3");
    assert_eq!(page.wave().count, 1);
    assert_eq!(page.0.state().refused, ["this wave is locked; unlock it to change what is in it"]);
    page.press("page.waves.1.sealed");
    page.fill("page.waves.1.count", "3");
    assert_eq!(page.wave().count, 3);
    page.press("Delete wave 1");
    assert_eq!(page.0.state().waves, Waves::blank());
}

#[test]
fn custom_fields_are_declared_set_and_reset() {
    let mut window = Window::sample();
    let schema = doc("schemas/game.ron");
    window.act(Action::Select(Selection::Document(schema)));
    window.fill("New tile field", "noise");
    choose(&mut window, "tile.noise type", "Float");
    window.fill("New layer field", "echo");
    choose(&mut window, "layer.echo type", "Bool");

    window.act(Action::Select(Selection::Document(courtyard())));
    let music = |window: &Window| window.level().1.fields.get("music").cloned();
    assert!(window.has("level.fields.music is own"));
    window.fill("level.fields.music", "storm");
    assert_eq!(music(&window), Some(Value::str("storm")));
    window.press("Reset level.fields.music");
    assert_eq!(music(&window), None);
    assert!(window.has("level.fields.music is default"));
    assert!(!window.has("Reset level.fields.music"));
    window.command(Command::Undo);
    assert_eq!(music(&window), Some(Value::str("storm")), "one step each");

    let locked = window.level().1.layers.iter().find(|layer| layer.locked).unwrap().name.clone();
    window.act(Action::Select(Selection::Layer { doc: courtyard(), layer: locked.clone() }));
    window.press("layer.fields.echo");
    assert_eq!(
        window.level().1.layer(&locked).unwrap().1.fields["echo"],
        Value::Bool(true),
        "its cells alone are locked"
    );

    let at = doc("tilesets/keep.ron");
    let ids: Vec<u32> = tileset(&window, &at).tiles.keys().take(2).copied().collect();
    let noise =
        |window: &Window| ids.iter().map(|id| tileset(window, &at).tiles[id].fields.get("noise").cloned()).collect();
    window.act(Action::Select(Selection::Tiles { doc: at.clone(), ids: vec![ids[0]] }));
    window.fill("tile.fields.noise", "0.5");
    window.act(Action::Select(Selection::Tiles { doc: at.clone(), ids: ids.clone() }));
    assert!(window.says("mixed"));
    let now: Vec<Option<Value>> = noise(&window);
    assert_eq!(now, [Some(Value::Float(0.5)), None]);
    window.press("Reset tile.fields.noise");
    let now: Vec<Option<Value>> = noise(&window);
    assert_eq!(now, [None, None], "where it was set");
    window.fill("tile.fields.noise", "2");
    let now: Vec<Option<Value>> = noise(&window);
    assert_eq!(now, [Some(Value::Float(2.0)), Some(Value::Float(2.0))]);
}
