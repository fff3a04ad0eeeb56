//! Carrying out actions. One function for each kind; none of them has rules that tests of the core would miss.

use std::sync::Arc;

use super::{closing::Closing, editor::Editor, events::Event, job::Job, notice::Applies};
use crate::{
    edit::{Edit, Fragment, Phase, Stamp, state_at},
    editor::{
        Action, CameraMode, Command, Dialog, DialogAnswer, Heard, LevelMenu, OverlaySet, Pane, PreviewAction,
        ProblemAction, Selection, TextSpot, TuneAction, ViewChange, Workbench, number_now,
    },
    io,
    model::{DocKind, DocPath, FieldPath, Finding, Location, Name, counted_doing, sentence},
    refactor::{
        Request, can_delete_file, can_duplicate_file, cells_with, delete_stamps, duplicate_stamp, remove_tiles,
    },
    tools::{self, MenuTopic, Suggested, ToolKind},
};

impl Editor {
    /// Carry out an action.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Command(command) => self.command(command),
            Action::Edit(edit) => {
                let edits = [edit];
                self.step(None, &edits);
                self.tune_running(&edits);
            }
            Action::Edits { label, edits } => {
                self.step(Some(&label), &edits);
            }
            Action::Gesture { label, edits, phase } => _ = self.drag(&label, &edits, phase),
            Action::Select(selection) => self.bench.select(selection),
            Action::Tool(tool) => self.take_tool(tool),
            Action::Pointer(at) => self.pointer(&at, None),
            Action::Carry(def, at) => self.pointer(&at, Some(def)),
            Action::View(change) => self.view_change(change),
            Action::Preview(action) => self.preview_action(action),
            Action::Tune(action) => self.tune(action),
            Action::Connect(action) => self.connect(action),
            Action::Problem(action) => self.about_problems(action),
            Action::GoTo(location) => self.go_to(&location),
            Action::OpenLevel(doc) => self.open_level(doc),
            Action::CloseLevel(doc) => self.close_level(&doc),
            Action::OpenMachine { doc, name } => self.bench.open_machine(doc, name),
            Action::HistoryGoTo(n) => self.go_to_step(n),
            Action::OpenProject(root) => self.open_project(root),
            Action::NewProject { root, template } => self.new_project(&root, &template),
            Action::Export { out, target } => self.export(&out, &target),
            Action::Browse(what) => self.browse(what),
            Action::Notice(text) => self.notify(text),
            Action::PrepareArt(of) => {
                if let Some(job) = self.derived.start_art(of, self.workspace.project()) {
                    self.jobs.spawn(Job::PrepareArt, move || Event::ArtPrepared(job.run()));
                }
            }
            Action::AskAgain(doc) => {
                self.workspace.resume(&doc);
                self.ask_next();
            }
            Action::Refactor(request) if self.bench.draft.is_some() => self.ask_otherwise(request),
            Action::Refactor(request) => self.ask_for(request),
            Action::NewTileset(path) => self.ask_tileset(path.display().to_string()),
            Action::LayerImage(path) => self.layer_image_chosen(Some(path.display().to_string())),
            Action::TilesetForm(form) => self.tileset_form(form),
            Action::Resize(resize) => self.bench.resize = Some(resize),
            Action::Listen(listening) => self.bench.dialog = Some(Dialog::Controls { listening }),
            Action::Hear(sound) => self.hear(&Heard::plain(sound)),
            Action::Dialog(answer) => self.answer(answer),
            // The window's own.
            Action::ShowPane(pane) => self.bench.want_pane(pane),
            Action::CopyText(text) => self.copied = Some(text),
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Tool(tool) => self.take_tool(tool),
            Command::NewProject => self.bench.dialog = Some(Dialog::NewProject),
            Command::OpenProject => self.bench.dialog = Some(Dialog::OpenProject),
            Command::Export => self.bench.dialog = Some(Dialog::Export),
            Command::CommandPalette => self.bench.dialog = Some(Dialog::Commands),
            Command::QuickOpen => self.bench.dialog = Some(Dialog::QuickOpen),
            Command::Shortcuts => self.bench.dialog = Some(Dialog::Shortcuts),
            Command::Controls => self.bench.dialog = Some(Dialog::Controls { listening: None }),
            Command::About => self.bench.dialog = Some(Dialog::About),
            Command::Save => self.save_focused(),
            Command::SaveAll => self.save_all(),
            Command::Revert => self.revert(),
            Command::Quit => {
                if self.may_close() {
                    self.closing = Closing::Now;
                }
            }
            Command::Undo => self.undo(false),
            Command::Redo => self.undo(true),
            Command::Cut => {
                let is_copied = self.copy();
                if is_copied {
                    self.delete();
                }
            }
            Command::Copy => {
                self.copy();
            }
            Command::Duplicate => self.duplicate(),
            Command::Delete => self.delete(),
            Command::SelectAll => self.select_all(),
            Command::Deselect => {
                if let Some(doc) = self.bench.view.level.clone() {
                    self.bench.select_cells(&doc, Arc::default());
                }
                self.bench.select(Selection::None);
            }
            Command::InvertCells => self.select_cells(tools::other_cells),
            Command::ToggleAllLayers => self.bench.view.is_over_all_layers ^= true,
            Command::FillCells => self.work_on_shown_cells(tools::fill_cells),
            Command::FlipCellsH => self.work_on_shown_cells(|cx| tools::turn_cells(cx, tools::Turn::FlipH)),
            Command::FlipCellsV => self.work_on_shown_cells(|cx| tools::turn_cells(cx, tools::Turn::FlipV)),
            Command::RotateCells => self.work_on_shown_cells(|cx| tools::turn_cells(cx, tools::Turn::Rotate)),
            // The text of an entity is the name that it has in the level.
            Command::Rename if self.edit_text() => {}
            Command::Rename => self.ask_rename(),
            Command::RenameAny => self.ask_rename_any(),
            Command::EditText => _ = self.edit_text(),
            Command::FindEntities => {
                self.bench.view.is_finding ^= true;
                self.bench.want_pane(Pane::Level);
            }
            Command::ReplaceInLevels => self.ask_replace(),
            Command::ExtractParent => self.ask_extract(),
            Command::InlineParent => self.ask_inline(),
            Command::NewTileset => self.ask_tileset(String::new()),
            Command::AddTiles => self.add_tiles(),
            Command::NewStampFromCells => self.ask_stamp_of_cells(),
            Command::NewStampFromBrush => self.ask_stamp_of_brush(),
            Command::ResizeLevel => self.ask_resize(),
            Command::CropLevel => self.crop_level(),
            Command::CropToCells => self.crop_to_cells(),
            Command::LayOutMachine => self.lay_out_machine(),
            Command::Align(alignment) => self.align_things(alignment),
            Command::SuggestWaypoints => self.suggest_waypoints(Suggested::Corners),
            Command::SuggestOnPlatforms => self.suggest_waypoints(Suggested::Platforms),
            Command::SuggestLattice => self.suggest_waypoints(Suggested::Lattice),
            Command::NewLevel => {
                let new = self.bench.new_level(self.workspace.project());
                self.ask_for(Request::NewLevel(new));
            }
            Command::AddLayer => self.ask_new_layer(),
            Command::DuplicateLayer => self.with_layers(Self::duplicate_layers),
            Command::MergeLayerDown => self.with_layers(Self::merge_layers),
            Command::LayerInFront => self.work_on_next_layer(1),
            Command::LayerBehind => self.work_on_next_layer(-1),
            Command::RaiseLayer => self.with_layers(|editor, doc, layers| editor.move_layers(doc, layers, true)),
            Command::LowerLayer => self.with_layers(|editor, doc, layers| editor.move_layers(doc, layers, false)),
            Command::GroupLayers => self.with_layers(Self::ask_group),
            Command::UngroupLayers => self.with_layer(Self::ungroup_layers),
            Command::LayerCells => self.with_layer(Self::ask_layer_cells),
            Command::FoldGroup => self.with_layer(Self::fold_group),
            Command::DeleteLevel => {
                if let Some(doc) = self.bench.selection().level_or(self.bench.view.level.as_ref()).cloned() {
                    self.ask_for(Request::DeleteFile { doc });
                }
            }
            Command::DeleteLayer => self.with_layers(Self::delete_layers),
            Command::LockLayer => self.with_layers(Self::lock_layers),
            Command::LockOtherLayers => self.with_layer(Self::lock_other_layers),
            Command::ShowLayerAlone => self.with_layer(Self::show_alone),
            Command::LayerInGame => self.with_layers(Self::layers_in_game),
            Command::ZoomIn => self.zoom(|bench| bench.zoom(1)),
            Command::ZoomOut => self.zoom(|bench| bench.zoom(-1)),
            Command::ZoomReset => self.zoom(Workbench::zoom_reset),
            Command::ZoomFit => self.show_whole_level(),
            Command::CameraHome => self.host.look(CameraMode::Game, None),
            Command::CameraFollow => self.follow_selected(),
            Command::CameraFree => self.host.look(CameraMode::Free, None),
            Command::ToggleGrid => self.bench.view.overlays.grid ^= true,
            Command::ToggleSnap => self.bench.view.snap ^= true,
            Command::ToggleSnapPixels => self.bench.view.snap_pixels ^= true,
            Command::ToggleGuides => self.bench.view.options.guides ^= true,
            Command::ToggleHighlight => self.bench.view.overlays.highlight ^= true,
            Command::ToggleColliders => self.bench.view.overlays.colliders ^= true,
            Command::TogglePaths => self.bench.view.overlays.paths ^= true,
            Command::ClearProbe => {
                if let Some(doc) = self.bench.view.level.clone() {
                    self.bench.view.probe.ends.remove(&doc);
                }
            }
            Command::ToggleLinks => self.bench.view.overlays.links ^= true,
            Command::ToggleReferences => self.bench.view.overlays.references ^= true,
            Command::ToggleFields => self.bench.view.overlays.fields ^= true,
            Command::ToggleStateLabels => self.bench.view.overlays.states ^= true,
            Command::ToggleTileShapes => self.bench.view.overlays.tile_shapes ^= true,
            Command::NextDocument => {
                if let Some(next) = self.bench.next_level().cloned() {
                    self.open_level(next);
                }
            }
            Command::PlayPause => self.play_pause(),
            Command::Stop => self.stop(),
            Command::StepTick => self.step_tick(),
            Command::StepBack => self.step_back(),
            Command::PlayFromStart => self.play_from_start(),
            Command::PlayFromHere => self.play_from_here(None),
            Command::Branch => self.branch(),
            Command::ToggleGhosts => self.bench.view.overlays.ghosts ^= true,
            Command::Mute => self.bench.view.is_muted ^= true,
            Command::DropGhost => self.host.drop_ghost(),
            Command::RepeatFrom => self.repeat_at(true),
            Command::RepeatTo => self.repeat_at(false),
            Command::RepeatAll => self.repeat_all(),
            Command::SaveScenario => self.save_scenario(),
            Command::Slower => self.host.change_speed(0.5),
            Command::Faster => self.host.change_speed(2.0),
            Command::Overlay(overlay) => self.bench.view.insight.on.toggle(overlay),
            Command::HideOverlays => self.bench.view.insight.on = OverlaySet::default(),
            Command::WhyStill => self.explain_still(),
            Command::FreezeOnContact => self.freeze_on_contact(),
            Command::Drive => self.drive_selected(),
            Command::DrivePlayer => self.preview_action(PreviewAction::Possess(None)),
            Command::ToggleProfiling => self.bench.view.insight.profiler.is_on ^= true,
            Command::ToggleProfilingHidden => self.bench.view.insight.profiler.is_on_hidden ^= true,
            Command::SwitchValues => {
                let other = self.active_side().other();
                self.tune(TuneAction::Activate(other));
                let title = self.workspace.project().tuning_overlay.title(other);
                let title = if title.is_empty() { String::new() } else { format!(": {title}") };
                self.notify(format!("Playing with {}{title}", other.letter()));
            }
            Command::KeepValues => {
                self.tune(TuneAction::Keep { side: self.active_side(), name: None });
            }
            Command::ToggleLive => self.toggle_live(),
            Command::KeepLive => self.keep_live(None),
            Command::DropLive => self.drop_live(None),
            Command::DropValues => {
                self.tune(TuneAction::Drop { side: self.active_side(), name: None });
            }
            Command::SmallerBrush => self.bench.view.options.tip.resize(-1),
            Command::LargerBrush => self.bench.view.options.tip.resize(1),
            Command::ToggleRoundBrush => self.bench.view.options.tip.shape.switch(),
            Command::ToggleOutlines => self.bench.view.options.shapes.switch(),
            Command::ToggleByTerrain => self.bench.view.options.matching.switch(),
            Command::FlipStampH => self.bench.view.change_brush(Stamp::flipped_x),
            Command::FlipStampV => self.bench.view.change_brush(Stamp::flipped_y),
            Command::ToggleRandomBrush => self.bench.view.random_brush ^= true,
            Command::RotateStamp => self.bench.view.change_brush(Stamp::turned),
            Command::FixSafe => self.fix("Apply safe fixes", None),
            Command::NextProblem => self.step_problem(false),
            Command::PreviousProblem => self.step_problem(true),
            // The window's own.
            Command::Paste
            | Command::ResetLayout
            | Command::ToggleTheme
            | Command::Show(_)
            | Command::PointByKeys
            | Command::NextPane
            | Command::PreviousPane => {}
        }
    }

    fn view_change(&mut self, change: ViewChange) {
        match change {
            ViewChange::Camera(doc, camera) => {
                self.host.look_freely(&doc);
                self.bench.view.cameras.insert(doc, camera);
            }
            ViewChange::Seen { doc, camera, before } => {
                if self.bench.view.cameras.get(&doc).copied() == before {
                    self.bench.view.cameras.insert(doc, camera);
                }
            }
            ViewChange::ActiveLayer(doc, layer) => {
                self.work_on(&doc, layer);
            }
            ViewChange::PickLayer(doc, layer, pick) => self.pick_layer(&doc, &layer, pick),
            ViewChange::ShowLayers(doc, layers, is_shown) => {
                let level = self.workspace.project().level(&doc);
                for layer in layers {
                    if let Some((_, layer)) = level.and_then(|level| level.layer(&layer)) {
                        self.bench.view.show_layer(&doc, layer, is_shown);
                    }
                }
            }
            ViewChange::Fold(doc, group, is_folded) => self.bench.view.fold(&doc, &group, is_folded),
            ViewChange::ShowLayerAlone(doc, layer) => self.show_alone(&doc, &layer),
            ViewChange::Stamp(stamp) => {
                self.bench.view.stamp = stamp;
                self.bench.view.stamp_of = None;
                self.bench.view.stamps.clear();
                self.bench.keep_brush();
            }
            ViewChange::Stamps(docs) => self.take_stamps(&docs),
            ViewChange::Terrain(terrain) => self.bench.view.terrain = terrain,
            ViewChange::Repeat(repeat) => self.bench.view.options.repeat = repeat,
            ViewChange::Probe(asked) => self.bench.view.probe.asked = asked,
            ViewChange::ProbeFrom(doc, at, who) => {
                self.take_tool(ToolKind::Probe);
                self.bench.view.probe.begin(&doc, at, who);
            }
            ViewChange::PlaceDef(def) => self.bench.view.place_def = Some(def),
            ViewChange::Scrub(secs) => self.bench.view.scrub = secs,
            ViewChange::MachineCamera(camera) => self.bench.view.machine_camera = camera,
            ViewChange::Work(pane) => self.bench.work_in(pane, self.workspace.project()),
            ViewChange::Pointer(pointer) => {
                if pointer.is_none() {
                    self.bench.toolbox.leave();
                }
                self.bench.view.pointer = pointer;
            }
            ViewChange::PasteAt(at) => self.bench.view.paste_at = Some(at),
            ViewChange::ReferenceMenu { doc, from, spot, at } => {
                self.bench.select(Selection::Things { doc, ids: vec![from] });
                let topic = MenuTopic::Things;
                self.bench.view.menu = Some(LevelMenu { topic, spot: None, reference: Some(spot), at });
            }
            ViewChange::EditText(text) => {
                if let Some(TextSpot { doc, id, .. }) = &text {
                    self.bench.select(Selection::Things { doc: doc.clone(), ids: vec![id.clone()] });
                }
                self.bench.view.text = text;
            }
            ViewChange::WatchEntity(id) => self.bench.view.watch = id,
        }
    }

    /// Show a level. What a tool is doing in another one is canceled.
    pub(super) fn open_level(&mut self, doc: DocPath) {
        if self.bench.view.level.as_ref() != Some(&doc) {
            self.let_go();
        }
        self.bench.open_level(doc);
    }

    fn close_level(&mut self, doc: &DocPath) {
        if self.bench.view.level.as_ref() == Some(doc) {
            self.let_go();
        }
        self.bench.close_level(doc);
    }

    /// Show what a place in a document is about.
    fn go_to(&mut self, location: &Location) {
        if self.workspace.project().level(&location.doc).is_some() {
            self.open_level(location.doc.clone());
        }
        let seen = self.bench.view.cameras.get(&location.doc).copied();
        self.bench.go_to(location, self.workspace.project());
        if let Some(id) = self.selected_running() {
            // It is elsewhere by now than where it was placed.
            self.host.look(CameraMode::Follow, Some(id));
        } else if self.bench.view.cameras.get(&location.doc).copied() != seen {
            self.host.look_freely(&location.doc);
        }
    }

    /// Copy what is selected. Returns whether it could be.
    fn copy(&mut self) -> bool {
        if let Some(doc) = self.cells_meant() {
            let fragment = self.copied_cells(&doc);
            return fragment.is_some_and(|fragment| self.put_on_clipboard(&fragment));
        }
        let fragment = match self.bench.selection() {
            Selection::Things { doc, ids } => {
                self.workspace.project().level(doc).and_then(|level| crate::edit::copy_things(level, ids))
            }
            Selection::Machine { doc, name, state, transition: None } => self
                .workspace
                .project()
                .machine(doc, name)
                .and_then(|machine| crate::edit::copy_states(machine, name, std::slice::from_ref(state))),
            _ => None,
        };
        let Some(fragment) = fragment else {
            self.notify("There is nothing here that can be copied");
            return false;
        };
        self.put_on_clipboard(&fragment)
    }

    fn put_on_clipboard(&mut self, fragment: &Fragment) -> bool {
        match fragment.to_text() {
            Ok(text) => {
                self.notify(format!("Copied {}", fragment.describe()));
                self.copied = Some(text);
                true
            }
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                false
            }
        }
    }

    /// Put in what text from the clipboard holds.
    pub fn paste(&mut self, text: &str) {
        match Fragment::from_text(text) {
            Ok(fragment) => self.paste_fragment(&fragment),
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    fn duplicate(&mut self) {
        match self.bench.selection().clone() {
            Selection::Things { doc, .. } => self.duplicate_things(doc),
            Selection::Definitions { all } => self.duplicate_definitions(&all),
            Selection::Layer { doc, layer } => {
                let layers = self.layers_with(&doc, &layer);
                self.duplicate_layers(&doc, &layers);
            }
            Selection::Machine { name, state, .. } if state.is_empty() => {
                let to = crate::edit::free_name(&name, |name| self.derived.resolution().machines.contains_key(name));
                self.ask_for(Request::DuplicateMachine { name, to: to.to_string() });
            }
            Selection::Document(doc) if doc.kind() == Some(DocKind::Stamp) => self.duplicate_stamp(&doc),
            Selection::Document(doc) if doc.kind().is_some_and(can_duplicate_file) => {
                let all = &self.workspace.project().documents;
                let is_taken = |name: &str| all.keys().any(|it| it.kind() == doc.kind() && it.stem() == name);
                let to = crate::edit::free_name(doc.stem(), is_taken).to_string();
                self.ask_for(Request::DuplicateFile { doc, to });
            }
            _ => self.notify("This cannot be duplicated"),
        }
    }

    /// Copy a stamp into a file of its own, and select that.
    fn duplicate_stamp(&mut self, doc: &DocPath) {
        match duplicate_stamp(self.workspace.project(), doc) {
            Ok((plan, copy)) => {
                if self.step(Some(&plan.label), &plan.edits).is_some() {
                    self.bench.select(Selection::Document(copy));
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    fn duplicate_definitions(&mut self, all: &[(DocPath, Name)]) {
        let mut copies: Vec<(DocPath, Name)> = Vec::new();
        let mut edits = Vec::new();
        for (doc, name) in all {
            let taken = |name: &str| {
                self.derived.resolution().def_docs.contains_key(name) || copies.iter().any(|(_, copy)| **copy == *name)
            };
            let to = crate::edit::free_name(name, taken);
            edits.push(Edit::Copy { doc: doc.clone(), at: FieldPath::keys([name]), to: to.clone() });
            copies.push((doc.clone(), to));
        }
        self.step(None, &edits);
        if copies.iter().all(|(doc, name)| self.workspace.project().def(doc, name).is_some()) {
            self.bench.select(Selection::Definitions { all: copies });
        }
    }

    /// Whether a document is the level that is worked in or plays, so that Delete does not mean all of it.
    fn is_level_at_work(&self, doc: &DocPath) -> bool {
        self.bench.view.level.as_ref() == Some(doc) && (self.bench.has_worked || self.host.preview().is_some())
    }

    fn delete(&mut self) {
        if self.delete_point() {
            return;
        }
        // What is half dragged would stay where it happens to be.
        self.let_go();
        if let Some(doc) = self.cells_meant() {
            self.work_on_cells(&doc, tools::erase_cells);
            return;
        }
        let edit = match self.bench.selection().clone() {
            Selection::Things { doc, .. } => {
                if !self.despawn_selected(&doc) {
                    self.delete_things(&doc);
                }
                return;
            }
            Selection::Definitions { .. } if self.delete_definitions() => return,
            Selection::Definitions { all } => {
                let remove = |(doc, name)| Edit::Remove { doc, at: FieldPath::keys([name]) };
                let edits: Vec<Edit> = all.into_iter().map(remove).collect();
                self.step(None, &edits);
                self.bench.deselect();
                return;
            }
            Selection::Machine { doc, name, state, transition: Some(at) } => {
                Edit::Remove { doc, at: state_at(&name, &state).key("transitions").index(at) }
            }
            Selection::Machine { doc, name, state, transition: None } if !state.is_empty() => {
                Edit::RemoveState { doc, machine: name, state }
            }
            Selection::Machine { name, .. } => {
                self.ask_for(Request::DeleteMachine { name });
                return;
            }
            Selection::Layer { layer, .. } if self.bench.has_worked => {
                self.notify(format!(
                    "Nothing is selected in the level; to delete the layer “{layer}”, click its row first"
                ));
                return;
            }
            Selection::Layer { doc, layer } => {
                let layers = self.layers_with(&doc, &layer);
                self.delete_layers(&doc, &layers);
                return;
            }
            Selection::Document(doc) if self.is_level_at_work(&doc) => {
                self.notify(match self.host.preview() {
                    Some(_) => "Nothing is selected in the level; stop it first to delete it as a whole",
                    None => "Nothing is selected in the level; to delete it as a whole, click it in Project first",
                });
                return;
            }
            Selection::Document(doc) if doc.kind() == Some(DocKind::Stamp) => {
                let plan = delete_stamps(std::slice::from_ref(&doc));
                self.step(Some(&plan.label), &plan.edits);
                return;
            }
            Selection::Document(doc) if doc.kind().is_some_and(can_delete_file) => {
                self.ask_for(Request::DeleteFile { doc });
                return;
            }
            Selection::Tiles { doc, ids } => {
                let plan = remove_tiles(&doc, &ids);
                if self.step(Some(&plan.label), &plan.edits).is_some() {
                    let project = self.workspace.project().clone();
                    self.notify_counted(
                        move || cells_with(&project, &doc, &ids),
                        |n| {
                            let n = counted_doing(n, "cell", ["shows", "show"]);
                            format!("{n} what was deleted, a problem now; undo brings the tiles back")
                        },
                    );
                }
                return;
            }
            _ => {
                self.notify("Select what to delete first");
                return;
            }
        };
        self.step(None, &[edit]);
        match self.bench.selection().clone() {
            Selection::Machine { doc, name, .. } => {
                self.bench.select(Selection::Machine { doc, name, state: "".into(), transition: None });
            }
            _ => self.bench.deselect(),
        }
    }

    fn select_all(&mut self) {
        if self.bench.view.working == Pane::Tileset {
            self.select_all_tiles();
            return;
        }
        let layer = self.bench.active_layer(self.workspace.project());
        if self.bench.view.working == Pane::Level && layer.is_some_and(|(_, layer)| layer.cells().is_some()) {
            self.select_cells(tools::all_cells);
        } else if let Err(why) = self.bench.select_all(self.workspace.project()) {
            self.notify(why);
        }
    }

    fn answer(&mut self, answer: DialogAnswer) {
        let was = self.bench.dialog.take();
        match answer {
            DialogAnswer::Cancel => {
                if matches!(was, Some(Dialog::Unsaved(_))) {
                    self.closing = Closing::No;
                }
                if matches!(was, Some(Dialog::Recovered { .. })) {
                    self.recover_later();
                }
            }
            DialogAnswer::SaveAndClose => {
                // What would be lost with the window is meant, too.
                self.keep_live(None);
                self.save_all();
                self.closing.after_saving();
            }
            DialogAnswer::DiscardAndClose => self.closing.discard(),
            DialogAnswer::TakeSide(doc, side) => self.settle(&doc, &io::Choices::all(side)),
            DialogAnswer::TakeSides(doc, sides) => {
                let mut choices = io::Choices::default();
                sides.into_iter().for_each(|(contest, side)| choices.choose(contest, side));
                self.settle(&doc, &choices);
            }
            DialogAnswer::AskLater(doc) => {
                self.workspace.postpone(&doc);
                let text = format!("The conflict in {doc} is postponed until it is saved or changes again");
                self.notify_while(Applies::WhileAsked(doc), text);
            }
            DialogAnswer::Refactor => self.reshape(),
            DialogAnswer::MakeTileset => self.make_tileset(),
            DialogAnswer::Resize => self.resize_level(),
            DialogAnswer::Restore => self.restore(),
            DialogAnswer::DiscardRecovered => self.discard_recovered(),
        }
        self.browsed = None;
        self.go_on_closing();
        if self.bench.dialog.is_none() {
            self.ask_next();
        }
    }

    fn about_problems(&mut self, action: ProblemAction) {
        match action {
            ProblemAction::GoTo(finding) => {
                let at = self.problems().iter().position(|it| it.problem.finding == *finding);
                self.go_to_problem(at, *finding);
            }
            ProblemAction::Ignore(finding) => {
                self.derived.ignore(&finding);
            }
            ProblemAction::ShowIgnored => self.derived.ignore_none(),
            ProblemAction::Fix(fix) => self.fix_one(&fix),
            ProblemAction::FixAll(rule) => self.fix(&format!("Fix all of {rule}"), Some(rule)),
        }
    }

    /// Go to the next problem of the list, or the one before.
    fn step_problem(&mut self, is_back: bool) {
        let n = self.problems().len();
        if n == 0 {
            return;
        }
        let to = match self.bench.view.gone_to.as_ref() {
            None if is_back => n - 1,
            None => 0,
            Some(gone_to) => {
                let now = number_now(gone_to, self.problems());
                let place = now.unwrap_or(gone_to.0.min(n));
                // After one that is mended comes the one that took its place.
                if is_back { (place + n - 1) % n } else { (place + usize::from(now.is_some())) % n }
            }
        };
        self.bench.want_pane(Pane::Problems);
        if let Some(it) = self.problems().get(to) {
            let finding = it.problem.finding.clone();
            self.go_to_problem(Some(to), finding);
        }
    }

    /// Go to a problem, given with its number if it is listed. The next one is the one after it.
    fn go_to_problem(&mut self, at: Option<usize>, finding: Finding) {
        self.go_to(&finding.location);
        self.bench.view.gone_to = at.map(|at| (at, finding));
    }

    /// Let go of what a tool is doing, else of a tool that a command put in hand or that places things, else of the
    /// selection. False where there is nothing to let go of.
    pub fn escape(&mut self) -> bool {
        if self.let_go() || self.bench.give_back(self.workspace.project()) {
            return true;
        }
        if self.bench.view.tool.places_things() {
            self.take_tool(ToolKind::Select);
            return true;
        }
        if let Some(doc) = self.cells_meant() {
            self.bench.select_cells(&doc, Arc::default());
            return true;
        }
        let has_selection = *self.bench.selection() != Selection::None;
        self.bench.deselect();
        has_selection
    }

    /// Let go of what a tool is doing. Returns whether it did something.
    pub(super) fn let_go(&mut self) -> bool {
        if self.let_go_by_hand() {
            return true;
        }
        let is_busy = self.workspace.is_dragging() || self.bench.toolbox.is_busy();
        if is_busy {
            self.cancel_tool();
            self.drag("", &[], Phase::Cancel);
        }
        is_busy
    }
}
