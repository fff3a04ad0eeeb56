//! The quick fix that declares names that definitions and placed entities use and no schema declares, with types
//! guessed from the whole project.
//!
//! Invariant: a guess considers all uses in the present project. So these fixes are made again whenever there is such a
//! problem, also for problems found earlier, and not by the rules, which check only what changed.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{Fix, Problem, input::Input};
use crate::{
    edit::Declared,
    model::{DocKind, DocPath, Finding, Location, Name, OpKind, Seg},
    refactor::{Declaring, Evidence, Plan},
};

/// The component at a place in a definition or placed entity, and the rest of the path.
fn declared_at(at: &Location) -> Option<(&Name, &[Seg])> {
    let ops = match at.doc.kind()? {
        DocKind::Entities => at.path.0.get(1..)?,
        DocKind::Level => at.path.within_layer().get(2..)?,
        _ => return None,
    };
    let [Seg::Key(op), Seg::Key(component), rest @ ..] = ops else { return None };
    OpKind::VALUED.iter().any(|kind| kind.key() == &**op).then_some((component, rest))
}

/// The same, for a finding about an undeclared name.
fn unknown(finding: &Finding) -> Option<(&Name, &[Seg])> {
    let (component, rest) = declared_at(&finding.location)?;
    let is_about_it = match &*finding.rule {
        "unknown-component" => rest.is_empty(),
        "unknown-field" => !rest.is_empty(),
        _ => false,
    };
    is_about_it.then_some((component, rest))
}

impl Fix {
    /// A fix that adds a declaration.
    pub(super) fn declaring(plan: Plan) -> Self {
        Self { label: plan.label, edits: plan.edits, safe: false, drops: false, declares: true }
    }
}

impl Input<'_> {
    /// Call `make` with the data for guessing declarations; not if a schema cannot be read, since it may declare
    /// anything.
    pub(super) fn declare(&self, make: impl FnOnce(&Declaring<'_>) -> Option<Plan>) -> Option<Fix> {
        if self.unreadable(DocKind::Schema).next().is_some() {
            return None;
        }
        let is_there = |path: &DocPath| self.images.is_none_or(|images| images.contains_key(path));
        let is_png = |path: &DocPath| {
            path.as_str().rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("png"))
        };
        let is_image = |text: &str| DocPath::new(text).is_some_and(|path| is_png(&path) && is_there(&path));
        let is_sound = |text: &str| DocPath::new(text).is_some_and(|path| path.is_sound() && is_there(&path));
        let (project, resolution) = (self.project, self.resolution);
        make(&Declaring { project, resolution, is_image: &is_image, is_sound: &is_sound }).map(Fix::declaring)
    }
}

/// Add to each problem about an unknown component, or an unknown field of the game's own components, the fix that
/// declares it.
pub(super) fn offer(problems: &mut [Arc<Problem>], input: &Input<'_>) {
    let names: BTreeSet<&str> = problems.iter().filter_map(|it| Some(&**unknown(&it.finding)?.0)).collect();
    if names.is_empty() {
        return;
    }
    let declared = Evidence::of_components(input.project, &names);
    let mut made: HashMap<(Name, Vec<Seg>), Option<Fix>> = HashMap::new();
    for problem in problems {
        let Some((component, inner)) = unknown(&problem.finding) else { continue };
        let fix = made.entry((component.clone(), inner.to_vec())).or_insert_with(|| {
            let declared = declared.get(&**component)?;
            let what = Declared::Component(component.clone());
            input.declare(|declaring| match inner {
                [] => declaring.thing(&what, declared),
                inner => declaring.field(&what, inner, declared),
            })
        });
        let old = problem.fixes.iter().position(|fix| fix.declares);
        if old.and_then(|old| problem.fixes.get(old)) == fix.as_ref() {
            continue;
        }
        let fix = fix.clone();
        let problem = Arc::make_mut(problem);
        problem.fixes.retain(|fix| !fix.declares);
        // After fixes of a misspelling, before fixes that remove data.
        let at = problem.fixes.iter().position(Fix::takes_away).unwrap_or(problem.fixes.len());
        problem.fixes.splice(at..at, fix);
    }
}
