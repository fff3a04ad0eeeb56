//! The handles of the fields that the canvas shows at an entity (shapes, paths, areas), and the field that dragging one
//! gives.
//!
//! Places are in pixels from the entity's origin, before it is rotated. Invariants: handles are where they are drawn,
//! both go by [`field_handles`]; what comes out of a drag is a value that its declaration allows, so the hand meets a
//! stop.

use super::{
    Extent,
    shape_handles::{Grip, Placed, edge_near, grips, nearest_edge, pulled, tidy, with_corner, without_corner},
};
use crate::{
    edit::{Edit, Owner},
    explain::{CanvasField, Drawn},
    model::{FieldPath, FieldType, Name, OpKind, Project, Seg, Shape, Value, counted},
    refactor::{FieldOf, edits_for_drag, edits_for_drag_of_parts, ops_of},
};

/// A shape whose longer side is smaller than this has no handles: they would leave nothing to hold the entity by. In
/// points of the screen, as all of these.
const LEAST_SHAPE: f64 = 28.0;
/// Edges shorter than this have none in their middle.
const LEAST_EDGE: f64 = 32.0;
/// How far beyond an end the handle is that continues a path.
const BEYOND: f64 = 16.0;
/// Lists of more points have no handles.
const MOST_POINTS: usize = 500;

/// A handle of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldGrip {
    /// One of a shape, or a point of a list.
    Of(Grip),
    /// The middle of an edge: a new point is dragged out of it.
    Middle(usize),
    /// Before the first point: a new one is dragged out of it.
    Before,
    /// The same after the last.
    After,
}

/// Something of a field at a place of the canvas.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSpot {
    /// The component.
    pub component: Name,
    /// The field.
    pub field: Name,
    /// Where in its value.
    pub inner: FieldPath,
    /// What of it.
    pub part: SpotPart,
}

/// What of a field is at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpotPart {
    /// A handle.
    Grip(FieldGrip),
    /// An edge, by number, and the place on it.
    Edge(usize, [f64; 2]),
}

/// What a drag keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keeps {
    /// The center of a shape: both sides move.
    pub center: bool,
    /// The proportions of a box.
    pub ratio: bool,
}

impl FieldSpot {
    pub(super) fn of(field: &CanvasField, part: SpotPart) -> Self {
        Self { component: field.component.clone(), field: field.field.clone(), inner: field.inner.clone(), part }
    }

    /// Whether it is of a field.
    #[must_use]
    pub fn is_of(&self, field: &CanvasField) -> bool {
        field.component == self.component && field.field == self.field && field.inner == self.inner
    }

    /// The field that it is of.
    #[must_use]
    pub fn find<'a>(&self, fields: &'a [CanvasField]) -> Option<&'a CanvasField> {
        fields.iter().find(|it| self.is_of(it))
    }
}

fn placed(field: &CanvasField, shape: &Shape) -> Placed {
    Placed { shape: shape.clone(), offset: field.offset }
}

/// How many edges lie between points, and whether the last leads back to the first.
fn edges(n: usize, is_closed: bool) -> (usize, bool) {
    let is_ring = is_closed && n > 2;
    (if is_ring { n } else { n.saturating_sub(1) }, is_ring)
}

fn middle(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|i| f64::midpoint(a[i], b[i]))
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The corners or points of a field where they are, and the number of its edges; none of round shapes and boxes.
fn corners(field: &CanvasField) -> (Vec<[f64; 2]>, usize) {
    let moved = |points: &[[f64; 2]]| {
        points.iter().map(|[x, y]| [x + field.offset[0], y + field.offset[1]]).collect::<Vec<_>>()
    };
    match &field.drawn {
        Drawn::Shape(Shape::Polygon(points)) => (moved(points), points.len()),
        Drawn::Points { points, is_closed } => (moved(points), edges(points.len(), *is_closed).0),
        Drawn::Shape(_) | Drawn::Text(_) => (Vec::new(), 0),
    }
}

