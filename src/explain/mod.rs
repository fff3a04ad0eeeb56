//! Explaining: where a value comes from, where things are placed, and what a change would affect.
//!
//! Invariant: nothing here changes anything or asks about time, files or a window; every answer follows from the
//! project and what it resolves to. Plans that change something are `refactor`'s.

mod canvas_fields;
mod cell;
mod census;
mod entity_refs;
mod find;
mod impact;
mod inheritance;
mod outline;
mod routes;
mod table;

pub use canvas_fields::{CanvasField, Drawn, canvas_fields};
pub use cell::{Cell, Column, Standing, compare};
pub use census::Census;
pub use entity_refs::{EntityRefField, entities_meant, entity_refs};
pub use find::{EntityHit, EntityQuery};
pub use impact::{Impact, impact_among, impact_of_def, impact_of_defs, impact_of_field};
pub use inheritance::{InheritanceEdge, InheritanceGraph, InheritanceItem, InheritanceNode, MOST_SIBLINGS};
pub use outline::{Entry, Outline};
pub use routes::{Destinations, GoalUse, RouteUse, acted_on, destinations_of, destinations_of_machine};
pub use table::{Arrangement, Choice, Filter, Row, SortBy, Sources, Table, choices, first_columns, resolved_of};
