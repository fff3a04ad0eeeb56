//! The window: eframe's frame loop around the editor.

use std::{path::PathBuf, sync::Arc, time::Instant};

use camino::Utf8PathBuf;
use eframe::wgpu::TextureFormat;
use egui::{
    CentralPanel, Frame, Margin, Modifiers, Panel, ViewportCommand,
    epaint::text::{FontInsert, InsertFontFamily},
};
use egui_tiles::Tree;
use tracing_subscriber::{
    Layer as _,
    filter::{LevelFilter, Targets},
    layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

use super::{
    Editor,
    closing::Closing,
    layout,
    making::Making,
    pads::Device,
    settings::{self, Settings},
};
use crate::io;
use crate::{
    editor::{Action, Command, Dialog, Pane, ViewChange, dropped_picture},
    ui::{
        CanvasCx, CommandLook as _, CommandState as _, Cx, Looks, MachineCx, PaneCx, ShellCx, Textures, Theme,
        TuningCx, drives_player, focus, is_letter, keys_are_taken, keys_text, leaving,
        panels::{
            canvas_has_keyboard,
            dialogs::{dialog_ui, forget_fields},
            focus_pane, leave_canvas,
            menu::{menu_ui, title},
            status::status_ui,
            toolbar::toolbar_ui,
        },
    },
};

/// The notice shown when a key moves the keyboard focus to the Palette.
const CHOOSE_BY_KEYS: &str = "Arrows choose in the Palette; Enter goes back to the level";

/// Frames for which the keyboard is given back to what had it: a dialog that was closed takes it away until it is gone
/// from the screen.
const GIVE_BACK: u8 = 3;

/// The program's window.
pub struct App {
    editor: Editor,
    layout: Tree<Pane>,
    drawing: Drawing,
    actions: std::cell::RefCell<Vec<Action>>,
    last_frame: Option<Instant>,
    title: String,
    /// Whether a text field had the focus after the last frame: Escape takes it away before any handler runs.
    was_typing: bool,
    /// The text field that had the focus after the last frame.
    typed_in: Option<egui::Id>,
    /// The pane in which Enter ended the typing, and in how many frames it gets the keyboard unless something else has
    /// it by then.
    entered_in: Option<(Pane, u8)>,
    /// The pane that was given the keyboard last.
    focused: Pane,
    /// What had the keyboard when the dialog was opened that is open.
    before_dialog: Option<egui::Id>,
    /// What gets the keyboard in the next frames, and in how many.
    give_back: Option<(egui::Id, u8)>,
    /// Commands given while a field was being typed into.
    after_typing: Vec<Command>,
    device: Device,
    /// The notice in the status line, and since when in seconds.
    noticed: (u64, f64),
}

/// What the window draws with: its theme, and what was made of the project's pictures so far.
#[derive(Default)]
struct Drawing {
    is_dark: bool,
    textures: Textures,
    target: Option<TextureFormat>,
    looks: Looks,
}

impl Drawing {
    fn theme(&self) -> &'static Theme {
        if self.is_dark { &Theme::DARK } else { &Theme::LIGHT }
    }
}

/// What keys do while the level's canvas has the keyboard.
const BY_KEYS: &str = "Arrows move the pointer, Space held with arrows drags; Esc goes back, Ctrl+F6 to the next pane";

/// How long the keyboard may be in coming, in seconds.
const COMING_SECS: f64 = 0.6;

/// How long a notice stays in the status line.
const NOTICE_SECS: f64 = 8.0;

/// Open the window on a project, or on a copy of the sample game.
///
/// # Errors
/// There is no display, or no graphics; the message says which.
pub fn run(project: Option<Utf8PathBuf>) -> anyhow::Result<()> {
    log_to_stderr();
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Levelwright")
            .with_app_id("levelwright")
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([720.0, 480.0]),
        ..eframe::NativeOptions::default()
    };
    let create: eframe::AppCreator<'_> = Box::new(move |cc| Ok(Box::new(App::new(cc, project, io::journal::home()))));
    eframe::run_native("levelwright", options, create).map_err(|why| {
        let why = reason(&why);
        anyhow::anyhow!("{why}; commands such as `check` and `export` need none, see `levelwright --help`")
    })
}

