//! The selected tool and its gesture.
//!
//! Invariant: `Press` is where something can begin and `Release` or `Cancel` where it has ended; a second button
//! pressed in between cancels.

use super::{
    Button, Modifiers, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut,
    brush::{self, Brushing},
    cells::{self, Marking},
    menu, place,
    probe::{self, Probing},
    repeat::{self, Repeating},
    select::{self, Selecting},
    stamps::{self, Stamping},
    waypoint::{self, Chain, Linking},
};
use crate::edit::Phase;

/// What a tool is in the middle of.
#[derive(Clone, Debug, Default)]
enum Busy {
    /// Nothing.
    #[default]
    No,
    /// Tiles.
    Brush(Brushing),
    /// Selecting cells, or moving what is on them.
    Cells(Marking),
    /// Moving things or drawing a frame around them.
    Select(Selecting),
    /// Stamps of several layers.
    Stamp(Stamping),
    /// Placing an entity.
    Place,
    /// Repeating things along a line.
    Repeat(Repeating),
    /// Waypoints and links.
    Waypoint(Linking),
    /// An end of the path that is looked for.
    Probe(Probing),
}

/// The selected tool.
#[derive(Clone, Debug)]
pub struct Toolbox {
    kind: ToolKind,
    busy: Busy,
    button: Button,
    modifiers: Modifiers,
    brush: brush::Kept,
    chain: Chain,
    shown: ToolOut,
}

impl Default for Toolbox {
    fn default() -> Self {
        let kind = ToolKind::default();
        let shown = ToolOut::hint(kind.spec().hint);
        let (button, modifiers) = (Button::default(), Modifiers::default());
        Self { kind, busy: Busy::No, button, modifiers, brush: brush::Kept::default(), chain: None, shown }
    }
}

impl Toolbox {
    /// The selected tool.
    #[must_use]
    pub fn kind(&self) -> ToolKind {
        self.kind
    }

    /// Select another tool. The old one's gesture is canceled, so an open history gesture has to be canceled as well.
    pub fn take(&mut self, kind: ToolKind) {
        if self.kind != kind {
            self.cancel();
            self.kind = kind;
            self.chain = None;
            self.shown = ToolOut::hint(kind.spec().hint);
        }
    }

