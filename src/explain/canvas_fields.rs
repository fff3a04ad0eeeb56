//! The fields of an entity that the canvas of a level shows at it: shapes, sizes, lists of points, texts.
//!
//! Invariant: which they are, and how they are shown, the schema says (the type `Shape`, and `canvas`); no component is
//! known here.

use crate::{
    defs::{Resolution, Resolved},
    model::{FieldPath, FieldSpec, FieldType, Name, OnCanvas, Seg, Shape, Value, outside},
};

/// Of a field that holds records, so many of what is in them are shown at most.
const MOST_PARTS: usize = 100;

/// A field that is shown on the canvas.
#[derive(Clone, Debug, PartialEq)]
pub struct CanvasField {
    /// The component.
    pub component: Name,
    /// The field.
    pub field: Name,
    /// Where in the field's value it is; empty where it is the whole.
    pub inner: FieldPath,
    /// The value of the whole field, where this is a part of it.
    pub whole: Option<Value>,
    /// Its declared type.
    pub ty: FieldType,
    /// What is shown.
    pub drawn: Drawn,
    /// The field beside it that moves it, if there is one.
    pub at: Option<Name>,
    /// How far it is moved from the entity's origin, in pixels.
    pub offset: [f64; 2],
    /// Whether it is text of several lines.
    pub has_lines: bool,
    /// Whether it is shown where the entity is not selected, too.
    pub is_always_shown: bool,
    /// The smallest and the largest number allowed.
    pub range: [Option<f64>; 2],
    /// Of lists without points, how many others the entity has before it: where they begin is side by side.
    pub n_empty_before: usize,
}

/// What a field shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// A shape. Of a pair that is a size, a box.
    Shape(Shape),
    /// Points.
    Points {
        /// In pixels, y down.
        points: Vec<[f64; 2]>,
        /// Whether a line leads from the last to the first.
        is_closed: bool,
    },
    /// A text.
    Text(String),
}

impl CanvasField {
    /// As `Collider.shape`, or `Patrol.zones[1].area`.
    #[must_use]
    pub fn full(&self) -> String {
        let path = FieldPath::keys([&*self.component, &*self.field]).join(&self.inner);
        path.to_string()
    }

    /// The place of the pair that moves it: in the component where this is a whole field, else in the field's value.
    #[must_use]
    pub fn place_of_at(&self) -> Option<FieldPath> {
        let mut beside = self.inner.clone();
        beside.0.pop();
        self.at.as_ref().map(|at| beside.key(at))
    }

    /// Its value.
    #[must_use]
    pub fn value(&self) -> Value {
        let value = match &self.drawn {
            Drawn::Shape(Shape::Box([w, h])) if *self.ty.content() == FieldType::Vec2 => Value::vec2(*w, *h),
            Drawn::Shape(shape) => shape.to_value(),
            Drawn::Points { points, .. } => Value::points(points.iter().copied()),
            Drawn::Text(text) => Value::str(text),
        };
        if matches!(self.ty, FieldType::Option(_)) {
            return Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![value])));
        }
        value
    }

    /// Whether its numbers are within what its declaration allows.
    #[must_use]
    pub fn is_in_range(&self) -> bool {
        outside(&self.value(), self.range[0], self.range[1]).is_none()
    }
}

/// The fields of an entity that are shown on the canvas, in the order of its components; what is in records and lists
/// of records too. One whose value does not fit is left out, and so is an option without a value.
#[must_use]
pub fn canvas_fields(resolution: &Resolution, resolved: &Resolved) -> Vec<CanvasField> {
    let mut out: Vec<CanvasField> = Vec::new();
    for (component, it) in &resolved.components {
        for (field, now) in &it.fields {
            let Some(spec) = resolution.schema.field(component, field) else { continue };
            let beside = |at: &Name| it.fields.get(at).and_then(|at| at.value.as_vec2());
            let of = Of { component, field, whole: &now.value };
            if let Some(found) = of.shown(spec, &now.value, FieldPath::root(), beside) {
                out.push(found);
            } else {
                let most = out.len() + MOST_PARTS;
                of.parts(&spec.ty, &now.value, &FieldPath::root(), (&mut out, most));
            }
        }
    }
    let is_empty = |it: &&mut CanvasField| matches!(&it.drawn, Drawn::Points { points, .. } if points.is_empty());
    out.iter_mut().filter(is_empty).enumerate().for_each(|(n, it)| it.n_empty_before = n);
    out
}

