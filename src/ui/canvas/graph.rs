//! Where the boxes and arrows of a state machine are. Pure geometry in the graph's own pixels; painting is
//! `panels::machine`.
//!
//! Invariant: a state's box contains the boxes of all states inside it, and every transition has a curve and a place for
//! its words that no other transition between the same two states has.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use crate::model::{Call, Condition, Machine, Name, State, Transition, Trigger};

/// A state without others inside it, in pixels.
pub const LEAF: Vec2 = vec2(148.0, 50.0);
/// Above the states inside a state, in pixels.
pub const HEADER: f32 = 26.0;
/// Around the states inside a state, in pixels.
const PAD: f32 = 18.0;
/// Between parallel arrows, in pixels.
const SPREAD: f32 = 34.0;

/// A state's box.
#[derive(Clone, Debug)]
pub struct StateBox {
    /// Path from the root.
    pub path: Name,
    /// Its own name.
    pub name: Name,
    /// Index of the box around it.
    pub parent: Option<usize>,
    /// In the graph's pixels.
    pub rect: Rect,
    /// Entered with its parent.
    pub is_initial: bool,
    /// Has states inside.
    pub is_composite: bool,
    /// What it does, in a line.
    pub summary: String,
}

/// A transition's arrow.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Path of the state that owns it.
    pub owner: Name,
    /// Which of its transitions.
    pub index: usize,
    /// From here, by way of two control points, to there.
    pub curve: [Pos2; 4],
    /// Middle of its words.
    pub label_at: Pos2,
    /// What makes it fire.
    pub label: String,
}

/// A machine, laid out.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Outer boxes before those inside them.
    pub boxes: Vec<StateBox>,
    /// Every transition whose target is there.
    pub arrows: Vec<Arrow>,
}

impl Graph {
    /// Lay out a machine.
    #[must_use]
    pub fn of(machine: &Machine) -> Self {
        let mut graph = Self::default();
        graph.place(machine, &machine.root, "", None, Pos2::ZERO);
        graph.arrows = graph.route(machine);
        graph
    }

