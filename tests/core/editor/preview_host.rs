//! The preview host: the world is compiled and run in its thread, and does what a world that is run directly does.
//! Tests wait for the thread by what it calls when there is something to take.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

use glam::Vec2;
use levelwright::{
    edit::{Edit, declared_constant, keep},
    editor::{Camera, Cameras, Derivation, Played, PreviewHost, PreviewReport, Workspace},
    model::{Cue, CueKind, DocPath, Document, FieldPath, Instance, Scenario, TuningSetId, TuningSide, Value},
    sim::{Input, Options, World, recorded_scenario::recorded_scenario},
};

use super::{damage, derivation, derive, opened, speed, yard};
use crate::build::path;

/// Only there for a failure to end.
const PATIENCE: Duration = Duration::from_mins(2);
/// Of one tick.
const TICK_SECS: f64 = 1.0 / 64.0;

type Wake = Arc<dyn Fn() + Send + Sync>;

/// A host with all that it works on.
pub(super) struct Hosted {
    workspace: Workspace,
    derived: Derivation,
    active: TuningSetId,
    pub(super) host: PreviewHost,
    pub(super) cameras: Cameras,
    wake: Wake,
    woken: Receiver<()>,
}

impl Hosted {
    pub(super) fn new() -> Self {
        let (workspace, mut derived) = (opened(), derivation());
        derive(&mut derived, &workspace, Some(&yard()));
        let (waking, woken) = channel();
        let wake: Wake = Arc::new(move || {
            // Fails only where the test is over.
            let _ = waking.send(());
        });
        let active = workspace.project().tuning_overlay.id(TuningSide::B);
        Self { workspace, derived, active, host: PreviewHost::default(), cameras: Cameras::new(), wake, woken }
    }

    pub(super) fn start(&mut self, level: &DocPath, is_playing: bool) {
        let played = Played::of(&self.workspace, &self.derived, self.active);
        self.host.start(level.clone(), played, (is_playing, None), (&mut self.cameras, self.wake.clone())).unwrap();
    }

    /// The same, and take the world when it is there.
    fn begun(is_playing: bool) -> Self {
        let mut it = Self::new();
        it.start(&yard(), is_playing);
        assert_eq!(it.until(|host| host.preview().is_some()), [PreviewReport::Started]);
        it
    }

    /// Let time pass.
    pub(super) fn pass(&mut self, real_secs: f64) -> Vec<PreviewReport> {
        self.host.advance(real_secs, &Input::NONE, &mut self.cameras, false)
    }

    /// Take what the thread did, without time, until it is so.
    pub(super) fn until(&mut self, is_so: impl Fn(&PreviewHost) -> bool) -> Vec<PreviewReport> {
        let mut reports = self.pass(0.0);
        while !is_so(&self.host) {
            self.woken.recv_timeout(PATIENCE).unwrap();
            reports.extend(self.pass(0.0));
        }
        reports
    }

    /// Until the thread has nothing to do.
    fn until_idle(&mut self) -> Vec<PreviewReport> {
        self.until(|host| !host.is_busy() && host.preview().is_none_or(|preview| !preview.session.is_busy()))
    }

    /// Play so many ticks.
    pub(super) fn play(&mut self, n_ticks: u64) {
        for _ in 0..n_ticks {
            assert_eq!(self.pass(TICK_SECS), []);
            assert_eq!(self.until_idle(), []);
        }
    }

    pub(super) fn world(&self) -> &World {
        self.host.preview().unwrap().session.world()
    }

    fn is_playing(&self) -> bool {
        self.host.preview().unwrap().is_playing
    }

    pub(super) fn step(&mut self, edits: &[Edit]) {
        let _ = self.workspace.step(None, edits).unwrap();
    }

    /// Derive and have the world follow.
    pub(super) fn bring_up(&mut self) {
        derive(&mut self.derived, &self.workspace, Some(&yard()));
        self.host.bring_up(Played::of(&self.workspace, &self.derived, self.active));
    }

    /// Have the world use what is tried out, without deriving.
    fn set_tried(&mut self) {
        let project = self.workspace.project();
        let tried = project.tuning_overlay.values(project.tuning_overlay.side(self.active));
        self.host.set_tried(tried, |name| declared_constant(project, name).map(|(_, it)| it.value.clone()));
    }

