//! The Inheritance pane: the family of the selected definition as boxes and lines, ancestors left, descendants right,
//! and what a change would reach. Where the boxes are is `explain`'s; here they are painted and pointed at.
//!
//! Invariant: the drawing and the figures are made anew only for another resolution, root or unfolding, not in each
//! frame.

use std::{collections::BTreeSet, rc::Rc, sync::Arc};

use egui::{
    Align2, Color32, CornerRadius, FontId, Key, Painter, Pos2, Rect, Response, RichText, ScrollArea, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

use super::palette::thumbnail_ui;
use crate::{
    defs::Resolution,
    editor::{Action, Camera, Command, Pane, Selection},
    explain::{InheritanceGraph, InheritanceItem, InheritanceNode, impact_of_def},
    model::{DocPath, FieldPath, Location, Name},
    ui::{
        CommandLook as _, CommandState as _, Cx,
        canvas::{camera::OnScreen as _, navigate, paint::Viewport},
        theme::{BODY, SMALL},
        widgets::{
            IconButton, Row, Tip as _, command_button, elided, empty_state, has_keyboard, in_rect, row_ui, section,
        },
    },
};

/// A node's box, in the drawing's pixels.
const NODE: Vec2 = vec2(148.0, 40.0);
/// From one column or row to the next.
const STEP: Vec2 = vec2(188.0, 52.0);
/// At least this large a family is shown at first.
const SMALLEST: f32 = 0.55;
/// Of the list at the side.
const SIDE: f32 = 216.0;
/// Below this width the list at the side is left out.
const NARROW: f32 = 520.0;

/// What the pane remembers between frames.
#[derive(Clone, Debug, Default)]
struct Shown {
    /// Whose family it is.
    root: Option<Name>,
    /// Where it is looked at from; the whole is shown when none.
    camera: Option<Camera>,
    /// Whose children are all shown.
    unfolded: BTreeSet<Name>,
}

/// A drawing, and the data it was made from.
struct Drawn {
    resolution: Arc<Resolution>,
    root: Name,
    unfolded: BTreeSet<Name>,
    graph: Arc<InheritanceGraph>,
}

/// The drawing of a family.
fn drawn(cx: &Cx<'_>, root: &Name, unfolded: &BTreeSet<Name>) -> Arc<InheritanceGraph> {
    let is_current = |known: &Drawn| {
        Arc::ptr_eq(&known.resolution, cx.resolution) && known.root == *root && known.unfolded == *unfolded
    };
    let drawn = cx.derived.memos().get_current("drawing of a family", is_current, |_| Drawn {
        resolution: cx.resolution.clone(),
        root: root.clone(),
        unfolded: unfolded.clone(),
        graph: Arc::new(InheritanceGraph::of(cx.project, cx.resolution, cx.derived.census(), root, unfolded)),
    });
    drawn.graph.clone()
}

/// How many definitions a change of one reaches, and all it reaches in words.
fn reach(cx: &Cx<'_>, name: &Name) -> Rc<(usize, String)> {
    cx.derived.memos().get(("reach", name), || {
        let impact = impact_of_def(cx.resolution, cx.derived.census(), name);
        (impact.defs.len(), impact.to_string())
    })
}

fn memory_id() -> egui::Id {
    egui::Id::unique("inheritance pane")
}

/// Show the Inheritance pane.
pub fn inheritance_ui(cx: &Cx<'_>, ui: &mut Ui) {
    let mut shown = ui.data(|data| data.get_temp::<Shown>(memory_id())).unwrap_or_default();
    let selected = selected_def(cx);
    shown.root = shown.root.filter(|name| cx.resolution.def_docs.contains_key(name));
    let graph = match (&shown.root, &selected) {
        (Some(root), selected) => {
            let graph = drawn(cx, root, &shown.unfolded);
            // A relative is selected where it stands; for any other definition there is another drawing.
            match selected {
                Some(name) if graph.find(name).is_none() => None,
                _ => Some(graph),
            }
        }
        (None, _) => None,
    };
    let graph = graph.or_else(|| {
        let name = selected.clone()?;
        shown = Shown { root: Some(name.clone()), camera: None, unfolded: BTreeSet::new() };
        Some(drawn(cx, &name, &shown.unfolded))
    });
    let (Some(graph), Some(root)) = (graph, shown.root.clone()) else {
        let icon = icons::ICON_FAMILY_HISTORY.codepoint;
        empty_state(
            cx.theme,
            ui,
            icon,
            "No definition is selected",
            "Select one in the Project pane to see its ancestors and descendants",
        );
        return;
    };
    let focus = selected.clone().unwrap_or_else(|| root.clone());
    bar_ui(cx, ui, &root, &focus, &mut shown);
    let room = ui.available_rect_before_wrap();
    let has_side = room.width() >= NARROW;
    let (canvas, side) = room.split_left_right_at_x(if has_side { room.right() - SIDE } else { room.right() });
    in_rect(ui, canvas, |ui| canvas_ui(cx, ui, &graph, &focus, &mut shown));
    if has_side {
        in_rect(ui, side.shrink2(vec2(8.0, 4.0)), |ui| side_ui(cx, ui, &graph, &root, &focus));
    }
    ui.data_mut(|data| data.insert_temp(memory_id(), shown));
}

/// The selected definition, or that of the selected entity.
fn selected_def(cx: &Cx<'_>) -> Option<Name> {
    match cx.selection {
        Selection::Definitions { all } => all.last().map(|(_, name)| name.clone()),
        Selection::Things { doc, ids } => {
            let level = cx.project.level(doc)?;
            ids.iter().find_map(|id| Some(level.entity(id)?.1.def.clone()))
        }
        _ => None,
    }
}

fn place_of(cx: &Cx<'_>, name: &Name) -> Option<(DocPath, Location)> {
    let doc = cx.resolution.def_docs.get(name)?.clone();
    Some((doc.clone(), Location::key(doc, FieldPath::keys([name]))))
}

fn bar_ui(cx: &Cx<'_>, ui: &mut Ui, root: &Name, focus: &Name, shown: &mut Shown) {
    ui.horizontal(|ui| {
        let button = |ui: &mut Ui, icon: &str, name: &str, is_on: bool| {
            IconButton::new(icon, name).selected(is_on).show(cx.theme, ui).tip(name).clicked()
        };
        if button(ui, icons::ICON_FIT_SCREEN.codepoint, "Show the whole graph", false) {
            shown.camera = None;
        }
        if root != focus && button(ui, icons::ICON_CENTER_FOCUS_STRONG.codepoint, &format!("Family of {focus}"), false)
        {
            *shown = Shown { root: Some(focus.clone()), ..Shown::default() };
        }
        for command in [Command::Rename, Command::ExtractParent, Command::InlineParent, Command::Delete] {
            command_button(cx, ui, command);
        }
        let impact = &reach(cx, focus).1;
        let text = cx.theme.caption(format!("A change of {focus} affects {impact}"));
        ui.add(egui::Label::new(text).truncate());
    });
}

fn side_ui(cx: &Cx<'_>, ui: &mut Ui, graph: &InheritanceGraph, root: &Name, focus: &Name) {
    let resolved = cx.resolution.defs.get(focus);
    let order: Vec<Name> = resolved.map_or_else(|| graph.order.clone(), |it| it.order.iter().rev().cloned().collect());
    section(cx.theme, ui, &format!("Resolution order of {focus}"));
    let tip = "Each is applied once, from the last to the first: overrides nearer the top win";
    ui.label(cx.theme.caption("Earlier ones win over later ones")).tip(tip);
    ui.add_space(4.0);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if resolved.is_none() {
            ui.label(RichText::new("It cannot be resolved; see Problems").color(cx.theme.error));
        }
        for (i, name) in order.iter().enumerate() {
            let (n_defs, impact) = &*reach(cx, name);
            let detail = if *n_defs > 1 { format!("{n_defs} defs") } else { String::new() };
            let text = format!("{}  {name}", i + 1);
            let is_abstract = cx.resolution.defs.get(name).is_some_and(|it| it.is_abstract);
            let row = Row {
                text: &text,
                detail: &detail,
                is_selected: name == focus,
                is_weak: is_abstract || name == root && root != focus,
                ..Row::default()
            };
            let response = row_ui(cx.theme, ui, &row).tip(format!("A change of {name} affects {impact}"));
            go_ui(cx, &response, name);
        }
    });
}

