//! What the Definitions pane remembers: for each project how the table is arranged, and while the window is open what
//! is picked, typed and dragged in it. What is worked out for it is kept with what it is derived from.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
    sync::Arc,
};

use egui::{Context, Id};
use serde::{Deserialize, Serialize};

use super::picked::{Picked, Place};
use crate::{
    defs::Resolution,
    editor::{Action, LocatedProblem},
    explain::{Arrangement, Choice, Column, Entry, Outline, Row, Sources, Table, choices, first_columns},
    model::{DocKind, FieldPath, Name, Project, Seg},
    refactor::{CellAt, CellPlan, State, cell_text},
    ui::Cx,
};

/// How the table of a project is arranged; kept between sessions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Kept {
    pub arrangement: Arrangement,
    /// `None` until the user chooses.
    pub columns: Option<Vec<Column>>,
    /// Widths that differ from the usual, in points.
    pub widths: BTreeMap<String, f32>,
    pub name_width: Option<f32>,
}

impl Kept {
    fn id(cx: &Cx<'_>) -> Id {
        Id::unique(("definitions of", cx.root()))
    }

    pub(super) fn load(cx: &Cx<'_>, ctx: &Context) -> Arc<Self> {
        ctx.data_mut(|data| data.get_persisted(Self::id(cx))).unwrap_or_default()
    }

    pub(super) fn store(self: Arc<Self>, cx: &Cx<'_>, ctx: &Context) {
        ctx.data_mut(|data| data.insert_persisted(Self::id(cx), self));
    }
}

/// Problems by the definition they are in.
pub(super) struct Marks {
    problems: Arc<Vec<LocatedProblem>>,
    by_name: HashMap<Name, Vec<usize>>,
    names: Arc<BTreeSet<Name>>,
}

impl Marks {
    pub(super) fn now(cx: &Cx<'_>) -> Rc<Self> {
        cx.derived.memos().get("definitions marked", || {
            let mut by_name: HashMap<Name, Vec<usize>> = HashMap::new();
            for (i, located) in cx.derived.problems().iter().enumerate() {
                let at = &located.problem.finding.location;
                if let (Some(DocKind::Entities), Some(Seg::Key(name))) = (at.doc.kind(), at.path.0.first()) {
                    by_name.entry(name.clone()).or_default().push(i);
                }
            }
            let names = Arc::new(by_name.keys().cloned().collect());
            Self { problems: cx.derived.problems().clone(), by_name, names }
        })
    }

    /// The problems of a definition; the worst of them first, as they are listed.
    pub(super) fn of(&self, entry: &Entry) -> impl Iterator<Item = &LocatedProblem> {
        let all = self.by_name.get(&entry.name).into_iter().flatten();
        let all = all.filter_map(|i| self.problems.get(*i));
        all.filter(|located| located.problem.finding.location.doc == entry.doc)
    }

    /// The worst problem of a cell.
    pub(super) fn at(&self, entry: &Entry, column: &Column) -> Option<&LocatedProblem> {
        self.of(entry).find(|located| {
            let segs = &located.problem.finding.location.path.0;
            let is = |i: usize, name: &str| matches!(segs.get(i), Some(Seg::Key(key)) if **key == *name);
            let inner = &column.inner.0;
            is(2, &column.component) && is(3, &column.field) && segs[4..].iter().zip(inner).all(|(a, b)| a == b)
        })
    }
}

/// A cell being typed into.
#[derive(Clone)]
pub(super) struct Editing {
    pub at: CellAt,
    pub place: Place,
    pub text: String,
    /// What the cell showed before.
    pub before: String,
    pub error: Option<String>,
    /// Not yet shown: how the cursor begins.
    pub begins: Option<Begins>,
}

/// How the cursor stands when typing begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// Behind what was typed.
    AtEnd,
    /// With everything selected.
    Selected,
}

/// Numbers being dragged.
#[derive(Clone)]
pub(super) struct Drag {
    /// As it was when the drag began.
    pub project: Project,
    pub resolution: Arc<Resolution>,
    pub cells: Vec<CellAt>,
    /// What a notch of the way adds. It stays as it was when the drag began, for the whole way is counted in it.
    pub step: f64,
    /// How far the pointer went, in points.
    pub moved: f32,
}

