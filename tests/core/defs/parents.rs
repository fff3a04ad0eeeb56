//! The inheritance graph: several parents, cycles, long chains.

use super::*;

#[test]
fn several_parents_apply_once_each_bases_first() {
    let project = of_defs([
        ("base", def(&[]).set("Health", "max", 100.0)),
        ("left", def(&["base"]).scale("Health", "max", 2.0)),
        ("right", def(&["base"]).add("Health", "max", 10.0)),
        ("both", def(&["left", "right"])),
        ("other", def(&["right", "left"])),
    ]);
    let resolution = fresh(&project);
    let order = |name: &str| resolution.defs[name].order.iter().map(|n| &**n).collect::<Vec<_>>().join(" ");
    assert_eq!(order("both"), "base right left both");
    assert_eq!(value(&resolution, "both", "Health", "max"), "220.0", "(100 + 10) × 2");
    assert_eq!(order("other"), "base left right other");
    assert_eq!(value(&resolution, "other", "Health", "max"), "210.0", "100 × 2 + 10");
    assert_eq!(&*found(&resolution), []);
}

#[test]
fn clashing_parents_are_named() {
    let project = of_defs([
        ("a", def(&[])),
        ("b", def(&[])),
        ("ab", def(&["a", "b"])),
        ("ba", def(&["b", "a"])),
        ("clash", def(&["ab", "ba"])),
        ("child", def(&["clash"]).set("Health", "max", 1.0).remove("Loot")),
    ]);
    let resolution = fresh(&project);
    assert_eq!(places(&found(&resolution)), ["inconsistent-order @ entities/a.ron:clash.inherits[1]"]);
    let message = &found(&resolution)[0].message;
    assert!(message.contains("`ab` puts `a` before `b`, `ba` puts `b` before `a`"), "{message}");
    assert!(!resolution.defs.contains_key("clash"));
    assert!(resolution.is_incomplete("child"), "and so it is not blamed for removing what is not there");
    assert_eq!(value(&resolution, "child", "Health", "max"), "1.0", "a child of it keeps what it says itself");
}

#[test]
fn an_ancestor_whose_operation_finds_nothing_is_passed_over() {
    let project = of_defs([
        ("base", def(&[]).has("Shield").set("Loot", "items", list(["torch"]))),
        ("bare", def(&["base"]).remove("Shield")),
        ("poor", def(&["base"]).remove("Shield").remove("Loot.items[\"torch\"]")),
        ("both", def(&["bare", "poor"])),
    ]);
    let resolution = fresh(&project);
    assert_eq!(&*found(&resolution), []);
    assert!(!resolution.defs["both"].has("Shield"));
    assert_eq!(value(&resolution, "both", "Loot", "items"), "[]");
}

#[test]
fn long_lines_and_long_cycles_end() {
    let chain = |n: usize, close: bool| {
        let name = |i: usize| format!("d{i:06}");
        let defs = (0..n).map(|i| {
            let parent = if i > 0 { Some(name(i - 1)) } else { close.then(|| name(n - 1)) };
            let inherits = parent.iter().map(|p| p.as_str().into()).collect();
            (name(i).as_str().into(), Arc::new(EntityDef { inherits, ..EntityDef::default() }))
        });
        let file = levelwright::model::EntitiesFile { defs: defs.collect() };
        project([("entities/a.ron", Document::Entities(file))])
    };
    let line = fresh(&chain(5000, false));
    assert_eq!(line.defs.len(), 65, "the first and 64 below it");
    assert_eq!(places(&found(&line)), ["inheritance-depth @ entities/a.ron:d000065.inherits"]);
    let cycle = fresh(&chain(5000, true));
    assert_eq!(cycle.defs.len(), 0);
    assert_eq!(cycle.findings().count(), 5000);
    assert!(cycle.findings().all(|finding| &*finding.rule == "inheritance-cycle"));
    assert_eq!(cycle.descendants("d000000").len(), 4999);
}

#[test]
fn a_cycle_says_its_way() {
    let project = of_defs([
        ("a", def(&["b", "fine"])),
        ("b", def(&["c"])),
        ("c", def(&["a"])),
        ("fine", def(&[])),
        ("below", def(&["b", "fine"]).set("Health", "max", 5.0)),
    ]);
    let resolution = fresh(&project);
    assert_eq!(
        places(&found(&resolution)),
        ["a.inherits[0]", "b.inherits[0]", "c.inherits[0]"]
            .map(|at| format!("inheritance-cycle @ entities/a.ron:{at}"))
    );
    assert_eq!(found(&resolution)[0].message, "`a` inherits itself: `a` → `b` → `c` → `a`");
    assert_eq!(value(&resolution, "below", "Health", "max"), "5.0");
}

#[test]
fn who_inherits_whom() {
    let project = of_defs([("a", def(&[])), ("b", def(&["a"])), ("c", def(&["a", "gone"])), ("d", def(&["b", "c"]))]);
    let resolution = fresh(&project);
    let names = |names: &[levelwright::model::Name]| names.iter().map(|n| &**n).collect::<Vec<_>>().join(" ");
    assert_eq!(names(resolution.children_of("a")), "b c");
    assert_eq!(names(&resolution.descendants("a")), "b c d");
    assert_eq!(names(resolution.children_of("gone")), "c", "who waits for a missing parent");
    assert!(resolution.is_a("d", "a") && resolution.is_a("d", "d") && !resolution.is_a("b", "c"));
}
