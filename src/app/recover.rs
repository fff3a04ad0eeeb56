//! The journal of unsaved changes, and the recovery from one found at the start. What is written and how it is restored
//! is decided in [`io::journal`] and [`io::Follow::restore`].

use std::{path::Path, time::SystemTime};

use super::{
    editor::Editor,
    keeping::{HandedOver, Keeping},
    notice::Applies,
};
use crate::{
    editor::{Dialog, Lost},
    io::{
        self,
        journal::{Found, Keeper, Mine, Unsaved},
    },
};

impl Editor {
    /// Begin the journal of a project that was just opened, and offer what was not saved of it.
    pub(super) fn begin_journal(&mut self, root: &Path, found: Vec<Found>) {
        let Keeping { keeper, mut ending, .. } = std::mem::take(&mut self.keeping);
        ending.retain(|keeper| !keeper.is_ended());
        ending.extend(keeper.inspect(Keeper::forget));
        self.keeping.ending = ending;
        let Some(journals) = &self.journals else { return };
        let wake = self.jobs.wake();
        self.keeping.keeper = Some(Keeper::new(journals, root, move || wake()));
        for mut found in found {
            found.entries.retain(|entry| !self.workspace.files().has(entry, self.workspace.kept()));
            if found.entries.is_empty() {
                // All of it had been saved.
                let _ = found.discard();
            } else {
                self.keeping.found.push(found);
            }
        }
        self.offer();
    }

    /// Everything is saved or given up: nothing is to be offered at the next start.
    pub(super) fn end_journal(&mut self) {
        if let Some(keeper) = &self.keeping.keeper {
            keeper.forget();
        }
        // Waits for it and for those before it.
        self.keeping = Keeping::default();
    }

    /// Hand over unsaved changes if they may have changed. An open drag is not included.
    pub(super) fn keep_journal(&mut self) {
        let Some(keeper) = &self.keeping.keeper else { return };
        if let Some(why) = keeper.trouble() {
            let text = format!("What is not saved would be lost in a crash: its journal cannot be written, {why}");
            self.notify_while(Applies::ForAWhile, text);
        }
        let Some(keeper) = &self.keeping.keeper else { return };
        let step = self.workspace.history().next(None, false).map(crate::edit::Step::id);
        let handed_over =
            HandedOver { revision: (!self.workspace.is_dragging()).then_some(self.workspace.revision()), step };
        if self.keeping.handed_over.as_ref() == Some(&handed_over) {
            return;
        }
        let taken_over = std::mem::take(&mut self.keeping.taken_over);
        keeper.keep(self.to_keep(), taken_over);
        self.keeping.handed_over = Some(handed_over);
    }

    /// The content of the journal: all unsaved changes but those of an open drag.
    #[must_use]
    pub fn to_keep(&self) -> Vec<Unsaved> {
        let project = self.workspace.kept_before_drag();
        self.workspace.files().unsaved(project)
    }

    /// Ask about what was not saved.
    fn offer(&mut self) {
        let Some(found) = self.keeping.found.first() else { return };
        let lost = |entry: &io::journal::Recovered| match (&entry.mine, &entry.base) {
            (Mine::Unreadable, _) => Lost::Unreadable,
            (Mine::Gone, _) => Lost::Deleted,
            _ if self.workspace.files().is_other(entry) => Lost::ChangedThere,
            (Mine::Says(_), None) => Lost::New,
            (Mine::Says(_), Some(_)) => Lost::Changed,
        };
        let docs = found.entries.iter().map(|entry| (entry.path.clone(), lost(entry))).collect();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        self.bench.dialog = Some(Dialog::Recovered { docs, secs_ago: now.saturating_sub(found.secs) });
    }

    /// Take up what was not saved, as one step.
    pub(super) fn restore(&mut self) {
        if self.keeping.found.is_empty() {
            return;
        }
        // Those of before that are offered another time.
        let mut found = std::mem::take(&mut self.keeping.found);
        found.truncate(1);
        for found in found {
            let mut followed = self.workspace.restore(&found.entries);
            let n_merged = std::mem::take(&mut followed.merges).len();
            let label = match followed.reloads.as_slice() {
                [(doc, _)] => format!("Restore {doc}"),
                list => format!("Restore {} files", list.len()),
            };
            let merged = match n_merged {
                0 => String::new(),
                1 => "; one was merged with its changed file".to_owned(),
                n => format!("; {n} were merged with their changed files"),
            };
            let aside = found.put_aside();
            let aside = aside.map(|at| format!("; what cannot be read is in {}", at.display())).unwrap_or_default();
            let notice = format!("{label}{merged}{aside}");
            self.carry_out(followed, Some(&label));
            self.notify(notice);
            self.keeping.taken_over.push(found);
        }
    }

    /// Let go of what was not saved.
    pub(super) fn discard_recovered(&mut self) {
        if !self.keeping.found.is_empty()
            && let Err(why) = self.keeping.found.remove(0).discard()
        {
            self.notify(format!("The journal could not be removed: {why}"));
        }
        self.offer();
    }

    /// Leave what was not saved where it is, to be offered the next time.
    pub(super) fn recover_later(&mut self) {
        self.keeping.found.clear();
        self.notify("What was not saved is offered again when the project is opened the next time");
    }
}
