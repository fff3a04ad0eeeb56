//! The Tuning pane: pages of constants, what is tried of them, and those one wants at hand.
//!
//! Invariant: what a constant shows is what the running world has, while one runs. Where a value goes that is turned
//! here is `app`'s rule; a row is `tuning_row`, comparing is `tuning_compare`, making and describing constants
//! `tuning_form`.

use egui::{Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use super::{
    tuning_compare::{compare_ui, tried_ui},
    tuning_form::{self, form_ui, new_page_ui},
    tuning_row::{Constant, Listed, row_ui},
};
use crate::{
    defs::ResolvedPage,
    edit::{Edit, page_doc, reorder_pages},
    editor::Action,
    model::{DocPath, Name, counted},
    refactor::{NameKind, Named, Request},
    ui::{
        Cx, TuningCx,
        widgets::{Fold, IconButton, Tip as _, at_right, empty_state, folding, matches, search_field},
    },
};

/// Show the Tuning pane.
pub fn tuning_ui(cx: &TuningCx<'_>, ui: &mut Ui) {
    let mut query = String::new();
    ui.horizontal(|ui| {
        at_right(ui, |ui| {
            new_page_ui(cx, ui);
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                query = search_field(cx.theme, ui, Id::unique("tuning search"), "Search constants");
            });
        });
    });
    tried_ui(cx, ui);
    if cx.resolution.pages.is_empty() {
        let icon = icons::ICON_TUNE.codepoint;
        empty_state(cx.theme, ui, icon, "No constants", "Make a page with the button at the top");
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        compare_ui(cx, ui);
        bookmarks_ui(cx, ui, &query);
        let mut n_shown = 0;
        for at in 0..cx.resolution.pages.len() {
            n_shown += page_ui(cx, ui, at, &query);
        }
        if n_shown == 0 {
            ui.label(RichText::new(format!("No constant is called “{query}”")).color(cx.theme.text_weak));
        }
    });
}

/// The constants one wants at hand, of all pages.
fn bookmarks_ui(cx: &TuningCx<'_>, ui: &mut Ui, query: &str) {
    let shown: Vec<Constant<'_>> = cx.tuning.bookmarks.iter().filter_map(|full| Constant::named(cx, full)).collect();
    let shown: Vec<_> = shown.into_iter().filter(|it| it.fits(query)).collect();
    if shown.is_empty() {
        return;
    }
    let id = Id::unique("tuning bookmarks");
    let fold = Fold {
        title: "Bookmarks",
        name: "Page Bookmarks",
        about: "",
        is_struck: false,
        is_open_at_first: true,
        is_forced: !query.is_empty(),
    };
    folding(
        cx.theme,
        ui,
        id,
        fold,
        |_| false,
        |ui| {
            for it in &shown {
                row_ui(cx, ui, it, Listed::AsBookmark);
            }
        },
    );
}

/// A page. Returns how many constants it has to show.
fn page_ui(cx: &TuningCx<'_>, ui: &mut Ui, at: usize, query: &str) -> usize {
    let Some(page) = cx.resolution.pages.get(at) else { return 0 };
    let shown: Vec<_> = Constant::all(cx, page).filter(|it| it.fits(query)).collect();
    if shown.is_empty() && !(query.is_empty() || matches(query, &page.name)) {
        return 0;
    }
    let id = Id::unique(("tuning page", &page.name));
    let n = page.values.len();
    let fold = Fold {
        title: &page.name,
        name: &format!("Page {}", page.name),
        about: &counted(n, "constant"),
        is_struck: false,
        is_open_at_first: page.order >= 5,
        is_forced: !query.is_empty(),
    };
    folding(
        cx.theme,
        ui,
        id,
        fold,
        |ui| page_buttons_ui(cx, ui, at),
        |ui| {
            form_ui(cx, ui, &page.name, None);
            for it in &shown {
                row_ui(cx, ui, it, Listed::OnPage);
                form_ui(cx, ui, &page.name, Some(it.name));
            }
            if page.values.is_empty() {
                ui.label(cx.theme.caption("Nothing yet: add a constant"));
            }
        },
    );
    shown.len().max(usize::from(page.values.is_empty()))
}

/// Returns whether the page is to be open.
fn page_buttons_ui(cx: &Cx<'_>, ui: &mut Ui, at: usize) -> bool {
    let Some(page) = cx.resolution.pages.get(at) else { return false };
    ui.spacing_mut().item_spacing.x = 0.0;
    let name = format!("More about page {}", page.name);
    let more = IconButton::new(icons::ICON_MORE_VERT.codepoint, &name).quiet().show(cx.theme, ui);
    egui::Popup::menu(&more).show(|ui| page_menu_ui(cx, ui, at, page));
    let add = format!("Add constant to {}", page.name);
    let button = IconButton::new(icons::ICON_ADD.codepoint, &add).quiet().show(cx.theme, ui);
    let is_asked = button.tip("Add a constant").clicked();
    if is_asked {
        tuning_form::open_new(ui, page);
    }
    is_asked
}

fn page_menu_ui(cx: &Cx<'_>, ui: &mut Ui, at: usize, page: &ResolvedPage) {
    for (text, is_up) in [("Move up", true), ("Move down", false)] {
        let edits = reorder_pages(&places(cx), at, is_up);
        let button = ui.add_enabled(edits.is_some(), egui::Button::new(text));
        let button = button.on_disabled_hover_text("There is no room: built-in pages stay where they are");
        if let (true, Some(edits)) = (button.clicked(), edits) {
            cx.send(Action::Edits { label: format!("Move page {}", page.name), edits });
        }
    }
    let doc = page_doc(cx.project, &page.name).cloned();
    let is_builtin = cx.derived.builtin().page(&page.name).is_some();
    let can_rename = doc.is_some() && !is_builtin;
    let rename = ui.add_enabled(can_rename, egui::Button::new("Rename…"));
    if rename.on_disabled_hover_text("A built-in page keeps its name").clicked() {
        let what = Named::new(NameKind::Page, page.name.clone());
        cx.send(Action::Refactor(Request::Rename { what, to: page.name.to_string() }));
    }
    let text = if is_builtin { "Delete file, back to built-in values" } else { "Delete page" };
    let button = ui.add_enabled(doc.is_some(), egui::Button::new(text));
    if let (true, Some(doc)) = (button.on_disabled_hover_text("A built-in page has no file").clicked(), doc) {
        cx.send(Action::Edit(Edit::PutDocument { doc, document: None }));
    }
}

/// Name, order and file of every page as it stands.
fn places(cx: &Cx<'_>) -> Vec<(Name, i64, Option<DocPath>)> {
    let place = |page: &std::sync::Arc<ResolvedPage>| {
        (page.name.clone(), page.order, page_doc(cx.project, &page.name).cloned())
    };
    cx.resolution.pages.iter().map(place).collect()
}
