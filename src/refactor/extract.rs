//! Extract a common parent: operations that several definitions share are declared once, in a new parent of theirs.
//!
//! Invariant: every definition keeps its resolved values. Of the ways to put the new parent in place, the first that
//! keeps that is taken: in place of the parents they have in common, in place of the first of these, beside them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::{Plan, proof::prove};
use crate::{
    defs::{RemovePath, Resolution},
    edit::{Edit, Refusal},
    model::{DocPath, EntityDef, Fields, Name, OpKind, Ops, Project, Value},
};

/// One operation entry that a definition declares itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// That it has a component, and no more about it.
    Has(Name),
    /// A value of a field by an operation.
    Field(OpKind, Name, Name),
    /// An entry of `remove`.
    Remove(String),
}

impl Word {
    /// As it is shown: `set Health.max`, `remove Shield`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Has(component) => component.to_string(),
            Self::Field(OpKind::Set, component, field) => format!("{component}.{field}"),
            Self::Field(op, component, field) => format!("{} {component}.{field}", op.key()),
            Self::Remove(entry) => format!("remove {entry}"),
        }
    }

    fn component(&self) -> Name {
        match self {
            Self::Has(component) | Self::Field(_, component, _) => component.clone(),
            Self::Remove(entry) => entry.split(['.', '[']).next().unwrap_or_default().trim().into(),
        }
    }
}

/// What to extract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extract {
    /// The definitions that get the new parent.
    pub children: Vec<Name>,
    /// The new parent's name.
    pub name: Name,
    /// What stays with the children although all share it.
    pub keep: BTreeSet<Word>,
}

/// Everything that all of some definitions say alike, with what they say, in the first one's order; what cannot be
/// moved because something before it stays is left out.
#[must_use]
pub fn alike(project: &Project, resolution: &Resolution, children: &[Name]) -> Vec<(Word, Option<Value>)> {
    let defs: Vec<&EntityDef> =
        children.iter().filter_map(|name| found(project, resolution, name)).map(|it| it.1).collect();
    movable(&defs, &BTreeSet::new())
}

fn found<'a>(project: &'a Project, resolution: &Resolution, name: &str) -> Option<(DocPath, &'a EntityDef)> {
    let doc = resolution.def_docs.get(name)?;
    project.def(doc, name).map(|def| (doc.clone(), &**def))
}

fn declares(ops: &Ops, word: &Word) -> bool {
    match word {
        Word::Has(component) => ops.set.get(component).is_some_and(IndexMap::is_empty),
        Word::Field(op, component, field) => ops.declared(*op, component, field).is_some(),
        Word::Remove(entry) => ops.remove.contains(entry),
    }
}

fn entries_of(ops: &Ops) -> Vec<(Word, Option<Value>)> {
    let mut out: Vec<(Word, Option<Value>)> = ops.remove.iter().map(|it| (Word::Remove(it.clone()), None)).collect();
    for op in OpKind::VALUED {
        for (component, fields) in ops.values(op).into_iter().flatten() {
            if fields.is_empty() && op == OpKind::Set {
                out.push((Word::Has(component.clone()), None));
            }
            let declared = |(field, value): (&Name, &Value)| {
                (Word::Field(op, component.clone(), field.clone()), Some(value.clone()))
            };
            out.extend(fields.iter().map(declared));
        }
    }
    out
}

