//! A machine's boxes and arrows from its states and transitions. States with stored positions stand there; a
//! compound without them is laid out by [`crate::layout`], the inner ones first.
//!
//! Invariant: nothing here writes a position; what is computed for display becomes data by an edit only.

use std::collections::{BTreeSet, HashMap};

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::{
    graph::{Arrow, Graph, HEADER, LEAF, PAD, StateBox, label_size, point, summary, trigger_text},
    reach::{between, from_above, self_loop},
};
use crate::{
    layout::{Edge, End, Node, Placed, Request, Route, Side, layers, place},
    model::{Machine, Name, State},
};

/// Around the whole machine, in pixels.
const AROUND: f32 = 40.0;
/// The lowest label above a box is so far above it, in pixels.
const FIRST_ROW: f32 = 26.0;
/// From one label above a box to the next, in pixels.
const ROW: f32 = 19.0;

impl Graph {
    /// Lay out a machine.
    #[must_use]
    pub fn of(machine: &Machine) -> Self {
        Self::after(machine, None)
    }

    /// Lay out a machine that looked like `earlier` a moment ago: where nothing is stored, what is there keeps its
    /// order.
    #[must_use]
    pub fn after(machine: &Machine, earlier: Option<&Self>) -> Self {
        arrange(machine, earlier, &Stored::All)
    }

    /// The places of all states inside a state (of all for an empty path) as they are laid out afresh, each in its
    /// parent's frame.
    #[must_use]
    pub fn tidied(machine: &Machine, state: &str) -> Vec<(Name, [f64; 2])> {
        let graph = arrange(machine, None, &Stored::NoneIn(state));
        let is_in = |path: &str| state.is_empty() || path.strip_prefix(state).is_some_and(|rest| rest.starts_with('/'));
        (0..graph.boxes.len()).filter(|i| is_in(&graph.boxes[*i].path)).map(|i| graph.place_of(i)).collect()
    }
}

/// Whose stored positions count.
enum Stored<'s> {
    /// All.
    All,
    /// None in the state with this path; for an empty path none at all.
    NoneIn(&'s str),
}

/// A transition between boxes.
struct TransitionLine {
    /// The box it leaves; none for one of the root.
    from: Option<usize>,
    to: usize,
    owner: Name,
    index: usize,
    label: String,
}

/// One leg of a way, in one compound.
struct Leg {
    line: usize,
    from: End,
    to: End,
    has_label: bool,
}

/// A state with states inside, or the root.
#[derive(Default)]
struct Compound {
    children: Vec<usize>,
    initial: usize,
    legs: Vec<Leg>,
    placed: Placed,
}

/// Lay out a machine. Boxes that stood somewhere in `earlier` keep their order.
fn arrange(machine: &Machine, earlier: Option<&Graph>, stored: &Stored<'_>) -> Graph {
    let mut boxes = Vec::new();
    collect(&machine.root, "", None, &mut boxes);
    let lines = lines(machine, &boxes);
    // One for each box, the root's last.
    let root = boxes.len();
    let mut compounds: Vec<Compound> = (0..=root).map(|_| Compound::default()).collect();
    for (i, it) in boxes.iter().enumerate() {
        let parent = &mut compounds[it.parent.unwrap_or(root)];
        if it.is_initial {
            parent.initial = parent.children.len();
        }
        parent.children.push(i);
    }
    let place_in: Vec<usize> = boxes
        .iter()
        .enumerate()
        .map(|(i, it)| compounds[it.parent.unwrap_or(root)].children.iter().position(|child| *child == i).unwrap_or(0))
        .collect();
    let layers = legs(&boxes, &lines, &mut compounds, &place_in);
    let mut work = 0;
    // Inner ones come after outer ones in the list; the root is around all.
    for at in (0..root).rev().chain([root]) {
        if !compounds[at].children.is_empty() {
            place_compound(machine, at, &mut boxes, &lines, &mut compounds, &layers[at], earlier, stored);
            work += compounds[at].placed.work;
        }
    }
    for i in 0..boxes.len() {
        // So far in the parent's frame; parents come first.
        if let Some(parent) = boxes[i].parent {
            let by = boxes[parent].rect.min.to_vec2();
            boxes[i].rect = boxes[i].rect.translate(by);
        }
    }
    let arrows = arrows(&boxes, &lines, &compounds);
    Graph { boxes, arrows, work }
}

