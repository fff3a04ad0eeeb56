//! Applies quick fixes without a question for each: the safe ones, or all of one rule, round after round, until none is
//! left.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use crate::{
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply_all, apply_to},
    model::{Builtin, DocPath, FieldPath, Project, Seg, Severity, reflect::Data},
};

use super::{Checked, Fix, Images, Problem, check_up_to};

/// The problems that are fixed without a question for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'r> {
    /// Problems with a fix that changes nothing the game can notice.
    Safe,
    /// The same for one rule; names that are similar to no known one are declared as they are used, which changes no
    /// data.
    SafeOf(&'r str),
    /// All problems of a rule, by the likeliest fix of each.
    All(&'r str),
}

impl Which<'_> {
    /// The fix to apply to a problem, if any.
    ///
    /// An error whose fix deletes user data may follow from another error: what `remove` names may be missing because
    /// it is misspelled in an ancestor. So unless its rule is selected, such a fix waits until no other error is left.
    fn fix_of<'p>(&self, problem: &'p Problem, is_unsound: bool) -> Option<&'p Fix> {
        let fix = self.chosen(problem)?;
        let may_follow = problem.finding.severity == Severity::Error && fix.takes_away();
        let waits = is_unsound && may_follow && !matches!(self, Self::All(_));
        (!waits).then_some(fix)
    }

    fn chosen<'p>(&self, problem: &'p Problem) -> Option<&'p Fix> {
        let is_of = |rule: &str| *problem.finding.rule == *rule;
        match self {
            Self::Safe => problem.fixes.iter().find(|fix| fix.safe),
            Self::SafeOf(rule) if is_of(rule) => {
                let declaring = || problem.likeliest().filter(|fix| fix.declares);
                problem.fixes.iter().find(|fix| fix.safe).or_else(declaring)
            }
            Self::SafeOf(_) => None,
            Self::All(rule) => problem.likeliest().filter(|_| is_of(rule)),
        }
    }
}

/// The result of [`fix`].
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// The problems that were fixed.
    pub problems: Vec<Problem>,
    /// The changes, in order, from the original project.
    pub edits: Vec<Edit>,
}

/// The most rounds; fixes that keep undoing each other end there.
const MAX_ROUNDS: usize = 32;

/// Apply the quick fixes chosen by `which` to `project`. A fix may make another needless or possible, so the project is
/// checked again after each round.
pub fn fix(project: &mut Project, builtin: &Builtin, images: Option<&Images>, which: Which<'_>) -> Fixed {
    let mut fixed = Fixed::default();
    let mut last: Option<(Resolution, Checked)> = None;
    for _ in 0..MAX_ROUNDS {
        let now = resolve(project, builtin, last.as_ref().map(|(resolution, _)| resolution));
        // All problems: those that can be fixed may come after many that cannot.
        let checked = check_up_to(usize::MAX, project, &now, images, last.as_ref().map(|(_, checked)| checked));
        let is_left = |it: &Problem| it.finding.severity == Severity::Error && Which::Safe.chosen(it).is_none();
        let is_unsound = checked.problems.iter().any(|it| is_left(it));
        let mut claimed = Claims::default();
        // A fix that mends several problems counts for all of them.
        let mut made: HashMap<&str, &Fix> = HashMap::new();
        for problem in &checked.problems {
            let Some(fix) = which.fix_of(problem, is_unsound) else { continue };
            if made.get(&*fix.label).is_some_and(|made| *made == fix) {
                fixed.problems.push((**problem).clone());
                continue;
            }
            if !claimed.clash(&fix.edits) && make(project, &fix.edits) {
                claimed.add(&fix.edits);
                made.insert(&fix.label, fix);
                fixed.edits.extend(fix.edits.iter().cloned());
                fixed.problems.push((**problem).clone());
            }
        }
        if claimed.0.is_empty() {
            break;
        }
        last = Some((now, checked));
    }
    fixed
}

/// Make the edits of a fix, all or none. Returns whether they changed anything.
fn make(project: &mut Project, edits: &[Edit]) -> bool {
    // Each copy of the project would copy the documents that change.
    if let Some(owner) = owner_of_all(edits) {
        return apply_to(project, owner, edits).unwrap_or(false);
    }
    let mut next = project.clone();
    if apply_all(&mut next, edits).is_err() {
        return false;
    }
    let same = |doc: &DocPath| match (project.doc(doc), next.doc(doc)) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        (old, new) => old.is_none() && new.is_none(),
    };
    let is_changed = !edits.iter().filter_map(Edit::doc).all(same);
    if is_changed {
        *project = next;
    }
    is_changed
}

/// The definition or placed entity whose operations an edit changes.
fn owner_of(edit: &Edit) -> Option<&Owner> {
    match edit {
        Edit::ClearValue { owner, .. }
        | Edit::SetValue { owner, .. }
        | Edit::AddComponent { owner, .. }
        | Edit::RemoveComponent { owner, .. }
        | Edit::AddRemove { owner, .. }
        | Edit::DropRemove { owner, .. } => Some(owner),
        _ => None,
    }
}