/// The operations that all of them share and that may be applied before their other operations.
fn movable(defs: &[&EntityDef], keep: &BTreeSet<Word>) -> Vec<(Word, Option<Value>)> {
    let Some((first, others)) = defs.split_first() else { return Vec::new() };
    let is_alike = |(word, value): &(Word, Option<Value>)| {
        others.iter().all(|def| match (word, value) {
            (Word::Field(op, component, field), Some(value)) => {
                def.ops.declared(*op, component, field).is_some_and(|other| other == value)
            }
            _ => declares(&def.ops, word),
        })
    };
    let mut moved: Vec<(Word, Option<Value>)> =
        entries_of(&first.ops).into_iter().filter(|it| is_alike(it) && !keep.contains(&it.0)).collect();
    // Moved operations apply before those that stay: one whose predecessor stays has to stay as well, and so on.
    loop {
        let is_moved: BTreeSet<&Word> = moved.iter().map(|(word, _)| word).collect();
        let stays: BTreeSet<Word> = moved
            .iter()
            .filter(|(word, _)| defs.iter().any(|def| predecessors(&def.ops, word).any(|it| !is_moved.contains(&it))))
            .map(|(word, _)| word.clone())
            .collect();
        if stays.is_empty() {
            return moved;
        }
        moved.retain(|(word, _)| !stays.contains(word));
    }
}

/// The operations on the same component or field that apply before this one.
fn predecessors<'a>(ops: &'a Ops, word: &'a Word) -> impl Iterator<Item = Word> + 'a {
    let component = word.component();
    let removed = ops.remove.iter().map(|it| Word::Remove(it.clone())).filter(move |it| {
        // A component or field is removed before it is declared anew. Of two entries, the first applies first.
        let is_before = match word {
            Word::Remove(entry) => {
                let at = |entry: &str| ops.remove.iter().position(|it| it == entry);
                matches!(it, Word::Remove(it) if at(it) < at(entry))
            }
            _ => true,
        };
        is_before && it.component() == component && concerns(it, word)
    });
    let earlier = OpKind::VALUED.into_iter().filter_map(move |op| match word {
        Word::Field(by, component, field) if op < *by => {
            ops.declared(op, component, field).map(|_| Word::Field(op, component.clone(), field.clone()))
        }
        _ => None,
    });
    removed.chain(earlier)
}

/// Whether an entry of `remove` is about what a word is about.
fn concerns(removed: &Word, word: &Word) -> bool {
    let Word::Remove(entry) = removed else { return false };
    let Ok(path) = RemovePath::parse(entry) else { return true };
    match (path.field(), word) {
        (Some(taken), Word::Field(_, _, field)) => taken == field,
        (Some(taken), Word::Remove(entry)) => {
            RemovePath::parse(entry).map_or(true, |it| it.field().is_none_or(|field| field == taken))
        }
        (Some(_), Word::Has(_)) => false,
        (None, _) => true,
    }
}

fn put(ops: &mut Ops, word: &Word, value: Option<&Value>) {
    match (word, value) {
        (Word::Has(component), _) => _ = ops.set.entry(component.clone()).or_default(),
        (Word::Remove(entry), _) => ops.remove.push(entry.clone()),
        (Word::Field(op, component, field), Some(value)) => {
            if let Some(all) = ops.values_mut(*op) {
                all.entry(component.clone()).or_default().insert(field.clone(), value.clone());
            }
        }
        (Word::Field(..), None) => {}
    }
}

/// Take a word away, and the component's name with the last word about it.
fn take(ops: &mut Ops, word: &Word) {
    match word {
        Word::Has(component) => {
            if ops.set.get(component).is_some_and(Fields::is_empty) {
                ops.set.shift_remove(component);
            }
        }
        Word::Remove(entry) => ops.remove.retain(|it| it != entry),
        Word::Field(op, component, field) => {
            let Some(all) = ops.values_mut(*op) else { return };
            if let Some(fields) = all.get_mut(component) {
                fields.shift_remove(field);
                if fields.is_empty() {
                    all.shift_remove(component);
                }
            }
        }
    }
}

