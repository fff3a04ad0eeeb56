//! Parts of a field that are dragged in the level: what is declared for them while the rest of the field stays
//! inherited.

use super::overrides::{FieldOf, edits_to_set, is_changed_later};
use crate::{
    edit::{Edit, with_part},
    model::{FieldPath, OpKind, Project, Seg, Value},
};

/// [`super::edits_for_drag`] for parts of a field whose value was `whole` before the drag. Of records only these parts
/// are declared, of lists the whole list.
#[must_use]
pub fn edits_for_drag_of_parts(
    project: &Project,
    of: FieldOf<'_>,
    whole: &Value,
    parts: &[(FieldPath, Value)],
) -> Vec<Edit> {
    if parts.is_empty() {
        return Vec::new();
    }
    let after = parts.iter().fold(whole.clone(), |whole, (path, value)| with_part(&whole, path, value.clone()));
    if is_changed_later(project, of) {
        return edits_to_set(of, &after);
    }
    let is_key = |seg: &&Seg| matches!(seg, Seg::Key(_));
    let mut declared: Vec<FieldPath> =
        parts.iter().map(|(path, _)| FieldPath(path.0.iter().take_while(is_key).cloned().collect())).collect();
    declared.dedup();
    let set = |path: FieldPath| Some(of.edit_of(OpKind::Set, path.clone(), after.at(&path)?.clone()));
    declared.into_iter().filter_map(set).collect()
}
