//! Tools: they turn pointer events over a level into edits, and preview the result.
//!
//! Invariant: a tool changes nothing and knows no window. It gives all edits of its gesture each time, made from the
//! project as it was before the gesture, and leaves no change when canceled at any phase.

mod align;
mod area;
mod brush;
mod cells;
mod context;
mod draw;
mod event;
mod field_handles;
mod fill;
mod floating;
mod hand;
mod keys;
mod kind;
mod menu;
mod options;
mod out;
mod place;
mod probe;
mod pull;
mod repeat;
mod rotate;
mod select;
pub mod shape_handles;
mod shapes;
mod snap;
mod stamps;
mod terrain;
pub mod timeline;
mod toolbox;
mod waypoint;

pub use align::{Alignment, align};
pub use area::Area;
pub use cells::{
    Turn, all_cells, copied_cells, erase_cells, fill_cells, move_cells, nudge_of, other_cells, turn_cells,
};
pub use context::{Extent, ToolCx};
pub use event::{Button, Modifiers, PointerEvent, PointerPhase};
pub use field_handles::{
    FieldGrip, FieldSpot, SpotPart, field_edits, field_handles, handle_label, reset_edits, reversed, size_of_field,
    text_edits, with_point, without_point,
};
pub use floating::Floating;
pub use hand::{HandAct, HandOut, HandTool, KeptPlace, Running, kept_place};
pub use keys::{KeyStep, middle_of_cell, stepped};
pub use kind::{ToolKind, ToolSpec};
pub use menu::{MenuTopic, layers_to_move_to};
pub use options::{BrushTip, Matching, Repeat, ShapeStyle, TipShape, ToolOptions};
pub use out::{Cursor, Ghost, Picked, ToolOut};
pub use probe::ProbeEnds;
pub use pull::{owner_of_fields, point_at};
pub use rotate::rotate_handle;
pub use select::{delete, duplicate, nudge, nudge_px, turned, turned_box};
pub use shapes::{line, rectangle};
pub use stamps::HeldStamp;
pub use terrain::{terrain_in_set, terrain_names, terrain_patch};
pub use toolbox::Toolbox;
pub use waypoint::{OUTDATED, OverLedges, Suggested, places_to_link, suggest_waypoints, turn_link};