/// The handles of a field of an entity, and where they are.
#[must_use]
pub fn field_handles(field: &CanvasField, extent: Extent, px_per_point: f64) -> Vec<(FieldGrip, [f64; 2])> {
    let (points, n_edges) = corners(field);
    let edge = |i: usize| (points[i], points[(i + 1) % points.len()]);
    let is_long = |i: &usize| distance(edge(*i).0, edge(*i).1) >= LEAST_EDGE * px_per_point;
    let middle_of = |i: usize| (FieldGrip::Middle(i), middle(edge(i).0, edge(i).1));
    let middles = (0..n_edges).filter(is_long).map(middle_of);
    match &field.drawn {
        Drawn::Text(_) => Vec::new(),
        Drawn::Shape(shape) => {
            let ([w, h], _) = shape.bounds();
            if 2.0 * w.max(h) < LEAST_SHAPE * px_per_point || points.len() > MOST_POINTS {
                return Vec::new();
            }
            // A shape that surrounds the body is moved by its corners: its center is where the entity is held.
            let is_on_body = |at: [f64; 2]| (0..2).all(|i| (at[i] - extent.center[i]).abs() <= extent.half[i]);
            let has = |(grip, at): &(Grip, [f64; 2])| *grip != Grip::Center || (field.at.is_some() && !is_on_body(*at));
            let own = grips(&placed(field, shape)).into_iter().filter(has);
            own.map(|(grip, at)| (FieldGrip::Of(grip), at)).chain(middles).collect()
        }
        Drawn::Points { .. } if points.len() > MOST_POINTS => Vec::new(),
        Drawn::Points { is_closed, .. } => {
            let all = points.iter().enumerate().map(|(i, at)| (FieldGrip::Of(Grip::Point(i)), *at));
            let mut out: Vec<_> = all.chain(middles).collect();
            let (_, is_ring) = edges(points.len(), *is_closed);
            if !is_ring {
                out.extend(ends(&points, field.n_empty_before, extent, BEYOND * px_per_point));
            }
            out
        }
    }
}

/// The handles that continue a path. One without points begins below the entity, beside so many others.
fn ends(points: &[[f64; 2]], n_before: usize, extent: Extent, by: f64) -> Vec<(FieldGrip, [f64; 2])> {
    let beyond = |end: [f64; 2], before: [f64; 2]| {
        let away = [end[0] - before[0], end[1] - before[1]];
        let length = away[0].hypot(away[1]);
        if length > 0.0 { [0, 1].map(|i| end[i] + away[i] / length * by) } else { [end[0] + by, end[1]] }
    };
    match points {
        [] => {
            #[expect(clippy::cast_precision_loss, reason = "a handful of fields")]
            let beside = n_before as f64 * by;
            vec![(FieldGrip::After, [extent.center[0] + beside, extent.center[1] + extent.half[1] + by])]
        }
        [one] => vec![(FieldGrip::After, beyond(*one, *one))],
        [first, second, ..] => {
            let [.., before, last] = points else { return Vec::new() };
            vec![(FieldGrip::Before, beyond(*first, *second)), (FieldGrip::After, beyond(*last, *before))]
        }
    }
}

/// The handle nearest to a place, no further than `within`, of any of some fields.
pub(super) fn handle_at<'a>(
    fields: &'a [CanvasField],
    extent: Extent,
    px_per_point: f64,
    (at, within): ([f64; 2], f64),
) -> Option<(&'a CanvasField, FieldGrip, [f64; 2])> {
    let of = |field: &'a CanvasField| {
        let handles = field_handles(field, extent, px_per_point).into_iter();
        handles.map(move |(grip, place)| (distance(place, at), field, grip, place))
    };
    let near = fields.iter().flat_map(of).filter(|(far, ..)| *far <= within);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, field, grip, place)| (field, grip, place))
}

/// The edge nearest to a place, no further than `within`, of any of some fields; its number, and the place on it.
pub(super) fn edge_at(
    fields: &[CanvasField],
    (at, within): ([f64; 2], f64),
) -> Option<(&CanvasField, usize, [f64; 2])> {
    let of = |field| {
        let (points, n_edges) = corners(field);
        nearest_edge(&points, n_edges, at).map(|(far, i, place)| (far, field, i, place))
    };
    let near = fields.iter().filter_map(of).filter(|(far, ..)| *far <= within);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, field, i, place)| (field, i, place))
}

/// A field after one of its handles, which was at `from`, was dragged to a place: the furthest on the way there that is
/// allowed.
pub(super) fn dragged(
    field: &CanvasField,
    grip: FieldGrip,
    (from, to): ([f64; 2], [f64; 2]),
    keeps: Keeps,
) -> CanvasField {
    let try_at = |to: [f64; 2]| moved(field, grip, to, keeps).filter(CanvasField::is_in_range);
    if let Some(after) = try_at(to) {
        return after;
    }
    let on_the_way = |share: f64| [0, 1].map(|i| from[i] + (to[i] - from[i]) * share);
    let (mut good, mut far, mut best) = (0.0, 1.0, None);
    for _ in 0..16 {
        let share = f64::midpoint(good, far);
        match try_at(on_the_way(share)) {
            Some(after) => (good, best) = (share, Some(after)),
            None => far = share,
        }
    }
    best.unwrap_or_else(|| field.clone())
}