/// Select on a click, go to the text on a double click, a menu for the rest.
fn go_ui(cx: &Cx<'_>, response: &Response, name: &Name) {
    let Some((doc, location)) = place_of(cx, name) else { return };
    if response.double_clicked() {
        cx.send(Action::GoTo(location));
    } else if response.clicked() {
        cx.send(Action::Select(Selection::definition(doc.clone(), name.clone())));
    }
    if response.secondary_clicked() {
        cx.send(Action::Select(Selection::definition(doc, name.clone())));
    }
    response.context_menu(|ui| family_menu_ui(cx, ui));
}

/// The refactorings of what is selected, for context menus.
pub fn family_menu_ui(cx: &Cx<'_>, ui: &mut Ui) {
    commands_ui(
        cx,
        ui,
        &[
            Command::Rename,
            Command::ExtractParent,
            Command::InlineParent,
            Command::Duplicate,
            Command::Delete,
            Command::Show(Pane::Inheritance),
        ],
    );
}

/// Commands about what is selected, in a context menu. Returns the one that was chosen.
pub(super) fn commands_ui(cx: &Cx<'_>, ui: &mut Ui, commands: &[Command]) -> Option<Command> {
    let mut chosen = None;
    for command in commands.iter().copied() {
        if command_item_ui(cx, ui, command) {
            cx.command(command);
            chosen = Some(command);
        }
    }
    chosen
}

