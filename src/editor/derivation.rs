//! Everything that is computed from the project and its files, and how far it is: inheritance applied, problems with
//! their places, what is placed where, what is solid in the level shown.
//!
//! Invariant: all of it is of one state of the project, [`Derivation::project`]. What did not change since the last
//! time keeps its pointers. The work is a job that its owner runs in a thread; until it is done the last result stays.

use std::sync::Arc;

use super::{
    AgentMapDone, AgentMapJob, AgentMaps, Art, ArtJob, ArtOf, Geometry, Images, LocatedProblem, MadeArt, Memos,
    Preview, ProbeAsked, ProbeDone, ProbeJob, Probes, ProblemIndex, ViewState, Workspace,
    deriving::{Derived, DerivedFrom, Deriving},
    files_seen::{FilesSeen, ReadImages, ReadSounds, Sounds},
};
use crate::{
    check::{Checked, Ignored},
    defs::Resolution,
    explain::Census,
    model::{Builtin, DocPath, FieldPath, Finding, Name, Project},
    refactor::Vanished,
    tools::ProbeEnds,
};

/// What is derived from the project as it was a moment ago.
pub struct Derivation {
    builtin: Arc<Builtin>,
    project: Project,
    resolution: Arc<Resolution>,
    census: Arc<Census>,
    checked: Arc<Checked>,
    problems: Problems,
    /// Names that a schema declared earlier in the session and declares no more.
    vanished: Vec<Vanished>,
    geometry: Option<Geometry>,
    files: FilesSeen,
    /// Counts changes of what is derived from beside the project.
    n_inputs: u64,
    /// What the job that runs derives from.
    running: Option<DerivedFrom>,
    /// What the last job derived from, whether it came to an end or not.
    done: Option<DerivedFrom>,
    memos: Memos,
    art: Art,
    probes: Probes,
    agent_maps: AgentMaps,
}

/// The problems, and which of them are listed.
#[derive(Default)]
struct Problems {
    all: Arc<Vec<LocatedProblem>>,
    ignored: Ignored,
    /// All but those that are ignored.
    listed: Arc<Vec<LocatedProblem>>,
    index: ProblemIndex,
}

impl Problems {
    /// `index` is that of all of them, if it is known.
    fn list(&mut self, index: Option<ProblemIndex>) {
        let is_listed = |located: &&LocatedProblem| !self.ignored.has(&located.problem.finding);
        let n_listed = self.all.iter().filter(is_listed).count();
        self.listed = if n_listed == self.all.len() {
            Arc::clone(&self.all)
        } else {
            Arc::new(self.all.iter().filter(is_listed).cloned().collect())
        };
        let whole = index.filter(|_| n_listed == self.all.len());
        self.index = whole.unwrap_or_else(|| ProblemIndex::of(&self.listed));
    }
}

impl Derivation {
    /// Of no project yet. `builtin` is what every project has.
    #[must_use]
    pub fn new(builtin: Builtin) -> Self {
        Self {
            builtin: Arc::new(builtin),
            project: Project::default(),
            resolution: Arc::default(),
            census: Arc::default(),
            checked: Arc::default(),
            problems: Problems::default(),
            vanished: Vec::new(),
            geometry: None,
            files: FilesSeen::default(),
            n_inputs: 0,
            running: None,
            done: None,
            memos: Memos::default(),
            art: Art::default(),
            probes: Probes::default(),
            agent_maps: AgentMaps::default(),
        }
    }

    /// Another project is open: nothing is known of it but its images and what is wrong with its folder.
    pub fn open(&mut self, images: ReadImages, folder_findings: Vec<Finding>) {
        let builtin = Arc::clone(&self.builtin);
        let mut files = FilesSeen::default();
        files.folder_findings = folder_findings;
        *self = Self { builtin, files, n_inputs: self.n_inputs, ..Self::new(Builtin::default()) };
        self.take_images(images);
    }

