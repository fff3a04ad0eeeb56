//! What every UI function gets: everything to read, and one way to ask for change.
//!
//! Invariant: nothing reachable from here can be mutated; [`Cx::send`] only queues.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Action, Camera, Chunks, Looks, PointerAt, Textures, Theme, canvas::graph::Graph};
use crate::{
    check::Problem,
    defs::Resolution,
    edit::{History, Moment, Stamp, next_moment},
    editor::{Command, Dialog, Draft, Images, Pane, Selection, Tuning},
    explain::Census,
    model::{DocPath, Document, FieldPath, Level, Link, Location, Name, Project, Saved},
    sim::{Session, grid::SolidGrid},
    tools::{ToolKind, ToolOut},
};

/// Everything a frame shows.
pub struct Cx<'a> {
    /// The folder's path, for titles.
    pub root: &'a str,
    /// What is edited.
    pub project: &'a Project,
    /// What it was before the drag that is open, for which that drag's edits are made; the same when none is.
    pub before: &'a Project,
    /// What every project has before it says anything.
    pub builtin: &'a crate::model::Builtin,
    /// Its resolution; may be a few milliseconds behind the project.
    pub resolution: &'a Arc<Resolution>,
    /// What is placed where; as far behind as `resolution`.
    pub census: &'a Census,
    /// Where things stand in the files.
    pub places: &'a dyn Places,
    /// What is wrong, worst first.
    pub problems: &'a Arc<Vec<LocatedProblem>>,
    /// The same by where they are.
    pub problem_index: &'a ProblemIndex,
    /// What is solid in the level shown, and its links; may be a few milliseconds behind.
    pub geometry: Option<&'a Geometry>,
    /// What is selected.
    pub selection: &'a Selection,
    /// How things are shown.
    pub view: &'a View,
    /// The machine shown, laid out; may be a few milliseconds behind. None until it was laid out once.
    pub graph: Option<&'a Arc<Graph>>,
    /// The running preview, if any.
    pub preview: Option<&'a Preview>,
    /// What is tried, marked and put aside on the tuning pages.
    pub tuning: &'a Tuning,
    /// What the tool in hand is about to do.
    pub tool: &'a ToolOut,
    /// Whether the tool in hand is in the middle of something.
    pub is_tool_busy: bool,
    /// Steps.
    pub history: &'a History,
    /// What is on disk.
    pub saved: &'a Saved,
    /// Decoded images of the project.
    pub images: &'a Images,
    /// The same on the graphics card.
    pub textures: &'a Textures,
    /// Pictures of tile chunks.
    pub chunks: &'a Chunks,
    /// How placed entities look.
    pub looks: &'a Looks,
    /// The look.
    pub theme: &'a Theme,
    /// Projects opened before, newest first.
    pub recent: &'a [String],
    /// The last thing worth saying.
    pub notice: Option<&'a str>,
    /// The open dialog, if any.
    pub dialog: Option<&'a Dialog>,
    /// The refactoring that the dialog asks for.
    pub draft: Option<&'a Draft>,
    /// What the system's dialog just found.
    pub browsed: Option<&'a str>,
    /// What the frame asks for.
    pub actions: &'a RefCell<Vec<Action>>,
}

/// Turns a place in a document into line and column of its file.
pub trait Places {
    /// Both from 1; `None` for a document that has no file.
    fn line_column(&self, location: &Location) -> Option<(u32, u32)>;
}

/// A problem with its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct LocatedProblem {
    /// What is wrong.
    pub problem: Arc<Problem>,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The lines around it, when the file cannot be read and its text is all there is to show.
    pub excerpt: Vec<(u32, String)>,
}

/// Problems by where they are, so that asking about one place does not look at all of them.
#[derive(Clone, Debug, Default)]
pub struct ProblemIndex {
    /// Numbers in the list of problems, by document and path.
    by_place: Vec<usize>,
}

impl ProblemIndex {
    /// The index of a list.
    #[must_use]
    pub fn of(problems: &[LocatedProblem]) -> Self {
        let mut by_place: Vec<usize> = (0..problems.len()).collect();
        // Stable, so that of those at one place the worst stays first.
        by_place.sort_by(|a, b| place(&problems[*a]).cmp(&place(&problems[*b])));
        Self { by_place }
    }

