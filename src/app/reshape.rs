//! Refactorings: requested in the dialog, planned in a job, carried out as one step.
//!
//! Invariant: a plan is carried out only on the project state it was made for; an outdated one is made again.

use std::sync::Arc;

use super::{editor::Editor, events::Event, job::Job};
use crate::{
    defs::{Resolution, resolve},
    editor::{Dialog, Draft, DraftResult, DraftRow, Pane, PlannedChanges, Selection},
    explain::Census,
    io,
    model::{Difference, DocKind, DocPath, Name, Project, StampFile, sentence},
    refactor::{Delete, Extract, Inline, NameKind, Named, Request, alike, named_by_file},
};

/// Above this number of definitions, the uses are not searched, which would take long: the dialog opens in any case.
const MOST_WALKS: usize = 4;

/// Plan a request: everything the dialog shows of it. Files that cannot be read may use what is renamed or deleted.
fn look(
    request: &Request,
    project: &Project,
    (resolution, census): (&Resolution, &Census),
    sources: &io::Sources,
) -> DraftResult {
    let resolution = resolve(project, resolution.builtin(), Some(resolution));
    let words = match request {
        Request::Extract(it) => alike(project, &resolution, &it.children),
        _ => Vec::new(),
    };
    let result = request.plan(project, &resolution).and_then(|plan| {
        let after = plan.tried_on(project)?;
        let lost = sources.texts(project, &after).lost;
        let reach = request.reach(&resolution, census);
        let row = |path: &DocPath| DraftRow::Title(format!("{path} cannot be read and may use it"));
        if let Some(tally) = request.tally(project, &resolution).transpose()? {
            let count = tally.summary();
            let misfits = request.misfits(project, &resolution);
            let unread = sources
                .files()
                .iter()
                .filter(|(path, source)| source.document.is_none() && path.kind() == Some(DocKind::Level));
            let rows = unread.map(|(path, _)| row(path)).chain(PlannedChanges::rows_of(tally, misfits, lost)).collect();
            return Ok(PlannedChanges { plan, rows, count, reach });
        }
        let changes = io::differences(project, &after);
        let marked = request.left_behind((project, &after), &resolution);
        let left = marked.map(|marked| io::differences(&after, &marked)).unwrap_or_default();
        let count = Difference::count(&changes);
        let is_unsure = matches!(
            request,
            Request::Rename { .. } | Request::Delete(_) | Request::DeleteMachine { .. } | Request::DeleteFile { .. }
        );
        let unsure = sources.files().iter().filter(|(_, source)| is_unsure && source.document.is_none());
        let rows = unsure.map(|(path, _)| row(path)).chain(PlannedChanges::rows(changes, left, lost)).collect();
        Ok(PlannedChanges { plan, rows, count, reach })
    });
    DraftResult { of: request.clone(), alike: words, result: result.map_err(|refusal| refusal.to_string()) }
}

impl Editor {
    /// Open the dialog on a request.
    pub(super) fn ask_for(&mut self, request: Request) {
        self.end_gesture();
        self.bench.dialog = Some(Dialog::Refactor);
        self.bench.draft = Some(Draft::new(request));
        self.looking.is_awaited = false;
        self.look_through();
    }

    /// The request in the dialog is another one now.
    pub(super) fn ask_otherwise(&mut self, request: Request) {
        if let Some(draft) = &mut self.bench.draft {
            draft.request = request;
            self.looking.is_awaited = false;
            self.look_through();
        }
    }

    /// Look through the request in a job, unless one is at it or nothing changed since.
    pub(super) fn look_through(&mut self) {
        if self.bench.dialog != Some(Dialog::Refactor) {
            self.bench.draft = None;
            return;
        }
        let Some(draft) = &self.bench.draft else { return };
        let revision = self.workspace.revision();
        let has_failed = self.looking.failed.as_ref().is_some_and(|(of, at)| (of, *at) == (&draft.request, revision));
        let is_known = has_failed || draft.settled().is_some() && self.looking.revision == revision;
        if self.looking.is_running || is_known {
            return;
        }
        self.looking.is_running = true;
        let revision = self.workspace.revision();
        let (request, project, resolution, census) = (
            draft.request.clone(),
            self.workspace.project().clone(),
            self.derived.resolution().clone(),
            self.derived.census().clone(),
        );
        let sources = std::sync::Arc::clone(self.workspace.files().sources());
        self.jobs.spawn(Job::Refactoring, move || Event::RefactoringPlanned {
            revision,
            outcome: Box::new(look(&request, &project, (&resolution, &census), &sources)),
        });
    }

