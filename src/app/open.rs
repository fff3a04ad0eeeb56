//! Opening and making projects, exporting, closing, pasting, and receiving what jobs found.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use camino::Utf8PathBuf;

use super::{
    closing::Closing, comments::LostComments, drawing::Drawing, editor::Editor, events::Event, job::Job,
    looking::Looking, notice::Applies, settings,
};
use crate::{
    defs::{Resolution, resolve},
    edit::{Edit, paste_things},
    editor::{BrowseFor, Dialog, OpenTabs, ReadImages, ReadProject, ReadSounds, Selection},
    io,
    model::{Cell, DocPath, Link, Name, Project, TuningOverlay, chunk_of, counted, region_of, sentence},
    raster::Image,
    sim::{grid::SolidGrid, nav},
};

/// So many regions of a large level are read before the first of it is shown; more each time after that.
const FEW_REGIONS: usize = 32;

/// A project that is shown while the rest of it is read.
pub(super) struct Unread {
    root: PathBuf,
    /// Unsaved changes of programs that ended, to be offered then.
    found: Vec<io::journal::Found>,
    /// What there is to know of interrupted changes, to be shown then.
    notice: Option<String>,
}

impl Editor {
    /// Open what the command line named, else the user's own copy of the sample game.
    pub(super) fn open_at_start(&mut self, project: Option<Utf8PathBuf>) {
        let root = match project {
            Some(root) => Some(root.into_std_path_buf()),
            None => match io::sample_copy() {
                Ok(root) => Some(root),
                Err(why) => {
                    self.notify(sentence(&why.to_string()));
                    None
                }
            },
        };
        if let Some(root) = root {
            self.begin_opening(root);
        }
    }

    /// Open a project, after asking about unsaved work.
    pub(super) fn open_project(&mut self, root: PathBuf) {
        if !root.join("project.ron").is_file() {
            self.notify(format!("There is no project.ron in {}", root.display()));
            return;
        }
        if self.is_opening {
            self.notify("Another project is being opened; try again when it is there");
            return;
        }
        self.bench.dialog = None;
        self.end_gesture();
        if self.is_refused_while_making() {
            return;
        }
        let unsaved = self.unsaved_or_live();
        if unsaved.is_empty() && !self.has_unfinished() {
            self.begin_opening(root);
        } else {
            self.closing = Closing::Asked(Some(root));
            self.bench.dialog = Some(Dialog::Unsaved(unsaved));
        }
    }

    fn begin_opening(&mut self, root: PathBuf) {
        self.is_opening = true;
        self.notify(format!("Opening {}", root.display()));
        let journals = self.journals.clone();
        self.jobs.spawn(Job::OpenProject, move || {
            let root = root.canonicalize().unwrap_or(root);
            let (loaded, interrupted) = io::open_to_show(journals.as_deref(), &root);
            let (images, sounds) = read_assets(&root, &loaded.images);
            let found = journals.map(|journals| io::journal::find(&journals, &root)).unwrap_or_default();
            Event::Opened { root, loaded, images, sounds, found, interrupted }
        });
    }

    fn opened(
        &mut self,
        root: PathBuf,
        mut loaded: io::Loaded,
        (images, sounds): (ReadImages, ReadSounds),
        found: Vec<io::journal::Found>,
    ) {
        // Results for the project before are ignored.
        self.jobs.next_generation();
        self.is_opening = !loaded.unread.is_empty();
        self.looking = Looking::default();
        self.is_reading_picture = false;
        self.bench.view.gone_to = None;
        self.saved.clear();
        self.fixing = None;
        self.making = None;
        self.comments = LostComments::default();
        self.drawing = Drawing::default();
        self.reading_images = None;
        self.sounds.forget_all();
        self.notices.take();
        self.stop();
        self.remember_tuning();
        self.remember_tabs();
        let folder = root.display().to_string();
        settings::remember(&mut self.recent, &folder);
        let (overlay, tuning) = self.remembered_tuning(&folder);
        let mut folder_findings = std::mem::take(&mut loaded.findings);
        folder_findings.retain(|finding| loaded.sources.get(&finding.location.doc).is_none());
        self.derived.open(images, folder_findings);
        self.derived.take_sounds(sounds);
        let unread = self.is_opening.then(|| loaded.clone());
        self.workspace.open(root.clone(), loaded, overlay);
        self.bench.open(self.workspace.project(), tuning);
        if let Some(tabs) = self.remembered_tabs.get(&folder) {
            self.bench.reopen(tabs, self.workspace.project());
        }
        self.watch(&root);
        match unread {
            Some(loaded) => {
                self.unread = Some(Unread { root, found, notice: None });
                self.read_regions(loaded, FEW_REGIONS);
            }
            None => self.begin_journal(&root, found),
        }
    }