fn collect(state: &State, prefix: &str, parent: Option<usize>, boxes: &mut Vec<StateBox>) {
    let initial = state.initial.as_deref().map(|name| name.rsplit('/').next().unwrap_or(name));
    for (name, child) in &state.states {
        let path: Name = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}").into() };
        boxes.push(StateBox {
            path: path.clone(),
            name: name.clone(),
            parent,
            rect: Rect::from_min_size(Pos2::ZERO, LEAF),
            is_initial: initial == Some(&**name),
            is_composite: !child.states.is_empty(),
            summary: summary(child),
        });
        let own = boxes.len() - 1;
        collect(child, &path, Some(own), boxes);
    }
}

/// Every transition whose target is there.
fn lines(machine: &Machine, boxes: &[StateBox]) -> Vec<TransitionLine> {
    let by_path: HashMap<&str, usize> = boxes.iter().enumerate().map(|(i, it)| (&*it.path, i)).collect();
    // What a bare name means; nothing where several have it.
    let mut by_name: HashMap<&str, Option<usize>> = HashMap::new();
    for (i, it) in boxes.iter().enumerate() {
        by_name.entry(&*it.name).and_modify(|known| *known = None).or_insert(Some(i));
    }
    let owners = std::iter::once((None, Name::from(""), Some(&machine.root)))
        .chain(boxes.iter().enumerate().map(|(i, it)| (Some(i), it.path.clone(), machine.state(&it.path))));
    let mut lines = Vec::new();
    for (from, owner, state) in owners {
        for (index, transition) in state.into_iter().flat_map(|state| &state.transitions).enumerate() {
            let to = by_path.get(&*transition.to).copied();
            if let Some(to) = to.or_else(|| by_name.get(&*transition.to).copied().flatten()) {
                lines.push(TransitionLine { from, to, owner: owner.clone(), index, label: trigger_text(transition) });
            }
        }
    }
    lines
}

/// A box and those around it, the innermost first.
fn with_ancestors(boxes: &[StateBox], at: usize) -> Vec<usize> {
    std::iter::successors(Some(at), |at| boxes[*at].parent).collect()
}

/// Give each compound the legs of ways that run in it. Returns the layers of each one's children.
fn legs(
    boxes: &[StateBox],
    lines: &[TransitionLine],
    compounds: &mut [Compound],
    place_in: &[usize],
) -> Vec<Vec<usize>> {
    let root = boxes.len();
    /// Where a way crosses from one side to the other.
    enum Top {
        Between(usize, usize),
        /// It leaves a box to the one around it.
        Outward(usize),
        /// It enters a box from the one around it.
        Inward(usize),
    }
    let mut tops = Vec::with_capacity(lines.len());
    for line in lines {
        let top = line.from.filter(|from| *from != line.to).map(|from| {
            let (out, inward) = (with_ancestors(boxes, from), with_ancestors(boxes, line.to));
            let n_shared = out.iter().rev().zip(inward.iter().rev()).take_while(|(a, b)| a == b).count();
            match (out.len() - n_shared, inward.len() - n_shared) {
                (0, n) => (Top::Inward(inward[n - 1]), out, inward),
                (n, 0) => (Top::Outward(out[n - 1]), out, inward),
                (n, m) => (Top::Between(out[n - 1], inward[m - 1]), out, inward),
            }
        });
        tops.push(top);
    }
    let mut pairs: Vec<Vec<(usize, usize)>> = vec![Vec::new(); root + 1];
    for (top, ..) in tops.iter().flatten() {
        if let Top::Between(a, b) = top {
            pairs[boxes[*a].parent.unwrap_or(root)].push((place_in[*a], place_in[*b]));
        }
    }
    let layers: Vec<Vec<usize>> =
        compounds.iter().zip(&pairs).map(|(it, pairs)| layers(it.children.len(), pairs, it.initial)).collect();
    for (line, top) in tops.into_iter().enumerate() {
        let Some((top, out, inward)) = top else { continue };
        let node = |i: usize| End::Node(place_in[i], None);
        let (of, from, to, [out_by, in_by], [last_out, last_in]) = match top {
            Top::Between(a, b) => {
                let of = boxes[a].parent.unwrap_or(root);
                let sides = match layers[of][place_in[a]].cmp(&layers[of][place_in[b]]) {
                    std::cmp::Ordering::Less => [Side::Right, Side::Left],
                    std::cmp::Ordering::Equal => [Side::Right, Side::Right],
                    std::cmp::Ordering::Greater => [Side::Left, Side::Right],
                };
                (of, node(a), node(b), sides, [Some(a), Some(b)])
            }
            Top::Outward(a) => {
                let of = boxes[a].parent.unwrap_or(root);
                (of, node(a), End::Border(Side::Right), [Side::Right; 2], [Some(a), None])
            }
            Top::Inward(b) => {
                let of = boxes[b].parent.unwrap_or(root);
                (of, End::Border(Side::Left), node(b), [Side::Left; 2], [None, Some(b)])
            }
        };
        compounds[of].legs.push(Leg { line, from, to, has_label: true });
        // Up to the box at the top from inside it, and down into the other one.
        for i in out.iter().take_while(|i| last_out.is_some_and(|last| **i != last)) {
            let of = boxes[*i].parent.unwrap_or(root);
            compounds[of].legs.push(Leg { line, from: node(*i), to: End::Border(out_by), has_label: false });
        }
        for i in inward.iter().take_while(|i| last_in.is_some_and(|last| **i != last)) {
            let of = boxes[*i].parent.unwrap_or(root);
            compounds[of].legs.push(Leg { line, from: End::Border(in_by), to: node(*i), has_label: false });
        }
    }
    layers
}