/// The plan that gives `what.children` a new abstract parent.
///
/// # Errors
/// Says why there is none: nothing is alike, the name is taken, or no definition would keep its values.
pub fn extract(project: &Project, resolution: &Resolution, what: &Extract) -> Result<Plan, Refusal> {
    let mut children: Vec<(DocPath, Name, &EntityDef)> = Vec::new();
    for name in &what.children {
        let missing = || Refusal::new(format!("there is no definition `{name}`"));
        let (doc, def) = found(project, resolution, name).ok_or_else(missing)?;
        if !children.iter().any(|(_, known, _)| known == name) {
            children.push((doc, name.clone(), def));
        }
    }
    let defs: Vec<&EntityDef> = children.iter().map(|(.., def)| *def).collect();
    let (Some((doc, first, _)), Some(first_def)) = (children.first(), defs.first()) else {
        return Err(Refusal::new("select the definitions to give a common parent"));
    };
    let related = |a: &Name, b: &Name| a != b && resolution.is_a(a, b);
    if let Some((a, b)) = what.children.iter().find_map(|a| Some((a, what.children.iter().find(|b| related(a, b))?))) {
        return Err(Refusal::new(format!("`{a}` inherits `{b}` already; select only one of them")));
    }
    let moved = movable(&defs, &what.keep);
    if moved.is_empty() {
        let who =
            if defs.len() == 1 { "it declares nothing that could be moved" } else { "they have nothing in common" };
        return Err(Refusal::new(who));
    }
    let no_removes: Vec<_> = moved.iter().filter(|(word, _)| !matches!(word, Word::Remove(_))).cloned().collect();
    let common: Vec<Name> =
        first_def.inherits.iter().filter(|it| defs.iter().all(|def| def.inherits.contains(it))).cloned().collect();
    let same_start = |n: usize| defs.iter().all(|def| def.inherits.get(..n) == first_def.inherits.get(..n));
    let n_start = (1..=first_def.inherits.len()).rev().find(|n| same_start(*n)).unwrap_or(0);
    let mut parents = vec![common, first_def.inherits[..n_start].to_vec(), Vec::new()];
    parents.dedup();
    let label = format!("Extract {} from {}", what.name, list(&what.children));
    let mut refusal = None;
    let variants = parents.iter().flat_map(|inherits| [(inherits, &moved), (inherits, &no_removes)]);
    for (inherits, moved) in variants {
        if moved.is_empty() {
            continue;
        }
        // Without their removals, what they remove first cannot be declared anew above them.
        let kept: BTreeSet<Word> = entries_of(&first_def.ops)
            .into_iter()
            .map(|(word, _)| word)
            .filter(|word| !moved.iter().any(|(it, _)| it == word))
            .collect();
        let moved = movable(&defs, &kept);
        let mut parent = EntityDef { is_abstract: true, inherits: inherits.clone(), ..EntityDef::default() };
        for (word, value) in &moved {
            put(&mut parent.ops, word, value.as_ref());
        }
        let mut edits =
            vec![Edit::PutDef { doc: doc.clone(), name: what.name.clone(), def: parent, before: Some(first.clone()) }];
        for (doc, name, def) in &children {
            let mut new = (*def).clone();
            new.inherits.retain(|it| !inherits.contains(it));
            new.inherits.insert(0, what.name.clone());
            for (word, _) in &moved {
                take(&mut new.ops, word);
            }
            edits.push(Edit::PutDef { doc: doc.clone(), name: name.clone(), def: new, before: None });
        }
        if resolution.def_docs.contains_key(&what.name) {
            return Err(Refusal::new(format!("there is already a definition `{}`", what.name)));
        }
        let plan = Plan { label: label.clone(), edits };
        match prove(project, resolution, &plan, &BTreeSet::new()) {
            Ok(_) => return Ok(plan),
            Err(why) => refusal = refusal.or(Some(why)),
        }
    }
    Err(refusal.unwrap_or_else(|| Refusal::new("they declare nothing that could be moved")))
}

/// `a, b and c`, or how many.
pub(super) fn list(names: &[Name]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        [a, b] => format!("{a} and {b}"),
        [a, b, c] => format!("{a}, {b} and {c}"),
        several => format!("{} definitions", several.len()),
    }
}
