//! Editing: named edits, the one function that applies them, gestures that can be canceled, and history.
//!
//! Invariant: [`apply`] is the only thing that changes a project, and it copies only what changes: a document, layer or
//! chunk that an edit leaves alone keeps its `Arc`. What inheritance makes of a change is `defs`, what it breaks
//! `check`.

mod apply;
mod bytes;
mod clipboard;
mod constants;
mod definitions;
mod document;
#[expect(clippy::module_inception, reason = "the noun of the folder: what an edit is")]
mod edit;
mod extent;
mod field_value;
mod gesture;
mod history;
mod label;
mod layer_copy;
mod layer_groups;
mod layered;
mod layers;
mod level;
mod live_history;
mod machine;
mod merge_layers;
mod name_types;
mod names;
mod overlay;
mod place;
mod reach;
mod references;
mod relations;
mod renamed;
mod schema;
mod stamp;
mod states;
mod tileset;
mod tuning;
mod value;
mod vocabulary;
mod walk;
mod waypoints;
mod word;

pub use apply::{apply, apply_all, apply_to};
pub use clipboard::{
    CopiedState, Fragment, copy_states, copy_things, duplicate_things, layer_for_things, middle_of, paste_states,
    paste_things,
};
pub use constants::{Constants, Labeled, declared_constant, free_file, optional_number, page_doc, reorder_pages};
pub use definitions::has_by_itself;
pub use document::{new_place, replace};
pub use edit::{Edit, Owner};
pub use extent::takes_long;
pub use field_value::{declare_in_field, set_to};
pub use gesture::{Gesture, Phase};
pub use history::{History, Step, StepId, UndoError};
pub use label::label_of;
pub use layer_copy::copy_layers;
pub use layer_groups::{LayerSpot, dropped, group_layers, stepped, ungroup, ungroup_loss, ungroup_problem};
pub use layered::{LayeredStamp, StampPart, TilesOf};
pub use layers::{MAX_CELLS, free_name, set_in_layers, shift_problem, shift_step};
pub use merge_layers::{MergeDown, merge_down, merge_problem, n_covered};
pub use name_types::Types;
pub use names::{RefKind, Spelling, Use, leaves};
pub use overlay::{change_overlay, keep, may_be, try_value, write_values};
pub use place::edit_value;
pub use reach::Refusal;
pub use references::{TypedRefs, all_uses, is_used, uses, uses_renamed};
pub use renamed::Renamed;
pub use schema::{Declared, field_types, retyped};
pub use stamp::Stamp;
pub use states::state_at;
pub use tuning::new_constant_name;
pub use value::{with_part, without_part};
pub use word::Word;
