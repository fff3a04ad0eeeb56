//! Deriving data from the project, as a job: inheritance, problems with their places, links.
//!
//! Invariant: everything is made from one state of the project and its files, and carries its revision. What did not change
//! since the last time keeps its pointers.

use std::{collections::BTreeMap, sync::Arc};

use super::{editor::Editor, events::Event};
use crate::{
    check::{self, Checked, Problem},
    defs::{Resolution, resolve},
    editor::{Geometry, Images, LocatedProblem, ProblemIndex},
    explain::Census,
    io,
    model::{Builtin, DocPath, Document, Finding, Level, Name, Project},
    refactor::{self, Vanished},
    sim::{grid::SolidGrid, nav},
};

/// The data derived from a project at a revision.
pub(super) struct Derived {
    /// Of the project it was made from.
    pub revision: u64,
    /// The project it was made from.
    pub project: Project,
    /// Inheritance applied.
    pub resolution: Arc<Resolution>,
    /// What is placed where.
    pub census: Arc<Census>,
    /// What is wrong with it, and what tells the next job what to look at.
    pub checked: Arc<Checked>,
    /// What is wrong with it and with its files.
    pub problems: Vec<LocatedProblem>,
    /// The same by where they are.
    pub problem_index: ProblemIndex,
    /// Words of a schema that are no more.
    pub vanished: Vec<Vanished>,
    /// Of the level shown.
    pub geometry: Option<Geometry>,
}

/// All that a job needs, and what was worked out the last time.
struct Deriving {
    revision: u64,
    project: Project,
    builtin: Arc<Builtin>,
    sources: Arc<io::Sources>,
    /// What is wrong with the folder rather than with a file that was read.
    folder_findings: Vec<Finding>,
    images: Arc<Images>,
    unreadable_images: Arc<BTreeMap<String, Arc<str>>>,
    /// The level shown.
    level: Option<DocPath>,
    resolution: Arc<Resolution>,
    census: Arc<Census>,
    checked: Arc<Checked>,
    vanished: Vec<Vanished>,
    /// What the links of the level shown were made from.
    links_made_from: Option<Vec<Arc<Document>>>,
}

impl Editor {
    /// Start deriving when the project changed since the last time and no derivation is running.
    pub(super) fn start_deriving(&mut self) {
        if self.is_deriving || self.derived_revision == self.revision {
            return;
        }
        self.is_deriving = true;
        let deriving = Deriving {
            revision: self.revision,
            project: self.project.clone(),
            builtin: self.builtin.clone(),
            sources: self.follow.sources().clone(),
            folder_findings: self.folder_findings.clone(),
            images: self.images.clone(),
            unreadable_images: self.unreadable_images.clone(),
            level: self.view.level.clone(),
            resolution: self.resolution.clone(),
            census: self.census.clone(),
            checked: self.checked.clone(),
            vanished: self.vanished.clone(),
            links_made_from: self.geometry.as_ref().map(|geometry| geometry.made_from.clone()),
        };
        self.jobs.spawn("derive", move || Event::Derived(Box::new(deriving.run())));
    }

    /// Take over what a job worked out.
    pub(super) fn derived(&mut self, derived: Derived) {
        self.is_deriving = false;
        self.derived_revision = derived.revision;
        self.derived_project = derived.project;
        self.resolution = derived.resolution;
        self.census = derived.census;
        self.checked = derived.checked;
        self.view.unlisted_problems.clear();
        for ((rule, _), n) in &self.checked.left_out {
            match self.view.unlisted_problems.last_mut().filter(|(last, _)| **last == **rule) {
                Some((_, sum)) => *sum += n,
                None => self.view.unlisted_problems.push((rule.to_string(), *n)),
            }
        }
        self.all_problems = Arc::new(derived.problems);
        self.vanished = derived.vanished;
        self.leave_out_ignored(Some(derived.problem_index));
        if derived.geometry.is_some() {
            self.geometry = derived.geometry;
        }
        self.bring_preview_up();
    }
}

