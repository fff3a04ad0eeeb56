//! The Problems pane: what is wrong, put together as asked for, with where it is and its fixes.
//!
//! Which problems are shown in which order is `check::list`'s; it is asked anew only when the question or the problems
//! change, and only the rows in view are laid out. The list has the keyboard as a whole: arrows, Enter, Ctrl+. and
//! Delete.

use std::{collections::BTreeSet, rc::Rc, sync::Arc};

use egui::{
    Align2, Color32, Event, EventFilter, FontId, Id, Key, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, WidgetInfo, pos2,
    text::{LayoutJob, TextWrapping},
    vec2,
};
use egui_material_icons::icons;

use crate::{
    check::{Ask, Fix, Group, GroupBy, Line, List, list},
    editor::{Action, Command, LocatedProblem, ProblemAction, number_now},
    model::{Finding, Severity, counted},
    ui::{
        Cx, takes_keys,
        theme::{BODY, GRID, ROW, SMALL},
        widgets::{
            IconButton, Tip as _, at_right, command_button, elided, empty_state, has_keyboard, icon_font, in_rect,
            search_field, sentence, words::put_words,
        },
    },
};

/// What is listed, and what it was made from: another list is made only when one of these is another.
struct Listed {
    list: List,
    /// Rules that something can be mended of.
    fixable: BTreeSet<String>,
    problems: Arc<Vec<LocatedProblem>>,
    ask: Ask,
}

/// Where the problem that was gone to is listed, and what that was found from.
struct GoneTo {
    of: Option<(usize, Finding)>,
    listed: Rc<Listed>,
    /// Its number and its line.
    number: Option<usize>,
    line: Option<usize>,
}

/// From this width on a problem's fix is a button with its words, its whole place is beside it, and the groupings are
/// in the bar; below, icons and a menu.
const WIDE: f32 = 560.0;
/// Below this width no place is shown.
const NARROW: f32 = 400.0;
/// Of the column of places, where there is room for whole ones.
const PLACE: f32 = 190.0;

/// Show the Problems pane.
pub fn problems_ui(cx: &Cx<'_>, ui: &mut Ui) {
    if cx.derived.problems().is_empty() {
        let icon = icons::ICON_CHECK_CIRCLE.codepoint;
        let how = "What is wrong with the project's data shows here";
        empty_state(cx.theme, ui, icon, "No problems", how);
        ui.vertical_centered(|ui| ignored_ui(cx, ui));
        return;
    }
    let id = Id::unique("problems");
    let mut ask = ui.data_mut(|data| data.get_temp::<Ask>(id)).unwrap_or_default();
    let listed = listed(cx, &ask);
    let list = &listed.list;
    bar_ui(cx, ui, list, &mut ask);
    if list.lines.is_empty() {
        ui.add_space(GRID * 2.0);
        ui.vertical_centered(|ui| {
            ui.label(RichText::new("No problem fits the filter").color(cx.theme.text_weak));
            if ui.button("Show all problems").clicked() {
                ask = Ask { group: ask.group, ..Ask::default() };
                ui.data_mut(|data| data.insert_temp(search_id(), String::new()));
            }
        });
    } else {
        lines_ui(cx, ui, &listed, &mut ask);
    }
    ui.data_mut(|data| data.insert_temp(id, ask));
}

fn search_id() -> Id {
    Id::unique("problem search")
}

/// What is over the list: what mends and jumps, what is shown, by what it is put together.
fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, list: &List, ask: &mut Ask) {
    let is_narrow = ui.available_width() < WIDE;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        command_button(cx, ui, Command::FixSafe);
        command_button(cx, ui, Command::NextProblem);
        severities_ui(cx, ui, list, ask);
        let groupings = [
            (GroupBy::Nothing, "List"),
            (GroupBy::Severity, "By severity"),
            (GroupBy::File, "By file"),
            (GroupBy::Rule, "By rule"),
        ];
        let mut choose = |ui: &mut Ui| {
            for (group, name) in groupings {
                if ui.selectable_label(ask.group == group, name).clicked() {
                    ask.group = group;
                }
            }
        };
        if is_narrow {
            let menu = IconButton::new(icons::ICON_SORT.codepoint, "Group by").show(cx.theme, ui);
            egui::Popup::menu(&menu).show(choose);
            menu.tip("How problems are grouped");
        } else {
            ui.separator();
            choose(ui);
        }
        ignored_ui(cx, ui);
        // In what is left of the row, else on a row of its own.
        let rest = ui.available_size_before_wrap().x;
        let width = if rest < 150.0 { ui.max_rect().width() } else { rest };
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(vec2(width, ROW + 2.0), layout, |ui| {
            ask.query = search_field(cx.theme, ui, search_id(), "Filter by rule, file or text");
        });
    });
}

