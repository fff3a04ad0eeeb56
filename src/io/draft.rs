//! The new content of files: each text changed where its document changed, with the comments of entries that move from
//! one place to another, in the same file or another.
//!
//! Invariant: a comment of the old texts is in the new ones, or beside something that went for good, and then it is
//! listed.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use super::{
    Source, Sources,
    builtin::builtin_vocabulary,
    codec::{self, Order},
    parts::{Known, Strays, split, strays},
    related::is_related,
    ron_text::{self, Carryable, Dropped, Lines, Placed, Remark},
};
use crate::model::{Difference, DocKind, DocPath, Document, Location, Project};

/// A file that is to have other content.
pub(super) struct Job<'j> {
    /// Its new document; `None` when it goes.
    pub(super) document: Option<&'j Document>,
    /// Its content now.
    pub(super) source: Option<&'j Source>,
    /// In which order new fields are written.
    pub(super) order: &'j Order<'j>,
}

/// What a file will be.
#[derive(Default)]
pub(super) struct Draft {
    /// Its text; `None` when it goes.
    pub(super) text: Option<String>,
    /// Comments of the old text that are in none of the new ones.
    pub(super) lost: Vec<Remark>,
    dropped: Dropped,
    placed: Vec<Placed>,
    /// Whether the text is another, so that something may have come.
    is_changed: bool,
}