/// Why there is no window, in one line.
fn reason(why: &eframe::Error) -> String {
    match why {
        // winit's own text names its source files.
        eframe::Error::WinitEventLoop(_) => "there is no display to open a window on".to_owned(),
        why => {
            let text = why.to_string();
            format!("cannot open a window: {}", text.lines().next().unwrap_or_default())
        }
    }
}

/// Write to standard error what `RUST_LOG` names, as in `RUST_LOG=info,wgpu_core=warn`; warnings without it.
fn log_to_stderr() {
    let filter = std::env::var("RUST_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
}

impl App {
    /// A window on a project; with none, on the user's own copy of the sample game. What is not saved is kept in
    /// `journals` for the case of a crash.
    #[must_use]
    pub fn new(cc: &eframe::CreationContext<'_>, project: Option<Utf8PathBuf>, journals: Option<PathBuf>) -> Self {
        let settings = Settings::load(cc.storage);
        egui_material_icons::initialize(&cc.egui_ctx);
        add_arrows(&cc.egui_ctx);
        leaving::leave_before_clicks(&cc.egui_ctx);
        let ctx = cc.egui_ctx.clone();
        let mut editor = Editor::new(Arc::new(move || ctx.request_repaint()));
        editor.journals = journals;
        editor.recent = settings.recent;
        editor.remembered = settings.tuning;
        editor.remembered_tabs = settings.tabs;
        editor.bench.view.live_edits = settings.live_edits;
        editor.bench.view.is_muted = settings.is_muted;
        let mut app = Self {
            editor,
            layout: settings.layout,
            drawing: Drawing {
                is_dark: settings.is_dark,
                target: cc.wgpu_render_state.as_ref().map(|state| state.target_format),
                ..Drawing::default()
            },
            actions: std::cell::RefCell::default(),
            last_frame: None,
            title: String::new(),
            focused: Pane::Level,
            before_dialog: None,
            give_back: None,
            was_typing: false,
            typed_in: None,
            entered_in: None,
            after_typing: Vec::new(),
            noticed: (0, 0.0),
            device: Device::new(),
        };
        app.drawing.theme().apply(&cc.egui_ctx);
        app.editor.open_at_start(project);
        app
    }

    /// The state behind the window.
    #[must_use]
    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    /// Ask for something, as the UI does; it happens in the next frame.
    pub fn send(&self, action: Action) {
        self.actions.borrow_mut().push(action);
    }

    /// Where each pane is.
    #[must_use]
    pub fn layout(&self) -> &Tree<Pane> {
        &self.layout
    }

    /// The theme in use.
    #[must_use]
    pub fn theme(&self) -> &'static Theme {
        self.drawing.theme()
    }

    /// Why a command makes no sense now; `None` when it does.
    #[must_use]
    pub fn refusal(&self, command: Command) -> Option<String> {
        command.refusal(&self.cx(&self.actions))
    }

    /// What a part of the window gets to see now; `actions` takes what it asks for.
    #[must_use]
    pub fn cx<'a>(&'a self, actions: &'a std::cell::RefCell<Vec<Action>>) -> Cx<'a> {
        cx(&self.editor, &self.drawing, actions)
    }

    /// What concerns the window alone; everything else is the editor's.
    fn act(&mut self, ctx: &egui::Context, action: Action) {
        // Menus disable commands that are not available; for a key, the reason is shown.
        if let Action::Command(command) = action
            && let Some(why) = self.refusal(command)
        {
            self.editor.notify(why);
            return;
        }
        match action {
            Action::ShowPane(pane) => layout::show(&mut self.layout, pane),
            Action::Command(Command::Show(pane)) => self.focus(ctx, pane),
            Action::Command(Command::NextPane) => self.focus_next(ctx, 1),
            Action::Command(Command::PreviousPane) => self.focus_next(ctx, -1),
            Action::Command(Command::PointByKeys) => {
                layout::show(&mut self.layout, Pane::Level);
                self.give_back = None;
                focus_pane(ctx, Pane::Level);
                if !self.is_playing() {
                    self.editor.notify(BY_KEYS);
                }
            }
            Action::CopyText(text) => ctx.copy_text(text),
            Action::Command(Command::ResetLayout) => self.layout = layout::first(),
            Action::Command(Command::ToggleTheme) => {
                self.drawing.is_dark = !self.drawing.is_dark;
                self.theme().apply(ctx);
            }
            Action::Command(Command::Paste) => ctx.send_viewport_cmd(ViewportCommand::RequestPaste),
            other => {
                let before = self.editor.bench.dialog.clone();
                self.editor.act(other);
                if before != self.editor.bench.dialog {
                    self.follow_dialog(ctx, before.is_some());
                }
            }
        }
        self.show_wanted();
        if let Some(text) = self.editor.copied.take() {
            ctx.copy_text(text);
        }
    }

    /// Bring the panes to the front that are asked for.
    fn show_wanted(&mut self) {
        for pane in self.editor.bench.take_wanted_panes() {
            layout::show(&mut self.layout, pane);
        }
    }

    /// A dialog was opened or closed. What had the keyboard before it opened has it again when it is closed.
    fn follow_dialog(&mut self, ctx: &egui::Context, had_dialog: bool) {
        forget_fields(ctx);
        if !had_dialog {
            // From one dialog to the next, as from the command palette, it is what had it before the first.
            let waiting = self.give_back.take().map(|(id, _)| id);
            self.before_dialog = waiting.or_else(|| ctx.memory(egui::Memory::focused));
        } else if self.editor.bench.dialog.is_none()
            && let Some(id) = self.before_dialog.take()
        {
            self.give_back = Some((id, GIVE_BACK));
            ctx.request_repaint();
        }
    }

    /// Note what the last frame took, and whether what is measured of ticks is seen.
    fn note_frame(&mut self, ctx: &egui::Context, frame: &eframe::Frame) {
        let profiler = &mut self.editor.bench.view.insight.profiler;
        profiler.is_seen = layout::seen(&self.layout).contains(&Pane::Profiler);
        if let Some(secs) = frame.info().cpu_usage {
            profiler.frame.add(f64::from(secs) * 1e9, f64::from(ctx.input(|input| input.stable_dt)));
        }
    }

    fn is_playing(&self) -> bool {
        self.editor.preview().is_some_and(|preview| preview.is_playing)
    }

    /// Whether a key means the running game: any while it plays; while it is paused those that are bound, which may be
    /// held for the next step.
    fn is_for_player(&self, key: egui::Key) -> bool {
        let Some(preview) = self.editor.preview() else { return false };
        let is_bound = || self.editor.controls().has_key(|name| egui::Key::from_name(name) == Some(key));
        preview.is_playing || is_bound() && preview.has_player()
    }

    /// Escape where nothing else has a use for it.
    fn escape(&mut self, ctx: &egui::Context) {
        if ctx.input(|input| input.pointer.any_down()) {
            // What is dragged, by a tool or not, is let go of and stays selected.
            self.editor.let_go();
        } else if !self.editor.escape()
            && canvas_has_keyboard(ctx)
            && let Some(before) = leave_canvas(ctx)
        {
            self.give_back = Some((before, GIVE_BACK));
        }
    }

    /// Enter in a text of a pane ends the typing and leaves the keyboard in that pane, unless it went elsewhere.
    fn stay_in_pane(&mut self, ctx: &egui::Context) {
        let Some((pane, left)) = self.entered_in else { return };
        let is_elsewhere = ctx.memory(|memory| memory.focused().is_some()) || self.editor.dialog().is_some();
        self.entered_in = (!is_elsewhere && left > 0).then(|| (pane, left.saturating_sub(1)));
        if self.entered_in.is_some() {
            ctx.request_repaint();
        } else if !is_elsewhere {
            focus_pane(ctx, pane);
        }
    }

    /// The pane in which Enter has just ended the typing of a text.
    fn pane_of_entered(&self, ctx: &egui::Context) -> Option<Pane> {
        let is_ended = ctx.input(|input| input.key_pressed(egui::Key::Enter)) && !ctx.text_edit_focused();
        let field = ctx.read_response(self.typed_in.filter(|_| is_ended)?)?;
        let is_in_dock = field.layer_id.order == egui::Order::Background;
        let pane = layout::pane_at(&self.layout, field.rect.center()).filter(|_| is_in_dock)?;
        // There arrows move what is selected.
        (pane != Pane::Level).then_some(pane)
    }

    /// Show a pane and give it the keyboard.
    fn focus(&mut self, ctx: &egui::Context, pane: Pane) {
        layout::show(&mut self.layout, pane);
        self.give_back = None;
        focus_pane(ctx, pane);
        self.focused = pane;
        if pane.is_of_documents() {
            self.editor.act(Action::View(ViewChange::Work(pane)));
        }
    }

    /// Give the keyboard to the pane so many after the one that had it last, of those that are seen.
    fn focus_next(&mut self, ctx: &egui::Context, by: isize) {
        let panes = layout::seen(&self.layout);
        // From the one in which the keyboard is.
        let place = ctx.memory(egui::Memory::focused).and_then(|id| ctx.read_response(id)).map(|it| it.rect.center());
        let now = place.and_then(|at| layout::pane_at(&self.layout, at)).unwrap_or(self.focused);
        let at = panes.iter().position(|pane| *pane == now).unwrap_or(0);
        let next = (at.cast_signed() + by).rem_euclid(panes.len().max(1).cast_signed());
        if let Some(pane) = panes.get(next.cast_unsigned()) {
            self.focus(ctx, *pane);
        }
    }

    /// Keys and clipboard events that are commands.
    fn keys(&mut self, ctx: &egui::Context) {
        if self.editor.dialog().is_some() {
            return;
        }
        let is_typing = ctx.text_edit_focused();
        let is_taken = keys_are_taken(ctx);
        // Mostly no key is pressed.
        if ctx.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Key { pressed: true, .. }))) {
            self.shortcuts(ctx, is_typing, is_taken);
        }
        // A popup has its own use for Escape and arrows.
        if is_typing || is_taken || egui::Popup::is_any_open(ctx) {
            return;
        }
        let has_focus = ctx.memory(|memory| memory.focused().is_some());
        let events = ctx.input(|input| input.events.clone());
        for event in events {
            match event {
                egui::Event::Copy => self.send(Action::Command(Command::Copy)),
                egui::Event::Cut => self.send(Action::Command(Command::Cut)),
                egui::Event::Paste(text) => self.editor.paste(&text),
                // In a field it means what is typed there, and no more.
                egui::Event::Key { key: egui::Key::Escape, pressed: true, .. } if self.was_typing => {}
                egui::Event::Key { key: egui::Key::Escape, pressed: true, .. } => self.escape(ctx),
                egui::Event::Key { key: egui::Key::Enter, pressed: true, modifiers: Modifiers::NONE, .. }
                    if !has_focus && self.editor.edit_text() => {}
                egui::Event::Key { key, pressed: true, modifiers, .. }
                    if !modifiers.command && !has_focus && self.entered_in.is_none() && !self.is_for_player(key) =>
                {
                    self.editor.nudge(key, modifiers.shift);
                }
                _ => {}
            }
        }
    }

    /// Carry out the commands whose keys are pressed.
    fn shortcuts(&mut self, ctx: &egui::Context, is_typing: bool, is_taken: bool) {
        // Paused, too: they may be held for the next step.
        let preview = self.editor.preview().filter(|preview| preview.has_player());
        let controls = preview.map(|_| self.editor.controls());
        let is_paused = !self.is_playing();
        // The longer a shortcut, the earlier it is tried, or Ctrl+Shift+Z would be taken for Ctrl+Z.
        let mut commands: Vec<_> = Command::all().filter_map(|c| Some((c, c.spec().keys?))).collect();
        // As other programs have it.
        commands.push((Command::Redo, egui::KeyboardShortcut::new(Modifiers::COMMAND, egui::Key::Y)));
        commands.sort_by_key(|(_, keys)| {
            let held = keys.modifiers;
            std::cmp::Reverse(u8::from(held.shift) + u8::from(held.command) + u8::from(held.alt))
        });
        for (command, keys) in commands {
            if is_letter(&keys) && (is_typing || is_taken) {
                continue;
            }
            if controls.as_ref().is_some_and(|controls| drives_player(controls, &keys)) {
                if is_paused && ctx.input(|input| input.key_pressed(keys.logical_key)) {
                    self.editor
                        .notify(format!("{} drives the player until the preview is stopped", keys_text(ctx, &keys)));
                }
                continue;
            }
            // Where nothing plays, Shift+F10 is the key of the menu of what has the keyboard.
            let is_shift = ctx.input(|input| input.modifiers.shift);
            if keys.logical_key == egui::Key::F10 && is_shift && self.editor.preview().is_none() {
                continue;
            }
            // Text fields have their own undo, copy and select all.
            let is_step = matches!(command, Command::Undo | Command::Redo);
            if is_field_command(command) && (is_typing || is_taken && !is_step) {
                continue;
            }
            if ctx.input_mut(|input| input.consume_shortcut(&keys)) {
                if is_typing {
                    // What is being typed is meant too: its field says it in this frame, the command runs in the next.
                    ctx.memory_mut(egui::Memory::stop_text_input);
                    self.after_typing.push(command);
                } else {
                    if let Some(named) = focus::named(ctx).filter(|_| command == Command::Rename) {
                        self.send(Action::Select(named));
                    }
                    self.send(Action::Command(command));
                }
            }
        }
    }

    /// A picture that is dropped on the window is to become a tileset, or the image of the layer that is asked for.
    fn dropped(&self, ctx: &egui::Context) {
        let files = ctx.input(|input| input.raw.dropped_files.clone());
        if files.is_empty() {
            return;
        }
        let for_layer = self.editor.asks_for_image();
        let is_free =
            for_layer || self.editor.dialog().is_none_or(|dialog| dialog.is_finder() || *dialog == Dialog::NewTileset);
        let refusal = self.refusal(Command::NewTileset);
        let refusal = refusal.or_else(|| (!is_free).then(|| "Answer the question in the window first".to_owned()));
        self.send(match (refusal, dropped_picture(files.iter().map(|file| file.path()))) {
            (Some(why), _) | (None, Err(why)) => Action::Notice(why),
            (None, Ok(path)) if for_layer => Action::LayerImage(path.to_owned()),
            (None, Ok(path)) => Action::NewTileset(path.to_owned()),
        });
    }

    /// Replace the notice by the tool's hint after a while.
    fn fade_notice(&mut self, ctx: &egui::Context) {
        let now = ctx.input(|input| input.time);
        self.editor.drop_stale_notice();
        let Some(notice) = self.editor.notices.current() else { return };
        if notice.number != self.noticed.0 {
            self.noticed = (notice.number, now);
        }
        let is_over = notice.text == BY_KEYS
            && now - self.noticed.1 > COMING_SECS
            && (!canvas_has_keyboard(ctx) || self.is_playing());
        let stays = self.editor.notices.is_failure();
        if is_over || !stays && now - self.noticed.1 > NOTICE_SECS {
            self.editor.notices.take();
        } else {
            ctx.request_repaint_after_secs(1.0);
        }
    }

    /// Ask before unsaved work is lost.
    fn closing(&mut self, ctx: &egui::Context) {
        if ctx.input(|input| input.viewport().close_requested()) && !self.editor.may_close() {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        }
        if self.editor.closing == Closing::Now {
            self.editor.end_journal();
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }
}

