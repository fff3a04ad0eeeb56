//! A link between waypoints names a node that is not on its layer, or joins a node to itself.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "broken-link", doc: "A link between waypoints names a node that is not on its layer.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            let Some(graph) = layer.waypoints() else { continue };
            for (n, link) in graph.links.iter().enumerate() {
                for (key, id) in [("from", &link.from), ("to", &link.to)] {
                    if graph.nodes.contains_key(id) {
                        continue;
                    }
                    let at = level.link_at(i, n).key(key);
                    let near = input.near(id, graph.nodes.keys().map(|id| &**id));
                    let finding = Finding::error(
                        RULE.name,
                        Location::new(doc.clone(), at),
                        format!("layer `{}` has no waypoint `{id}` to link", layer.name),
                    );
                    let edit = Edit::SetLink {
                        doc: doc.clone(),
                        layer: layer.name.clone(),
                        from: link.from.clone(),
                        to: link.to.clone(),
                        link: None,
                    };
                    let fix = Fix::new("Delete the link", edit).safe();
                    out.push(Problem::new(finding.with_help(mean(near))).with([fix]));
                }
            }
        }
    }
}
