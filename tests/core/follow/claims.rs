//! What must hold at any time: what is compared, asked about and kept.

use super::*;

impl World {
    pub(super) fn note_texts(&mut self) {
        for at in paths() {
            if let Some(source) = self.follow.sources().get(at).filter(|source| source.document.is_some()) {
                self.texts.insert(at.clone(), source.text.to_string());
            }
        }
    }

    /// A file is written from its last content: what is still in it keeps its comments.
    pub(super) fn check_comments(&mut self, at: &DocPath, was_there: bool, document: &Document, text: &str) {
        let Some(before) = self.texts.get(at).cloned() else { return };
        let Some(was) = decode(at, before.as_bytes()) else { return };
        let (old, new) = (names(&was), names(document));
        let both: BTreeSet<&Name> = old.intersection(&new).collect();
        let is_project = at.kind() == Some(DocKind::Project);
        if !is_project && (both.is_empty() || 2 * both.len() < old.len().max(new.len())) {
            return;
        }
        let wanted =
            comments(&before, None).into_iter().chain(both.iter().flat_map(|def| comments(&before, Some(def))));
        let wanted: Vec<String> = wanted.collect();
        self.n_back += usize::from(!was_there && !wanted.is_empty());
        if let Some(lost) = wanted.iter().find(|comment| !text.contains(comment.as_str())) {
            self.fail(&format!("{lost} of {at} is lost; it was\n{before}and is\n{text}"));
        }
    }

    /// Once everything was looked at, what is asked about is what is there.
    pub(super) fn check_questions(&self) {
        for at in paths() {
            let Some(question) = self.follow.question_about(at) else { continue };
            let there = self.disk.files.get(at).map(|bytes| String::from_utf8_lossy(bytes));
            let is_so = match question.conflict {
                Conflict::GoneThere => there.is_none(),
                Conflict::Places(_) | Conflict::GoneHere => question.theirs() == there.as_deref(),
                Conflict::Broken => true,
            };
            if !is_so {
                self.fail(&format!("{at} is asked about, and is not so any more"));
            }
        }
    }

    pub(super) fn check(&self) {
        if self.images != self.disk.images {
            self.fail(&format!("shown {:?}, and there are {:?}", self.images, self.disk.images));
        }
        let all: BTreeSet<&DocPath> = self.project.documents.keys().chain(self.disk.files.keys()).collect();
        for at in all {
            let on_disk = self.disk.files.get(at);
            let source = self.follow.sources().get(at);
            if source.map(|source| source.hash) != on_disk.map(|bytes| content_hash(bytes)) {
                self.fail(&format!("what is known of {at} is not what is there"));
            }
            if self.follow.saved().is_modified(&self.project, at) {
                continue;
            }
            match (on_disk.map(|bytes| decode(at, bytes)), self.project.doc(at)) {
                (None, None) | (Some(None), _) => {}
                (Some(Some(there)), Some(here)) if same(here, &there) => {}
                _ => self.fail(&format!("{at} is not modified, and not what its file says")),
            }
        }
    }
}
