//! The response of a tool to a pointer event.

use std::{borrow::Cow, sync::Arc};

use super::{Area, FieldSpot, Floating, MenuTopic, ProbeEnds};
use crate::{
    edit::{Edit, Phase, Stamp},
    model::{Cell, CellSet, Name, Tile},
};

/// A tool's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOut {
    /// All edits of the gesture so far, from the project before it; empty when there is none.
    pub edits: Vec<Edit>,
    /// What the step is called, where the edits' own label is not it.
    pub label: Option<String>,
    /// Whether the gesture goes on, ends here as a step, or ends as if it had not been.
    pub phase: Phase,
    /// What to draw over the level.
    pub ghost: Ghost,
    /// One line for the status bar.
    pub hint: Cow<'static, str>,
    /// Another selection.
    pub selection: Option<Vec<Name>>,
    /// Another selection of cells; empty for none.
    pub cells: Option<Arc<CellSet>>,
    /// The selected tiles that are moved, to be moved on later.
    pub floating: Option<Floating>,
    /// Another brush, and the layer it was taken from.
    pub picked: Option<Picked>,
    /// Other ends of the path that is looked for.
    pub probe: Option<ProbeEnds>,
    /// A menu to open where the event was.
    pub menu: Option<MenuTopic>,
    /// How the pointer looks.
    pub cursor: Cursor,
}

impl ToolOut {
    /// How far a gesture is after the event that may have been its last.
    #[must_use]
    pub fn ended(is_over: bool, phase: Phase) -> Phase {
        if is_over { phase } else { Phase::Preview }
    }

    /// Nothing but a hint.
    #[must_use]
    pub fn hint(hint: impl Into<Cow<'static, str>>) -> Self {
        Self { hint: hint.into(), ..Self::default() }
    }

    /// A hint that says why the tool cannot do anything here.
    #[must_use]
    pub fn refused(why: impl Into<Cow<'static, str>>) -> Self {
        Self { cursor: Cursor::Forbidden, ..Self::hint(why) }
    }
}

/// A brush taken from the level.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// What brushes paint from now on.
    pub stamp: Stamp,
    /// The layer it was taken from.
    pub layer: Name,
}

/// How the pointer looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    /// An arrow.
    #[default]
    Arrow,
    /// For places.
    Crosshair,
    /// Something can be moved.
    Move,
    /// Something is copied when it is let go of.
    Copy,
    /// Something can be clicked.
    Hand,
    /// Nothing can be done here.
    Forbidden,
}

/// What a tool draws over the level; in pixels of the level, or cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ghost {
    /// Tiles about to be painted.
    pub tiles: Vec<(Cell, Tile)>,
    /// Tiles about to be painted on other layers than the one worked on, by their names, back to front.
    pub layers: Vec<(Name, Vec<(Cell, Tile)>)>,
    /// Cells about to change.
    pub cells: Vec<Cell>,
    /// The selection of cells as it will be.
    pub selection: Option<Arc<CellSet>>,
    /// An area of cells about to change; shared, since it may be large.
    pub area: Option<Arc<Area>>,
    /// A rectangle of cells, both corners included.
    pub cell_rect: Option<[Cell; 2]>,
    /// A frame, by two opposite corners.
    pub frame_px: Option<[[f64; 2]; 2]>,
    /// An entity about to be placed.
    pub entity: Option<(Name, [f64; 2])>,
    /// Lines that show what something lines up with.
    pub guides: Vec<[[f64; 2]; 2]>,
    /// A waypoint about to be placed.
    pub node: Option<[f64; 2]>,
    /// A link about to be made.
    pub link: Option<[[f64; 2]; 2]>,
    /// The thing under the pointer.
    pub hovered: Option<Name>,
    /// What of a field of the selected entity is under the pointer.
    pub spot: Option<FieldSpot>,
    /// Ends of the path that is looked for, as they are dragged.
    pub probe: Option<ProbeEnds>,
    /// Written beside the pointer: `12 × 5`.
    pub note: Option<String>,
}
