//! The running preview: starting and ending it, and its clock. Its cameras, what is done to its world, and how it
//! follows edits are in files of their own.
//!
//! Invariant: nothing of it flows back into the project. Compiling, ticks and migrations run in a thread of their own.

mod cameras;
mod cues;
mod edits;
mod played;

use std::{collections::BTreeMap, sync::Arc};

use played::tune;

use super::{
    Camera, Heard, PlayCamera, Preview,
    runner::{Returned, Runner, drop_elsewhere},
};
use crate::{
    model::{DocPath, Finding, Project, ValueSet, sentence},
    sim::{
        Input, Options, Session, World,
        camera::CameraSet,
        insight::{Watch, profile::Clock},
    },
};

pub use played::Played;

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
    /// Where the player is to be put when the world has gone back, in pixels of the level.
    player_to: Option<[f64; 2]>,
    /// Where the level was looked at from before it played.
    camera_before: Option<(DocPath, Option<Camera>)>,
    /// What ticks are measured by; without, they are not.
    clock: Option<Clock>,
    /// What is noted of each tick.
    watch: Watch,
}

struct Starting {
    level: DocPath,
    is_playing: bool,
    /// Where the player is put before the first tick, in pixels of the level; where the level has it when none.
    from: Option<[f64; 2]>,
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

impl PreviewHost {
    /// One whose ticks are measured by this clock.
    #[must_use]
    pub fn measured_by(clock: Clock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

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

    /// Compile a level in the preview's thread and begin to play it, or stand still at its start; with the player at
    /// `from`, in pixels of the level, where that is given. What ran before ends.
    /// `wake` is called from that thread when there is something to take.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(
        &mut self,
        level: DocPath,
        played: Played<'_>,
        (is_playing, from): (bool, Option<[f64; 2]>),
        (cameras, wake): (&mut Cameras, Arc<dyn Fn() + Send + Sync>),
    ) -> Result<(), String> {
        self.stop(cameras);
        let (project, resolution) = (played.project.clone(), played.resolution());
        (self.project, self.tried) = (project.clone(), played.tried.clone());
        let name = level.stem().to_owned();
        let compile = move || World::compile(&project, &resolution, &name, Options::default());
        let runner = Runner::new(compile, wake).map_err(|why| format!("The preview cannot start: {why}"))?;
        self.runner = Some(runner);
        self.starting = Some(Starting { level, is_playing, from, steps: Vec::new() });
        Ok(())
    }

    /// End the preview and look at its level as before.
    pub fn stop(&mut self, cameras: &mut Cameras) {
        // Dropping all worlds that were kept takes longer than a frame.
        drop_elsewhere((self.preview.take(), self.runner.take()));
        (self.starting, self.player_to) = (None, None);
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
        let messages = if preview.is_playing { Vec::new() } else { preview.session.cancel_batch() };
        (true, messages.into_iter().map(PreviewReport::Message).collect())
    }

    /// Run one tick with the keys that are held, and pause.
    pub fn step(&mut self) -> Vec<PreviewReport> {
        if let Some(starting) = &mut self.starting {
            starting.is_playing = false;
            starting.steps.push(self.held);
        }
        let Some(preview) = &mut self.preview else { return Vec::new() };
        let messages =
            if std::mem::take(&mut preview.is_playing) { preview.session.cancel_batch() } else { Vec::new() };
        preview.session.request_step(&self.held);
        self.run_next();
        messages.into_iter().map(PreviewReport::Message).collect()
    }

