//! The Machine pane: a state machine as boxes and arrows, with the running entity's states lit.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    pos2, vec2,
};
use egui_material_icons::icons;

use super::machine_carry::{Carry, carry_ui};
use crate::ui::widgets::Tip as _;
use crate::{
    edit::{Edit, Phase, free_name, state_at},
    editor::{Action, Camera, Command, ConnectAction, Selection, Unfinished, ViewChange},
    model::{DocPath, FieldPath, Location, Machine, MachinesFile, Name, State},
    refactor::{NameKind, Named, Request},
    ui::{
        Cx, MachineCx,
        canvas::{
            camera::{OnScreen as _, center_of},
            graph::{Arrow, Graph, HEADER, StateBox, point, snapped},
            navigate,
            paint::Viewport,
        },
        theme::{BODY, SMALL},
        widgets::{IconButton, command_button, empty_state, icon_font, value::pick_ui},
    },
};

/// The smallest text that can be read, in points.
const LEAST: f32 = 9.0;

/// What a drag over the graph is about.
#[derive(Clone, Debug)]
enum Drag {
    /// Moving a state.
    Move {
        /// Its path.
        path: Name,
        /// Where the pointer went down, in the graph.
        origin: Pos2,
        /// The graph as the drag began: what is dragged over is decided by that, since boxes grow with what is in them.
        graph: Arc<Graph>,
    },
    /// Drawing a transition from a state.
    Connect(Name),
}

/// Show the Machine pane.
pub fn machine_ui(cx: &MachineCx<'_>, ui: &mut Ui) {
    let shown = cx.view.machine.as_ref();
    let machine = shown.and_then(|(doc, name)| Some((doc, name, cx.project.machine(doc, name)?)));
    bar_ui(cx, ui);
    let Some((doc, name, machine)) = machine else {
        let (icon, how) = (icons::ICON_ACCOUNT_TREE.codepoint, "Choose one above or in the Project pane");
        empty_state(cx.theme, ui, icon, "No machine is open", how);
        return;
    };
    let Some(graph) = cx.graph else {
        ui.centered_and_justified(egui::Ui::spinner);
        return;
    };
    let (view, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, format!("Machine canvas {name}")));
    let known = cx.view.machine_camera;
    let fitting = || {
        let camera = Camera::fitting(graph.bounds().expand(24.0), view);
        camera.scaled(camera.scale.min(1.25))
    };
    let camera = known.unwrap_or_else(fitting);
    let moved = navigate::navigated(ui, &response, view, camera, true);
    if known != Some(moved) {
        cx.send(Action::View(ViewChange::MachineCamera(Some(moved))));
    }
    let viewport = Viewport { view, camera: moved };
    let painter = ui.painter().with_clip_rect(view);
    painter.rect_filled(view, CornerRadius::ZERO, cx.theme.canvas);
    dots_ui(cx, &painter, &viewport);
    let drag = pointer_ui(cx, ui, &viewport, &response, doc, name, machine, graph);
    let lit = lit_states(cx, name);
    for state in &graph.boxes {
        let is_selected = is_selected(cx, doc, name, &state.path, None);
        box_ui(cx, &painter, &viewport, state, is_selected, lit.as_ref().and_then(|lit| lit.strength(&state.path)));
    }
    for arrow in &graph.arrows {
        let is_selected = is_selected(cx, doc, name, &arrow.owner, Some(arrow.index));
        arrow_ui(cx, &painter, &viewport, arrow, is_selected);
    }
    for state in &graph.boxes {
        far_title_ui(cx, &painter, &viewport, state);
    }
    unfinished_ui(cx, ui, &painter, &viewport, doc, name, graph);
    let pointer = response.interact_pointer_pos();
    if let (Some(drag), Some(pointer)) = (&drag, pointer) {
        match drag {
            Drag::Connect(from) => {
                if let Some(from) = graph.find(from) {
                    let start = viewport.screen(graph.boxes[from].rect.right_center());
                    dashed(&painter, &[start, pointer], Stroke::new(2.0, cx.theme.accent));
                    tip_ui(&painter, pointer, pointer - start, 1.0, cx.theme.accent);
                }
            }
            Drag::Move { path, origin, graph } => {
                if let Some(carry) = Carry::of(graph, path, *origin, viewport.world(pointer)) {
                    carry_ui(cx, &painter, &viewport, machine, graph, &carry);
                }
            }
        }
    }
    if graph.boxes.is_empty() {
        let at = view.center();
        let font = FontId::proportional(BODY);
        painter.text(at, Align2::CENTER_CENTER, "Double click to add a state", font, cx.theme.text_weak);
    }
    legend_ui(cx, &painter, view, lit.as_ref());
}

