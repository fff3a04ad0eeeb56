//! Edits of whole layers with millions of tiles: a job makes them on a copy of the project, and what they change is put
//! in place as one step when it is there.
//!
//! Invariant: what is put in place was made of the project that is there. Where that has changed meanwhile, the edits
//! are made once more.

use std::sync::Arc;

use super::{editor::Editor, events::Event, job::Job, notice::Applies};
use crate::{
    edit::{Edit, Refusal, apply_all, n_chunks_made},
    model::{Project, sentence},
};

/// Edits that make more chunks of tiles anew take longer than a frame has time for.
const MOST_AT_ONCE: usize = 256;

/// Makes a step of edits.
type Act = Box<dyn FnOnce(&mut Editor, &[Edit])>;

/// Edits that are being made.
pub(super) struct Making {
    label: String,
    edits: Arc<[Edit]>,
    /// Of this project.
    of: Project,
    act: Act,
}

/// What edits change, as edits that take no time: each puts a whole document in place.
fn made(project: &Project, edits: &[Edit]) -> Result<Vec<Edit>, Refusal> {
    let mut after = project.clone();
    apply_all(&mut after, edits)?;
    let is_other = |edit: &Edit| {
        edit.doc().is_some_and(|doc| match (project.doc(doc), after.doc(doc)) {
            (Some(before), Some(after)) => !Arc::ptr_eq(before, after),
            (before, after) => before.is_some() || after.is_some(),
        })
    };
    let mut out: Vec<Edit> = Vec::new();
    for doc in edits.iter().filter(|edit| is_other(edit)).filter_map(Edit::doc) {
        if !out.iter().any(|it| it.doc() == Some(doc)) {
            out.push(Edit::PutDocument { doc: doc.clone(), document: after.doc(doc).cloned() });
        }
    }
    Ok(out)
}

impl Editor {
    /// Have `act` make a step of edits: at once, or where they take longer of what a job made of them.
    pub(super) fn make(&mut self, label: &str, edits: Vec<Edit>, act: impl FnOnce(&mut Self, &[Edit]) + 'static) {
        if let Some(making) = &self.making {
            self.notify(format!("“{}” is not done yet: wait for it, or undo to drop it", making.label));
            return;
        }
        self.end_gesture();
        let project = self.workspace.project();
        if n_chunks_made(project, &edits) <= MOST_AT_ONCE {
            act(self, &edits);
            return;
        }
        let of = project.clone();
        if !self.is_refused_while_opening() {
            self.making = Some(Making { label: label.to_owned(), edits: edits.into(), of, act: Box::new(act) });
            self.start_making();
        }
    }

    fn start_making(&mut self) {
        let Some(making) = &self.making else { return };
        let (project, edits) = (making.of.clone(), Arc::clone(&making.edits));
        let notice = format!("{}…", making.label);
        self.notify_while(Applies::ForAWhile, notice);
        self.jobs.spawn(Job::Make, move || {
            let result = made(&project, &edits);
            Event::Made { edits, result }
        });
    }

    /// A job made edits, or they were refused.
    pub(super) fn edits_made(&mut self, edits: &Arc<[Edit]>, result: Result<Vec<Edit>, Refusal>) {
        let Some(mut making) = self.making.take_if(|making| Arc::ptr_eq(&making.edits, edits)) else { return };
        let project = self.workspace.project();
        if !making.of.has_same_documents(project) {
            making.of = project.clone();
            self.making = Some(making);
            self.start_making();
            return;
        }
        self.notices.take();
        match result {
            Ok(made) => (making.act)(self, &made),
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Make them no longer. Returns whether any were being made.
    pub(super) fn drop_making(&mut self) -> bool {
        let dropped = self.making.take();
        if let Some(making) = &dropped {
            self.notify(format!("Dropped: {}", making.label));
        }
        dropped.is_some()
    }
}