/// The item of a command in a menu, which it closes. Returns whether it was chosen.
pub(super) fn command_item_ui(cx: &Cx<'_>, ui: &mut Ui, command: Command) -> bool {
    let spec = command.spec();
    let refusal = command.refusal(cx);
    // A switch is named by what it would do.
    let text = match command.is_on(cx).and_then(|_| command.means(cx)) {
        _ if command == Command::Show(Pane::Inheritance) => "Show inheritance".to_owned(),
        Some(means) => means,
        None => spec.text.to_owned(),
    };
    let is_enabled = refusal.is_none();
    let mut button = egui::Button::new(&text);
    if let Some(keys) = command.keys_text(cx, ui.ctx()) {
        button = button.shortcut_text(keys);
    }
    let button = ui.add_enabled(is_enabled, button);
    button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, is_enabled, &text));
    let is_chosen = button.tip(refusal.unwrap_or_else(|| spec.tip.to_owned())).clicked();
    if is_chosen {
        ui.close();
    }
    is_chosen
}

fn rect_of(node: &InheritanceNode) -> Rect {
    #[expect(clippy::cast_precision_loss, reason = "a family has few columns")]
    let center = pos2(node.column as f32 * STEP.x, node.row * STEP.y);
    Rect::from_center_size(center, NODE)
}

fn canvas_ui(cx: &Cx<'_>, ui: &mut Ui, graph: &InheritanceGraph, focus: &Name, shown: &mut Shown) {
    let (view, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    let title = format!("Family of {}", shown.root.as_deref().unwrap_or_default());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Canvas, true, &title));
    let bounds = graph.nodes.iter().fold(Rect::NOTHING, |all, node| all.union(rect_of(node)));
    let fitting = || {
        let camera = Camera::fitting(bounds.expand(16.0), view);
        // A large family is entered at a scale that can be read, at the one it is about.
        let scale = camera.scale.clamp(SMALLEST, 1.0);
        let center = if camera.scale < SMALLEST { glam::Vec2::ZERO } else { camera.center };
        Camera { center, scale }
    };
    let camera = shown.camera.unwrap_or_else(fitting);
    let mut moved = navigate::navigated(ui, &response, view, camera, true);
    if response.dragged_by(egui::PointerButton::Primary) {
        moved = moved.panned(response.drag_delta());
    }
    if moved != camera {
        shown.camera = Some(moved);
    }
    let viewport = Viewport { view, camera: moved };
    let painter = ui.painter().with_clip_rect(view);
    painter.rect_filled(view, CornerRadius::same(4), cx.theme.well);

    let visible = moved.visible(view);
    let mut hovered = None;
    let mut responses = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        let rect = rect_of(node);
        if !visible.intersects(rect) {
            continue;
        }
        let on_screen = Rect::from_min_max(viewport.screen(rect.min), viewport.screen(rect.max));
        let name = match &node.item {
            InheritanceItem::Def(name) => name.to_string(),
            InheritanceItem::More { parent, names } => format!("more {parent} {}", names.len()),
        };
        let sensed = ui.interact(on_screen.intersect(view), memory_id().with(&name), Sense::click());
        let is_selected = matches!(&node.item, InheritanceItem::Def(name) if name == focus);
        sensed.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_selected, accessible_label(node)));
        if sensed.hovered() || has_keyboard(&sensed) {
            hovered = Some(i);
        }
        responses.push((i, on_screen, sensed));
    }
    let lit = hovered.map(|node| graph.path_of(node)).unwrap_or_default();
    let on_path: BTreeSet<usize> = lit.iter().flat_map(|i| [graph.edges[*i].parent, graph.edges[*i].child]).collect();
    for (i, edge) in graph.edges.iter().enumerate() {
        let (from, to) = (rect_of(&graph.nodes[edge.parent]), rect_of(&graph.nodes[edge.child]));
        if visible.intersects(from.union(to)) {
            edge_ui(cx, &painter, &viewport, (from, to), edge.order, lit.contains(&i));
        }
    }
    for (i, rect, sensed) in responses {
        let node = &graph.nodes[i];
        let is_dim = hovered.is_some_and(|at| at != i) && !on_path.contains(&i);
        node_ui(
            cx,
            ui,
            &painter,
            node,
            (rect, moved.scale),
            (matches!(&node.item, InheritanceItem::Def(it) if it == focus), is_dim, &sensed),
        );
        match &node.item {
            InheritanceItem::Def(name) => {
                keys_ui(cx, ui, graph, i, &sensed);
                if sensed.double_clicked() {
                    *shown = Shown { root: Some(name.clone()), ..Shown::default() };
                }
                go_ui(cx, &sensed, name);
                sensed.tip_ui(|ui| {
                    ui.set_max_width(360.0);
                    ui.label(format!("{}\nA change of it affects {}", accessible_label(node), reach(cx, name).1));
                });
            }
            InheritanceItem::More { parent, names } => {
                if sensed.clicked() {
                    shown.unfolded.insert(parent.clone());
                }
                let some: Vec<&str> = names.iter().take(12).map(|name| &**name).collect();
                let more = if names.len() > 12 { ", …" } else { "" };
                sensed.tip(format!("{}{more}\nClick to show all", some.join(", ")));
            }
        }
    }
}