/// The list as one thing with the keyboard: arrows go, Enter shows, Ctrl and the dot mend.
fn lines_ui(cx: &Cx<'_>, ui: &mut Ui, listed: &Rc<Listed>, ask: &mut Ask) {
    let list = &listed.list;
    let id = Id::unique("problems list");
    let all = ui.interact(ui.available_rect_before_wrap(), id, Sense::click());
    all.widget_info(|| WidgetInfo::labeled(Role::List, true, "List of problems"));
    if all.clicked() {
        all.request_focus();
    }
    let at_id = id.with("at");
    let mut at: usize = ui.data(|data| data.get_temp(at_id)).unwrap_or(0).min(list.lines.len() - 1);
    // The one gone to last, which may be by a key or from elsewhere, is scrolled to.
    let gone_to = gone_to(cx, listed);
    let known = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id.with("gone to")), gone_to.number));
    let new = gone_to.line.filter(|_| known != gone_to.number);
    at = new.unwrap_or(at);
    let is_moved = has_keyboard(&all) && keys(cx, ui, id, list, &mut at, ask) || new.is_some();
    let (before, has_focus) = (at, has_keyboard(&all));
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, list.lines.len(), |ui, range| {
        if is_moved {
            let top = ui.max_rect().top() + (at as f32 - range.start as f32) * ROW;
            ui.scroll_to_rect(Rect::from_min_size(pos2(ui.max_rect().left(), top), vec2(1.0, ROW)), None);
        }
        for (i, line) in list.lines.iter().enumerate().take(range.end).skip(range.start) {
            let is_at = has_focus && i == before;
            let is_clicked = match line {
                Line::Group(group) => group_ui(cx, ui, group, is_at, &listed.fixable, ask),
                Line::Problem(problem) => {
                    // Without the keyboard the list has it selected.
                    let is_gone_to = gone_to.line == Some(i);
                    let marked = (is_at || is_gone_to && !has_focus, is_gone_to);
                    cx.derived.problems().get(*problem).is_some_and(|it| problem_ui(cx, ui, it, marked, ask.group))
                }
            };
            if is_clicked {
                at = i;
                ui.memory_mut(|memory| memory.request_focus(id));
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(at_id, at));
}

/// Keys while the list has the focus. Returns whether another line is meant.
fn keys(cx: &Cx<'_>, ui: &Ui, id: Id, list: &List, at: &mut usize, ask: &mut Ask) -> bool {
    ui.memory_mut(|memory| {
        let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
        memory.set_focus_lock_filter(id, filter);
    });
    takes_keys(ui.ctx(), id);
    let last = list.lines.len() - 1;
    let heading = list.lines[..=*at].iter().rposition(|line| matches!(line, Line::Group(_)));
    let group = match &list.lines[*at] {
        Line::Group(group) => Some(group),
        Line::Problem(_) => None,
    };
    let located = match &list.lines[*at] {
        Line::Problem(problem) => cx.derived.problems().get(*problem),
        Line::Group(_) => None,
    };
    let was = *at;
    for event in ui.input(|input| input.events.clone()) {
        match event {
            Event::Copy => cx.send(Action::CopyText(located.map(line).unwrap_or_default())),
            Event::Key { key, pressed: true, modifiers, .. } => match key {
                Key::ArrowDown => *at = (*at + 1).min(last),
                Key::ArrowUp => *at = at.saturating_sub(1),
                Key::PageDown => *at = (*at + 10).min(last),
                Key::PageUp => *at = at.saturating_sub(10),
                Key::Home => *at = 0,
                Key::End => *at = last,
                Key::ArrowLeft => *at = heading.unwrap_or(*at),
                Key::Period if modifiers.command => {
                    if let Some(fix) = located.and_then(|it| it.problem.fixes.first()) {
                        cx.send(Action::Problem(ProblemAction::Fix(Box::new(fix.clone()))));
                    }
                }
                Key::Delete => {
                    let finding = located.map(|it| Box::new(it.problem.finding.clone()));
                    finding.into_iter().for_each(|it| cx.send(Action::Problem(ProblemAction::Ignore(it))));
                }
                Key::Enter => {
                    let finding = located.map(|it| Box::new(it.problem.finding.clone()));
                    finding.into_iter().for_each(|it| cx.send(Action::Problem(ProblemAction::GoTo(it))));
                }
                _ => {}
            },
            _ => continue,
        }
        let Event::Key { key, pressed: true, .. } = event else { continue };
        if let (Some(group), Key::Enter | Key::ArrowLeft | Key::ArrowRight) = (group, key) {
            fold(group, ask, key == Key::ArrowRight || (key == Key::Enter && !group.is_open));
        }
    }
    *at != was
}

fn fold(group: &Group, ask: &mut Ask, is_open: bool) {
    if is_open {
        ask.closed.remove(&group.key);
    } else {
        ask.closed.insert(group.key.clone());
    }
}

fn listed(cx: &Cx<'_>, ask: &Ask) -> Rc<Listed> {
    let is_current = |it: &Listed| Arc::ptr_eq(&it.problems, cx.derived.problems()) && it.ask == *ask;
    cx.derived.memos().get_current("listed problems", is_current, |_| {
        let findings: Vec<&Finding> = cx.derived.problems().iter().map(|located| &located.problem.finding).collect();
        let text = |at: usize| cx.derived.problems().get(at).map(line).unwrap_or_default();
        let fixable = cx.derived.problems().iter().filter(|located| located.problem.likeliest().is_some());
        Listed {
            list: list(&findings, text, ask),
            fixable: fixable.map(|located| located.problem.finding.rule.to_string()).collect(),
            problems: cx.derived.problems().clone(),
            ask: ask.clone(),
        }
    })
}

fn gone_to(cx: &Cx<'_>, listed: &Rc<Listed>) -> Rc<GoneTo> {
    let is_current = |it: &GoneTo| Rc::ptr_eq(&it.listed, listed) && it.of == cx.view.gone_to;
    cx.derived.memos().get_current("the problem gone to", is_current, |_| {
        let of = cx.view.gone_to.clone();
        let number = of.as_ref().and_then(|gone_to| number_now(gone_to, &listed.problems));
        let line = number.and_then(|number| listed.list.lines.iter().position(|it| *it == Line::Problem(number)));
        GoneTo { of, listed: Rc::clone(listed), number, line }
    })
}

/// How many there are of each severity, as switches.
fn severities_ui(cx: &Cx<'_>, ui: &mut Ui, list: &List, ask: &mut Ask) {
    for severity in [Severity::Error, Severity::Warning, Severity::Hint] {
        let n = list.n_by_severity.get(&severity).copied().unwrap_or(0);
        if n == 0 && !ask.hidden.contains(&severity) {
            continue;
        }
        let is_shown = !ask.hidden.contains(&severity);
        let text = RichText::new(counted(n, &severity.to_string())).color(cx.theme.severity(severity));
        let tip = if is_shown { "Shown; click to hide" } else { "Hidden; click to show" };
        if ui.selectable_label(is_shown, text).tip(tip).clicked() {
            if is_shown {
                ask.hidden.insert(severity);
            } else {
                ask.hidden.remove(&severity);
            }
        }
    }
}

fn ignored_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let unlisted = cx.derived.unlisted();
    let n: usize = unlisted.iter().map(|(_, n)| n).sum();
    if n > 0 {
        let of_rule = |(rule, n): &(&str, usize)| format!("{n} of {rule}");
        let tip = format!("Not listed: {}", unlisted.iter().map(of_rule).collect::<Vec<_>>().join(", "));
        ui.label(RichText::new(format!("{n} more not listed")).color(cx.theme.text_weak)).tip(tip);
    }
    let n = cx.derived.n_ignored();
    if n > 0 && ui.small_button(format!("{n} ignored")).tip("Stop ignoring them").clicked() {
        cx.send(Action::Problem(ProblemAction::ShowIgnored));
    }
}

