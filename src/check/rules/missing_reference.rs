//! A name of a definition, machine, tileset, tile, level, constant, component or field that does not exist.

use crate::{
    check::{
        Fix, Problem, Rule,
        input::Input,
        references::{self, Missing},
    },
    edit::Edit,
    model::{CueKind, DocKind, FieldPath, FieldType, Finding, LayerContent, Location, Name, Seg, TuneCue, Value, mean},
};

pub(super) const RULE: Rule = Rule {
    name: "missing-reference",
    doc: "A name of a definition, machine, tileset, tile, level, constant, component or field that does not exist.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    placed(input, out);
    declared(input, out);
    called(input, out);
    layers(input, out);
    scenarios(input, out);
    stamps(input, out);
}

fn finding(location: Location, name: &str, missing: &Missing) -> Finding {
    let message = format!("there is no {} `{name}`", missing.noun);
    Finding::error(RULE.name, location, message).with_help(missing.advice())
}

/// Placed entities of a definition that does not exist: found by resolving.
fn placed(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let location = &finding.location;
        let place = || {
            let level = input.project.level(&location.doc)?;
            let (_, layer, [_, Seg::Key(id), _]) = level.layer_on(&location.path)? else { return None };
            Some((level, &layer.name, id, &level.entity(id)?.1.def))
        };
        let near = place().and_then(|(.., def)| input.near(def, input.resolution.def_docs.keys().map(|it| &**it)));
        let fix = || {
            let ((level, layer, id, _), def) = place().zip(near)?;
            let at = level.entity_at(&**layer, id).key("def");
            let edit = Edit::set_at(&location.doc, at, &Name::from(def));
            Some(Fix::new(format!("Make it one of {def}"), edit))
        };
        let finding = finding.clone().with_help(mean(near));
        out.push(Problem::new(with_place(input, &finding, DocKind::Entities)).with(fix()));
    }
}

/// The finding that something is missing, with the unreadable file that may declare it.
pub(super) fn with_place(input: &Input<'_>, finding: &Finding, kind: DocKind) -> Finding {
    let help = finding.help.clone().or_else(|| input.may_be_in(kind));
    finding.clone().with_help(help)
}

/// Names in the fields of definitions and placed entities.
fn declared(input: &Input<'_>, out: &mut Vec<Problem>) {
    references::declared_names(input, &mut |declared| {
        let Some(missing) = references::missing(input, declared.ty, declared.name) else { return };
        let fix = missing.near.as_ref().map(|near| Fix::new(format!("Use {near}"), declared.replaced_by(near)));
        out.push(Problem::new(finding(declared.location(), declared.name, &missing)).with(fix));
    });
}

/// Names in the arguments of calls.
fn called(input: &Input<'_>, out: &mut Vec<Problem>) {
    references::argument_names(input, &mut |argument| {
        let Some(missing) = references::missing(input, argument.ty, argument.name) else { return };
        let fix = missing.near.as_ref();
        let fix = fix.map(|near| Fix::new(format!("Use {near}"), argument.replaced_by(near)));
        out.push(Problem::new(finding(argument.location(), argument.name, &missing)).with(fix));
    });
}

/// Tilesets of tile layers.
fn layers(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            let LayerContent::Tiles(tiles) = &layer.content else { continue };
            let Some(missing) = references::missing(input, &FieldType::Tileset, &tiles.tileset) else { continue };
            let at = Location::new(doc.clone(), level.layer_at(i).key("tileset"));
            let fix = missing.near.as_deref().map(|near| {
                let at = level.layer_at(&*layer.name).key("tileset");
                Fix::new(format!("Use {near}"), Edit::set_at(doc, at, &Name::from(near)))
            });
            out.push(Problem::new(finding(at, &tiles.tileset, &missing)).with(fix));
        }
    }
}

/// Levels and constants of scenarios.
fn scenarios(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, scenario) in input.scenarios() {
        let mut look = |ty: &FieldType, name: &str, path: FieldPath| {
            let Some(missing) = references::missing(input, ty, name) else { return };
            let set = |near: &str| Edit::Set { doc: doc.clone(), at: path.clone(), data: Value::str(near).into() };
            let fix = missing.near.as_deref().map(|near| Fix::new(format!("Use {near}"), set(near)));
            out.push(Problem::new(finding(Location::new(doc.clone(), path), name, &missing)).with(fix));
        };
        look(&FieldType::Level, &scenario.level, FieldPath::keys(["level"]));
        for (i, cue) in scenario.script.iter().enumerate() {
            if let CueKind::Tune(TuneCue { name, .. }) = &cue.what {
                look(&FieldType::Tunable, name, FieldPath::keys(["script"]).index(i).key("tune"));
            }
        }
    }
}

/// Tilesets of stamps.
fn stamps(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, stamp) in input.stamps() {
        for (i, layer) in stamp.layers.iter().enumerate() {
            let Some(missing) = references::missing(input, &FieldType::Tileset, &layer.tileset) else { continue };
            let at = FieldPath::keys(["layers"]).index(i).key("tileset");
            let fix = missing.near.as_deref();
            let fix = fix.map(|near| Fix::new(format!("Use {near}"), Edit::set_at(doc, at.clone(), &Name::from(near))));
            out.push(Problem::new(finding(Location::new(doc.clone(), at.clone()), &layer.tileset, &missing)).with(fix));
        }
    }
}
