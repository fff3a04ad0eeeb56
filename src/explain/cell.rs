//! A cell of the definitions table: one field, or a member of one, as one definition has it.

use std::{borrow::Cow, cmp::Ordering, fmt};

use serde::{Deserialize, Serialize};

use crate::{
    defs::{AppliedOp, Resolved, ResolvedField, Source},
    model::{FieldPath, FieldSpec, FieldType, Name, OpKind, Schema, Seg, Value},
};

/// A column of the table: `Health.max`, or a member of a struct as in `Motor.gear.ratio`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Column {
    /// The component.
    pub component: Name,
    /// Its field.
    pub field: Name,
    /// The way into the field's value, keys only; empty for the whole field.
    pub inner: FieldPath,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.component, self.member())
    }
}

impl Column {
    /// A whole field.
    #[must_use]
    pub fn new(component: &str, field: &str) -> Self {
        Self { component: component.into(), field: field.into(), inner: FieldPath::root() }
    }

    /// Read what `Display` writes; at least a component and a field.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.');
        let (component, field) = (parts.next()?, parts.next()?);
        let inner = FieldPath::keys(parts);
        let is_named = |name: &str| !name.is_empty() && !name.chars().any(char::is_whitespace);
        (is_named(component) && is_named(field)).then(|| Self { inner, ..Self::new(component, field) })
    }

    /// The field and the way into it, without the component.
    #[must_use]
    pub fn member(&self) -> String {
        let dot = if self.inner.0.is_empty() { "" } else { "." };
        format!("{}{dot}{}", self.field, self.inner)
    }

    /// The field's declaration; an undeclared field takes any value.
    #[must_use]
    pub fn spec<'s>(&self, schema: &'s Schema) -> Cow<'s, FieldSpec> {
        let Some(mut spec) = schema.field(&self.component, &self.field).map(Cow::Borrowed) else {
            return Cow::Owned(FieldSpec::of(FieldType::Any));
        };
        for seg in &self.inner.0 {
            let Seg::Key(key) = seg else {
                spec = match &spec.ty {
                    FieldType::List(item) => Cow::Owned(FieldSpec::of((**item).clone())),
                    _ => Cow::Owned(FieldSpec::of(FieldType::Any)),
                };
                continue;
            };
            spec = match spec {
                Cow::Borrowed(FieldSpec { ty: FieldType::Struct(fields), .. }) => match fields.get(key) {
                    Some(inner) => Cow::Borrowed(inner),
                    None => Cow::Owned(FieldSpec::of(FieldType::Any)),
                },
                Cow::Borrowed(FieldSpec { ty: FieldType::Map(item), .. }) => {
                    Cow::Owned(FieldSpec::of((**item).clone()))
                }
                Cow::Owned(FieldSpec { ty: FieldType::Struct(fields), .. }) => {
                    Cow::Owned(fields.get(key).cloned().unwrap_or_else(|| FieldSpec::of(FieldType::Any)))
                }
                _ => Cow::Owned(FieldSpec::of(FieldType::Any)),
            };
        }
        spec
    }
}

/// Where the value of a cell is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The definition has no such field: it cannot be edited here.
    Absent,
    /// No definition: the default applies.
    Default,
    /// An ancestor.
    Inherited,
    /// The definition itself.
    Own,
}

/// What a cell shows.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The value; `None` where there is none.
    pub value: Option<&'a Value>,
    /// Where it is declared.
    pub standing: Standing,
    field: Option<&'a ResolvedField>,
}

