//! The Problems pane: what is wrong, worst first, with the way there and the way out.

use egui::{Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

use crate::ui::widgets::Tip as _;
use crate::{
    model::Severity,
    ui::{
        Action, Command, Cx, LocatedProblem,
        theme::{ROW, SMALL},
        widgets::{at_right, command_button, empty_state, icon_text, matches, search_field},
    },
};

/// Show the Problems pane.
pub fn problems_ui(cx: &Cx<'_>, ui: &mut Ui) {
    if cx.problems.is_empty() {
        let icon = icons::ICON_CHECK_CIRCLE.codepoint;
        empty_state(cx.theme, ui, icon, "No problems", "What is wrong with the project's data shows here");
        return;
    }
    let query = ui
        .horizontal(|ui| {
            command_button(cx, ui, Command::FixSafe);
            command_button(cx, ui, Command::NextProblem);
            search_field(cx.theme, ui, Id::unique("problem search"), "Filter by rule, file or words")
        })
        .inner;
    let shown: Vec<&LocatedProblem> = cx.problems.iter().filter(|problem| matches(&query, &line(problem))).collect();
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, ROW, shown.len(), |ui, range| {
        for problem in &shown[range] {
            problem_ui(cx, ui, problem);
        }
    });
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

fn problem_ui(cx: &Cx<'_>, ui: &mut Ui, located: &LocatedProblem) {
    let finding = &located.problem.finding;
    ui.horizontal(|ui| {
        ui.set_min_height(ROW - 4.0);
        let icon = match finding.severity {
            Severity::Error => icons::ICON_ERROR,
            Severity::Warning => icons::ICON_WARNING,
            Severity::Hint => icons::ICON_LIGHTBULB,
        };
        let color = cx.theme.severity(finding.severity);
        ui.label(icon_text(icon.codepoint, 16.0).color(color)).tip(finding.severity.to_string());
        at_right(ui, |ui| {
            if ui.small_button("Go to").tip("Show what this is about").clicked() {
                cx.send(Action::GoTo(finding.location.clone()));
            }
            let copy = egui::Button::new(icon_text(icons::ICON_CONTENT_COPY.codepoint, 14.0)).frame(false);
            if ui.add(copy).tip("Copy").clicked() {
                cx.send(Action::CopyText(line(located)));
            }
            for fix in &located.problem.fixes {
                if ui.small_button(&fix.label).tip("Apply this fix; it can be undone").clicked() {
                    cx.send(Action::Edits { label: fix.label.clone(), edits: fix.edits.clone() });
                }
            }
            let place = format!("{}:{}:{}", finding.location.doc, located.line, located.column);
            ui.label(RichText::new(place).size(SMALL).monospace().color(cx.theme.text_weak));
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
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
            });
        });
    });
}