    /// The whole graph's rectangle.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        let all = self.boxes.iter().fold(Rect::NOTHING, |all, it| all.union(it.rect));
        if all.is_positive() { all } else { Rect::from_min_size(Pos2::ZERO, LEAF) }
    }

    /// The innermost box at a point.
    #[must_use]
    pub fn box_at(&self, at: Pos2) -> Option<usize> {
        self.boxes.iter().rposition(|it| it.rect.contains(at))
    }

    /// The arrow nearest to a point, within a distance.
    #[must_use]
    pub fn arrow_at(&self, at: Pos2, within: f32) -> Option<usize> {
        let near = |arrow: &Arrow| {
            let along = (0..=24).map(|i| (point(&arrow.curve, i as f32 / 24.0) - at).length());
            along.fold(f32::INFINITY, f32::min).min((arrow.label_at - at).length() * 0.5)
        };
        let distances = self.arrows.iter().map(near).enumerate();
        distances.filter(|(_, d)| *d <= within).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }

    /// The box of a path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<usize> {
        self.boxes.iter().position(|it| *it.path == *path)
    }

    /// Place the states inside a state; returns the room they take.
    fn place(&mut self, machine: &Machine, state: &State, prefix: &str, parent: Option<usize>, origin: Pos2) -> Rect {
        let mut room = Rect::NOTHING;
        let mut next = vec2(PAD, HEADER + PAD);
        let initial = state.initial.as_deref().map(|name| name.rsplit('/').next().unwrap_or(name));
        for (name, child) in &state.states {
            let path: Name = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}").into() };
            let at = machine.layout.get(&path).map_or(next, |[x, y]| vec2(finite(*x), finite(*y)));
            let index = self.boxes.len();
            let min = origin + at;
            self.boxes.push(StateBox {
                path: path.clone(),
                name: name.clone(),
                parent,
                rect: Rect::from_min_size(min, LEAF),
                is_initial: initial == Some(&**name),
                is_composite: !child.states.is_empty(),
                summary: summary(child),
            });
            let inside = self.place(machine, child, &path, Some(index), min);
            let mut rect = Rect::from_min_size(min, LEAF);
            if inside.is_positive() {
                rect.max = rect.max.max(inside.max + Vec2::splat(PAD));
            }
            self.boxes[index].rect = rect;
            room = room.union(rect);
            // Where nobody said: below what is there.
            next = vec2(PAD, room.max.y - origin.y + PAD);
        }
        room
    }

    fn route(&self, machine: &Machine) -> Vec<Arrow> {
        let mut wanted: Vec<(Option<usize>, usize, Name, usize, &Transition)> = Vec::new();
        let owners = std::iter::once(("".into(), &machine.root))
            .chain(self.boxes.iter().filter_map(|it| Some((it.path.clone(), machine.state(&it.path)?))));
        for (path, state) in owners {
            for (index, transition) in state.transitions.iter().enumerate() {
                let to = machine.find(&transition.to).ok().and_then(|to| self.find(&to));
                if let Some(to) = to {
                    wanted.push((self.find(&path), to, path.clone(), index, transition));
                }
            }
        }
        let pair = |from: Option<usize>, to: usize| {
            (from.map_or(to, |from| from.min(to)), from.map_or(to, |from| from.max(to)))
        };
        let mut arrows = Vec::new();
        for (i, (from, to, owner, index, transition)) in wanted.iter().enumerate() {
            let is_same = |other: &&(Option<usize>, usize, Name, usize, &Transition)| {
                pair(other.0, other.1) == pair(*from, *to) && other.0.is_none() == from.is_none()
            };
            let n = wanted.iter().filter(is_same).count();
            let nth = wanted[..i].iter().filter(is_same).count();
            let curve = match from {
                Some(from) if from == to => self_loop(self.boxes[*to].rect, nth),
                Some(from) => self.between(*from, *to, n, nth),
                None => from_above(self.boxes[*to].rect, nth),
            };
            let label_at = point(&curve, 0.5);
            arrows.push(Arrow {
                owner: owner.clone(),
                index: *index,
                curve,
                label_at,
                label: trigger_text(transition),
            });
        }
        let leaves = self.boxes.iter().filter(|it| !it.is_composite).map(|it| it.rect);
        part_labels(&mut arrows, leaves.collect());
        arrows
    }

    fn between(&self, from: usize, to: usize, n: usize, nth: usize) -> [Pos2; 4] {
        let (a, b) = (self.boxes[from].rect, self.boxes[to].rect);
        if a.contains_rect(b) || b.contains_rect(a) {
            let (outer, inner, outward) = if a.contains_rect(b) { (a, b, false) } else { (b, a, true) };
            let shift = nth as f32 * 22.0;
            let at_inner = pos2(inner.center().x + shift, inner.top());
            let at_outer = pos2(inner.center().x + shift, outer.top() + HEADER - 4.0);
            let ends = if outward { [at_inner, at_outer] } else { [at_outer, at_inner] };
            let third = (ends[1] - ends[0]) / 3.0;
            return [ends[0], ends[0] + third, ends[1] - third, ends[1]];
        }
        // One normal for both directions, so that there and back do not lie on each other.
        let (lo, hi) = if from < to { (a, b) } else { (b, a) };
        let along = (hi.center() - lo.center()).normalized();
        let normal = vec2(-along.y, along.x);
        let bend = (nth as f32 - (n as f32 - 1.0) / 2.0) * SPREAD;
        let middle = a.center() + (b.center() - a.center()) * 0.5 + normal * bend * 2.0;
        let (start, end) = (border(a, middle), border(b, middle));
        let c = middle + (middle - (start + (end - start) * 0.5)) * 0.35;
        [start, start + (c - start) * 0.66, end + (c - end) * 0.66, end]
    }
}

/// About how large an arrow's words are, in pixels.
fn label_size(label: &str) -> Vec2 {
    vec2((label.chars().count() as f32 * 6.0).min(180.0) + 8.0, 16.0)
}

