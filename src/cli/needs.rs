//! What of a project an answer depends on: what of that cannot be read, and the problems of it.
//!
//! Invariant: what an answer does not depend on changes nothing about it; its problems are counted, and listed by
//! `check`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    project::{Open, is_below},
    report::CommandReport,
};
use crate::{
    defs::Resolved,
    io::report::Reported,
    model::{
        DocKind, DocPath, Finding, Layer, LayerContent, LayerLook, Level, Location, Name, Seg, Severity, Value, counted,
    },
    sim::{TraceEvent, TraceKind, World},
};

/// What an answer needs, and what of it is not there.
pub(super) struct Needs<'a> {
    open: &'a Open,
    /// Lines for standard error.
    lacks: BTreeSet<String>,
    documents: BTreeSet<DocPath>,
    /// Kinds of document of which each is needed.
    kinds: BTreeSet<DocKind>,
    /// Kinds of which something is not there: it may be in any that cannot be read.
    absent: BTreeSet<DocKind>,
    definitions: BTreeSet<Name>,
    /// The definitions and what they inherit from.
    lineage: BTreeSet<Name>,
    machines: BTreeSet<Name>,
    images: BTreeSet<DocPath>,
}

impl<'a> Needs<'a> {
    pub(super) fn new(open: &'a Open) -> Self {
        Self {
            open,
            lacks: BTreeSet::new(),
            documents: BTreeSet::new(),
            kinds: BTreeSet::new(),
            absent: BTreeSet::new(),
            definitions: BTreeSet::new(),
            lineage: BTreeSet::new(),
            machines: BTreeSet::new(),
            images: BTreeSet::new(),
        }
    }

    /// Add what was lacking to a report, which then is incomplete.
    pub(super) fn add_to(&self, report: &mut CommandReport) {
        report.failed |= !self.lacks.is_empty();
        report.notes.extend(self.lacks.iter().map(|lack| format!("incomplete: {lack}")));
    }

    /// The problems of what is needed.
    pub(super) fn problems(&self) -> Vec<Reported> {
        self.open.problems_where(|at| self.has(at))
    }

