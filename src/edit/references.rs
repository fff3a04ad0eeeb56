//! Which names the schema's types say stand where, and writing a name anew wherever it is used: what an edit that
//! renames carries with it, since the built-in schema is in no document.
//!
//! Invariant: what does not use the name keeps its `Arc`. Where names stand is found by `walk`, a place is changed by
//! `model::reflect`; states, which are addressed within a machine, are `states`' own.

use std::{collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    name_types::Types,
    names::{RefKind, Spelling, Use},
    walk::uses_in,
};
use crate::model::{
    DocPath, Document, FieldPath, Location, Name, Project, RemovePath, RemoveStep, Schema, Value,
    reflect::{Reflect, drop_at, place_mut, rekey_at, write_at},
};

/// Which values hold names of a kind: what of the schema a rename needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypedRefs {
    /// The kind of name.
    pub kind: RefKind,
    types: Types,
    /// The components, where a name may be one of theirs first: `Page.name` looks like `Component.field`.
    components: BTreeSet<Name>,
}

impl TypedRefs {
    /// Where values hold names of a kind, by `schema` (the built-in one with the project's merged in).
    #[must_use]
    pub fn of(schema: &Schema, kind: RefKind) -> Self {
        let mut components = BTreeSet::new();
        if matches!(kind, RefKind::Tunable | RefKind::Page) {
            components.extend(schema.components.keys().cloned());
        }
        Self { kind, types: Types::of(schema, kind), components }
    }

    /// No typed uses: only those by structure are followed.
    #[must_use]
    pub fn none(kind: RefKind) -> Self {
        Self { kind, types: Types::default(), components: BTreeSet::new() }
    }
}

/// A use, kept.
struct Kept {
    path: FieldPath,
    at_key: bool,
    part: std::ops::Range<usize>,
    spelling: Spelling,
}

/// One name that is looked for. It is written as its kind is: `tileset/name` for a tile, `Page.name` for a constant.
struct Wanted<'a> {
    typed: &'a TypedRefs,
    of: &'a str,
    name: &'a str,
    /// Whether ambiguous text refers to it.
    is_meant: bool,
}

impl<'a> Wanted<'a> {
    fn new(project: &Project, name: &'a str, typed: &'a TypedRefs) -> Self {
        let is_meant = match typed.kind {
            RefKind::Tag => !project.documents.values().any(|doc| match &**doc {
                Document::Entities(file) => file.defs.contains_key(name),
                Document::Level(level) => level.has_id(name),
                _ => false,
            }),
            RefKind::Page => !typed.components.contains(name),
            _ => !typed.components.contains(typed.kind.parts(name).0),
        };
        let (of, name) = typed.kind.parts(name);
        Self { typed, of, name, is_meant }
    }

    fn each(&self, document: &Document, meet: &mut dyn FnMut(&Use<'_>)) {
        uses_in(document.root(), &self.typed.types, &mut |it| {
            let is_it = it.kind == self.typed.kind && it.name == self.name && it.of == self.of;
            if is_it && (it.is_sure || self.is_meant) {
                meet(it);
            }
        });
    }

    fn is_used_in(&self, document: &Document) -> bool {
        let mut found = false;
        self.each(document, &mut |_| found = true);
        found
    }

    /// Write `to` at every use, or remove the uses.
    fn rewrite(&self, project: &mut Project, to: Option<&str>) {
        for doc in project.documents.values_mut() {
            let mut found: Vec<Kept> = Vec::new();
            self.each(doc, &mut |it| {
                found.push(Kept::of(it));
            });
            // Text that reads a field of a deleted thing: the user has to decide, so it is not removed.
            let is_text = |it: &Kept| !it.at_key && self.typed.kind != RefKind::Word;
            if to.is_none() && matches!(&**doc, Document::Machines(_)) {
                found.retain(|it| !is_text(it));
            }
            if found.is_empty() {
                continue;
            }
            rewrite_in(Arc::make_mut(doc).root_mut(), found, self.name, to);
        }
    }
}

/// Write another name at uses of one, or take out what has it.
fn rewrite_in(root: &mut dyn Reflect, mut found: Vec<Kept>, from: &str, to: Option<&str>) {
    // From behind, so that paths and bytes stay what they are: what is inside comes after what it is in.
    let Some(to) = to else {
        // An entry can hold several uses; it is taken out once.
        found.dedup_by(|a, b| a.path == b.path);
        for (last, parent) in found.iter().rev().filter_map(|it| it.path.0.split_last()) {
            place_mut(root, parent).into_iter().for_each(|place| drop_at(place, last));
        }
        return;
    };
    // Keys last: where two become one, what the one held moves, and the paths into it are no more.
    let (keys, texts): (Vec<&Kept>, Vec<&Kept>) = found.iter().rev().partition(|it| it.at_key);
    texts.into_iter().chain(keys).for_each(|it| it.write(root, from, to));
}

impl Kept {
    fn of(it: &Use<'_>) -> Self {
        Self { path: it.path.clone(), at_key: it.at_key, part: it.part.clone(), spelling: it.spelling }
    }