/// Arrows and other signs of technical text, which the proportional font has not: from the monospaced one.
fn add_arrows(ctx: &egui::Context) {
    let fonts = egui::FontDefinitions::default();
    if let Some(data) = fonts.font_data.get("Hack") {
        let family = InsertFontFamily {
            family: egui::FontFamily::Proportional,
            priority: egui::epaint::text::FontPriority::Lowest,
        };
        ctx.add_font(FontInsert::new("arrows", egui::FontData::clone(data), vec![family]));
    }
}

/// What all UI code gets to see.
fn cx<'a>(editor: &'a Editor, drawing: &'a Drawing, actions: &'a std::cell::RefCell<Vec<Action>>) -> Cx<'a> {
    let (workspace, derived, bench) = (&editor.workspace, &editor.derived, &editor.bench);
    Cx {
        workspace,
        project: workspace.project(),
        before: workspace.before_drag(),
        derived,
        resolution: derived.resolution(),
        selection: bench.selection(),
        view: &bench.view,
        preview: editor.host.preview(),
        is_preview_on: editor.host.is_on(),
        active_set: bench.tuning.active,
        textures: &drawing.textures,
        looks: &drawing.looks,
        theme: drawing.theme(),
        making: editor.making.as_ref().map(Making::label),
        actions,
    }
}

