//! The path probe: what is asked, by level, and what was found, kept until it is asked otherwise.
//!
//! Invariant: what was found is of one state of the project, the one that everything else is derived from. Looking for
//! it is a job that its owner runs in a thread, one at a time; until it is done the last answer stays.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use super::Geometry;
use crate::{
    defs::{Resolution, Resolved},
    model::{Cell, CellSet, DocPath, Name, Project},
    sim::{
        PathTuning,
        grid::SolidGrid,
        limits,
        nav::{Agent, Answer, CellField, Colored, Ground, LedgeMap},
        probe::{self, Paths, Probed, Question, Traveler, placed},
        reach_px,
    },
    tools::ProbeEnds,
};

/// What is asked: the ends of a path by level, and for whom it is looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeView {
    /// Start and goal, by level.
    pub ends: BTreeMap<DocPath, ProbeEnds>,
    /// Who goes there, and how it is looked for.
    pub asked: ProbeAsked,
}

impl ProbeView {
    /// Look for paths from a place; the goal stays where it was. For another definition or kind where one is given, as
    /// wide as that is.
    pub fn begin(&mut self, doc: &DocPath, at: [f64; 2], who: Option<Name>) {
        let goal = self.ends.get(doc).map_or(at, |[_, goal]| *goal);
        self.ends.insert(doc.clone(), [at, goal]);
        if let Some(who) = who {
            self.ask_for(who);
        }
    }

    /// Look for paths of a definition or a kind, as wide as that is.
    pub fn ask_for(&mut self, who: Name) {
        if self.asked.who != who {
            (self.asked.who, self.asked.radius) = (who, None);
        }
    }
}

/// Who a path is looked for, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeAsked {
    /// A definition, an entity of the level, or a kind of agent.
    pub who: Name,
    /// Another radius than it has, in pixels.
    pub radius: Option<f64>,
    /// Where it goes.
    pub on: ProbeOn,
    /// Of the search.
    pub weight: f64,
    /// What the cells are colored by.
    pub colored: Option<Colored>,
}

impl Default for ProbeAsked {
    fn default() -> Self {
        Self { who: "walk".into(), radius: None, on: ProbeOn::default(), weight: 1.0, colored: None }
    }
}

/// Where the path probe looks for paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProbeOn {
    /// As it moves when the level is played: over ledges if it walks there and the level is seen from the side, else on
    /// the grid.
    #[default]
    Own,
    /// The tile grid.
    Grid,
    /// A waypoint layer, by name; as it moves where a level has no such layer.
    Layer(Name),
}

/// What one search looks for: two that are equal have one answer.
#[derive(Clone, Debug)]
struct Asked {
    doc: DocPath,
    grid: Arc<SolidGrid>,
    resolution: Arc<Resolution>,
    ends: ProbeEnds,
    how: ProbeAsked,
    /// If that is a placed entity: with its own values.
    placed: Option<Arc<Resolved>>,
}

impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        (&self.doc, self.ends, &self.how, &self.placed) == (&other.doc, other.ends, &other.how, &other.placed)
            && Arc::ptr_eq(&self.grid, &other.grid)
            && Arc::ptr_eq(&self.resolution, &other.resolution)
    }
}

/// What there is to walk on, kept from one search to the next.
struct Walked {
    of: (DocPath, Arc<SolidGrid>),
    /// Where bodies count, who goes there, and how the project was resolved.
    bodies_of: Option<(Arc<Resolved>, Arc<Resolution>)>,
    paths: Paths,
    /// The numbers of the cells, and what they are of.
    field: Option<(Colored, Agent, Vec2, Arc<CellField>)>,
}

/// Something that was found, or not.
pub struct ProbeDone {
    asked: Asked,
    walked: Option<Walked>,
    answer: ProbeAnswer,
}