    /// Go to a recorded tick, and pause there.
    pub fn seek(&mut self, tick: u64) -> Vec<PreviewReport> {
        let Some(preview) = &mut self.preview else { return Vec::new() };
        let messages =
            if std::mem::take(&mut preview.is_playing) { preview.session.cancel_batch() } else { Vec::new() };
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

    /// Begin another future at the tick shown, with the level as it is edited now. What came after it goes on as a
    /// ghost.
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

    /// At the end of what is repeated, go back to its beginning, and take edits made since along. Returns whether it
    /// did.
    pub fn restart(&mut self, played: Played<'_>) -> bool {
        let Some(preview) = self.preview.as_mut().filter(|preview| preview.is_playing) else { return false };
        let Some([from, _]) = preview.repeated.filter(|[_, to]| preview.session.tick() >= *to) else { return false };
        preview.session.cancel_batch();
        preview.session.seek(from);
        if preview.session.has_later_edits() {
            self.migrate(played);
        }
        true
    }

    /// What is to be heard since this was called last, by the camera of the level: nothing of what is paused, sought,
    /// or faster than twice the speed.
    pub fn take_heard(&mut self, cameras: &Cameras) -> Vec<Heard> {
        let Some(preview) = &mut self.preview else { return Vec::new() };
        let events = preview.session.take_sounds();
        if !preview.is_heard() {
            return Vec::new();
        }
        let camera = cameras.get(&preview.level).copied().unwrap_or_default();
        events.iter().filter_map(|event| Heard::by(&camera, event)).collect()
    }

    /// Multiply the speed, within ⅛ and 8.
    pub fn change_speed(&mut self, factor: f64) {
        if let Some(preview) = &mut self.preview {
            preview.session.speed = (preview.session.speed * factor).clamp(SPEEDS[0], SPEEDS[1]);
        }
    }

    /// Whether entities are drawn between two ticks.
    pub fn draw_smoothly(&mut self, on: bool) {
        if let Some(preview) = &mut self.preview {
            preview.is_smooth = on;
        }
    }

    /// Forget what was measured of ticks.
    pub fn clear_profile(&mut self) {
        if let Some(preview) = &mut self.preview {
            preview.session.clear_profile();
        }
    }

    /// Have this be noted of each tick from now on, also of the first of a level that is about to run.
    pub fn watch(&mut self, watch: Watch) {
        if let Some(preview) = &mut self.preview {
            preview.session.watch.clone_from(&watch);
        }
        self.watch = watch;
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
        let mut reports = self.take(cameras);
        if let Some(preview) = &mut self.preview {
            preview.session.keep_searches = keep_searches;
            preview.session.end = preview.repeated.map(|[_, to]| to);
            if preview.is_playing {
                preview.session.pass(real_secs, input);
            }
        }
        self.run_next();
        reports.extend(self.taken_over());
        self.move_cameras(cameras);
        reports
    }

    /// That keys held in the past began another future.
    fn taken_over(&mut self) -> Option<PreviewReport> {
        let session = &mut self.preview.as_mut()?.session;
        let secs = session.take_taken_over()? as f64 * session.world().timestep_secs();
        let before = if session.makes_ghosts { "plays on as the ghost" } else { "is gone" };
        Some(PreviewReport::Message(format!("You took over at {secs:.1} s; what was recorded after it {before}")))
    }

    fn take(&mut self, cameras: &mut Cameras) -> Vec<PreviewReport> {
        let mut reports = Vec::new();
        while let Some(runner) = &self.runner {
            match runner.take() {
                Returned::Nothing => break,
                Returned::Compiled(Ok(world)) => {
                    let Some(starting) = self.starting.take() else { continue };
                    reports.push(PreviewReport::Started);
                    reports.extend(self.begin(starting, *world, cameras));
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
                    reports.extend(self.put_player_back(cameras));
                }
                Returned::Lost => {
                    self.stop(cameras);
                    reports.push(PreviewReport::Ended);
                }
            }
        }
        reports
    }

    fn begin(&mut self, starting: Starting, world: World, cameras: &mut Cameras) -> Vec<PreviewReport> {
        let Starting { level, is_playing, from, steps } = starting;
        let mut session = Session::new(world);
        if !self.tried.is_empty() {
            // The world has them already; a scenario of what is played has to set them.
            session.change_by(Some(self.tried.iter().map(|(name, value)| tune(name, value)).collect()), |_| None);
        }
        session.clock.clone_from(&self.clock);
        session.watch.clone_from(&self.watch);
        steps.iter().for_each(|held| session.request_step(held));
        let (now, picture) = (session.world().cameras(1.0), session.world().constants().camera.picture);
        let mut game = CameraSet::default();
        game.follow(&now, picture, session.shown_secs(1.0));
        let play_camera = PlayCamera::new(&game);
        self.camera_before.get_or_insert((level.clone(), cameras.get(&level).copied()));
        self.preview = Some(Preview {
            level,
            session,
            is_playing,
            repeated: None,
            cameras: game,
            camera: play_camera,
            is_smooth: true,
        });
        let reports = from.map_or_else(Vec::new, |at| self.put_player(at, cameras));
        self.come_near(cameras);
        reports
    }

    /// Have the thread compute what is next.
    fn run_next(&mut self) {
        if let (Some(preview), Some(runner)) = (&mut self.preview, &self.runner)
            && let Some(batch) = preview.session.begin()
        {
            runner.run(batch);
        }
    }
}

fn reason(findings: &[Finding], otherwise: &str) -> String {
    sentence(findings.first().map_or(otherwise, |finding| finding.message.as_str()))
}
