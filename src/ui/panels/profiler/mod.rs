//! The Profiler pane: what each tick of the preview spends its time on, by system and by definition, and how long ticks
//! took of late.
//!
//! What is measured, and how figures fade, is `sim::insight::profile`; the map over the level is `canvas::insight`.

mod graph;
mod table;

use std::collections::BTreeSet;

use egui::{Id, Role, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

use crate::{
    editor::{Action, Command, Overlay, Preview, PreviewAction, Selection},
    model::Name,
    sim::insight::profile::{KindRow, Profile, Share, Span, System, SystemRow, ms_text},
    ui::{
        Cx,
        widgets::{IconButton, Tip as _, at_right, command_button, empty_state, icon_text},
    },
};

use table::{Column, Sorting, TableRow, Value, table_ui};

/// From this width on, in points, both tables are shown, beside each other; below, one of them.
const WIDE: f32 = 720.0;
/// A pane below this height, in points, has the graph beside the tables and not above them.
const LOW: f32 = 280.0;
/// The height of the graph above the tables, in points.
const GRAPH: f32 = 72.0;
/// The width of the graph beside the tables, as a share of the pane, and within these points.
const GRAPH_SHARE: (f32, f32, f32) = (0.26, 120.0, 420.0);

const SYSTEM_COLUMNS: [Column; 6] = [
    Column { title: "Total", tip: "With everything in it, in milliseconds: of the last tick, or of all ticks" },
    Column { title: "Self", tip: "Total less what the systems in it took" },
    Column { title: "Avg", tip: "Average of a tick, in milliseconds; recent ones count the most" },
    Column { title: "Min", tip: "The least of a tick, fading toward the present" },
    Column { title: "Max", tip: "The most of a tick, fading toward the present" },
    Column { title: "Calls", tip: "How often it was called: in the last tick, or in all ticks" },
];

/// Show the Profiler pane.
pub(super) fn profiler_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let Some(preview) = cx.preview else {
        let icon = icons::ICON_SHUTTER_SPEED.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing is playing", "Press F5: what each tick spends its time on shows here");
        return;
    };
    let profile = &preview.session.observed().profile;
    let (share, least, most) = GRAPH_SHARE;
    let is_low = ui.available_height() < LOW;
    let graph = if is_low { (ui.available_width() * share).clamp(least, most) } else { ui.available_width() };
    let has_both = ui.available_width() - if is_low { graph } else { 0.0 } >= WIDE;
    let shown = bar_ui(cx, ui, (preview, profile), !has_both);
    if profile.tick().n == 0 {
        let icon = icons::ICON_SHUTTER_SPEED.codepoint;
        empty_state(cx.theme, ui, icon, "Nothing was measured yet", "Let it play, or press F10 for one tick");
        return;
    }
    let tables = |ui: &mut Ui| {
        if profile.n_detailed() == 0 {
            let icon = icons::ICON_TIMER.codepoint;
            let is_on = cx.view.insight.is_profiling();
            let how = if is_on { "Let it play, or press F10 for one tick" } else { "Switch on Measure ticks above" };
            empty_state(cx.theme, ui, icon, "Only how long ticks take was measured so far", how);
            return;
        }
        match (has_both, shown.is_of_kinds) {
            (true, _) => ui.columns(2, |columns| {
                systems_ui(cx, &mut columns[0], profile, shown.span);
                kinds_ui(cx, &mut columns[1], (preview, profile), shown.span);
            }),
            (false, false) => systems_ui(cx, ui, profile, shown.span),
            (false, true) => kinds_ui(cx, ui, (preview, profile), shown.span),
        }
    };
    if is_low {
        let height = ui.available_height();
        ui.horizontal_top(|ui| {
            graph::graph_ui(cx, ui, preview, vec2(graph, height));
            ui.add_space(4.0);
            ui.vertical(tables);
        });
    } else {
        graph::graph_ui(cx, ui, preview, vec2(graph, GRAPH));
        ui.add_space(4.0);
        tables(ui);
    }
}

/// What the tables show.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    span: Span,
    /// Where there is room for one table: that of definitions.
    is_of_kinds: bool,
}