/// Transitions that were drawn and have no trigger yet: dashed, with a mark to click on.
fn unfinished_ui(
    cx: &Cx<'_>,
    ui: &Ui,
    painter: &Painter,
    viewport: &Viewport,
    doc: &DocPath,
    name: &Name,
    graph: &Graph,
) {
    for it in cx.view.unfinished_in(cx.project).filter(|it| it.doc == *doc && it.machine == *name) {
        let Some(curve) = graph.straight(&it.from, &it.to) else { continue };
        let along: Vec<Pos2> = (0..=32).map(|i| viewport.screen(point(&curve, i as f32 / 32.0))).collect();
        dashed(painter, &along, Stroke::new(2.0, cx.theme.warning));
        let end = along[along.len() - 1];
        tip_ui(painter, end, end - along[along.len() - 3], 1.0, cx.theme.warning);
        let middle = along[along.len() / 2];
        let mark = Rect::from_center_size(middle, Vec2::splat(22.0));
        painter.circle(mark.center(), 11.0, cx.theme.panel, Stroke::new(1.5, cx.theme.warning));
        let icon = icons::ICON_QUESTION_MARK.codepoint;
        painter.text(mark.center(), Align2::CENTER_CENTER, icon, icon_font(14.0), cx.theme.warning);
        let text = format!("Unfinished transition from {} to {}", it.from, it.to);
        let sensed = ui.interact(mark, ui.scope_id().with(("unfinished", &it.from, &it.to)), Sense::click());
        sensed.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &text));
        if sensed.tip(format!("{text}: choose its trigger in the Inspector")).clicked() {
            let (doc, name, state) = (doc.clone(), name.clone(), it.from.clone());
            cx.send(Action::Select(Selection::Machine { doc, name, state, transition: None }));
            cx.send(Action::ShowPane(crate::editor::Pane::Inspector));
        }
    }
}

fn dashed(painter: &Painter, along: &[Pos2], stroke: Stroke) {
    painter.extend(Shape::dashed_line(along, stroke, 7.0, 5.0));
}

fn bar_ui(cx: &MachineCx<'_>, ui: &mut Ui) {
    ui.horizontal(|ui| {
        let shown = cx.view.machine.as_ref();
        let current = shown.map(|(_, name)| name.to_string()).unwrap_or_default();
        if let Some(picked) = pick_ui(cx, ui, "Machine", &current, cx.resolution.machines.keys())
            && let Some(doc) = cx.resolution.machines.get(&picked)
        {
            cx.send(Action::OpenMachine { doc: doc.clone(), name: picked });
        }
        let button =
            |ui: &mut Ui, icon: &str, tip: &str| IconButton::new(icon, tip).show(cx.theme, ui).tip(tip).clicked();
        if let Some((doc, name)) = shown
            && let Some(machine) = cx.project.machine(doc, name)
        {
            if button(ui, icons::ICON_ADD_BOX.codepoint, "Add state") {
                let at = cx.view.machine_camera.as_ref().map_or(Pos2::ZERO, center_of);
                add_state(cx, doc, name, machine, "", at);
            }
            if button(ui, icons::ICON_PUBLIC.codepoint, "Select the global section") {
                let (doc, name) = (doc.clone(), name.clone());
                cx.send(Action::Select(Selection::Machine { doc, name, state: "".into(), transition: None }));
            }
            if button(ui, icons::ICON_FIT_SCREEN.codepoint, "Show whole machine") {
                cx.send(Action::View(ViewChange::MachineCamera(None)));
            }
            command_button(cx, ui, Command::LayOutMachine);
            ui.separator();
        }
        let Some((doc, name)) = shown else { return };
        if button(ui, icons::ICON_NOTE_ADD.codepoint, "New machine beside this one…") {
            cx.send(new_machine(cx));
        }
        if button(ui, icons::ICON_EDIT.codepoint, "Rename machine…") {
            let what = Named::new(NameKind::Machine, name.clone());
            cx.send(Action::Refactor(Request::Rename { what, to: name.to_string() }));
        }
        if button(ui, icons::ICON_CONTROL_POINT_DUPLICATE.codepoint, "Duplicate machine…") {
            cx.send(Action::Refactor(duplicate_machine(cx, name)));
        }
        if button(ui, icons::ICON_DELETE.codepoint, "Delete machine…") {
            cx.send(Action::Refactor(Request::DeleteMachine { name: name.clone() }));
        }
        let file = cx.theme.caption(doc.as_str()).monospace();
        ui.add(egui::Label::new(file).truncate());
    });
}

