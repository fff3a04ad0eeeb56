//! Where the boxes and arrows of a state machine are, and what is written on them. Pure geometry in the graph's own
//! pixels; how it comes about is `arrange`, painting is `panels::machine`.
//!
//! Invariant: a state's box contains the boxes of all states inside it, and every transition has a curve and a place
//! for its words that no other transition between the same two states has.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::lines;
use crate::model::{Call, Condition, Machine, Name, State, Transition, Trigger};

/// A state without others inside it, in pixels.
pub const LEAF: Vec2 = vec2(148.0, 50.0);
/// Above the states inside a state, in pixels.
pub const HEADER: f32 = 26.0;
/// Around the states inside a state, in pixels.
pub(super) const PAD: f32 = 18.0;

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
    /// Cubic curves, each beginning where the one before ends.
    pub curves: Vec<[Pos2; 4]>,
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
    /// How much work the layout was, as [`crate::layout::Placed`] counts it.
    pub work: u64,
}

impl Graph {
    /// A box's path and place in its parent's frame, as an edit takes them.
    pub(super) fn place_of(&self, i: usize) -> (Name, [f64; 2]) {
        let at = self.in_parent(i);
        (self.boxes[i].path.clone(), [f64::from(at.x), f64::from(at.y)])
    }

    /// A box's place in its parent's frame.
    #[must_use]
    pub fn in_parent(&self, i: usize) -> Pos2 {
        let state = &self.boxes[i];
        let origin = state.parent.map_or(Pos2::ZERO, |parent| self.boxes[parent].rect.min);
        (state.rect.min - origin).to_pos2()
    }

    /// Where the states directly inside a state stand that have no stored place: what has to be written as well when
    /// one of them is given one, or the others would move.
    #[must_use]
    pub fn unstored(&self, machine: &Machine, parent: &str) -> Vec<(Name, [f64; 2])> {
        let is_child = |path: &str| path.rsplit_once('/').map_or("", |(parent, _)| parent) == parent;
        let is_wanted =
            |path: &Name| is_child(path) && !machine.layout.contains_key(path) && machine.state(path).is_some();
        (0..self.boxes.len()).filter(|i| is_wanted(&self.boxes[*i].path)).map(|i| self.place_of(i)).collect()
    }

    /// The whole graph's rectangle, labels too.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        let all = self.boxes.iter().fold(Rect::NOTHING, |all, it| all.union(it.rect));
        let all = self.arrows.iter().fold(all, |all, it| {
            let ends = it.curves.iter().flatten();
            let all = ends.fold(all, |all, at| all.union(Rect::from_min_max(*at, *at)));
            all.union(Rect::from_center_size(it.label_at, label_size(&it.label)))
        });
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
            let label = Rect::from_center_size(arrow.label_at, label_size(&arrow.label));
            if label.contains(at) {
                return 0.0;
            }
            arrow.curves.iter().map(|curve| distance(curve, at)).fold(f32::INFINITY, f32::min)
        };
        let distances = self.arrows.iter().map(near).enumerate();
        distances.filter(|(_, d)| *d <= within).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
    }

    /// The box of a path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<usize> {
        self.boxes.iter().position(|it| *it.path == *path)
    }
}

/// About how large an arrow's label is, in pixels.
#[must_use]
pub fn label_size(label: &str) -> Vec2 {
    vec2((label.chars().count() as f32 * 6.0).min(180.0) + 8.0, 16.0)
}

/// How far a point is from a curve.
fn distance(curve: &[Pos2; 4], at: Pos2) -> f32 {
    let mut before = curve[0];
    let mut least = f32::INFINITY;
    for i in 1..=16 {
        let next = point(curve, i as f32 / 16.0);
        least = least.min(lines::distance(at, [before, next]));
        before = next;
    }
    least
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

/// The nearest place on the grid that boxes stand on when they are moved, in pixels.
#[must_use]
pub fn snapped(at: Pos2) -> Pos2 {
    pos2((at.x / 4.0).round() * 4.0, (at.y / 4.0).round() * 4.0)
}

/// The trigger of a transition in plain words.
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

/// A condition in plain words.
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

/// An action or condition in plain words: its name and arguments.
fn call_text(call: &Call) -> String {
    let args: Vec<String> =
        call.args.values().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
    if args.is_empty() { call.name.to_string() } else { format!("{} {}", call.name, args.join(", ")) }
}

pub(super) fn summary(state: &State) -> String {
    let mut parts = Vec::new();
    parts.extend(state.enter.first().map(call_text));
    if !state.update.is_empty() {
        parts.push("updates".to_owned());
    }
    parts.extend(state.on.keys().map(|message| format!("on {message}")));
    parts.join(" · ")
}
