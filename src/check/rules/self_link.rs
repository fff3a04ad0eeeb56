//! A link joins a waypoint to itself.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location},
};

pub(super) const RULE: Rule = Rule { name: "self-link", doc: "A link joins a waypoint to itself.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            let links = layer.waypoints().into_iter().flat_map(|graph| graph.links.iter().enumerate());
            for (n, link) in links.filter(|(_, link)| link.from == link.to) {
                let at = level.link_at(i, n);
                let message = format!("this links waypoint `{}` to itself", link.from);
                let (from, to) = (link.from.clone(), link.to.clone());
                let edit = Edit::SetLink { doc: doc.clone(), layer: layer.name.clone(), from, to, link: None };
                let fix = Fix::new("Delete the link", edit).safe();
                out.push(
                    Problem::new(Finding::warning(RULE.name, Location::new(doc.clone(), at), message)).with([fix]),
                );
            }
        }
    }
}