/// A field of a component, and its value.
struct Of<'a> {
    component: &'a Name,
    field: &'a Name,
    whole: &'a Value,
}

impl Of<'_> {
    /// It or a part of it, if it is shown; `beside` gives the pair of a name that is beside it.
    fn shown(
        &self,
        spec: &FieldSpec,
        value: &Value,
        inner: FieldPath,
        beside: impl Fn(&Name) -> Option<[f64; 2]>,
    ) -> Option<CanvasField> {
        let drawn = drawn(spec, value.as_option()?)?;
        let moved = spec.at.as_ref().and_then(|at| Some((at, beside(at)?)));
        Some(CanvasField {
            component: self.component.clone(),
            field: self.field.clone(),
            whole: (!inner.0.is_empty()).then(|| self.whole.clone()),
            inner,
            ty: spec.ty.clone(),
            drawn,
            at: moved.map(|(at, _)| at.clone()),
            offset: moved.map(|(_, offset)| offset).unwrap_or_default(),
            has_lines: spec.lines,
            is_always_shown: spec.canvas.is_some(),
            range: [spec.min, spec.max],
            n_empty_before: 0,
        })
    }

    /// What is shown of a value that holds others, added to those found so far, of which there are to be `most`.
    fn parts(&self, ty: &FieldType, value: &Value, path: &FieldPath, (out, most): (&mut Vec<CanvasField>, usize)) {
        match ty {
            FieldType::Struct(specs) => {
                let now =
                    |name: &Name, spec: &FieldSpec| value.field(name).cloned().unwrap_or_else(|| spec.default_value());
                for (name, spec) in specs {
                    let beside = |at: &Name| now(at, specs.get(at)?).as_vec2();
                    self.part(spec, &now(name, spec), path.key(name), (out, most), beside);
                }
            }
            FieldType::List(item) if holds_shown(item) => {
                let spec = FieldSpec::of((**item).clone());
                for (i, value) in value.as_list().unwrap_or_default().iter().enumerate() {
                    self.part(&spec, value, path.clone().with(Seg::Index(i)), (out, most), |_| None);
                }
            }
            _ => {}
        }
    }

    fn part(
        &self,
        spec: &FieldSpec,
        value: &Value,
        path: FieldPath,
        (out, most): (&mut Vec<CanvasField>, usize),
        beside: impl Fn(&Name) -> Option<[f64; 2]>,
    ) {
        if out.len() >= most {
            return;
        }
        match self.shown(spec, value, path.clone(), beside) {
            Some(found) => out.push(found),
            None => self.parts(&spec.ty, value, &path, (out, most)),
        }
    }
}

/// Whether elements of a list can hold something that is shown: long lists of numbers are not looked through.
fn holds_shown(item: &FieldType) -> bool {
    matches!(item, FieldType::Struct(_) | FieldType::Shape | FieldType::List(_))
}

fn drawn(spec: &FieldSpec, value: &Value) -> Option<Drawn> {
    let way = spec.canvas.filter(|way| way.fits(&spec.ty));
    match (spec.ty.content(), way) {
        (FieldType::Shape, _) => Shape::from_value(value).ok().map(Drawn::Shape),
        (FieldType::Vec2, Some(OnCanvas::Size)) => {
            let size = value.as_vec2().filter(|size| size.iter().all(|side| *side >= 0.0))?;
            Some(Drawn::Shape(Shape::Box(size)))
        }
        (FieldType::Str, Some(OnCanvas::Text)) => Some(Drawn::Text(value.as_str()?.to_owned())),
        (FieldType::List(_), Some(way)) => {
            Some(Drawn::Points { points: value.as_points()?, is_closed: way == OnCanvas::Outline })
        }
        _ => None,
    }
}