    /// Those at or inside a field of a document, out of the list the index was made of.
    pub fn at<'p, 'q>(
        &'q self,
        problems: &'p [LocatedProblem],
        doc: &'q DocPath,
        path: &'q FieldPath,
    ) -> impl Iterator<Item = &'p LocatedProblem> + use<'p, 'q> {
        let first = self.by_place.partition_point(|i| problems.get(*i).is_some_and(|it| place(it) < (doc, path)));
        let from = self.by_place[first..].iter().filter_map(|i| problems.get(*i));
        from.take_while(move |it| {
            let (at, inside) = place(it);
            at == doc && inside.0.starts_with(&path.0)
        })
    }
}

fn place(located: &LocatedProblem) -> (&DocPath, &FieldPath) {
    let at = &located.problem.finding.location;
    (&at.doc, &at.path)
}

/// What of a level is solid and which waypoints are linked, automatic links too.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// The level.
    pub level: DocPath,
    /// What is solid.
    pub grid: Arc<SolidGrid>,
    /// Links by waypoint layer.
    pub links: BTreeMap<Name, Vec<Link>>,
    /// The documents it was made from, for their identity.
    pub made_from: Vec<Arc<Document>>,
}

/// The preview as it runs.
#[derive(Debug)]
pub struct Preview {
    /// The level it runs.
    pub level: DocPath,
    /// World, clock and log.
    pub session: Session,
    /// Whether time passes.
    pub is_playing: bool,
}

/// How things are shown; not part of the project and not in its history.
#[derive(Clone, Debug)]
pub struct View {
    /// The level shown.
    pub level: Option<DocPath>,
    /// Levels on the strip.
    pub open_levels: Vec<DocPath>,
    /// The machine shown.
    pub machine: Option<(DocPath, Name)>,
    /// The document that Save and Undo mean.
    pub focus: Option<DocPath>,
    /// The pane of documents that came to the front or was clicked in last.
    pub working: Pane,
    /// Transitions that were drawn and have no trigger yet, of any machine.
    pub unfinished: Vec<Unfinished>,
    /// The layer that tools work on, by level.
    pub active_layer: BTreeMap<DocPath, Name>,
    /// Where levels are looked at from.
    pub cameras: BTreeMap<DocPath, Camera>,
    /// Where the machine graph is looked at from.
    pub machine_camera: Option<Camera>,
    /// The tool in hand.
    pub tool: ToolKind,
    /// What brushes paint.
    pub stamp: Stamp,
    /// Whether brushes paint a random tile of the stamp on each cell.
    pub random_brush: bool,
    /// Index of the terrain to paint in the layer's tileset.
    pub terrain: usize,
    /// What the entity tool places.
    pub place_def: Option<Name>,
    /// Whether things keep to the grid.
    pub snap: bool,
    /// What is drawn over the level.
    pub overlays: Overlays,
    /// What is under the pointer in the level.
    pub pointer: Option<PointerAt>,
    /// The entity whose messages are shown; all when none.
    pub watch: Option<Name>,
    /// Files with the reader's complaints; their last good version is shown.
    pub broken: BTreeSet<DocPath>,
    /// Documents with a postponed question about two versions.
    pub postponed: BTreeSet<DocPath>,
    /// How many problems are there and not told, because someone said so.
    pub n_ignored_problems: usize,
    /// How many problems are there beside those listed, by rule.
    pub unlisted_problems: Vec<(String, usize)>,
}

impl View {
    /// The index of the layer that tools work on: the chosen one, else the front one of entities, else the front one.
    #[must_use]
    pub fn active_layer_of(&self, doc: &DocPath, level: &Level) -> Option<usize> {
        let chosen = self.active_layer.get(doc).and_then(|name| level.layer(name)).map(|(i, _)| i);
        let entities = || level.layers.iter().rposition(|layer| layer.entities().is_some());
        chosen.or_else(entities).or_else(|| level.layers.len().checked_sub(1))
    }

    /// Transitions without a trigger, of states that are there: what was deleted may come back by undo.
    pub fn unfinished_in(&self, project: &Project) -> impl Iterator<Item = &Unfinished> {
        self.unfinished.iter().filter(|it| {
            let machine = project.machine(&it.doc, &it.machine);
            machine.is_some_and(|machine| [&it.from, &it.to].into_iter().all(|state| machine.state(state).is_some()))
        })
    }
}