    fn constant(&self, name: &str) -> Option<f64> {
        self.world().tunable(name).and_then(Value::as_f64)
    }

    /// The world that is run directly for so many ticks.
    fn direct(&self, n_ticks: u64) -> World {
        let (project, resolution) = (self.derived.project(), self.derived.resolution());
        let mut world = World::compile(project, resolution, "yard", Options::default()).unwrap();
        (0..n_ticks).for_each(|_| world.step(&Input::NONE));
        world
    }
}

/// Place a goblin that is called so.
fn place(id: &str) -> Edit {
    Edit::place(&yard(), &"actors".into(), id.into(), Instance::new("goblin".into(), [140.0, 100.0]))
}

/// Set the damage that the file declares.
fn declare_damage(value: f64) -> Edit {
    let at = FieldPath::keys(["values", "damage", "value"]);
    Edit::set_at(&path("tuning/combat.ron"), at, &Value::Float(value))
}

#[test]
fn the_world_is_compiled_in_its_thread() {
    let mut it = Hosted::new();
    assert!(!it.host.is_on() && !it.host.is_busy());
    it.start(&yard(), false);
    assert!(it.host.is_on() && it.host.is_busy() && it.host.preview().is_none());
    assert_eq!(it.until(|host| host.preview().is_some()), [PreviewReport::Started]);
    assert!(it.host.is_on() && !it.host.is_busy() && !it.is_playing());
    assert_eq!((it.world().tick(), &it.host.preview().unwrap().level), (0, &yard()));
    assert_eq!(it.world().hash(), it.direct(0).hash());
    assert_eq!(it.pass(1.0), []);
    assert_eq!(it.until_idle(), []);
    assert_eq!(it.world().tick(), 0, "time does not pass while it is paused");
}

#[test]
fn steps_before_the_world_is_there_are_run_afterwards() {
    let mut it = Hosted::new();
    it.start(&yard(), true);
    for _ in 0..3 {
        assert_eq!(it.host.step(), []);
    }
    assert_eq!(it.until_idle(), [PreviewReport::Started]);
    assert_eq!((it.world().tick(), it.is_playing()), (3, false));
    assert_eq!(it.world().hash(), it.direct(3).hash());
}

#[test]
fn what_is_played_and_stepped_is_what_a_world_run_directly_computes() {
    let mut it = Hosted::begun(true);
    it.play(30);
    assert_eq!(it.host.step(), []);
    assert!(!it.is_playing(), "a step pauses");
    it.until_idle();
    for _ in 0..4 {
        it.host.step();
    }
    it.until_idle();
    assert_eq!(it.world().tick(), 35);
    assert_eq!(it.world().hash(), it.direct(35).hash());
    let guard = it.world().entity(it.world().by_id("g1").unwrap()).unwrap().machines[0].state.to_owned();
    assert_eq!(guard, "Attack/Fire", "and something happened in it");
}

#[test]
fn it_pauses_and_goes_on_where_its_level_is_shown() {
    let mut it = Hosted::begun(true);
    it.play(5);
    assert_eq!(it.host.pause_or_go_on(Some(&path("levels/cave.ron"))), (false, vec![]));
    assert_eq!(it.host.pause_or_go_on(None), (false, vec![]));
    assert!(it.is_playing());
    // Also while a tick runs: what is seen stays.
    it.pass(TICK_SECS);
    assert_eq!(it.host.pause_or_go_on(Some(&yard())), (true, vec![]));
    assert!(!it.is_playing() && !it.host.is_busy());
    assert_eq!(it.pass(1.0), []);
    assert_eq!(it.world().tick(), 5);
    assert_eq!(it.host.pause_or_go_on(Some(&yard())), (true, vec![]));
    it.play(5);
    assert_eq!((it.world().tick(), it.world().hash()), (10, it.direct(10).hash()));
}

#[test]
fn it_can_be_paused_before_its_world_is_there() {
    let mut it = Hosted::new();
    it.start(&yard(), true);
    assert_eq!(it.host.pause_or_go_on(Some(&yard())), (true, vec![]));
    assert_eq!(it.host.pause_or_go_on(Some(&path("levels/cave.ron"))), (false, vec![]));
    it.until_idle();
    assert!(!it.is_playing());
    assert_eq!((it.pass(1.0), it.world().tick()), (vec![], 0));
}

