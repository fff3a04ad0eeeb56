//! The Machine pane: a state machine as boxes and arrows, with the running entity's states lit.

use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Response, RichText, Sense, Shape, Stroke, StrokeKind,
    Ui, Vec2, pos2, vec2,
};
use egui_material_icons::icons;

use crate::ui::widgets::Tip as _;
use crate::{
    edit::{Edit, free_name},
    model::{DocPath, FieldPath, Location, Machine, Name, Transition, Trigger},
    ui::{
        Action, Camera, Cx, Phase, Selection, ViewChange,
        canvas::{
            graph::{Arrow, Graph, HEADER, StateBox, point},
            navigate,
            paint::Viewport,
        },
        theme::{BODY, SMALL},
        widgets::{empty_state, icon_button, icon_font, value::pick_ui},
    },
};

/// What a drag over the graph is about.
#[derive(Clone, Debug, PartialEq)]
enum Drag {
    /// Moving a state; where the pointer went down, in the graph.
    Move(Name, Pos2),
    /// Drawing a transition from a state.
    Connect(Name),
}

/// Show the Machine pane.
pub fn machine_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let shown = cx.view.machine.as_ref();
    let machine = shown.and_then(|(doc, name)| Some((doc, name, cx.project.machine(doc, name)?)));
    bar_ui(cx, ui, shown.map(|(_, name)| name));
    let Some((doc, name, machine)) = machine else {
        let (icon, how) = (icons::ICON_ACCOUNT_TREE.codepoint, "Choose one above or in the Project pane");
        empty_state(cx.theme, ui, icon, "No machine is open", how);
        return;
    };
    let graph = Graph::of(machine);
    let (view, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, format!("Machine canvas {name}")));
    let known = cx.view.machine_camera;
    let fitting = || {
        let camera = Camera::fitting(graph.bounds().expand(40.0), view);
        camera.scaled(camera.scale.min(1.25))
    };
    let camera = known.unwrap_or_else(fitting);
    let moved = navigate::navigated(ui, &response, view, camera, true);
    if known != Some(moved) {
        cx.send(Action::View(ViewChange::MachineCamera(moved)));
    }
    let viewport = Viewport { view, camera: moved };
    let painter = ui.painter().with_clip_rect(view);
    painter.rect_filled(view, CornerRadius::ZERO, cx.theme.canvas);
    dots_ui(cx, &painter, &viewport);
    let drag = pointer_ui(cx, ui, &viewport, &response, doc, name, machine, &graph);
    let lit = lit_states(cx, name);
    for state in &graph.boxes {
        let is_selected = is_selected(cx, doc, name, &state.path, None);
        box_ui(cx, &painter, &viewport, state, is_selected, lit.as_ref().and_then(|lit| lit.strength(&state.path)));
    }
    for arrow in &graph.arrows {
        let is_selected = is_selected(cx, doc, name, &arrow.owner, Some(arrow.index));
        arrow_ui(cx, &painter, &viewport, arrow, is_selected);
    }
    if let (Some(Drag::Connect(from)), Some(pointer)) = (&drag, response.interact_pointer_pos())
        && let Some(from) = graph.find(from)
    {
        let start = viewport.screen(graph.boxes[from].rect.right_center());
        painter.line_segment([start, pointer], Stroke::new(2.0, cx.theme.accent));
        tip_ui(&painter, pointer, pointer - start, cx.theme.accent);
    }
    if graph.boxes.is_empty() {
        let at = view.center();
        let font = FontId::proportional(BODY);
        painter.text(at, Align2::CENTER_CENTER, "Double click to add a state", font, cx.theme.text_weak);
    }
    legend_ui(cx, &painter, view, lit.as_ref());
}

fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, shown: Option<&Name>) {
    ui.horizontal(|ui| {
        let current = shown.map(std::string::ToString::to_string).unwrap_or_default();
        if let Some(picked) = pick_ui(cx, ui, "Machine", &current, cx.resolution.machines.keys())
            && let Some(doc) = cx.resolution.machines.get(&picked)
        {
            cx.send(Action::OpenMachine { doc: doc.clone(), name: picked });
        }
        let Some((doc, name)) = &cx.view.machine else { return };
        let Some(machine) = cx.project.machine(doc, name) else { return };
        let button =
            |ui: &mut Ui, icon: &str, tip: &str| icon_button(cx.theme, ui, icon, tip, false, true).tip(tip).clicked();
        if button(ui, icons::ICON_ADD_BOX.codepoint, "Add state") {
            let at = cx.view.machine_camera.map_or(Pos2::ZERO, |camera| camera.center);
            add_state(cx, doc, name, machine, "", at);
        }
        if button(ui, icons::ICON_PUBLIC.codepoint, "Select the global section") {
            let state: Name = "".into();
            cx.send(Action::Select(Selection::Machine {
                doc: doc.clone(),
                name: name.clone(),
                state,
                transition: None,
            }));
        }
        if button(ui, icons::ICON_FIT_SCREEN.codepoint, "Show whole machine") {
            let graph = Graph::of(machine);
            let camera = Camera { center: graph.bounds().center(), scale: 1.0 };
            cx.send(Action::View(ViewChange::MachineCamera(camera)));
        }
        if button(ui, icons::ICON_NOTE_ADD.codepoint, "New machine in this file") {
            let name = free_name("machine", |name| cx.resolution.machines.contains_key(name));
            cx.send(Action::Edit(Edit::AddMachine {
                doc: doc.clone(),
                name: name.clone(),
                machine: Machine::default(),
            }));
            cx.send(Action::OpenMachine { doc: doc.clone(), name });
        }
        ui.label(RichText::new(doc.as_str()).size(SMALL).monospace().color(cx.theme.text_weak));
    });
}

fn is_selected(cx: &Cx<'_>, doc: &DocPath, name: &Name, path: &Name, index: Option<usize>) -> bool {
    matches!(cx.selection, Selection::Machine { doc: d, name: n, state, transition }
        if d == doc && n == name && state == path && *transition == index)
}

fn add_state(cx: &Cx<'_>, doc: &DocPath, machine_name: &Name, machine: &Machine, parent: &str, at: Pos2) {
    let Some(state) = machine.state(parent) else { return };
    let name = free_name("State", |name| state.states.contains_key(name));
    let at = [f64::from(at.x.round()), f64::from(at.y.round())];
    let edit = Edit::AddState {
        doc: doc.clone(),
        machine: machine_name.clone(),
        parent: parent.into(),
        name: name.clone(),
        at,
    };
    let path = if parent.is_empty() { name } else { format!("{parent}/{name}").into() };
    let mut edits = vec![edit];
    if state.states.is_empty() {
        let initial = Some(path.rsplit('/').next().unwrap_or(&path).into());
        edits.push(Edit::SetInitial { doc: doc.clone(), machine: machine_name.clone(), state: parent.into(), initial });
    }
    cx.send(Action::Edits { label: "Add a state".into(), edits });
    let name = machine_name.clone();
    cx.send(Action::Select(Selection::Machine { doc: doc.clone(), name, state: path, transition: None }));
}

/// The handle at a state's right edge from which transitions are drawn.
fn handle(state: &StateBox) -> Pos2 {
    state.rect.right_center()
}

