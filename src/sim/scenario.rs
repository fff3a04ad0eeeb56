//! Scripted runs: a world, cues from outside, and expectations. The same runner executes `simulate` without a script.
//! The text of a scenario is read in `model`; printing results is done elsewhere.
//!
//! A cue at time `t` happens just before the tick of that time, and an expectation at `t` is evaluated right after it,
//! so all events with a time of `t` or earlier in the trace have happened.

use std::collections::BTreeMap;

use super::{
    Input, TraceEvent, TraceKind, World,
    insight::profile::{Clock, Profile, Profiler},
    world::Missing,
};
use crate::model::{
    Cue, CueKind, Expectation, Expected, ExpectedPlace, ExpectedState, Name, PressCue, ReleaseCue, Scenario, SendCue,
    When,
};

/// The longest run, in seconds of the world's time.
pub const MAX_SECS: f64 = 86_400.0;

/// A world that runs a script.
#[derive(Debug)]
pub struct Runner {
    world: World,
    n_ticks: u64,
    is_over: bool,
    poses_every: Option<u64>,
    input: Input,
    /// The cues still to come, the soonest last.
    cues: Vec<Cue>,
    checks: Vec<Check>,
    texts: BTreeMap<Name, Vec<String>>,
    problems: Vec<String>,
    /// The profiler of the ticks, and its results.
    measured: Option<(Profiler, Profile)>,
}

#[derive(Debug)]
struct Check {
    expectation: Expectation,
    outcome: Option<ExpectationResult>,
    /// The actual state at the last evaluation.
    found: String,
}

/// The result of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationResult {
    /// The expectation as a sentence: `g7f3k2 is in Attack by 2 s`.
    pub sentence: String,
    /// Whether it was met.
    pub passed: bool,
    /// When it was met, or when it failed, in seconds.
    pub at_secs: f64,
    /// The actual state; empty if it passed.
    pub found: String,
}

impl Runner {
    /// A runner for a world and a time in seconds, from 0 to [`MAX_SECS`], with or without a script. With
    /// `poses_every`, each entity's pose is reported every that many ticks, the first before anything moved.
    #[must_use]
    pub fn new(world: World, secs: f64, scenario: Option<&Scenario>, poses_every: Option<u64>) -> Self {
        let mut cues = scenario.map_or_else(Vec::new, |scenario| scenario.script.clone());
        // Cues of one time happen in written order.
        cues.sort_by(|a, b| a.at.total_cmp(&b.at));
        cues.reverse();
        let expectations = scenario.map_or_else(Vec::new, |scenario| scenario.expect.clone());
        Self {
            n_ticks: ticks(secs, world.timestep_secs()),
            world,
            is_over: false,
            poses_every: poses_every.filter(|n| *n > 0),
            input: Input::default(),
            cues,
            checks: expectations
                .into_iter()
                .map(|expectation| Check { expectation, outcome: None, found: String::new() })
                .collect(),
            texts: BTreeMap::new(),
            problems: Vec::new(),
            measured: None,
        }
    }

    /// Measure from now on the time spent in ticks, by this clock.
    pub fn measure(&mut self, clock: Clock) {
        self.measured = Some((Profiler::new(clock, true), Profile::default()));
    }

