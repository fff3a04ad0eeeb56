//! A window on a project in a folder of its own, and how to use it as people do. What it is used for is in the other
//! files.
//!
//! Invariant: nothing waits longer than [`PATIENCE`], and what is waited for is named when it does not come.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc::sync_channel,
    time::{Duration, Instant},
};

use camino::Utf8PathBuf;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, accesskit::Role};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT as _, Queryable as _},
    wgpu::WgpuTestRenderer,
};
use levelwright::{
    app::{App, Editor},
    editor::{Action, Command, Selection},
    model::{DocPath, Level},
    ui::canvas::camera::OnScreen as _,
};
use tempfile::TempDir;

/// How long anything is waited for, so that a failure ends; nothing waits that long on the most loaded machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// A window, its project in a folder that goes with it.
pub(crate) struct Window {
    pub(crate) harness: Harness<'static, App>,
    pub(crate) folder: TempDir,
    /// Where it keeps what is not saved.
    pub(crate) journals: TempDir,
}

/// The sample game's folder.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data")
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The file of the goblins.
pub(crate) const GOBLINS: &str = "entities/goblins.ron";

/// How fast a definition walks.
pub(crate) fn speed(window: &Window, def: &str) -> f64 {
    window.editor().resolution().defs[def].f64("Walker", "speed").unwrap()
}

/// Type how fast one of the goblins walks.
pub(crate) fn set_speed(window: &mut Window, def: &str, speed: &str) {
    window.act(Action::Select(Selection::definition(doc(GOBLINS), def.into())));
    window.fill("Walker.speed", speed);
}

/// The path of a document.
pub(crate) fn doc(path: &str) -> DocPath {
    DocPath::new(path).unwrap()
}

/// The courtyard, the level the sample opens with.
pub(crate) fn courtyard() -> DocPath {
    doc("levels/courtyard.ron")
}

impl Window {
    /// A window on a copy of the sample game.
    pub(crate) fn sample() -> Self {
        Self::sample_sized([1440.0, 900.0])
    }

    /// The same with another size, in points.
    pub(crate) fn sample_sized(size: [f32; 2]) -> Self {
        Self::changed(size, |_| {})
    }

    /// The same after something was done to the files.
    pub(crate) fn changed(size: [f32; 2], change: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy_dir(&sample(), folder.path());
        change(folder.path());
        Self::on(folder, size)
    }

    /// A window that is drawn, on a project somewhere in a folder.
    pub(crate) fn drawn(folder: TempDir, root: &Path, size: [f32; 2], renderer: WgpuTestRenderer) -> Self {
        let root = Utf8PathBuf::from_path_buf(root.to_path_buf()).unwrap();
        let builder = Harness::builder().with_size(size).with_max_steps(8).renderer(renderer);
        let journals = tempfile::tempdir().unwrap();
        let home = Some(journals.path().to_owned());
        let harness = builder.build_eframe(move |cc| App::new(cc, Some(root), home));
        let mut window = Self { harness, folder, journals };
        window.settle();
        window
    }

    /// A window on whatever is in a folder.
    pub(crate) fn on(folder: TempDir, size: [f32; 2]) -> Self {
        let journals = tempfile::tempdir().unwrap();
        let mut window = Self { harness: Self::opened(folder.path(), journals.path(), size), folder, journals };
        window.settle();
        window
    }

