//! The select tool over a level that plays: what a press, a drag and its end do to running entities.

use glam::Vec2;
use levelwright::{
    sim::EntityKey,
    tools::{HandAct, HandOut, HandTool, Running, rotate_handle},
};
use slotmap::{Key as _, KeyData};

use super::*;

fn key(n: u64) -> EntityKey {
    EntityKey::from(KeyData::from_ffi((1 << 32) | n))
}

fn things() -> Vec<Running> {
    let thing = |n: u64, id: &str, pos: [f32; 2], is_dynamic: bool| Running {
        key: key(n),
        id: id.into(),
        def: format!("{id}_def").into(),
        pos: pos.into(),
        angle: 0.0,
        extent: Extent { half: [8.0, 8.0], center: [0.0, 0.0] },
        offset: [0.0, 0.0],
        is_dynamic,
        is_placed: is_dynamic,
    };
    let mut far = thing(3, "far", [300.0, 40.0], true);
    far.offset = [-100.0, 10.0];
    vec![thing(1, "goblin", [40.0, 40.0], false), thing(2, "crate", [44.0, 40.0], true), far]
}

fn event(phase: PointerPhase, pos_px: [f64; 2], modifiers: Modifiers) -> PointerEvent {
    PointerEvent { phase, pos_px, cell: [0, 0], modifiers, button: Button::Primary }
}

const NONE: Modifiers = Modifiers { shift: false, ctrl: false, alt: false };
const CTRL: Modifiers = Modifiers { ctrl: true, ..NONE };

fn tell(tool: &mut HandTool, phase: PointerPhase, at: [f64; 2], modifiers: Modifiers) -> HandOut {
    tool.pointer(&event(phase, at, modifiers), &things(), &[], 1.0)
}

#[test]
fn a_click_selects_what_is_in_front_and_moves_nothing() {
    let mut tool = HandTool::default();
    let out = tell(&mut tool, PointerPhase::Press, [41.0, 40.0], NONE);
    assert_eq!((out.selection, out.acts), (Some(vec!["crate".into()]), vec![]));
    assert!(tool.is_busy());
    let out = tell(&mut tool, PointerPhase::Drag, [42.0, 41.0], NONE);
    assert_eq!(out.acts, [], "it has not moved far enough");
    let out = tell(&mut tool, PointerPhase::Release, [42.0, 41.0], NONE);
    assert_eq!((out.acts, tool.is_busy()), (vec![], false));
    let out = tell(&mut tool, PointerPhase::Press, [200.0, 200.0], NONE);
    assert_eq!((out.selection, tool.is_busy()), (Some(vec![]), false));
}

#[test]
fn a_drag_holds_and_lets_go() {
    let mut tool = HandTool::default();
    tell(&mut tool, PointerPhase::Press, [45.0, 42.0], NONE);
    let out = tell(&mut tool, PointerPhase::Drag, [55.0, 32.0], NONE);
    assert_eq!(out.acts, [HandAct::Hold(key(2), Vec2::new(54.0, 30.0), 0.0)]);
    assert_eq!(tool.hint(), "Moves crate_def in the running world; let go and it goes on from there");
    let out = tell(&mut tool, PointerPhase::Release, [45.0, 42.0], NONE);
    let back = HandAct::Hold(key(2), Vec2::new(44.0, 40.0), 0.0);
    assert_eq!(out.acts, [back, HandAct::LetGo], "also where it began");
}

#[test]
fn a_layer_that_is_seen_elsewhere_is_grabbed_where_it_is_seen() {
    let mut tool = HandTool::default();
    let out = tell(&mut tool, PointerPhase::Press, [201.0, 50.0], NONE);
    assert_eq!(out.selection, Some(vec!["far".into()]));
    let out = tell(&mut tool, PointerPhase::Drag, [221.0, 50.0], NONE);
    assert_eq!(out.acts, [HandAct::Hold(key(3), Vec2::new(320.0, 40.0), 0.0)], "in pixels of its layer");
}