/// Ask for the name and the file of a new machine: beside the one shown, else in the first file there is, else in a new
/// one.
pub(super) fn new_machine(cx: &Cx<'_>) -> Action {
    let shown = cx.view.machine.as_ref().map(|(doc, _)| doc.clone());
    let first = || cx.project.all::<MachinesFile>().map(|(doc, _)| doc.clone()).next();
    let name = free_name("machine", |name| cx.resolution.machines.contains_key(name));
    Action::Refactor(Request::NewMachine { name, file: shown.or_else(first) })
}

fn duplicate_machine(cx: &Cx<'_>, name: &Name) -> Request {
    let to = free_name(name, |name| cx.resolution.machines.contains_key(name));
    Request::DuplicateMachine { name: name.clone(), to: to.to_string() }
}

fn is_selected(cx: &Cx<'_>, doc: &DocPath, name: &Name, path: &Name, index: Option<usize>) -> bool {
    matches!(cx.selection, Selection::Machine { doc: d, name: n, state, transition }
        if d == doc && n == name && state == path && *transition == index)
}

fn add_state(cx: &MachineCx<'_>, doc: &DocPath, machine_name: &Name, machine: &Machine, parent: &str, at: Pos2) {
    let Some(state) = machine.state(parent) else { return };
    let name = free_name("State", |name| state.states.contains_key(name));
    let at = [f64::from(at.x.round()), f64::from(at.y.round())];
    let path: Name = if parent.is_empty() { name.clone() } else { format!("{parent}/{name}").into() };
    let mut edits = stay(cx, doc, machine_name, machine, parent);
    edits.push(Edit::PasteState {
        doc: doc.clone(),
        machine: machine_name.clone(),
        parent: parent.into(),
        name,
        state: State::default(),
        layout: vec![("".into(), at)],
    });
    if state.states.is_empty() {
        let initial: Option<Name> = Some(path.rsplit('/').next().unwrap_or(&path).into());
        edits.push(Edit::set_at(doc, state_at(machine_name, parent).key("initial"), &initial));
    }
    cx.send(Action::Edits { label: "Add a state".into(), edits });
    let name = machine_name.clone();
    cx.send(Action::Select(Selection::Machine { doc: doc.clone(), name, state: path, transition: None }));
}

/// Store where the states of a compound are shown, if that is not stored yet: they are to stay there when one of them
/// is placed.
fn stay(cx: &MachineCx<'_>, doc: &DocPath, name: &Name, machine: &Machine, parent: &str) -> Vec<Edit> {
    let places = cx.graph.map(|graph| graph.unstored(machine, parent)).unwrap_or_default();
    let edit = Edit::MoveStates { doc: doc.clone(), machine: name.clone(), places: places.clone() };
    if places.is_empty() { Vec::new() } else { vec![edit] }
}

/// The handle at a state's right edge from which transitions are drawn.
fn handle(state: &StateBox) -> Pos2 {
    state.rect.right_center()
}

