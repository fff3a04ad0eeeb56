//! A placed entity stands outside its level.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location, short_number},
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
            let path = level.entity_at(i, id).key("at");
            let [at_x, at_y] = instance.at.map(short_number);
            let message =
                format!("`{id}` is at ({at_x}, {at_y}), outside the level, which ends at ({right}, {bottom})");
            let edit = Edit::MoveThings { doc: doc.clone(), ids: vec![id.clone()], by: [near[0] - x, near[1] - y] };
            let fix = Fix::new("Move it to the edge of the level", edit);
            out.push(Problem::new(Finding::warning(RULE.name, Location::new(doc.clone(), path), message)).with([fix]));
        }
    }
}
