//! The panel of the path probe, over the level: who goes there, how it is looked for, and what was found.

use egui::{Color32, CornerRadius, Grid, Id, RichText, Role, Sense, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

use crate::{
    editor::{Action, Camera, Command, ProbeAnswer, ProbeAsked, ProbeOn, ViewChange},
    model::{DocPath, FieldType, Level, LevelView, counted, short_number},
    sim::{
        PathTuning, limits,
        nav::{Answer, Colored, How, LedgeMap, Leg},
        probe::Traveler,
    },
    tools::ToolKind,
    ui::{
        CanvasCx, Cx,
        canvas::{
            camera::pos,
            paint::Viewport,
            probe::{cell_colors, jump_colors, ledge_colors, path_colors},
        },
        theme::{BODY, SMALL, Theme},
        widgets::{
            IconButton, Tip as _, at_right,
            card::Card,
            choose::drop_down,
            choose::{Choice, choose_ui},
            command_button,
            number::{NumberSpec, drag_ui},
        },
    },
};

/// How wide it is, in points.
const WIDTH: f32 = 240.0;

/// In a canvas lower than this, in points, it is folded at first: it would cover most of it.
const LEAST_HEIGHT: f32 = 400.0;

/// What cells can be colored by, as it is offered.
const COLORS: [(Option<Colored>, &str); 4] = [
    (None, "What was searched"),
    (Some(Colored::Cost), "Cost from the start"),
    (Some(Colored::Areas), "Connected areas"),
    (Some(Colored::Clearance), "Clearance"),
];

/// What is shown of ledges.
const LEDGE_COLORS: [(Option<Colored>, &str); 2] =
    [(None, "What was searched"), (Some(Colored::Areas), "Ledges and jumps")];

/// Show the panel while the probe is in hand, or looks for a path in this level.
pub(super) fn probe_panel_ui(cx: &CanvasCx<'_>, ui: &mut Ui, viewport: &Viewport, (doc, level): (&DocPath, &Level)) {
    let is_asked = cx.view.probe.ends.contains_key(doc) || cx.tool.ghost.probe.is_some();
    if !is_asked && cx.view.tool != ToolKind::Probe {
        return;
    }
    let id = Id::unique("path probe");
    card_at(cx, ui, id, viewport, doc).show(cx.theme, ui, viewport.view, |ui| {
        let is_folded = head_ui(cx, ui, (id.with("folded"), viewport.view.height() < LEAST_HEIGHT), is_asked);
        if cx.preview.is_some_and(|preview| preview.level == *doc) {
            ui.label(cx.theme.caption("In the level as it is placed, not as it plays"));
        }
        if !is_folded {
            asked_ui(cx, ui, (doc, level));
        }
        match cx.derived.probes().answer(doc).filter(|_| is_asked) {
            Some(answer) => found_ui(cx, ui, (doc, viewport), answer, is_folded),
            None if is_asked => _ = ui.label(cx.theme.caption("Looking for a path…")),
            None => _ = ui.label(cx.theme.caption("Drag from start to goal")),
        }
    });
}

/// At the left, or where it keeps off the ends of the path; the right is for what explains an entity.
fn card_at(cx: &CanvasCx<'_>, ui: &Ui, id: Id, viewport: &Viewport, doc: &DocPath) -> Card {
    let left = Card { id, width: WIDTH, is_right: false, is_low: false };
    let ends = cx.view.probe.ends.get(doc).into_iter().flatten().copied();
    let points: Vec<_> = ends.map(|at| viewport.screen(pos(at))).collect();
    left.off(ui, viewport.view, &points, cx.view.insight.why.is_none())
}

/// The title, with the button that folds the panel and the one that ends it. Returns whether it is folded.
fn head_ui(cx: &Cx<'_>, ui: &mut Ui, (id, is_folded_at_first): (Id, bool), is_asked: bool) -> bool {
    let mut is_folded = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(is_folded_at_first);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Path probe").size(BODY).color(cx.theme.text_strong).strong());
        at_right(ui, |ui| {
            if is_asked {
                command_button(cx, ui, Command::ClearProbe);
            }
            let (icon, name) = if is_folded {
                (icons::ICON_EXPAND_MORE, "Show the path probe's options")
            } else {
                (icons::ICON_EXPAND_LESS, "Fold the path probe's options")
            };
            if IconButton::new(icon.codepoint, name).in_row().show(cx.theme, ui).tip(name).clicked() {
                is_folded ^= true;
                ui.data_mut(|data| data.insert_temp(id, is_folded));
            }
        });
    });
    is_folded
}