#[expect(clippy::too_many_arguments, reason = "the pointer meets everything there is")]
fn pointer_ui(
    cx: &MachineCx<'_>,
    ui: &mut Ui,
    viewport: &Viewport,
    response: &Response,
    doc: &DocPath,
    name: &Name,
    machine: &Machine,
    graph: &Arc<Graph>,
) -> Option<Drag> {
    let id = response.id.with("drag");
    let mut drag: Option<Drag> = ui.data(|data| data.get_temp(id));
    let select = |state: &Name, transition: Option<usize>| {
        let (doc, name, state) = (doc.clone(), name.clone(), state.clone());
        cx.send(Action::Select(Selection::Machine { doc, name, state, transition }));
        cx.send(Action::ShowPane(crate::editor::Pane::Inspector));
    };
    let grip = 9.0 / viewport.camera.scale;
    let at = response.interact_pointer_pos().or_else(|| response.hover_pos()).map(|at| viewport.world(at));
    if let (Some(at), true) =
        (at, response.drag_started_by(egui::PointerButton::Primary) && !navigate::is_panning(ui, true))
    {
        let origin = ui.input(|input| input.pointer.press_origin()).map_or(at, |origin| viewport.world(origin));
        let on_handle = graph.boxes.iter().rev().find(|it| (handle(it) - origin).length() <= grip);
        drag = match (on_handle, graph.box_at(origin)) {
            (Some(from), _) => Some(Drag::Connect(from.path.clone())),
            (None, Some(i)) => Some(Drag::Move { path: graph.boxes[i].path.clone(), origin, graph: Arc::clone(graph) }),
            (None, None) => None,
        };
        if let Some(Drag::Move { path, .. }) = &drag {
            select(path, None);
        }
    }
    if drag.is_some() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        drag = None;
        cx.send(Action::Gesture { label: String::new(), edits: Vec::new(), phase: Phase::Cancel });
    }
    let phase = if response.drag_stopped() { Phase::Commit } else { Phase::Preview };
    if let (Some(Drag::Move { path, origin, graph: first }), Some(at), true) =
        (&drag, at, response.dragged() || response.drag_stopped())
    {
        // Edits of a drag are made to the machine as it was before.
        let before = cx.before.machine(doc, name).map_or(machine, |it| &**it);
        let label = format!("Move {path}");
        match Carry::of(first, path, *origin, at) {
            Some(carry) if phase == Phase::Commit => {
                cx.send(Action::Gesture { label: String::new(), edits: Vec::new(), phase: Phase::Cancel });
                if let Some(obstacle) = carry.obstacle(first, before) {
                    cx.send(Action::Notice(obstacle));
                } else {
                    let (edits, to) = carry.edits(first, doc, name, before);
                    let parent = carry.parent(first);
                    let into = if parent.is_empty() { "to the top".to_owned() } else { format!("into {parent}") };
                    cx.send(Action::Edits { label: format!("Move {path} {into}"), edits });
                    select(&to, None);
                }
            }
            // It is drawn where it would go; until then it is where it was.
            Some(_) => cx.send(Action::Gesture { label, edits: Vec::new(), phase }),
            None => {
                if let Some(own) = first.find(path) {
                    let to = snapped(first.in_parent(own) + (at - *origin));
                    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                    let mut places = first.unstored(before, parent);
                    places.retain(|(other, _)| other != path);
                    places.push((path.clone(), [f64::from(to.x), f64::from(to.y)]));
                    let edit = Edit::MoveStates { doc: doc.clone(), machine: name.clone(), places };
                    cx.send(Action::Gesture { label, edits: vec![edit], phase });
                }
            }
        }
    }
    if let (Some(Drag::Connect(from)), true, Some(at)) = (&drag, response.drag_stopped(), at)
        && let Some(to) = graph.box_at(at)
    {
        let to = graph.boxes[to].path.clone();
        let it = Unfinished { doc: doc.clone(), machine: name.clone(), from: from.clone(), to };
        cx.send(Action::Connect(ConnectAction::Begin(it)));
    }
    if response.drag_stopped() || !ui.input(|input| input.pointer.any_down()) {
        drag = None;
    }
    match &drag {
        Some(drag) => {
            ui.data_mut(|data| data.insert_temp(id, drag.clone()));
        }
        None => {
            ui.data_mut(|data| data.remove::<Drag>(id));
        }
    }
    if let (true, Some(at)) = (response.clicked(), at) {
        let arrow = graph.arrow_at(at, 7.0 / viewport.camera.scale);
        match (arrow, graph.box_at(at)) {
            (Some(i), _) => select(&graph.arrows[i].owner, Some(graph.arrows[i].index)),
            (None, Some(i)) => select(&graph.boxes[i].path, None),
            (None, None) => select(&"".into(), None),
        }
    }
    if let (true, Some(at)) = (response.double_clicked(), at) {
        match graph.box_at(at) {
            Some(i) if !graph.boxes[i].is_composite || at.y < graph.boxes[i].rect.top() + HEADER => {
                cx.command(Command::Rename);
            }
            Some(i) => {
                add_state(cx, doc, name, machine, &graph.boxes[i].path, (at - graph.boxes[i].rect.min).to_pos2());
            }
            None => add_state(cx, doc, name, machine, "", at),
        }
    }
    menu_ui(cx, ui, response, viewport, doc, name, machine, graph);
    if let (Some(at), None) = (at, &drag) {
        let over = graph.boxes.iter().any(|it| (handle(it) - at).length() <= grip);
        if over {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
        }
    }
    drag
}