/// What panes get to see.
fn pane_cx<'a>(editor: &'a Editor, drawing: &'a Drawing, cx: &'a Cx<'a>) -> PaneCx<'a> {
    let bench = &editor.bench;
    let toolbox = &bench.toolbox;
    PaneCx {
        cx,
        canvas: CanvasCx {
            cx,
            tool: toolbox.shown(),
            is_tool_busy: toolbox.is_busy(),
            tool_modifiers: toolbox.modifiers(),
            target: drawing.target,
        },
        machine: MachineCx { cx, graph: editor.graph_shown() },
        tuning: TuningCx { cx, tuning: &bench.tuning },
    }
}

/// What the window's frame gets to see.
fn shell_cx<'a>(editor: &'a Editor, cx: &'a Cx<'a>) -> ShellCx<'a> {
    let bench = &editor.bench;
    ShellCx {
        cx,
        recent: &editor.recent,
        notice: editor.notice(),
        is_failure: editor.notices.is_failure(),
        is_reading: editor.is_reading(),
        tool_hint: editor.tool_hint(),
        dialog: bench.dialog.as_ref(),
        draft: bench.draft.as_ref(),
        new_tileset: bench.new_tileset.as_ref(),
        resize: bench.resize.as_ref(),
        browsed: editor.browsed.as_deref(),
        n_pads: editor.pads.n(),
    }
}

