//! A field's row: its provenance badge, its name with a mark where something is wrong, its editor by type, and the way
//! back to what is inherited.

use std::cell::OnceCell;

use egui::{Popup, PopupCloseBehavior, Response, RichText, Ui};
use egui_material_icons::icons;

use super::{Alike, Subject, Subjects, card, operation, parts::parts_ui, shape};
use crate::{
    defs::{Badge, ResolvedField},
    edit::{Edit, Phase},
    editor::{Action, LocatedProblem},
    explain::Column,
    model::{FieldPath, FieldSpec, FieldType, Name, OpKind, Typed, Value},
    refactor::{
        FieldOf, PartChange, cell_text, changed_alike, edits_for_drag, edits_for_value, inherited, is_taken_away,
        part_change_edits, part_changes, part_named,
    },
    ui::{
        Cx,
        theme::SMALL,
        widgets::{
            IconButton, Tip as _, at_right, badge, badge_name, card_beside, editor_in_row, keyed,
            number::{ValueChange, being_typed, typed_into, under},
            row_in_sight, squiggle,
            value::{is_tall, type_of, value_ui},
        },
    },
};

/// A field of what is shown.
pub(super) struct FieldView<'a> {
    /// Whose; never empty, and all have the field.
    pub subjects: &'a [Subject],
    /// The first of them, whose value is shown.
    pub first: &'a Subject,
    pub component: &'a Name,
    pub field: &'a Name,
    pub spec: &'a FieldSpec,
    pub is_declared: bool,
    pub value: &'a ResolvedField,
    pub badge: Badge,
    is_mixed: bool,
    /// `Component.field`
    pub full: String,
    /// What is searched for: only the parts that it means are shown.
    pub query: &'a str,
    /// Whether the shown definition removes it; used by several parts of a row.
    is_taken_away: OnceCell<bool>,
}

impl<'a> FieldView<'a> {
    pub(super) fn new(
        subjects: &'a Subjects,
        (component, field): (&'a Name, &'a Name),
        spec: &'a FieldSpec,
        value: &'a ResolvedField,
        is_declared: bool,
    ) -> Option<Self> {
        let first = subjects.all.first()?;
        let full = format!("{component}.{field}");
        let Alike { badge, is_mixed } = subjects.alike(component, field)?;
        Some(Self {
            subjects: &subjects.all,
            first,
            component,
            field,
            spec,
            is_declared,
            value,
            badge,
            is_mixed,
            full,
            query: "",
            is_taken_away: OnceCell::new(),
        })
    }

    pub(super) fn is_own(&self) -> bool {
        matches!(self.badge, Badge::Own | Badge::Instance)
    }

