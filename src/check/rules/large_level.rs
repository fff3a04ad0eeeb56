//! A level of many cells in one file, which is read and written whole at each save.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{FieldPath, Finding, Location},
};

pub(super) const RULE: Rule =
    Rule { name: "large-level", doc: "A level of more than a million cells is kept in one file.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, _) in input.levels().filter(|(_, level)| !level.regions && level.has_many_cells()) {
        let at = Location::new(doc.clone(), FieldPath::keys(["size"]));
        let message = "this level has more than a million cells in one file, all of which is written at each save";
        let help = "with `regions: true` its tiles are in files of 512×512 cells each".to_owned();
        let fix = Fix::new("Keep its tiles in regions", Edit::set_at(doc, FieldPath::keys(["regions"]), &true));
        out.push(Problem::new(Finding::hint(RULE.name, at, message).with_help(help)).with([fix]));
    }
}
