//! The bar to find entities in levels: a query, how many fit it, and a list of these to go to.

use egui::{Id, Key, Modifiers, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use crate::{
    editor::{Action, Command, Selection},
    explain::{EntityHit, EntityQuery},
    model::{Name, counted},
    ui::{
        Cx,
        theme::ROW,
        widgets::{IconButton, Row, Tip as _, popup_search_field, row_ui},
    },
};

/// So many rows of what is found show at once.
const N_ROWS: f32 = 5.0;

/// What is kept from frame to frame.
#[derive(Clone, Default, PartialEq)]
struct Kept {
    query: String,
    is_everywhere: bool,
    /// The one that is shown, once one was gone to.
    at: Option<usize>,
}

type Found = Result<Vec<EntityHit>, String>;

/// Show the bar.
pub(super) fn find_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let id = Id::unique("find entities");
    let field = id.with("edit");
    let mut kept = ui.data(|data| data.get_temp::<Kept>(id.with("kept"))).unwrap_or_default();
    let before = (kept.query.clone(), kept.is_everywhere);
    let had_focus = ui.data(|data| data.get_temp::<bool>(id.with("focus"))).unwrap_or(false);
    // Taken before the field sees them, or it would give the focus away.
    let is_typing = ui.memory(|memory| memory.has_focus(field));
    let take = |ui: &Ui, modifiers, key| is_typing && ui.input_mut(|input| input.consume_key(modifiers, key));
    let back = take(ui, Modifiers::SHIFT, Key::Enter) || take(ui, Modifiers::NONE, Key::ArrowUp);
    let next = take(ui, Modifiers::NONE, Key::Enter) || take(ui, Modifiers::NONE, Key::ArrowDown);
    // Escape has taken the focus away already.
    let closes = had_focus && ui.input(|input| input.key_pressed(Key::Escape));
    ui.data_mut(|data| data.insert_temp(id.with("focus"), is_typing));
    let mut step = i32::from(next) - i32::from(back);
    let mut is_closed = closes;
    let mut selects = false;
    let mut found = std::rc::Rc::new(Found::Ok(Vec::new()));
    ui.horizontal(|ui| {
        let room = (ui.available_width() - 300.0).clamp(120.0, 420.0);
        ui.allocate_ui(egui::vec2(room, ROW), |ui| {
            kept.query = popup_search_field(cx.theme, ui, id, "Find entities by name, def:, tag: or Health.max > 10");
        });
        ui.toggle_value(&mut kept.is_everywhere, "All levels").tip("Look in all levels, not only in the one shown");
        if before != (kept.query.clone(), kept.is_everywhere) {
            kept.at = None;
        }
        found = hits(cx, &kept);
        let n = found.as_ref().as_ref().map_or(0, Vec::len);
        for (icon, name, by) in
            [(icons::ICON_ARROW_UPWARD, "Previous match", -1), (icons::ICON_ARROW_DOWNWARD, "Next match", 1)]
        {
            if IconButton::new(icon.codepoint, name).enabled(n > 0).show(cx.theme, ui).tip(name).clicked() {
                step = by;
            }
        }
        let all = IconButton::new(icons::ICON_SELECT_ALL.codepoint, "Select all matches").enabled(n > 0);
        selects = all.show(cx.theme, ui).tip("Select all matches in the level shown").clicked();
        is_closed |= IconButton::new(icons::ICON_CLOSE.codepoint, "Close the search").show(cx.theme, ui).clicked();
        match (&*found, kept.at) {
            (Err(why), _) => ui.label(RichText::new(why).color(cx.theme.error)),
            (Ok(_), _) if kept.query.trim().is_empty() => ui.label(""),
            (Ok(hits), Some(at)) => ui.label(format!("{} of {}", at + 1, hits.len())),
            (Ok(hits), None) => ui.label(format!("{} found", hits.len())),
        };
    });
    let hits = found.as_ref().as_deref().unwrap_or_default();
    let mut goes = None;
    if step != 0 && !hits.is_empty() {
        let last = hits.len() - 1;
        goes = Some(match (kept.at, step > 0) {
            (Some(at), true) if at < last => at + 1,
            (Some(at), false) if at > 0 => at - 1,
            (_, true) => 0,
            (_, false) => last,
        });
    }
    if !hits.is_empty() {
        let is_stepped = goes.is_some();
        goes = list_ui(cx, ui, hits, goes.or(kept.at), is_stepped).or(goes);
    }
    if let Some((at, hit)) = goes.and_then(|at| Some((at, hits.get(at)?))) {
        kept.at = Some(at);
        cx.send(Action::GoTo(hit.location(cx.project)));
    }
    if selects {
        select_all(cx, hits);
    }
    ui.data_mut(|data| data.insert_temp(id.with("kept"), kept));
    if is_closed {
        cx.command(Command::FindEntities);
    }
}

/// What fits, looked for again when something else is typed or anything is derived anew.
fn hits(cx: &Cx<'_>, kept: &Kept) -> std::rc::Rc<Found> {
    let shown = cx.level().map(|(doc, _)| doc);
    let within = shown.filter(|_| !kept.is_everywhere);
    cx.derived.memos().get(("find entities", &kept.query, within), || {
        let query = EntityQuery::parse(&kept.query)?;
        Ok(query.find(cx.project, cx.resolution, within))
    })
}

/// The rows of what was found. Returns the one that was clicked.
fn list_ui(cx: &Cx<'_>, ui: &mut Ui, hits: &[EntityHit], at: Option<usize>, is_stepped: bool) -> Option<usize> {
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt("matches").max_height(N_ROWS * ROW).auto_shrink([false, true]);
    if let Some(at) = at.filter(|_| is_stepped) {
        #[expect(clippy::cast_precision_loss, reason = "a place on the screen")]
        let top = (at as f32 - N_ROWS / 2.0).max(0.0) * ROW;
        area = area.vertical_scroll_offset(top);
    }
    area.show_rows(ui, ROW, hits.len(), |ui, seen| {
        for (i, hit) in hits.iter().enumerate().skip(seen.start).take(seen.len()) {
            let layer = cx.project.level(&hit.doc).and_then(|level| level.nth_layer(hit.layer));
            let on = layer.map_or("", |layer| &*layer.name);
            let detail = format!("{}, {on}", hit.doc.stem());
            let text = format!("{} {}", hit.def, hit.id);
            let icon = icons::ICON_SMART_TOY.codepoint;
            let row = Row { icon, text: &text, detail: &detail, is_selected: at == Some(i), ..Row::default() };
            if row_ui(cx.theme, ui, &row).clicked() {
                clicked = Some(i);
            }
        }
    });
    clicked
}

/// Select what was found in the level shown; where nothing was, in the first level that has any.
fn select_all(cx: &Cx<'_>, hits: &[EntityHit]) {
    let shown = cx.level().map(|(doc, _)| doc);
    let is_shown = |hit: &&EntityHit| Some(&hit.doc) == shown;
    let Some(first) = hits.iter().find(is_shown).or(hits.first()) else { return };
    if Some(&first.doc) != shown {
        cx.send(Action::OpenLevel(first.doc.clone()));
    }
    let ids: Vec<Name> = hits.iter().filter(|hit| hit.doc == first.doc).map(|hit| hit.id.clone()).collect();
    cx.send(Action::Notice(format!("{} selected in {}", counted(ids.len(), "entity"), first.doc.stem())));
    cx.send(Action::Select(Selection::Things { doc: first.doc.clone(), ids }));
}