/// The same where nothing forbids it.
fn moved(field: &CanvasField, grip: FieldGrip, to: [f64; 2], keeps: Keeps) -> Option<CanvasField> {
    match &field.drawn {
        Drawn::Text(_) => None,
        Drawn::Shape(shape) => {
            let before = placed(field, shape);
            let (before, grip) = match grip {
                FieldGrip::Of(grip) => (before, grip),
                FieldGrip::Middle(i) => {
                    let (points, _) = corners(field);
                    let (a, b) = (*points.get(i)?, *points.get((i + 1) % points.len())?);
                    with_corner(&before, i, middle(a, b))?
                }
                FieldGrip::Before | FieldGrip::After => return None,
            };
            let is_centered = keeps.center || field.at.is_none();
            let to = if keeps.ratio { in_ratio(&before, grip, to, is_centered) } else { to };
            let after = pulled(&before, grip, to, is_centered);
            // A corner that would make a dent stays.
            let at = |it: &Placed| grips(it).into_iter().find(|(of, _)| *of == grip).map(|(_, at)| at);
            let is_refused =
                matches!(grip, Grip::Point(_)) && at(&after)? == at(&before)? && distance(at(&before)?, to) > 0.1;
            (!is_refused).then(|| with_shape(field, after))
        }
        Drawn::Points { points, is_closed } => {
            let place = [0, 1].map(|i| tidy(to[i] - field.offset[i]));
            let mut points = points.clone();
            match grip {
                FieldGrip::Of(Grip::Point(i)) => *points.get_mut(i)? = place,
                FieldGrip::Of(_) => return None,
                FieldGrip::Middle(i) => points.insert((i + 1).min(points.len()), place),
                FieldGrip::Before => points.insert(0, place),
                FieldGrip::After => points.push(place),
            }
            Some(with_points(field, points, *is_closed))
        }
    }
}

/// Where the corner of a box is pulled to so that its sides keep their proportions.
fn in_ratio(before: &Placed, grip: Grip, to: [f64; 2], is_centered: bool) -> [f64; 2] {
    let (Shape::Box(size), Grip::Corner { right, bottom }) = (&before.shape, grip) else { return to };
    let sign = [right, bottom].map(|is_far| if is_far { 1.0 } else { -1.0 });
    // What stays where it is: the center, or the corner across.
    let fixed = [0, 1].map(|i| before.offset[i] - if is_centered { 0.0 } else { sign[i] * size[i] / 2.0 });
    let whole = if is_centered { size.map(|side| side / 2.0) } else { *size };
    let factor = |i: usize| (to[i] - fixed[i]) * sign[i] / whole[i];
    let factor = factor(0).max(factor(1)).max(0.0);
    [0, 1].map(|i| fixed[i] + sign[i] * whole[i] * factor)
}

fn with_shape(field: &CanvasField, after: Placed) -> CanvasField {
    CanvasField { drawn: Drawn::Shape(after.shape), offset: after.offset, ..field.clone() }
}

fn with_points(field: &CanvasField, points: Vec<[f64; 2]>, is_closed: bool) -> CanvasField {
    CanvasField { drawn: Drawn::Points { points, is_closed }, ..field.clone() }
}

/// A field without one of its points or corners. None where it has to have it.
#[must_use]
pub fn without_point(field: &CanvasField, i: usize) -> Option<CanvasField> {
    match &field.drawn {
        Drawn::Shape(shape) => without_corner(&placed(field, shape), i).map(|after| with_shape(field, after)),
        Drawn::Points { points, is_closed } if i < points.len() => {
            let mut points = points.clone();
            points.remove(i);
            Some(with_points(field, points, *is_closed))
        }
        Drawn::Points { .. } | Drawn::Text(_) => None,
    }
}