#[test]
fn its_speed_stays_within_bounds() {
    let mut it = Hosted::begun(false);
    let speed = |it: &Hosted| it.host.preview().unwrap().session.speed;
    (0..9).for_each(|_| it.host.change_speed(2.0));
    assert_eq!(speed(&it), 8.0);
    (0..9).for_each(|_| it.host.change_speed(0.5));
    assert_eq!(speed(&it), 0.125);
}

#[test]
fn the_camera_comes_near_follows_and_is_given_back() {
    let mut it = Hosted::new();
    let far = Camera { center: Vec2::new(300.0, 20.0), scale: 0.5 };
    it.cameras.insert(yard(), far);
    it.start(&yard(), true);
    assert_eq!(it.cameras[&yard()], far, "while it is compiled, nothing moves");
    it.until(|host| host.preview().is_some());
    let near = it.cameras[&yard()];
    assert!(near.scale > 2.0 && (near.center - Vec2::new(100.0, 150.0)).length() < 1.0, "{near:?}");
    it.cameras.insert(yard(), Camera { center: Vec2::ZERO, ..near });
    it.play(5);
    let followed = it.cameras[&yard()].center;
    assert!(followed.x > 0.0 && followed.y > 0.0, "{followed}");
    it.host.stop(&mut it.cameras);
    assert!(!it.host.is_on() && it.host.preview().is_none());
    assert_eq!(it.cameras[&yard()], far);
    // A level that was not looked at from anywhere is not afterwards. Starting again ends what runs.
    it.cameras.clear();
    it.start(&yard(), true);
    it.until(|host| host.preview().is_some());
    it.cameras.insert(yard(), near);
    it.start(&path("levels/cave.ron"), true);
    assert!(it.cameras.is_empty() && it.host.preview().is_none());
    assert_eq!(it.until(|host| host.preview().is_some()), [PreviewReport::Started]);
    assert_eq!(&**it.world().level(), "cave");
}

#[test]
fn constants_are_set_at_once() {
    let mut it = Hosted::begun(true);
    it.play(3);
    it.host.set_constant("Combat.damage".into(), 9.0.into());
    assert_eq!(it.constant("Combat.damage"), Some(9.0));
    it.step(&[declare_damage(10.0)]);
    it.bring_up();
    assert_eq!(it.constant("Combat.damage"), Some(10.0));
    assert!(!it.host.preview().unwrap().session.is_busy(), "for this alone nothing is migrated");
    // Values that are tried out go before those of the files, in the active set.
    let edit = damage(it.workspace.project(), 11.0);
    it.step(&[edit]);
    it.set_tried();
    assert_eq!(it.constant("Combat.damage"), Some(11.0));
    it.step(&[declare_damage(12.0)]);
    it.bring_up();
    assert_eq!(it.constant("Combat.damage"), Some(11.0));
    it.active = it.workspace.project().tuning_overlay.id(TuningSide::A);
    it.set_tried();
    assert_eq!((it.constant("Combat.damage"), it.constant("Combat.range")), (Some(12.0), Some(50.0)));
    assert_eq!(it.world().tick(), 3);
}

#[test]
fn values_that_are_tried_out_are_those_of_a_new_world() {
    let mut it = Hosted::new();
    let edit = damage(it.workspace.project(), 11.0);
    it.step(&[edit]);
    it.start(&yard(), false);
    it.until_idle();
    assert_eq!(it.constant("Combat.damage"), Some(11.0));
    assert_eq!(
        it.derived.resolution().tunable("Combat.damage").unwrap().value,
        8.0.into(),
        "the files stay as they are"
    );
}

