//! The Problems pane: what is wrong, put together as asked for, with the way there and the ways out.
//!
//! Which problems are shown in which order is `check::list`'s; it is asked anew only when the question or the problems
//! change, and only the rows in view are laid out.

use std::{collections::BTreeSet, sync::Arc};

use egui::{Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use crate::{
    check::{Ask, Group, GroupBy, Line, List, list},
    model::{Finding, Severity},
    ui::{
        Action, Command, Cx, LocatedProblem, ProblemAction,
        theme::{GRID, ROW, SMALL},
        widgets::{Tip as _, at_right, command_button, empty_state, icon_button, icon_text, search_field},
    },
};

/// Rules that something can be mended of.
type Fixable = Arc<BTreeSet<String>>;

/// Show the Problems pane.
pub fn problems_ui(cx: &Cx<'_>, ui: &mut Ui) {
    if cx.problems.is_empty() {
        let icon = icons::ICON_CHECK_CIRCLE.codepoint;
        let how = "What is wrong with the project's data shows here";
        empty_state(cx.theme, ui, icon, "No problems", how);
        ui.vertical_centered(|ui| ignored_ui(cx, ui));
        return;
    }
    let id = Id::unique("problems");
    let mut ask = ui.data_mut(|data| data.get_temp::<Ask>(id)).unwrap_or_default();
    let (list, fixable) = listed(cx, ui, id, &ask);
    ui.horizontal(|ui| {
        command_button(cx, ui, Command::FixSafe);
        command_button(cx, ui, Command::NextProblem);
        ui.separator();
        severities_ui(cx, ui, &list, &mut ask);
        ui.separator();
        for (group, name) in [
            (GroupBy::Nothing, "List"),
            (GroupBy::Severity, "By severity"),
            (GroupBy::File, "By file"),
            (GroupBy::Rule, "By rule"),
        ] {
            if ui.selectable_label(ask.group == group, name).clicked() {
                ask.group = group;
            }
        }
        ignored_ui(cx, ui);
        ask.query = search_field(cx.theme, ui, Id::unique("problem search"), "Filter by rule, file or words");
    });
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, list.lines.len(), |ui, range| {
        for line in list.lines.get(range).unwrap_or_default() {
            match line {
                Line::Group(group) => group_ui(cx, ui, group, &fixable, &mut ask),
                Line::Problem(at) => {
                    if let Some(problem) = cx.problems.get(*at) {
                        problem_ui(cx, ui, problem, ask.group != GroupBy::Nothing);
                    }
                }
            }
        }
        if list.lines.is_empty() {
            ui.label(RichText::new("No problem fits the filter").color(cx.theme.text_weak));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, ask));
}

/// What is listed, and the rules that something can be mended of. Worked out again only when the problems are others (they are held here, so none can be taken for them).
fn listed(cx: &Cx<'_>, ui: &Ui, id: Id, ask: &Ask) -> (Arc<List>, Fixable) {
    type Kept = (Arc<Vec<LocatedProblem>>, Ask, Arc<List>, Fixable);
    let kept = ui.data(|data| data.get_temp::<Kept>(id.with("list")));
    if let Some((of, old_ask, list, fixable)) = kept
        && Arc::ptr_eq(&of, cx.problems)
        && old_ask == *ask
    {
        return (list, fixable);
    }
    let findings: Vec<&Finding> = cx.problems.iter().map(|located| &located.problem.finding).collect();
    let text = |at: usize| cx.problems.get(at).map(line).unwrap_or_default();
    let made = Arc::new(list(&findings, text, ask));
    let fixable = cx.problems.iter().filter(|located| located.problem.likeliest().is_some());
    let fixable: Fixable = Arc::new(fixable.map(|located| located.problem.finding.rule.to_string()).collect());
    let kept: Kept = (cx.problems.clone(), ask.clone(), made.clone(), fixable.clone());
    ui.data_mut(|data| data.insert_temp(id.with("list"), kept));
    (made, fixable)
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
    let n = cx.view.n_ignored_problems;
    if n > 0 && ui.small_button(format!("{n} ignored")).tip("Listen to them again").clicked() {
        cx.send(Action::Problem(ProblemAction::ListenAgain));
    }
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The problem as one line of text, as the command line prints it.
#[must_use]
pub fn line(located: &LocatedProblem) -> String {
    let finding = &located.problem.finding;
    let LocatedProblem { line, column, .. } = located;
    let help = finding.help.as_ref().map(|help| format!(" — {help}")).unwrap_or_default();
    let (severity, rule, doc) = (finding.severity, &finding.rule, &finding.location.doc);
    format!("{severity}[{rule}] {doc}:{line}:{column}: {}{help}", finding.message)
}

fn severity_icon(cx: &Cx<'_>, ui: &mut Ui, severity: Severity) {
    let icon = match severity {
        Severity::Error => icons::ICON_ERROR,
        Severity::Warning => icons::ICON_WARNING,
        Severity::Hint => icons::ICON_LIGHTBULB,
    };
    let color = cx.theme.severity(severity);
    ui.label(icon_text(icon.codepoint, 16.0).color(color)).tip(severity.to_string());
}

/// A group's heading: opens and closes it; of a rule, mends all.
fn group_ui(cx: &Cx<'_>, ui: &mut Ui, group: &Group, fixable: &BTreeSet<String>, ask: &mut Ask) {
    ui.horizontal(|ui| {
        ui.set_min_height(ROW - 4.0);
        let icon = if group.is_open { icons::ICON_EXPAND_MORE } else { icons::ICON_CHEVRON_RIGHT };
        let name = format!("{} {}", if group.is_open { "Close" } else { "Open" }, group.key);
        let mut is_clicked = icon_button(cx.theme, ui, icon.codepoint, &name, false, true).clicked();
        severity_icon(cx, ui, group.worst);
        let title = RichText::new(&group.key).strong().color(cx.theme.text_strong);
        is_clicked |= ui.add(egui::Label::new(title).sense(egui::Sense::click())).clicked();
        ui.label(RichText::new(group.n.to_string()).size(SMALL).color(cx.theme.text_weak));
        if is_clicked {
            if group.is_open {
                ask.closed.insert(group.key.clone());
            } else {
                ask.closed.remove(&group.key);
            }
        }
        if ask.group == GroupBy::Rule && fixable.contains(&group.key) {
            at_right(ui, |ui| fix_all_ui(cx, ui, &group.key));
        }
    });
}

fn fix_all_ui(cx: &Cx<'_>, ui: &mut Ui, rule: &str) {
    let tip = "Apply the likeliest fix of each problem of this rule, as one step that can be undone";
    if ui.small_button(format!("Fix all of {rule}")).tip(tip).clicked() {
        cx.send(Action::Problem(ProblemAction::FixAll(rule.into())));
        ui.close();
    }
}

fn problem_ui(cx: &Cx<'_>, ui: &mut Ui, located: &LocatedProblem, is_inside: bool) {
    let finding = &located.problem.finding;
    ui.push_id(finding_id(finding), |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(ROW - 4.0);
            if is_inside {
                ui.add_space(GRID * 6.0);
            }
            severity_icon(cx, ui, finding.severity);
            at_right(ui, |ui| {
                more_ui(cx, ui, located);
                if ui.small_button("Go to").tip("Show what this is about").clicked() {
                    cx.send(Action::GoTo(finding.location.clone()));
                }
                if icon_button(cx.theme, ui, icons::ICON_CONTENT_COPY.codepoint, "Copy problem", false, true)
                    .tip("Copy this line")
                    .clicked()
                {
                    cx.send(Action::CopyText(line(located)));
                }
                if let Some(fix) = located.problem.fixes.first() {
                    let button = egui::Button::new(shortened(&fix.label)).small();
                    if ui.add(button).tip(format!("{}; it can be undone", fix.label)).clicked() {
                        cx.send(Action::Edits { label: fix.label.clone(), edits: fix.edits.clone() });
                    }
                }
                let place = format!("{}:{}:{}", finding.location.doc, located.line, located.column);
                ui.label(RichText::new(place).size(SMALL).monospace().color(cx.theme.text_weak));
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| message_ui(cx, ui, finding));
            });
        });
    });
}

