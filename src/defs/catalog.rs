//! Names to documents, for every kind but definitions; the merged vocabulary; the tuning pages. A name declared twice
//! within its kind is an error at every place that declares it.
//!
//! Invariant: a part is made anew only when a document it is made of changed, and keeps its pointers otherwise.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use indexmap::IndexMap;

use crate::model::{
    Builtin, DocKind, DocPath, Document, FieldPath, FieldsOf, Finding, Location, Name, Project, Schema, Tunable,
};

use super::{NameMap, vocabulary::Vocabulary};

/// A tuning page with built-in values and the project's merged.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedPage {
    /// Its name.
    pub name: Name,
    /// Its place among the pages.
    pub order: i64,
    /// Constants in order, with the document that declares the value; `None` when it is the built-in default.
    pub values: Vec<(Name, Tunable, Option<DocPath>)>,
}

/// A document that is not what it was.
pub(super) struct ChangedDocument<'a> {
    pub path: &'a DocPath,
    pub old: Option<&'a Arc<Document>>,
    pub new: Option<&'a Arc<Document>>,
}

impl ChangedDocument<'_> {
    /// Whether a document of a kind came, went or is no longer the same.
    fn is_of(&self, kind: DocKind) -> bool {
        self.old.is_some_and(|doc| doc.kind() == kind) || self.new.is_some_and(|doc| doc.kind() == kind)
    }

    /// Whether a document of a kind came or went.
    fn moves(&self, kind: DocKind) -> bool {
        self.old.is_some_and(|doc| doc.kind() == kind) != self.new.is_some_and(|doc| doc.kind() == kind)
    }

    /// Whether the machines named in a document are others than before.
    fn renames_machines(&self) -> bool {
        fn names(doc: Option<&Arc<Document>>) -> Option<impl Iterator<Item = &Name>> {
            match doc.map(|doc| &**doc) {
                Some(Document::Machines(file)) => Some(file.machines.keys()),
                _ => None,
            }
        }
        match (names(self.old), names(self.new)) {
            (None, None) => false,
            (Some(old), Some(new)) => !old.eq(new),
            _ => true,
        }
    }
}

/// Everything named but definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct Catalog {
    pub vocabulary: Arc<Vocabulary>,
    pub machines: Names,
    pub tilesets: Names,
    pub levels: Names,
    pub scenarios: Names,
    pub stamps: Names,
    pub pages: Vec<Arc<ResolvedPage>>,
    schema_findings: Arc<[Finding]>,
    page_findings: Arc<[Finding]>,
}

/// The names of a kind, and what is wrong with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub docs: NameMap<DocPath>,
    findings: Arc<[Finding]>,
}

impl Catalog {
    /// The catalog of `project`, from the one before `changes`. `anew`: the built-in part changed, or there is none
    /// before.
    pub(super) fn update(
        &self,
        project: &Project,
        builtin: &Builtin,
        changes: &[ChangedDocument<'_>],
        anew: bool,
    ) -> Self {
        let any = |test: &dyn Fn(&ChangedDocument<'_>) -> bool| changes.iter().any(test);
        let mut next = self.clone();
        if anew || any(&|change| change.is_of(DocKind::Schema)) {
            (next.vocabulary, next.schema_findings) = vocabulary(project, builtin);
        }
        if anew || any(&|change| change.is_of(DocKind::Tuning)) {
            (next.pages, next.page_findings) = pages(project, builtin);
        }
        if any(&|change| change.renames_machines()) {
            next.machines = machines(project);
        }
        let kinds = [
            (DocKind::Level, "level", &mut next.levels),
            (DocKind::Tileset, "tileset", &mut next.tilesets),
            (DocKind::Scenario, "scenario", &mut next.scenarios),
            (DocKind::Stamp, "stamp", &mut next.stamps),
        ];
        for (kind, noun, names) in kinds {
            if any(&|change| change.moves(kind)) {
                *names = by_stem(project, kind, noun);
            }
        }
        next
    }

    /// What is wrong with the names.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        let names = [&self.machines, &self.tilesets, &self.levels, &self.scenarios, &self.stamps];
        let names = names.into_iter().flat_map(|names| names.findings.iter());
        names.chain(self.schema_findings.iter()).chain(self.page_findings.iter())
    }
}

/// An error at each of several places that declare one name.
pub(super) fn duplicates(noun: &str, name: &str, places: &[Location]) -> Vec<Finding> {
    let others = |i: usize| {
        let others = places.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, place)| format!("`{}`", place.doc));
        others.collect::<Vec<_>>().join(" and ")
    };
    let finding = |(i, place): (usize, &Location)| {
        let message = format!("{noun} `{name}` is also in {}; a name is unique within its kind", others(i));
        let help = if i == 0 { "this one is used" } else { "rename one of them; the first is used" };
        Finding::error("duplicate-name", place.clone(), message).with_help(help.to_owned())
    };
    places.iter().enumerate().map(finding).collect()
}

/// Names with their places: the first is used, several are an error.
fn gather(noun: &str, declared: impl Iterator<Item = (Name, Location)>) -> Names {
    let mut places: BTreeMap<Name, Vec<Location>> = BTreeMap::new();
    for (name, place) in declared {
        places.entry(name).or_default().push(place);
    }
    let findings = places.iter().filter(|(_, places)| places.len() > 1);
    let findings = findings.flat_map(|(name, places)| duplicates(noun, name, places)).collect();
    let first = |(name, places): (Name, Vec<Location>)| Some((name, places.into_iter().next()?.doc));
    Names { docs: places.into_iter().filter_map(first).collect(), findings }
}