/// The text of a node, for screen readers.
fn accessible_label(node: &InheritanceNode) -> String {
    let mut words = match &node.item {
        InheritanceItem::Def(name) => name.to_string(),
        InheritanceItem::More { names, .. } => format!("{} more", names.len()),
    };
    if node.is_broken {
        words.push_str(", missing or broken");
    } else if node.is_abstract {
        words.push_str(", abstract");
    }
    if node.n_instances > 0 {
        words = format!("{words}, {} placed", node.n_instances);
    }
    words
}

/// Arrow keys go from the focused node to its relatives.
fn keys_ui(cx: &Cx<'_>, ui: &Ui, graph: &InheritanceGraph, at: usize, sensed: &Response) {
    if !has_keyboard(sensed) {
        return;
    }
    ui.memory_mut(|memory| {
        let filter =
            egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
        memory.set_focus_lock_filter(sensed.id, filter);
    });
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    let here = &graph.nodes[at];
    let beside = |is_below: bool| {
        let all = graph.nodes.iter().filter(|it| it.column == here.column);
        let all = all.filter(|it| if is_below { it.row > here.row } else { it.row < here.row });
        all.min_by(|a, b| (a.row - here.row).abs().total_cmp(&(b.row - here.row).abs()))
    };
    let parent =
        graph.edges.iter().filter(|edge| edge.child == at).min_by_key(|edge| edge.order).map(|edge| edge.parent);
    let child = graph.edges.iter().find(|edge| edge.parent == at).map(|edge| edge.child);
    let next = if pressed(Key::ArrowLeft) {
        parent.map(|i| &graph.nodes[i])
    } else if pressed(Key::ArrowRight) {
        child.map(|i| &graph.nodes[i])
    } else if pressed(Key::ArrowDown) {
        beside(true)
    } else if pressed(Key::ArrowUp) {
        beside(false)
    } else {
        None
    };
    if let Some(InheritanceItem::Def(name)) = next.map(|node| &node.item) {
        ui.memory_mut(|memory| memory.request_focus(memory_id().with(name.to_string())));
        if let Some((doc, _)) = place_of(cx, name) {
            cx.send(Action::Select(Selection::definition(doc, name.clone())));
        }
    }
}