/// Switches, which table is shown where there is room for one, what is copied, and the figures of whole ticks.
fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, (preview, profile): (&Preview, &Profile), has_choice: bool) -> Shown {
    let id = Id::unique("profiler shows");
    let mut shown: Shown = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        for command in [Command::ToggleProfiling, Command::ToggleProfilingHidden, Command::Overlay(Overlay::TickTime)] {
            command_button(cx, ui, command);
        }
        ui.separator();
        for (of, text, tip) in [
            (Span::Recent, "Recent", "Figures of the last tick; what is past fades within seconds"),
            (Span::Whole, "Whole run", "Figures of all ticks since measuring began"),
        ] {
            if ui.selectable_label(shown.span == of, text).tip(tip).clicked() {
                shown.span = of;
            }
        }
        ui.separator();
        if has_choice {
            for (is_of_kinds, text) in [(false, "Systems"), (true, "Definitions")] {
                if ui.selectable_label(shown.is_of_kinds == is_of_kinds, text).clicked() {
                    shown.is_of_kinds = is_of_kinds;
                }
            }
            ui.separator();
        }
        let response =
            IconButton::new(icons::ICON_DELETE_SWEEP.codepoint, "Forget what was measured").show(cx.theme, ui);
        if response.tip("Begin anew: forget what was measured").clicked() {
            cx.send(Action::Preview(PreviewAction::ClearProfile));
        }
        let copy = ui.menu_button((icon_text(icons::ICON_CONTENT_COPY.codepoint, 15.0), "Copy"), |ui| {
            if ui.button("As Markdown").clicked() {
                cx.send(Action::CopyText(profile.markdown(shown.span)));
                ui.close();
            }
            if ui.button("As comma-separated values").clicked() {
                cx.send(Action::CopyText(profile.csv(shown.span)));
                ui.close();
            }
        });
        copy.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy figures"));
        copy.response.tip("Copy both tables as text");
        at_right(ui, |ui| summary_ui(cx, ui, preview, profile, shown.span));
    });
    ui.data_mut(|data| data.insert_temp(id, shown));
    shown
}

/// How long ticks take, against the time there is for one, and frames of the window.
fn summary_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, profile: &Profile, span: Span) {
    let frame = &cx.view.insight.profiler.frame;
    if frame.n > 0 {
        let [avg, _, max] = frame.spread(Span::Recent).map(ms_text);
        ui.label(cx.theme.caption(format!("window {avg} ms")))
            .tip(format!("What a frame of the window takes, without waiting for the screen; {max} ms at most of late"));
    }
    if profile.tick().n == 0 {
        return;
    }
    let [avg, min, max] = profile.tick().spread(span);
    let budget = preview.budget_secs() * 1e9;
    let text = format!("tick {} ms, {} at most", ms_text(avg), ms_text(max));
    let mut text = cx.theme.caption(text);
    if max > budget {
        text = text.color(cx.theme.warning);
    }
    let slowest = profile.slowest().map(|(tick, _)| format!(", the slowest was tick {tick}")).unwrap_or_default();
    ui.label(text).tip(format!(
        "Average and most of a tick; {} ms at least{slowest}. A tick has {:.1} ms before the preview loses time",
        ms_text(min),
        budget / 1e6
    ));
}

fn systems_ui(cx: &Cx<'_>, ui: &mut Ui, profile: &Profile, span: Span) {
    let id = Id::unique("profiler folded");
    let mut folded: BTreeSet<Vec<System>> = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
    let all = profile.systems(span);
    let whole = all.first().map_or(1.0, |tick| tick.spread_ns[0]);
    let mut path: Vec<System> = Vec::new();
    let (mut rows, mut paths) = (Vec::new(), Vec::new());
    for (at, row) in all.iter().enumerate() {
        let SystemRow { system, depth, total_ns, own_ns, spread_ns: [avg, min, max], calls } = *row;
        path.truncate(depth);
        let is_hidden = (1..=depth).any(|n| folded.contains(&path[..n]));
        path.push(system);
        if is_hidden {
            continue;
        }
        let has_children = all.get(at + 1).is_some_and(|next| next.depth > depth);
        rows.push(TableRow {
            name: system.name().to_owned(),
            accessible: format!("System {}", system.name()),
            depth,
            values: vec![
                Value::Ms(total_ns),
                Value::Ms(own_ns),
                Value::Ms(avg),
                Value::Ms(min),
                Value::Ms(max),
                Value::Count(calls),
            ],
            share: avg / whole.max(1.0),
            is_open: has_children.then(|| !folded.contains(&path)),
            tip: format!("{}.", system.doc()),
            ..TableRow::default()
        });
        paths.push(path.clone());
    }
    table_ui(cx, ui, ("Systems", &SYSTEM_COLUMNS, None), &rows, |at, response| {
        let (row, path) = (&rows[at], &paths[at]);
        if response.clicked() && row.is_open.is_some() && !folded.remove(path) {
            folded.insert(path.clone());
        }
    });
    ui.data_mut(|data| data.insert_temp(id, folded));
}