    /// The results of the measurement; `None` without one.
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        self.measured.as_ref().map(|(_, profile)| profile)
    }

    /// Advance by one tick. Returns the events in order; `None` if the run is over.
    pub fn step(&mut self) -> Option<Vec<TraceEvent>> {
        let tick = self.world.tick();
        if self.is_over {
            return None;
        }
        let mut events = self.poses();
        // The last moment counts: a run of five seconds includes events at 5.0.
        self.is_over = tick >= self.n_ticks;
        let dt = self.world.timestep_secs();
        // What is pressed and released within a tick counts in it, as in the window.
        let mut pressed = Input::NONE;
        while let Some(cue) = self.cues.pop_if(|cue| ticks(cue.at, dt) <= tick) {
            self.perform(cue, &mut pressed);
        }
        let input = self.input.or(&pressed);
        match &mut self.measured {
            Some((profiler, profile)) => profile.add(self.world.step_measured(&input, profiler)),
            None => self.world.step(&input),
        }
        events.extend(self.world.drain_events());
        for event in &events {
            if let TraceKind::Say { text } = &event.kind {
                self.texts.entry(event.entity.clone()).or_default().push(text.clone());
            }
        }
        self.look(tick, dt);
        if let Some(why) = self.world.overload() {
            self.problems.push(format!("stopped at {} s: {why}", seconds(tick, dt)));
            self.is_over = true;
        }
        Some(events)
    }

    /// Run to the end, passing every event to `sink`; ends early if that returns false.
    pub fn run(&mut self, sink: &mut dyn FnMut(&TraceEvent) -> bool) {
        while let Some(events) = self.step() {
            if !events.iter().all(&mut *sink) {
                return;
            }
        }
    }

    /// The world at this moment.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The results of the expectations in written order; those not yet decided count as failed.
    #[must_use]
    pub fn outcomes(&self) -> Vec<ExpectationResult> {
        let decide = |check: &Check| {
            check.outcome.clone().unwrap_or_else(|| ExpectationResult {
                sentence: sentence(&check.expectation),
                passed: false,
                at_secs: self.world.time_secs(),
                found: if check.found.is_empty() { "the run was over before".to_owned() } else { check.found.clone() },
            })
        };
        self.checks.iter().map(decide).collect()
    }

    /// Parts of the script that could not be carried out: a key or a receiver that does not exist.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Perform a cue; `pressed` gets the actions that it presses.
    fn perform(&mut self, cue: Cue, pressed: &mut Input) {
        let at = cue.at;
        let mut key = |action: &str, player: i64, down: bool| match self.world.actions().bit(action) {
            Some(bit) => {
                let player = usize::try_from(player).unwrap_or(Input::N_PLAYERS);
                self.input.set(player, bit, down);
                if down {
                    pressed.set(player, bit, true);
                }
            }
            None => {
                let all: Vec<&str> = self.world.actions().iter().map(|(action, _)| action).collect();
                self.problems.push(format!("at {at} s: there is no action `{action}`; there are {}", all.join(", ")));
            }
        };
        match &cue.what {
            CueKind::Press(PressCue { action, player }) => return key(action, *player, true),
            CueKind::Release(ReleaseCue { action, player }) => return key(action, *player, false),
            _ => {}
        }
        let Err(missing) = self.world.perform(&cue.what) else { return };
        let why = match (missing, &cue.what) {
            (Missing::Entity(id), CueKind::Send(SendCue { message, .. })) => {
                format!("no entity is `{id}`, so `{message}` reached no one")
            }
            (Missing::Entity(id), CueKind::Drive(_)) => format!("no entity is `{id}`, so the keys drive the player"),
            (Missing::Entity(id), _) => format!("no entity is `{id}`"),
            (Missing::Constant(name), _) => format!("there is no constant `{name}`"),
        };
        self.problems.push(format!("at {at} s: {why}"));
    }

    /// Evaluate every expectation that is due after `tick`.
    fn look(&mut self, tick: u64, dt: f64) {
        let last = tick >= self.n_ticks;
        let mut checks = std::mem::take(&mut self.checks);
        for check in checks.iter_mut().filter(|check| check.outcome.is_none()) {
            let (due, early) = match check.expectation.when {
                When::At(secs) => (ticks(secs, dt), false),
                When::By(secs) => (ticks(secs, dt), true),
            };
            let is_due = tick >= due || last;
            if !early && !is_due {
                continue;
            }
            match self.holds(&check.expectation, early) {
                Ok(()) => check.decide(true, seconds(tick, dt)),
                Err(found) => {
                    check.found = found;
                    if is_due {
                        check.decide(false, seconds(tick, dt));
                    }
                }
            }
        }
        self.checks = checks;
    }

    /// Whether an expectation holds now.
    ///
    /// # Errors
    /// The actual state, if it does not hold. With `ever`, texts shown before count as well.
    fn holds(&self, expectation: &Expectation, ever: bool) -> Result<(), String> {
        let id = &*expectation.entity;
        let view = self.world.by_id(id).and_then(|key| self.world.entity(key)).filter(|view| view.alive);
        let gone = || format!("`{id}` is not there");
        match &expectation.what {
            Expected::Exists(true) => view.map(|_| ()).ok_or_else(gone),
            Expected::Exists(false) => view.map_or(Ok(()), |_| Err(format!("`{id}` is still there"))),
            Expected::State(ExpectedState { state, machine }) => {
                let view = view.ok_or_else(gone)?;
                let of_machine = |name: &Name| machine.as_ref().is_none_or(|wanted| wanted == name);
                let machines: Vec<_> = view.machines.iter().filter(|running| of_machine(running.name)).collect();
                if machines.iter().any(|running| is_in(running.state, state)) {
                    return Ok(());
                }
                let found: Vec<String> =
                    machines.iter().map(|running| format!("{} in `{}`", running.name, running.state)).collect();
                Err(if found.is_empty() { "it runs no such machine".into() } else { found.join(", ") })
            }
            Expected::Near(ExpectedPlace { at, within }) => {
                let pos = view.ok_or_else(gone)?.pos;
                let (x, y) = (f64::from(pos.x), f64::from(pos.y));
                let distance = (x - at[0]).hypot(y - at[1]);
                if distance <= *within {
                    return Ok(());
                }
                Err(format!("it is at ({x:.1}, {y:.1}), {distance:.1} px away"))
            }
            Expected::Said(text) => {
                let before = self.texts.get(id).map_or(&[][..], Vec::as_slice);
                let now = view.and_then(|view| view.saying);
                if now == Some(text) || (ever && before.contains(text)) {
                    return Ok(());
                }
                Err(match now.or(before.last().map(String::as_str)) {
                    Some(text) => format!("the last text it showed is \"{text}\""),
                    None => "it showed no text".to_owned(),
                })
            }
        }
    }

    fn poses(&self) -> Vec<TraceEvent> {
        let tick = self.world.tick();
        if !self.poses_every.is_some_and(|every| tick.is_multiple_of(every)) {
            return Vec::new();
        }
        let pose = |view: super::EntityView<'_>| TraceEvent {
            t: self.world.time_secs(),
            tick,
            entity: view.id.clone(),
            machine: None,
            kind: TraceKind::Pose {
                x: f64::from(view.pos.x),
                y: f64::from(view.pos.y),
                angle: f64::from(view.angle).to_degrees(),
                vx: f64::from(view.vel.x),
                vy: f64::from(view.vel.y),
            },
        };
        self.world.entities().map(pose).collect()
    }
}