impl<'a> Cell<'a> {
    /// The cell of a definition, or of none that could be resolved.
    #[must_use]
    pub fn of(resolved: Option<&'a Resolved>, column: &Column) -> Self {
        let nothing = Self { value: None, standing: Standing::Absent, field: None };
        let Some(resolved) = resolved else { return nothing };
        let field = resolved.components.get(&column.component).and_then(|all| all.fields.get(&column.field));
        let Some(field) = field else { return nothing };
        let Some(value) = field.value.at(&column.inner) else { return nothing };
        let last = field.provenance.iter().rev().find(|applied| touches(applied, &column.inner));
        let standing = match last.map(|applied| &applied.by) {
            Some(Source::Def(name)) if *name == resolved.name => Standing::Own,
            Some(Source::Def(_)) => Standing::Inherited,
            _ => Standing::Default,
        };
        Self { value: Some(value), standing, field: Some(field) }
    }

    /// The whole field, with its provenance.
    #[must_use]
    pub fn field(&self) -> Option<&'a ResolvedField> {
        self.field
    }

    /// Whether a value can be declared here.
    #[must_use]
    pub fn is_editable(&self) -> bool {
        self.value.is_some()
    }

    /// What the definition itself does to an inherited number or list, as people write it: `×0.5`, `×2 +5`. Empty when
    /// it says the value whole, or nothing.
    #[must_use]
    pub fn operations(&self, owner: &str, column: &Column) -> String {
        let Some(field) = self.field.filter(|_| self.standing == Standing::Own) else { return String::new() };
        let mut out = String::new();
        for applied in
            field.provenance.iter().filter(|applied| is_by(applied, owner) && touches(applied, &column.inner))
        {
            let Some(operand) = applied.operand.at(&column.inner) else { continue };
            let pair = operand.as_vec2().map(|[x, y]| format!("({x}, {y})"));
            let text = match (applied.op, operand.as_f64(), pair) {
                (OpKind::Scale, Some(x), _) => format!("×{x}"),
                (OpKind::Scale, _, Some(pair)) => format!("×{pair}"),
                (OpKind::Add, Some(x), _) if x < 0.0 => format!("−{}", -x),
                (OpKind::Add, Some(x), _) => format!("+{x}"),
                (OpKind::Add, _, Some(pair)) => format!("+{pair}"),
                (OpKind::Append, ..) => format!("+{}", operand.as_list().map_or(1, <[_]>::len)),
                _ => continue,
            };
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(&text);
        }
        out
    }
}

/// Whether a definition is the one that declares it.
fn is_by(applied: &AppliedOp, owner: &str) -> bool {
    matches!(&applied.by, Source::Def(name) if **name == *owner)
}

/// Whether a contribution has to do with the part at `inner`.
fn touches(applied: &AppliedOp, inner: &FieldPath) -> bool {
    // A whole value that is not of parts (none there, or a list) is about every part of it.
    inner.0.is_empty()
        || if applied.op == OpKind::Remove { applied.takes_of(inner) } else { applied.operand.at(inner).is_some() }
}

/// Which of two values comes first in a sorted column: numbers by size, then switches, words by letters, lists by
/// elements, all else as it is written.
#[must_use]
pub fn compare(a: &Value, b: &Value) -> Ordering {
    fn kind(value: &Value) -> u8 {
        match value {
            Value::Int(_) | Value::Float(_) => 0,
            Value::Bool(_) => 1,
            Value::Str(_) | Value::Symbol(_) => 2,
            Value::List(_) | Value::Tuple(_) => 3,
            Value::Struct(_) | Value::Map(_) | Value::Tagged(..) => 4,
        }
    }
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        _ if kind(a) != kind(b) => kind(a).cmp(&kind(b)),
        _ => match (a.as_f64(), b.as_f64(), a.as_str(), b.as_str(), a.as_list(), b.as_list()) {
            (Some(a), Some(b), ..) => a.total_cmp(&b),
            (_, _, Some(a), Some(b), ..) => {
                let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
                lower(a).cmp(&lower(b)).then_with(|| a.cmp(b))
            }
            (_, _, _, _, Some(a), Some(b)) => {
                let pairs = a.iter().zip(b).map(|(a, b)| compare(a, b));
                pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            _ => match (a, b) {
                (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
                _ => a.to_string().cmp(&b.to_string()),
            },
        },
    }
}