/// Who goes there, and how it is looked for.
fn asked_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, level): (&DocPath, &Level)) {
    let mut asked = cx.view.probe.asked.clone();
    let whose = cx.derived.memos().get(("traveler", doc, &asked.who), || {
        Traveler::in_level((cx.derived.project(), cx.resolution), (doc, level), &asked.who)
    });
    let is_definition = (*whose).as_ref().is_some_and(|it| it.is_definition);
    let placed = (*whose).as_ref().filter(|it| !it.is_definition && it.resolved.is_some());
    let is_walker = (*whose).as_ref().is_some_and(|it| it.is_walker);
    let has_ledges = is_walker && cx.derived.project().view_of(level) == LevelView::Platformer;
    let own_radius = (*whose).as_ref().map_or(0.0, |it| f64::from(it.agent.radius));
    let layers = level.all_layers().into_iter().filter(|layer| layer.waypoints().is_some());
    let mut grounds = if has_ledges {
        vec![(ProbeOn::Own, "Ledges and jumps"), (ProbeOn::Grid, "The grid")]
    } else {
        vec![(ProbeOn::Own, "The grid")]
    };
    grounds.extend(layers.map(|layer| (ProbeOn::Layer(layer.name.clone()), &*layer.name)));
    // What this level does not have is not searched.
    let on = grounds.iter().map(|(on, _)| on).find(|on| **on == asked.on).cloned().unwrap_or_default();
    let goes_by_ledges = has_ledges && on == ProbeOn::Own;
    let caption = |ui: &mut Ui, text: &str| {
        ui.label(cx.theme.caption(text));
    };
    Grid::new("path probe asks").num_columns(2).spacing(vec2(8.0, 4.0)).show(ui, |ui| {
        caption(ui, "Agent");
        let ty = if is_definition { FieldType::Def } else { FieldType::Str };
        if let Some(who) = choose_ui(cx, ui, "Agent of the path probe", (&asked.who, &ty), || travelers(cx, placed)) {
            (asked.who, asked.radius) = (who, None);
        }
        ui.end_row();
        // Over ledges its body counts.
        caption(ui, if goes_by_ledges { "Weight" } else { "Radius" });
        ui.horizontal(|ui| {
            if !goes_by_ledges {
                radius_ui(ui, &mut asked, own_radius);
                caption(ui, "Weight");
            }
            let spec = NumberSpec {
                min: Some(1.0),
                max: Some(limits::MAX_PATH_WEIGHT),
                step: Some(0.1),
                ..NumberSpec::default()
            };
            let (response, change) = drag_ui(ui, "Weight of the search", asked.weight, &spec);
            response.tip(
                "Above 1 the search is quicker, and the path may cost as many times more; weight 1 is shown beside it",
            );
            if let Some(change) = change {
                asked.weight = limits::path_weight(change.into_parts().0);
            }
        });
        ui.end_row();
        caption(ui, "On");
        if let Some(chosen) = pick_ui(cx.theme, ui, "Ground of the path probe", &on, &grounds) {
            asked.on = chosen;
        }
        ui.end_row();
        caption(ui, "Colors");
        let colors = if goes_by_ledges { &LEDGE_COLORS[..] } else { &COLORS };
        let colored = asked.colored.filter(|it| colors.iter().any(|(color, _)| *color == Some(*it)));
        if let Some(chosen) = pick_ui(cx.theme, ui, "Colors of the cells", &colored, colors) {
            asked.colored = chosen;
        }
        ui.end_row();
    });
    send(cx, asked);
}

fn radius_ui(ui: &mut Ui, asked: &mut ProbeAsked, own_radius: f64) {
    let (min, max, step) = (Some(0.0), Some(256.0), Some(0.5));
    let spec = NumberSpec { min, max, step, unit: Some("px"), ..NumberSpec::default() };
    let (response, change) = drag_ui(ui, "Radius of the agent", asked.radius.unwrap_or(own_radius), &spec);
    response.tip("Half as wide as the agent is; a definition brings its own");
    if let Some(change) = change {
        asked.radius = Some(change.into_parts().0).filter(|radius| (radius - own_radius).abs() > 1e-9);
    }
}

fn send(cx: &Cx<'_>, asked: ProbeAsked) {
    if asked != cx.view.probe.asked {
        cx.send(Action::View(ViewChange::Probe(asked)));
    }
}

