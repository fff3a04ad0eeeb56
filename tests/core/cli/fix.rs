//! `fix`: what is mended, and what is left alone.

use super::*;

#[test]
fn fixes_are_shown_before_they_are_made() {
    let text = "{\n    // Low.\n    \"monster\": (abstract: true, set: (Health: (max: 20.0))),\n    \
                \"goblin\": (inherits: [\"monster\"], set: (Health: (max: 20.0), Walker: (sped: 50, accel: 9.0))),\n}\n";
    let dir = project(&[("entities/all.ron", text)]);
    let file = dir.path().join("entities/all.ron");
    let shown = run(&["fix", at(&dir), "--dry-run"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing is written");
    let patch = "--- a/entities/all.ron\n+++ b/entities/all.ron\n@@ -1,5 +1,5 @@\n {\n     // Low.\n";
    assert!(shown.out.starts_with(patch), "{}", shown.out);
    assert!(
        shown.out.contains("\n+    \"goblin\": (inherits: [\"monster\"], set: (Walker: (sped: 50, accel: 9.0))),\n")
    );
    assert_eq!(shown.err, "1 would be fixed in 1 file\n");
    // The patch is one that other programs take.
    let patch_file = dir.path().join("fix.patch");
    fs::write(&patch_file, &shown.out).unwrap();
    let git = |args: &[&str]| Command::new("git").current_dir(dir.path()).args(args).status();
    if git(&["init", "-q"]).is_ok_and(|status| status.success()) {
        assert!(git(&["apply", "--check", "fix.patch"]).unwrap().success(), "{}", shown.out);
    }
    // What changes the game has to be asked for by its rule.
    assert_eq!(run(&["fix", at(&dir), "--all"]).code, 2);
    let safe = run(&["fix", at(&dir), "--rule", "unknown-field"]);
    assert!(safe.out.starts_with("0 fixed"), "{}", safe.out);
    let all = run(&["fix", at(&dir), "--rule", "unknown-field", "--all"]);
    assert!(all.out.starts_with("fixed error[unknown-field] entities/all.ron:4:"), "{}{}", all.out, all.err);
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("max: 20.0), Walker: (speed: 50") && !now.contains("sped"), "{now}");
}

#[test]
fn a_fix_behind_many_problems_without_one_is_made() {
    let many: String = (0..1_500).map(|i| format!("\"missing_{i}\", ")).collect();
    let defs = format!("{{\n\"goblin\": (),\n\"many\": (inherits: [{many}]),\n\"z\": (inherits: [\"gobln\"]),\n}}\n");
    let dir = project(&[("entities/many.ron", &defs), ("levels/start.ron", "(tile_size: (16, 16), layers: [])\n")]);
    let fixed = run(&["fix", at(&dir), "--rule", "missing-parent", "--all"]);
    assert!(fixed.out.contains("1 fixed in 1 file, 1500 problems left"), "{}", fixed.out);
    let text = fs::read_to_string(dir.path().join("entities/many.ron")).unwrap();
    assert!(text.contains("\"z\": (inherits: [\"goblin\"])"), "{}", text.lines().last().unwrap());
}

#[test]
fn fix_mends_what_is_safe_and_tells_the_rest() {
    let dir = small();
    let file = dir.path().join("entities/all.ron");
    // An override that repeats the inherited value, and an unknown parent.
    let text = DEFS.replace("scale: (Health: (max: 0.5))", "set: (Health: (max: 20.0)) /* as ever */") + "\n// kept\n";
    fs::write(&file, &text).unwrap();
    let checked = run(&["check", at(&dir), "--json"]).json();
    let problem = &checked["problems"][0];
    assert_eq!(problem["rule"], "redundant-override");
    assert!(!problem["fixes"].as_array().unwrap().is_empty());
    let fixed = run(&["fix", at(&dir)]);
    assert_eq!(fixed.code, 0, "{}", fixed.err);
    assert!(fixed.out.starts_with("fixed ") && fixed.out.contains("entities/all.ron:3:"), "{}", fixed.out);
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("// kept") && !now.contains("set: (Health: (max: 20.0)) /*"), "{now}");
    assert_eq!(run(&["check", at(&dir)]).err, "");
    assert_eq!(run(&["fix", at(&dir), "--rule", "redundant-overide"]).code, 2);
    fs::write(&file, DEFS.replace("[\"monster\"]", "[\"nobody\"]")).unwrap();
    assert_eq!(run(&["fix", at(&dir)]).code, 1, "errors are left");
}

#[test]
fn fixes_write_over_nothing_that_is_said() {
    let dir = project(&ODD);
    let text = "{
    \"a\": (set: (Healt: (max: 3.0), Health: (max: 500.0 /* big */))),
    \"b\": (set: (C: (i: 4, ii: 9))),
    \"c\": (set: (Healt: (max: 3.0), Health: (current: 2.0))),
    \"f\": (set: (Healt: (max: 4.0))),
    \"d\": (inherits: [\"a\"], remove: [\"C.ld[\\\"hier\\\"]\"]),
    \"e\": (set: (Homemade: (x: 1))),
}\n";
    let path = dir.path().join("entities/more.ron");
    fs::write(&path, text).unwrap();
    run(&["fix", at(&dir), "--rule", "unknown-component", "--all"]);
    run(&["fix", at(&dir), "--rule", "unknown-field", "--all"]);
    run(&["fix", at(&dir)]);
    let now = fs::read_to_string(&path).unwrap();
    let twice = "Healt: (max: 3.0), Health: (current: 2.0)";
    for kept in
        ["Healt: (max: 3.0), Health: (max: 500.0 /* big */)", twice, "C: (i: 4, ii: 9)", "hier", "Homemade: (x: 1)"]
    {
        assert!(now.contains(kept), "{now}");
    }
    assert!(now.contains("\"f\": (set: (Health: (max: 4.0)))"), "{now}");
}
