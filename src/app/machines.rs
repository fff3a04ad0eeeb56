//! The machine shown: laying it out for the window, placing its states, and transitions that are drawn but not
//! finished.
//!
//! Invariant: laying out for the window edits nothing; what a job found is used only for the machine it was given.

use std::sync::Arc;

use super::{drawing::Drawn, editor::Editor, events::Event, job::Job};
use crate::{
    edit::{Edit, state_at},
    editor::{ConnectAction, Pane, Selection, Unfinished},
    model::{DocPath, Machine, Name, State, Transition},
    ui::canvas::graph::Graph,
};

/// A machine of so many states and transitions takes more than a few milliseconds to lay out, and is in a job.
const MANY_PARTS: usize = 100;

fn n_parts(state: &State) -> usize {
    state.transitions.len() + state.states.values().map(|child| 1 + n_parts(child)).sum::<usize>()
}

impl Editor {
    /// The drawing of the machine shown, if there is one by now.
    pub(super) fn graph_shown(&self) -> Option<&Arc<Graph>> {
        let drawn = self.drawing.done.as_ref()?;
        (self.bench.view.machine.as_ref() == Some(&drawn.of)).then_some(&drawn.graph)
    }

    /// Lay out the machine shown if it is another one than is drawn.
    pub(super) fn draw_machine(&mut self) {
        let Some((doc, name)) = self.bench.view.machine.clone() else {
            self.drawing.done = None;
            return;
        };
        let Some(machine) = self.workspace.project().machine(&doc, &name).cloned() else { return };
        let known = self.drawing.done.as_ref().filter(|drawn| drawn.of == (doc.clone(), name.clone()));
        if self.drawing.next.is_some() || known.is_some_and(|drawn| Arc::ptr_eq(&drawn.machine, &machine)) {
            return;
        }
        let earlier = known.map(|drawn| drawn.graph.clone());
        let (of, next) = ((doc, name), machine.clone());
        let draw = move || {
            let graph = Arc::new(Graph::after(&machine, earlier.as_deref()));
            Drawn { of, machine, graph }
        };
        if n_parts(&next.root) < MANY_PARTS {
            self.drawing.done = Some(draw());
        } else {
            self.drawing.next = self.bench.view.machine.clone().map(|of| (of, next));
            self.jobs.spawn(Job::DrawMachine, move || Event::Drawn(draw()));
        }
    }

    /// A job drew a machine.
    pub(super) fn machine_drawn(&mut self, drawn: Drawn) {
        self.drawing.next = None;
        self.drawing.done = Some(drawn);
    }

    /// No drawing came of a machine: nothing of it is shown until it changes, and it is not tried again at once.
    pub(super) fn drawing_failed(&mut self) {
        let failed = self.drawing.next.take();
        self.drawing.done = failed.map(|(of, machine)| Drawn { of, machine, graph: Arc::default() });
    }

    /// Place the states of the machine shown, or those inside the selected state.
    pub(super) fn lay_out_machine(&mut self) {
        self.end_gesture();
        let Some((doc, name)) = self.bench.view.machine.clone() else { return };
        let Some(machine) = self.workspace.project().machine(&doc, &name).cloned() else { return };
        // What is edited is seen.
        self.bench.want_pane(Pane::Machine);
        if std::mem::replace(&mut self.drawing.is_placing, true) {
            return;
        }
        let selected = match self.bench.selection() {
            Selection::Machine { doc: d, name: n, state, .. } if (d, n) == (&doc, &name) => state.clone(),
            _ => "".into(),
        };
        let has_inside = machine.state(&selected).is_some_and(|state| !state.states.is_empty());
        let inside: Name = if has_inside { selected } else { "".into() };
        let of = if inside.is_empty() { &name } else { &inside };
        let label = format!("Lay out {of}");
        self.jobs.spawn(Job::LayOutMachine, move || {
            let places = Graph::tidied(&machine, &inside);
            Event::LaidOut { of: (doc, name), machine, label, places }
        });
    }

    /// A job found places for a machine's states.
    pub(super) fn machine_laid_out(
        &mut self,
        (doc, name): (DocPath, Name),
        machine: &Arc<Machine>,
        label: &str,
        places: Vec<(Name, [f64; 2])>,
    ) {
        self.drawing.is_placing = false;
        let is_same = self.workspace.project().machine(&doc, &name).is_some_and(|now| Arc::ptr_eq(now, machine));
        if !is_same {
            self.notify(format!("{name} changed meanwhile and was not laid out: try it again"));
            return;
        }
        if places.iter().all(|(state, at)| machine.layout.get(state) == Some(at)) {
            self.notify(format!("{name} is laid out already"));
            return;
        }
        if self.step(Some(label), &[Edit::MoveStates { doc, machine: name, places }]).is_some() {
            self.bench.view.machine_camera = None;
        }
    }

    /// Whether a drawn transition has no trigger yet.
    pub(super) fn has_unfinished(&self) -> bool {
        self.bench.view.unfinished_in(self.workspace.project()).next().is_some()
    }

    /// Take back a transition that was drawn after the last step. Returns whether there was one.
    pub(super) fn undo_drawn(&mut self) -> bool {
        let n_done = self.workspace.history().n_done();
        let Some((_, it)) = self.drawing.last_drawn.take().filter(|(n, _)| *n == n_done) else { return false };
        let n = self.bench.view.unfinished.len();
        self.bench.view.unfinished.retain(|known| *known != it);
        let is_there = self.bench.view.unfinished.len() < n;
        if is_there {
            self.notify(format!("Discarded the unfinished transition from {} to {}", it.from, it.to));
        }
        is_there
    }

    /// Draw, finish or discard a transition that has no trigger yet.
    pub(super) fn connect(&mut self, action: ConnectAction) {
        let select = |it: &Unfinished, transition| Selection::Machine {
            doc: it.doc.clone(),
            name: it.machine.clone(),
            state: it.from.clone(),
            transition,
        };
        match action {
            ConnectAction::Begin(it) => {
                self.end_gesture();
                let selection = select(&it, None);
                self.bench.view.unfinished.retain(|known| *known != it);
                self.drawing.last_drawn = Some((self.workspace.history().n_done(), it.clone()));
                self.bench.view.unfinished.push(it);
                self.bench.select(selection);
                self.bench.want_pane(Pane::Inspector);
            }
            ConnectAction::Finish(it, trigger) => {
                let transition = Transition { trigger, guard: None, actions: Vec::new(), to: it.to.clone() };
                let state =
                    self.workspace.project().machine(&it.doc, &it.machine).and_then(|machine| machine.state(&it.from));
                let index = state.map_or(0, |state| state.transitions.len());
                let at = state_at(&it.machine, &it.from).key("transitions").index(index);
                let edit = Edit::insert_at(&it.doc, at, &transition);
                if self.step(None, &[edit]).is_some() {
                    self.bench.view.unfinished.retain(|known| *known != it);
                    self.bench.select(select(&it, Some(index)));
                }
            }
            ConnectAction::Discard(it) => self.bench.view.unfinished.retain(|known| *known != it),
        }
    }
}