/// Who can be chosen: all agents, and the placed entity that is chosen.
fn travelers(cx: &Cx<'_>, placed: Option<&Traveler>) -> Vec<Choice> {
    let about = |it: &Traveler| {
        if it.is_definition {
            format!("{}, radius {} px", it.agent.kind, it.agent.radius)
        } else {
            "a kind of agent, as narrow as a point".to_owned()
        }
    };
    let own = placed.map(|it| Choice::about(&it.name, format!("placed, radius {} px", it.agent.radius)));
    let all = Traveler::all(cx.derived.project(), cx.resolution);
    own.into_iter().chain(all.iter().map(|it| Choice::about(&it.name, about(it)))).collect()
}

/// One of a few.
fn pick_ui<T: Clone + PartialEq>(theme: &Theme, ui: &mut Ui, name: &str, now: &T, all: &[(T, &str)]) -> Option<T> {
    let shown = all.iter().find(|(it, _)| it == now).map_or("", |(_, text)| text);
    let mut chosen = None;
    let combo = drop_down(theme, name, shown).width(150.0);
    let response = combo.show_ui(ui, |ui| {
        for (it, text) in all {
            if ui.selectable_label(it == now, *text).clicked() {
                chosen = Some(it.clone());
            }
        }
    });
    response.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{name}: {shown}")));
    chosen
}

/// What was found, or why nothing.
fn found_ui(cx: &Cx<'_>, ui: &mut Ui, at: (&DocPath, &Viewport), answer: &ProbeAnswer, is_folded: bool) {
    ui.separator();
    let found = match &answer.found {
        Ok(found) => found,
        Err(why) => {
            ui.label(RichText::new(why).size(BODY).color(cx.theme.error));
            return;
        }
    };
    if let Some(no_path) = found.searched.no_path {
        ui.horizontal_wrapped(|ui| {
            let text = format!("No path: {}", answer.why.as_deref().unwrap_or(no_path.reason.text()));
            ui.label(RichText::new(text).size(BODY).color(cx.theme.error));
            if ui.button("Show where").clicked() {
                let camera = Camera { center: no_path.at, ..at.1.camera };
                cx.send(Action::View(ViewChange::Camera(at.0.clone(), camera)));
            }
        });
    }
    let answers: Vec<(Color32, String, &Answer, f64)> = {
        let [searched, cheapest, _] = path_colors(cx.theme);
        let weight = cx.view.probe.asked.weight;
        let mut all =
            vec![(searched, format!("Weight {}", short_number(weight)), &found.searched, answer.lengths_px[0])];
        all.extend(found.cheapest.as_ref().map(|it| (cheapest, "Weight 1".to_owned(), it, answer.lengths_px[1])));
        all
    };
    let unit = if answer.is_in_px { "px" } else { "steps" };
    Grid::new("path probe found").num_columns(1 + answers.len()).spacing(vec2(12.0, 2.0)).show(ui, |ui| {
        let caption = |ui: &mut Ui, text: &str| _ = ui.label(cx.theme.caption(text));
        let value = |ui: &mut Ui, text: String| _ = ui.label(RichText::new(text).size(BODY).color(cx.theme.text));
        caption(ui, "");
        for (color, name, ..) in &answers {
            key_ui(ui, *color, name);
        }
        ui.end_row();
        if found.searched.found {
            caption(ui, "Cost");
            answers.iter().for_each(|(_, _, it, _)| value(ui, format!("{:.2} {unit}", it.cost)));
            ui.end_row();
            caption(ui, "Length");
            answers.iter().for_each(|(.., length)| value(ui, format!("{length:.0} px")));
            ui.end_row();
        }
        caption(ui, "Nodes expanded");
        answers.iter().for_each(|(_, _, it, _)| value(ui, it.stats.expanded.to_string()));
        ui.end_row();
        caption(ui, "Largest open list");
        answers.iter().for_each(|(_, _, it, _)| value(ui, it.stats.max_open.to_string()));
        ui.end_row();
    });
    if is_folded {
        return;
    }
    if !found.searched.legs.is_empty() {
        ui.label(cx.theme.caption(legs_text(&found.searched.legs)));
    } else if found.searched.found {
        let [.., smooth] = path_colors(cx.theme);
        let corners = match found.shortcut.len() {
            0 => String::new(),
            n => format!(", {n} points by straight lines"),
        };
        let PathTuning { weight, turn_penalty } = PathTuning::of(cx.resolution);
        let tuned = match (weight > 1.0, turn_penalty > 0.0) {
            (false, false) => String::new(),
            (_, false) => format!(", by weight {}", short_number(weight)),
            _ => format!(", by weight {} and turn penalty {}", short_number(weight), short_number(turn_penalty)),
        };
        let text = format!("As followed: {:.0} px{corners}{tuned}", answer.lengths_px[2]);
        let row = ui.horizontal(|ui| key_ui(ui, smooth, &text)).response;
        row.tip("When the level plays, paths are looked for with Navigation.weight and Navigation.turn_penalty");
    }
    if let Some(ledges) = &answer.ledges {
        ledges_ui(cx, ui, ledges);
    }
    match &answer.field {
        None if answer.ledges.is_some() => {}
        None if answer.examined.iter().any(|cells| !cells.is_empty()) => {
            let [open, closed] = cell_colors(cx.theme);
            ui.horizontal(|ui| {
                key_ui(ui, closed, &format!("{} closed", answer.examined[1].len()));
                key_ui(ui, open, &format!("{} open", answer.examined[0].len()));
            });
        }
        None if cx.view.probe.asked.colored.is_some() => {
            ui.label(cx.theme.caption("The level is too large to color its cells"));
        }
        None => {}
        Some(_) => colors_ui(cx, ui, answer),
    }
}

