//! Restores what was not saved when the program was killed, as if the file had changed only now. So a document whose
//! file has changed by now is handled as always.
//!
//! Invariant: the content of a journal is in the project afterwards, merged with the files' content, or there is a
//! question about it.

use std::sync::Arc;

use super::{Follow, Followed};
use crate::{
    io::{
        Choices, Now, Reloaded,
        codec::{same, shared},
        journal::{Mine, Recovered, Unsaved},
    },
    model::{DocPath, Document, Project},
};

impl Follow {
    /// Every document that differs from its file, with all that is needed to find out later how it was changed.
    #[must_use]
    pub fn unsaved(&self, project: &Project) -> Vec<Unsaved> {
        let unsaved = |path: DocPath| Unsaved {
            document: project.doc(&path).cloned(),
            source: self.sources.get(&path).cloned(),
            last: project.doc(&path).and_then(|document| self.sources.last_text(&path, document)).cloned(),
            saved: self.saved.doc(&path).cloned(),
            path,
        };
        self.saved.modified(project).into_iter().map(unsaved).collect()
    }

    /// Whether a document is in the project as the journal has it.
    #[must_use]
    pub fn has(&self, recovered: &Recovered, project: &Project) -> bool {
        match (&recovered.mine, project.doc(&recovered.path)) {
            (Mine::Says(mine), Some(here)) => same(mine, here),
            (Mine::Gone, None) => self.sources.get(&recovered.path).is_none_or(|source| source.document.is_some()),
            _ => false,
        }
    }

    /// Whether a file is not what it was when the journal was written.
    #[must_use]
    pub fn is_other(&self, recovered: &Recovered) -> bool {
        self.known(&recovered.path) != recovered.base.as_ref().map(|base| base.hash)
    }

    /// Restore the content of a journal. The result is in [`Followed::reloads`], one step, merged with the files'
    /// present content; there is a question about what both changed.
    #[must_use]
    pub fn restore(&mut self, recovered: &[Recovered], project: &Project) -> Followed {
        let mut out = Followed { is_changed: true, ..Followed::default() };
        let mut restored = project.clone();
        for it in recovered {
            let mine = match &it.mine {
                Mine::Says(mine) => Some(mine),
                Mine::Gone => None,
                Mine::Unreadable => continue,
            };
            if !self.has(it, project) {
                self.restore_one(it, mine, &mut restored, &mut out);
            }
        }
        for it in recovered {
            let (was, is) = (project.doc(&it.path), restored.doc(&it.path));
            let is_same = was.zip(is).map_or(was.is_none() && is.is_none(), |(was, is)| Arc::ptr_eq(was, is));
            if !is_same {
                out.reloads.push((it.path.clone(), is.cloned()));
            }
        }
        out
    }

    fn restore_one(
        &mut self,
        it: &Recovered,
        mine: Option<&Arc<Document>>,
        restored: &mut Project,
        out: &mut Followed,
    ) {
        let path = &it.path;
        let known = self.sources.get(path).cloned();
        let put = |restored: &mut Project, document: Option<Arc<Document>>| match document {
            Some(document) => _ = restored.documents.insert(path.clone(), document),
            None => _ = restored.documents.remove(path),
        };
        if let Some(last) = it.last.clone() {
            Arc::make_mut(&mut self.sources).keep_text(path.clone(), last, true);
        }
        // Equal parts are the same ones, so that a save need look only at what differs.
        let mine = mine.map(|mine| match self.saved.doc(path) {
            Some(there) => shared(there, Document::clone(mine)),
            None => Arc::clone(mine),
        });
        if !self.is_other(it) {
            if known.is_some_and(|source| source.document.is_none()) {
                self.saved.put(path.clone(), it.saved.clone());
            }
            put(restored, mine);
            return;
        }
        // The state is as it was then, and the change of the file is reported now.
        let sources = Arc::make_mut(&mut self.sources);
        match &it.base {
            Some(base) => sources.put(path.clone(), base.clone()),
            None => _ = sources.files.remove(path),
        }
        self.saved.put(path.clone(), it.saved.clone());
        put(restored, mine);
        let against = it.base.as_ref().map(|base| base.hash);
        let news = Reloaded { path: path.clone(), now: known.map_or(Now::Gone, Now::Read), against };
        let mut followed = Followed::default();
        self.decide(news, restored, &Choices::default(), &mut followed);
        for (_, document) in followed.reloads {
            put(restored, document);
        }
        for merged in followed.merges {
            put(restored, Some(Arc::clone(&merged.document)));
            out.merges.push(merged);
        }
        out.broken.append(&mut followed.broken);
        out.orphaned.append(&mut followed.orphaned);
    }
}