/// The problem as one line of text, as the command line prints it.
#[must_use]
pub fn line(located: &LocatedProblem) -> String {
    let finding = &located.problem.finding;
    let help = finding.help.as_ref().map(|help| format!(" — {help}")).unwrap_or_default();
    let (severity, rule, doc) = (finding.severity, &finding.rule, &finding.location.doc);
    format!("{severity}[{rule}] {doc}:{}: {}{help}", located.place(), finding.message)
}

fn severity_icon(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => icons::ICON_ERROR,
        Severity::Warning => icons::ICON_WARNING,
        Severity::Hint => icons::ICON_LIGHTBULB,
    }
    .codepoint
}

/// The ground of a line that is selected or pointed at.
fn ground_ui(cx: &Cx<'_>, ui: &Ui, rect: Rect, (is_at, is_hovered): (bool, bool), plain: Color32) {
    let ground = match (is_at, is_hovered) {
        (true, _) => cx.theme.accent_ground,
        (_, true) => cx.theme.widget,
        _ => plain,
    };
    ui.painter().rect_filled(rect, 3.0, ground);
    if is_at {
        ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, cx.theme.accent), StrokeKind::Inside);
    }
}

/// A group's heading: opens and closes it; of a rule, mends all. Returns whether it was clicked.
fn group_ui(cx: &Cx<'_>, ui: &mut Ui, group: &Group, is_at: bool, fixable: &BTreeSet<String>, ask: &mut Ask) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::CLICK);
    let name = format!("{} {}", if group.is_open { "Close" } else { "Open" }, group.key);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    ground_ui(cx, ui, rect, (is_at, response.hovered()), cx.theme.chrome);
    let icon = if group.is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
    let at = |x: f32| pos2(rect.left() + x, rect.center().y);
    let painter = ui.painter();
    painter.text(at(10.0), Align2::CENTER_CENTER, icon.codepoint, icon_font(15.0), cx.theme.text_weak);
    let color = cx.theme.severity(group.worst);
    painter.text(at(30.0), Align2::CENTER_CENTER, severity_icon(group.worst), icon_font(15.0), color);
    in_rect(ui, Rect::from_min_max(pos2(rect.left() + 44.0, rect.top()), rect.max), |ui| {
        ui.horizontal_centered(|ui| {
            ui.label(RichText::new(&group.key).strong().color(cx.theme.text_strong));
            ui.label(cx.theme.caption(group.n.to_string()));
            if ask.group == GroupBy::Rule && fixable.contains(&group.key) {
                at_right(ui, |ui| fix_all_ui(cx, ui, &group.key));
            }
        });
    });
    if response.clicked() {
        fold(group, ask, !group.is_open);
    }
    response.clicked()
}

