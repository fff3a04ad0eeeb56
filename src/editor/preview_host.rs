//! The running preview: starting and ending it, its clock, its cameras, and how it follows edits.
//!
//! Invariant: nothing of it flows back into the project. Compiling, ticks and migrations run in a thread of their own.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Camera, CameraMode, Derivation, PlayCamera, Preview, Workspace,
    runner::{Returned, Runner},
};
use crate::{
    defs::Resolution,
    model::{
        CueKind, DocPath, Document, Fields, Finding, Name, Project, SendCue, TuneCue, TuningSetId, Value, ValueSet,
        sentence,
    },
    sim::{EntityKey, Input, Options, Session, World, camera::CameraSet, insight::Watch},
    tools::HandAct,
};

/// Slowest and fastest.
const SPEEDS: [f64; 2] = [0.125, 8.0];

/// Points a pixel of the game when the camera comes closer to play.
const PLAY_SCALE: f32 = 2.5;

/// Where levels are looked at from.
pub type Cameras = BTreeMap<DocPath, Camera>;

/// The preview and what keeps it running. At most one runs.
#[derive(Default)]
pub struct PreviewHost {
    preview: Option<Preview>,
    runner: Option<Runner>,
    /// While the world is being compiled.
    starting: Option<Starting>,
    /// The project that the world was last brought up to.
    project: Project,
    /// The values that were tried out then.
    tried: ValueSet,
    /// Whether constants were set since that no project has that was brought up.
    is_ahead: bool,
    /// The keys held in the last frame.
    held: Input,
    /// Where the level was looked at from before it played.
    camera_before: Option<(DocPath, Option<Camera>)>,
}

struct Starting {
    level: DocPath,
    is_playing: bool,
    /// Ticks to run once it is there, by the keys held in each.
    steps: Vec<Input>,
}

/// What the running world reports, for the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreviewReport {
    /// The world is compiled; it may be behind the project by now.
    Started,
    /// A message while it plays.
    Message(String),
    /// It was paused because of what the message says.
    Paused(String),
    /// The level cannot be played, for this reason.
    Refused(String),
    /// It ended because of a defect in the program.
    Ended,
}

/// What the preview is made from: a project, its resolution, and the values that are tried out over it.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its resolution.
    pub resolution: &'a Arc<Resolution>,
    /// Values of constants, by `Page.name`.
    pub tried: &'a ValueSet,
}

impl<'a> Played<'a> {
    /// What was derived last, with the values that are tried out now in the active set.
    #[must_use]
    pub fn of(workspace: &'a Workspace, derived: &'a Derivation, active: TuningSetId) -> Self {
        let tried = workspace.project().tuning_overlay.values_of(active);
        Self { project: derived.project(), resolution: derived.resolution(), tried }
    }

    /// The constants the preview runs with: those of the files, and over them the values that are tried out.
    fn constants(&self) -> Vec<(String, Value)> {
        let pages = self.resolution.pages.iter();
        let constants = pages.flat_map(|page| page.values.iter().map(move |(name, tunable, _)| (page, name, tunable)));
        let constants = constants.map(|(page, name, tunable)| {
            let full = format!("{}.{name}", page.name);
            let value = self.tried.get(&*full).unwrap_or(&tunable.value).clone();
            (full, value)
        });
        constants.collect()
    }

    /// The resolution with the values that are tried out: what a world is made from.
    fn resolution(&self) -> Arc<Resolution> {
        if self.tried.is_empty() {
            return self.resolution.clone();
        }
        let mut resolution = (**self.resolution).clone();
        for page in &mut resolution.pages {
            for (name, value) in self.tried {
                let Some(name) = name.strip_prefix(&*page.name).and_then(|rest| rest.strip_prefix('.')) else {
                    continue;
                };
                let Some(at) = page.values.iter().position(|(known, ..)| &**known == name) else { continue };
                if let Some((_, tunable, _)) = Arc::make_mut(page).values.get_mut(at) {
                    tunable.value = value.clone();
                }
            }
        }
        Arc::new(resolution)
    }
}

impl PreviewHost {
    /// The running preview; none while its world is being compiled.
    #[must_use]
    pub fn preview(&self) -> Option<&Preview> {
        self.preview.as_ref()
    }