    /// What a run found wrong with what is needed. Hints are left out: they repeat those of `check` for each use.
    pub(super) fn found_by<'w>(&self, world: &'w World) -> impl Iterator<Item = &'w Finding> {
        // Every machine of the project is compiled; only those that may run matter.
        let matters = |at: &Location| at.doc.kind() != Some(DocKind::Machines) || self.has(at);
        let all = world.findings().iter().filter(|finding| finding.severity > Severity::Hint);
        all.filter(move |finding| matters(&finding.location))
    }

    /// A note that counts the problems that are not in the report, which has those of what is needed.
    pub(super) fn count_others(&self, report: &mut CommandReport) {
        let mut others: BTreeMap<Severity, usize> = BTreeMap::new();
        for finding in self.open.every_finding().filter(|finding| !self.has(&finding.location)) {
            *others.entry(finding.severity).or_default() += 1;
        }
        others.remove(&Severity::Hint);
        let others: Vec<String> = others.iter().rev().map(|(of, n)| counted(*n, &of.to_string())).collect();
        if !others.is_empty() {
            report.notes.push(format!("elsewhere in the project: {}; see `levelwright check`", others.join(", ")));
        }
    }

    /// Whether something at a place is needed.
    fn has(&self, at: &Location) -> bool {
        let (doc, kind) = (&at.doc, at.doc.kind());
        if self.documents.contains(doc) || kind.is_some_and(|kind| self.kinds.contains(&kind)) {
            return true;
        }
        if self.open.is_unread(doc) || kind.is_none() {
            let may_have = |absent: &DocKind| kind == Some(*absent) || doc.as_str() == absent.folder();
            return self.absent.iter().any(may_have) || self.images.iter().any(|image| is_image_at(image, doc));
        }
        let resolution = &self.open.resolution;
        let (docs, needed) = match kind {
            Some(DocKind::Entities) => (&resolution.def_docs, &self.lineage),
            Some(DocKind::Machines) => (&resolution.machines, &self.machines),
            _ => return false,
        };
        match at.path.0.first() {
            Some(Seg::Key(name)) => needed.contains(name) && docs.get(name) == Some(doc),
            // About the file.
            _ => needed.iter().any(|name| docs.get(name) == Some(doc)),
        }
    }

    /// A document is needed.
    pub(super) fn document(&mut self, doc: &DocPath) {
        self.documents.insert(doc.clone());
    }

    /// Every document of a kind is needed.
    pub(super) fn every(&mut self, kind: DocKind) {
        self.kinds.insert(kind);
    }

    /// An image was needed and could not be read.
    pub(super) fn image(&mut self, path: &str, why: &str) {
        self.images.extend(DocPath::new(path));
        self.lacks.insert(format!("the image `{path}`: {why}"));
    }

    /// Something that a document of this kind would have is not there.
    fn absent(&mut self, what: String, kind: DocKind) {
        let files = self.open.sources.files();
        let unread = files.iter().find(|(path, source)| path.kind() == Some(kind) && source.document.is_none());
        let may_have = unread.map(|(path, _)| format!("; `{path}` cannot be read and may have it"));
        self.lacks.insert(what + &may_have.unwrap_or_default());
        self.absent.insert(kind);
    }

    /// The tilesets of a level's layers.
    fn tilesets(&mut self, level: &Level, is_wanted: impl Fn(&Layer, LayerLook) -> bool) {
        for layer in level.looks().into_iter().filter(|(layer, look)| is_wanted(layer, *look)).map(|(layer, _)| layer) {
            let LayerContent::Tiles(content) = &layer.content else { continue };
            let doc = self.open.resolution.tilesets.get(&content.tileset);
            self.documents.extend(doc.cloned());
            if doc.and_then(|doc| self.open.project.tileset(doc)).is_none() {
                self.absent(format!("there is no tileset `{}`", content.tileset), DocKind::Tileset);
            }
        }
    }

    /// What cells are solid: every layer that collides.
    pub(super) fn ground(&mut self, level: &Level) {
        self.tilesets(level, |layer, _| matches!(&layer.content, LayerContent::Tiles(tiles) if tiles.collide));
    }

    /// A definition and everything it inherits from.
    fn definition(&mut self, name: &Name) {
        if !self.definitions.insert(name.clone()) {
            return;
        }
        self.lineage.extend(self.open.lineage(vec![name.clone()]));
        let resolution = &self.open.resolution;
        let whole = |resolved: &Resolved| !resolved.order.iter().any(|name| resolution.is_incomplete(name));
        match resolution.defs.get(name) {
            None => self.absent(format!("there is no definition `{name}`"), DocKind::Entities),
            Some(resolved) if !whole(resolved) => {
                self.absent(format!("the definition `{name}` lacks an ancestor"), DocKind::Entities);
            }
            Some(_) => {}
        }
    }

    /// What is seen of a level before anything moves.
    pub(super) fn picture(&mut self, level: &Level) {
        self.every(DocKind::Project);
        self.every(DocKind::Schema);
        self.tilesets(level, |_, look| look.visible);
        self.placed(level, |_, look| look.visible);
    }

    /// The definitions of placed entities.
    fn placed(&mut self, level: &Level, is_wanted: impl Fn(&Layer, LayerLook) -> bool) {
        for layer in level.looks().into_iter().filter(|(layer, look)| is_wanted(layer, *look)).map(|(layer, _)| layer) {
            let LayerContent::Entities(entities) = &layer.content else { continue };
            entities.values().for_each(|instance| self.definition(&instance.def));
        }
    }

    /// The machines of an entity, and what they name.
    fn machines(&mut self, resolved: &Resolved) {
        for field in ["machines", "queue"] {
            let listed = resolved.get("Brain", field).and_then(Value::as_list).unwrap_or_default();
            listed.iter().filter_map(Value::as_str).for_each(|name| self.machine(name));
        }
    }

    fn machine(&mut self, name: &str) {
        let Some(doc) = self.open.resolution.machines.get(name) else {
            return self.absent(format!("there is no machine `{name}`"), DocKind::Machines);
        };
        if self.machines.insert(name.into()) {
            self.named_in(doc);
        }
    }

    /// What a document names and the project does not have.
    fn named_in(&mut self, doc: &DocPath) {
        let is_lack = |it: &&Finding| *it.rule == *"missing-reference" && it.severity == Severity::Error;
        let lacks = self.open.every_finding().filter(|it| is_lack(it) && it.location.doc == *doc);
        self.lacks.extend(lacks.map(|it| format!("{doc}: {}", it.message)));
    }

    /// What a run of a level depends on, as far as that is known at its first moment.
    pub(super) fn run(&mut self, doc: &DocPath, world: &World) {
        self.rules();
        self.document(doc);
        if let Some(level) = self.open.project.level(doc) {
            self.ground(level);
            self.placed(level, |_, _| true);
        }
        self.entities(world);
    }

    /// What the entities of a running world depend on, those that came since its first moment too.
    pub(super) fn entities(&mut self, world: &World) {
        for view in world.entities() {
            self.definition(view.def);
            self.machines(view.resolved);
        }
    }

    /// What an event of a run depends on: its entity and machine may be gone when the run ends.
    pub(super) fn event(&mut self, event: &TraceEvent) {
        if let TraceKind::Spawn { def } = &event.kind {
            self.definition(def);
            if let Some(resolved) = self.open.resolution.defs.get(def) {
                self.machines(resolved);
            }
        }
        if let Some(machine) = event.machine.as_deref().filter(|name| !self.machines.contains(*name)) {
            self.machine(machine);
        }
    }

    /// What any run depends on: how the game is seen, its constants and its vocabulary.
    fn rules(&mut self) {
        let rules = [DocKind::Project, DocKind::Tuning, DocKind::Schema];
        self.kinds.extend(rules);
        for (path, source) in self.open.sources.files() {
            if path.kind().is_some_and(|kind| rules.contains(&kind)) && source.document.is_none() {
                self.lacks.insert(format!("`{path}` cannot be read"));
            }
        }
    }
}

/// Whether an image is at a place, or in that folder.
pub(super) fn is_image_at(image: &DocPath, place: &DocPath) -> bool {
    image == place || is_below(image, place.as_str())
}