    /// The job panicked. The request is not looked through again before it or the project changes.
    pub(super) fn looking_failed(&mut self) {
        self.looking.is_running = false;
        self.looking.is_awaited = false;
        let of = self.bench.draft.as_ref().map(|draft| draft.request.clone());
        self.looking.failed = of.map(|request| (request, self.workspace.revision()));
    }

    /// A job looked a request through.
    pub(super) fn refactoring_planned(&mut self, revision: u64, outcome: DraftResult) {
        self.looking.is_running = false;
        self.looking.revision = revision;
        if let Some(draft) = &mut self.bench.draft {
            draft.outcome = Some(outcome);
        }
        self.look_through();
        if std::mem::take(&mut self.looking.is_awaited) && self.bench.dialog == Some(Dialog::Refactor) {
            self.bench.dialog = None;
            self.reshape();
        }
    }

    /// Do what the dialog asks for, once it was looked through as it is now.
    pub(super) fn reshape(&mut self) {
        if self.bench.draft.is_none() {
            return;
        }
        let is_looked_through = self.looking.revision == self.workspace.revision();
        let settled = self.bench.draft.as_ref().and_then(|draft| draft.settled()).filter(|_| is_looked_through);
        let Some(plan) = settled.map(|outcome| outcome.result.clone().map(|planned| planned.plan)) else {
            self.bench.dialog = Some(Dialog::Refactor);
            self.look_through();
            self.looking.is_awaited = self.looking.is_running;
            return;
        };
        let Some(draft) = self.bench.draft.take() else { return };
        let plan = match plan {
            Ok(plan) => plan,
            Err(why) => {
                self.notify(sentence(&why));
                self.bench.dialog = Some(Dialog::Refactor);
                self.bench.draft = Some(draft);
                return;
            }
        };
        self.end_gesture();
        let before = self.workspace.revision();
        self.step(Some(&plan.label), &plan.edits);
        if self.workspace.revision() != before {
            self.show_result(&draft.request);
        }
    }

    /// Go on with what came of it. Whatever else was selected or shown is followed as in any step.
    fn show_result(&mut self, request: &Request) {
        let Some(named) = request.result() else { return };
        if let Request::NewLayer(it) = request {
            self.take_layer(&it.doc, it.name.as_str().into());
            return;
        }
        if let Request::NewStamp(it) = request {
            let all = self.workspace.project().all::<StampFile>();
            let doc = all.map(|(doc, _)| doc).find(|doc| doc.stem() == it.name).cloned();
            self.take_stamps(doc.as_slice());
            // Where cells are selected, no others could be painted with it.
            if let Some(level) = self.bench.view.level.clone() {
                self.bench.select_cells(&level, Arc::default());
            }
            self.bench.want_pane(Pane::Stamps);
            return;
        }
        let (project, name) = (self.workspace.project(), &named.name);
        let home = |has: &dyn Fn(&DocPath) -> bool| project.documents.keys().find(|doc| has(doc)).cloned();
        match named.kind {
            NameKind::Def => {
                if let Some(doc) = home(&|doc| project.def(doc, name).is_some()) {
                    self.bench.select(Selection::definition(doc, named.name));
                }
            }
            _ if matches!(request, Request::Rename { .. }) => {}
            NameKind::Machine => {
                if let Some(doc) = home(&|doc| project.machine(doc, name).is_some()) {
                    self.bench.open_machine(doc, named.name);
                }
            }
            NameKind::Tileset | NameKind::Scenario | NameKind::Stamp => {
                let is_it = |doc: &DocPath| {
                    doc.stem() == &**name && doc.kind().is_some_and(|kind| named_by_file(kind) == Some(named.kind))
                };
                if let Some(doc) = home(&is_it) {
                    self.bench.select(Selection::Document(doc));
                }
            }
            NameKind::Level => {
                if let Some(doc) = home(&|doc| doc.stem() == &**name && project.level(doc).is_some()) {
                    self.open_level(doc);
                }
            }
            _ => {}
        }
    }