#[test]
fn with_ctrl_a_spring_pulls_what_it_can() {
    let mut tool = HandTool::default();
    tell(&mut tool, PointerPhase::Press, [47.0, 42.0], CTRL);
    // That it is a spring was decided by the press.
    let out = tell(&mut tool, PointerPhase::Drag, [60.0, 20.0], NONE);
    assert_eq!(out.acts, [HandAct::Pull(key(2), Vec2::new(3.0, 2.0), Vec2::new(60.0, 20.0))]);
    let out = tell(&mut tool, PointerPhase::Release, [60.0, 20.0], NONE);
    assert_eq!(out.acts.last(), Some(&HandAct::LetGo));
    // What is no dynamic body is moved.
    tell(&mut tool, PointerPhase::Press, [33.0, 40.0], CTRL);
    let out = tell(&mut tool, PointerPhase::Drag, [43.0, 40.0], CTRL);
    assert_eq!(out.acts, [HandAct::Hold(key(1), Vec2::new(50.0, 40.0), 0.0)]);
}

#[test]
fn a_spring_holds_the_point_of_a_turned_body_that_was_grabbed() {
    let mut turned = things();
    turned[1].angle = std::f32::consts::FRAC_PI_2;
    let mut tool = HandTool::default();
    tool.pointer(&event(PointerPhase::Press, [44.0, 46.0], CTRL), &turned, &[], 1.0);
    let out = tool.pointer(&event(PointerPhase::Drag, [44.0, 80.0], CTRL), &turned, &[], 1.0);
    let [HandAct::Pull(_, grip, _)] = out.acts.as_slice() else { panic!("{out:?}") };
    assert!((*grip - Vec2::new(6.0, 0.0)).length() < 1e-4, "{grip}");
}

#[test]
fn the_handle_of_what_is_selected_turns_it() {
    let mut tool = HandTool::default();
    let selected = ["crate".into()];
    let thing = &things()[1];
    let at = thing.pos.as_dvec2().to_array();
    let handle = rotate_handle(at, f64::from(thing.angle).to_degrees(), thing.extent, 1.0)[1];
    let mut tell =
        |phase, at: [f64; 2], modifiers| tool.pointer(&event(phase, at, modifiers), &things(), &selected, 1.0);
    assert_eq!(
        tell(PointerPhase::Hover, handle, NONE).hint,
        "Drag to turn crate_def in the running world; Shift for steps of 15°"
    );
    tell(PointerPhase::Press, handle, NONE);
    let out = tell(PointerPhase::Drag, [80.0, 40.0], NONE);
    let [HandAct::Hold(_, at, angle)] = out.acts.as_slice() else { panic!("{out:?}") };
    assert_eq!(*at, Vec2::new(44.0, 40.0));
    assert!((angle - std::f32::consts::FRAC_PI_2).abs() < 1e-5, "{angle}");
    let out = tell(PointerPhase::Release, [80.0, 43.0], Modifiers { shift: true, ..NONE });
    let [HandAct::Hold(_, _, angle), HandAct::LetGo] = out.acts.as_slice() else { panic!("{out:?}") };
    assert!((angle.to_degrees() - 90.0).abs() < 1e-3, "{angle}");
}

#[test]
fn cancelled_it_is_back_where_it_was() {
    let mut tool = HandTool::default();
    tell(&mut tool, PointerPhase::Press, [45.0, 42.0], NONE);
    tell(&mut tool, PointerPhase::Drag, [95.0, 42.0], NONE);
    let out = tell(&mut tool, PointerPhase::Cancel, [95.0, 42.0], NONE);
    assert_eq!(out.acts, [HandAct::Hold(key(2), Vec2::new(44.0, 40.0), 0.0), HandAct::LetGo]);
    assert!(!tool.is_busy() && key(2).data() != key(1).data());
    assert_eq!(tell(&mut tool, PointerPhase::Release, [95.0, 42.0], NONE).acts, []);
}

#[test]
fn the_status_line_says_what_a_drag_does() {
    let mut tool = HandTool::default();
    tell(&mut tool, PointerPhase::Hover, [50.0, 40.0], NONE);
    let spring =
        "Drag to move crate_def in the running world; with Ctrl a spring pulls it; Delete takes it out of the level";
    assert_eq!(tool.hint(), spring);
    tell(&mut tool, PointerPhase::Hover, [33.0, 40.0], NONE);
    assert_eq!(tool.hint(), "Drag to move goblin_def in the running world; Delete takes it out of the world");
    tell(&mut tool, PointerPhase::Hover, [0.0, 0.0], NONE);
    assert_eq!(tool.hint(), "");
}