#[test]
fn what_is_kept_plays_on_before_it_is_derived() {
    let mut it = Hosted::new();
    it.start(&yard(), false);
    it.until(|host| host.preview().is_some());
    let edit = damage(it.workspace.project(), 11.0);
    it.step(&[edit]);
    it.set_tried();
    assert_eq!(it.constant("Combat.damage"), Some(11.0));
    let (_, edits) = keep(it.workspace.project(), it.derived.builtin(), TuningSide::B, None).unwrap();
    it.step(&edits);
    it.set_tried();
    assert_eq!(it.constant("Combat.damage"), Some(11.0), "what was derived still has the value before");
    it.bring_up();
    assert_eq!(it.constant("Combat.damage"), Some(11.0));
    let _ = it.workspace.undo(false, None).unwrap();
    it.set_tried();
    assert_eq!(it.constant("Combat.damage"), Some(11.0), "tried out again");
    // A value that a drag set at once and that was canceled goes with the next derivation, whatever that is of.
    let _ = it.workspace.undo(false, None).unwrap();
    it.set_tried();
    it.bring_up();
    it.host.set_constant("Combat.damage".into(), 30.0.into());
    assert_eq!(it.constant("Combat.damage"), Some(30.0));
    it.bring_up();
    assert_eq!(it.constant("Combat.damage"), Some(8.0));
}

#[test]
fn what_changes_while_the_world_is_compiled_is_brought_up_then() {
    // A value that is tried out, which needs no derivation.
    let mut it = Hosted::new();
    it.start(&yard(), false);
    let edit = damage(it.workspace.project(), 11.0);
    it.step(&[edit]);
    it.set_tried();
    assert_eq!(it.until(|host| host.preview().is_some()), [PreviewReport::Started]);
    it.bring_up();
    assert_eq!(it.constant("Combat.damage"), Some(11.0));
    // An edit, derived before the world is there.
    let mut it = Hosted::new();
    it.start(&yard(), false);
    it.step(&[place("g2")]);
    it.bring_up();
    it.until(|host| host.preview().is_some());
    assert!(it.world().by_id("g2").is_none());
    it.bring_up();
    assert_eq!(it.until_idle(), []);
    assert!(it.world().by_id("g2").is_some());
}

#[test]
fn the_level_is_played_from_a_point_of_it() {
    let mut it = Hosted::new();
    let (level, from) = (yard(), [88.0, 56.0]);
    let played = Played::of(&it.workspace, &it.derived, it.active);
    it.host.start(level, played, (true, Some(from)), (&mut it.cameras, it.wake.clone())).unwrap();
    it.until(|host| host.preview().is_some());
    let player = |it: &Hosted| it.world().player().map(|player| (player.id.clone(), player.pos));
    let (id, pos) = player(&it).expect("a player");
    assert_eq!((it.world().tick(), pos), (0, Vec2::new(88.0, 56.0)), "{id}");
    it.play(20);
    // From the first tick again, elsewhere: what was played goes on as the ghost.
    assert_eq!(it.host.play_from([40.0, 56.0], &it.cameras), []);
    it.until(|host| host.preview().unwrap().session.world().tick() == 0);
    assert_eq!((player(&it), it.is_playing()), (Some((id, Vec2::new(40.0, 56.0))), true));
    assert!(it.host.preview().unwrap().session.ghost().is_some());
}

#[test]
fn what_the_level_does_not_read_does_not_change_the_running_world() {
    let mut it = Hosted::begun(true);
    it.play(20);
    let scenario = Scenario { level: "yard".into(), secs: 1.0, seed: None, script: Vec::new(), expect: Vec::new() };
    let doc = Arc::new(Document::Scenario(scenario));
    let attic = path("levels/attic.ron");
    let placed = Edit::place(&attic, &"actors".into(), "g9".into(), Instance::new("goblin".into(), [20.0, 20.0]));
    it.step(&[Edit::put_document(path("scenarios/s.ron"), doc), placed]);
    it.bring_up();
    assert_eq!(it.until_idle(), []);
    assert_eq!(it.host.preview().unwrap().session.changed_ticks().count(), 0);
}

#[test]
fn values_tried_out_before_it_plays_are_in_its_scenario() {
    let mut it = Hosted::new();
    let edit = damage(it.workspace.project(), 11.0);
    it.step(&[edit]);
    it.bring_up();
    it.start(&yard(), true);
    it.until(|host| host.preview().is_some());
    it.play(5);
    let recorded = recorded_scenario(&it.host.preview().unwrap().session, &[]);
    let tuned = |cue: &Cue| matches!(&cue.what, CueKind::Tune(tune) if tune.name == "Combat.damage");
    assert_eq!((recorded.n_left_out, recorded.scenario.script.iter().filter(|cue| tuned(cue)).count()), (0, 1));
}