/// The answer to what was asked.
#[derive(Clone, Debug)]
pub struct ProbeAnswer {
    /// Start and goal that it is of.
    pub ends: ProbeEnds,
    /// The radius that counted, in pixels; 0 over ledges, where its body counts.
    pub radius: f32,
    /// Whether costs are in pixels, along waypoints, and not in steps.
    pub is_in_px: bool,
    /// What was found, or why it could not be looked for.
    pub found: Result<Probed, String>,
    /// Where there is no path, why: a sentence without its end.
    pub why: Option<String>,
    /// How long the paths are, in pixels: as searched, with weight 1, and as followed.
    pub lengths_px: [f64; 3],
    /// The cells that were examined: those still open, and those closed.
    pub examined: [CellSet; 2],
    /// What the cells are colored by.
    pub field: Option<(Colored, Arc<CellField>)>,
    /// The ledges of the level, for who goes over them and if they were asked for.
    pub ledges: Option<Arc<LedgeMap>>,
}

/// A search for a path.
pub struct ProbeJob {
    asked: Asked,
    project: Project,
    walked: Option<Walked>,
}

/// The answers, and the search that is under way.
#[derive(Default)]
pub struct Probes {
    done: Option<(Asked, Arc<ProbeAnswer>)>,
    walked: Option<Walked>,
    running: Option<Asked>,
}

impl Probes {
    /// What was found last in a level.
    #[must_use]
    pub fn answer(&self, doc: &DocPath) -> Option<&Arc<ProbeAnswer>> {
        self.done.as_ref().filter(|(asked, _)| asked.doc == *doc).map(|(_, answer)| answer)
    }

    /// A search for what is asked now, if nothing else was looked for last and none is under way. The project is the
    /// one that the rest is of.
    pub(super) fn start(
        &mut self,
        (project, resolution): (&Project, &Arc<Resolution>),
        geometry: Option<&Geometry>,
        (ends, how): (Option<ProbeEnds>, &ProbeAsked),
    ) -> Option<ProbeJob> {
        let (Some(ends), Some(geometry)) = (ends, geometry) else {
            if ends.is_none() && self.running.is_none() {
                (self.done, self.walked) = (None, None);
            }
            return None;
        };
        let (doc, grid) = (geometry.level.clone(), Arc::clone(&geometry.grid));
        let placed = project.level(&doc).and_then(|level| placed(resolution, (&doc, level), &how.who));
        let asked = Asked { doc, grid, resolution: Arc::clone(resolution), ends, how: how.clone(), placed };
        if self.running.is_some() || self.done.as_ref().is_some_and(|(done, _)| *done == asked) {
            return None;
        }
        self.running = Some(asked.clone());
        Some(ProbeJob { asked, project: project.clone(), walked: self.walked.take() })
    }

    /// Take over what a search found.
    pub(super) fn take(&mut self, done: ProbeDone) {
        if self.running.take_if(|asked| *asked == done.asked).is_some() {
            self.walked = done.walked;
            self.done = Some((done.asked, Arc::new(done.answer)));
        }
    }

    /// A search came to no end. It is not tried again before something is asked otherwise.
    pub(super) fn failed(&mut self) {
        if let Some(asked) = self.running.take() {
            let why = "The search failed; standard error says more".to_owned();
            self.done = Some((asked.clone(), Arc::new(ProbeAnswer::without(&asked, why))));
        }
    }
}

impl ProbeAnswer {
    fn without(asked: &Asked, why: String) -> Self {
        let (ends, examined, lengths_px) = (asked.ends, Default::default(), [0.0; 3]);
        let (found, why) = (Err(why), None);
        Self { ends, radius: 0.0, is_in_px: false, found, why, lengths_px, examined, field: None, ledges: None }
    }
}

impl ProbeJob {
    /// Look for it.
    #[must_use]
    pub fn run(self) -> ProbeDone {
        let Self { asked, project, walked } = self;
        match search(&asked, &project, walked) {
            Ok((walked, answer)) => ProbeDone { asked, walked: Some(walked), answer },
            Err(why) => ProbeDone { answer: ProbeAnswer::without(&asked, why), asked, walked: None },
        }
    }
}

