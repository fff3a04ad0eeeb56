//! Refactoring: changes planned as a whole, each as a list of edits.
//!
//! Invariant: nothing here changes the project. A plan says what it is called and which edits make it; what it changes
//! in the text is found by comparing the project before and after, so a preview can never leave something out.

mod cell_text;
mod cells;
mod declare;
mod delete;
mod drag_parts;
mod entity_ref;
mod extract;
mod files;
mod inline;
mod layer_cells;
mod level_files;
mod levels;
mod machines;
mod migrate;
mod new_files;
mod new_layer;
mod overrides;
mod parts;
mod paste;
mod places;
mod proof;
mod rename;
mod replace;
mod request;
mod resize;
mod stamps;
mod terrains;
mod tiles;
mod together;
mod typed;

pub use cell_text::{cell_text, read_tsv, write_tsv};
pub use cells::{
    BadCell, CellAt, CellPlan, State, calculate, copy_cells, fill_down, operated_cells, reset_cells, type_into,
};
pub use declare::{Declaring, Evidence};
pub use delete::{Delete, delete};
pub use drag_parts::edits_for_drag_of_parts;
pub use entity_ref::{is_own_ref, refer_to};
pub use extract::{Extract, Word, alike, extract};
pub use files::{can_delete_file, can_duplicate_file, named_by_file};
pub use inline::{Inline, inline};
pub use layer_cells::LayerCells;
pub use level_files::{NewLevel, NewLevelField};
pub use levels::{CopyDown, Move, ancestors, copy_down, followers, move_up};
pub use migrate::{Migration, Vanished, is_declared, migrations, vanished};
pub use new_files::new_documents_needed;
pub use new_layer::{LayerKind, NewLayer};
pub use overrides::{
    FieldOf, ListRow, edits_for_drag, edits_for_operand, edits_for_operation, edits_for_value, edits_to_set, inherited,
    is_by, is_taken_away, list_rows, operand_for, ops_of, part_badge, removed_entries,
};
pub use parts::{PartAt, PartChange, part_change_edits, part_changes, part_named};
pub use paste::{Sheet, paste_cells};
pub use places::{PlaceField, place_edits, place_values};
pub use rename::{NameKind, Named, names, rename};
pub use replace::{
    LayerCount, Misfit, NewContent, NewTile, NewValue, Replace, ReplaceCells, ReplaceKind, ReplaceValues, Tally,
};
pub use request::Request;
pub use resize::{Anchor, Outside, Placement, Resize, Stay};
pub use stamps::{NewStamp, delete_stamps, duplicate_stamp};
pub use terrains::{SIDE_TITLES, TerrainChange, TerrainSummary, change_terrain, mode_title, new_terrain};
pub use tiles::{ShapeTemplate, TileChange, TilesSummary, cells_with, change_tiles, new_tiles, remove_tiles};
pub use together::changed_alike;

use crate::{
    edit::{self, Edit, Refusal},
    model::Project,
};

/// A change of several edits, made as one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What the step is called in history.
    pub label: String,
    /// The edits, in order.
    pub edits: Vec<Edit>,
}

impl Plan {
    /// The project as it would be.
    ///
    /// # Errors
    /// Why one of the edits cannot be made.
    pub fn tried_on(&self, project: &Project) -> Result<Project, Refusal> {
        let mut after = project.clone();
        edit::apply_all(&mut after, &self.edits)?;
        Ok(after)
    }
}
