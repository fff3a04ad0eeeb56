//! A placed entity outside its level.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{DocPath, FieldPath, Finding, Level, Location, Name, short_number},
};

pub(super) const RULE: Rule =
    Rule { name: "entity-outside-level", doc: "A placed entity is outside its level's bounds.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        if level.size.is_none() {
            continue;
        }
        let [left, top, right, bottom] = level.bounds_px();
        for (i, id, instance) in level.entities() {
            let [x, y] = instance.at;
            let near = [x.max(left).min(right), y.max(top).min(bottom)];
            #[expect(clippy::float_cmp, reason = "clamping leaves what is inside exactly as it is")]
            if near == instance.at {
                continue;
            }
            let path = level.entity_at(i, id);
            let what = format!("`{id}`");
            let to = (near, "Move it to the edge of the level");
            out.push(outside(RULE.name, (doc, level), (&what, id, path), instance.at, to));
        }
    }
}

/// The problem of an entity or waypoint outside a level, given by its name in a sentence, its id and its path. `at` and
/// `inside` are in pixels; `label` is that of the fix, which moves it there.
pub(super) fn outside(
    rule: &'static str,
    (doc, level): (&DocPath, &Level),
    (what, id, path): (&str, &Name, FieldPath),
    at: [f64; 2],
    (inside, label): ([f64; 2], &str),
) -> Problem {
    let [.., right, bottom] = level.bounds_px();
    let [x, y] = at.map(short_number);
    let message = format!("{what} is at ({x}, {y}), outside the level, which ends at ({right}, {bottom})");
    let by = [0, 1].map(|i| inside[i] - at[i]);
    let edit = Edit::MoveThings { doc: doc.clone(), ids: vec![id.clone()], by };
    let at = Location::new(doc.clone(), path.key("at"));
    Problem::new(Finding::warning(rule, at, message)).with([Fix::new(label, edit)])
}