#[expect(clippy::too_many_arguments, reason = "a menu is about what was under the pointer")]
fn menu_ui(
    cx: &MachineCx<'_>,
    ui: &Ui,
    response: &Response,
    viewport: &Viewport,
    doc: &DocPath,
    name: &Name,
    machine: &Machine,
    graph: &Graph,
) {
    let id = response.id.with("menu at");
    if response.secondary_clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        ui.data_mut(|data| data.insert_temp(id, viewport.world(at)));
    }
    response.context_menu(|ui| {
        let Some(at) = ui.data(|data| data.get_temp::<Pos2>(id)) else { return };
        let under = graph.box_at(at).map(|i| &graph.boxes[i]);
        if let Some(arrow) = graph.arrow_at(at, 7.0 / viewport.camera.scale).map(|i| &graph.arrows[i]) {
            if ui.button("Delete transition").clicked() {
                let at = state_at(name, &arrow.owner).key("transitions").index(arrow.index);
                cx.send(Action::Edit(Edit::Remove { doc: doc.clone(), at }));
                ui.close();
            }
            return;
        }
        let parent: Name = under.map_or_else(|| "".into(), |state| state.path.clone());
        let origin = under.map_or(Pos2::ZERO, |state| state.rect.min);
        let text = under.map_or("Add state here".to_owned(), |state| format!("Add state inside {}", state.name));
        if ui.button(text).clicked() {
            add_state(cx, doc, name, machine, &parent, (at - origin).to_pos2());
            ui.close();
        }
        let Some(state) = under else { return };
        let owner: Name = state.path.rsplit_once('/').map_or_else(|| "".into(), |(parent, _)| parent.into());
        if ui.add_enabled(!state.is_initial, egui::Button::new("Make initial")).clicked() {
            let initial = Some(Name::from(&*state.name));
            cx.send(Action::Edit(Edit::set_at(doc, state_at(name, &owner).key("initial"), &initial)));
            ui.close();
        }
        let select =
            Selection::Machine { doc: doc.clone(), name: name.clone(), state: state.path.clone(), transition: None };
        if ui.button("Rename…").clicked() {
            cx.send(Action::Select(select));
            cx.command(Command::Rename);
            ui.close();
        }
        if ui.button("Delete").clicked() {
            cx.send(Action::Edit(Edit::RemoveState {
                doc: doc.clone(),
                machine: name.clone(),
                state: state.path.clone(),
            }));
            ui.close();
        }
        if ui.button("Go to file").clicked() {
            cx.send(Action::GoTo(Location::new(doc.clone(), FieldPath::keys([name]))));
            ui.close();
        }
    });
}

/// States of one running entity.
struct Lit {
    id: Name,
    path: String,
}