impl Check {
    fn decide(&mut self, passed: bool, at_secs: f64) {
        let found = if passed { String::new() } else { std::mem::take(&mut self.found) };
        self.outcome = Some(ExpectationResult { sentence: sentence(&self.expectation), passed, at_secs, found });
    }
}

/// Whether a machine whose innermost state is `path` is in `state`, a path from the root or a state's own name.
fn is_in(path: &str, state: &str) -> bool {
    let inside = path.strip_prefix(state).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    inside || state.is_empty() || path.split('/').any(|part| part == state)
}

/// The tick that begins at a time in seconds, or the first after it.
fn ticks(secs: f64, dt: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a day")]
    let ticks = (secs.clamp(0.0, MAX_SECS) / dt - 1e-6).ceil().max(0.0) as u64;
    ticks
}

fn seconds(tick: u64, dt: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a day has few ticks")]
    let ticks = tick as f64;
    ticks * dt
}

fn sentence(expectation: &Expectation) -> String {
    let what = match &expectation.what {
        Expected::State(ExpectedState { state, machine: Some(machine) }) => format!("has {machine} in {state}"),
        Expected::State(ExpectedState { state, machine: None }) => format!("is in {state}"),
        Expected::Near(ExpectedPlace { at: [x, y], within }) => format!("is within {within} px of ({x}, {y})"),
        Expected::Exists(true) => "is there".to_owned(),
        Expected::Exists(false) => "is gone".to_owned(),
        Expected::Said(text) => format!("shows the text \"{text}\""),
    };
    let when = match expectation.when {
        When::At(secs) => format!("at {secs} s"),
        When::By(secs) => format!("by {secs} s"),
    };
    format!("{} {what} {when}", expectation.entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_match_by_path_by_name_and_from_outside() {
        for (path, state, expected) in [
            ("Attack/Aim", "Attack", true),
            ("Attack/Aim", "Attack/Aim", true),
            ("Attack/Aim", "Aim", true),
            ("Attack", "Attack/Aim", false),
            ("Attacking", "Attack", false),
            ("Patrol", "", true),
            ("", "Patrol", false),
        ] {
            assert_eq!(is_in(path, state), expected, "{path} in {state}");
        }
    }

    #[test]
    fn a_time_is_the_tick_that_begins_then() {
        let dt = 1.0 / 64.0;
        assert_eq!([ticks(0.0, dt), ticks(1.0, dt), ticks(1.01, dt), ticks(f64::NAN, dt)], [0, 64, 65, 0]);
        assert_eq!(ticks(0.3, 0.1), 3, "0.3 / 0.1 is a little less than 3");
    }
}