/// Move words that lie on each other or on boxes apart, along their own arrows where there is room, else up and down.
fn part_labels(arrows: &mut [Arrow], mut taken: Vec<Rect>) {
    const ALONG: [f32; 7] = [0.5, 0.38, 0.62, 0.28, 0.72, 0.2, 0.8];
    for arrow in arrows {
        let size = label_size(&arrow.label);
        let is_free = |at: &Pos2| taken.iter().all(|rect| !rect.intersects(Rect::from_center_size(*at, size)));
        let on_curve = ALONG.iter().map(|t| point(&arrow.curve, *t));
        let beside = (1..12).flat_map(|i| [-1.0, 1.0].map(|s| arrow.label_at + vec2(0.0, s * 17.0 * i as f32)));
        if let Some(at) = on_curve.chain(beside).find(is_free) {
            arrow.label_at = at;
        }
        taken.push(Rect::from_center_size(arrow.label_at, size));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "kept within what a screen can show")]
fn finite(x: f64) -> f32 {
    if x.is_finite() { x.clamp(-1e6, 1e6) as f32 } else { 0.0 }
}

/// A point of a cubic curve.
#[must_use]
pub fn point([a, b, c, d]: &[Pos2; 4], t: f32) -> Pos2 {
    let s = 1.0 - t;
    let sum = a.to_vec2() * (s * s * s)
        + b.to_vec2() * (3.0 * s * s * t)
        + c.to_vec2() * (3.0 * s * t * t)
        + d.to_vec2() * (t * t * t);
    sum.to_pos2()
}

/// Where the way from a box's center to a point leaves the box.
#[must_use]
pub fn border(rect: Rect, toward: Pos2) -> Pos2 {
    let c = rect.center();
    let d = toward - c;
    if d.length() < 1e-3 {
        return rect.right_center();
    }
    let half = rect.size() / 2.0;
    let scale = (half.x / d.x.abs().max(1e-6)).min(half.y / d.y.abs().max(1e-6));
    c + d * scale
}

fn self_loop(rect: Rect, nth: usize) -> [Pos2; 4] {
    let x = rect.right() - 26.0 - nth as f32 * 52.0;
    let top = rect.top();
    [pos2(x - 12.0, top), pos2(x - 26.0, top - 44.0), pos2(x + 26.0, top - 44.0), pos2(x + 12.0, top)]
}

/// A transition of the root: it comes from outside, whatever state is active.
fn from_above(rect: Rect, nth: usize) -> [Pos2; 4] {
    let x = rect.left() + 26.0 + nth as f32 * 40.0;
    let start = pos2(x, rect.top() - 40.0);
    let end = pos2(x, rect.top());
    [start, start + vec2(0.0, 14.0), end - vec2(0.0, 14.0), end]
}

/// What makes a transition fire, as people say it.
#[must_use]
pub fn trigger_text(transition: &Transition) -> String {
    let what = match &transition.trigger {
        Trigger::When(condition) => condition_text(condition),
        Trigger::On(message) => message.to_string(),
        Trigger::After(secs) => format!("after {secs} s"),
    };
    match &transition.guard {
        Some(guard) => format!("{what} [{}]", condition_text(guard)),
        None => what,
    }
}

/// A condition as people say it.
#[must_use]
pub fn condition_text(condition: &Condition) -> String {
    let list = |parts: &[Condition], word: &str| parts.iter().map(condition_text).collect::<Vec<_>>().join(word);
    match condition {
        Condition::Call(call) => call_text(call),
        Condition::All(parts) => list(parts, " and "),
        Condition::Any(parts) => list(parts, " or "),
        Condition::Not(inner) => format!("not {}", condition_text(inner)),
    }
}

/// An action or condition as people say it: its name and arguments.
#[must_use]
pub fn call_text(call: &Call) -> String {
    let args: Vec<String> =
        call.args.values().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
    if args.is_empty() { call.name.to_string() } else { format!("{} {}", call.name, args.join(", ")) }
}

fn summary(state: &State) -> String {
    let mut parts = Vec::new();
    parts.extend(state.enter.first().map(call_text));
    if !state.update.is_empty() {
        parts.push("updates".to_owned());
    }
    parts.extend(state.on.keys().map(|message| format!("on {message}")));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Transition;

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
            assert!(arrow.curve.iter().all(|p| p.is_finite()), "{}", arrow.label);
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
            assert_eq!(graph.arrow_at(point(&arrow.curve, 0.5), 4.0), Some(i));
        }
    }
}
