//! Where the boxes and arrows of a state machine are, and what is written on them. Pure geometry in the graph's own pixels;
//! how it comes about is `arrange`, painting is `panels::machine`.
//!
//! Invariant: a state's box contains the boxes of all states inside it, and every transition has a curve and a place for
//! its words that no other transition between the same two states has.

use egui::{Pos2, Rect, Vec2, vec2};

use super::{
    arrange::{Stored, arrange},
    reach::{between, self_loop},
};
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
    /// Lay out a machine.
    #[must_use]
    pub fn of(machine: &Machine) -> Self {
        Self::after(machine, None)
    }

    /// Lay out a machine that looked like `earlier` a moment ago: where nothing is stored, what is there keeps its order.
    #[must_use]
    pub fn after(machine: &Machine, earlier: Option<&Self>) -> Self {
        arrange(machine, earlier, &Stored::All)
    }

    /// The places of all states inside a state (of all for an empty path) as they are laid out afresh, each in its parent's
    /// frame.
    #[must_use]
    pub fn tidied(machine: &Machine, state: &str) -> Vec<(Name, [f64; 2])> {
        let graph = arrange(machine, None, &Stored::NoneIn(state));
        let is_in = |path: &str| state.is_empty() || path.strip_prefix(state).is_some_and(|rest| rest.starts_with('/'));
        (0..graph.boxes.len()).filter(|i| is_in(&graph.boxes[*i].path)).map(|i| graph.place_of(i)).collect()
    }

    /// A box's path and place in its parent's frame, as an edit takes them.
    fn place_of(&self, i: usize) -> (Name, [f64; 2]) {
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

    /// Where the states directly inside a state stand that have no stored place: what has to be written as well when one of
    /// them is given one, or the others would move.
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

    /// A curve from one state to another, past the boxes where there is room.
    #[must_use]
    pub fn straight(&self, from: &str, to: &str) -> Option<[Pos2; 4]> {
        let (from, to) = (self.find(from)?, self.find(to)?);
        if from == to {
            let rect = self.boxes[to].rect;
            return Some(self_loop(rect, 0, rect.top() - 44.0));
        }
        Some(between(&self.boxes, (from, to), (2, 1)))
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
        let along = next - before;
        let t = ((at - before).dot(along) / along.length_sq().max(1e-6)).clamp(0.0, 1.0);
        least = least.min((before + along * t - at).length());
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