    /// Ask for a new name of what is selected; with nothing that has one selected, of what shall be chosen.
    pub(super) fn ask_rename(&mut self) {
        let stem = |doc: &DocPath| doc.stem().to_owned();
        let named = match self.bench.selection() {
            Selection::Definitions { all } => match all.as_slice() {
                [(_, name)] => Some(Named::new(NameKind::Def, name.clone())),
                _ => None,
            },
            Selection::Machine { name, state, .. } if state.is_empty() => {
                Some(Named::new(NameKind::Machine, name.clone()))
            }
            Selection::Machine { name, state, .. } => Some(Named::new(NameKind::State, format!("{name}/{state}"))),
            Selection::Layer { doc, layer } => Some(Named::new(NameKind::Layer, format!("{}/{layer}", stem(doc)))),
            Selection::Document(doc) => Some(match doc.kind() {
                Some(DocKind::Level) => Named::new(NameKind::Level, stem(doc)),
                Some(DocKind::Tileset) => Named::new(NameKind::Tileset, stem(doc)),
                Some(DocKind::Scenario) => Named::new(NameKind::Scenario, stem(doc)),
                Some(DocKind::Stamp) => Named::new(NameKind::Stamp, stem(doc)),
                _ => Named::new(NameKind::File, doc.as_str().strip_suffix(".ron").unwrap_or(doc.as_str())),
            }),
            _ => None,
        };
        let what = named.unwrap_or_else(|| Named::new(NameKind::Tag, ""));
        let to = what.own_name().to_owned();
        self.ask_for(Request::Rename { what, to });
    }

    /// Ask for a new name of anything.
    pub(super) fn ask_rename_any(&mut self) {
        self.ask_for(Request::Rename { what: Named::new(NameKind::Tag, ""), to: String::new() });
    }

    /// Ask what to find in levels and what to replace it with.
    pub(super) fn ask_replace(&mut self) {
        let replace = self.bench.replace(self.workspace.project());
        self.ask_for(Request::Replace(replace));
    }

    /// Ask for a common parent of the selected definitions.
    pub(super) fn ask_extract(&mut self) {
        let children: Vec<Name> = self.bench.selection().definitions().iter().map(|(_, name)| name.clone()).collect();
        let base = children.first().map_or_else(String::new, |name| format!("{name}_base"));
        let name = crate::edit::free_name(&base, |name| self.derived.resolution().def_docs.contains_key(name));
        self.ask_for(Request::Extract(Extract { children, name, keep: std::collections::BTreeSet::new() }));
    }

    /// Ask to inline the selected definition; one that nothing inherits means its nearest parent.
    pub(super) fn ask_inline(&mut self) {
        let Some((doc, name)) = self.bench.selection().one_definition() else { return };
        let parent = self.workspace.project().def(doc, name).and_then(|def| def.inherits.first().cloned());
        let inline = match parent {
            Some(parent) if self.derived.resolution().children_of(name).is_empty() => {
                Inline { parent, children: vec![name.clone()], delete: true }
            }
            _ => Inline { parent: name.clone(), children: Vec::new(), delete: true },
        };
        self.ask_for(Request::Inline(inline));
    }

    /// Delete the selected definitions; when something uses them, ask what becomes of it.
    pub(super) fn delete_definitions(&mut self) -> bool {
        let names: Vec<Name> = self.bench.selection().definitions().iter().map(|(_, name)| name.clone()).collect();
        let is_linked = |name: &Name| {
            !self.derived.resolution().children_of(name).is_empty()
                || self.derived.census().placed(name).next().is_some()
        };
        // Other uses are known only after a search of the whole project, for each.
        let is_used = names.iter().any(is_linked)
            || names.len() > MOST_WALKS
            || names.iter().any(|name| Request::is_missed(self.workspace.project(), self.derived.resolution(), name));
        if is_used {
            self.ask_for(Request::Delete(Delete { names, inline: true, with_instances: false }));
        }
        is_used
    }
}