/// What files will be that change in one step.
pub(super) fn drafted(jobs: &[Job<'_>]) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = jobs.iter().map(|job| draft(job, &[])).collect();
    for (draft, job) in drafts.iter_mut().zip(jobs).filter(|(_, job)| job.document.is_none()) {
        let tree = job.source.and_then(|source| ron_text::parse(&source.text).ok());
        draft.dropped = tree.map(|tree| Dropped::whole(&tree)).unwrap_or_default();
    }
    if drafts.iter().any(|draft| !draft.dropped.entries.is_empty()) {
        carry(&mut drafts, jobs);
    } else {
        for draft in &mut drafts {
            draft.lost = std::mem::take(&mut draft.dropped.remarks);
        }
    }
    drafts
}

/// Draft again the files that entries may have moved to, with the entries that others drop.
fn carry(drafts: &mut [Draft], jobs: &[Job<'_>]) {
    let mut all: Vec<(usize, Carryable)> = Vec::new();
    for (owner, draft) in drafts.iter_mut().enumerate() {
        all.extend(std::mem::take(&mut draft.dropped.entries).into_iter().map(|entry| (owner, entry)));
    }
    // An entry that moves as a whole takes along the entries inside it, which are offered to nothing else then: equal
    // values in many definitions that move would give each the comments of all.
    let mut outer = Vec::new();
    let mut at = 0;
    while let Some((_, entry)) = all.get(at) {
        outer.push(at);
        at += 1 + entry.n_inside();
    }
    let whole: Vec<Carryable> = outer.iter().filter_map(|at| Some(all.get(*at)?.1.alone())).collect();
    let is_changed = |(draft, _): &(&mut Draft, &Job<'_>)| draft.is_changed;
    let placed = drafts.iter_mut().zip(jobs).filter(is_changed).flat_map(|(_, job)| draft(job, &whole).placed);
    let placed: HashSet<usize> =
        placed.filter(|it| it.is_whole).flat_map(|it| it.from).filter_map(|i| outer.get(i).copied()).collect();
    let (mut owners, mut offered) = (Vec::new(), Vec::new());
    let mut inside = 0;
    for (at, (owner, entry)) in all.into_iter().enumerate() {
        if inside > 0 {
            inside -= 1;
            continue;
        }
        owners.push(owner);
        let is_whole = placed.contains(&at);
        inside = if is_whole { entry.n_inside() } else { 0 };
        offered.push(if is_whole { entry.alone() } else { entry });
    }
    let mut kept: Vec<BTreeSet<usize>> = drafts.iter().map(|_| BTreeSet::new()).collect();
    for (before, job) in drafts.iter_mut().zip(jobs).filter(is_changed) {
        let after = draft(job, &offered);
        before.text = after.text;
        before.placed = after.placed;
    }
    for placed in drafts.iter_mut().flat_map(|draft| std::mem::take(&mut draft.placed)).collect::<Vec<_>>() {
        let comments = placed.comments();
        for at in placed.from {
            let (Some(entry), Some(owner)) = (offered.get(at), owners.get(at)) else { continue };
            let (Some(draft), Some(kept)) = (drafts.get(*owner), kept.get_mut(*owner)) else { continue };
            let (from, to) = entry.range();
            let remarks = &draft.dropped.remarks;
            let first = remarks.partition_point(|remark| remark.at < from);
            let within = remarks.iter().skip(first).take_while(|remark| remark.at < to);
            kept.extend(within.filter(|remark| comments.contains(remark.first_line())).map(|remark| remark.at));
        }
    }
    for (draft, kept) in drafts.iter_mut().zip(kept) {
        let remarks = std::mem::take(&mut draft.dropped.remarks);
        draft.lost = remarks.into_iter().filter(|remark| !kept.contains(&remark.at)).collect();
    }
}

fn draft(job: &Job<'_>, carried: &[Carryable]) -> Draft {
    let Some(document) = job.document else { return Draft::default() };
    if let Some(once) = job.source.and_then(|source| source.text_once(document)) {
        return Draft { text: Some(once.to_owned()), ..Draft::default() };
    }
    if let Some(patched) = job.source.and_then(|source| patched(document, source, job.order, carried)) {
        let is_changed = job.source.is_none_or(|source| *source.text != *patched.text);
        let (text, dropped, placed) = (Some(patched.text), patched.dropped, patched.placed);
        return Draft { text, dropped, placed, is_changed, ..Draft::default() };
    }
    let mut form = codec::form(document, None);
    job.order.arrange(&mut form);
    let (text, placed) = ron_text::write_with(&form, carried);
    Draft { text: Some(text), placed, is_changed: true, ..Draft::default() }
}

fn patched(
    document: &Document,
    source: &Source,
    order: &Order<'_>,
    carried: &[Carryable],
) -> Option<ron_text::Patched> {
    let base = source.document.as_deref()?;
    let mut form = codec::form(document, Some(base));
    order.arrange(&mut form);
    let part = source.index().and_then(|index| ron_text::part(&source.text, index, &form));
    part.and_then(|part| ron_text::patch_with(&part, &form, carried)).or_else(|| {
        // The text may not have the parts that were taken for known; then all of it is compared.
        let mut form = codec::form(document, None);
        order.arrange(&mut form);
        ron_text::patch_with(&ron_text::parse(&source.text).ok()?, &form, carried)
    })
}

/// A file's text for `document`: the text of `source` with only the changes made, or a new text in canonical form.
/// New fields are in the order in which the built-in schemas declare them; [`Sources::text_of`] knows the
/// game's own too.
#[must_use]
pub fn text_of(document: &Document, source: Option<&Source>) -> String {
    text_by(document, source, &Order(vec![builtin_vocabulary()]))
}

pub(super) fn text_by(document: &Document, source: Option<&Source>, order: &Order<'_>) -> String {
    drafted(&[Job { document: Some(document), source, order }]).remove(0).text.unwrap_or_default()
}

/// The vocabulary of schema documents, and behind it the built-in one.
pub(super) fn order_of(schemas: &[Arc<Document>]) -> Order<'_> {
    let own = schemas.iter().filter_map(|document| match &**document {
        Document::Schema(schema) => Some(schema),
        _ => None,
    });
    Order(own.chain([builtin_vocabulary()]).collect())
}

/// What saving a changed project would write.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The text of each file that changes; `None` when it goes. By path.
    pub files: Vec<(DocPath, Option<String>)>,
    /// Comments that will be in none of them, by file and place. Only [`Difference::before`] is there.
    pub lost: Vec<Difference>,
}

/// What files were read, to split levels by.
struct FilesRead {
    documents: Project,
    before: Project,
    strays: BTreeMap<DocPath, Strays>,
}

impl Known for FilesRead {
    fn documents(&self, file: &DocPath) -> [Option<Arc<Document>>; 2] {
        [self.documents.doc(file).cloned(), self.before.doc(file).cloned()]
    }

    fn strays(&self, level: &DocPath) -> Option<&Strays> {
        self.strays.get(level)
    }
}

impl Sources {
    /// What a save of a document at `path` would write.
    #[must_use]
    pub fn text_of(&self, path: &DocPath, document: &Document) -> String {
        let source = self.get(path).filter(|source| source.document.is_some());
        text_by(document, source.or_else(|| self.last_text(path, document)), &order_of(&self.schemas()))
    }

    /// Two states of the project by the files they are kept in, where a large level is several. What is in both, or in
    /// a file already, is one and the same.
    #[must_use]
    pub fn by_file(&self, before: &Project, after: &Project) -> (Project, Project) {
        let documents = self.documents();
        let levels = documents.documents.keys().filter(|path| path.kind() == Some(DocKind::Level));
        let strays = levels.map(|path| (path.clone(), strays(path, &documents.documents))).collect();
        let mut known = FilesRead { documents, before: Project::default(), strays };
        let before = split(before, None, &known);
        known.before = Project::clone(&before.files);
        let after = split(after, Some(&before), &known);
        (known.before, Project::clone(&after.files))
    }

    /// What saving `after` would write, where `before` is the content of the files or was made of it.
    #[must_use]
    pub fn texts(&self, before: &Project, after: &Project) -> Texts {
        let (before, after) = &self.by_file(before, after);
        let is_same =
            |path: &DocPath, document: &Arc<Document>| before.doc(path).is_some_and(|old| Arc::ptr_eq(old, document));
        let changed = after.documents.iter().filter(|(path, document)| !is_same(path, document));
        let mut gone: Vec<&DocPath> = before.documents.keys().filter(|path| after.doc(path).is_none()).collect();
        let schemas = self.schemas();
        let order = order_of(&schemas);
        let mut jobs: Vec<(&DocPath, &DocPath, Job<'_>)> = Vec::new();
        for (path, document) in changed {
            let mut source = self.get(path).filter(|source| source.document.is_some());
            let mut from = path;
            if source.is_none() && before.doc(path).is_none() {
                // A file that is moved takes its text along.
                let continues = |old: &&DocPath| {
                    old.kind() == path.kind() && before.doc(old).is_some_and(|old| is_related(old, document))
                };
                if let Some(at) = gone.iter().position(continues) {
                    from = gone.remove(at);
                    source = self.get(from);
                }
            }
            let source = source.or_else(|| self.last_text(path, document));
            jobs.push((path, from, Job { document: Some(&**document), source, order: &order }));
        }
        jobs.extend(
            gone.into_iter().map(|path| (path, path, Job { document: None, source: self.get(path), order: &order })),
        );
        jobs.sort_by_key(|(path, ..)| *path);
        let (paths, jobs): (Vec<_>, Vec<_>) = jobs.into_iter().map(|(path, from, job)| ((path, from), job)).unzip();
        let mut out = Texts::default();
        for (((path, from), job), draft) in paths.into_iter().zip(&jobs).zip(drafted(&jobs)) {
            if let (Some(source), false) = (job.source, draft.lost.is_empty()) {
                let lines = Lines::new(&source.text);
                out.lost.extend(draft.lost.iter().map(|remark| {
                    let span = Some(lines.span(remark.at, remark.at + remark.text.len()));
                    let text = remark.text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                    let location = Location { span, ..Location::doc(from.clone()) };
                    Difference { location, before: Some(text), after: None }
                }));
            }
            out.files.push((path.clone(), draft.text));
        }
        out
    }
}