    /// Note what is open of the project.
    fn remember_tabs(&mut self) {
        if let Some(root) = self.workspace.root().as_ref() {
            self.remembered_tabs.insert(root.display().to_string(), self.bench.tabs());
        }
    }

    /// What was open of every project that was opened not long ago.
    pub(super) fn kept_tabs(&mut self) -> BTreeMap<String, OpenTabs> {
        self.remember_tabs();
        self.remembered_tabs.retain(|root, _| self.recent.contains(root));
        self.remembered_tabs.clone()
    }

    /// Read the next regions of a project that is shown already, those in the middle of what is seen first. Nothing is
    /// edited before all are there.
    fn read_regions(&mut self, mut loaded: io::Loaded, most: usize) {
        let n_left = counted(loaded.unread.len(), "region");
        self.notify(format!("Reading large levels: {n_left} left; edits have to wait until then"));
        let shown = self.bench.view.level.clone();
        let near = shown.as_ref().and_then(|doc| Some((doc, self.region_seen(doc)?)));
        let next = loaded.next_regions(near, most);
        self.jobs.spawn(Job::ReadRegions, move || {
            let read = io::read_regions(&loaded.sources.root, &next);
            loaded.add(read);
            let project = ReadProject::new(loaded.clone());
            Event::RegionsRead(Box::new((loaded, project)))
        });
    }

    /// The region in the middle of what is seen of a level.
    fn region_seen(&self, doc: &DocPath) -> Option<Cell> {
        let level = self.workspace.project().level(doc)?;
        let [left, top, right, bottom] = level.bounds_px();
        let seen = self.bench.view.cameras.get(doc).map(|camera| [camera.center.x, camera.center.y].map(f64::from));
        let middle = seen.unwrap_or([f64::midpoint(left, right), f64::midpoint(top, bottom)]);
        Some(region_of(chunk_of(level.grid().cell_at(middle)).0))
    }

    fn regions_read(&mut self, loaded: io::Loaded, project: ReadProject) {
        let Some(unread) = &self.unread else { return };
        let overlay = TuningOverlay::clone(&self.workspace.project().tuning_overlay);
        self.workspace.open_read(unread.root.clone(), project, overlay);
        self.is_opening = !loaded.unread.is_empty();
        if self.is_opening {
            // More each time, as all that is computed from the project begins anew.
            let n_read = loaded.sources.files().keys().filter(|path| path.region_of().is_some()).count();
            self.read_regions(loaded, FEW_REGIONS.max(n_read));
        } else if let Some(unread) = self.unread.take() {
            self.notices.take();
            if let Some(notice) = unread.notice {
                self.notify_while(Applies::ForAWhile, notice);
            }
            self.begin_journal(&unread.root, unread.found);
        }
    }

    /// Make a project in an empty folder and open it.
    pub(super) fn new_project(&mut self, root: &Path, template: &str) {
        let templates = [io::Template::Platformer, io::Template::TopDown, io::Template::Empty];
        let template = templates.into_iter().find(|it| it.name() == template).unwrap_or(io::Template::Empty);
        let name = root.file_name().map(|name| name.to_string_lossy().replace(['_', '-'], " ")).unwrap_or_default();
        match io::new_project(root, template, &sentence(&name)) {
            Ok(_) => self.open_project(root.to_path_buf()),
            Err(why) => self.notify(why.to_string()),
        }
    }

    /// Write the export in a job.
    pub(super) fn export(&mut self, out: &Path, target: &str) {
        let Some(root) = self.workspace.root().map(Path::to_path_buf) else { return };
        self.bench.dialog = None;
        if self.is_refused_while_opening() {
            return;
        }
        self.notify("Exporting…");
        let (project, builtin) = (self.workspace.kept().clone(), self.derived.builtin().clone());
        let (out, target) = (out.to_path_buf(), target.to_owned());
        let log = io::IntentLog { journals: self.journals.clone(), command: "export".into(), is_left: true };
        self.jobs.spawn(Job::Export, move || {
            let resolution = resolve(&project, &builtin, None);
            Event::Exported(export_to(&project, &resolution, (&root, &out), &target, &log))
        });
    }

