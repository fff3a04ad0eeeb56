//! A scenario that names an entity missing in its level, or a time after its end.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{CueKind, DocPath, FieldPath, Finding, Level, Location, Scenario, SendCue, When, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "scenario-entity",
    doc: "A scenario names an entity that its level does not have, or a time after its end.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, scenario) in input.scenarios() {
        if let Some(level) = input.level(&scenario.level) {
            entities(input, doc, scenario, level, out);
        }
        times(doc, scenario, out);
    }
}

fn entities(input: &Input<'_>, doc: &DocPath, scenario: &Scenario, level: &Level, out: &mut Vec<Problem>) {
    // The ids of spawned entities are known only during the run.
    let known = |name: &str| {
        let def = |name: &str| input.resolution.def_docs.contains_key(name);
        match name.split_once(':') {
            Some(("tag", _)) => true,
            Some(("def", name)) => def(name),
            _ => level.entity(name).is_some() || def(name) || name.contains('#') || name.is_empty(),
        }
    };
    let mut look = |name: &str, path: FieldPath| {
        if known(name) {
            return;
        }
        let ids: Vec<&str> = level.entities().map(|(_, id, _)| &**id).collect();
        let near = input.near(name, ids.iter().copied());
        let message = format!("level `{}` has no entity `{name}`", scenario.level);
        // A spawned entity may have the name by then.
        let set = |near: &str| Edit::set_at(doc, path.clone(), &near.to_owned());
        let fix = near.map(|near| Fix::new(format!("Use {near}"), set(near)));
        let finding = Finding::warning(RULE.name, Location::new(doc.clone(), path), message);
        out.push(Problem::new(finding.with_help(mean(near))).with(fix));
    };
    for (i, cue) in scenario.script.iter().enumerate() {
        if let CueKind::Send(SendCue { to, .. }) = &cue.what {
            look(to, FieldPath::keys(["script"]).index(i).key("to"));
        }
    }
    for (i, expectation) in scenario.expect.iter().enumerate() {
        look(&expectation.entity, FieldPath::keys(["expect"]).index(i).key("entity"));
    }
}

fn times(doc: &DocPath, scenario: &Scenario, out: &mut Vec<Problem>) {
    let mut look = |secs: f64, path: FieldPath| {
        if !(0.0..=scenario.secs).contains(&secs) {
            let message = format!("{secs} s is not within the scenario, which runs for {} s", scenario.secs);
            out.push(Problem::new(Finding::warning(RULE.name, Location::new(doc.clone(), path), message)));
        }
    };
    for (i, cue) in scenario.script.iter().enumerate() {
        look(cue.at, FieldPath::keys(["script"]).index(i).key("at"));
    }
    for (i, expectation) in scenario.expect.iter().enumerate() {
        let (secs, key) = match expectation.when {
            When::At(secs) => (secs, "at"),
            When::By(secs) => (secs, "by"),
        };
        look(secs, FieldPath::keys(["expect"]).index(i).key(key));
    }
}
