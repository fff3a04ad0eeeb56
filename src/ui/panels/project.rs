//! The Project pane: every level, definition, machine, tileset, page and scenario by name.

use std::sync::Arc;

use egui::{Id, ScrollArea, Ui};
use egui_material_icons::icons;

use crate::{
    edit::{Edit, free_name},
    model::{
        DocKind, DocPath, Document, EntitiesFile, EntityDef, FieldPath, Layer, LayerContent, Level, Location, Machine,
        MachinesFile, Name, TileLayer, Tiles,
    },
    ui::{
        Action, Command, Cx, Selection,
        widgets::{Row, Tip as _, at_right, empty_state, icon_button, matches, row_ui, search_field, section},
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
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for kind in [
            DocKind::Level,
            DocKind::Entities,
            DocKind::Machines,
            DocKind::Tileset,
            DocKind::Tuning,
            DocKind::Scenario,
            DocKind::Schema,
        ] {
            kind_ui(cx, ui, kind, &query);
        }
    });
}

fn kind_ui(cx: &Cx<'_>, ui: &mut Ui, kind: DocKind, query: &str) {
    let id = Id::unique("project kind").with(kind.folder());
    let is_searching = !query.is_empty();
    let is_open = is_searching || ui.data_mut(|data| *data.get_persisted_mut_or(id, true));
    let docs = cx.project.documents.iter().filter(|(_, doc)| doc.kind() == kind);
    let mut rows: Vec<Entry<'_>> = Vec::new();
    for (path, doc) in docs {
        entries(cx, path, doc, &mut rows);
    }
    rows.retain(|row| matches(query, &row.text) || matches(query, row.doc.as_str()));
    rows.sort_by(|a, b| a.sort.cmp(&b.sort));
    if is_searching && rows.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        let arrow = if is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
        let title = title(kind);
        let row = Row { icon: arrow.codepoint, text: title, is_weak: true, ..Row::default() };
        let count = rows.len().to_string();
        ui.spacing_mut().item_spacing.x = 0.0;
        at_right(ui, |ui| {
            if let Some((name, edit, then)) = new_thing(cx, kind) {
                let button = icon_button(cx.theme, ui, icons::ICON_ADD.codepoint, &name, false, true);
                if button.tip(format!("{name}; F2 renames it")).clicked() {
                    cx.send(Action::Edit(edit));
                    cx.send(then);
                }
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                if row_ui(cx.theme, ui, &Row { detail: &count, ..row }).clicked() && !is_searching {
                    ui.data_mut(|data| data.insert_persisted(id, !is_open));
                }
            });
        });
    });
    if !is_open {
        return;
    }
    if rows.is_empty() {
        section(cx.theme, ui, "      nothing yet");
    }
    for row in &rows {
        let response = row_ui(
            cx.theme,
            ui,
            &Row {
                icon: row.icon,
                icon_color: cx.view.broken.contains(row.doc).then_some(cx.theme.error),
                text: &row.text,
                depth: 1 + row.depth,
                is_selected: row.is_selected,
                is_modified: row.is_modified,
                is_weak: row.is_abstract,
                ..Row::default()
            },
        );
        let response = response.on_hover_ui(|ui| {
            ui.label(row.doc.as_str());
        });
        if response.clicked() || response.double_clicked() {
            let modifiers = ui.input(|input| input.modifiers);
            cx.send(match row.def {
                Some(name) if modifiers.command => Action::Select(cx.selection.toggled(row.doc, name)),
                Some(name) if modifiers.shift => {
                    let list: Vec<_> =
                        rows.iter().filter_map(|row| Some((row.doc.clone(), row.def?.clone()))).collect();
                    Action::Select(cx.selection.reaching(&list, row.doc, name))
                }
                _ => row.open.clone(),
            });
        }
    }
}

/// What the plus beside a kind makes: its name, the edit, and what shows it.
fn new_thing(cx: &Cx<'_>, kind: DocKind) -> Option<(String, Edit, Action)> {
    let in_use = |doc: &DocPath| cx.project.doc(doc).is_some();
    let new_doc = |name: &str| {
        let name = free_name(name, |name| in_use(&DocPath::in_folder(kind, name)));
        DocPath::in_folder(kind, &name)
    };
    // Beside what is selected, else in the first file there is, else in a new one.
    let home = || {
        let selected = cx.selection.doc().filter(|doc| doc.kind() == Some(kind) && in_use(doc));
        let first = || cx.project.documents.iter().find(|(_, doc)| doc.kind() == kind).map(|(path, _)| path);
        selected.or_else(first).cloned()
    };
    match kind {
        DocKind::Level => {
            let doc = new_doc("level");
            let mut level = Level::default();
            if let Some(tileset) = cx.resolution.tilesets.keys().next().cloned() {
                if let Some(set) = cx.resolution.tilesets.get(&tileset).and_then(|path| cx.project.tileset(path)) {
                    level.tile_size = set.tile_size;
                }
                let tiles = TileLayer { tileset, collide: true, tiles: Tiles::default() };
                level.layers.push(Arc::new(Layer::new("ground".into(), LayerContent::Tiles(tiles))));
            }
            let entities = LayerContent::Entities(indexmap::IndexMap::new());
            level.layers.push(Arc::new(Layer::new("actors".into(), entities)));
            let put = Edit::PutDocument { doc: doc.clone(), document: Arc::new(Document::Level(level)) };
            Some(("New level".into(), put, Action::OpenLevel(doc)))
        }
        DocKind::Entities => {
            let name = free_name("definition", |name| cx.resolution.def_docs.contains_key(name));
            let def = EntityDef::default();
            let (doc, edit) = match home() {
                Some(doc) => (doc.clone(), Edit::AddDef { doc, name: name.clone(), def }),
                None => {
                    let file = EntitiesFile { defs: [(name.clone(), Arc::new(def))].into() };
                    let doc = new_doc("entities");
                    (doc.clone(), Edit::PutDocument { doc, document: Arc::new(Document::Entities(file)) })
                }
            };
            Some(("New definition".into(), edit, Action::Select(Selection::definition(doc, name))))
        }
        DocKind::Machines => {
            let name = free_name("machine", |name| cx.resolution.machines.contains_key(name));
            let machine = Machine::default();
            let (doc, edit) = match home() {
                Some(doc) => (doc.clone(), Edit::AddMachine { doc, name: name.clone(), machine }),
                None => {
                    let file = MachinesFile { machines: [(name.clone(), Arc::new(machine))].into() };
                    let doc = new_doc("machines");
                    (doc.clone(), Edit::PutDocument { doc, document: Arc::new(Document::Machines(file)) })
                }
            };
            Some(("New machine".into(), edit, Action::OpenMachine { doc, name }))
        }
        _ => None,
    }
}