fn fix_all_ui(cx: &Cx<'_>, ui: &mut Ui, rule: &str) {
    let tip = "Apply the likeliest fix of each problem of this rule, as one step that can be undone";
    if ui.small_button(format!("Fix all of {rule}")).tip(tip).clicked() {
        cx.send(Action::Problem(ProblemAction::FixAll(rule.into())));
        ui.close();
    }
}

/// A problem: how bad, what, the likeliest fix, where; a click goes there. Returns whether it was clicked.
fn problem_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    located: &LocatedProblem,
    (is_at, is_gone_to): (bool, bool),
    group: GroupBy,
) -> bool {
    let finding = &located.problem.finding;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::CLICK);
    let whole = format!("{}:{}", finding.location.doc, located.place());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_at, format!("{}, {whole}", finding.message)));
    ground_ui(cx, ui, rect, (is_at, response.hovered()), Color32::TRANSPARENT);
    if is_gone_to {
        let bar = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
        ui.painter().rect_filled(bar, 1.5, cx.theme.accent);
    }
    let left = rect.left() + if group == GroupBy::Nothing { 4.0 } else { 24.0 };
    let icon = pos2(left + 8.0, rect.center().y);
    let color = cx.theme.severity(finding.severity);
    ui.painter().text(icon, Align2::CENTER_CENTER, severity_icon(finding.severity), icon_font(15.0), color);
    let is_wide = rect.width() >= WIDE;
    let place = match group {
        // The heading says the file.
        GroupBy::File => located.place(),
        _ if is_wide => whole.clone(),
        _ if located.is_saved => format!("{}:{}", finding.location.doc.stem(), located.line),
        _ => format!("{}:{}", finding.location.doc.stem(), located.place()),
    };
    let room = Rect::from_min_max(pos2(left + 22.0, rect.top()), pos2(rect.right() - 2.0, rect.bottom()));
    // A line keeps what its menu remembers while others come and go above it.
    let id = Id::unique((&finding.rule, &finding.location, &finding.message));
    let message = ui.push_id(id, |ui| {
        in_rect(ui, room, |ui| {
            ui.spacing_mut().item_spacing.x = GRID;
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                more_ui(cx, ui, located);
                if rect.width() >= NARROW {
                    let width = if is_wide && group != GroupBy::File { PLACE } else { 84.0 };
                    let (at, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
                    let galley = elided(ui, &place, (FontId::monospace(SMALL), width), cx.theme.text_weak);
                    let y = at.center().y - galley.size().y / 2.0;
                    ui.painter().galley(pos2(at.left(), y), galley, cx.theme.text_weak);
                }
                if let Some(fix) = located.problem.fixes.first() {
                    fix_ui(cx, ui, fix, is_wide);
                }
                ui.available_rect_before_wrap()
            })
            .inner
        })
    });
    let room = message.inner;
    let is_cut = message_ui(cx, ui, finding, room);
    let response = response.tip_ui(|ui| {
        ui.set_max_width(480.0);
        if is_cut || finding.help.is_some() {
            ui.label(sentence(&finding.message));
        }
        if let Some(help) = &finding.help {
            ui.colored_label(cx.theme.text_weak, sentence(help));
        }
        for (number, text) in &located.excerpt {
            ui.label(RichText::new(format!("{number:>5}  {text}")).monospace().size(SMALL));
        }
        let keys = "Click or Enter: go there. Ctrl+.: fix. Delete: ignore";
        ui.label(cx.theme.caption(format!("{whole}  [{}]", finding.rule)).monospace());
        ui.label(cx.theme.caption(keys));
    });
    response.context_menu(|ui| items_ui(cx, ui, located));
    if response.clicked() {
        cx.send(Action::Problem(ProblemAction::GoTo(Box::new(finding.clone()))));
    }
    response.clicked()
}