impl Lit {
    /// 1 for the innermost active state, less for those around it.
    fn strength(&self, path: &str) -> Option<f32> {
        if self.path == path {
            return Some(1.0);
        }
        self.path.strip_prefix(path).filter(|rest| rest.starts_with('/')).map(|_| 0.45)
    }
}

/// The entity whose states are lit: the selected one if it runs this machine, else the first that does.
fn lit_states(cx: &Cx<'_>, name: &Name) -> Option<Lit> {
    let preview = cx.preview?;
    let selected = cx.selection.ids_in(&preview.level);
    let watched = cx.view.watch.as_ref();
    let runs = preview.session.world().entities().filter(|entity| entity.alive).filter_map(|entity| {
        let machine = entity.machines.iter().find(|machine| machine.name == name)?;
        let rank = u8::from(!(selected.contains(entity.id) || watched == Some(entity.id)));
        Some((rank, Lit { id: entity.id.clone(), path: machine.state.to_owned() }))
    });
    runs.min_by_key(|(rank, _)| *rank).map(|(_, lit)| lit)
}

fn legend_ui(cx: &Cx<'_>, painter: &Painter, view: Rect, lit: Option<&Lit>) {
    let text = match lit {
        Some(lit) => format!("{} is in {}", lit.id, if lit.path.is_empty() { "no state" } else { &lit.path }),
        None => "Drag from a state's right edge to another to connect them; double click to add".to_owned(),
    };
    let color = if lit.is_some() { cx.theme.good } else { cx.theme.text_weak };
    painter.text(view.left_bottom() + vec2(8.0, -6.0), Align2::LEFT_BOTTOM, text, FontId::proportional(SMALL), color);
}

fn dots_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport) {
    let step = 32.0;
    if step * viewport.camera.scale < 12.0 {
        return;
    }
    let shown = viewport.camera.visible(viewport.view);
    let mut y = (shown.top() / step).floor() * step;
    while y <= shown.bottom() {
        let mut x = (shown.left() / step).floor() * step;
        while x <= shown.right() {
            painter.circle_filled(viewport.screen(pos2(x, y)), 1.0, cx.theme.line);
            x += step;
        }
        y += step;
    }
}

fn box_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, state: &StateBox, is_selected: bool, lit: Option<f32>) {
    let scale = viewport.camera.scale;
    let rect = viewport.rect(state.rect);
    if !rect.intersects(viewport.view) {
        return;
    }
    let corner = CornerRadius::same((8.0 * scale).clamp(2.0, 12.0) as u8);
    let ground = if state.is_composite { cx.theme.panel.gamma_multiply(0.75) } else { cx.theme.widget };
    painter.rect_filled(rect, corner, ground);
    if let Some(strength) = lit {
        painter.rect_filled(rect, corner, cx.theme.good.gamma_multiply(0.22 * strength));
        for grow in 1..4 {
            let glow = cx.theme.good.gamma_multiply(0.16 * strength);
            painter.rect_stroke(rect.expand(grow as f32 * 1.5), corner, Stroke::new(2.0, glow), StrokeKind::Outside);
        }
    }
    let line = match (is_selected, lit) {
        (true, _) => Stroke::new(2.0, cx.theme.accent),
        (false, Some(_)) => Stroke::new(1.5, cx.theme.good),
        (false, None) => Stroke::new(1.0, cx.theme.line),
    };
    painter.rect_stroke(rect, corner, line, StrokeKind::Inside);
    if BODY * scale < LEAST {
        return;
    }
    let font = FontId::proportional(BODY * scale.min(1.6));
    let mut left = rect.left() + 12.0 * scale;
    if state.is_initial {
        let at = pos2(left + 5.0 * scale, rect.top() + 15.0 * scale);
        painter.text(
            at,
            Align2::CENTER_CENTER,
            icons::ICON_LINE_START.codepoint,
            icon_font(14.0 * scale),
            cx.theme.good,
        );
        left += 15.0 * scale;
    }
    let room = rect.right() - left - 10.0 * scale;
    let title = elided(painter, &state.name, font, room, cx.theme.text_strong);
    painter.galley(pos2(left, rect.top() + 6.0 * scale), title, cx.theme.text_strong);
    if state.is_composite {
        let y = rect.top() + HEADER * scale;
        painter.hline(rect.x_range(), y, Stroke::new(1.0, cx.theme.line));
    } else if !state.summary.is_empty() && scale > 0.45 {
        let font = FontId::proportional(SMALL * scale.min(1.6));
        let text = elided(painter, &state.summary, font, rect.width() - 22.0 * scale, cx.theme.text_weak);
        painter.galley(pos2(rect.left() + 12.0 * scale, rect.top() + 28.0 * scale), text, cx.theme.text_weak);
    }
    let grip = viewport.screen(handle(state));
    painter.circle(grip, (4.5 * scale).clamp(2.5, 6.0), cx.theme.panel, Stroke::new(1.5, cx.theme.accent));
}