/// The stored position of a child in a machine, if it counts.
fn stored_at(machine: &Machine, path: &str, stored: &Stored<'_>) -> Option<Pos2> {
    let is_out = |of: &str| of.is_empty() || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('/'));
    match stored {
        Stored::NoneIn(of) if is_out(of) => None,
        _ => machine.layout.get(path).map(|[x, y]| pos2(finite(*x), finite(*y))),
    }
}

#[expect(clippy::too_many_arguments, reason = "one step of `arrange`, by name")]
fn place_compound(
    machine: &Machine,
    at: usize,
    boxes: &mut [StateBox],
    lines: &[TransitionLine],
    compounds: &mut [Compound],
    layers: &[usize],
    earlier: Option<&Graph>,
    stored: &Stored<'_>,
) {
    let is_root = at == boxes.len();
    let origin = if is_root { Vec2::splat(AROUND) } else { vec2(PAD, HEADER + PAD) };
    let children = compounds[at].children.clone();
    let mut places: Vec<Option<Pos2>> =
        children.iter().map(|i| stored_at(machine, &boxes[*i].path, stored).map(|it| it - origin)).collect();
    let n_stored = places.iter().flatten().count();
    let mut request = Request {
        nodes: Vec::new(),
        edges: Vec::new(),
        margin: if is_root { AROUND } else { PAD },
        min_width: LEAF.x - 2.0 * PAD,
    };
    for (place, i) in children.iter().enumerate() {
        let above = Above::of(*i, lines);
        let size = boxes[*i].rect.size();
        let earlier = earlier.and_then(|earlier| Some(earlier.boxes[earlier.find(&boxes[*i].path)?].rect.top()));
        request.nodes.push(Node {
            size: [size.x + above.overhang(size.x), size.y + above.height()],
            body: [0.0, above.height(), size.x, size.y + above.height()],
            layer: layers[place],
            earlier,
            fixed: None,
        });
    }
    for leg in &compounds[at].legs {
        let line = &lines[leg.line];
        // What comes out of a box from inside leaves it where it crosses its border.
        let port = |end: End, real: Option<usize>| match end {
            End::Node(place, _) if real != Some(children[place]) => {
                End::Node(place, border_of(&compounds[children[place]], leg.line))
            }
            end => end,
        };
        let label = leg.has_label.then(|| label_size(&line.label).into());
        request.edges.push(Edge { from: port(leg.from, line.from), to: port(leg.to, Some(line.to)), label });
    }
    let mut placed = None;
    if n_stored > 0 && n_stored < children.len() {
        below(&mut places, &request);
    }
    if n_stored > 0 {
        // As it was laid out, if nothing was moved since; else past the boxes as they stand.
        for node in &mut request.nodes {
            node.earlier = None;
        }
        let fresh = place(&request);
        let is_as_fresh = fresh.at.iter().zip(&places).all(|(at, place)| {
            place.is_some_and(|place| (place.x - at[0]).abs() < 1.0 && (place.y - at[1]).abs() < 1.0)
        });
        if is_as_fresh {
            placed = Some(fresh);
        }
        for (node, place) in request.nodes.iter_mut().zip(&places) {
            node.fixed = place.map(|place| [place.x, place.y]);
        }
    }
    let placed = placed.unwrap_or_else(|| place(&request));
    let mut room = Rect::NOTHING;
    for (i, [x, y]) in children.iter().zip(&placed.at) {
        boxes[*i].rect = Rect::from_min_size(pos2(*x, *y) + origin, boxes[*i].rect.size());
        room = room.union(boxes[*i].rect);
    }
    if !is_root {
        let area = Vec2::from(placed.size) + vec2(2.0 * PAD, HEADER + 2.0 * PAD);
        let size = LEAF.max(area).max(if room.is_positive() { room.max.to_vec2() + Vec2::splat(PAD) } else { LEAF });
        boxes[at].rect = Rect::from_min_size(Pos2::ZERO, size);
    }
    compounds[at].placed = placed;
}