fn title(kind: DocKind) -> &'static str {
    match kind {
        DocKind::Project => "Project",
        DocKind::Level => "Levels",
        DocKind::Entities => "Definitions",
        DocKind::Machines => "Machines",
        DocKind::Tileset => "Tilesets",
        DocKind::Tuning => "Tuning",
        DocKind::Scenario => "Scenarios",
        DocKind::Schema => "Schemas",
    }
}

struct Entry<'a> {
    doc: &'a DocPath,
    icon: &'static str,
    text: String,
    sort: String,
    depth: u8,
    is_selected: bool,
    is_abstract: bool,
    is_modified: bool,
    /// The definition's name, of those.
    def: Option<&'a Name>,
    open: Action,
}

fn entries<'a>(cx: &Cx<'a>, path: &'a DocPath, doc: &'a Document, out: &mut Vec<Entry<'a>>) {
    let icon = match doc.kind() {
        DocKind::Level => icons::ICON_MAP,
        DocKind::Entities => icons::ICON_SMART_TOY,
        DocKind::Machines => icons::ICON_ACCOUNT_TREE,
        DocKind::Tileset => icons::ICON_GRID_VIEW,
        DocKind::Tuning => icons::ICON_TUNE,
        DocKind::Scenario => icons::ICON_MOVIE,
        DocKind::Schema | DocKind::Project => icons::ICON_SCHEMA,
    }
    .codepoint;
    let plain = |text: String, is_selected: bool, open: Action| Entry {
        doc: path,
        icon,
        sort: text.clone(),
        text,
        depth: 0,
        is_selected,
        is_abstract: false,
        is_modified: cx.is_modified(path),
        def: None,
        open,
    };
    match doc {
        Document::Level(_) => {
            let is_shown = cx.view.level.as_ref() == Some(path);
            out.push(plain(path.stem().to_owned(), is_shown, Action::OpenLevel(path.clone())));
        }
        Document::Entities(file) => {
            for (name, def) in &file.defs {
                let lineage = lineage(cx, name);
                let selection = Selection::definition(path.clone(), name.clone());
                out.push(Entry {
                    sort: lineage.join("/"),
                    depth: u8::try_from(lineage.len().saturating_sub(1)).unwrap_or(8).min(8),
                    is_abstract: def.is_abstract,
                    is_modified: !matches!(cx.saved.doc(path).map(|doc| &**doc), Some(Document::Entities(saved))
                        if saved.defs.get(name).is_some_and(|saved| Arc::ptr_eq(saved, def))),
                    def: Some(name),
                    ..plain(name.to_string(), cx.selection.has_definition(path, name), Action::Select(selection))
                });
            }
        }
        Document::Machines(file) => {
            for name in file.machines.keys() {
                let is_shown = cx.view.machine.as_ref().is_some_and(|(doc, shown)| doc == path && shown == name);
                let open = Action::OpenMachine { doc: path.clone(), name: name.clone() };
                out.push(plain(name.to_string(), is_shown, open));
            }
        }
        Document::Tuning(page) => {
            let open = Action::GoTo(Location::new(path.clone(), FieldPath::root()));
            out.push(plain(page.page.to_string(), false, open));
        }
        _ => {
            let selection = Selection::Document(path.clone());
            let is_selected = *cx.selection == selection;
            out.push(plain(path.stem().to_owned(), is_selected, Action::Select(selection)));
        }
    }
}

/// A definition's first parents from the top, and itself: its place in the tree.
fn lineage(cx: &Cx<'_>, name: &Name) -> Vec<String> {
    let mut out = vec![name.to_string()];
    let mut at = name.clone();
    while let Some(parent) =
        cx.resolution.def_docs.get(&at).and_then(|doc| cx.project.def(doc, &at)).and_then(|def| def.inherits.first())
    {
        if out.len() > 16 || out.iter().any(|seen| **seen == **parent) {
            break;
        }
        out.push(parent.to_string());
        at = parent.clone();
    }
    out.reverse();
    out
}