fn is_field_command(command: Command) -> bool {
    matches!(
        command,
        Command::Undo
            | Command::Redo
            | Command::Cut
            | Command::Copy
            | Command::Paste
            | Command::SelectAll
            | Command::Duplicate
    )
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        let now = Instant::now();
        let real_secs = self.last_frame.map_or(0.0, |last| (now - last).as_secs_f64());
        self.last_frame = Some(now);
        focus::begin(ctx);
        // A job may end what a dialog waits for.
        let had_dialog = self.editor.dialog().is_some();
        self.editor.receive();
        if had_dialog != self.editor.dialog().is_some() {
            self.follow_dialog(ctx, had_dialog);
        }
        // What a job made is shown as what an action did.
        self.show_wanted();
        let after_typing = std::mem::take(&mut self.after_typing);
        // What the last frame asked for comes first: a dialog it closed must not swallow a key of this one.
        for action in self.actions.take() {
            self.act(ctx, action);
        }
        // What is behind a dialog gives the keyboard away until the dialog is gone from the screen.
        // Where that is no longer there, what has taken its place keeps it.
        let focused = ctx.memory(egui::Memory::focused);
        self.give_back = self.give_back.filter(|(_, left)| *left > 0).map(|(id, left)| {
            let id = focused.filter(|_| left < GIVE_BACK).unwrap_or(id);
            ctx.memory_mut(|memory| memory.request_focus(id));
            ctx.request_repaint();
            (id, left - 1)
        });
        self.stay_in_pane(ctx);
        self.keys(ctx);
        self.dropped(ctx);
        for action in self.actions.take().into_iter().chain(after_typing.into_iter().map(Action::Command)) {
            let before = self.editor.bench.view.tool;
            let tool = if let Action::Command(Command::Tool(tool)) = action { Some(tool) } else { None };
            let said = self.editor.notices.current().map(|notice| notice.number);
            self.act(ctx, action);
            // What a tool is to place is chosen next, by keys as the tool was.
            let Some(tool) = tool.filter(|_| !self.is_playing()) else { continue };
            if let Some((pane, what)) = self.editor.missing_in_hand() {
                self.focus(ctx, pane);
                if self.editor.notices.current().map(|notice| notice.number) == said {
                    self.editor.notify(what);
                }
            } else if tool == before && tool.is_of_palette() && canvas_has_keyboard(ctx) {
                // Its key pressed again, where all is done by keys: something else is to be chosen.
                self.focus(ctx, Pane::Palette);
                self.editor.notify(CHOOSE_BY_KEYS);
            }
        }
        self.closing(ctx);
        self.editor.keep_journal();
        self.fade_notice(ctx);
        self.editor.start_deriving();
        self.editor.start_probing();
        self.editor.start_mapping();
        self.editor.draw_machine();
        self.editor.take_pads(&self.device.events());
        self.note_frame(ctx, frame);
        let input = self.editor.input(ctx);
        if self.editor.advance(real_secs, &input) {
            ctx.request_repaint();
        } else {
            self.last_frame = None;
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.drawing.looks.begin_frame();
        let cx = cx(&self.editor, &self.drawing, &self.actions);
        let shell = shell_cx(&self.editor, &cx);
        let panes = pane_cx(&self.editor, &self.drawing, &cx);
        let bar = |x: i8, y: i8| Frame::new().fill(cx.theme.chrome).inner_margin(Margin::symmetric(x, y));
        Panel::top("menu").frame(bar(6, 2)).show_separator_line(false).show(ui, |ui| menu_ui(&shell, ui));
        Panel::top("toolbar").frame(bar(6, 3)).show_separator_line(false).show(ui, |ui| toolbar_ui(&cx, ui));
        Panel::bottom("status").frame(bar(8, 3)).show_separator_line(false).show(ui, |ui| status_ui(&shell, ui));
        CentralPanel::default().frame(Frame::new().fill(cx.theme.canvas)).show(ui, |ui| {
            let is_by_keys = focus::is_by_keys(ui.ctx());
            let dragged = self.layout.dragged_id(ui.ctx());
            self.layout.ui(&mut layout::Dock { panes, is_by_keys }, ui);
            if let Some(dragged) = dragged {
                layout::unnest(&mut self.layout, dragged);
            }
        });
        dialog_ui(&shell, ui.ctx());
        focus::end(ui.ctx());
        if let Some(pane) = self.pane_of_entered(ui.ctx()) {
            self.entered_in = Some((pane, 2));
        }
        self.was_typing = ui.ctx().text_edit_focused();
        self.typed_in = ui.ctx().memory(egui::Memory::focused).filter(|_| self.was_typing);
        let title = format!("{} — Levelwright", title(&cx));
        if title != self.title {
            ui.ctx().send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        // The dialog has it now, and what is typed there from now on counts.
        self.editor.browsed = None;
        if !self.actions.borrow().is_empty() || !self.after_typing.is_empty() {
            tracing::trace!(actions = ?self.actions.borrow());
            ui.ctx().request_repaint();
        }
        tracing::trace!(repaint = ?ui.ctx().repaint_causes());
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        let settings = Settings {
            layout: self.layout.clone(),
            panes: layout::all(),
            is_dark: self.drawing.is_dark,
            live_edits: self.editor.bench.view.live_edits,
            is_muted: self.editor.bench.view.is_muted,
            recent: self.editor.recent.clone(),
            tuning: self.editor.kept_tunings(),
            tabs: self.editor.kept_tabs(),
        };
        eframe::set_value(storage, settings::KEY, &settings);
    }
}
