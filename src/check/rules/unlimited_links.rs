//! A waypoint layer with many nodes that links every pair of visible nodes, at any distance.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location, WaypointGraph},
};

pub(super) const RULE: Rule = Rule {
    name: "unlimited-links",
    doc: "A waypoint layer with many nodes links each of them to every other it can see, however far.",
    check,
};

/// Up to this many pairs of nodes nothing is reported.
const FEW_PAIRS: usize = 2_000;

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            let unlimited = layer.waypoints().filter(|graph| graph.auto_link && graph.max_length.is_none());
            let n = unlimited.map_or(0, |graph| graph.nodes.len());
            let n_pairs = n * n.saturating_sub(1) / 2;
            if n_pairs < FEW_PAIRS {
                continue;
            }
            let at = level.layer_at(i).key("name");
            let message = format!(
                "`{}` has no `max_length`, so its {n} nodes make up to {n_pairs} automatic links: one for each two that see \
                 each other",
                layer.name
            );
            let length = WaypointGraph::NEW_MAX_LENGTH;
            let place = level.layer_at(&*layer.name).key("max_length");
            let edit = Edit::set_at(doc, place, &Some(length));
            let fix = Fix::new(format!("Link nodes at most {length} px apart"), edit);
            out.push(Problem::new(Finding::warning(RULE.name, Location::new(doc.clone(), at), message)).with([fix]));
        }
    }
}