    /// Whether a preview runs or is about to.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.preview.is_some() || self.starting.is_some()
    }

    /// Whether its world is being compiled, or ticks that were asked for one by one are still to come.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let steps = |preview: &Preview| !preview.is_playing && preview.session.is_busy();
        self.starting.is_some() || self.preview.as_ref().is_some_and(steps)
    }

    /// Compile a level in the preview's thread and begin to play it, or stand still at its start. What ran before ends.
    /// `wake` is called from that thread when there is something to take.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(
        &mut self,
        level: DocPath,
        played: Played<'_>,
        is_playing: bool,
        (cameras, wake): (&mut Cameras, Arc<dyn Fn() + Send + Sync>),
    ) -> Result<(), String> {
        self.stop(cameras);
        let (project, resolution) = (played.project.clone(), played.resolution());
        (self.project, self.tried) = (project.clone(), played.tried.clone());
        let name = level.stem().to_owned();
        let compile = move || World::compile(&project, &resolution, &name, Options::default());
        let runner = Runner::new(compile, wake).map_err(|why| format!("The preview cannot start: {why}"))?;
        self.runner = Some(runner);
        self.starting = Some(Starting { level, is_playing, steps: Vec::new() });
        Ok(())
    }

    /// End the preview and look at its level as before.
    pub fn stop(&mut self, cameras: &mut Cameras) {
        (self.preview, self.starting, self.runner) = (None, None, None);
        match self.camera_before.take() {
            Some((level, Some(camera))) => drop(cameras.insert(level, camera)),
            Some((level, None)) => drop(cameras.remove(&level)),
            None => {}
        }
    }

    /// Pause or go on, if it is this level that runs. Returns whether it is.
    pub fn pause_or_go_on(&mut self, level: Option<&DocPath>) -> (bool, Vec<PreviewReport>) {
        if let Some(starting) = self.starting.as_mut().filter(|it| level == Some(&it.level)) {
            starting.is_playing = !starting.is_playing;
            return (true, Vec::new());
        }
        let Some(preview) = self.preview.as_mut().filter(|it| level == Some(&it.level)) else {
            return (false, Vec::new());
        };
        preview.is_playing = !preview.is_playing;
        // It stops at what is seen.
        let messages = if preview.is_playing { Vec::new() } else { preview.session.give_up() };
        (true, messages.into_iter().map(PreviewReport::Message).collect())
    }

    /// Run one tick with the keys that are held, and pause.
    pub fn step(&mut self) -> Vec<PreviewReport> {
        if let Some(starting) = &mut self.starting {
            starting.is_playing = false;
            starting.steps.push(self.held);
        }
        let Some(preview) = &mut self.preview else { return Vec::new() };
        let messages = if std::mem::take(&mut preview.is_playing) { preview.session.give_up() } else { Vec::new() };
        preview.session.request_step(&self.held);
        self.run_next();
        messages.into_iter().map(PreviewReport::Message).collect()
    }

    /// Go to a recorded tick, and pause there.
    pub fn seek(&mut self, tick: u64) -> Vec<PreviewReport> {
        let Some(preview) = &mut self.preview else { return Vec::new() };
        let messages = if std::mem::take(&mut preview.is_playing) { preview.session.give_up() } else { Vec::new() };
        preview.session.seek(tick);
        self.run_next();
        messages.into_iter().map(PreviewReport::Message).collect()
    }

    /// Go back by a tick, and pause there.
    pub fn step_back(&mut self) -> Vec<PreviewReport> {
        let tick = self.preview.as_ref().map_or(0, |preview| preview.session.tick());
        self.seek(tick.saturating_sub(1))
    }

    /// Play between two ticks again and again, or no more.
    pub fn repeat(&mut self, between: Option<[u64; 2]>) {
        if let Some(preview) = &mut self.preview {
            preview.repeated = between.filter(|[from, to]| from < to);
        }
    }

    /// Begin another future at the tick shown, with the level as it is edited now. What came after it goes on as a ghost.
    pub fn branch(&mut self, played: Played<'_>) {
        if let Some(preview) = &mut self.preview {
            preview.session.branch();
            self.migrate(played);
        }
    }

    /// Whether a future that is replaced goes on as a ghost. Turning that off ends one that does.
    pub fn make_ghosts(&mut self, on: bool) {
        if let Some(preview) = &mut self.preview {
            preview.session.makes_ghosts = on;
            if !on {
                preview.session.drop_ghost();
            }
        }
    }

    /// End the ghost, so that the next change makes another one.
    pub fn drop_ghost(&mut self) {
        if let Some(preview) = &mut self.preview {
            preview.session.drop_ghost();
        }
    }

    /// At the end of what is repeated, go back to its beginning, and take edits made since along. Returns whether it did.
    pub fn restart(&mut self, played: Played<'_>) -> bool {
        let Some(preview) = self.preview.as_mut().filter(|preview| preview.is_playing) else { return false };
        let Some([from, _]) = preview.repeated.filter(|[_, to]| preview.session.tick() >= *to) else { return false };
        preview.session.give_up();
        preview.session.seek(from);
        if preview.session.has_later_edits() {
            self.migrate(played);
        }
        true
    }

    /// Multiply the speed, within ⅛ and 8.
    pub fn change_speed(&mut self, factor: f64) {
        if let Some(preview) = &mut self.preview {
            preview.session.speed = (preview.session.speed * factor).clamp(SPEEDS[0], SPEEDS[1]);
        }
    }

    /// Have the keys drive an entity, or none.
    pub fn possess(&mut self, key: Option<EntityKey>) -> Vec<PreviewReport> {
        let id = key.and_then(|key| Some(self.preview.as_ref()?.session.world().entity(key)?.id.clone()));
        self.look_at_driven(id.clone());
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        self.change_by(Some(vec![CueKind::Drive(id)]), move |world| {
            world.possess(key);
            None
        })
    }

    /// Send a message to the entities of a name.
    pub fn send(&mut self, to: String, message: Name) -> Vec<PreviewReport> {
        let cue = SendCue { to: to.clone(), message: message.clone(), payload: Fields::new() };
        self.change_by(Some(vec![CueKind::Send(cue)]), move |world| {
            let n = world.send(&to, &message, &Fields::new(), 0.0);
            (n == 0).then(|| format!("No entity is named {to}"))
        })
    }

    /// Do something by hand to a running entity.
    pub fn hand(&mut self, act: HandAct) -> Vec<PreviewReport> {
        self.change(move |world| {
            match act {
                HandAct::Hold(key, pos, angle) => _ = world.hold(key, pos, angle),
                HandAct::Pull(key, grip, to) => _ = world.pull(key, grip, to),
                HandAct::LetGo => world.let_go(),
            }
            None
        })
    }

    /// Put a placed entity back where the level places it.
    pub fn move_back(&mut self, key: EntityKey) -> Vec<PreviewReport> {
        self.change(move |world| {
            (!world.move_back(key)).then(|| "The level has no place for this entity: the game spawned it".to_owned())
        })
    }

    /// Take an entity out of the running world.
    pub fn despawn(&mut self, key: EntityKey) -> Vec<PreviewReport> {
        self.change(move |world| {
            world.despawn(key);
            None
        })
    }

    /// The level has an entity where it is already, under this id: following that edit does not move it.
    pub fn take_into_level(&mut self, key: EntityKey, id: Name, at: [f64; 2], rotation: f64) -> Vec<PreviewReport> {
        self.change(move |world| {
            world.take_into_level(key, &id, at, rotation);
            None
        })
    }

    fn change(&mut self, change: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static) -> Vec<PreviewReport> {
        self.change_by(None, change)
    }

    /// The same, by what cues of a scenario would do.
    fn change_by(
        &mut self,
        cues: Option<Vec<CueKind>>,
        change: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static,
    ) -> Vec<PreviewReport> {
        let messages = self.preview.as_mut().map(|preview| preview.session.change_by(cues, change)).unwrap_or_default();
        messages.into_iter().map(PreviewReport::Message).collect()
    }

    /// Have this be noted of each tick from now on.
    pub fn watch(&mut self, watch: Watch) {
        if let Some(preview) = &mut self.preview {
            preview.session.watch = watch;
        }
    }

    /// Take over what the thread did, let real time pass and have it go on. Returns what there is to report.
    pub fn advance(
        &mut self,
        real_secs: f64,
        input: &Input,
        cameras: &mut Cameras,
        keep_searches: bool,
    ) -> Vec<PreviewReport> {
        self.held = *input;
        let reports = self.take(cameras);
        if let Some(preview) = self.preview.as_mut().filter(|preview| preview.is_playing) {
            preview.session.keep_searches = keep_searches;
            preview.session.pass(real_secs, input);
        }
        self.run_next();
        self.move_cameras(cameras);
        reports
    }

    fn take(&mut self, cameras: &mut Cameras) -> Vec<PreviewReport> {
        let mut reports = Vec::new();
        while let Some(runner) = &self.runner {
            match runner.take() {
                Returned::Nothing => break,
                Returned::Compiled(Ok(world)) => {
                    let Some(starting) = self.starting.take() else { continue };
                    self.begin(starting, *world, cameras);
                    reports.push(PreviewReport::Started);
                }
                Returned::Compiled(Err(findings)) => {
                    self.stop(cameras);
                    reports.push(PreviewReport::Refused(reason(&findings, "the level cannot be played")));
                }
                Returned::Ran(ran) => {
                    let Some(preview) = &mut self.preview else { continue };
                    let (messages, is_cut_short) = preview.session.take(ran);
                    if is_cut_short {
                        preview.is_playing = false;
                    }
                    let report = if is_cut_short { PreviewReport::Paused } else { PreviewReport::Message };
                    reports.extend(messages.into_iter().map(report));
                }
                Returned::Lost => {
                    self.stop(cameras);
                    reports.push(PreviewReport::Ended);
                }
            }
        }
        reports
    }

    fn begin(&mut self, starting: Starting, world: World, cameras: &mut Cameras) {
        let Starting { level, is_playing, steps } = starting;
        let mut session = Session::new(world);
        steps.iter().for_each(|held| session.request_step(held));
        let (now, picture) = (session.world().cameras(), session.world().constants().camera.picture);
        let mut game = CameraSet::default();
        game.follow(&now, picture, session.shown_secs());
        let play_camera = PlayCamera::new(&game);
        let camera = cameras.get(&level).copied();
        self.camera_before.get_or_insert((level.clone(), camera));
        // Where the game has no camera of its own that says how large things are, it is near enough to see whom it follows.
        let target = now.first().and_then(|it| it.target).filter(|_| play_camera.game_view(&game).is_none());
        if let Some((camera, target)) = camera.filter(|camera| camera.scale < PLAY_SCALE).zip(target) {
            cameras.insert(level.clone(), Camera { center: target.pos.as_vec2(), ..camera.scaled(PLAY_SCALE) });
        }
        self.preview = Some(Preview { level, session, is_playing, repeated: None, cameras: game, camera: play_camera });
    }

    /// Have the thread compute what is next.
    fn run_next(&mut self) {
        if let (Some(preview), Some(runner)) = (&mut self.preview, &self.runner)
            && let Some(batch) = preview.session.begin()
        {
            runner.run(batch);
        }
    }

    /// Have the game's cameras and the view of the level follow the world that is shown.
    fn move_cameras(&mut self, cameras: &mut Cameras) {
        let Some(preview) = &mut self.preview else { return };
        let (world, secs) = (preview.session.world(), preview.session.shown_secs());
        let now = world.cameras();
        preview.cameras.follow(&now, world.constants().camera.picture, secs);
        if let Some(camera) = cameras.get_mut(&preview.level) {
            let game = (&now[..], &preview.cameras);
            preview.camera.follow(world, game, (secs, preview.is_playing), camera);
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

    /// How large a level is shown was chosen by hand: where the game's camera says that, the view is the hand's from now on.
    pub fn look_by_scale(&mut self, level: Option<&DocPath>) {
        let Some(preview) = self.preview.as_mut().filter(|preview| level == Some(&preview.level)) else { return };
        if preview.camera.game_view(&preview.cameras).is_some() {
            preview.camera.choose(CameraMode::Free, None);
        }
    }

    /// Who is driven is followed; when the keys are the player's again, the game's camera is.
    fn look_at_driven(&mut self, id: Option<Name>) {
        let Some(preview) = &mut self.preview else { return };
        match id {
            Some(id) => preview.camera.choose(CameraMode::Follow, Some(id)),
            None if preview.camera.mode() == CameraMode::Follow => {
                preview.camera = PlayCamera::new(&preview.cameras);
            }
            None => {}
        }
    }

    /// Set a constant of the running world at once, before anything else is derived.
    pub fn set_constant(&mut self, name: String, value: Value) {
        self.is_ahead = true;
        let cue = TuneCue { name: name.clone(), value: value.clone() };
        self.change_by(Some(vec![CueKind::Tune(cue)]), move |world| {
            world.set_tunable(&name, value.clone());
            None
        });
    }

    /// Other values are tried out: set those constants of the running world that have another value by it. One that is tried out
    /// no longer has the value that it is `declared` with now; one that is declared no more is left to [`PreviewHost::bring_up`].
    pub fn set_tried(&mut self, tried: &ValueSet, declared: impl Fn(&str) -> Option<Value>) {
        if self.preview.is_none() {
            return;
        }
        let before = std::mem::replace(&mut self.tried, tried.clone());
        let only_new = tried.keys().filter(|name| !before.contains_key(*name));
        let others = before.keys().chain(only_new).filter(|name| before.get(*name) != tried.get(*name));
        for name in others {
            if let Some(value) = tried.get(name).cloned().or_else(|| declared(name)) {
                self.set_constant(name.to_string(), value);
            }
        }
    }

    /// Set all constants of the running world.
    fn set_constants(&mut self, played: Played<'_>) {
        let constants = played.constants();
        let Some(preview) = &self.preview else { return };
        // Most were set by `set_constant` before.
        let world = preview.session.world();
        let changed = constants.iter().filter(|(full, value)| world.tunable(full) != Some(value));
        let cues = changed.map(|(name, value)| CueKind::Tune(TuneCue { name: name.clone(), value: value.clone() }));
        self.change_by(Some(cues.collect()), move |world| {
            for (full, value) in &constants {
                world.set_tunable(full, value.clone());
            }
            None
        });
    }

    /// Bring the running world up to a project: constants are set, anything else is migrated.
    pub fn bring_up(&mut self, played: Played<'_>) {
        let Some(preview) = &mut self.preview else { return };
        let before = std::mem::replace(&mut self.project, played.project.clone());
        let changed = changed_documents(&before, played.project);
        // Values may have been tried out while the world was being compiled.
        let is_ahead = std::mem::take(&mut self.is_ahead);
        if changed.is_empty() && self.tried == *played.tried && !is_ahead {
            return;
        }
        self.tried.clone_from(played.tried);
        let only_tuning = changed.iter().all(|doc| matches!(doc.as_deref(), Some(Document::Tuning(_))));
        // A constant that is new, or has another name, is one that the running world does not have.
        let world = preview.session.world();
        let has = |page: &str, name: &str| world.tunable(&format!("{page}.{name}")).is_some();
        let mut pages = played.resolution.pages.iter();
        let has_all = pages.all(|page| page.values.iter().all(|(name, ..)| has(&page.name, name)));
        if only_tuning && has_all {
            self.set_constants(played);
            return;
        }
        self.migrate(played);
    }

    /// Migrate the running world to a project as it is edited now.
    fn migrate(&mut self, played: Played<'_>) {
        let Some(preview) = &mut self.preview else { return };
        let (project, resolution, constants) = (played.project.clone(), played.resolution(), played.constants());
        preview.session.migrate(move |world| {
            let failed = match world.migrate(&project, &resolution) {
                Ok(migrated) => {
                    *world = migrated;
                    None
                }
                Err(findings) => {
                    let why = findings.first().map_or_else(String::new, |finding| format!(": {}", finding.message));
                    Some(format!("The preview keeps running the level as it was{why}"))
                }
            };
            for (full, value) in &constants {
                world.set_tunable(full, value.clone());
            }
            failed
        });
    }
}

fn reason(findings: &[Finding], otherwise: &str) -> String {
    sentence(findings.first().map_or(otherwise, |finding| finding.message.as_str()))
}

/// The documents of `now` that are not those of `before`; none for each that is gone.
fn changed_documents(before: &Project, now: &Project) -> Vec<Option<Arc<Document>>> {
    let is_other = |(path, doc): &(&DocPath, &Arc<Document>)| before.doc(path).is_none_or(|old| !Arc::ptr_eq(old, doc));
    let changed = now.documents.iter().filter(is_other).map(|(_, doc)| Some(doc.clone()));
    let gone = before.documents.keys().filter(|path| now.doc(path).is_none()).map(|_| None);
    changed.chain(gone).collect()
}