#[test]
fn edits_are_migrated_into_the_running_world() {
    let mut it = Hosted::begun(true);
    it.play(20);
    it.step(&[place("g2"), speed(90.0)]);
    it.bring_up();
    assert_eq!(it.until_idle(), []);
    assert_eq!(it.world().tick(), 20, "no time passes for it");
    let speed_of = |it: &Hosted, id: &str| {
        let world = it.world();
        world.field(world.by_id(id).unwrap(), "Walker.speed").and_then(|value| value.as_f64())
    };
    assert_eq!((speed_of(&it, "g1"), speed_of(&it, "g2")), (Some(90.0), Some(90.0)));
    let state = it.world().entity(it.world().by_id("g1").unwrap()).unwrap().machines[0].state.to_owned();
    assert!(state.starts_with("Attack"), "it is in the state that it was in: {state}");
    // A constant that the running world does not have is migrated, too.
    let at = FieldPath::keys(["values", "knockback"]);
    let fresh = levelwright::model::Tunable::of(4.0);
    it.step(&[Edit::insert_at(&path("tuning/combat.ron"), at, &fresh)]);
    it.bring_up();
    it.until_idle();
    assert_eq!(it.constant("Combat.knockback"), Some(4.0));
    // What is the same is not migrated.
    it.bring_up();
    assert!(!it.host.preview().unwrap().session.is_busy());
    it.play(5);
    assert_eq!(it.world().tick(), 25);
}

#[test]
fn a_level_that_is_gone_runs_on_as_it_was() {
    let mut it = Hosted::begun(true);
    it.play(5);
    it.step(&[Edit::PutDocument { doc: yard(), document: None }]);
    it.bring_up();
    let reports = it.until_idle();
    let [PreviewReport::Message(why)] = &reports[..] else { panic!("{reports:?}") };
    assert!(why.starts_with("The preview keeps running the level as it was: "), "{why}");
    it.play(5);
    assert_eq!((it.world().tick(), it.world().n_entities()), (10, 2));
}

#[test]
fn a_level_that_cannot_be_compiled_is_refused() {
    let mut it = Hosted::new();
    it.start(&path("levels/nowhere.ron"), true);
    it.host.step();
    let reports = it.until(|host| !host.is_on());
    let [PreviewReport::Refused(why)] = &reports[..] else { panic!("{reports:?}") };
    assert!(why.contains("nowhere"), "{why}");
    assert!(it.host.preview().is_none() && !it.host.is_busy());
    it.start(&yard(), true);
    assert_eq!(it.until(|host| host.preview().is_some()), [PreviewReport::Started], "another can be played after it");
}

#[test]
fn messages_reach_their_entity_or_a_missing_one_is_reported() {
    let mut it = Hosted::begun(false);
    assert_eq!(
        it.host.send("nobody".into(), "Stop".into()),
        [PreviewReport::Message("No entity is named nobody".into())]
    );
    assert_eq!(it.host.send("g1".into(), "Stop".into()), []);
    let key = it.world().by_id("g1");
    assert_eq!(it.host.possess(key), []);
    assert_eq!(it.world().possessed(), key);
}

#[test]
fn a_defect_in_the_thread_ends_the_preview_and_no_more() {
    let mut it = Hosted::new();
    let (is_broken, wake) = (AtomicBool::new(false), it.wake.clone());
    let far = Camera { center: Vec2::ZERO, scale: 0.5 };
    it.cameras.insert(yard(), far);
    // The first call breaks the thread; the second comes of its end.
    it.wake = Arc::new(move || {
        wake();
        assert!(is_broken.swap(true, Ordering::SeqCst), "a defect, as a test of what becomes of it");
    });
    it.start(&yard(), true);
    let reports = it.until(|host| !host.is_on());
    assert_eq!(reports, [PreviewReport::Started, PreviewReport::Ended]);
    assert!(it.host.preview().is_none() && it.cameras[&yard()] == far);
}