    /// The one that is shown, if it is the only one.
    pub(super) fn only(&self) -> Option<&'a Subject> {
        if self.subjects.len() == 1 { Some(self.first) } else { None }
    }

    /// The field as one of the subjects has it.
    pub(super) fn of(&self, subject: &'a Subject) -> FieldOf<'a> {
        FieldOf { owner: &subject.owner, component: self.component, field: self.field, ty: &self.spec.ty }
    }

    /// The type it is edited by.
    pub(super) fn ty(&self) -> FieldType {
        if self.is_declared { self.spec.ty.clone() } else { type_of(&self.value.value) }
    }

    /// Whether the one that is shown takes it away.
    fn is_taken_away(&self, cx: &Cx<'_>) -> bool {
        let is_so = |subject| is_taken_away(cx.before, self.of(subject), self.value);
        *self.is_taken_away.get_or_init(|| self.only().is_some_and(is_so))
    }

    /// Give the field a value, in each subject by the operations needed there.
    pub(super) fn send(&self, cx: &Cx<'_>, change: ValueChange<Value>) {
        let (new, phase) = change.into_parts();
        self.gesture(cx, self.edits(cx, &new), phase);
    }

    /// The edits that give the field a value. The operations of each subject differ, so each gets its own; and where
    /// they differ in more than what is changed, the rest of each stays.
    pub(super) fn edits(&self, cx: &Cx<'_>, new: &Value) -> Vec<Edit> {
        let edits = |subject: &'a Subject| {
            let now = subject.resolved.components.get(self.component)?.fields.get(self.field)?;
            let is_dragged = !std::ptr::eq(cx.before, cx.project);
            let is_one = !matches!(new, Value::List(_) | Value::Map(_) | Value::Struct(_));
            Some(if is_dragged && is_one {
                edits_for_drag(cx.before, self.of(subject), new)
            } else {
                edits_for_value(cx.before, self.of(subject), now, &changed_alike(&self.value.value, new, &now.value))
            })
        };
        self.subjects.iter().filter_map(edits).flatten().collect()
    }

    /// Do what was typed into one of its numbers to each of those that are selected, or else what was changed; and
    /// while it is being typed, show what each gets.
    pub(super) fn settle(&self, cx: &Cx<'_>, ui: &Ui, change: Option<ValueChange<Value>>) {
        let part = |name: &str| part_named(&self.full, &self.value.value, name);
        // One plain number for one owner is a change like any other.
        let is_meant =
            |typed: &Typed| self.only().is_none() || typed.is_pair() || matches!(typed, Typed::Operation(..));
        if let Some(typing) = being_typed(ui, |name| part(name).is_some())
            && let Some((path, component)) = part(&typing.name)
            && is_meant(&typing.typed)
        {
            let part_changes = self.part_changes(cx, path, component, &typing.typed);
            under(&typing.response, |ui| part_changes_ui(cx, ui, &part_changes, part_changes.len()));
        }
        let typed = typed_into(ui, |name| part(name).is_some()).filter(|(_, typed)| is_meant(typed));
        if let Some((name, typed)) = typed
            && let Some((path, component)) = part(&name)
        {
            let part_changes = self.part_changes(cx, path, component, &typed);
            if let Some(why) = part_changes.iter().find_map(|it| it.after.as_ref().err()) {
                cx.send(Action::Notice(format!("{name} stays as it is: {why}")));
            } else {
                let n_rounded = part_changes.iter().filter(|it| matches!(it.after, Ok((_, false)))).count();
                if n_rounded > 0 {
                    cx.send(Action::Notice(format!("{name}: {n_rounded} rounded to whole numbers")));
                }
                let edits = part_change_edits(cx.before, cx.derived.builtin(), cx.resolution, part_changes);
                self.gesture(cx, edits, Phase::Commit);
            }
        } else if let Some(change) = change {
            self.send(cx, change);
        }
    }

    fn part_changes(&self, cx: &Cx<'_>, inner: FieldPath, component: Option<usize>, typed: &Typed) -> Vec<PartChange> {
        let column = Column { inner, ..Column::new(self.component, self.field) };
        let subjects = self.subjects.iter().map(|it| (&it.owner, &*it.resolved));
        part_changes(&cx.resolution.schema, subjects, &column, component, typed)
    }

    /// A drag of these edits; a commit without any ends it as it is.
    pub(super) fn gesture(&self, cx: &Cx<'_>, edits: Vec<Edit>, phase: Phase) {
        if !(edits.is_empty() && phase == Phase::Preview) {
            cx.send(Action::Gesture { label: format!("Set {}", self.full), edits, phase });
        }
    }

    /// Say nothing of it any more.
    pub(super) fn reset(&self, cx: &Cx<'_>) {
        let clear = |it: &Subject| Edit::clear(it.owner.clone(), self.component, self.field);
        let edits = self.subjects.iter().map(clear).collect();
        cx.send(Action::Edits { label: format!("{} {}", self.way_back(cx), self.full), edits });
    }

    /// What saying nothing of it any more does.
    pub(super) fn way_back(&self, cx: &Cx<'_>) -> &'static str {
        match inherited(self.value, &self.first.owner) {
            _ if self.is_taken_away(cx) => "Restore",
            Some(_) => "Reset",
            None => "Remove",
        }
    }

    /// What is wrong with it, worst first.
    pub(super) fn problems<'s>(&self, cx: &'s Cx<'_>) -> Vec<&'s LocatedProblem> {
        let Some(subject) = self.only() else { return Vec::new() };
        let doc = subject.owner.doc();
        let mut found: Vec<&LocatedProblem> = Vec::new();
        for op in OpKind::VALUED {
            let path = subject.base.key(op.key()).key(self.component).key(self.field);
            found.extend(cx.derived.problems_at(doc, &path));
        }
        found.sort_by_key(|it| std::cmp::Reverse(it.problem.finding.severity));
        found
    }
}

