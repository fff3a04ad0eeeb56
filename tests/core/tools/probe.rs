//! The path probe: its two ends, dragged.

use super::*;

#[test]
fn a_drag_goes_from_start_to_goal_and_both_are_dragged_on() {
    let mut table = Table::new(ToolKind::Probe);
    table.run("press @20,20 drag @60,20");
    assert_eq!(table.toolbox.shown().ghost.probe, Some([[20.0, 20.0], [60.0, 20.0]]), "shown while it is dragged");
    assert_eq!(table.probe, None, "and kept when it is let go");
    table.run("drag @90,50 release @100,60");
    assert_eq!(table.probe, Some([[20.0, 20.0], [100.0, 60.0]]));
    assert_eq!(table.toolbox.shown().ghost.probe, None);
    table.run("press @98,62 drag @98,30 release @98,30");
    assert_eq!(table.probe, Some([[20.0, 20.0], [98.0, 30.0]]), "the goal");
    table.run("press @20,24 drag @40,24 release @40,24");
    assert_eq!(table.probe, Some([[40.0, 24.0], [98.0, 30.0]]), "the start");
    table.run("press @150,80 release @150,80");
    assert_eq!(table.probe, Some([[40.0, 24.0], [150.0, 80.0]]), "a click beside them puts the goal there");
    table.run("press @150,80 release @151,80");
    assert_eq!(table.probe, Some([[40.0, 24.0], [150.0, 80.0]]), "a click on an end changes nothing");
    table.run("press @10,10 drag @50,50 esc");
    assert_eq!(table.probe, Some([[40.0, 24.0], [150.0, 80.0]]), "Esc lets go of what is dragged");
    assert!(table.toolbox.shown().ghost.probe.is_none() && table.history.n_done() == 0);
    table.run("press @10,10 drag @12,80 release @12,80");
    assert_eq!(table.probe, Some([[10.0, 10.0], [12.0, 80.0]]), "a drag beside them begins another");
}

#[test]
fn a_click_where_nothing_is_looked_for_looks_for_nothing() {
    let mut table = Table::new(ToolKind::Probe);
    table.run("press @20,20 drag @21,21 release @21,21");
    assert_eq!(table.probe, None);
    table.run("press @20,20 drag @80,20 drag @20,20 release @20,20");
    assert_eq!(table.probe, Some([[20.0, 20.0]; 2]), "dragged back to where it began");
    table.run("press @20,20 drag @80,20 release @80,20");
    assert_eq!(table.probe, Some([[20.0, 20.0], [80.0, 20.0]]), "of both in one place the goal is drawn out");
}
