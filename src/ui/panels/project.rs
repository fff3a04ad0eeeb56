//! The Project pane: every level, definition, machine, tileset, page and scenario by name.
//!
//! Invariant: what a frame costs depends on the lines that are seen, not on how large the project is.

use std::{rc::Rc, sync::Arc};

use egui::{Id, Response, ScrollArea, Ui};
use egui_material_icons::icons;

use super::{
    definitions::outline,
    inheritance::{commands_ui, family_menu_ui},
    level::carry_ui,
    level_tabs::level_menu_ui,
    machine::new_machine,
};
use crate::{
    defs::Resolution,
    edit::{Edit, free_name},
    editor::{Action, Command, Pane, Selection},
    explain::Outline,
    model::{DocKind, DocPath, Document, EntitiesFile, EntityDef, FieldPath, Location, Name},
    ui::{
        CommandLook as _, Cx,
        theme::ROW,
        widgets::{IconButton, Row, Tip as _, at_right, empty_state, in_rect, matches, row_ui, search_field},
    },
};

/// Show the Project pane.
pub fn project_ui(cx: &Cx<'_>, ui: &mut Ui) {
    if cx.project.documents.is_empty() {
        empty_state(
            cx.theme,
            ui,
            icons::ICON_FOLDER_OPEN.codepoint,
            "No project is open",
            "Open a folder that holds a project.ron, or make a new one",
        );
        ui.vertical_centered(|ui| {
            for command in [Command::OpenProject, Command::NewProject] {
                if ui.button(command.spec().text).clicked() {
                    cx.command(command);
                }
            }
        });
        return;
    }
    let query = search_field(cx.theme, ui, Id::unique("project search"), "Search the project");
    let list = list(cx, ui, &query);
    let wanted = (list.lines.len() > LONG).then(|| jumps_ui(cx, ui, &list)).flatten();
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if let Some(at) = wanted {
        area = area.vertical_scroll_offset(at as f32 * ROW);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    // Only the lines that are seen are looked at.
    area.show_rows(ui, ROW, list.lines.len(), |ui, seen| {
        for at in seen {
            // By its number: one that has the keyboard keeps it when others scroll away above.
            ui.push_id(at, |ui| list.lines.get(at).map(|line| line_ui(cx, ui, &list, line)));
        }
    });
}

/// From so many lines on, there are buttons to go to each kind.
const LONG: usize = 100;

/// The kinds in the order they are shown.
const KINDS: [DocKind; 8] = [
    DocKind::Level,
    DocKind::Entities,
    DocKind::Machines,
    DocKind::Tileset,
    DocKind::Tuning,
    DocKind::Scenario,
    DocKind::Stamp,
    DocKind::Schema,
];

/// The same with definitions last: where there are hundreds of them, nothing else is to be looked for below.
const KINDS_OF_MANY: [DocKind; 8] = [
    DocKind::Level,
    DocKind::Machines,
    DocKind::Tileset,
    DocKind::Tuning,
    DocKind::Scenario,
    DocKind::Stamp,
    DocKind::Schema,
    DocKind::Entities,
];

/// A line of the pane.
#[derive(Debug)]
enum Line {
    /// A kind's title, with how many there are.
    Kind(DocKind, usize),
    /// There are none.
    Nothing,
    /// A definition, by its place in the outline.
    Def(usize),
    /// A machine of a file.
    Machine(DocPath, Name),
    /// Any other document, with its name.
    Doc(DocPath, String),
}

/// The lines, and what they were made from: another list is made only when one of these is another.
struct List {
    lines: Vec<Line>,
    kinds: [DocKind; KINDS.len()],
    outline: Arc<Outline>,
    resolution: Arc<Resolution>,
    n_documents: usize,
    query: String,
    is_open: [bool; KINDS.len()],
}

fn fold_id(kind: DocKind) -> Id {
    Id::unique("project kind").with(kind.folder())
}

fn list(cx: &Cx<'_>, ui: &Ui, query: &str) -> Rc<List> {
    let outline = outline(cx);
    let kinds = if outline.entries().len() > LONG { KINDS_OF_MANY } else { KINDS };
    let is_open =
        kinds.map(|kind| !query.is_empty() || ui.data_mut(|data| *data.get_persisted_mut_or(fold_id(kind), true)));
    let is_current = |known: &List| {
        Arc::ptr_eq(&known.outline, &outline)
            && Arc::ptr_eq(&known.resolution, cx.resolution)
            && known.n_documents == cx.project.documents.len()
            && known.query == query
            && known.is_open == is_open
    };
    cx.derived.memos().get_current("project list", is_current, |_| List {
        lines: lines(cx, &outline, kinds.into_iter().zip(is_open), query),
        kinds,
        outline: outline.clone(),
        resolution: cx.resolution.clone(),
        n_documents: cx.project.documents.len(),
        query: query.to_owned(),
        is_open,
    })
}

/// The lines of all kinds; of a kind that is not open its title alone.
fn lines(cx: &Cx<'_>, outline: &Outline, kinds: impl Iterator<Item = (DocKind, bool)>, query: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for (kind, is_open) in kinds {
        let head = lines.len();
        lines.push(Line::Kind(kind, 0));
        lines.extend(lines_of(cx, outline, kind, query));
        let n = lines.len() - head - 1;
        lines[head] = Line::Kind(kind, n);
        match n {
            0 if !query.is_empty() => lines.truncate(head),
            0 if is_open => lines.push(Line::Nothing),
            _ if !is_open => lines.truncate(head + 1),
            _ => {}
        }
    }
    lines
}