/// How far below the top of a compound's box a way crosses its border.
fn border_of(compound: &Compound, line: usize) -> Option<f32> {
    let (leg, route) = compound.legs.iter().zip(&compound.placed.routes).find(|(leg, _)| leg.line == line)?;
    let end = match (leg.from, leg.to) {
        (End::Border(_), _) => route.curves.first()?[0],
        _ => route.curves.last()?[3],
    };
    Some(end[1] + HEADER + PAD)
}

/// Lay out the boxes that have no place, below those that have one.
fn below(places: &mut [Option<Pos2>], request: &Request) {
    let missing: Vec<usize> = (0..places.len()).filter(|i| places[*i].is_none()).collect();
    let bottoms = places.iter().zip(&request.nodes).filter_map(|(place, node)| Some((*place)?.y + node.size[1]));
    let bottom = bottoms.fold(0.0, f32::max);
    let lefts = places.iter().flatten().map(|place| place.x);
    let left = lefts.fold(f32::INFINITY, f32::min);
    let node_of = |end: End| match end {
        End::Node(node, port) => Some(End::Node(missing.iter().position(|i| *i == node)?, port)),
        End::Border(_) => None,
    };
    let edges = request.edges.iter();
    let inside = Request {
        nodes: missing.iter().map(|i| request.nodes[*i].clone()).collect(),
        edges: edges
            .filter_map(|it| Some(Edge { from: node_of(it.from)?, to: node_of(it.to)?, ..it.clone() }))
            .collect(),
        ..Request::default()
    };
    for (i, [x, y]) in missing.iter().zip(place(&inside).at) {
        places[*i] = Some(pos2(x + left, y + bottom + 2.0 * PAD));
    }
}

/// What is drawn above a box: transitions to itself and those of the root, each with its label in a row of its own.
struct Above<'w> {
    from_root: Vec<&'w TransitionLine>,
    to_itself: Vec<&'w TransitionLine>,
}

impl<'w> Above<'w> {
    fn of(at: usize, lines: &'w [TransitionLine]) -> Self {
        let to = |from: Option<usize>| lines.iter().filter(move |line| line.to == at && line.from == from).collect();
        Self { from_root: to(None), to_itself: to(Some(at)) }
    }

    fn height(&self) -> f32 {
        match self.from_root.len() + self.to_itself.len() {
            0 => 0.0,
            n => FIRST_ROW + ROW * n as f32,
        }
    }

    /// How far labels reach beyond the right of the box.
    fn overhang(&self, width: f32) -> f32 {
        let roots = self.from_root.iter().map(|line| 26.0 + label_size(&line.label).x - width);
        let loops = self.to_itself.iter().map(|line| label_size(&line.label).x / 2.0 - 30.0);
        roots.chain(loops).fold(0.0, f32::max)
    }