/// Figures about the picked cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stats {
    pub n: usize,
    pub n_numbers: usize,
    /// Cells that can be scaled and added to: numbers, and pairs and optional numbers, which have no mean.
    pub n_calculable: usize,
    pub min: f64,
    pub max: f64,
    pub sum: f64,
}

/// Figures, and what they were made from.
struct Figures {
    stats: Stats,
    picked: Picked,
    rows: Arc<Vec<Row>>,
    columns: Vec<Column>,
    resolution: Arc<Resolution>,
}

/// What the pane remembers while the window is open.
#[derive(Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a wish or a fact of its own")]
pub(super) struct Session {
    root: String,
    /// The rows as they were shown last: picks are row numbers in them, so they stay the same while a cell is typed in
    /// or dragged.
    pub table: Option<Table>,
    pub picked: Picked,
    pub editing: Option<Editing>,
    pub drag: Option<Drag>,
    /// A cell to bring into view.
    pub wanted: Option<Place>,
    pub wants_focus: bool,
    /// Figures stand on a line of their own under the table.
    pub wants_line: bool,
    /// What is picked are whole rows, chosen by their names: Delete means the definitions.
    pub is_by_name: bool,
    /// The button is down since cells were pressed.
    pub is_picking: bool,
    /// How many rows are seen at once.
    pub page: usize,
    pub factor: String,
    pub amount: String,
}

impl Session {
    fn id() -> Id {
        Id::unique("definitions session")
    }

    /// Taken out of the window's memory; [`Session::store`] puts it back.
    pub(super) fn take(cx: &Cx<'_>, ctx: &Context) -> Self {
        let session: Option<Self> = ctx.data_mut(|data| data.remove_temp(Self::id()));
        let root = cx.root();
        let session = session.filter(|session| session.root == root);
        session.unwrap_or_else(|| Self { root: root.into_owned(), ..Self::default() })
    }

    pub(super) fn store(self, ctx: &Context) {
        ctx.data_mut(|data| data.insert_temp(Self::id(), self));
    }

    /// Begin typing in the cell picked last; with `text` in place of what is there.
    pub(super) fn begin(&mut self, cx: &Cx<'_>, columns: &[Column], text: Option<String>, begins: Begins) {
        let Some(place) = self.picked.head() else { return };
        let Some(at) = self.at(columns, place) else { return };
        let Some(value) = state(cx).value(&at) else {
            let component = &at.column.component;
            cx.send(Action::Notice(format!(
                "{} has no {component}; add the component in the inspector first",
                at.name
            )));
            return;
        };
        let before = cell_text(value);
        let text = text.unwrap_or_else(|| before.clone());
        self.editing = Some(Editing { at, place, text, before, error: None, begins: Some(begins) });
        self.wanted = Some(place);
    }

    /// Bring the rows up to what is shown; what is picked follows its rows.
    pub(super) fn update(&mut self, cx: &Cx<'_>, outline: &Arc<Outline>, columns: &[Column], kept: &Kept, hold: bool) {
        let marks = Marks::now(cx);
        let sources = Sources { outline, resolution: cx.resolution, columns, marked: &marks.names };
        let before = self.table.take();
        let table = Table::of(sources, &kept.arrangement, before.clone(), hold);
        if let Some(before) = before
            && !Arc::ptr_eq(&before.rows, &table.rows)
        {
            self.picked = self.picked.moved(columns.len(), |row| table.row_of(before.entry(row)?));
        }
        self.table = Some(table);
    }

    /// Where a place of the table is in the project.
    pub(super) fn at(&self, columns: &[Column], place: Place) -> Option<CellAt> {
        let entry = self.table.as_ref()?.entry(place.row)?;
        let column = columns.get(place.col)?.clone();
        Some(CellAt { doc: entry.doc.clone(), name: entry.name.clone(), column })
    }

    /// The picked cells.
    pub(super) fn cells(&self, columns: &[Column]) -> Vec<CellAt> {
        self.picked.places().into_iter().filter_map(|place| self.at(columns, place)).collect()
    }

    /// The first of the picked cells.
    pub(super) fn first_cells(&self, columns: &[Column], most: usize) -> Vec<CellAt> {
        self.picked.places().into_iter().take(most).filter_map(|place| self.at(columns, place)).collect()
    }