/// The name of a state seen from afar, where there is room for a readable one: in a box, or at the corner of an
/// outermost one that holds others.
fn far_title_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, state: &StateBox) {
    let rect = viewport.rect(state.rect);
    let is_high = rect.height() >= LEAST + 2.0;
    let has_room = if state.is_composite { state.parent.is_none() } else { is_high };
    if BODY * viewport.camera.scale >= LEAST || !has_room || rect.width() < 3.0 * LEAST {
        return;
    }
    let font = FontId::proportional(LEAST);
    let title = elided(painter, &state.name, font, rect.width() - 4.0, cx.theme.text_strong);
    let at = if state.is_composite { rect.left_top() + vec2(2.0, 1.0) } else { rect.center() - title.size() / 2.0 };
    if state.is_composite {
        let plate = Rect::from_min_size(at, title.size()).expand2(vec2(2.0, 0.0));
        painter.rect_filled(plate, CornerRadius::same(2), cx.theme.panel.gamma_multiply(0.9));
    }
    painter.galley(at, title, cx.theme.text_strong);
}

fn elided(painter: &Painter, text: &str, font: FontId, room: f32, color: Color32) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(1.0));
    painter.layout_job(job)
}

fn arrow_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, arrow: &Arrow, is_selected: bool) {
    let color = if is_selected { cx.theme.accent } else { cx.theme.text_weak };
    let scale = viewport.camera.scale;
    let thin = if scale < 0.45 { 1.0 } else { 1.5 };
    let stroke = Stroke::new(if is_selected { 2.5 } else { thin }, color);
    for curve in &arrow.curves {
        let curve = curve.map(|p| viewport.screen(p));
        if !Rect::from_points(&curve).expand(2.0).intersects(viewport.view) {
            continue;
        }
        if (curve[0].y - curve[3].y).abs() < 0.1 && (curve[0].y - curve[1].y).abs() < 0.1 {
            painter.line_segment([curve[0], curve[3]], stroke);
        } else {
            painter.add(egui::epaint::CubicBezierShape::from_points_stroke(curve, false, Color32::TRANSPARENT, stroke));
        }
    }
    if let Some(last) = arrow.curves.last() {
        let last = last.map(|p| viewport.screen(p));
        tip_ui(painter, last[3], last[3] - point(&last, 0.92), scale.clamp(0.4, 1.0), color);
    }
    if scale < 0.45 && !is_selected {
        return;
    }
    let scale = if is_selected { scale.max(1.0) } else { scale };
    let font = FontId::proportional(SMALL * scale.min(1.4));
    let ink = if is_selected { cx.theme.text_strong } else { cx.theme.text };
    let galley = elided(painter, &arrow.label, font, 180.0 * scale, ink);
    let at = viewport.screen(arrow.label_at);
    let rect = Rect::from_center_size(at, galley.size() + vec2(8.0, 2.0));
    painter.rect_filled(rect, CornerRadius::same(3), cx.theme.canvas.gamma_multiply(0.9));
    painter.galley(rect.min + vec2(4.0, 1.0), galley, ink);
}

fn tip_ui(painter: &Painter, at: Pos2, along: Vec2, size: f32, color: Color32) {
    let along = along.normalized();
    let side = along.rot90() * 4.5 * size;
    let back = at - along * 9.0 * size;
    painter.add(Shape::convex_polygon(vec![at, back + side, back - side], color, Stroke::NONE));
}