    /// Whether the tool is in the middle of something.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !matches!(self.busy, Busy::No)
    }

    /// The keys held at the last event.
    #[must_use]
    pub fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// What the last event's answer shows: ghost, hint, pointer, and the edits of a gesture that goes on.
    #[must_use]
    pub fn shown(&self) -> &ToolOut {
        &self.shown
    }

    /// The pointer left the level: nothing is shown over it any more, and no hint that is about a place in it. What the
    /// tool is in the middle of goes on.
    pub fn leave(&mut self) {
        self.shown.ghost = super::Ghost::default();
        if !self.is_busy() {
            self.shown.hint = self.kind.spec().hint.into();
        }
    }

    /// Let go of what the tool is doing; when it is doing nothing, of the chain of waypoints.
    pub fn cancel(&mut self) -> ToolOut {
        let was_busy = self.is_busy();
        if !was_busy {
            self.chain = None;
        }
        self.busy = Busy::No;
        self.shown = ToolOut::hint(self.kind.spec().hint);
        ToolOut { phase: ToolOut::ended(was_busy, Phase::Cancel), ..self.shown.clone() }
    }

    /// A definition dragged from elsewhere is over the level, or let go of there: it is placed as by the entity tool,
    /// whatever tool is in hand.
    pub fn carry(&mut self, cx: &ToolCx<'_>, event: &PointerEvent) -> ToolOut {
        let is_dropped = event.phase == PointerPhase::Release;
        let (_, out) = place::pointer(cx, event, is_dropped);
        self.shown = if is_dropped {
            ToolOut::hint(self.kind.spec().hint)
        } else {
            ToolOut { edits: Vec::new(), ..out.clone() }
        };
        out
    }

    /// Answer a pointer event.
    pub fn pointer(&mut self, cx: &ToolCx<'_>, event: &PointerEvent) -> ToolOut {
        self.modifiers = event.modifiers;
        match event.phase {
            PointerPhase::Cancel => return self.cancel(),
            PointerPhase::Press if self.is_busy() => return self.cancel(),
            // A release or drag of a button that began nothing ends nothing.
            PointerPhase::Drag | PointerPhase::Release if !self.is_busy() || event.button != self.button => {
                return self.shown.clone();
            }
            // The button was released outside the window.
            PointerPhase::Hover if self.is_busy() => return self.cancel(),
            PointerPhase::Press => self.button = event.button,
            _ => {}
        }
        let busy = std::mem::take(&mut self.busy);
        let asks_for_menu = event.phase == PointerPhase::Press && event.button == Button::Secondary;
        let (busy, mut out) = match self.kind {
            kind if asks_for_menu && kind.opens_menu() => (Busy::No, menu::press(kind, cx, event)),
            ToolKind::Select => {
                let selecting = if let Busy::Select(selecting) = busy { Some(selecting) } else { None };
                let (selecting, out) = select::pointer(cx, event, selecting);
                (selecting.map_or(Busy::No, Busy::Select), out)
            }
            ToolKind::SelectCells | ToolKind::Lasso | ToolKind::Wand | ToolKind::SelectSame => {
                let marking = if let Busy::Cells(marking) = busy { Some(marking) } else { None };
                let (marking, out) = cells::pointer(self.kind, cx, event, marking);
                (marking.map_or(Busy::No, Busy::Cells), out)
            }
            ToolKind::Entity => {
                let (is_held, out) = place::pointer(cx, event, matches!(busy, Busy::Place));
                (if is_held { Busy::Place } else { Busy::No }, out)
            }
            ToolKind::Repeat => {
                let repeating = if let Busy::Repeat(repeating) = busy { Some(repeating) } else { None };
                let (repeating, out) = repeat::pointer(cx, event, repeating);
                (repeating.map_or(Busy::No, Busy::Repeat), out)
            }
            ToolKind::Waypoint | ToolKind::Link => {
                let linking = if let Busy::Waypoint(linking) = busy { Some(linking) } else { None };
                let (linking, out) = waypoint::pointer((self.kind, &mut self.chain), cx, event, linking);
                (linking.map_or(Busy::No, Busy::Waypoint), out)
            }
            ToolKind::Probe => {
                let probing = if let Busy::Probe(probing) = busy { Some(probing) } else { None };
                let (probing, out) = probe::pointer(cx, event, probing);
                (probing.map_or(Busy::No, Busy::Probe), out)
            }
            ToolKind::Stamp
                if !cx.stamps.is_empty() && event.button == Button::Primary && !matches!(busy, Busy::Brush(_)) =>
            {
                let stamping = if let Busy::Stamp(stamping) = busy { Some(stamping) } else { None };
                let (stamping, out) = stamps::pointer(cx, event, stamping);
                (stamping.map_or(Busy::No, Busy::Stamp), out)
            }
            ToolKind::Pencil
            | ToolKind::Line
            | ToolKind::Rectangle
            | ToolKind::Ellipse
            | ToolKind::Bucket
            | ToolKind::SameTile
            | ToolKind::Terrain
            | ToolKind::Stamp
            | ToolKind::Eraser
            | ToolKind::Eyedropper => {
                let brushing = if let Busy::Brush(brushing) = busy { Some(brushing) } else { None };
                let (brushing, out) = brush::pointer((self.kind, &mut self.brush), cx, event, brushing);
                (brushing.map_or(Busy::No, Busy::Brush), out)
            }
        };
        self.busy = busy;
        if out.hint.is_empty() {
            out.hint = self.kind.spec().hint.into();
        }
        // What is kept is asked for again and again; what is done only once is not in it.
        self.shown = ToolOut {
            phase: Phase::Preview,
            selection: None,
            cells: None,
            floating: None,
            picked: None,
            probe: None,
            menu: None,
            ..out.clone()
        };
        if !self.is_busy() {
            self.shown.edits = Vec::new();
        }
        if out.menu.is_some() {
            // The commands of the menu mean the entity.
            self.shown.ghost.spot = None;
        }
        out
    }
}
