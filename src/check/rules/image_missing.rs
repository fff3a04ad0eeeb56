//! An image file that does not exist, or cannot be read.

use std::collections::BTreeSet;

use crate::{
    check::{Fix, Images, Problem, Rule, input::Input, references},
    edit::Edit,
    model::{DocPath, FieldPath, FieldType, Finding, ImageLayer, Layer, Level, Location, Name, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "image-missing",
    doc: "A sprite, tileset or layer shows an image that is not there or cannot be read.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let Some(images) = input.images else { return };
    references::declared_names(input, &mut |declared| {
        if *declared.ty == FieldType::Image {
            let path = DocPath::new(declared.name);
            out.extend(look(input, images, declared.location(), declared.name, path, |near| {
                Some(declared.replaced_by(near))
            }));
        }
    });
    for (doc, tileset) in input.tilesets() {
        let at = Location::new(doc.clone(), FieldPath::keys(["image"]));
        out.extend(look(input, images, at, &tileset.image, doc.beside(&tileset.image), |near| {
            // Relative to the tileset's own folder.
            let image = near.strip_prefix(doc.folder())?.strip_prefix('/')?.to_owned();
            Some(Edit::set_at(doc, FieldPath::keys(["image"]), &image))
        }));
    }
    for (doc, level) in input.levels() {
        for (i, layer, content) in image_layers(level) {
            let at = Location::new(doc.clone(), level.layer_at(i).key("image"));
            out.extend(look(input, images, at, &content.image, DocPath::new(&content.image), |near| {
                Some(Edit::set_at(doc, level.layer_at(&*layer.name).key("image"), &Name::from(near)))
            }));
        }
    }
}

fn image_layers(level: &Level) -> impl Iterator<Item = (usize, &Layer, &ImageLayer)> {
    level.all_layers().into_iter().enumerate().filter_map(|(i, layer)| Some((i, &**layer, layer.image()?)))
}

/// The images and sounds that anything names.
pub(in crate::check) fn named(input: &Input<'_>) -> BTreeSet<DocPath> {
    let mut all: BTreeSet<DocPath> = input.tilesets().filter_map(|(doc, tileset)| doc.beside(&tileset.image)).collect();
    let layers = input.levels().flat_map(|(_, level)| image_layers(level));
    all.extend(layers.filter_map(|(_, _, content)| DocPath::new(&content.image)));
    references::declared_names(input, &mut |declared| {
        if matches!(declared.ty, FieldType::Image | FieldType::Sound) {
            all.extend(DocPath::new(declared.name));
        }
    });
    references::argument_names(input, &mut |argument| {
        if *argument.ty == FieldType::Sound {
            all.extend(DocPath::new(argument.name));
        }
    });
    all
}

fn look(
    input: &Input<'_>,
    images: &Images,
    at: Location,
    declared: &str,
    path: Option<DocPath>,
    change: impl Fn(&str) -> Option<Edit>,
) -> Option<Problem> {
    let Some(path) = path else {
        let message = format!("`{declared}` is not a path inside the project");
        return Some(Problem::new(Finding::error(RULE.name, at, message)));
    };
    match images.get(&path) {
        Some(Ok(_)) if path.is_sound() => {
            let message = format!("`{path}` is a sound, not an image");
            Some(Problem::new(Finding::error(RULE.name, at, message)))
        }
        Some(Ok(_)) => None,
        Some(Err(why)) if why.is_empty() => None,
        Some(Err(why)) => {
            let message = format!("`{path}` cannot be read: {why}");
            Some(Problem::new(Finding::error(RULE.name, at, message)))
        }
        None => {
            let is_picture = |path: &DocPath| path.kind().is_none() && !path.is_sound();
            let pictures = images.iter().filter(|(path, _)| is_picture(path));
            let near = input.near(path.as_str(), pictures.map(|(path, _)| path.as_str()));
            let message = format!("there is no image `{path}`");
            let fix = near.and_then(|near| Some(Fix::new(format!("Use {near}"), change(near)?)));
            Some(Problem::new(Finding::error(RULE.name, at, message).with_help(mean(near))).with(fix))
        }
    }
}
