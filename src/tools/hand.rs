//! The select tool over a level that plays: what a drag does to a running entity. Its answer is not an edit but
//! something done by hand to the running world.
//!
//! Invariant: a press that never moves further than a few points is a click and moves nothing. Whatever is held or
//! pulled is let go of when the press ends, however it ends.

use std::borrow::Cow;

use glam::{DVec2, Vec2};

use super::{
    Cursor, Extent, PointerEvent, PointerPhase,
    rotate::{direction, normal, rotate_handle},
    select::DRAG_POINTS,
};
use crate::{
    edit::Edit,
    model::{DocPath, Instance, Level, Name, fresh_id},
    sim::{EntityKey, EntityView},
};

/// How near to a handle the pointer has to be, in points of the screen.
const REACH_POINTS: f64 = 7.0;
/// With Shift a turn goes by so many degrees.
const SHIFT_STEP: f64 = 15.0;

/// A running entity as the pointer meets it.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// The entity.
    pub key: EntityKey,
    /// Its id.
    pub id: Name,
    /// Its definition.
    pub def: Name,
    /// Its origin, in pixels of its layer.
    pub pos: Vec2,
    /// Clockwise, in radians.
    pub angle: f32,
    /// What can be clicked.
    pub extent: Extent,
    /// How far its layer is moved where it is seen, in pixels.
    pub offset: [f64; 2],
    /// Whether it is a dynamic body, which a spring can pull.
    pub is_dynamic: bool,
    /// Whether the level has it; otherwise the game spawned it.
    pub is_placed: bool,
}

/// Something to be done to the running world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandAct {
    /// Hold an entity: its origin in pixels of its layer, its angle in radians.
    Hold(EntityKey, Vec2, f32),
    /// Pull it by a spring: at a point from its origin, unturned, to a point, in pixels of its layer.
    Pull(EntityKey, Vec2, Vec2),
    /// Let go of what is held or pulled.
    LetGo,
}

/// What the tool answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandOut {
    /// What to do, in order.
    pub acts: Vec<HandAct>,
    /// Another selection.
    pub selection: Option<Vec<Name>>,
    /// One line for the status bar.
    pub hint: Cow<'static, str>,
    /// How the pointer looks.
    pub cursor: Cursor,
}

/// The select tool over a level that plays.
#[derive(Clone, Debug, Default)]
pub struct HandTool {
    doing: Option<Doing>,
    hint: Cow<'static, str>,
}

#[derive(Clone, Debug)]
struct Doing {
    what: What,
    /// As it was when it was grabbed.
    before: Running,
    /// Where that was, in pixels of the level.
    from: [f64; 2],
    /// By Ctrl, when it was grabbed.
    is_spring: bool,
    /// It has moved far enough to be a drag.
    is_drag: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Move,
    Turn,
}

impl Running {
    fn seen(&self) -> [f64; 2] {
        [f64::from(self.pos.x) + self.offset[0], f64::from(self.pos.y) + self.offset[1]]
    }

    /// A point of the level, in pixels of its layer.
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    fn on_layer(&self, at: [f64; 2]) -> Vec2 {
        Vec2::new((at[0] - self.offset[0]) as f32, (at[1] - self.offset[1]) as f32)
    }

    /// Whether a point of the level is on its box; a tiny one is as large as a handle.
    fn is_at(&self, at: [f64; 2], px_per_point: f64) -> bool {
        let seen = self.seen();
        let by = DVec2::from_angle(-f64::from(self.angle)).rotate(DVec2::new(at[0] - seen[0], at[1] - seen[1]));
        let least = REACH_POINTS * px_per_point / 2.0;
        (0..2).all(|i| (by[i] - self.extent.center[i]).abs() <= self.extent.half[i].max(least))
    }

    /// The handle to turn it, as of a placed entity.
    fn handle(&self, px_per_point: f64) -> [[f64; 2]; 2] {
        rotate_handle(self.seen(), f64::from(self.angle).to_degrees(), self.extent, px_per_point)
    }

