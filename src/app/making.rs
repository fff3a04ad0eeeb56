//! Edits of whole layers with millions of tiles: a job plans and makes them on a copy of the project, and what they
//! change is put in place as one step when it is there.
//!
//! Invariant: what is put in place was planned and made on the project that is there. Where that has changed meanwhile,
//! it is done once more.

use std::{collections::BTreeSet, sync::Arc};

use super::{editor::Editor, events::Event, job::Job, notice::Applies};
use crate::{
    edit::{Edit, Refusal, apply_all, takes_long},
    model::{DocPath, Project, sentence},
};

/// The edits that are right for a project.
pub(super) type Planning = Arc<dyn Fn(&Project) -> Result<Vec<Edit>, Refusal> + Send + Sync>;

/// Makes a step of edits.
type Act = Box<dyn FnOnce(&mut Editor, &[Edit])>;

/// Edits that are being made.
pub(super) struct Making {
    label: String,
    plan: Planning,
    /// On this project.
    of: Project,
    act: Act,
    /// The number of the notice about it.
    notice: Option<u64>,
}

impl Making {
    /// What the step will be called.
    pub(super) fn label(&self) -> &str {
        &self.label
    }
}

/// What planned edits change, as edits that take no time: each puts a whole document in place.
fn made(project: &Project, plan: &Planning) -> Result<Vec<Edit>, Refusal> {
    let edits = plan(project)?;
    let mut after = project.clone();
    apply_all(&mut after, &edits)?;
    let docs: BTreeSet<&DocPath> = edits.iter().filter_map(Edit::doc).collect();
    let others = docs.into_iter().filter(|doc| !project.has_same_document(&after, doc));
    Ok(others.map(|doc| Edit::PutDocument { doc: doc.clone(), document: after.doc(doc).cloned() }).collect())
}

impl Editor {
    /// Have `act` make a step of planned edits: at once, or where they take longer of what a job made of them. Returns
    /// whether that was begun; a notice says why not.
    pub(super) fn make(&mut self, label: &str, plan: Planning, act: impl FnOnce(&mut Self, &[Edit]) + 'static) -> bool {
        if self.is_refused_while_making() || self.is_refused_while_opening() {
            return false;
        }
        self.end_gesture();
        let project = self.workspace.project();
        let edits = match plan(project) {
            Ok(edits) => edits,
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                return false;
            }
        };
        if !takes_long(project, &edits) {
            act(self, &edits);
            return true;
        }
        let of = project.clone();
        self.making = Some(Making { label: label.to_owned(), plan, of, act: Box::new(act), notice: None });
        self.start_making();
        true
    }

    /// Whether a job makes edits; a notice says so then.
    pub(super) fn is_refused_while_making(&mut self) -> bool {
        let Some(making) = &self.making else { return false };
        self.notify(format!("“{}” is not done yet: wait for it, or undo to drop it", making.label));
        true
    }

    fn start_making(&mut self) {
        let Some(making) = &self.making else { return };
        let (text, project, plan) = (format!("{}…", making.label), making.of.clone(), Arc::clone(&making.plan));
        self.notify_while(Applies::ForAWhile, text);
        let number = self.notices.current().map(|notice| notice.number);
        if let Some(making) = &mut self.making {
            making.notice = number;
        }
        self.jobs.spawn(Job::Make, move || {
            let result = made(&project, &plan);
            Event::Made { plan, result }
        });
    }

    /// A job made edits, or they were refused.
    pub(super) fn edits_made(&mut self, plan: &Planning, result: Result<Vec<Edit>, Refusal>) {
        let Some(mut making) = self.making.take_if(|making| Arc::ptr_eq(&making.plan, plan)) else { return };
        let project = self.workspace.project();
        if !making.of.has_same_documents(project) {
            making.of = project.clone();
            self.making = Some(making);
            self.start_making();
            return;
        }
        if self.notices.current().map(|notice| notice.number) == making.notice {
            self.notices.take();
        }
        match result {
            Ok(made) => (making.act)(self, &made),
            // It is about what was asked for a while ago.
            Err(refusal) => self.notify_while(Applies::ForAWhile, sentence(&refusal.to_string())),
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