/// A line from the parent's right to the child's left, with its number where a child has several parents.
fn edge_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (from, to): (Rect, Rect),
    order: Option<usize>,
    is_lit: bool,
) {
    let theme = cx.theme;
    let (a, b) = (viewport.screen(from.right_center()), viewport.screen(to.left_center()));
    let bend = vec2(((b.x - a.x) * 0.5).abs().max(12.0), 0.0);
    let stroke = Stroke::new(
        if is_lit { 2.0 } else { 1.2 },
        if is_lit { theme.accent } else { theme.text_weak.gamma_multiply(0.6) },
    );
    let curve = egui::epaint::CubicBezierShape::from_points_stroke(
        [a, a + bend, b - bend, b],
        false,
        Color32::TRANSPARENT,
        stroke,
    );
    painter.add(curve);
    let scale = viewport.camera.scale;
    if let Some(order) = order.filter(|_| scale > 0.3) {
        let at = b - vec2(14.0 * scale.min(1.0), 0.0);
        let radius = 8.0 * scale.min(1.0);
        painter.circle(at, radius, theme.well, stroke);
        let font = FontId::proportional(SMALL * scale.min(1.0));
        let ink = if is_lit { theme.accent } else { theme.text_weak };
        painter.text(at, Align2::CENTER_CENTER, order.to_string(), font, ink);
    }
}

fn node_ui(
    cx: &Cx<'_>,
    ui: &Ui,
    painter: &Painter,
    node: &InheritanceNode,
    (rect, scale): (Rect, f32),
    (is_selected, is_dim, sensed): (bool, bool, &Response),
) {
    let theme = cx.theme;
    let dim = |color: Color32| if is_dim { color.gamma_multiply(0.5) } else { color };
    let corner = CornerRadius::same(5);
    let ground = if is_selected {
        theme.accent_ground
    } else if sensed.hovered() {
        theme.widget_hover
    } else {
        theme.widget
    };
    let line = if is_selected || has_keyboard(sensed) {
        Stroke::new(2.0, theme.accent)
    } else if node.is_broken {
        Stroke::new(1.5, theme.error)
    } else {
        Stroke::new(1.0, theme.line)
    };
    if node.is_abstract && !is_selected {
        // Not a thing that can be placed: no ground, and a broken line around it.
        painter.rect_filled(rect, corner, dim(theme.panel));
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
        painter.extend(Shape::dashed_line(&corners, Stroke::new(1.2, dim(theme.text_weak)), 4.0, 3.0));
    } else {
        painter.rect_filled(rect, corner, dim(ground));
        painter.rect_stroke(rect, corner, line, StrokeKind::Inside);
    }
    if scale < 0.25 {
        return;
    }
    let mut left = rect.left() + 8.0 * scale;
    if let InheritanceItem::Def(name) = &node.item
        && let Some(def) = cx.resolution.defs.get(name)
        && !node.is_abstract
    {
        let side = 28.0 * scale;
        let picture = Rect::from_center_size(pos2(left + side / 2.0, rect.center().y), Vec2::splat(side));
        let inside = ui.clip_rect().intersect(painter.clip_rect());
        if inside.contains_rect(picture) {
            thumbnail_ui(cx, ui, def, picture);
        }
        left += side + 6.0 * scale;
    }
    let (title, detail) = match &node.item {
        InheritanceItem::Def(name) => {
            let detail = match (node.is_broken, node.is_abstract, node.n_instances) {
                (true, ..) => "missing or broken".to_owned(),
                (_, true, _) => "abstract".to_owned(),
                (_, _, 0) => String::new(),
                (_, _, n) => format!("{n} placed"),
            };
            (name.to_string(), detail)
        }
        InheritanceItem::More { names, .. } => {
            let placed = if node.n_instances > 0 { format!("{} placed", node.n_instances) } else { String::new() };
            (format!("＋{} more", names.len()), placed)
        }
    };
    let room = rect.right() - 6.0 * scale - left;
    let put = |text: &str, y: f32, size: f32, color: Color32| {
        let galley = elided(ui, text, (FontId::proportional(size), room), color);
        painter.galley(Pos2::new(left, y - galley.size().y / 2.0), galley, color);
    };
    let ink = if is_selected {
        theme.text_strong
    } else if node.is_abstract {
        theme.text_weak
    } else {
        theme.text
    };
    let has_detail = !detail.is_empty() && scale > 0.4;
    let y = rect.center().y - if has_detail { 7.0 * scale } else { 0.0 };
    put(&title, y, (BODY * scale).max(7.0), dim(ink));
    if has_detail {
        put(&detail, rect.center().y + 9.0 * scale, (SMALL * scale).max(6.0), dim(theme.text_weak));
    }
}