/// A row keeps what its menu remembers while others come and go above it.
fn finding_id(finding: &Finding) -> Id {
    Id::unique((&finding.rule, &finding.location, &finding.message))
}

fn message_ui(cx: &Cx<'_>, ui: &mut Ui, finding: &Finding) {
    let text = match &finding.help {
        Some(help) => format!("{} — {help}", finding.message),
        None => finding.message.clone(),
    };
    let label = egui::Label::new(RichText::new(&text).color(cx.theme.text)).truncate();
    let response = ui.add(label.sense(egui::Sense::click())).on_hover_ui(|ui| {
        ui.set_max_width(480.0);
        ui.label(&finding.message);
        if let Some(help) = &finding.help {
            ui.colored_label(cx.theme.text_weak, help);
        }
        ui.monospace(format!("[{}]", finding.rule));
    });
    if response.clicked() {
        cx.send(Action::GoTo(finding.location.clone()));
    }
}

/// Everything else that can be done about a problem.
fn more_ui(cx: &Cx<'_>, ui: &mut Ui, located: &LocatedProblem) {
    let finding = &located.problem.finding;
    let response = ui.menu_button(icon_text(icons::ICON_MORE_HORIZ.codepoint, 15.0), |ui| {
        for fix in &located.problem.fixes {
            if ui.button(&fix.label).clicked() {
                cx.send(Action::Edits { label: fix.label.clone(), edits: fix.edits.clone() });
                ui.close();
            }
        }
        if !located.problem.fixes.is_empty() {
            fix_all_ui(cx, ui, &finding.rule);
            ui.separator();
        }
        if ui.button("Ignore here").tip("Until the program is closed, and only this one").clicked() {
            cx.send(Action::Problem(ProblemAction::Ignore(Box::new(finding.clone()))));
            ui.close();
        }
    });
    let name = format!("More about {}", finding.message);
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.as_str()));
}

fn shortened(label: &str) -> String {
    const MOST: usize = 40;
    match label.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", label.get(..at).unwrap_or(label)),
        None => label.to_owned(),
    }
}
