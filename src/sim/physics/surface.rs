//! The outline of a chunk of ground as a shape for the solver: edges, each with the range of normals of its contacts.
//!
//! Invariant: a contact's normal lies between those of the edges that meet at its point, so no body is stopped or
//! turned where the surface continues, whatever kinds of tiles or chunks meet there. Which edges meet is `ends`.

use glam::Vec2;
use rapier2d::parry::{
    bounding_volume::{Aabb, BoundingSphere},
    mass_properties::MassProperties,
    math::Pose,
    partitioning::Bvh,
    query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection, details::NormalConstraints},
    shape::{CompositeShape, FeatureId, Polyline, PolylineFlags, Shape, ShapeType, TypedShape},
};

use super::outline::Segment;

/// Distance that an edge ends short of an end behind another surface, in pixels: a body that slides fast over that end
/// would be stopped before its contacts can be filtered.
const BACK: f32 = 0.25;

/// Edges that are solid from their outer side.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    line: Polyline,
    normals: Vec<Normals>,
}

/// The range of normals of contacts with an edge.
#[derive(Clone, Copy, Debug)]
struct Normals {
    /// Normal of the edge.
    face: Vec2,
    /// The last normals beyond its start and its end.
    limits: [Vec2; 2],
}

impl Surface {
    /// The shape of some edges, in their order. Sweeps of fast bodies ignore `one_way` edges that they are behind at the
    /// start; contacts are filtered in `hooks`.
    #[must_use]
    pub(super) fn new(segments: &[Segment], one_way: bool) -> Self {
        let points = segments.iter().flat_map(|segment| {
            let way = segment.b - segment.a;
            let back = way * (BACK / way.length()).min(0.25);
            let [from, to] = segment.ends.map(|end| if end.other.is_some() { back } else { Vec2::ZERO });
            [segment.a + from, segment.b - to]
        });
        let points = points.collect();
        let pairs = (0..).step_by(2).map(|i| [i, i + 1]).take(segments.len()).collect();
        let normals = segments.iter().map(|segment| {
            let face = segment.normal();
            Normals { face, limits: segment.ends.map(|end| end.round.unwrap_or(face)) }
        });
        let flags = if one_way { PolylineFlags::ORIENTED } else { PolylineFlags::empty() };
        Self { line: Polyline::with_flags(points, Some(pairs), flags), normals: normals.collect() }
    }
}

impl NormalConstraints for Normals {
    fn project_local_normal_mut(&self, normal: &mut Vec2) -> bool {
        let out = normal.dot(self.face);
        // The start of an edge is to the left of its normal.
        let limit = self.limits[usize::from(self.face.perp_dot(*normal) > 0.0)];
        if out < limit.dot(self.face) {
            *normal = limit;
        }
        out >= 0.0
    }
}

impl CompositeShape for Surface {
    fn map_part_at(&self, i: u32, visit: &mut dyn FnMut(Option<&Pose>, &dyn Shape, Option<&dyn NormalConstraints>)) {
        if let Some(normals) = self.normals.get(i as usize) {
            visit(None, &self.line.segment(i), Some(normals));
        }
    }

    fn bvh(&self) -> &Bvh {
        self.line.bvh()
    }
}

impl PointQuery for Surface {
    fn project_local_point(&self, at: Vec2, solid: bool) -> PointProjection {
        self.line.project_local_point(at, solid)
    }

    fn project_local_point_and_get_feature(&self, at: Vec2) -> (PointProjection, FeatureId) {
        self.line.project_local_point_and_get_feature(at)
    }
}

impl RayCast for Surface {
    fn cast_local_ray_and_get_normal(&self, ray: &Ray, longest: f32, solid: bool) -> Option<RayIntersection> {
        self.line.cast_local_ray_and_get_normal(ray, longest, solid)
    }
}

impl Shape for Surface {
    fn compute_local_aabb(&self) -> Aabb {
        self.line.compute_local_aabb()
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        self.line.compute_local_bounding_sphere()
    }

    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    fn scale_dyn(&self, _: Vec2, _: u32) -> Option<Box<dyn Shape>> {
        None
    }

    fn mass_properties(&self, density: f32) -> MassProperties {
        self.line.mass_properties(density)
    }

    fn shape_type(&self) -> ShapeType {
        ShapeType::Custom
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        // Fast bodies are swept against the edges of a polyline, which for a custom shape takes many times as long. The
        // type of the shape stays custom, so contacts use the normals here.
        TypedShape::Polyline(&self.line)
    }

    fn ccd_thickness(&self) -> f32 {
        self.line.ccd_thickness()
    }

    fn ccd_angular_thickness(&self) -> f32 {
        self.line.ccd_angular_thickness()
    }

    fn as_composite_shape(&self) -> Option<&(dyn CompositeShape + Sync)> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_turn_as_far_as_the_next_edge_and_no_farther() {
        // A top, beyond whose end the surface goes down a slope; at its beginning it goes on level.
        let slope = Vec2::new(1.0, -1.0).normalize();
        let top = Normals { face: Vec2::NEG_Y, limits: [Vec2::NEG_Y, slope] };
        let projected = |x: f32, y: f32| {
            let mut normal = Vec2::new(x, y).normalize();
            top.project_local_normal_mut(&mut normal).then_some(normal)
        };
        let gentle = Vec2::new(0.1, -1.0).normalize();
        assert_eq!(projected(0.1, -1.0), Some(gentle));
        assert_eq!(projected(1.0, -0.2), Some(slope));
        assert_eq!(projected(-0.1, -1.0), Some(Vec2::NEG_Y));
        assert_eq!(projected(-1.0, 0.0), Some(Vec2::NEG_Y));
        assert_eq!(projected(0.2, 1.0), None);
    }
}