    /// Ask the system's dialog for a folder or a picture.
    pub(super) fn browse(&mut self, what: BrowseFor) {
        let start = self.workspace.root().map(Path::to_path_buf);
        self.jobs.spawn(Job::Dialog, move || {
            let mut dialog = rfd::FileDialog::new();
            if let Some(parent) = start.as_deref().and_then(Path::parent) {
                dialog = dialog.set_directory(parent);
            }
            let found = match what {
                BrowseFor::Picture | BrowseFor::LayerImage => dialog.add_filter("PNG", &["png", "PNG"]).pick_file(),
                BrowseFor::Open | BrowseFor::New | BrowseFor::Export => dialog.pick_folder(),
            };
            Event::Browsed { what, folder: found.map(|found| found.display().to_string()) }
        });
    }

    /// Whether the window may close now; asks about unsaved work when not.
    pub(super) fn may_close(&mut self) -> bool {
        self.end_gesture();
        if self.closing == Closing::Now {
            return true;
        }
        if self.is_refused_while_making() {
            return false;
        }
        let unsaved = self.unsaved_or_live();
        if unsaved.is_empty() && !self.has_unfinished() && !self.workspace.files().is_saving() {
            return true;
        }
        self.closing = Closing::Asked(None);
        self.bench.dialog = Some(Dialog::Unsaved(unsaved));
        false
    }

    /// Close, or open the other project, once everything is written.
    pub(super) fn go_on_closing(&mut self) {
        let (next, is_saving) = match &self.closing {
            Closing::AfterSaving(next) => (next.clone(), true),
            Closing::Discarding(next) => (next.clone(), false),
            _ => return,
        };
        // Files that still wait to be written are dropped if the user discards the changes.
        let is_busy = if is_saving { self.workspace.files().is_saving() } else { self.workspace.files().is_writing() };
        if is_busy {
            return;
        }
        let unsaved = self.unsaved();
        if is_saving && !unsaved.is_empty() {
            // Something changed while the rest was written.
            self.closing = Closing::Asked(next);
            self.bench.dialog = Some(Dialog::Unsaved(unsaved));
            return;
        }
        match next {
            Some(root) => {
                self.closing = Closing::No;
                self.begin_opening(root);
            }
            None => self.closing = Closing::Now,
        }
    }

    /// Receive what jobs and the watcher have to tell.
    pub(super) fn receive(&mut self) {
        while let Some(event) = self.jobs.next() {
            match event {
                Event::Opened { root, loaded, images, sounds, found, interrupted } => {
                    self.opened(root, loaded, (images, sounds), found);
                    if !interrupted.is_empty() {
                        let all: Vec<String> = interrupted.iter().map(|it| sentence(&it.to_string())).collect();
                        let text = all.join("; ");
                        match &mut self.unread {
                            Some(unread) => unread.notice = Some(text),
                            None => self.notify_while(Applies::ForAWhile, text),
                        }
                    }
                }
                Event::RegionsRead(read) => self.regions_read(read.0, read.1),
                Event::Derived(derived) => {
                    self.derived.take(*derived);
                    self.bring_preview_up();
                }
                Event::Images(images, sounds) => {
                    self.derived.take_images(images);
                    self.derived.take_sounds(sounds);
                    self.images_were_read();
                }
                #[cfg(feature = "sound")]
                Event::Sound(made) => self.sound_made(made),
                Event::ArtPrepared(made) => self.derived.take_art(made),
                Event::Probed(done) => self.derived.take_probe(*done),
                Event::Mapped(done) => self.derived.take_agent_map(*done),
                Event::Wrote { wrote, unrecorded } => self.were_written(wrote, unrecorded.as_ref()),
                Event::Browsed { what, folder } => {
                    if folder.is_none() {
                        let instead = match what {
                            BrowseFor::LayerImage => "choose one of the project, or drop a PNG on the window",
                            _ => "type the path instead",
                        };
                        self.notify(format!("Nothing was chosen, or no dialog service runs here: {instead}"));
                    }
                    tracing::debug!("{what:?}: {folder:?}");
                    match what {
                        BrowseFor::Picture => self.picture_chosen(folder),
                        BrowseFor::LayerImage => self.layer_image_chosen(folder),
                        BrowseFor::Open | BrowseFor::New | BrowseFor::Export => self.browsed = folder,
                    }
                }
                Event::LinksFound(found) => self.links_found(found),
                Event::Counted(notice) => notice.into_iter().for_each(|notice| self.notify(notice)),
                Event::Scanned(scanned) => self.scanned(scanned),
                Event::Crashed { job } => self.crashed(job),
                Event::Made { plan, result } => self.edits_made(&plan, result),
                Event::Fixed { label, edits } => self.fixed(&label, &edits),
                Event::CommentsLost { step, lost } => self.comments_lost(step, lost),
                Event::Drawn(drawn) => self.machine_drawn(drawn),
                Event::LaidOut { of, machine, label, places } => self.machine_laid_out(of, &machine, &label, places),
                Event::RefactoringPlanned { revision, outcome } => self.refactoring_planned(revision, *outcome),
                Event::PictureRead { of, result } => self.picture_read(of, result),
                Event::PictureAdded { plan, result } => self.picture_added(*plan, result),
                Event::LayerImage(result) => self.layer_image_found(result),
                Event::Exported(result) => self.notify(result.unwrap_or_else(|why| why)),
            }
        }
        self.receive_changes();
        self.look_through();
        self.read_picture();
        self.go_on_closing();
    }

