//! Repeating entities and waypoints along a line: copies of what is held, from where it is to where the pointer is.
//!
//! Invariant: how many copies there are is bounded by [`Repeat::MAX`], however long the line is.

use super::{
    Cursor, Ghost, PointerEvent, PointerPhase, ToolCx, ToolOut,
    options::Repeat,
    select::{hit, place_of},
};
use crate::{
    edit::{Phase, duplicate_things},
    model::{Name, sentence},
};

/// Things that are being repeated.
#[derive(Clone, Debug)]
pub(super) struct Repeating {
    from: [f64; 2],
    /// Where the thing under the pointer is, whose copies keep to the grid.
    lead_at: [f64; 2],
    ids: Vec<Name>,
}

/// Answer a pointer event in the middle of `repeating`.
pub(super) fn pointer(
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    repeating: Option<Repeating>,
) -> (Option<Repeating>, ToolOut) {
    match (event.phase, repeating) {
        (PointerPhase::Drag | PointerPhase::Release, Some(it)) => {
            let is_over = event.phase == PointerPhase::Release;
            let out = drag(cx, event, &it, is_over);
            (if is_over { None } else { Some(it) }, out)
        }
        (phase, _) => {
            let Some(id) = hit(cx, event.pos_px) else {
                return (None, ToolOut { cursor: Cursor::Crosshair, ..ToolOut::default() });
            };
            let lead_at = cx.level().and_then(|level| place_of(level, &id)).unwrap_or(event.pos_px);
            let ghost = Ghost { hovered: Some(id.clone()), ..Ghost::default() };
            let out = ToolOut { ghost, cursor: Cursor::Copy, ..ToolOut::default() };
            if phase != PointerPhase::Press {
                return (None, out);
            }
            let is_selected = cx.selection.contains(&id);
            let ids = if is_selected { cx.selection.to_vec() } else { vec![id] };
            let selection = (!is_selected).then(|| ids.clone());
            (Some(Repeating { from: event.pos_px, lead_at, ids }), ToolOut { selection, ..out })
        }
    }
}

fn drag(cx: &ToolCx<'_>, event: &PointerEvent, it: &Repeating, is_over: bool) -> ToolOut {
    let mut by = [0, 1].map(|i| event.pos_px[i] - it.from[i]);
    if event.modifiers.shift {
        let flat = usize::from(by[0].abs() >= by[1].abs());
        by[flat] = 0.0;
    }
    // The line ends on the grid, and so does the way to each copy, but along an axis that it does not follow.
    let on_grid = |step: [f64; 2]| {
        let to = cx.snapped([0, 1].map(|i| it.lead_at[i] + step[i]), event.modifiers.alt);
        [0, 1].map(|i| if by[i] == 0.0 { 0.0 } else { to[i] - it.lead_at[i] })
    };
    let whole = on_grid(by);
    let grid = cx.snap_px.filter(|_| !event.modifiers.alt && cx.options.repeat.spacing_px <= 0.0);
    let mut steps: Vec<[f64; 2]> = match grid {
        // What is off the grid comes onto it before it is repeated.
        Some(grid) => cx.options.repeat.steps_on_grid(on_grid([0.0; 2]), whole, grid),
        None => cx.options.repeat.steps(whole).into_iter().map(on_grid).collect(),
    };
    // Copies that are nearer to each other than files tell places apart would lie on one another.
    steps.retain(|step| *step != [0.0; 2]);
    steps.dedup();
    steps.truncate((Repeat::MOST_THINGS / it.ids.len().max(1)).max(1));
    let mut out = ToolOut { cursor: Cursor::Copy, ..ToolOut::default() };
    let mut copies = Vec::new();
    if let Some(level) = cx.level().filter(|_| !steps.is_empty()) {
        match duplicate_things((cx.doc, level), &it.ids, &steps, cx.seed) {
            Ok(made) => (out.edits, copies) = made,
            Err(why) => {
                return ToolOut {
                    phase: ToolOut::ended(is_over, Phase::Cancel),
                    ..ToolOut::refused(sentence(&why.to_string()))
                };
            }
        }
    }
    out.label = Some(match steps.len() {
        1 => "Repeat once".to_owned(),
        n => format!("Repeat {n} times"),
    });
    if is_over {
        out.selection = (!copies.is_empty()).then(|| it.ids.iter().cloned().chain(copies).collect());
    } else {
        out.ghost.guides = vec![[it.from, [it.from[0] + whole[0], it.from[1] + whole[1]]]];
        let apart = steps.first().map_or(0.0, |[x, y]| (x.hypot(*y) * 10.0).round() / 10.0);
        out.ghost.note = Some(format!("{} × {apart} px", steps.len()));
    }
    out.phase = ToolOut::ended(is_over, Phase::Commit);
    out
}

impl Repeat {
    /// The most copies that are made at once.
    pub const MAX: u32 = 500;

    /// The most things that are made at once, of all that is repeated together.
    const MOST_THINGS: usize = 10_000;

    /// How far each copy is from what is repeated, along a line from `start` to `end`: on a grid, equally far from each
    /// other, and not beyond the end. Where the grid has fewer places than there are copies, there are as many as it
    /// has.
    fn steps_on_grid(self, start: [f64; 2], end: [f64; 2], grid: [f64; 2]) -> Vec<[f64; 2]> {
        let n_places = |i: usize| if grid[i] > 0.0 { ((end[i] - start[i]) / grid[i]).round() } else { 0.0 };
        let by = [n_places(0), n_places(1)];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 500")]
        let n = by[0].abs().max(by[1].abs()).min(f64::from(self.n_copies.clamp(1, Self::MAX))) as u32;
        let step = [0, 1].map(|i| (by[i] / f64::from(n.max(1))).trunc() * grid[i]);
        (1..=n).map(|k| [0, 1].map(|i| start[i] + step[i] * f64::from(k))).collect()
    }

    /// How far each copy is from what is repeated, along a line.
    pub(super) fn steps(self, by: [f64; 2]) -> Vec<[f64; 2]> {
        let length = by[0].hypot(by[1]);
        if length <= 0.0 || !length.is_finite() {
            return Vec::new();
        }
        let (n, share) = if self.spacing_px > 0.0 {
            // As many as fit; a copy that would end on the line's end is on it, whatever the last digit says.
            let fit = (length / self.spacing_px + 1e-6).floor().min(f64::from(Self::MAX));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 500")]
            let n = fit as u32;
            (n, self.spacing_px / length)
        } else {
            let n = self.n_copies.clamp(1, Self::MAX);
            (n, 1.0 / f64::from(n))
        };
        (1..=n).map(|i| by.map(|x| x * share * f64::from(i))).collect()
    }
}
