//! Where several placed entities and waypoints are, changed together: each by an operation, or all to the same number.

use std::collections::HashSet;

use crate::{
    defs::operated,
    edit::Edit,
    model::{DocPath, FieldPath, FieldType, LayerContent, Level, Name, Project, Typed, Value},
};

use super::typed::tidy;

/// What of a place is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceField {
    /// From left to right, in pixels.
    X,
    /// From top to bottom, in pixels.
    Y,
    /// Clockwise, in degrees; of entities.
    Rotation,
}

impl PlaceField {
    /// All three.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Rotation];

    /// What its editor is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "at x",
            Self::Y => "at y",
            Self::Rotation => "rotation",
        }
    }
}

/// The numbers of some entities and waypoints of a level, in its order; waypoints have no rotation.
#[must_use]
pub fn place_values(level: &Level, ids: &[Name], field: PlaceField) -> Vec<f64> {
    placed(level, ids, field).into_iter().map(|it| it.number).collect()
}

/// The edits that do what was typed to the number of each of some entities and waypoints; none where it stays.
///
/// # Errors
/// Says why what was typed cannot be done.
pub fn place_edits(
    project: &Project,
    doc: &DocPath,
    ids: &[Name],
    field: PlaceField,
    typed: &Typed,
) -> Result<Vec<Edit>, String> {
    let Some(level) = project.level(doc) else { return Ok(Vec::new()) };
    let mut edits = Vec::new();
    for it in placed(level, ids, field) {
        let after = match typed {
            Typed::Value(value) => value.clone(),
            Typed::Operation(op, operand) => operated(*op, &FieldType::Float, &Value::Float(it.number), operand)?.0,
        };
        let after = tidy(after.as_f64().ok_or("Type one number")?);
        if (after - it.number).abs() == 0.0 {
            continue;
        }
        edits.push(match field {
            PlaceField::X => Edit::set_at(doc, it.path.key("at"), &[after, it.at[1]]),
            PlaceField::Y => Edit::set_at(doc, it.path.key("at"), &[it.at[0], after]),
            PlaceField::Rotation => Edit::set_at(doc, it.path.key("rotation"), &after),
        });
    }
    Ok(edits)
}

/// Where something is, and the number that is meant.
struct Placed {
    path: FieldPath,
    at: [f64; 2],
    number: f64,
}

fn placed(level: &Level, ids: &[Name], field: PlaceField) -> Vec<Placed> {
    let ids: HashSet<&Name> = ids.iter().collect();
    let mut out = Vec::new();
    let mut add = |path: FieldPath, at: [f64; 2], rotation: Option<f64>| {
        let number = match field {
            PlaceField::X => Some(at[0]),
            PlaceField::Y => Some(at[1]),
            PlaceField::Rotation => rotation,
        };
        out.extend(number.map(|number| Placed { path, at, number }));
    };
    for layer in level.all_layers() {
        match &layer.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {}
            LayerContent::Entities(all) => {
                for (id, it) in all.iter().filter(|(id, _)| ids.contains(id)) {
                    add(level.entity_at(&*layer.name, id), it.at, Some(it.rotation));
                }
            }
            LayerContent::Waypoints(graph) => {
                for (id, node) in graph.nodes.iter().filter(|(id, _)| ids.contains(id)) {
                    add(level.node_at(&*layer.name, id), node.at, None);
                }
            }
        }
    }
    out
}
