//! The problems with their places in the text, and an index of them by place.

use std::sync::Arc;

use crate::{
    check::Problem,
    model::{DocPath, FieldPath, Finding},
};

/// A problem with its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct LocatedProblem {
    /// The problem.
    pub problem: Arc<Problem>,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// Whether the document is as its file has it. Else line and column are of the file, where something else may
    /// stand.
    pub is_saved: bool,
    /// The lines around it, when the file cannot be read and its text is all there is to show.
    pub excerpt: Vec<(u32, String)>,
}

/// The present number of a problem that is given with its number at another time; `None` if it is gone.
#[must_use]
pub fn number_now((before, finding): &(usize, Finding), problems: &[LocatedProblem]) -> Option<usize> {
    let is_it = |it: &LocatedProblem| it.problem.finding == *finding;
    let is_there = problems.get(*before).is_some_and(is_it);
    if is_there { Some(*before) } else { problems.iter().position(is_it) }
}

impl LocatedProblem {
    /// Line and column, as in "12:5"; "unsaved" where the document has changes that its file has not.
    #[must_use]
    pub fn place(&self) -> String {
        if self.is_saved { format!("{}:{}", self.line, self.column) } else { "unsaved".to_owned() }
    }
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
        by_place.sort_by(|a, b| place_of(&problems[*a]).cmp(&place_of(&problems[*b])));
        Self { by_place }
    }

    /// Those at or inside a field of a document, out of the list the index was made of.
    pub fn at<'p, 'q>(
        &'p self,
        problems: &'p [LocatedProblem],
        doc: &'q DocPath,
        path: &'q FieldPath,
    ) -> impl Iterator<Item = &'p LocatedProblem> + use<'p, 'q> {
        let first = self.by_place.partition_point(|i| problems.get(*i).is_some_and(|it| place_of(it) < (doc, path)));
        let from = self.by_place[first..].iter().filter_map(|i| problems.get(*i));
        from.take_while(move |it| {
            let (at, inside) = place_of(it);
            at == doc && inside.0.starts_with(&path.0)
        })
    }
}

fn place_of(located: &LocatedProblem) -> (&DocPath, &FieldPath) {
    let at = &located.problem.finding.location;
    (&at.doc, &at.path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Finding, Location};

    #[test]
    fn problems_are_found_by_place() {
        let doc = |name: &str| DocPath::new(name).unwrap_or_else(|| unreachable!());
        let problem = |at: &str, path: &[&str], message: &str| {
            let finding = Finding::error("x", Location::new(doc(at), FieldPath::keys(path)), message);
            LocatedProblem {
                problem: Arc::new(Problem::new(finding)),
                line: 1,
                column: 1,
                is_saved: true,
                excerpt: Vec::new(),
            }
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