fn search(asked: &Asked, project: &Project, walked: Option<Walked>) -> Result<(Walked, ProbeAnswer), String> {
    let (doc, how) = (&asked.doc, &asked.how);
    let level = project.level(doc).ok_or("The level cannot be read")?;
    let traveler = Traveler::in_level((project, &asked.resolution), (doc, level), &how.who)
        .ok_or_else(|| format!("No tile, definition or entity of this level knows an agent “{}”", how.who))?;
    let bodies_of = traveler.resolved.clone().map(|who| (who, Arc::clone(&asked.resolution)));
    let is_kept = |walked: &Walked| {
        let is_same = match (&walked.bodies_of, &bodies_of) {
            (Some((who, a)), Some((other, b))) => Arc::ptr_eq(a, b) && who == other,
            (a, b) => a.is_none() && b.is_none(),
        };
        is_same && walked.of.0 == *doc && Arc::ptr_eq(&walked.of.1, &asked.grid)
    };
    let mut walked = match walked.filter(is_kept) {
        Some(walked) => walked,
        None => {
            let made_of = (project, &*asked.resolution);
            let paths = traveler.paths(made_of, (doc.stem(), level), || Arc::clone(&asked.grid));
            let paths = paths.ok_or("The level cannot be played: see Problems")?;
            Walked { of: (doc.clone(), Arc::clone(&asked.grid)), bodies_of, paths, field: None }
        }
    };
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let radius = how.radius.map_or(traveler.agent.radius, |radius| radius as f32);
    let agent = walked.paths.agent(Agent { radius, ..traveler.agent });
    let on = match &how.on {
        ProbeOn::Layer(layer) if walked.paths.navigator.waypoints(layer).is_some() => Ground::Waypoints(layer.clone()),
        ProbeOn::Grid => Ground::Grid,
        ProbeOn::Own | ProbeOn::Layer(_) => walked.paths.ground(),
    };
    let walker = walked.paths.walker.clone();
    let navigator = &mut walked.paths.navigator;
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let ends = asked.ends.map(|[x, y]| Vec2::new(x as f32, y as f32));
    let near_px = reach_px(&asked.resolution);
    let question = Question { ends, agent, on, weight: limits::path_weight(how.weight), near_px, walker };
    let found = probe::probe(navigator, &question, PathTuning::of(&asked.resolution));
    let (mut ledges, mut colors) = (None, None);
    match (&question.on, how.colored) {
        (Ground::Ledges(walker), Some(Colored::Areas)) => {
            ledges = Some(Arc::new(navigator.ledge_map(walker, question.ends[0])));
        }
        // Cells say nothing of ledges.
        (Ground::Ledges(_), _) | (_, None) => {}
        (_, Some(colored)) => colors = field(&mut walked, &question, colored).map(|field| (colored, field)),
    }
    let examined = examined(&asked.grid, &found.searched);
    let place = |at: Vec2| format!("{}, {}", at.x.round(), at.y.round());
    let why = walked.paths.why_text(&found.searched, &question, place);
    let is_in_px = question.on != Ground::Grid;
    let radius = if matches!(question.on, Ground::Ledges(_)) { 0.0 } else { radius };
    let paths = [Some(&found.searched.points), found.cheapest.as_ref().map(|it| &it.points), Some(&found.smooth)];
    let lengths_px = paths.map(|points| points.map_or(0.0, |points| probe::length_of(points)));
    let (ends, found, field) = (asked.ends, Ok(found), colors);
    Ok((walked, ProbeAnswer { ends, radius, is_in_px, found, why, lengths_px, examined, field, ledges }))
}

/// The numbers of the cells, made again only where they are of something else.
fn field(walked: &mut Walked, question: &Question, colored: Colored) -> Option<Arc<CellField>> {
    let (agent, from) = (&question.agent, question.ends[0]);
    let is_known = |(of, who, start, _): &(Colored, Agent, Vec2, Arc<CellField>)| {
        *of == colored && who == agent && (colored != Colored::Cost || *start == from)
    };
    if let Some((.., known)) = walked.field.as_ref().filter(|known| is_known(known)) {
        return Some(Arc::clone(known));
    }
    let made = Arc::new(probe::field(&mut walked.paths.navigator, question, colored)?);
    walked.field = Some((colored, agent.clone(), from, Arc::clone(&made)));
    Some(made)
}

fn examined(grid: &SolidGrid, answer: &Answer) -> [CellSet; 2] {
    let cells = |places: &[Vec2]| places.iter().map(|at| -> Cell { grid.cell_at(*at) }).collect::<CellSet>();
    [cells(&answer.open), cells(&answer.closed)]
}
