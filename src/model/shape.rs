//! A collider's shape in pixels, y down, relative to its entity's origin. Only convex shapes with area exist here;
//! anything else is refused when read, so nothing later has to ask.

use serde::{Deserialize, Serialize};

use super::Value;

/// A convex shape centered on, or given around, the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Full width and height.
    Box([f64; 2]),
    /// Radius.
    Circle(f64),
    /// An upright capsule: radius, and full height including both caps.
    Capsule {
        /// Of the caps.
        radius: f64,
        /// From top to bottom.
        height: f64,
    },
    /// Corners of a convex polygon, in order, either way round.
    Polygon(Vec<[f64; 2]>),
}

impl Shape {
    /// Read `Box((w, h))`, `Circle(r)`, `Capsule(radius: r, height: h)` or `Polygon([(x, y), …])`.
    ///
    /// # Errors
    /// Says what is wrong with the shape: an unknown word, a size that is not positive, a polygon that is not convex.
    pub fn from_value(value: &Value) -> Result<Self, String> {
        let Value::Tagged(tag, content) = value else { return Err("write `Box((16.0, 16.0))`".into()) };
        let first = || content.as_list().and_then(<[Value]>::first);
        let number = |name: &str, nth: usize| {
            let value = content.field(name).or_else(|| content.as_list()?.get(nth));
            value.and_then(Value::as_f64).ok_or_else(|| format!("{tag} needs `{name}`"))
        };
        match &**tag {
            "Box" => {
                let pair = first().and_then(Value::as_vec2).or_else(|| content.as_vec2());
                match pair.ok_or("Box needs `((width, height))`")? {
                    [w, h] if w > 0.0 && h > 0.0 => Ok(Self::Box([w, h])),
                    _ => Err("a box's width and height are above zero".into()),
                }
            }
            "Circle" => match number("radius", 0)? {
                r if r > 0.0 => Ok(Self::Circle(r)),
                _ => Err("a circle's radius is above zero".into()),
            },
            "Capsule" => match (number("radius", 0)?, number("height", 1)?) {
                (radius, height) if radius > 0.0 && height >= 2.0 * radius => Ok(Self::Capsule { radius, height }),
                _ => Err("a capsule's height is at least twice its radius, which is above zero".into()),
            },
            "Polygon" => {
                let points = first().and_then(Value::as_list).unwrap_or_default();
                let points = points.iter().map(Value::as_vec2).collect::<Option<Vec<_>>>();
                let points = points.ok_or("Polygon needs `[(x, y), …]`")?;
                check_convex(&points)?;
                Ok(Self::Polygon(points))
            }
            other => Err(format!("there is no shape `{other}`; there are Box, Circle, Capsule and Polygon")),
        }
    }

    /// The shape as files write it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let tagged = |tag: &str, content| Value::Tagged(tag.into(), Box::new(content));
        match self {
            Self::Box([w, h]) => tagged("Box", Value::Tuple(vec![Value::vec2(*w, *h)])),
            Self::Circle(r) => tagged("Circle", Value::Tuple(vec![Value::Float(*r)])),
            Self::Capsule { radius, height } => tagged(
                "Capsule",
                Value::Struct(
                    [("radius".into(), Value::Float(*radius)), ("height".into(), Value::Float(*height))].into(),
                ),
            ),
            Self::Polygon(points) => {
                let points = points.iter().map(|[x, y]| Value::vec2(*x, *y)).collect();
                tagged("Polygon", Value::Tuple(vec![Value::List(points)]))
            }
        }
    }

    /// The smallest and the largest of the measures a range is about: the sides of the smallest upright box around the
    /// shape and, of a polygon, the distance of its corners from the origin along either axis.
    #[must_use]
    pub fn extent(&self) -> (f64, f64) {
        let ([w, h], _) = self.bounds();
        let far = match self {
            Self::Polygon(points) => points.iter().flatten().fold(0.0, |far: f64, x| far.max(x.abs())),
            _ => 0.0,
        };
        (2.0 * w.min(h), (2.0 * w.max(h)).max(far))
    }

    /// The shape with its measures brought within a range; a polygon keeps its proportions.
    #[must_use]
    pub fn within(&self, min: f64, max: f64) -> Self {
        let near = |size: f64| size.max(min).min(max);
        match self {
            Self::Box([w, h]) => Self::Box([near(*w), near(*h)]),
            Self::Circle(r) => Self::Circle(near(2.0 * r) / 2.0),
            Self::Capsule { radius, height } => {
                let radius = near(2.0 * radius) / 2.0;
                Self::Capsule { radius, height: near(*height).max(2.0 * radius) }
            }
            Self::Polygon(points) => {
                let (least, most) = self.extent();
                let factor = if most > max { max / most } else { (min / least).max(1.0) };
                Self::Polygon(points.iter().map(|[x, y]| [x * factor, y * factor]).collect())
            }
        }
    }

    /// Half the width and height of the smallest upright box around the shape, and its center.
    #[must_use]
    pub fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        match self {
            Self::Box([w, h]) => ([w / 2.0, h / 2.0], [0.0, 0.0]),
            Self::Circle(r) => ([*r, *r], [0.0, 0.0]),
            Self::Capsule { radius, height } => ([*radius, height / 2.0], [0.0, 0.0]),
            Self::Polygon(points) => {
                let fold = |pick: fn(&[f64; 2]) -> f64| {
                    let xs = points.iter().map(pick);
                    xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
                };
                let ((x0, x1), (y0, y1)) = (fold(|p| p[0]), fold(|p| p[1]));
                ([(x1 - x0) / 2.0, (y1 - y0) / 2.0], [f64::midpoint(x0, x1), f64::midpoint(y0, y1)])
            }
        }
    }
}

/// Refuse what is not the outline of a convex area: fewer than three corners, corners that coincide, turns both ways,
/// or no area.
///
/// # Errors
/// Says which of these it is.
///
/// Source: Metanet's condition with its sign put right: every interior angle is below 180°, so all cross products
/// of neighboring edges have one sign.
pub fn check_convex(points: &[[f64; 2]]) -> Result<(), String> {
    if points.len() < 3 {
        return Err("a polygon has at least three corners".into());
    }
    let n = points.len();
    let mut turn = 0.0_f64;
    let mut winding = 0.0_f64;
    for i in 0..n {
        let (a, b, c) = (points[i], points[(i + 1) % n], points[(i + 2) % n]);
        let (e, f) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
        if e[0].hypot(e[1]) < 1e-6 {
            return Err("two corners of the polygon coincide".into());
        }
        let cross = e[0] * f[1] - e[1] * f[0];
        if cross * turn < 0.0 {
            return Err("the polygon is not convex; a concave shape is several convex ones".into());
        }
        if cross != 0.0 {
            turn = cross;
        }
        winding += cross.atan2(e[0] * f[0] + e[1] * f[1]);
    }
    if turn == 0.0 {
        return Err("the polygon has no area".into());
    }
    if winding.abs() > std::f64::consts::TAU + 0.01 {
        return Err("the polygon crosses itself".into());
    }
    Ok(())
}