/// What there is of a kind and fits the query, by name; all definitions as the tree they are.
fn lines_of(cx: &Cx<'_>, outline: &Outline, kind: DocKind, query: &str) -> Vec<Line> {
    let fits = |name: &str, doc: &DocPath| query.is_empty() || matches(query, name) || matches(query, doc.as_str());
    if kind == DocKind::Entities {
        let all = outline.entries().iter().enumerate().filter(|(_, entry)| fits(&entry.name, &entry.doc));
        let mut all: Vec<(usize, &Name)> = all.map(|(i, entry)| (i, &entry.name)).collect();
        if !query.is_empty() {
            // What is found stands without its ancestors: by name, those that begin like what is looked for first.
            let query = query.trim().to_lowercase();
            all.sort_by_cached_key(|(_, name)| (!name.to_lowercase().starts_with(&query), (*name).clone()));
        }
        return all.into_iter().map(|(i, _)| Line::Def(i)).collect();
    }
    let mut named: Vec<(String, Line)> = Vec::new();
    for (path, doc) in &cx.project.documents {
        if doc.kind() != kind {
            continue;
        }
        if let Document::Machines(file) = &**doc {
            let machines = file.machines.keys().filter(|name| fits(name, path));
            named.extend(machines.map(|name| (name.to_string(), Line::Machine(path.clone(), name.clone()))));
            continue;
        }
        let name = if let Document::Tuning(page) = &**doc { &*page.page } else { path.stem() };
        if fits(name, path) {
            named.push((name.to_owned(), Line::Doc(path.clone(), name.to_owned())));
        }
    }
    named.sort_by(|(a, _), (b, _)| a.cmp(b));
    named.into_iter().map(|(_, line)| line).collect()
}

/// A button for each kind. Returns the line to go to.
fn jumps_ui(cx: &Cx<'_>, ui: &mut Ui, list: &List) -> Option<usize> {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let mut wanted = None;
        for (at, line) in list.lines.iter().enumerate() {
            let Line::Kind(kind, n) = line else { continue };
            let name = format!("Go to {}", title(*kind).to_lowercase());
            // Low ones are narrower, too: all kinds have room in one row of a narrow pane.
            let button = IconButton::new(icon(*kind), &name).in_row().show(cx.theme, ui);
            if button.tip(format!("{} ({n})", title(*kind))).clicked() {
                wanted = Some(at);
            }
        }
        wanted
    })
    .inner
}

fn line_ui(cx: &Cx<'_>, ui: &mut Ui, list: &List, line: &Line) {
    match line {
        Line::Kind(kind, n) => head_ui(cx, ui, list, *kind, *n),
        Line::Nothing => {
            row_ui(cx.theme, ui, &Row { text: "nothing yet", depth: 2, is_weak: true, ..Row::default() });
        }
        Line::Def(at) => def_ui(cx, ui, list, *at),
        Line::Machine(doc, name) => {
            let is_selected = cx.view.machine.as_ref().is_some_and(|(shown, machine)| shown == doc && machine == name);
            let row = Row { text: name, is_selected, is_modified: cx.is_modified(doc), ..Row::default() };
            let response = plain_ui(cx, ui, DocKind::Machines, doc, row);
            if response.clicked() {
                cx.send(Action::OpenMachine { doc: doc.clone(), name: name.clone() });
            }
            if response.secondary_clicked() {
                let (doc, name) = (doc.clone(), name.clone());
                cx.send(Action::Select(Selection::Machine { doc, name, state: "".into(), transition: None }));
            }
            response.context_menu(|ui| {
                commands_ui(cx, ui, &[Command::Rename, Command::Duplicate, Command::Delete]);
            });
        }
        Line::Doc(doc, name) => {
            let kind = doc.kind().unwrap_or(DocKind::Schema);
            let is_selected = match kind {
                DocKind::Level => cx.view.level.as_ref() == Some(doc),
                DocKind::Tuning => false,
                _ => matches!(cx.selection, Selection::Document(selected) if selected == doc),
            };
            let row = Row { text: name, is_selected, is_modified: cx.is_modified(doc), ..Row::default() };
            let response = plain_ui(cx, ui, kind, doc, row);
            if kind == DocKind::Level {
                level_menu_ui(cx, &response, doc);
            } else {
                file_menu_ui(cx, &response, doc);
            }
            if response.clicked() {
                cx.send(match kind {
                    DocKind::Level => Action::OpenLevel(doc.clone()),
                    DocKind::Tuning => Action::GoTo(Location::new(doc.clone(), FieldPath::root())),
                    _ => Action::Select(Selection::Document(doc.clone())),
                });
            }
        }
    }
}

