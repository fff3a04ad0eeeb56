//! A breakable entity whose pieces are, or lead back to, its own definition: if the pieces break on falling, this never
//! ends.

use std::collections::BTreeSet;

use crate::{
    check::{Problem, Rule, input::Input},
    defs::Resolution,
    edit::Owner,
    model::{FieldPath, Finding, Location, Value},
};

pub(super) const RULE: Rule =
    Rule { name: "endless-pieces", doc: "What breaks falls into pieces that lead back to itself.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (declarer, declared) in input.declared("Breakable") {
        let Owner::Def { doc, name } = &declarer.owner else { continue };
        let Some(pieces) = declared.fields.get("pieces").and_then(Value::as_list) else { continue };
        for (i, piece) in pieces.iter().enumerate() {
            let Some(piece) = piece.as_str().filter(|piece| leads_to(input.resolution, piece, name)) else { continue };
            let text = if *piece == **name {
                format!("`{name}` breaks into itself, and so without end")
            } else {
                format!("`{name}` breaks into `{piece}`, which leads back to it, and so without end")
            };
            let at = declarer.at(declared.op, declared.component);
            let at = at.join(&FieldPath::keys(["pieces"]).index(i));
            out.push(Problem::new(Finding::warning(RULE.name, Location::new(doc.clone(), at), text)));
        }
    }
}

/// Whether a definition is `to`, or breaks into it directly or through others.
fn leads_to(resolution: &Resolution, from: &str, to: &str) -> bool {
    let (mut open, mut seen) = (vec![from], BTreeSet::new());
    while let Some(name) = open.pop() {
        if name == to {
            return true;
        }
        if seen.insert(name) {
            let pieces = resolution.defs.get(name).and_then(|def| def.get("Breakable", "pieces")?.as_list());
            open.extend(pieces.unwrap_or_default().iter().filter_map(Value::as_str));
        }
    }
    false
}