/// A field with a point or corner more on an edge. None where it cannot have it.
#[must_use]
pub fn with_point(field: &CanvasField, edge: usize, at: [f64; 2]) -> Option<CanvasField> {
    let Drawn::Shape(shape) = &field.drawn else {
        let at = at.map(f64::round);
        return moved(field, FieldGrip::Middle(edge), at, Keeps::default()).filter(CanvasField::is_in_range);
    };
    let before = placed(field, shape);
    let on_grid = with_corner(&before, edge, at.map(f64::round));
    let exact = || with_corner(&before, edge, edge_near(&before, at, f64::MAX)?.1);
    on_grid.or_else(exact).map(|(after, _)| with_shape(field, after)).filter(CanvasField::is_in_range)
}

/// A path the other way round. None for what is no path.
#[must_use]
pub fn reversed(field: &CanvasField) -> Option<CanvasField> {
    let Drawn::Points { points, is_closed: false } = &field.drawn else { return None };
    (points.len() > 1).then(|| with_points(field, points.iter().rev().copied().collect(), false))
}

/// The edits that give an entity, or a definition, the field as it is after a change.
#[must_use]
pub fn field_edits(project: &Project, owner: &Owner, before: &CanvasField, after: &CanvasField) -> Vec<Edit> {
    let of = |field, ty| FieldOf { owner, component: &before.component, field, ty };
    let drawn = (after.drawn != before.drawn).then(|| after.value());
    let offset = (after.offset != before.offset).then(|| Value::vec2(after.offset[0], after.offset[1]));
    if let Some(whole) = &before.whole {
        let moved = before.place_of_at().zip(offset);
        let parts: Vec<_> = drawn.map(|value| (before.inner.clone(), value)).into_iter().chain(moved).collect();
        return edits_for_drag_of_parts(project, of(&before.field, &FieldType::Any), whole, &parts);
    }
    let drawn = drawn.map(|value| edits_for_drag(project, of(&before.field, &before.ty), &value));
    let moved = before.at.as_ref().zip(offset);
    let moved = moved.map(|(at, offset)| edits_for_drag(project, of(at, &FieldType::Vec2), &offset));
    drawn.into_iter().chain(moved).flatten().collect()
}

/// The edits that give an entity, or a definition, another text in place of the one of a field. None where it is the
/// same.
#[must_use]
pub fn text_edits(project: &Project, owner: &Owner, field: &CanvasField, text: &str) -> Vec<Edit> {
    field_edits(project, owner, field, &CanvasField { drawn: Drawn::Text(text.to_owned()), ..field.clone() })
}

/// The edits that drop what an owner declares for a field and the pair that moves it; none where it declares nothing.
/// An element of a list has no value of its own to go back to: what is dropped is the list.
#[must_use]
pub fn reset_edits(project: &Project, owner: &Owner, field: &CanvasField) -> Vec<Edit> {
    let is_key = |seg: &&Seg| matches!(seg, Seg::Key(_));
    let own = |path: &FieldPath| FieldPath(path.0.iter().take_while(is_key).cloned().collect());
    let mut places: Vec<(Name, FieldPath)> = match (&field.whole, field.place_of_at()) {
        (None, _) => [Some(&field.field), field.at.as_ref()]
            .into_iter()
            .flatten()
            .map(|it| (it.clone(), FieldPath::root()))
            .collect(),
        (Some(_), at) => [Some(own(&field.inner)), at.as_ref().map(own)]
            .into_iter()
            .flatten()
            .map(|it| (field.field.clone(), it))
            .collect(),
    };
    places.dedup();
    let is_declared = |(name, inner): &(Name, FieldPath)| {
        let value = |op: &OpKind| ops_of(project, owner)?.declared(*op, &field.component, name)?.at(inner);
        OpKind::VALUED.iter().any(|op| value(op).is_some())
    };
    places.retain(is_declared);
    let clear = |(name, inner)| {
        let (owner, component) = (owner.clone(), field.component.clone());
        Edit::ClearValue { owner, op: None, component, field: name, inner }
    };
    places.into_iter().map(clear).collect()
}

/// How large what a field shows is: `24 × 12 px`, `4 points, 120 px`.
#[must_use]
pub fn size_of_field(field: &CanvasField) -> String {
    let round = |x: f64| (x * 100.0).round() / 100.0;
    match &field.drawn {
        Drawn::Shape(Shape::Box([w, h])) => format!("{} × {} px", round(*w), round(*h)),
        Drawn::Shape(Shape::Circle(r)) => format!("radius {} px", round(*r)),
        Drawn::Shape(Shape::Capsule { radius, height }) => {
            format!("radius {}, height {} px", round(*radius), round(*height))
        }
        Drawn::Shape(shape @ Shape::Polygon(points)) => {
            let ([w, h], _) = shape.bounds();
            format!("{}, {} × {} px", counted(points.len(), "corner"), round(2.0 * w), round(2.0 * h))
        }
        Drawn::Points { points, is_closed } => {
            let (n_edges, _) = edges(points.len(), *is_closed);
            let lengths = (0..n_edges).map(|i| distance(points[i], points[(i + 1) % points.len()]));
            // The sum of none is -0.
            format!("{}, {} px", counted(points.len(), "point"), lengths.fold(0.0, |sum, it| sum + it).round())
        }
        Drawn::Text(text) => counted(text.lines().count(), "line"),
    }
}