/// Panes narrower than this, in points, show what is wide under its name.
const NARROW: f32 = 240.0;

/// Show a field.
pub(super) fn field_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    let ty = view.ty();
    let is_wide = matches!(ty, FieldType::Vec2 | FieldType::Color)
        || ty.is_reference()
        || operation::has_operations(view, &FieldPath::root());
    let is_tall = is_tall(&ty)
        || view.spec.lines
        || ui.available_width() < NARROW && (is_wide || label_width(ui, view.field) > column_of(ui) - MARK / 2.0);
    row_in_sight(ui, ui.scope_id().with(&view.full), |ui| {
        ui.horizontal(|ui| {
            let left = ui.cursor().left();
            let mark = badge(cx.theme, ui, view.badge, &format!("{} is {}", view.full, badge_name(view.badge)));
            let is_narrow = ui.available_width() < CRAMPED;
            let column = column_of(ui);
            let room = if is_tall { ui.available_width() - 60.0 } else { column };
            let label = label_ui(cx, ui, view, room);
            let shown = [&mark, &label].map(|response| {
                card_beside(ui, response, |ui| card::card_ui(cx, ui, view, false));
                response.context_menu(|ui| card::card_ui(cx, ui, view, true))
            });
            drop(shown);
            let popup = Popup::from_toggle_button_response(&mark).width(440.0);
            popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| card::card_ui(cx, ui, view, true));
            if !is_tall {
                ui.add_space((left + column + 24.0 - ui.cursor().left()).max(0.0));
            }
            if view.is_mixed {
                mixed_ui(cx, ui, view, is_narrow);
            }
            at_right(ui, |ui| {
                if view.is_own() {
                    let reset = format!("{} {}", view.way_back(cx), view.full);
                    let button = IconButton::new(icons::ICON_UNDO.codepoint, &reset).in_row().show(cx.theme, ui);
                    if button.tip_ui(|ui| reset_tip_ui(cx, ui, view)).clicked() {
                        view.reset(cx);
                    }
                } else if !is_narrow {
                    ui.add_space(30.0);
                }
                if !is_tall {
                    editor_in_row(ui, |ui| {
                        if view.is_taken_away(cx) {
                            ui.label(cx.theme.caption("removed"));
                            ui.visuals_mut().override_text_color = Some(cx.theme.text_weak);
                        }
                        let change = keyed(ui, "value", |ui| line_ui(cx, ui, view));
                        view.settle(cx, ui, change);
                    });
                }
            });
        });
        if is_tall {
            ui.indent("value", |ui| keyed(ui, "editor", |ui| tall_ui(cx, ui, view, &ty)));
        }
    });
}

/// Room for the mark before a field's name, in points.
const MARK: f32 = 20.0;

/// How wide the column of names is.
fn column_of(ui: &Ui) -> f32 {
    (ui.available_width() * 0.4).clamp(64.0, 150.0)
}

/// How wide a field's name is where nothing of it is cut.
fn label_width(ui: &Ui, name: &str) -> f32 {
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().layout_no_wrap(name.to_owned(), font, egui::Color32::PLACEHOLDER).size().x
}

/// Below this width values need all the room there is.
const CRAMPED: f32 = 220.0;

/// That several differ, and in what.
fn mixed_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, is_narrow: bool) {
    const MOST: usize = 12;
    let text = if is_narrow { "≠" } else { "mixed" };
    let label = ui.label(RichText::new(text).size(SMALL).color(cx.theme.warning));
    label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, "mixed"));
    label.tip_ui(|ui| {
        ui.label("The selected differ here. A value makes them the same; ×2, +10 or 50% changes each");
        egui::Grid::new("mixed").num_columns(2).spacing([10.0, 2.0]).show(ui, |ui| {
            for subject in view.subjects.iter().take(MOST) {
                let value = subject.resolved.get(view.component, view.field);
                ui.label(&**subject.owner.name());
                ui.monospace(value.map_or_else(String::new, card::short));
                ui.end_row();
            }
        });
        if let Some(n) = view.subjects.len().checked_sub(MOST).filter(|n| *n > 0) {
            ui.label(cx.theme.caption(format!("and {n} more")));
        }
    });
}

