//! The job that derives: from one state of the project and its files, with the last result beside it.

use std::sync::Arc;

use super::{Geometry, LocatedProblem, ProblemIndex, files_seen::FilesSeen};
use crate::{
    check::{self, Checked, Problem},
    defs::{Resolution, resolve},
    explain::Census,
    io,
    model::{Builtin, DocPath, Document, Level, Name, Project},
    refactor::{self, Vanished},
    sim::{
        grid::{GridChange, SolidGrid},
        nav,
    },
};

/// What a derivation is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DerivedFrom {
    /// Of the workspace.
    pub revision: u64,
    /// Of what is derived from beside the project.
    pub n_inputs: u64,
    /// The level shown.
    pub level: Option<DocPath>,
}

/// All that a job needs, and the last result.
pub struct Deriving {
    pub(super) from: DerivedFrom,
    pub(super) project: Project,
    pub(super) builtin: Arc<Builtin>,
    pub(super) sources: Arc<io::Sources>,
    pub(super) files: FilesSeen,
    pub(super) resolution: Arc<Resolution>,
    pub(super) census: Arc<Census>,
    pub(super) checked: Arc<Checked>,
    pub(super) vanished: Vec<Vanished>,
    /// The last geometry of the level shown.
    pub(super) geometry: Option<Geometry>,
}

/// What a job computed.
pub struct Derived {
    pub(super) from: DerivedFrom,
    pub(super) project: Project,
    pub(super) resolution: Arc<Resolution>,
    pub(super) census: Arc<Census>,
    /// What is wrong with it, and what tells the next job what to look at.
    pub(super) checked: Arc<Checked>,
    /// Its problems and those of its files.
    pub(super) problems: Vec<LocatedProblem>,
    pub(super) problem_index: ProblemIndex,
    pub(super) vanished: Vec<Vanished>,
    /// Of the level shown; none when it is as it was.
    pub(super) geometry: Option<Geometry>,
}

impl Deriving {
    /// Derive everything. Takes from under a millisecond to seconds, by what changed and the size of the project.
    #[must_use]
    pub fn run(self) -> Derived {
        let Self { from, project, sources, mut vanished, mut files, .. } = self;
        let resolution = resolve(&project, &self.builtin, Some(&self.resolution));
        let facts = files.facts((&project, &resolution), &sources);
        let checked = check::check_again(&project, &resolution, Some(&facts), Some(&self.checked));
        let of_files = sources.findings().cloned().chain(files.folder_findings);
        let mut problems: Vec<Arc<Problem>> = of_files.map(|finding| Arc::new(Problem::new(finding))).collect();
        problems.extend(checked.problems.iter().cloned());
        migrate(&mut problems, &mut vanished, (&self.resolution, &resolution), &project);
        problems.sort_by(|a, b| {
            let (a, b) = (&a.finding, &b.finding);
            b.severity.cmp(&a.severity).then_with(|| a.location.cmp(&b.location)).then_with(|| a.cmp(b))
        });
        let problems: Vec<LocatedProblem> =
            problems.into_iter().map(|problem| located((&project, &sources), problem)).collect();
        let level = from.level.clone();
        let geometry = level.and_then(|level| geometry(&project, &resolution, level, self.geometry));
        Derived {
            from,
            census: Arc::new(Census::of(&project, &self.census)),
            project,
            resolution: Arc::new(resolution),
            checked: Arc::new(checked),
            problem_index: ProblemIndex::of(&problems),
            problems,
            vanished,
            geometry,
        }
    }
}

fn located((project, sources): (&Project, &io::Sources), problem: Arc<Problem>) -> LocatedProblem {
    let at = &problem.finding.location;
    let (line, column) = sources.line_column(at);
    let excerpt = excerpt(sources, &at.doc, line);
    // Of what is broken, lines are those of the file, while its last good version stays in the project.
    let is_saved = match (sources.get(&at.doc), project.doc(&at.doc)) {
        (Some(source), Some(doc)) => source.document.as_ref().is_none_or(|saved| Arc::ptr_eq(doc, saved)),
        (source, doc) => source.is_some() || doc.is_none(),
    };
    LocatedProblem { problem, line, column, is_saved, excerpt }
}

/// The solid cells of a level and its automatic waypoint links; `None` if the level is unchanged.
fn geometry(project: &Project, resolution: &Resolution, level: DocPath, known: Option<Geometry>) -> Option<Geometry> {
    let doc = project.doc(&level)?;
    let Document::Level(content) = &**doc else { return None };
    let mut made_from = vec![doc.clone()];
    made_from.extend(tilesets(project, resolution, content));
    let is_known = |known: &Geometry| {
        known.made_from.len() == made_from.len()
            && known.made_from.iter().zip(&made_from).all(|(a, b)| Arc::ptr_eq(a, b))
    };
    if known.as_ref().is_some_and(is_known) {
        return None;
    }
    let tileset = |name: &str| project.tileset(resolution.tilesets.get(name)?);
    let grid = match known {
        // Of a large level only what changed is looked at.
        Some(known) => {
            let mut grid = SolidGrid::clone(&known.grid);
            match grid.update(content, tileset) {
                GridChange::Nothing => known.grid,
                GridChange::Chunks(_) | GridChange::All => Arc::new(grid),
            }
        }
        None => Arc::new(SolidGrid::new(content, tileset)),
    };
    let links = content
        .all_layers()
        .into_iter()
        .filter_map(|layer| Some((layer.name.clone(), nav::drawn_links(layer.waypoints()?, &grid))))
        .collect();
    Some(Geometry { level, grid, links, made_from })
}

fn tilesets(project: &Project, resolution: &Resolution, level: &Level) -> Vec<Arc<Document>> {
    let names: std::collections::BTreeSet<&Name> =
        level.all_layers().into_iter().filter_map(|layer| Some(&layer.tiles()?.tileset)).collect();
    names.into_iter().filter_map(|name| project.doc(resolution.tilesets.get(name)?)).cloned().collect()
}

/// A few lines of a file that cannot be read, around the place where it is broken.
fn excerpt(sources: &io::Sources, doc: &DocPath, line: u32) -> Vec<(u32, String)> {
    let Some(source) = sources.get(doc).filter(|source| source.document.is_none()) else { return Vec::new() };
    let first = line.saturating_sub(3);
    let shown = (1..).zip(source.text.lines()).skip(first as usize).take(5);
    shown.map(|(number, text)| (number, text.chars().take(120).collect())).collect()
}

/// Offer fixes that follow names which a schema declared earlier in the session and declares no more.
fn migrate(
    problems: &mut [Arc<Problem>],
    vanished: &mut Vec<Vanished>,
    (before, now): (&Resolution, &Resolution),
    project: &Project,
) {
    /// Words remembered; more than this change at once only when a whole vocabulary is put away.
    const MOST: usize = 256;
    for fresh in refactor::vanished(&before.schema, &now.schema) {
        vanished.retain(|old| old.word != fresh.word);
        vanished.push(fresh);
    }
    vanished.drain(..vanished.len().saturating_sub(MOST));
    let is_missed = |it: &&Vanished| problems.iter().any(|problem| it.may_explain(&problem.finding));
    let missed: Vec<Vanished> = vanished.iter().filter(is_missed).cloned().collect();
    if !missed.is_empty() {
        check::offer(problems, &refactor::migrations(&missed, &now.schema, project));
    }
}