    /// A job panicked. Everything else goes on; what it was for is not tried again by itself.
    fn crashed(&mut self, job: Job) {
        self.notify(format!("“{}” failed; this is a mistake in Levelwright, please report it", job.name()));
        match job {
            Job::Derive => self.derived.failed(),
            Job::OpenProject => self.is_opening = false,
            // What is missing is asked about when it is to be written over.
            Job::ReadRegions => {
                self.is_opening = false;
                if let Some(unread) = self.unread.take() {
                    self.begin_journal(&unread.root, unread.found);
                }
            }
            Job::Reload => self.workspace.scan_failed(),
            Job::Refactoring => self.looking_failed(),
            Job::Fix => self.fixing = None,
            Job::Make => self.making = None,
            Job::Comments => self.comments = LostComments::default(),
            Job::DrawMachine => self.drawing_failed(),
            Job::Probe => self.derived.probe_failed(),
            Job::AgentMap => self.derived.agent_map_failed(),
            Job::LayOutMachine => self.drawing.is_placing = false,
            Job::ReadImages => self.images_were_read(),
            Job::ReadPicture => self.reading_picture_failed(),
            Job::AddPicture => self.adding_picture_failed(),
            Job::Save => self.workspace.writing_failed(),
            // Nothing waits for their results.
            Job::Export | Job::Dialog | Job::LayerImage | Job::PrepareArt | Job::Count | Job::LinkWaypoints => {}
            // Its file is not decoded again before it changes.
            #[cfg(feature = "sound")]
            Job::Sound => {}
        }
    }