/// How often the way goes through the air.
fn legs_text(legs: &[Leg]) -> String {
    let count = |is_meant: fn(&How) -> bool| legs.iter().filter(|leg| is_meant(&leg.how)).count();
    let jumps = count(|how| matches!(how, How::Jump { .. }));
    let drops = count(|how| matches!(how, How::Drop { .. } | How::Through));
    match [counted(jumps, "jump"), counted(drops, "drop")] {
        _ if jumps + drops == 0 => "On foot all the way".to_owned(),
        [_, drops] if jumps == 0 => format!("On foot, with {drops}"),
        [jumps, _] if drops == 0 => format!("On foot, with {jumps}"),
        [jumps, drops] => format!("On foot, with {jumps} and {drops}"),
    }
}

/// What the colors of ledges mean.
fn ledges_ui(cx: &Cx<'_>, ui: &mut Ui, ledges: &LedgeMap) {
    let [reached, others] = ledge_colors(cx.theme);
    ui.horizontal(|ui| {
        key_ui(ui, reached, &format!("{} reached", ledges.reached.len()));
        key_ui(ui, others, &format!("{} not reached", ledges.others.len()));
    });
    let [up, down] = jump_colors(cx.theme);
    let n_jumps = ledges.jumps.iter().filter(|leg| matches!(leg.how, How::Jump { .. })).count();
    ui.horizontal(|ui| {
        key_ui(ui, up, &counted(n_jumps, "jump"));
        key_ui(ui, down, &counted(ledges.jumps.len() - n_jumps, "drop"));
    });
    if !ledges.is_whole {
        ui.label(cx.theme.caption("The level is too large to show all its ledges"));
    }
}

/// What the colors of the cells mean, and the number of the cell under the pointer.
fn colors_ui(cx: &Cx<'_>, ui: &mut Ui, answer: &ProbeAnswer) {
    let (Some((colored, field)), Some((_, level))) = (&answer.field, cx.level()) else { return };
    let text = match colored {
        Colored::Cost if field.n_cells == 0 => "Nothing can be reached from the start".to_owned(),
        Colored::Cost => format!("{} cells reached, the farthest for {:.1} steps", field.n_cells, field.most),
        Colored::Areas => match field.areas.as_slice() {
            [] => "No cell is open".to_owned(),
            [n] => format!("All {n} open cells are connected"),
            areas => format!("{} areas, the largest of {} cells; green is the start's", areas.len(), areas[0]),
        },
        Colored::Clearance => format!("Room for {:.0} px at most; red is too narrow for the agent", field.most),
    };
    ui.label(cx.theme.caption(text));
    let here = cx.view.pointer.as_ref().and_then(|pointer| field.at(level.grid().cell_at(pointer.pos)));
    let here = match (colored, here) {
        (_, None) => "Here: –".to_owned(),
        (Colored::Cost, Some(cost)) => format!("Here: {cost:.2} steps"),
        (Colored::Areas, Some(area)) => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number of an area")]
            let n = (area as usize).checked_sub(1).and_then(|i| field.areas.get(i)).copied().unwrap_or(0);
            format!("Here: area {area}, {n} cells")
        }
        (Colored::Clearance, Some(width)) => {
            format!("Here: agents up to {width:.1} px wide, radius {:.1}", width / 2.0)
        }
    };
    ui.label(RichText::new(here).size(SMALL).color(cx.theme.text));
}

/// A color, and what it stands for.
fn key_ui(ui: &mut Ui, color: Color32, text: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        ui.painter().rect_filled(rect, CornerRadius::same(2), color);
        ui.label(RichText::new(text).size(SMALL));
    });
}
