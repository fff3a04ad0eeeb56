//! Bodies of the same kind: specs and shapes of the last few kinds, shared by all bodies that have them.
//!
//! Invariant: sharing changes no result. It keeps the data of a crowd together in memory: the solver looks at the shapes
//! of all bodies in each step.

use std::sync::Arc;

use glam::Vec2;
use rapier2d::prelude::SharedShape;

use crate::model::Shape;

use super::spec::{BodySpec, PartSpec};

/// The number of kinds that are kept.
const MAX_KINDS: usize = 32;

/// The shape of a part and its offset from the origin in pixels; `None` without an area.
pub(super) type PlacedShape = Option<(SharedShape, Vec2)>;

/// What bodies of the same kind share.
#[derive(Clone)]
pub(super) struct Kind {
    pub(super) spec: Arc<BodySpec>,
    /// The shape of each part.
    pub(super) shapes: Arc<[PlacedShape]>,
}

impl Kind {
    fn new(spec: &BodySpec) -> Self {
        let parts = spec.collider.iter().flat_map(|collider| &collider.parts);
        Self { spec: Arc::new(spec.clone()), shapes: parts.map(shape_of).collect() }
    }
}

/// The kinds of the bodies spawned last.
#[derive(Clone, Default)]
pub(super) struct Kinds {
    /// The last one used is at the end.
    recent: Vec<Kind>,
}

impl Kinds {
    /// The kind of a body with this spec.
    pub(super) fn of(&mut self, spec: &BodySpec) -> Kind {
        let known = self.recent.iter().rposition(|kind| *kind.spec == *spec);
        let kind = known.map_or_else(|| Kind::new(spec), |i| self.recent.remove(i));
        if self.recent.len() == MAX_KINDS {
            self.recent.remove(0);
        }
        self.recent.push(kind.clone());
        kind
    }
}

fn shape_of(part: &PartSpec) -> PlacedShape {
    let convex = &part.convex;
    let offset = convex.center();
    Some(match &part.shape {
        #[allow(clippy::cast_possible_truncation)] // pixels
        Shape::Box([w, h]) => (SharedShape::cuboid(*w as f32 / 2.0, *h as f32 / 2.0), offset),
        _ => match &*convex.points {
            [point] => (SharedShape::ball(convex.radius), *point),
            [a, b] => (SharedShape::capsule(*a, *b, convex.radius), Vec2::ZERO),
            points => (SharedShape::convex_polyline(points.to_vec())?, Vec2::ZERO),
        },
    })
}
