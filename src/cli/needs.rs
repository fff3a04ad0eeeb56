//! The files that an answer depends on, and those of them that cannot be read.
//!
//! Invariant: a file that an answer does not depend on changes nothing about it.

use std::collections::BTreeSet;

use super::{Report, project::Open};
use crate::{
    defs::Resolved,
    model::{DocKind, DocPath, Layer, LayerContent, Level, Name, Severity, Value},
    sim::World,
};

/// What an answer lacks.
pub(super) struct Needs<'a> {
    open: &'a Open,
    /// Lines for standard error.
    lacks: BTreeSet<String>,
    machines: BTreeSet<Name>,
}

impl<'a> Needs<'a> {
    pub(super) fn new(open: &'a Open) -> Self {
        Self { open, lacks: BTreeSet::new(), machines: BTreeSet::new() }
    }

    /// The report is of an incomplete answer if anything was lacking.
    pub(super) fn tell(self, report: &mut Report) {
        report.failed |= !self.lacks.is_empty();
        report.notes.extend(self.lacks.into_iter().map(|lack| format!("incomplete: {lack}")));
    }

    /// An image was needed and could not be read.
    pub(super) fn image(&mut self, path: &str, why: &str) {
        self.lacks.insert(format!("the image `{path}`: {why}"));
    }

    /// Something that a document of this kind would have is not there.
    fn absent(&mut self, what: String, kind: DocKind) {
        let files = self.open.sources.files();
        let unread = files.iter().find(|(path, source)| path.kind() == Some(kind) && source.document.is_none());
        let may_have = unread.map(|(path, _)| format!("; `{path}` cannot be read and may have it"));
        self.lacks.insert(what + &may_have.unwrap_or_default());
    }

    /// The tilesets of a level's layers.
    fn tilesets(&mut self, level: &Level, is_wanted: impl Fn(&Layer) -> bool) {
        for layer in level.layers.iter().filter(|layer| is_wanted(layer)) {
            let LayerContent::Tiles(content) = &layer.content else { continue };
            let doc = self.open.resolution.tilesets.get(&content.tileset);
            if doc.and_then(|doc| self.open.project.tileset(doc)).is_none() {
                self.absent(format!("there is no tileset `{}`", content.tileset), DocKind::Tileset);
            }
        }
    }

    /// What cells are solid: every layer that collides.
    pub(super) fn ground(&mut self, level: &Level) {
        self.tilesets(level, |layer| matches!(&layer.content, LayerContent::Tiles(tiles) if tiles.collide));
    }

    /// A definition and everything it inherits from.
    fn definition(&mut self, name: &Name) {
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
        self.tilesets(level, |layer| layer.visible);
        self.placed(level, |layer| layer.visible);
    }

    /// The definitions of placed entities.
    fn placed(&mut self, level: &Level, is_wanted: impl Fn(&Layer) -> bool) {
        for layer in level.layers.iter().filter(|layer| is_wanted(layer)) {
            let LayerContent::Entities(entities) = &layer.content else { continue };
            entities.values().for_each(|instance| self.definition(&instance.def));
        }
    }

    /// The machines of an entity, and what they name.
    fn machines(&mut self, resolved: &Resolved) {
        for field in ["machines", "queue"] {
            let listed = resolved.get("Brain", field).and_then(Value::as_list).unwrap_or_default();
            for name in listed.iter().filter_map(Value::as_str) {
                let Some(doc) = self.open.resolution.machines.get(name) else {
                    self.absent(format!("there is no machine `{name}`"), DocKind::Machines);
                    continue;
                };
                if self.machines.insert(name.into()) {
                    self.named_in(doc);
                }
            }
        }
    }

    /// What a document names and the project does not have.
    fn named_in(&mut self, doc: &DocPath) {
        let lacks = self.open.missing_references().iter().map(|problem| &problem.finding);
        let lacks = lacks.filter(|it| it.severity == Severity::Error && it.location.doc == *doc);
        self.lacks.extend(lacks.map(|it| format!("{doc}: {}", it.message)));
    }

    /// What a run of a level depends on, as far as that is known at its first moment.
    pub(super) fn run(&mut self, doc: &DocPath, world: &World) {
        self.rules();
        if let Some(level) = self.open.project.level(doc) {
            self.ground(level);
            self.placed(level, |_| true);
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

    /// What any run depends on: how the game is seen, its constants and its vocabulary.
    fn rules(&mut self) {
        for (path, source) in self.open.sources.files() {
            let is_rules = matches!(path.kind(), Some(DocKind::Project | DocKind::Tuning | DocKind::Schema));
            if is_rules && source.document.is_none() {
                self.lacks.insert(format!("`{path}` cannot be read"));
            }
        }
    }
}