    /// Paste states into the machine shown, inside the selected state if it holds states.
    fn paste_states(&mut self, fragment: &crate::edit::Fragment) {
        let Some((doc, name)) = self.bench.view.machine.clone() else { return };
        let Some(machine) = self.workspace.project().machine(&doc, &name) else { return };
        let parent: Name = match self.bench.selection() {
            Selection::Machine { state, .. } if machine.state(state).is_some_and(|it| !it.states.is_empty()) => {
                state.clone()
            }
            _ => "".into(),
        };
        match crate::edit::paste_states((&doc, &name, machine), &parent, fragment, [32.0, 32.0]) {
            Ok((mut edits, paths)) => {
                let is_placed = |edit: &Edit| match edit {
                    Edit::PasteState { layout, .. } => layout.iter().any(|(path, _)| path.is_empty()),
                    _ => false,
                };
                let places = self.graph_shown().map(|graph| graph.unstored(machine, &parent)).unwrap_or_default();
                if !places.is_empty() && edits.iter().any(is_placed) {
                    // Beside one that is placed, the others are to stay where they are shown.
                    edits.insert(0, Edit::MoveStates { doc: doc.clone(), machine: name.clone(), places });
                }
                let is_done = self.step(Some(&format!("Paste {}", fragment.describe())), &edits).is_some();
                if let Some(state) = paths.into_iter().next().filter(|_| is_done) {
                    self.bench.select(Selection::Machine { doc, name, state, transition: None });
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Paste a fragment where the menu was opened that Paste was chosen in, else where the pointer is.
    pub(super) fn paste_fragment(&mut self, fragment: &crate::edit::Fragment) {
        let chosen = self.bench.view.paste_at.take();
        if matches!(fragment, crate::edit::Fragment::States(_)) {
            self.paste_states(fragment);
            return;
        }
        let Some(doc) = self.bench.view.level.clone() else {
            self.notify("Open a level to paste into first");
            return;
        };
        let seed = self.seeds.fresh();
        let Some(level) = self.workspace.project().level(&doc) else { return };
        if let crate::edit::Fragment::OneLayer(part) = fragment {
            self.paste_part(part);
            return;
        }
        if let crate::edit::Fragment::Tiles(stamp) = fragment {
            self.paste_tiles(stamp.clone());
            return;
        }
        if let crate::edit::Fragment::Layers(layers) = fragment {
            self.paste_layers(layers);
            return;
        }
        let pointer = self.bench.view.pointer.as_ref().map(|pointer| pointer.pos);
        let at = chosen.or(pointer).or_else(|| {
            let center = self.bench.view.cameras.get(&doc)?.center;
            Some([f64::from(center.x), f64::from(center.y)])
        });
        let active = self.bench.view.active_layer_of(&doc, level).and_then(|number| level.nth_layer(number));
        let layer = active.map(|layer| layer.name.clone());
        let target = crate::edit::layer_for_things(level, layer.as_deref(), fragment);
        // Where the pointer is on the layer they come to, which may be shifted.
        let at = at.map(|at| {
            let [center, _] = self.middle_of(&doc);
            let look = level.looks_from(center).into_iter().find(|(it, _)| Some(&it.name) == target.as_ref());
            let offset = look.map(|(_, look)| look.offset).unwrap_or_default();
            [at[0] - offset[0], at[1] - offset[1]]
        });
        let by = {
            let middle = crate::edit::middle_of(fragment).unwrap_or_default();
            let [w, h] = level.grid().px.map(f64::from);
            at.map_or([0.0, 0.0], |at| {
                let to = |i: usize, cell: f64| ((at[i] - middle[i]) / cell).round() * cell;
                [to(0, w), to(1, h)]
            })
        };
        match paste_things((&doc, level), layer.as_deref(), fragment, by, seed) {
            Ok((edits, ids)) => {
                if self.step(Some(&format!("Paste {}", fragment.describe())), &edits).is_some() {
                    self.bench.select(Selection::Things { doc, ids });
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }
}

/// Decode images of a project, and look which sounds can be read.
pub(super) fn read_assets<'p>(root: &Path, paths: impl IntoIterator<Item = &'p DocPath>) -> (ReadImages, ReadSounds) {
    let (mut images, mut sounds) = (ReadImages::new(), ReadSounds::new());
    for path in paths {
        let is_there = root.join(path.as_str()).symlink_metadata().is_ok();
        if path.is_sound() {
            sounds.insert(path.to_string(), is_there.then(|| io::read_sound(root, path).map(|_| ())));
        } else {
            let image = || Image::of_file(io::files::read_bytes(root, path)).map(Arc::new);
            images.insert(path.to_string(), is_there.then(image));
        }
    }
    (images, sounds)
}

/// Write an export for each target, with every link, the automatic ones too. Says what was written, or why not.
fn export_to(
    project: &Project,
    resolution: &Resolution,
    (root, out): (&Path, &Path),
    targets: &str,
    log: &io::IntentLog,
) -> Result<String, String> {
    let links = |doc: &DocPath, layer: usize, each: &mut dyn FnMut(Link) -> bool| {
        let Some(level) = project.level(doc) else { return };
        let Some(graph) = level.nth_layer(layer).and_then(|layer| layer.waypoints()) else { return };
        let grid = SolidGrid::new(level, |name| project.tileset(resolution.tilesets.get(name)?));
        nav::each_link_by_name(graph, &grid, each);
    };
    let mut exports = Vec::new();
    for target in targets.split(',') {
        let format = if target == "ron" { io::export::Format::Ron } else { io::export::Format::Json };
        let export = io::export::export(project, resolution, &links, format).map_err(|why| why.to_string())?;
        for path in &export.images {
            let read = if path.is_sound() {
                io::read_sound(root, path).map(|_| ())
            } else {
                Image::of_file(io::files::read_bytes(root, path)).map(|_| ())
            };
            read.map_err(|why| format!("Nothing was exported: {path} cannot be read: {why}"))?;
        }
        exports.push(export);
    }
    let exported = io::export::write(&exports, root, out, log).map_err(|why| why.to_string())?;
    let unrecorded = exported.unrecorded.map(|why| format!("; {why}")).unwrap_or_default();
    Ok(format!("Exported {} to {}{unrecorded}", counted(exported.files.len(), "file"), out.display()))
}