fn kinds_ui(cx: &Cx<'_>, ui: &mut Ui, (preview, profile): (&Preview, &Profile), span: Span) {
    let id = Id::unique("profiler sorting");
    let mut sorting = ui.data_mut(|data| data.get_temp(id)).unwrap_or(Sorting { column: Some(1), is_rising: false });
    let columns: Vec<Column> = [
        Column { title: "Entities", tip: "How many there are" },
        Column { title: "Avg", tip: "What all of them take in an average tick, in milliseconds" },
        Column { title: "Max", tip: "The most of a tick" },
        Column { title: "Min", tip: "The least of a tick" },
        Column { title: "Total", tip: "Of the last tick, or of all ticks" },
    ]
    .into_iter()
    .chain(Share::ALL.map(|share| Column { title: share.name(), tip: share.doc() }))
    .collect();
    let mut all = profile.kinds(span);
    let whole: f64 = all.iter().map(|row| row.spread_ns[0]).sum();
    let values = |row: &KindRow| {
        let [avg, min, max] = row.spread_ns;
        let times = [avg, max, min, row.total_ns].into_iter().chain(row.by_ns);
        [f64::from(row.n)].into_iter().chain(times).collect::<Vec<f64>>()
    };
    // What no entity is charged with stays the last.
    all.sort_by(|a, b| {
        let order = match sorting.column {
            None => a.def.cmp(&b.def),
            Some(column) => values(a)[column].total_cmp(&values(b)[column]),
        };
        let order = if sorting.is_rising { order } else { order.reverse() };
        a.def.is_none().cmp(&b.def.is_none()).then(order).then_with(|| a.def.cmp(&b.def))
    });
    let world = preview.session.world();
    let ids = cx.selection.ids_in(&preview.level).iter();
    let selected: BTreeSet<&Name> = ids.filter_map(|id| Some(world.entity(world.by_id(id)?)?.def)).collect();
    let rows: Vec<TableRow> = all
        .iter()
        .map(|row| {
            let name = row.def.as_deref().unwrap_or("(no entity)");
            let tip = match &row.def {
                Some(_) => "Click to select its entities in the level",
                None => "What cannot be charged to an entity: sorting bodies, routing messages, animation and the like",
            };
            let values = values(row).into_iter().enumerate();
            TableRow {
                name: name.to_owned(),
                accessible: format!("Definition {name}"),
                values: values.map(|(at, it)| if at == 0 { Value::Count(it) } else { Value::Ms(it) }).collect(),
                share: row.spread_ns[0] / whole.max(1.0),
                is_selected: row.def.as_ref().is_some_and(|def| selected.contains(def)),
                is_weak: row.def.is_none(),
                tip: tip.to_owned(),
                ..TableRow::default()
            }
        })
        .collect();
    table_ui(cx, ui, ("Definitions", &columns, Some(&mut sorting)), &rows, |at, response| {
        let Some(def) = &all[at].def else { return };
        if response.clicked() {
            select_all(cx, preview, def);
        }
        response.context_menu(|ui| {
            if ui.button("Select its entities").clicked() {
                select_all(cx, preview, def);
                ui.close();
            }
            let home = cx.resolution.def_docs.get(def);
            if ui.add_enabled(home.is_some(), egui::Button::new("Go to definition")).clicked()
                && let Some(doc) = home
            {
                let all = vec![(doc.clone(), def.clone())];
                cx.send(Action::Select(Selection::Definitions { all }));
                ui.close();
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(id, sorting));
}

/// Select all entities of a definition that run.
fn select_all(cx: &Cx<'_>, preview: &Preview, def: &Name) {
    let of_def = preview.session.world().entities().filter(|entity| entity.def == def);
    let ids = of_def.map(|entity| entity.id.clone()).collect();
    cx.send(Action::Select(Selection::Things { doc: preview.level.clone(), ids }));
}