/// What a handle is called: `Collider.shape bottom right corner`, `Route.points point 2`.
#[must_use]
pub fn handle_label(field: &CanvasField, grip: FieldGrip) -> String {
    let is_shape = matches!(field.drawn, Drawn::Shape(_));
    let what = match grip {
        FieldGrip::Of(Grip::Point(i)) if !is_shape => format!("point {i}"),
        FieldGrip::Of(grip) => grip.label(),
        FieldGrip::Middle(i) => format!("middle of edge {i}"),
        FieldGrip::Before => "new first point".into(),
        FieldGrip::After => "new last point".into(),
    };
    format!("{} {what}", field.full())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_drag_gives_what_the_declaration_allows() {
        let points = |is_closed| Drawn::Points { points: vec![[0.0, 0.0], [40.0, 0.0], [0.0, 40.0]], is_closed };
        let all = [
            Drawn::Shape(Shape::Box([40.0, 32.0])),
            Drawn::Shape(Shape::Circle(20.0)),
            Drawn::Shape(Shape::Capsule { radius: 8.0, height: 40.0 }),
            Drawn::Shape(Shape::Polygon(vec![[-20.0, -20.0], [20.0, -20.0], [0.0, 20.0]])),
            points(false),
            points(true),
            Drawn::Points { points: Vec::new(), is_closed: false },
        ];
        for (drawn, at) in all.into_iter().flat_map(|it| [(it.clone(), None), (it, Some("offset".into()))]) {
            let least = if matches!(drawn, Drawn::Shape(_)) { 6.0 } else { -60.0 };
            let field = CanvasField {
                component: "Zone".into(),
                field: "area".into(),
                inner: FieldPath::root(),
                whole: None,
                ty: FieldType::Any,
                drawn,
                at,
                offset: [0.0; 2],
                has_lines: false,
                is_always_shown: true,
                range: [Some(least), Some(60.0)],
                n_empty_before: 0,
            };
            let handles = field_handles(&field, Extent { half: [1.0; 2], center: [9.0; 2] }, 1.0);
            assert!(!handles.is_empty(), "{field:?}");
            for (grip, from) in handles {
                for n in 0..200_i32 {
                    let to = [f64::from(n % 20) * 13.7 - 135.0, f64::from(n / 20) * 23.3 - 120.0];
                    for (center, ratio) in [(false, false), (true, false), (false, true), (true, true)] {
                        let after = dragged(&field, grip, (from, to), Keeps { center, ratio });
                        assert!(after.is_in_range(), "{grip:?} to {to:?}: {after:?}");
                        if let Drawn::Shape(shape) = &after.drawn {
                            assert_eq!(Shape::from_value(&shape.to_value()).as_ref(), Ok(shape), "{grip:?} to {to:?}");
                        }
                        assert!(field.at.is_some() || after.offset == field.offset, "{grip:?}: nothing moves it");
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_is_as_long_as_its_edges() {
        let size = |points: &[[f64; 2]], is_closed| {
            size_of_field(&CanvasField {
                component: "Zone".into(),
                field: "area".into(),
                inner: FieldPath::root(),
                whole: None,
                ty: FieldType::Any,
                drawn: Drawn::Points { points: points.to_vec(), is_closed },
                at: None,
                offset: [0.0; 2],
                has_lines: false,
                is_always_shown: true,
                range: [None, None],
                n_empty_before: 0,
            })
        };
        assert_eq!(size(&[], false), "0 points, 0 px");
        assert_eq!(size(&[[0.0, 0.0], [3.0, 4.0]], true), "2 points, 5 px", "there and not back");
        assert_eq!(size(&[[0.0, 0.0], [30.0, 0.0], [30.0, 40.0]], false), "3 points, 70 px");
        assert_eq!(size(&[[0.0, 0.0], [30.0, 0.0], [30.0, 40.0]], true), "3 points, 120 px");
    }
}
