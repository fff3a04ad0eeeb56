//! A scenario made from a recording: its keys and cues at their ticks, and its final state as expectations.
//!
//! Invariant: at its last tick the world run by `scenario` equals the recorded one, bit for bit, unless a change could
//! not be included; these are counted.

use crate::model::{
    Cue, CueKind, Expectation, Expected, ExpectedPlace, ExpectedState, Name, PressCue, ReleaseCue, Scenario, When,
};

use super::{Actions, Input, Session};

/// Distance from its expected place within which an entity has to be, in pixels.
const WITHIN_PX: f64 = 4.0;

/// A scenario, and the number of changes of the recording that it lacks.
#[derive(Clone, Debug)]
pub struct RecordedScenario {
    /// The scenario from the first tick to the one shown.
    pub scenario: Scenario,
    /// Number of changes that a scenario cannot contain: edits of the project.
    pub n_left_out: usize,
}

/// The scenario of a recording up to the tick shown. The entities with `ids` are expected to be at their present
/// places, and in their present states.
#[must_use]
pub fn recorded_scenario(session: &Session, ids: &[Name]) -> RecordedScenario {
    let world = session.world();
    let (dt, end) = (world.timestep_secs(), world.tick());
    let (inputs, changes) = session.script();
    let mut script = Vec::new();
    let mut before = Input::NONE;
    let mut changes = changes.iter().filter(|(tick, _)| *tick < end).peekable();
    let mut n_left_out = 0;
    for (tick, input) in (0..end).zip(inputs) {
        let at = secs_of(tick, dt);
        while let Some((_, cues)) = changes.next_if(|(of, _)| *of <= tick) {
            n_left_out += usize::from(cues.is_none());
            script.extend(cues.iter().flatten().map(|what| Cue { at, what: what.clone() }));
        }
        for player in (0..).take(Input::N_PLAYERS).filter(|_| before != *input) {
            script.extend(cues_of(world.actions(), player, (&before, input)).map(|what| Cue { at, what }));
        }
        before = *input;
    }
    // An expectation after a tick is evaluated on the world before the next.
    let last = secs_of(end.saturating_sub(1), dt);
    let expect = ids.iter().flat_map(|id| expected(session, id, last)).collect();
    let seed = Some(world.seed().cast_signed());
    let scenario = Scenario { level: world.level().clone(), secs: last.max(dt), seed, script, expect };
    RecordedScenario { scenario, n_left_out }
}

/// The actions that a player pressed and released between two ticks.
fn cues_of(actions: &Actions, player: u8, (before, now): (&Input, &Input)) -> impl Iterator<Item = CueKind> {
    actions.iter().filter_map(move |(action, bit)| {
        let (action, at) = (action.to_owned(), usize::from(player));
        let player = i64::from(player);
        match (before.holds(at, bit), now.holds(at, bit)) {
            (false, true) => Some(CueKind::Press(PressCue { action, player })),
            (true, false) => Some(CueKind::Release(ReleaseCue { action, player })),
            _ => None,
        }
    })
}

/// The place of an entity and the states of its machines as expectations, or that it is gone.
fn expected(session: &Session, id: &Name, at_secs: f64) -> Vec<Expectation> {
    let world = session.world();
    let expectation = |what| Expectation { when: When::At(at_secs), entity: id.to_string(), what };
    let view = world.by_id(id).and_then(|key| world.entity(key)).filter(|view| view.alive);
    let Some(view) = view else { return vec![expectation(Expected::Exists(false))] };
    let tenth = |x: f32| (f64::from(x) * 10.0).round() / 10.0;
    let at = [tenth(view.pos.x), tenth(view.pos.y)];
    let near = expectation(Expected::Near(ExpectedPlace { at, within: WITHIN_PX }));
    let states = view.machines.iter().filter(|machine| machine.runs && !machine.state.is_empty()).map(|machine| {
        let state = ExpectedState { state: machine.state.to_owned(), machine: Some(machine.name.clone()) };
        expectation(Expected::State(state))
    });
    std::iter::once(near).chain(states).collect()
}

/// The start of a tick in seconds, with six decimals, from which the tick can be computed again.
fn secs_of(tick: u64, dt: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a day has few ticks")]
    let secs = tick as f64 * dt;
    (secs * 1e6 + 1e-3).floor() / 1e6
}