    fn write(&self, root: &mut dyn Reflect, from: &str, to: &str) {
        if self.at_key {
            let place = self.path.parent().and_then(|parent| place_mut(root, &parent.0));
            place.into_iter().for_each(|place| rekey_at(place, from, to));
            return;
        }
        let quoted = Value::str(to).to_string();
        let new = match self.spelling {
            Spelling::Plain => to,
            Spelling::Quoted => quoted.trim_start_matches('"').strip_suffix('"').unwrap_or(to),
            Spelling::Bare if is_bare(to) => to,
            Spelling::Bare => &quoted,
        };
        let place = place_mut(root, &self.path.0);
        place.into_iter().for_each(|place| write_at(place, self.part.clone(), new));
    }
}

/// Whether a name can stand in brackets without quotes.
fn is_bare(name: &str) -> bool {
    let is_word =
        |path: RemovePath| matches!(path.steps.last(), Some(RemoveStep::Item(Value::Symbol(word))) if **word == *name);
    RemovePath::parse(&format!("C.f[{name}]")).is_ok_and(is_word)
}

/// Replace a name wherever it is used.
pub(super) fn rename(project: &mut Project, from: &str, to: &str, typed: &TypedRefs) {
    rewrite(project, from, Some(to), typed);
}

/// Replace a name wherever it is used, or remove its uses.
pub(super) fn rewrite(project: &mut Project, from: &str, to: Option<&str>, typed: &TypedRefs) {
    let to = to.map(|to| typed.kind.parts(to).1);
    Wanted::new(project, from, typed).rewrite(project, to);
}

/// The project with every use of a name replaced, but not its declaration: the differences between the two are its
/// uses. Names are written as in [`TypedRefs`]'s kind.
#[must_use]
pub fn uses_renamed(project: &Project, from: &str, to: &str, typed: &TypedRefs) -> Project {
    let mut after = project.clone();
    rename(&mut after, from, to, typed);
    after
}

/// Whether anything uses a name.
#[must_use]
pub fn is_used(project: &Project, name: &str, typed: &TypedRefs) -> bool {
    let wanted = Wanted::new(project, name, typed);
    project.documents.values().any(|doc| wanted.is_used_in(doc))
}

/// Every place that uses a name.
#[must_use]
pub fn uses(project: &Project, name: &str, typed: &TypedRefs) -> Vec<Location> {
    let wanted = Wanted::new(project, name, typed);
    let mut out = Vec::new();
    for (doc, document) in &project.documents {
        wanted.each(document, &mut |it| {
            out.push(Location { at_key: it.at_key, ..Location::new(doc.clone(), it.path.clone()) });
        });
    }
    out
}

/// Call `meet` for every use of names of a kind that is surely one, with the document.
pub fn all_uses(project: &Project, typed: &TypedRefs, meet: &mut dyn FnMut(&DocPath, &Use<'_>)) {
    for (doc, document) in &project.documents {
        uses_in(document.root(), &typed.types, &mut |it| {
            if it.kind == typed.kind && it.is_sure && !it.name.is_empty() {
                meet(doc, it);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    //! A record that only this test declares is renamed through like every other.
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

    use indexmap::IndexMap;

    use super::*;
    use crate::model::{Call, Condition, FieldType, reflect::describe};

    describe! {
        /// A wave of enemies.
        #[derive(Clone, Debug, Default, PartialEq)]
        struct Wave: "a wave" {
            /// The definition that arrives.
            def: Name = "".into() => names(&FieldType::Def),
            /// The target to follow.
            after: Option<String> = None => names(&FieldType::Target),
            /// Whether it comes.
            guard: Option<Condition> = None,
            /// The actions on receiving it.
            on: IndexMap<Name, u32> = IndexMap::new() => keys(&FieldType::Message),
        }
    }

    fn renamed(wave: &Wave, kind: RefKind, from: &str, to: Option<&str>) -> (Wave, Vec<String>) {
        let (mut wave, mut found) = (wave.clone(), Vec::new());
        uses_in(&wave, &Types::of(&Schema::default(), kind), &mut |it| {
            if it.kind == kind && it.name == from {
                found.push(Kept::of(it));
            }
        });
        let places = found.iter().map(|it| it.path.to_string()).collect();
        rewrite_in(&mut wave, found, from, to);
        (wave, places)
    }

    #[test]
    fn declared_names_are_found_renamed_and_taken_out() {
        let wave = Wave {
            def: "goblin".into(),
            after: Some("def:goblin".into()),
            guard: None,
            on: [("Bell".into(), 1), ("Go".into(), 2)].into(),
        };
        let (after, places) = renamed(&wave, RefKind::Def, "goblin", Some("orc"));
        assert_eq!(places, ["def", "after"]);
        assert_eq!((&*after.def, after.after.as_deref()), ("orc", Some("def:orc")));
        let (after, places) = renamed(&wave, RefKind::Message, "Bell", Some("Gong"));
        assert_eq!(places, ["on.Bell"]);
        assert_eq!(after.on.keys().map(|key| &**key).collect::<Vec<_>>(), ["Gong", "Go"], "where it stood");
        let (after, _) = renamed(&wave, RefKind::Message, "Bell", None);
        assert_eq!(after.on.len(), 1);
        let mut asked = Call::new("IsNear");
        asked.args.insert("of".into(), Value::str("player"));
        let wave = Wave { guard: Some(Condition::Call(asked)), ..wave };
        let (after, places) = renamed(&wave, RefKind::ConditionArg, "of", Some("who"));
        assert_eq!(places, ["guard.of"]);
        let Some(Condition::Call(asked)) = after.guard else { panic!("a call") };
        assert!(asked.args.contains_key("who"), "in an option, too");
    }
}
