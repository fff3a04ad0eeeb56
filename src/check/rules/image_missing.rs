//! An image file that is not there, or cannot be read.

use crate::{
    check::{
        Images, Problem, Rule,
        input::{Input, mean},
        references,
    },
    model::{DocPath, FieldPath, FieldType, Finding, Location, OpKind, did_you_mean},
};

pub(super) const RULE: Rule = Rule {
    name: "image-missing",
    doc: "A sprite or tileset shows an image that is not there or cannot be read.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let Some(images) = input.images else { return };
    for speaker in &input.speakers {
        for op in [OpKind::Set, OpKind::Append] {
            for (component, fields) in speaker.ops.values(op).into_iter().flatten() {
                for (field, value) in fields {
                    let spec = input.schema().field(component, field).filter(|spec| references::may_name(&spec.ty));
                    let Some(spec) = spec else { continue };
                    let base = speaker.base.key(op.key()).key(component).key(field);
                    references::names(&spec.ty, value, &base, &mut |ty, name, path| {
                        if *ty == FieldType::Image {
                            let at = Location::new(speaker.owner.doc().clone(), path.clone());
                            out.extend(look(images, at, name, DocPath::new(name)));
                        }
                    });
                }
            }
        }
    }
    for (doc, tileset) in input.tilesets() {
        let at = Location::new(doc.clone(), FieldPath::keys(["image"]));
        out.extend(look(images, at, &tileset.image, references::beside(doc, &tileset.image)));
    }
}

fn look(images: &Images, at: Location, said: &str, path: Option<DocPath>) -> Option<Problem> {
    let Some(path) = path else {
        let message = format!("`{said}` is not a path inside the project");
        return Some(Problem::new(Finding::error(RULE.name, at, message)));
    };
    match images.get(&path) {
        Some(Some(_)) => None,
        Some(None) => {
            let message = format!("`{path}` cannot be read; it should be a PNG");
            Some(Problem::new(Finding::error(RULE.name, at, message)))
        }
        None => {
            let near = did_you_mean(path.as_str(), images.keys().map(DocPath::as_str));
            let message = format!("there is no image `{path}`");
            Some(Problem::new(Finding::error(RULE.name, at, message).with_help(mean(near))))
        }
    }
}