    fn hint(&self) -> String {
        let spring = if self.is_dynamic { "; with Ctrl a spring pulls it" } else { "" };
        let delete =
            if self.is_placed { "Delete takes it out of the level" } else { "Delete takes it out of the world" };
        format!("Drag to move {} in the running world{spring}; {delete}", self.def)
    }
}

impl HandTool {
    /// The line for the status bar.
    #[must_use]
    pub fn hint(&self) -> &str {
        &self.hint
    }

    /// Whether something is held, pulled or turned.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.doing.is_some()
    }

    /// Answer a pointer event. `running` is what can be grabbed, frontmost last; `selected` what is selected.
    pub fn pointer(
        &mut self,
        event: &PointerEvent,
        running: &[Running],
        selected: &[Name],
        px_per_point: f64,
    ) -> HandOut {
        let out = match event.phase {
            PointerPhase::Press => self.press(event, running, selected, px_per_point),
            PointerPhase::Drag => self.drag(event, px_per_point),
            PointerPhase::Release => self.release(event, px_per_point),
            PointerPhase::Cancel => self.cancel(),
            PointerPhase::Hover => hover(event, running, selected, px_per_point),
        };
        self.hint.clone_from(&out.hint);
        out
    }

    /// The level no longer plays, or another tool is taken.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    fn press(&mut self, event: &PointerEvent, running: &[Running], selected: &[Name], px_per_point: f64) -> HandOut {
        let grabbed = grabbed(event.pos_px, running, selected, px_per_point);
        let selection = grabbed.map_or_else(Vec::new, |(_, it)| vec![it.id.clone()]);
        let Some((what, it)) = grabbed else {
            self.doing = None;
            return HandOut { selection: Some(selection), ..HandOut::default() };
        };
        let is_spring = event.modifiers.ctrl && it.is_dynamic && what == What::Move;
        self.doing = Some(Doing { what, before: it.clone(), from: event.pos_px, is_spring, is_drag: false });
        HandOut { selection: Some(selection), hint: it.hint().into(), cursor: Cursor::Move, ..HandOut::default() }
    }

    fn drag(&mut self, event: &PointerEvent, px_per_point: f64) -> HandOut {
        let Some(doing) = &mut self.doing else { return HandOut::default() };
        let by = [event.pos_px[0] - doing.from[0], event.pos_px[1] - doing.from[1]];
        doing.is_drag |= by[0].hypot(by[1]) > DRAG_POINTS * px_per_point;
        let def = &doing.before.def;
        let (act, hint) = match doing.what {
            What::Move if doing.is_spring => (doing.pull(event), format!("A spring pulls {def}; let go to throw it")),
            What::Move => {
                (doing.hold(by), format!("Moves {def} in the running world; let go and it goes on from there"))
            }
            What::Turn => (doing.turn(event), format!("Turns {def} in the running world; Shift for steps of 15°")),
        };
        let acts = if doing.is_drag { vec![act] } else { Vec::new() };
        HandOut { acts, hint: hint.into(), cursor: Cursor::Move, selection: None }
    }

    fn release(&mut self, event: &PointerEvent, px_per_point: f64) -> HandOut {
        let mut out = self.drag(event, px_per_point);
        if let Some(doing) = self.doing.take() {
            out.acts.extend(doing.is_drag.then_some(HandAct::LetGo));
            out.hint = doing.before.hint().into();
        }
        out
    }

    /// Put what is dragged back and let go of it.
    pub fn cancel(&mut self) -> HandOut {
        let Some(doing) = self.doing.take().filter(|doing| doing.is_drag) else { return HandOut::default() };
        let Running { key, pos, angle, .. } = doing.before;
        let back = (!doing.is_spring).then_some(HandAct::Hold(key, pos, angle));
        HandOut { acts: back.into_iter().chain([HandAct::LetGo]).collect(), ..HandOut::default() }
    }
}

impl Doing {
    fn hold(&self, by: [f64; 2]) -> HandAct {
        let seen = self.before.seen();
        let to = self.before.on_layer([seen[0] + by[0], seen[1] + by[1]]);
        HandAct::Hold(self.before.key, to, self.before.angle)
    }