/// The likeliest fix, in words where there is room for them.
fn fix_ui(cx: &Cx<'_>, ui: &mut Ui, fix: &Fix, is_wide: bool) {
    let tip = format!("{}; it can be undone (Ctrl+.)", fix.label);
    let button = if is_wide {
        let button = ui.add(egui::Button::new(shortened(&fix.label)).small());
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &fix.label));
        button
    } else {
        IconButton::new(icons::ICON_BUILD.codepoint, &fix.label).quiet().show(cx.theme, ui)
    };
    if button.tip(tip).clicked() {
        cx.send(Action::Problem(ProblemAction::Fix(Box::new(fix.clone()))));
    }
}

/// What is wrong, with the words of the files set apart. Returns whether there was no room for all of it.
fn message_ui(cx: &Cx<'_>, ui: &Ui, finding: &Finding, room: Rect) -> bool {
    let mut job = LayoutJob::default();
    let message = sentence(&finding.message);
    let mut put = |text: &str, color: Color32| put_words(cx.theme, &mut job, text, (BODY, color));
    put(&message, cx.theme.text);
    if let Some(help) = &finding.help {
        put(&format!(" — {help}"), cx.theme.text_weak);
    }
    job.wrap = TextWrapping::truncate_at_width(room.width().max(1.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let is_cut = galley.elided;
    ui.painter().galley(pos2(room.left(), room.center().y - galley.size().y / 2.0), galley, cx.theme.text);
    is_cut
}

/// Everything else that can be done about a problem.
fn more_ui(cx: &Cx<'_>, ui: &mut Ui, located: &LocatedProblem) {
    let finding = &located.problem.finding;
    let name = format!("More about {}", finding.message);
    let more = IconButton::new(icons::ICON_MORE_HORIZ.codepoint, &name).quiet().show(cx.theme, ui);
    egui::Popup::menu(&more).show(|ui| items_ui(cx, ui, located));
}

/// The same as items of a menu.
fn items_ui(cx: &Cx<'_>, ui: &mut Ui, located: &LocatedProblem) {
    let finding = &located.problem.finding;
    for fix in &located.problem.fixes {
        if ui.button(&fix.label).clicked() {
            cx.send(Action::Problem(ProblemAction::Fix(Box::new(fix.clone()))));
            ui.close();
        }
    }
    if !located.problem.fixes.is_empty() {
        fix_all_ui(cx, ui, &finding.rule);
        ui.separator();
    }
    if ui.button("Go to").tip("Show what this is about (Enter)").clicked() {
        cx.send(Action::Problem(ProblemAction::GoTo(Box::new(finding.clone()))));
        ui.close();
    }
    if ui.button("Copy").tip("This line, as the command line prints it (Ctrl+C)").clicked() {
        cx.send(Action::CopyText(line(located)));
        ui.close();
    }
    if ui.button("Ignore here").tip("Until the program is closed, and only this one (Delete)").clicked() {
        cx.send(Action::Problem(ProblemAction::Ignore(Box::new(finding.clone()))));
        ui.close();
    }
}

fn shortened(label: &str) -> String {
    const MOST: usize = 32;
    match label.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", label.get(..at).unwrap_or(label)),
        None => label.to_owned(),
    }
}
