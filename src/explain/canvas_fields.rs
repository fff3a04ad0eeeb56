//! The fields of an entity that the canvas of a level shows at it: shapes, lists of points, texts.
//!
//! Invariant: which they are, and how they are shown, the schema says (the type `Shape`, and `canvas`); no component is known here.

use crate::{
    defs::{Resolution, Resolved},
    model::{FieldSpec, FieldType, Name, OnCanvas, Shape, Value, outside},
};

/// A field that is shown on the canvas.
#[derive(Clone, Debug, PartialEq)]
pub struct CanvasField {
    /// The component.
    pub component: Name,
    /// The field.
    pub field: Name,
    /// Its declared type.
    pub ty: FieldType,
    /// What is shown.
    pub drawn: Drawn,
    /// The field beside it that moves it, if there is one.
    pub at: Option<Name>,
    /// How far it is moved from the entity's origin, in pixels.
    pub offset: [f64; 2],
    /// Whether it is shown where the entity is not selected, too.
    pub is_always_shown: bool,
    /// The smallest and the largest number allowed.
    pub range: [Option<f64>; 2],
}

/// What a field shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// A shape.
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
    /// As `Collider.shape`.
    #[must_use]
    pub fn full(&self) -> String {
        format!("{}.{}", self.component, self.field)
    }

    /// Its value.
    #[must_use]
    pub fn value(&self) -> Value {
        let value = match &self.drawn {
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

/// The fields of an entity that are shown on the canvas, in the order of its components. One whose value does not fit is left out,
/// and so is an option without a value.
#[must_use]
pub fn canvas_fields(resolution: &Resolution, resolved: &Resolved) -> Vec<CanvasField> {
    let mut out = Vec::new();
    for (component, it) in &resolved.components {
        for (field, now) in &it.fields {
            let Some(spec) = resolution.schema.field(component, field) else { continue };
            let Some(drawn) = now.value.as_option().and_then(|value| drawn(spec, value)) else { continue };
            let beside = spec.at.as_ref().and_then(|at| Some((at, it.fields.get(at)?.value.as_vec2()?)));
            out.push(CanvasField {
                component: component.clone(),
                field: field.clone(),
                ty: spec.ty.clone(),
                drawn,
                at: beside.map(|(at, _)| at.clone()),
                offset: beside.map(|(_, offset)| offset).unwrap_or_default(),
                is_always_shown: spec.canvas.is_some(),
                range: [spec.min, spec.max],
            });
        }
    }
    out
}

fn drawn(spec: &FieldSpec, value: &Value) -> Option<Drawn> {
    let way = spec.canvas.filter(|way| way.fits(&spec.ty));
    let content = if let FieldType::Option(inner) = &spec.ty { inner } else { &spec.ty };
    match (content, way) {
        (FieldType::Shape, _) => Shape::from_value(value).ok().map(Drawn::Shape),
        (FieldType::Str, Some(OnCanvas::Text)) => Some(Drawn::Text(value.as_str()?.to_owned())),
        (FieldType::List(_), Some(way)) => {
            Some(Drawn::Points { points: value.as_points()?, is_closed: way == OnCanvas::Outline })
        }
        _ => None,
    }
}