    fn pull(&self, event: &PointerEvent) -> HandAct {
        let grip = self.before.on_layer(self.from) - self.before.pos;
        let grip = Vec2::from_angle(-self.before.angle).rotate(grip);
        HandAct::Pull(self.before.key, grip, self.before.on_layer(event.pos_px))
    }

    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
    fn turn(&self, event: &PointerEvent) -> HandAct {
        let middle = self.before.seen();
        let ends = direction(middle, self.from).zip(direction(middle, event.pos_px));
        let by = ends.map_or(0.0, |(from, to)| (to - from).to_degrees());
        let step = if event.modifiers.shift { SHIFT_STEP } else { 1.0 };
        let to = normal(((f64::from(self.before.angle).to_degrees() + by) / step).round() * step);
        HandAct::Hold(self.before.key, self.before.pos, to.to_radians() as f32)
    }
}

fn hover(event: &PointerEvent, running: &[Running], selected: &[Name], px_per_point: f64) -> HandOut {
    match grabbed(event.pos_px, running, selected, px_per_point) {
        Some((What::Turn, it)) => {
            let hint = format!("Drag to turn {} in the running world; Shift for steps of 15°", it.def);
            HandOut { hint: hint.into(), cursor: Cursor::Hand, ..HandOut::default() }
        }
        Some((What::Move, it)) => HandOut { hint: it.hint().into(), cursor: Cursor::Move, ..HandOut::default() },
        None => HandOut::default(),
    }
}

/// What is grabbed at a point of the level: the handle of what is selected alone, else what is in front there.
fn grabbed<'a>(
    at: [f64; 2],
    running: &'a [Running],
    selected: &[Name],
    px_per_point: f64,
) -> Option<(What, &'a Running)> {
    let lone = if let [id] = selected { running.iter().find(|it| it.id == *id) } else { None };
    let is_at_handle = |it: &&Running| {
        let [_, [x, y]] = it.handle(px_per_point);
        (x - at[0]).hypot(y - at[1]) <= REACH_POINTS * px_per_point
    };
    let handle = lone.filter(is_at_handle).map(|it| (What::Turn, it));
    handle.or_else(|| running.iter().rfind(|it| it.is_at(at, px_per_point)).map(|it| (What::Move, it)))
}

/// What writes the place of a running entity into its level.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptPlace {
    /// What the step is called.
    pub label: String,
    /// The edits.
    pub edits: Vec<Edit>,
    /// Its id in the level: that of a spawned one is new.
    pub id: Name,
    /// In pixels, as written.
    pub at: [f64; 2],
    /// In degrees, as written.
    pub rotation: f64,
}

/// What gives a placed entity the place and rotation that it has in the running world, or places one that the game
/// spawned; to hundredths. `None` where the layer it is on is no layer of entities. `seed` is what the id of a new one
/// is made from.
#[must_use]
pub fn kept_place((doc, level): (&DocPath, &Level), entity: &EntityView<'_>, seed: u64) -> Option<KeptPlace> {
    let hundredths = |x: f64| (x * 100.0).round() / 100.0 + 0.0;
    let at = [entity.pos.x, entity.pos.y].map(|x| hundredths(f64::from(x)));
    let rotation = hundredths(normal(f64::from(entity.angle).to_degrees()));
    if let Some((layer, instance)) = level.entity(entity.id) {
        let path = level.entity_at(layer, entity.id);
        let edits = vec![Edit::set_at(doc, path.key("at"), &at), Edit::set_at(doc, path.key("rotation"), &rotation)];
        let label = format!("Keep the place of {}", instance.def);
        return Some(KeptPlace { label, edits, id: entity.id.clone(), at, rotation });
    }
    let layer = level.nth_layer(entity.layer).filter(|layer| layer.entities().is_some())?;
    let id = fresh_id(seed, |id| level.has_id(id));
    let instance = Instance { rotation, ..Instance::new(entity.def.clone(), at) };
    let edits = vec![Edit::place(doc, &layer.name, id.clone(), instance)];
    Some(KeptPlace { label: format!("Keep {} as placed", entity.def), edits, id, at, rotation })
}