#[expect(clippy::too_many_arguments, reason = "the pointer meets everything there is")]
fn pointer_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    viewport: &Viewport,
    response: &Response,
    doc: &DocPath,
    name: &Name,
    machine: &Machine,
    graph: &Graph,
) -> Option<Drag> {
    let id = response.id.with("drag");
    let mut drag: Option<Drag> = ui.data(|data| data.get_temp(id));
    let select = |state: &Name, transition: Option<usize>| {
        let (doc, name, state) = (doc.clone(), name.clone(), state.clone());
        cx.send(Action::Select(Selection::Machine { doc, name, state, transition }));
        cx.send(Action::ShowPane(crate::ui::Pane::Inspector));
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
            (None, Some(i)) => Some(Drag::Move(graph.boxes[i].path.clone(), origin)),
            (None, None) => None,
        };
        if let Some(Drag::Move(path, _)) = &drag {
            select(path, None);
        }
        // Where the box was when the drag began; the drag counts from there.
        let start = graph.box_at(origin).map(|i| in_parent(graph, i));
        ui.data_mut(|data| data.insert_temp(id.with("start"), start));
    }
    if let (Some(Drag::Move(path, origin)), Some(at)) = (&drag, at) {
        let start: Option<Pos2> = ui.data(|data| data.get_temp(id.with("start"))).flatten();
        let phase = if response.drag_stopped() { Phase::Commit } else { Phase::Preview };
        if let (Some(start), true) = (start, response.dragged() || response.drag_stopped()) {
            let to = snapped(start + (at - *origin));
            let places = vec![(path.clone(), [f64::from(to.x), f64::from(to.y)])];
            let edit = Edit::MoveStates { doc: doc.clone(), machine: name.clone(), places };
            cx.send(Action::Gesture { label: format!("Move {path}"), edits: vec![edit], phase });
        }
    }
    if let (Some(Drag::Connect(from)), true, Some(at)) = (&drag, response.drag_stopped(), at)
        && let Some(to) = graph.box_at(at)
    {
        let to = graph.boxes[to].path.clone();
        let transition = Transition { trigger: Trigger::After(1.0), guard: None, actions: Vec::new(), to };
        let index = machine.state(from).map_or(0, |state| state.transitions.len());
        let (doc, machine, state) = (doc.clone(), name.clone(), from.clone());
        cx.send(Action::Edit(Edit::AddTransition { doc, machine, state, at: None, transition }));
        select(from, Some(index));
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
                cx.command(crate::ui::Command::Rename);
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

/// A box's place in its parent's frame.
fn in_parent(graph: &Graph, i: usize) -> Pos2 {
    let state = &graph.boxes[i];
    let origin = state.parent.map_or(Pos2::ZERO, |parent| graph.boxes[parent].rect.min);
    (state.rect.min - origin).to_pos2()
}

fn snapped(at: Pos2) -> Pos2 {
    pos2((at.x / 4.0).round() * 4.0, (at.y / 4.0).round() * 4.0)
}

#[expect(clippy::too_many_arguments, reason = "a menu is about what was under the pointer")]
fn menu_ui(
    cx: &Cx<'_>,
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
                let (doc, machine, state) = (doc.clone(), name.clone(), arrow.owner.clone());
                cx.send(Action::Edit(Edit::RemoveTransition { doc, machine, state, at: arrow.index }));
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
            let (doc, machine) = (doc.clone(), name.clone());
            cx.send(Action::Edit(Edit::SetInitial { doc, machine, state: owner, initial: Some(state.name.clone()) }));
            ui.close();
        }
        let select =
            Selection::Machine { doc: doc.clone(), name: name.clone(), state: state.path.clone(), transition: None };
        if ui.button("Rename…").clicked() {
            cx.send(Action::Select(select));
            cx.command(crate::ui::Command::Rename);
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
    let runs = preview.session.world.entities().filter(|entity| entity.alive).filter_map(|entity| {
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
    if scale < 0.2 {
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

fn elided(painter: &Painter, text: &str, font: FontId, room: f32, color: Color32) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(1.0));
    painter.layout_job(job)
}

fn arrow_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, arrow: &Arrow, is_selected: bool) {
    let curve = arrow.curve.map(|p| viewport.screen(p));
    let color = if is_selected { cx.theme.accent } else { cx.theme.text_weak };
    let stroke = Stroke::new(if is_selected { 2.5 } else { 1.5 }, color);
    painter.add(egui::epaint::CubicBezierShape::from_points_stroke(curve, false, Color32::TRANSPARENT, stroke));
    tip_ui(painter, curve[3], curve[3] - point(&curve, 0.92), color);
    let scale = viewport.camera.scale;
    if scale < 0.45 {
        return;
    }
    let font = FontId::proportional(SMALL * scale.min(1.4));
    let ink = if is_selected { cx.theme.text_strong } else { cx.theme.text };
    let galley = elided(painter, &arrow.label, font, 180.0 * scale, ink);
    let at = viewport.screen(arrow.label_at);
    let rect = Rect::from_center_size(at, galley.size() + vec2(8.0, 2.0));
    painter.rect_filled(rect, CornerRadius::same(3), cx.theme.canvas.gamma_multiply(0.9));
    painter.galley(rect.min + vec2(4.0, 1.0), galley, ink);
}

fn tip_ui(painter: &Painter, at: Pos2, along: Vec2, color: Color32) {
    let along = along.normalized();
    let side = along.rot90() * 4.5;
    let back = at - along * 9.0;
    painter.add(Shape::convex_polygon(vec![at, back + side, back - side], color, Stroke::NONE));
}