/// The editor of the whole value, by its type.
pub(super) fn plain_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) -> Option<ValueChange<Value>> {
    value_ui(cx, ui, &view.full, view.spec, &view.value.value)
}

/// The editor of a value that takes one line, after the declared operation.
fn line_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) -> Option<ValueChange<Value>> {
    let whole = (&FieldPath::root(), &*view.full);
    operation::operation_ui(cx, ui, view, whole, view.spec, &view.value.value)
}

fn tall_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, ty: &FieldType) {
    let change = match ty {
        FieldType::Shape => {
            shape::canvas_ui(cx, ui, view);
            plain_ui(cx, ui, view)
        }
        FieldType::List(_) | FieldType::Struct(_) | FieldType::Map(_) => {
            parts_ui(cx, ui, view, (&FieldPath::root(), &view.full), ty, &view.value.value)
        }
        _ => ui.horizontal(|ui| line_ui(cx, ui, view)).inner,
    };
    view.settle(cx, ui, change);
}

/// How many results of what is typed are shown.
pub(in crate::ui::panels) const MOST_PART_CHANGES: usize = 8;

/// What each of those that are selected gets by what is being typed.
pub(in crate::ui::panels) fn part_changes_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    part_changes: &[PartChange],
    n: usize,
) -> Response {
    ui.spacing_mut().item_spacing.y = 1.0;
    let shown = part_changes.iter().take(MOST_PART_CHANGES);
    let more = n.saturating_sub(shown.len());
    for it in shown {
        let before = cell_text(&it.before);
        let text = match &it.after {
            Ok((after, true)) => format!("{before} → {}", cell_text(after)),
            Ok((after, false)) => format!("{before} → {}, rounded", cell_text(after)),
            Err(why) => why.clone(),
        };
        let color = if it.after.is_ok() { cx.theme.text } else { cx.theme.error };
        ui.horizontal(|ui| {
            if n > 1 {
                ui.label(cx.theme.caption(&**it.at.owner.name()));
            }
            ui.colored_label(color, text);
        });
    }
    let text = if more > 0 { format!("and {more} more") } else { String::new() };
    ui.label(cx.theme.caption(text))
}

/// The field's name, underlined where something is wrong.
fn label_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>, room: f32) -> Response {
    let ink = match (view.is_declared, view.badge) {
        (false, _) => cx.theme.warning,
        (true, Badge::Own | Badge::Instance) => cx.theme.text_strong,
        (true, _) => cx.theme.text,
    };
    let text = RichText::new(&**view.field).color(ink);
    let text = if view.is_taken_away(cx) { text.strikethrough().color(cx.theme.text_weak) } else { text };
    // Pointed at and pressed, but Tab goes from value to value.
    let text = egui::Label::new(text).truncate().sense(egui::Sense::CLICK);
    let room = egui::vec2(room, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let label = ui.allocate_ui_with_layout(room, layout, |ui| ui.add(text)).inner;
    if let Some(worst) = view.problems(cx).first() {
        let finding = &worst.problem.finding;
        label.widget_info(|| {
            let text = format!("{}: {}: {}", view.full, finding.severity, finding.message);
            egui::WidgetInfo::labeled(egui::Role::Label, true, text)
        });
        squiggle(ui, label.rect, cx.theme.severity(finding.severity));
    }
    label
}

/// The value after a reset: that before the owner's own operations.
fn reset_tip_ui(cx: &Cx<'_>, ui: &mut Ui, view: &FieldView<'_>) {
    match inherited(view.value, &view.first.owner) {
        Some(value) => {
            let who = view
                .value
                .provenance
                .iter()
                .rev()
                .find(|applied| !crate::refactor::is_by(&view.first.owner, &applied.by));
            let who = who.map(|applied| card::by(&applied.by)).unwrap_or_default();
            let removed = if view.is_taken_away(cx) { "Removed here. " } else { "" };
            ui.label(format!("{removed}Back to {} {who}", card::short(value)))
        }
        None => ui.label("Remove it: no other definition declares it"),
    };
}