    /// The area picked last, row by row.
    pub(super) fn block(&self, columns: &[Column]) -> Vec<Vec<CellAt>> {
        let Some(area) = self.picked.last() else { return Vec::new() };
        let row = |row: usize| area.cols().filter_map(|col| self.at(columns, Place { row, col })).collect();
        area.rows().map(row).collect()
    }

    /// Figures about what is picked.
    pub(super) fn stats(&self, cx: &Cx<'_>, columns: &[Column]) -> Stats {
        let Some(table) = &self.table else { return Stats::default() };
        let is_current = |known: &Figures| {
            known.picked == self.picked
                && Arc::ptr_eq(&known.rows, &table.rows)
                && known.columns == columns
                && Arc::ptr_eq(&known.resolution, cx.resolution)
        };
        let figures = cx.derived.memos().get_current("figures about definitions", is_current, |_| Figures {
            stats: stats(cx, self.cells(columns)),
            picked: self.picked.clone(),
            rows: table.rows.clone(),
            columns: columns.to_vec(),
            resolution: cx.resolution.clone(),
        });
        figures.stats
    }
}

fn stats(cx: &Cx<'_>, cells: Vec<CellAt>) -> Stats {
    let state = state(cx);
    let mut stats = Stats { min: f64::INFINITY, max: f64::NEG_INFINITY, ..Stats::default() };
    for at in cells {
        stats.n += 1;
        let value = state.value(&at);
        stats.n_calculable += usize::from(state.is_calculable(&at));
        if let Some(x) = value.and_then(crate::model::Value::as_f64) {
            stats.n_numbers += 1;
            (stats.min, stats.max, stats.sum) = (stats.min.min(x), stats.max.max(x), stats.sum + x);
        }
    }
    stats
}

/// The columns shown. The usual ones stay while the tree of definitions is the same.
pub(super) fn columns_shown(cx: &Cx<'_>, outline: &Arc<Outline>, kept: &Kept) -> Vec<Column> {
    if let Some(columns) = &kept.columns {
        return columns.clone();
    }
    type Usual = (Arc<Outline>, Vec<Column>);
    let is_current = |(of, columns): &Usual| Arc::ptr_eq(of, outline) && !columns.is_empty();
    let usual = || (outline.clone(), first_columns(cx.project, cx.resolution));
    cx.derived.memos().get_current("usual columns", is_current, |_| usual()).1.clone()
}

/// Every column there is.
pub(super) fn all_columns(cx: &Cx<'_>) -> Rc<Vec<Choice>> {
    cx.derived.memos().get("columns", || choices(cx.project, cx.resolution))
}

/// The project that cells are changed in.
pub(super) fn state<'a>(cx: &Cx<'a>) -> State<'a> {
    State { project: cx.project, builtin: cx.derived.builtin(), resolution: cx.resolution }
}

/// Make a plan one step of history, and report what could not be done.
pub(super) fn make(cx: &Cx<'_>, plan: CellPlan) {
    let summary = plan.to_string();
    let is_complete = plan.is_complete();
    if plan.plan.edits.is_empty() {
        let why =
            if plan.n_skipped > 0 { format!("Nothing to change: {summary}") } else { "Nothing to change".to_owned() };
        cx.send(Action::Notice(why));
        return;
    }
    let label = plan.plan.label.clone();
    cx.send(Action::Edits { label: plan.plan.label, edits: plan.plan.edits });
    if !is_complete {
        cx.send(Action::Notice(format!("{label}: {summary}")));
    }
}

/// The tree of definitions, made anew only when it is another.
pub(in crate::ui) fn outline(cx: &Cx<'_>) -> Arc<Outline> {
    type Known = (Arc<Resolution>, Arc<Outline>);
    let is_current = |(resolution, _): &Known| Arc::ptr_eq(resolution, cx.resolution);
    let known = cx.derived.memos().get_current("outline of definitions", is_current, |last| {
        let last = last.map(|(_, outline)| outline);
        (cx.resolution.clone(), Outline::of(cx.project, last))
    });
    known.1.clone()
}

/// The path of a definition in its document.
pub(super) fn path_of(entry: &Entry) -> FieldPath {
    FieldPath::keys([&entry.name])
}