/// The single owner whose operations all of these edits change.
fn owner_of_all(edits: &[Edit]) -> Option<&Owner> {
    let owner = owner_of(edits.first()?)?;
    edits.iter().all(|edit| owner_of(edit) == Some(owner)).then_some(owner)
}

/// The part of a document that an edit assumes to be unchanged since the edit was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// Only what it names, which another edit of the same kind names as well.
    Named,
    /// One part of the document: a definition's parents, the actions of a slot.
    Part(String),
    /// The whole document.
    Whole,
}

/// The parts of documents claimed by the fixes of a round. A fix is made for the project it was found in; after another
/// fix of the same part it waits for the next round.
#[derive(Default)]
struct Claims(BTreeMap<DocPath, BTreeSet<Claim>>);

impl Claims {
    fn clash(&self, edits: &[Edit]) -> bool {
        edits.iter().any(|edit| {
            let Some(taken) = edit.doc().and_then(|doc| self.0.get(doc)) else { return false };
            let mine = claim(edit);
            taken.contains(&Claim::Whole)
                || match mine {
                    Claim::Whole => !taken.is_empty(),
                    Claim::Part(_) => taken.contains(&mine),
                    Claim::Named => false,
                }
        })
    }

    fn add(&mut self, edits: &[Edit]) {
        for (doc, edit) in edits.iter().filter_map(|edit| Some((edit.doc()?, edit))) {
            self.0.entry(doc.clone()).or_default().insert(claim(edit));
        }
    }
}

fn claim(edit: &Edit) -> Claim {
    match edit {
        Edit::ClearValue { .. }
        | Edit::AddComponent { .. }
        | Edit::RemoveComponent { .. }
        | Edit::AddRemove { .. }
        | Edit::DropRemove { .. }
        | Edit::PaintTiles { .. }
        | Edit::FillTiles { .. }
        | Edit::MergeTiles { .. }
        | Edit::SetLink { .. } => Claim::Named,
        Edit::SetValue { inner, .. } if inner.0.iter().all(|seg| matches!(seg, Seg::Key(_))) => Claim::Named,
        Edit::SetValue { owner, component, field, .. } => Claim::Part(format!("{} {component}.{field}", owner.name())),
        Edit::Set { at, data: Data::Plain(_), .. } if at.0.iter().all(|seg| matches!(seg, Seg::Key(_))) => Claim::Named,
        // Elements of lists are counted: if one is removed, those after it shift.
        Edit::Set { at, .. } | Edit::Insert { at, .. } | Edit::Remove { at, .. } | Edit::Move { at, .. } => {
            let named = at.0.iter().take_while(|seg| !matches!(seg, Seg::Index(_)));
            Claim::Part(FieldPath(named.cloned().collect()).to_string())
        }
        Edit::Copy { at, .. } => Claim::Part(at.to_string()),
        _ => Claim::Whole,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

    use super::*;
    use crate::model::{Document, EntitiesFile, EntityDef, Name, OpKind, Ops, Value};

    #[test]
    fn fixes_of_several_edits_copy_no_document_each() {
        const N: usize = 40;
        let path = DocPath::new("entities/all.ron").unwrap();
        let name = |i: usize| Name::from(&*format!("d{i}"));
        let fields = [(Name::from("max"), Value::Float(1.0))].into_iter().collect();
        let ops = Ops { set: [(Name::from("Helth"), fields)].into_iter().collect(), ..Ops::default() };
        let def = Arc::new(EntityDef { ops, ..EntityDef::default() });
        let file = EntitiesFile { defs: (0..N).map(|i| (name(i), Arc::clone(&def))).collect() };
        let documents = BTreeMap::from([(path.clone(), Arc::new(Document::Entities(file)))]);
        let mut project = Project::from_iter(documents);
        let owner = |i: usize| Owner::Def { doc: path.clone(), name: name(i) };
        let renamed = |i: usize| {
            let (component, inner) = (Name::from("Health"), FieldPath::root());
            [
                Edit::RemoveComponent { owner: owner(i), component: "Helth".into() },
                Edit::AddComponent { owner: owner(i), component: component.clone() },
                Edit::SetValue {
                    owner: owner(i),
                    op: OpKind::Set,
                    component,
                    field: "max".into(),
                    inner,
                    value: Value::Float(1.0),
                },
            ]
        };
        let (mut n_made, mut n_copies) = (0, 0);
        for i in 0..N {
            let before: *const Document = &raw const **project.doc(&path).unwrap();
            n_made += usize::from(make(&mut project, &renamed(i)));
            n_copies += usize::from(!std::ptr::eq(before, &raw const **project.doc(&path).unwrap()));
        }
        assert_eq!((n_made, n_copies), (N, 0));
        assert!(!make(&mut project, &renamed(1)), "there is nothing left to rename");
        // If one of them is refused, nothing changes.
        let edits = ["Glue", ""].map(|it| Edit::AddComponent { owner: owner(1), component: it.into() });
        let before = project.def(&path, "d1").cloned();
        assert!(!make(&mut project, &edits));
        assert_eq!(project.def(&path, "d1").cloned(), before);
    }
}