    /// What every project has.
    #[must_use]
    pub fn builtin(&self) -> &Arc<Builtin> {
        &self.builtin
    }

    /// The project that all of this is derived from.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Inheritance applied.
    #[must_use]
    pub fn resolution(&self) -> &Arc<Resolution> {
        &self.resolution
    }

    /// Where definitions are placed.
    #[must_use]
    pub fn census(&self) -> &Arc<Census> {
        &self.census
    }

    /// The problems that are not ignored, worst first.
    #[must_use]
    pub fn problems(&self) -> &Arc<Vec<LocatedProblem>> {
        &self.problems.listed
    }

    /// Those of them at or inside a field of a document.
    pub fn problems_at<'p, 'q>(
        &'p self,
        doc: &'q DocPath,
        path: &'q FieldPath,
    ) -> impl Iterator<Item = &'p LocatedProblem> + use<'p, 'q> {
        self.problems.index.at(&self.problems.listed, doc, path)
    }

    /// Those of them at or inside a field of a document that are about a place elsewhere in the level, with that place in
    /// pixels.
    pub fn problems_elsewhere<'p, 'q>(
        &'p self,
        doc: &'q DocPath,
        path: &'q FieldPath,
    ) -> impl Iterator<Item = (&'p Finding, [i32; 2])> + use<'p, 'q> {
        let all = self.problems_at(doc, path).map(|located| &located.problem.finding);
        all.filter_map(|finding| Some((finding, finding.location.place_px?)))
    }

    /// How many problems are ignored.
    #[must_use]
    pub fn n_ignored(&self) -> usize {
        self.problems.all.len() - self.problems.listed.len()
    }

    /// How many problems there are beyond those that a rule lists, by rule.
    #[must_use]
    pub fn unlisted(&self) -> Vec<(&str, usize)> {
        let mut sums: Vec<(&str, usize)> = Vec::new();
        for ((rule, _), n) in &self.checked.left_out {
            match sums.last_mut().filter(|(last, _)| *last == &**rule) {
                Some((_, sum)) => *sum += n,
                None => sums.push((rule, *n)),
            }
        }
        sums
    }

    /// Do not list a problem for the rest of the session.
    pub fn ignore(&mut self, finding: &Finding) {
        self.problems.ignored.add(finding);
        self.problems.list(None);
        self.memos.outdate();
    }

    /// List the ignored problems again.
    pub fn ignore_none(&mut self) {
        self.problems.ignored.clear();
        self.problems.list(None);
        self.memos.outdate();
    }

    /// The solid cells and waypoint links of a level; none before they are computed.
    #[must_use]
    pub fn geometry(&self, level: &DocPath) -> Option<&Geometry> {
        self.geometry.as_ref().filter(|geometry| geometry.level == *level)
    }

    /// Decoded images by path from the project's root.
    #[must_use]
    pub fn images(&self) -> &Arc<Images> {
        &self.files.images
    }

    /// Sound files by path from the project's root.
    #[must_use]
    pub fn sounds(&self) -> &Sounds {
        &self.files.sounds
    }

    /// Take over which sounds can be read.
    pub fn take_sounds(&mut self, sounds: ReadSounds) {
        self.files.take_sounds(sounds);
        self.n_inputs += 1;
    }

    /// Take over images that were read.
    pub fn take_images(&mut self, images: ReadImages) {
        self.files.take_images(images);
        self.n_inputs += 1;
    }

    /// Pictures as the graphics card takes them.
    #[must_use]
    pub fn art(&self) -> &Art {
        &self.art
    }

    /// The work to make art of the project as it stands, unless it is under way or there is nothing to make it of.
    pub fn start_art(&mut self, of: ArtOf, project: &Project) -> Option<ArtJob> {
        self.art.start(of, project, &self.files.images)
    }

    /// Take over art that was made.
    pub fn take_art(&mut self, made: MadeArt) {
        self.art.take(made);
    }

    /// The paths that were looked for.
    #[must_use]
    pub fn probes(&self) -> &Probes {
        &self.probes
    }

    /// A search for the path that is asked for in the level shown, unless its answer is known or another search is
    /// under way.
    pub fn start_probe(
        &mut self,
        level: Option<&DocPath>,
        ends: Option<ProbeEnds>,
        how: &ProbeAsked,
    ) -> Option<ProbeJob> {
        let geometry = self.geometry.as_ref().filter(|geometry| level == Some(&geometry.level));
        self.probes.start((&self.project, &self.resolution), geometry, (ends, how))
    }

    /// Take over what a search found.
    pub fn take_probe(&mut self, done: ProbeDone) {
        self.probes.take(done);
    }

    /// A search came to no end.
    pub fn probe_failed(&mut self) {
        self.probes.failed();
    }

    /// The maps of the running level for an agent.
    #[must_use]
    pub fn agent_maps(&self) -> &AgentMaps {
        &self.agent_maps
    }

    /// The making of the map that the overlays of the running level ask for, unless it is known or another is being
    /// made.
    pub fn start_agent_map(
        &mut self,
        preview: Option<&Preview>,
        view: &ViewState,
        selected: &[Name],
    ) -> Option<AgentMapJob> {
        self.agent_maps.start(preview, view, selected)
    }

    /// Take over a map that was made.
    pub fn take_agent_map(&mut self, done: AgentMapDone) {
        self.agent_maps.take(done);
    }

    /// The making of a map came to no end.
    pub fn agent_map_failed(&mut self) {
        self.agent_maps.failed();
    }

    /// Results that panes compute from all this on demand.
    #[must_use]
    pub fn memos(&self) -> &Memos {
        &self.memos
    }

    /// The state of the project's images and of its folder.
    #[must_use]
    pub fn files(&self) -> &FilesSeen {
        &self.files
    }

    /// Whether all is of the project as it stands and the level shown.
    #[must_use]
    pub fn is_current(&self, workspace: &Workspace, level: Option<&DocPath>) -> bool {
        self.done.as_ref() == Some(&self.wanted(workspace, level))
    }

    /// A job that derives all of it again, if anything changed since the last one and none is running.
    pub fn start(&mut self, workspace: &Workspace, level: Option<&DocPath>) -> Option<Deriving> {
        let from = self.wanted(workspace, level);
        if self.running.is_some() || self.done.as_ref() == Some(&from) {
            return None;
        }
        self.running = Some(from.clone());
        let geometry = self.geometry.as_ref().filter(|geometry| level == Some(&geometry.level));
        Some(Deriving {
            from,
            project: workspace.project().clone(),
            builtin: self.builtin.clone(),
            sources: workspace.files().sources().clone(),
            files: self.files.clone(),
            resolution: self.resolution.clone(),
            census: self.census.clone(),
            checked: self.checked.clone(),
            vanished: self.vanished.clone(),
            geometry: geometry.cloned(),
        })
    }

    fn wanted(&self, workspace: &Workspace, level: Option<&DocPath>) -> DerivedFrom {
        DerivedFrom { revision: workspace.revision(), n_inputs: self.n_inputs, level: level.cloned() }
    }

    /// Take over what a job computed. What one computed that was started before another project was opened is dropped.
    pub fn take(&mut self, derived: Derived) {
        if self.running.take_if(|from| *from == derived.from).is_none() {
            return;
        }
        self.done = Some(derived.from);
        self.project = derived.project;
        self.resolution = derived.resolution;
        self.census = derived.census;
        self.checked = derived.checked;
        self.vanished = derived.vanished;
        self.problems.all = Arc::new(derived.problems);
        self.problems.list(Some(derived.problem_index));
        if derived.geometry.is_some() {
            self.geometry = derived.geometry;
        }
        self.memos.outdate();
    }

    /// A job ended without a result. It is not tried again before something changes, or did while it ran.
    pub fn failed(&mut self) {
        if let Some(from) = self.running.take() {
            self.done = Some(from);
        }
    }
}