impl Default for View {
    fn default() -> Self {
        Self {
            level: None,
            open_levels: Vec::new(),
            machine: None,
            unfinished: Vec::new(),
            focus: None,
            working: Pane::Level,
            active_layer: BTreeMap::new(),
            cameras: BTreeMap::new(),
            machine_camera: None,
            tool: ToolKind::Select,
            stamp: Stamp::one(crate::model::Tile::EMPTY),
            random_brush: false,
            terrain: 0,
            place_def: None,
            snap: true,
            overlays: Overlays::default(),
            pointer: None,
            watch: None,
            broken: BTreeSet::new(),
            postponed: BTreeSet::new(),
            n_ignored_problems: 0,
            unlisted_problems: Vec::new(),
        }
    }
}

/// A transition that was drawn and has no trigger yet. It is no part of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The machine's file.
    pub doc: DocPath,
    /// The machine.
    pub machine: Name,
    /// Path of the state that it leaves.
    pub from: Name,
    /// Path of the state that it enters.
    pub to: Name,
}

/// What is drawn over the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Overlays {
    /// The tile grid.
    pub grid: bool,
    /// Waypoint links, automatic ones too.
    pub links: bool,
    /// What is solid.
    pub colliders: bool,
    /// Paths of agents.
    pub paths: bool,
    /// States of machines.
    pub states: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { grid: true, links: true, colliders: false, paths: true, states: true }
    }
}

impl Cx<'_> {
    /// Ask for something; it happens before the next frame.
    pub fn send(&self, action: Action) {
        self.actions.borrow_mut().push(action);
    }

    /// Ask for a command.
    pub fn command(&self, command: Command) {
        self.send(Action::Command(command));
    }

    /// The level shown, with its path.
    #[must_use]
    pub fn level(&self) -> Option<(&DocPath, &Level)> {
        let doc = self.view.level.as_ref()?;
        Some((doc, self.project.level(doc)?))
    }

    /// The index of the layer that tools work on.
    #[must_use]
    pub fn active_layer(&self) -> Option<usize> {
        let (doc, level) = self.level()?;
        self.view.active_layer_of(doc, level)
    }

    /// Whether a document differs from its file.
    #[must_use]
    pub fn is_modified(&self, doc: &DocPath) -> bool {
        self.saved.is_modified(self.project, doc)
    }

    /// Whether the document that Save means differs from its file.
    #[must_use]
    pub fn focused_is_modified(&self) -> bool {
        self.view.focus.as_ref().is_some_and(|doc| self.is_modified(doc))
    }

    /// Whether any document differs from its file.
    #[must_use]
    pub fn has_unsaved(&self) -> bool {
        !self.saved.modified(self.project).is_empty()
    }

    /// What undo would take back, or redo do again.
    #[must_use]
    pub fn next_moment(&self, is_redo: bool) -> Option<Moment<'_>> {
        next_moment(self.history, &self.tuning.overlays, self.view.focus.as_ref(), is_redo)
    }

    /// The problems at or inside a field of a document, for marks on fields.
    pub fn problems_at<'s>(
        &'s self,
        doc: &'s DocPath,
        path: &'s FieldPath,
    ) -> impl Iterator<Item = &'s LocatedProblem> {
        self.problem_index.at(self.problems, doc, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Finding;

    #[test]
    fn problems_are_found_by_place() {
        let doc = |name: &str| DocPath::new(name).unwrap_or_else(|| unreachable!());
        let problem = |at: &str, path: &[&str], message: &str| {
            let finding = Finding::error("x", Location::new(doc(at), FieldPath::keys(path)), message);
            LocatedProblem { problem: Arc::new(Problem::new(finding)), line: 1, column: 1, excerpt: Vec::new() }
        };
        let all = [
            problem("entities/b.ron", &["goblin", "set", "Health", "max"], "1"),
            problem("entities/a.ron", &["goblin", "set", "Health"], "2"),
            problem("entities/a.ron", &["goblin", "set", "Health", "max"], "3"),
            problem("entities/a.ron", &["goblins", "set"], "4"),
            problem("entities/a.ron", &["goblin"], "5"),
        ];
        let index = ProblemIndex::of(&all);
        let found = |at: &str, path: &[&str]| -> String {
            let (doc, path) = (doc(at), FieldPath::keys(path));
            index.at(&all, &doc, &path).map(|it| it.problem.finding.message.as_str()).collect()
        };
        assert_eq!(found("entities/a.ron", &["goblin"]), "523");
        assert_eq!(found("entities/a.ron", &["goblin", "set", "Health"]), "23");
        assert_eq!(found("entities/b.ron", &[]), "1");
        assert_eq!(found("entities/c.ron", &[]), "");
    }
}