    fn arrows(&self, rect: Rect) -> Vec<Arrow> {
        let n = self.from_root.len();
        let roots = self.from_root.iter().enumerate().map(|(i, line)| {
            let top = rect.top() - FIRST_ROW - ROW * (n - 1 - i) as f32;
            let curve = from_above(rect, i, top - 6.0);
            let label_at = pos2(curve[0].x + 4.0 + label_size(&line.label).x / 2.0, top);
            arrow(line, vec![curve], label_at)
        });
        let loops = self.to_itself.iter().enumerate().map(|(i, line)| {
            let top = rect.top() - FIRST_ROW - ROW * (n + i) as f32;
            let curve = self_loop(rect, i, top);
            arrow(line, vec![curve], pos2(rect.right() - 30.0, top))
        });
        roots.chain(loops).collect()
    }
}

fn arrow(line: &TransitionLine, curves: Vec<[Pos2; 4]>, label_at: Pos2) -> Arrow {
    Arrow { owner: line.owner.clone(), index: line.index, curves, label_at, label: line.label.clone() }
}

fn arrows(boxes: &[StateBox], lines: &[TransitionLine], compounds: &[Compound]) -> Vec<Arrow> {
    let root = boxes.len();
    // In the order of ways, whatever is found when.
    let mut found: Vec<Option<Arrow>> = lines.iter().map(|_| None).collect();
    let place_of: HashMap<(&str, usize), usize> =
        lines.iter().enumerate().map(|(i, line)| ((&*line.owner, line.index), i)).collect();
    let put = |found: &mut Vec<Option<Arrow>>, arrow: Arrow| {
        let at = place_of.get(&(&*arrow.owner, arrow.index)).copied();
        if let Some(at) = at {
            found[at] = Some(arrow);
        }
    };
    for (i, it) in boxes.iter().enumerate() {
        Above::of(i, lines).arrows(it.rect).into_iter().for_each(|arrow| put(&mut found, arrow));
    }
    // Legs of each way, in the window's measure: those that go out, the one with the label, those that go in.
    let mut legs: Vec<Vec<(&Leg, &Route, Vec2)>> = lines.iter().map(|_| Vec::new()).collect();
    for (at, compound) in compounds.iter().enumerate() {
        let origin =
            if at == root { Vec2::splat(AROUND) } else { boxes[at].rect.min.to_vec2() + vec2(PAD, HEADER + PAD) };
        for (leg, route) in compound.legs.iter().zip(&compound.placed.routes) {
            legs[leg.line].push((leg, route, origin));
        }
    }
    let mut loose = BTreeSet::new();
    for (i, legs) in legs.iter_mut().enumerate() {
        if found[i].is_some() {
            continue;
        }
        if legs.is_empty() || legs.iter().any(|(_, route, _)| route.curves.is_empty()) {
            loose.insert(i);
            continue;
        }
        let order = |leg: &Leg| match (leg.has_label, leg.to) {
            (true, _) => 1,
            (false, End::Border(_)) => 0,
            (false, End::Node(..)) => 2,
        };
        let mut outward: Vec<_> = legs.iter().filter(|(leg, ..)| order(leg) == 0).collect();
        // Outer compounds come first in the list.
        outward.reverse();
        let middle = legs.iter().filter(|(leg, ..)| order(leg) == 1);
        let inward = legs.iter().filter(|(leg, ..)| order(leg) == 2);
        let mut curves: Vec<[Pos2; 4]> = Vec::new();
        let mut label_at = None;
        for (_, route, origin) in outward.into_iter().chain(middle).chain(inward) {
            curves.extend(route.curves.iter().map(|curve| curve.map(|p| Pos2::from(p) + *origin)));
            label_at = label_at.or(route.label.map(|at| Pos2::from(at) + *origin));
        }
        join(&mut curves);
        let label_at = label_at.unwrap_or_else(|| point(&curves[curves.len() / 2], 0.5));
        put(&mut found, arrow(&lines[i], curves, label_at));
    }
    let mut taken: Vec<Rect> = boxes.iter().filter(|it| !it.is_composite).map(|it| it.rect).collect();
    taken.extend(found.iter().flatten().map(|it| Rect::from_center_size(it.label_at, label_size(&it.label))));
    let pair = |line: &TransitionLine| line.from.map(|from| (from.min(line.to), from.max(line.to)));
    for i in &loose {
        let line = &lines[*i];
        let Some(from) = line.from else { continue };
        let same = loose.iter().filter(|other| pair(&lines[**other]) == pair(line));
        let (n, nth) = (same.clone().count(), same.take_while(|other| *other < i).count());
        let curve = between(boxes, (from, line.to), (n, nth));
        let size = label_size(&line.label);
        let label_at = free_place(&curve, size, &taken);
        taken.push(Rect::from_center_size(label_at, size));
        put(&mut found, arrow(line, vec![curve], label_at));
    }
    found.into_iter().flatten().collect()
}

