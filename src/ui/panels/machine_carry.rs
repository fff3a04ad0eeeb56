//! A state carried into another compound, or out of one: what it is over, what is in the way, how that looks, and the
//! edits.
//!
//! Invariant: while a state is carried nothing is edited; it is all one step when it is dropped.

use egui::{Align2, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};

use crate::{
    edit::Edit,
    model::{DocPath, Machine, Name},
    ui::{
        Cx,
        canvas::{
            graph::{Graph, HEADER, StateBox, snapped},
            paint::Viewport,
        },
        theme::BODY,
    },
};

/// A state that is dragged over another compound than its own.
pub(super) struct Carry<'g> {
    path: &'g Name,
    /// The compound under the pointer; none for the whole machine.
    into: Option<usize>,
    /// Where the state's box would be.
    rect: Rect,
}

impl<'g> Carry<'g> {
    /// What is carried where; nothing while the state stays in its own compound.
    pub(super) fn of(graph: &'g Graph, path: &'g Name, origin: Pos2, at: Pos2) -> Option<Self> {
        let own = graph.find(path)?;
        let is_other = |it: &StateBox| it.path != *path && !it.path.starts_with(&format!("{path}/"));
        let is_under = |it: &StateBox| it.is_composite && is_other(it) && it.rect.contains(at);
        let into = graph.boxes.iter().rposition(is_under);
        let rect = graph.boxes[own].rect.translate(at - origin);
        (into != graph.boxes[own].parent).then_some(Self { path, into, rect })
    }

    /// The path of the compound it would be in.
    pub(super) fn parent(&self, graph: &Graph) -> Name {
        self.into.map_or_else(|| "".into(), |into| graph.boxes[into].path.clone())
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// What is in the way.
    pub(super) fn obstacle(&self, graph: &Graph, machine: &Machine) -> Option<String> {
        let parent = self.parent(graph);
        let name = self.name();
        let has = machine.state(&parent).is_some_and(|state| state.states.contains_key(name));
        let of = if parent.is_empty() { "The top level".to_owned() } else { parent.to_string() };
        has.then(|| format!("{of} already has a state {name}; rename one of them first"))
    }

    /// The edits that do it, and the path the state has then.
    pub(super) fn edits(&self, graph: &Graph, doc: &DocPath, name: &Name, machine: &Machine) -> (Vec<Edit>, Name) {
        let parent = self.parent(graph);
        let (doc, machine_name) = (doc.clone(), name.clone());
        let mut edits = Vec::new();
        let places = graph.unstored(machine, &parent);
        // Among states that have no place it gets none: all of them are laid out together.
        let n_inside = machine.state(&parent).map_or(0, |state| state.states.len());
        let at = (places.len() < n_inside).then(|| {
            let origin = self.into.map_or(Vec2::ZERO, |into| graph.boxes[into].rect.min.to_vec2());
            let to = snapped(self.rect.min - origin);
            let to = if self.into.is_some() { to.max(pos2(12.0, HEADER + 12.0)) } else { to };
            [f64::from(to.x), f64::from(to.y)]
        });
        if at.is_some() && !places.is_empty() {
            edits.push(Edit::MoveStates { doc: doc.clone(), machine: machine_name.clone(), places });
        }
        let path = if parent.is_empty() { self.name().into() } else { format!("{parent}/{}", self.name()).into() };
        edits.push(Edit::ReparentState { doc, machine: machine_name, state: self.path.clone(), parent, at });
        (edits, path)
    }
}

/// The box that is carried, and where it would go.
pub(super) fn carry_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    machine: &Machine,
    graph: &Graph,
    carry: &Carry<'_>,
) {
    let obstacle = carry.obstacle(graph, machine);
    let color = if obstacle.is_some() { cx.theme.error } else { cx.theme.accent };
    let corner = CornerRadius::same(8);
    let target = carry.into.map_or(viewport.view.shrink(3.0), |into| viewport.rect(graph.boxes[into].rect));
    painter.rect(target, corner, color.gamma_multiply(0.08), Stroke::new(2.5, color), StrokeKind::Inside);
    let rect = viewport.rect(carry.rect);
    painter.rect(rect, corner, cx.theme.widget.gamma_multiply(0.8), Stroke::new(2.0, color), StrokeKind::Inside);
    let font = FontId::proportional(BODY);
    painter.text(rect.center(), Align2::CENTER_CENTER, carry.name(), font.clone(), cx.theme.text_strong);
    let parent = carry.parent(graph);
    let text = obstacle.unwrap_or_else(|| match &*parent {
        "" => "Move to the top".to_owned(),
        parent => format!("Move into {parent}"),
    });
    let galley = painter.layout_no_wrap(text, font, color);
    let at = pos2(rect.center().x - galley.size().x / 2.0, rect.bottom() + 6.0);
    let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(6.0, 2.0));
    painter.rect_filled(ground, CornerRadius::same(3), cx.theme.panel);
    painter.galley(at, galley, color);
}
