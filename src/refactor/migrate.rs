//! What to do with data that a changed schema leaves behind: renamed with what took its place, or removed.
//!
//! Invariant: only schemas are compared to tell what vanished, and only uses that are there are offered. Whether a word
//! was renamed cannot be known; what appeared in its place with the same shape is proposed, likeliest first.

use indexmap::IndexMap;

use crate::{
    edit::{Edit, TypedRefs, Word, uses},
    model::{Document, FieldSpec, Finding, Location, Name, Project, Schema, counted},
};

/// Something a schema declared and declares no more.
#[derive(Clone, Debug, PartialEq)]
pub struct Vanished {
    /// What it was.
    pub word: Word,
    /// New words of its kind that could be it, likeliest first.
    pub candidates: Vec<Name>,
}

/// A way to let the data follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Migration {
    /// What vanished.
    pub word: Word,
    /// What it becomes; `None` removes it.
    pub to: Option<Name>,
    /// The label of a button: `Rename Loot.gold to coins in 12 places`.
    pub label: String,
    /// The edits that do it, as one step.
    pub edits: Vec<Edit>,
    /// Every use.
    pub places: Vec<Location>,
}

impl Vanished {
    /// Whether a problem may be about it: quick to ask, so that what is long mended is not looked for again and again.
    #[must_use]
    pub fn may_explain(&self, finding: &Finding) -> bool {
        let name = match &self.word {
            Word::Component(name) | Word::Message(name) => name,
            Word::Field { field, .. } => field,
            Word::Enum { word, .. } => word,
        };
        finding.message.contains(&**name)
    }
}

/// What `new` declares no more that `old` did.
#[must_use]
pub fn vanished(old: &Schema, new: &Schema) -> Vec<Vanished> {
    let mut out = Vec::new();
    for (name, words) in &old.enums {
        let Some(now) = new.enums.get(name) else { continue };
        for (at, word) in words.iter().enumerate().filter(|(_, word)| !now.contains(word)) {
            let appeared = now.iter().enumerate().filter(|(_, it)| !words.contains(it));
            let candidates = likeliest(at, word, appeared.map(|(at, it)| (at, it, 0)));
            out.push(Vanished { word: Word::Enum { name: name.clone(), word: word.clone() }, candidates });
        }
    }
    let gone = old.components.iter().enumerate().filter(|(_, (name, _))| !new.components.contains_key(*name));
    for (at, (name, spec)) in gone {
        let appeared = new.components.iter().enumerate().filter(|(_, (it, _))| !old.components.contains_key(*it));
        let alike = appeared.filter_map(|(at, (it, other))| Some((at, it, alike(&spec.fields, &other.fields)?)));
        out.push(Vanished { word: Word::Component(name.clone()), candidates: likeliest(at, name, alike) });
    }
    for (component, spec) in &old.components {
        let Some(now) = new.components.get(component) else { continue };
        for (at, (field, spec_of)) in spec.fields.iter().enumerate() {
            if now.fields.contains_key(field) {
                continue;
            }
            let appeared = now.fields.iter().enumerate();
            let appeared = appeared.filter(|(_, (it, other))| !spec.fields.contains_key(*it) && other.ty == spec_of.ty);
            let candidates = likeliest(at, field, appeared.map(|(at, (it, _))| (at, it, 0)));
            let word = Word::Field { component: component.clone(), field: field.clone() };
            out.push(Vanished { word, candidates });
        }
    }
    let gone = old.messages.iter().enumerate().filter(|(_, (name, _))| !new.messages.contains_key(*name));
    for (at, (name, spec)) in gone {
        let appeared = new.messages.iter().enumerate().filter(|(_, (it, _))| !old.messages.contains_key(*it));
        let alike = appeared.filter_map(|(at, (it, other))| Some((at, it, alike(&spec.payload, &other.payload)?)));
        out.push(Vanished { word: Word::Message(name.clone()), candidates: likeliest(at, name, alike) });
    }
    out
}

/// How many fields two declarations do not share, if they share at least half of the larger one's.
fn alike(old: &IndexMap<Name, FieldSpec>, new: &IndexMap<Name, FieldSpec>) -> Option<usize> {
    let shared = old.iter().filter(|(name, spec)| new.get(*name).is_some_and(|other| other.ty == spec.ty)).count();
    let most = old.len().max(new.len());
    (shared * 2 >= most).then_some(most - shared)
}

/// Candidates by how little they differ, then by how far from the old place they stand, then by how their names differ.
fn likeliest<'n>(at: usize, name: &str, found: impl Iterator<Item = (usize, &'n Name, usize)>) -> Vec<Name> {
    let mut all: Vec<_> = found
        .map(|(place, it, differs)| (differs, place.abs_diff(at), strsim::damerau_levenshtein(name, it), it.clone()))
        .collect();
    all.sort();
    all.into_iter().map(|(.., name)| name).collect()
}

/// The ways to let a project follow what vanished. `schema` is what is declared now, the built-in words too. Nothing is
/// offered for unused names, nor for those declared again.
#[must_use]
pub fn migrations(vanished: &[Vanished], schema: &Schema, project: &Project) -> Vec<Migration> {
    let mut out = Vec::new();
    let schemas = project.documents.iter().filter(|(_, document)| matches!(&***document, Document::Schema(_)));
    // The last schema may be gone with its file; an edit has to name some document all the same.
    let doc = schemas.map(|(path, _)| path).chain(project.documents.keys()).next();
    let Some(doc) = doc else { return out };
    for Vanished { word, candidates } in vanished {
        if is_declared(schema, word) {
            continue;
        }
        let typed = TypedRefs::of(schema, word.kind());
        let places = uses(project, &word.to_string(), &typed);
        if places.is_empty() {
            continue;
        }
        let n = places.len();
        let count = counted(n, "place");
        let edit = |to: Option<&Name>| Edit::RewriteUses {
            doc: doc.clone(),
            word: word.clone(),
            to: to.cloned(),
            typed: typed.clone(),
        };
        let still = candidates.iter().filter(|to| is_declared(schema, &word.renamed((*to).clone())));
        for to in still {
            out.push(Migration {
                word: word.clone(),
                to: Some(to.clone()),
                label: format!("Rename {word} to {to} in {count}"),
                edits: vec![edit(Some(to))],
                places: places.clone(),
            });
        }
        // A handler of a removed message needs a decision by the user, so it is not removed.
        if !matches!(word, Word::Message(_)) {
            out.push(Migration {
                word: word.clone(),
                to: None,
                label: format!("Remove {word} from {count}"),
                edits: vec![edit(None)],
                places,
            });
        }
    }
    out
}

/// Whether a schema declares a word.
#[must_use]
pub fn is_declared(schema: &Schema, word: &Word) -> bool {
    match word {
        Word::Component(name) => schema.components.contains_key(name),
        Word::Field { component, field } => schema.field(component, field).is_some(),
        Word::Enum { name, word } => schema.enums.get(name).is_some_and(|words| words.contains(word)),
        Word::Message(name) => schema.messages.contains_key(name),
    }
}