impl Deriving {
    fn run(self) -> Derived {
        let Self { revision, project, sources, mut vanished, mut folder_findings, .. } = self;
        let resolution = resolve(&project, &self.builtin, Some(&self.resolution));
        let of = (&project, &resolution);
        let files = file_facts(of, &self.images, &self.unreadable_images, &sources, &mut folder_findings);
        let checked = check::check_again(&project, &resolution, Some(&files), Some(&self.checked));
        let of_files = sources.findings().cloned().chain(folder_findings);
        let mut problems: Vec<Arc<Problem>> = of_files.map(|finding| Arc::new(Problem::new(finding))).collect();
        problems.extend(checked.problems.iter().cloned());
        migrate(&mut problems, &mut vanished, (&self.resolution, &resolution), &project);
        problems.sort_by(|a, b| {
            let (a, b) = (&a.finding, &b.finding);
            b.severity.cmp(&a.severity).then_with(|| a.cmp(b))
        });
        let problems: Vec<LocatedProblem> = problems.into_iter().map(|problem| located(&sources, problem)).collect();
        let geometry = self.level.and_then(|level| geometry(&project, &resolution, level, self.links_made_from));
        Derived {
            revision,
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

/// Width and height of every picture, and the files that cannot be read, for rules that ask about them.
pub(super) fn file_facts(
    (project, resolution): (&Project, &Resolution),
    images: &Images,
    unreadable: &BTreeMap<String, Arc<str>>,
    sources: &io::Sources,
    folder_findings: &mut Vec<Finding>,
) -> check::Images {
    let sizes = images.iter().map(|(path, image)| (path, Ok(image.size())));
    let broken = unreadable.iter().map(|(path, why)| (path, Err(Arc::clone(why))));
    let images = sizes.chain(broken).filter_map(|(path, size)| Some((DocPath::new(path)?, size))).collect();
    check::image_facts((project, resolution), images, sources.unread().cloned(), folder_findings)
}

fn located(sources: &io::Sources, problem: Arc<Problem>) -> LocatedProblem {
    let at = &problem.finding.location;
    let (line, column) = sources.line_column(at);
    let excerpt = excerpt(sources, &at.doc, line);
    LocatedProblem { problem, line, column, excerpt }
}

/// What is solid in a level and which waypoints link by themselves; nothing when the level is as it was.
fn geometry(
    project: &Project,
    resolution: &Resolution,
    level: DocPath,
    known: Option<Vec<Arc<Document>>>,
) -> Option<Geometry> {
    let doc = project.doc(&level)?;
    let Document::Level(content) = &**doc else { return None };
    let mut made_from = vec![doc.clone()];
    made_from.extend(tilesets(project, resolution, content));
    if known.is_some_and(|known| {
        known.len() == made_from.len() && known.iter().zip(&made_from).all(|(a, b)| Arc::ptr_eq(a, b))
    }) {
        return None;
    }
    let grid = SolidGrid::new(content, |name| project.tileset(resolution.tilesets.get(name)?));
    let links = content
        .layers
        .iter()
        .filter_map(|layer| Some((layer.name.clone(), nav::drawn_links(layer.waypoints()?, &grid))))
        .collect();
    Some(Geometry { level, grid: Arc::new(grid), links, made_from })
}

fn tilesets(project: &Project, resolution: &Resolution, level: &Level) -> Vec<Arc<Document>> {
    let names: std::collections::BTreeSet<&Name> =
        level.layers.iter().filter_map(|layer| Some(&layer.tiles()?.tileset)).collect();
    names.into_iter().filter_map(|name| project.doc(resolution.tilesets.get(name)?)).cloned().collect()
}

/// A few lines of a file that cannot be read, around the place where it is broken.
fn excerpt(sources: &io::Sources, doc: &DocPath, line: u32) -> Vec<(u32, String)> {
    let Some(source) = sources.get(doc).filter(|source| source.document.is_none()) else { return Vec::new() };
    let first = line.saturating_sub(3);
    let shown = (1..).zip(source.text.lines()).skip(first as usize).take(5);
    shown.map(|(number, text)| (number, text.chars().take(120).collect())).collect()
}

/// Offer the data a way to follow words that a schema declared earlier in the session and declares no more.
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