fn by_stem(project: &Project, kind: DocKind, noun: &str) -> Names {
    let docs = project.documents.iter().filter(|(_, doc)| doc.kind() == kind);
    gather(noun, docs.map(|(path, _)| (path.stem().into(), Location::doc(path.clone()))))
}

fn machines(project: &Project) -> Names {
    let files = project.documents.iter().filter_map(|(path, doc)| match &**doc {
        Document::Machines(file) => Some((path, file)),
        _ => None,
    });
    let declared = files.flat_map(|(path, file)| {
        let place = |name: &Name| Location::key(path.clone(), FieldPath::keys([name]));
        file.machines.keys().map(move |name| (name.clone(), place(name)))
    });
    gather("machine", declared)
}

fn schemas(project: &Project) -> impl Iterator<Item = (&DocPath, &Schema)> {
    project.documents.iter().filter_map(|(path, doc)| match &**doc {
        Document::Schema(schema) => Some((path, schema)),
        _ => None,
    })
}

/// The merged schema, and an error for whatever two files of the game both declare.
fn vocabulary(project: &Project, builtin: &Builtin) -> (Arc<Vocabulary>, Arc<[Finding]>) {
    let mut merged = builtin.schema.clone();
    let mut origins: HashMap<(Name, Name), Location> = HashMap::new();
    let mut places: BTreeMap<(&str, String), Vec<Location>> = BTreeMap::new();
    for (path, schema) in schemas(project) {
        merged.merge(schema);
        let mut says = |noun, section: &str, name: &Name| {
            let place = Location::key(path.clone(), FieldPath::keys([section, name]));
            places.entry((noun, name.to_string())).or_default().push(place);
        };
        schema.enums.keys().for_each(|name| says("enum", "enums", name));
        schema.messages.keys().for_each(|name| says("message", "messages", name));
        schema.conditions.keys().for_each(|name| says("condition", "conditions", name));
        schema.actions.keys().for_each(|name| says("action", "actions", name));
        for of in FieldsOf::ALL {
            for name in of.specs(schema).keys() {
                let place = Location::key(path.clone(), FieldPath::keys([of.section(), name]));
                places.entry(("custom field", format!("{}.{name}", of.noun()))).or_default().push(place);
            }
        }
        for (component, spec) in &schema.components {
            for (field, spec) in &spec.fields {
                let at = FieldPath::keys(["components", component, "fields", field]);
                let place = Location::key(path.clone(), at.clone());
                places.entry(("field", format!("{component}.{field}"))).or_default().push(place);
                let at = if spec.default.is_some() { at.key("default") } else { at };
                origins.insert((component.clone(), field.clone()), Location::new(path.clone(), at));
            }
        }
    }
    let findings = places.iter().filter(|(_, places)| places.len() > 1);
    let findings = findings.flat_map(|((noun, name), places)| duplicates(noun, name, places)).collect();
    let origin = |component: &Name, field: &Name| origins.get(&(component.clone(), field.clone())).cloned();
    (Arc::new(Vocabulary::new(Arc::new(merged), origin)), findings)
}

/// Tuning pages in the order they are shown: a project's page of a built-in name gives values to it, and may add more.
fn pages(project: &Project, builtin: &Builtin) -> (Vec<Arc<ResolvedPage>>, Arc<[Finding]>) {
    let declared: Vec<_> = project
        .documents
        .iter()
        .filter_map(|(path, doc)| if let Document::Tuning(page) = &**doc { Some((path, page)) } else { None })
        .collect();
    let names = gather(
        "tuning page",
        declared
            .iter()
            .map(|(path, page)| (page.page.clone(), Location::new((*path).clone(), FieldPath::keys(["page"])))),
    );
    let mut pages: IndexMap<Name, ResolvedPage> = IndexMap::new();
    for page in &builtin.tuning {
        let values = page.values.iter().map(|(name, tunable)| (name.clone(), tunable.clone(), None)).collect();
        pages.insert(page.page.clone(), ResolvedPage { name: page.page.clone(), order: page.order, values });
    }
    for (path, page) in declared {
        if names.docs.get(&*page.page) != Some(path) {
            continue;
        }
        let fresh = || ResolvedPage { name: page.page.clone(), order: page.order, values: Vec::new() };
        let mine = pages.entry(page.page.clone()).or_insert_with(fresh);
        if page.order != 0 {
            mine.order = page.order;
        }
        for (name, tunable) in &page.values {
            match mine.values.iter_mut().find(|(n, ..)| n == name) {
                Some((_, old, doc)) => {
                    *old = over(old, tunable);
                    *doc = Some(path.clone());
                }
                None => mine.values.push((name.clone(), tunable.clone(), Some(path.clone()))),
            }
        }
    }
    let mut pages: Vec<_> = pages.into_values().map(Arc::new).collect();
    pages.sort_by(|a, b| (a.order, &a.name).cmp(&(b.order, &b.name)));
    (pages, names.findings)
}

/// A project's override of a built-in constant: its value, and whatever else it declares.
fn over(builtin: &Tunable, declared: &Tunable) -> Tunable {
    Tunable {
        value: declared.value.clone(),
        min: declared.min.or(builtin.min),
        max: declared.max.or(builtin.max),
        step: declared.step.or(builtin.step),
        unit: declared.unit.clone().or_else(|| builtin.unit.clone()),
        doc: if declared.doc.is_empty() { builtin.doc.clone() } else { declared.doc.clone() },
        response: declared.response.clone().or_else(|| builtin.response.clone()),
    }
}