/// What is done with a file that is no level: it is selected by the click that opens the menu.
pub(super) fn file_menu_ui(cx: &Cx<'_>, response: &Response, doc: &DocPath) {
    if response.secondary_clicked() {
        cx.send(Action::Select(Selection::Document(doc.clone())));
    }
    response.context_menu(|ui| {
        commands_ui(cx, ui, &[Command::Rename, Command::Duplicate, Command::Delete]);
        ui.separator();
        if ui.button("Show in the Inspector").clicked() {
            cx.send(Action::Select(Selection::Document(doc.clone())));
            cx.send(Action::ShowPane(Pane::Inspector));
            ui.close();
        }
    });
}

fn head_ui(cx: &Cx<'_>, ui: &mut Ui, list: &List, kind: DocKind, n: usize) {
    let is_searching = !list.query.is_empty();
    let is_open = list.kinds.iter().position(|other| *other == kind).is_none_or(|at| list.is_open[at]);
    let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), ROW), egui::Sense::hover());
    in_rect(ui, rect, |ui| {
        let arrow = if is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
        let count = n.to_string();
        let row = Row { icon: arrow.codepoint, text: title(kind), detail: &count, is_weak: true, ..Row::default() };
        ui.spacing_mut().item_spacing.x = 0.0;
        at_right(ui, |ui| {
            let new = new_text(kind);
            if let Some(text) = new {
                let button = IconButton::new(icons::ICON_ADD.codepoint, text).show(cx.theme, ui);
                let tip = if text.ends_with('…') { text.to_owned() } else { format!("{text}; F2 renames it") };
                if button.tip(tip).clicked() {
                    make_new(cx, kind);
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let response = row_ui(cx.theme, ui, &row);
                if response.clicked() && !is_searching {
                    ui.data_mut(|data| data.insert_persisted(fold_id(kind), !is_open));
                }
                if let Some(text) = new {
                    response.context_menu(|ui| {
                        if ui.button(text).clicked() {
                            make_new(cx, kind);
                            ui.close();
                        }
                    });
                }
            });
        });
    });
}

/// What making a new thing of a kind is called; `None` where none is made here.
fn new_text(kind: DocKind) -> Option<&'static str> {
    match kind {
        DocKind::Level => Some("New level…"),
        DocKind::Machines => Some("New machine…"),
        DocKind::Tileset => Some(Command::NewTileset.spec().text),
        DocKind::Entities => Some("New definition"),
        _ => None,
    }
}

/// Make a new thing of a kind, or ask for it.
fn make_new(cx: &Cx<'_>, kind: DocKind) {
    match kind {
        DocKind::Level => cx.command(Command::NewLevel),
        DocKind::Machines => cx.send(new_machine(cx)),
        DocKind::Tileset => cx.command(Command::NewTileset),
        DocKind::Entities => new_definition(cx),
        _ => {}
    }
}

/// A row of something with its file's path to be pointed at.
fn plain_ui(cx: &Cx<'_>, ui: &mut Ui, kind: DocKind, doc: &DocPath, row: Row<'_>) -> Response {
    let is_postponed = cx.workspace.is_postponed(doc);
    let color = if is_postponed { cx.theme.warning } else { cx.theme.error };
    let icon_color = (is_postponed || cx.workspace.is_broken(doc)).then_some(color);
    let row = Row { icon: icon(kind), icon_color, depth: 1 + row.depth, ..row };
    let response = row_ui(cx.theme, ui, &row);
    if is_postponed {
        let rect = response.rect.with_min_x(response.rect.right() - ROW);
        let name = format!("Decide about {doc}");
        let mark = in_rect(ui, rect, |ui| {
            IconButton::new(icons::ICON_CALL_SPLIT.codepoint, &name).in_row().show(cx.theme, ui)
        });
        if mark.tip("Another version is on the disk; decide between them").clicked() {
            cx.send(Action::AskAgain(doc.clone()));
        }
    }
    response.tip_ui(|ui| {
        ui.label(doc.as_str());
    })
}