/// Let each curve begin exactly where the one before ends: borders are rounded.
fn join(curves: &mut [[Pos2; 4]]) {
    for i in 1..curves.len() {
        curves[i][0] = curves[i - 1][3];
    }
}

/// A place for a label where nothing else is: along its own arrow where there is room, else above or below.
fn free_place(curve: &[Pos2; 4], size: Vec2, taken: &[Rect]) -> Pos2 {
    const ALONG: [f32; 7] = [0.5, 0.38, 0.62, 0.28, 0.72, 0.2, 0.8];
    let middle = point(curve, 0.5);
    let is_free = |at: &Pos2| taken.iter().all(|rect| !rect.intersects(Rect::from_center_size(*at, size)));
    let on_curve = ALONG.iter().map(|t| point(curve, *t));
    let beside = (1..12).flat_map(|i| [-1.0, 1.0].map(|s| middle + vec2(0.0, s * 17.0 * i as f32)));
    on_curve.chain(beside).find(is_free).unwrap_or(middle)
}

#[expect(clippy::cast_possible_truncation, reason = "kept within what a screen can show")]
fn finite(x: f64) -> f32 {
    if x.is_finite() { x.clamp(-1e6, 1e6) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Transition, Trigger};

    fn machine() -> Machine {
        let to =
            |to: &str| Transition { trigger: Trigger::After(1.0), guard: None, actions: Vec::new(), to: to.into() };
        let mut machine = Machine::default();
        let mut attack = State { initial: Some("Aim".into()), ..State::default() };
        attack.states.insert("Aim".into(), State { transitions: vec![to("Patrol"), to("Aim")], ..State::default() });
        attack.states.insert("Fire".into(), State { transitions: vec![to("Attack")], ..State::default() });
        let patrol = State { transitions: vec![to("Attack"), to("Attack/Aim"), to("Nowhere")], ..State::default() };
        machine.root.states.insert("Patrol".into(), patrol);
        machine.root.states.insert("Attack".into(), attack);
        machine.root.transitions = vec![to("Patrol")];
        machine.layout.insert("Attack".into(), [300.0, 40.0]);
        machine
    }

    #[test]
    fn boxes_hold_what_is_inside_them_and_every_arrow_is_finite() {
        let graph = Graph::of(&machine());
        assert_eq!(graph.boxes.len(), 4);
        for inner in &graph.boxes {
            if let Some(parent) = inner.parent {
                assert!(graph.boxes[parent].rect.contains_rect(inner.rect), "{}", inner.path);
            }
        }
        // All but the one that leads nowhere.
        assert_eq!(graph.arrows.len(), 6);
        for arrow in &graph.arrows {
            assert!(arrow.curves.iter().flatten().all(|p| p.is_finite()), "{}", arrow.label);
        }
    }

    #[test]
    fn there_and_back_have_labels_apart() {
        let graph = Graph::of(&machine());
        for (i, a) in graph.arrows.iter().enumerate() {
            for b in &graph.arrows[..i] {
                assert!((a.label_at - b.label_at).length() > 8.0, "{:?} on {:?}", a.label_at, b.label_at);
            }
        }
    }

    #[test]
    fn a_point_on_an_arrow_finds_it() {
        let graph = Graph::of(&machine());
        for (i, arrow) in graph.arrows.iter().enumerate() {
            assert_eq!(graph.arrow_at(point(&arrow.curves[0], 0.5), 4.0), Some(i));
        }
    }
}