    /// Another window on a folder that is open already.
    pub(crate) fn opened(folder: &Path, journals: &Path, size: [f32; 2]) -> Harness<'static, App> {
        let root = Utf8PathBuf::from_path_buf(folder.to_path_buf()).unwrap();
        let journals = Some(journals.to_path_buf());
        Harness::builder().with_size(size).with_max_steps(8).build_eframe(move |cc| App::new(cc, Some(root), journals))
    }

    /// End without being asked to close, as a crash does, and start again.
    pub(crate) fn again(self) -> Self {
        let Self { harness, folder, journals } = self;
        drop(harness);
        let mut window =
            Self { harness: Self::opened(folder.path(), journals.path(), [1440.0, 900.0]), folder, journals };
        window.settle();
        window
    }

    pub(crate) fn app(&self) -> &App {
        self.harness.state()
    }

    pub(crate) fn editor(&self) -> &Editor {
        self.app().editor()
    }

    /// Step until something is so.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        self.until_with(what, PATIENCE, is_so);
    }

    /// Step until the journal's file is as wanted. The thread that writes it asks for no frame, so the file is looked
    /// at now and then.
    #[track_caller]
    pub(crate) fn until_written(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        self.until_with(what, Duration::from_millis(20), is_so);
    }

    #[track_caller]
    fn until_with(&mut self, what: &str, longest: Duration, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        let (sender, frames) = sync_channel(1);
        // Full means that a frame is asked for already.
        self.harness.ctx.set_request_repaint_callback(move |info| {
            if info.delay.is_zero() {
                let _ = sender.try_send(());
            }
        });
        while !is_so(self) {
            self.harness.step();
            // Jobs and the watcher ask for a frame when they have something. A frame that is asked for later is not
            // shown earlier: notices would fade while a slow job runs.
            let delay = self.harness.output().viewport_output.values().map(|it| it.repaint_delay).min();
            let delay = delay.unwrap_or(Duration::MAX).min(longest);
            if !is_so(self) && !delay.is_zero() {
                let _ = frames.recv_timeout(delay.min(end.saturating_duration_since(Instant::now())));
            }
            assert!(
                Instant::now() < end,
                "waited in vain until {what}; the status line says {:?}",
                self.editor().notice()
            );
        }
    }

    /// Step until no job runs and what is shown is of the project as it stands; check the names of widgets.
    #[track_caller]
    pub(crate) fn settle(&mut self) {
        // What was sent in the last frame is carried out in the next; a click that ends the typing in a field comes two
        // frames later.
        self.harness.run_steps(4);
        self.until("everything is worked out", |window| window.editor().is_settled());
        self.harness.run_steps(2);
        self.harness.check_accessibility();
    }

    /// Ask for something as the UI does.
    #[track_caller]
    pub(crate) fn act(&mut self, action: Action) {
        self.app().send(action);
        self.settle();
    }

    /// The same with several at once, all in one frame.
    #[track_caller]
    pub(crate) fn act_at_once(&mut self, actions: impl IntoIterator<Item = Action>) {
        actions.into_iter().for_each(|action| self.app().send(action));
        self.settle();
    }

    #[track_caller]
    pub(crate) fn command(&mut self, command: Command) {
        self.act(Action::Command(command));
    }

    /// The first thing of that name.
    #[track_caller]
    pub(crate) fn find<'a>(&'a self, label: &'a str) -> Node<'a> {
        self.harness.query_all_by_label(label).next().unwrap_or_else(|| {
            let all: Vec<_> =
                self.harness.root().children_recursive().filter_map(|node| node.accesskit_node().label()).collect();
            panic!("there is no {label:?} among {all:?}")
        })
    }

    /// Whether a thing of that name is there.
    pub(crate) fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    /// Whether some text is there that contains this.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).next().is_some()
    }

    /// Click the first thing of that name.
    #[track_caller]
    pub(crate) fn click(&mut self, label: &str) {
        self.find(label).click();
        self.settle();
    }

    /// Click the first thing of that role and name.
    #[track_caller]
    pub(crate) fn click_role(&mut self, role: Role, label: &str) {
        self.find_role(role, label).click();
        self.settle();
    }

    /// The first thing of that role and name.
    #[track_caller]
    pub(crate) fn find_role<'a>(&'a self, role: Role, label: &'a str) -> Node<'a> {
        let found = self.harness.query_all_by_role_and_label(role, label).next();
        found.unwrap_or_else(|| panic!("there is no {role:?} {label:?}"))
    }

    /// Press a button as a screen reader does, wherever it is scrolled to.
    #[track_caller]
    pub(crate) fn press(&mut self, label: &str) {
        self.find(label).click_accesskit();
        self.settle();
    }

    /// Press a key.
    pub(crate) fn key(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.harness.step();
        self.settle();
    }

    /// Replace the text of a field and press Enter, which confirms a dialog.
    #[track_caller]
    pub(crate) fn fill(&mut self, label: &str, text: &str) {
        self.fill_and(label, text, Key::Enter);
    }

    /// Replace the text of a field and press Tab, which goes on to the next.
    #[track_caller]
    pub(crate) fn set(&mut self, label: &str, text: &str) {
        self.fill_and(label, text, Key::Tab);
    }

    #[track_caller]
    fn fill_and(&mut self, label: &str, text: &str, key: Key) {
        self.find(label).focus();
        self.harness.step();
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        self.harness.step();
        self.find(label).type_text(text);
        self.harness.step();
        self.harness.key_press(key);
        self.harness.step();
        self.settle();
    }

    /// Type what goes to whatever has the keyboard.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.harness.event(Event::Text(text.to_owned()));
        self.settle();
    }

    /// The level shown.
    pub(crate) fn level(&self) -> (&DocPath, &Level) {
        let path = self.editor().view().level.as_ref().unwrap();
        (path, self.editor().project().level(path).unwrap())
    }

    /// Where the Level pane's canvas is.
    #[track_caller]
    pub(crate) fn canvas(&self) -> Rect {
        let (path, _) = self.level();
        self.find(&format!("Level canvas {}", path.stem())).rect()
    }

    /// Where a point of the level is in the window, in points.
    #[track_caller]
    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> Pos2 {
        let (path, _) = self.level();
        let camera = self.editor().view().cameras[path];
        #[expect(clippy::cast_possible_truncation, reason = "a place on the screen")]
        let world = egui::pos2(x as f32, y as f32);
        camera.screen_from_world(self.canvas(), world)
    }

    /// Where the middle of a cell is in the window, in points.
    #[track_caller]
    pub(crate) fn cell(&self, [x, y]: [i32; 2]) -> Pos2 {
        let [w, h] = self.level().1.tile_size.map(f64::from);
        self.at([(f64::from(x) + 0.5) * w, (f64::from(y) + 0.5) * h])
    }

    /// Put the pointer somewhere.
    pub(crate) fn point(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.harness.run_steps(2);
    }

    /// Press or release the primary button.
    pub(crate) fn button(&mut self, at: Pos2, pressed: bool) {
        self.harness.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        self.harness.run_steps(2);
    }

    /// Click somewhere with the right button.
    #[track_caller]
    pub(crate) fn right_click_at(&mut self, at: Pos2) {
        self.point(at);
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
            self.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
            self.harness.run_steps(2);
        }
        self.settle();
    }

    /// Click somewhere.
    #[track_caller]
    pub(crate) fn click_at(&mut self, at: Pos2) {
        self.point(at);
        self.button(at, true);
        self.button(at, false);
        self.settle();
    }

    /// Click somewhere so fast that the press and the release come in one frame.
    pub(crate) fn click_at_once(&mut self, at: Pos2) {
        self.point(at);
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            self.harness.input_mut().events.push(Event::PointerButton { pos: at, button, pressed, modifiers });
        }
        self.settle();
    }

    /// Click somewhere while keys are held.
    #[track_caller]
    pub(crate) fn click_with(&mut self, at: Pos2, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.point(at);
        for pressed in [true, false] {
            self.harness.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers });
            self.harness.run_steps(2);
        }
        self.harness.event(Event::ModifiersChanged(Modifiers::NONE));
        self.settle();
    }

    /// Press at the first place and go to the others, without letting go.
    pub(crate) fn drag_to(&mut self, from: Pos2, way: &[Pos2]) {
        self.point(from);
        self.button(from, true);
        for at in way {
            self.point(*at);
        }
    }

    /// The same, and let go at the last.
    #[track_caller]
    pub(crate) fn drag(&mut self, from: Pos2, way: &[Pos2]) {
        self.drag_to(from, way);
        self.button(way.last().copied().unwrap_or(from), false);
        self.settle();
    }

    /// A file of the project.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Replace text in a file as another program would. The text must be there.
    #[track_caller]
    pub(crate) fn edit_outside(&self, path: &str, from: &str, to: &str) {
        let file = self.file(path);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{path} does not contain {from:?}");
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
    }
}