fn def_ui(cx: &Cx<'_>, ui: &mut Ui, list: &List, at: usize) {
    let entries = list.outline.entries();
    let Some(entry) = entries.get(at) else { return };
    let (doc, name) = (&entry.doc, &entry.name);
    let is_saved = match (cx.workspace.saved_doc(doc).map(|doc| &**doc), cx.workspace.kept().def(doc, name)) {
        (Some(Document::Entities(saved)), Some(def)) => saved.defs.get(name).is_some_and(|was| Arc::ptr_eq(was, def)),
        // One that is live is in no file, and is not to be.
        (_, None) => cx.workspace.is_live(),
        _ => false,
    };
    let row = Row {
        text: name,
        depth: if list.query.is_empty() { u8::try_from(entry.depth).unwrap_or(8).min(8) } else { 0 },
        is_selected: cx.selection.has_definition(doc, name),
        is_modified: !is_saved,
        is_weak: entry.is_abstract,
        ..Row::default()
    };
    let response = plain_ui(cx, ui, DocKind::Entities, doc, row).interact(egui::Sense::drag());
    carry_ui(cx, &response, name);
    if response.secondary_clicked() && !row.is_selected {
        cx.send(Action::Select(Selection::definition(doc.clone(), name.clone())));
    }
    response.context_menu(|ui| family_menu_ui(cx, ui));
    if !response.clicked() {
        return;
    }
    let modifiers = ui.input(|input| input.modifiers);
    cx.send(Action::Select(if modifiers.command {
        cx.selection.toggled(doc, name)
    } else if modifiers.shift {
        let of = |line: &Line| match line {
            Line::Def(at) => entries.get(*at).map(|entry| (entry.doc.clone(), entry.name.clone())),
            _ => None,
        };
        let all: Vec<_> = list.lines.iter().filter_map(of).collect();
        cx.selection.reaching(&all, doc, name)
    } else {
        Selection::definition(doc.clone(), name.clone())
    }));
}

/// Make a definition and select it: beside what is selected, else in the first file there is, else in a new one.
fn new_definition(cx: &Cx<'_>) {
    let in_use = |doc: &DocPath| cx.project.doc(doc).is_some();
    let is_home = |doc: &&DocPath| doc.kind() == Some(DocKind::Entities) && in_use(doc);
    let home = cx.selection.doc().filter(is_home).or_else(|| cx.project.documents.keys().find(is_home));
    let name = free_name("definition", |name| cx.resolution.def_docs.contains_key(name));
    let def = EntityDef::default();
    let (doc, edit) = match home {
        Some(doc) => (doc.clone(), Edit::insert_at(doc, FieldPath::keys([&*name]), &def)),
        None => {
            let of_file = |name: &str| DocPath::in_folder(DocKind::Entities, name);
            let doc = of_file(&free_name("entities", |name| in_use(&of_file(name))));
            let file = EntitiesFile { defs: [(name.clone(), Arc::new(def))].into() };
            (doc.clone(), Edit::put_document(doc, Document::Entities(file)))
        }
    };
    cx.send(Action::Edit(edit));
    cx.send(Action::Select(Selection::definition(doc, name)));
}

fn title(kind: DocKind) -> &'static str {
    match kind {
        DocKind::Project => "Project",
        DocKind::Level | DocKind::Region => "Levels",
        DocKind::Entities => "Definitions",
        DocKind::Machines => "Machines",
        DocKind::Tileset => "Tilesets",
        DocKind::Tuning => "Tuning",
        DocKind::Scenario => "Scenarios",
        DocKind::Stamp => "Stamps",
        DocKind::Schema => "Schemas",
    }
}

fn icon(kind: DocKind) -> &'static str {
    match kind {
        DocKind::Level | DocKind::Region => icons::ICON_MAP,
        DocKind::Entities => icons::ICON_SMART_TOY,
        DocKind::Machines => icons::ICON_ACCOUNT_TREE,
        DocKind::Tileset => icons::ICON_GRID_VIEW,
        DocKind::Tuning => icons::ICON_TUNE,
        DocKind::Scenario => icons::ICON_MOVIE,
        DocKind::Stamp => icons::ICON_APPROVAL,
        DocKind::Schema | DocKind::Project => icons::ICON_SCHEMA,
    }
    .codepoint
}
