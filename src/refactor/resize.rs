//! Giving a level another size: where what is in it goes, how each side moves, and what would fall outside.
//!
//! Invariant: the counts are of what the edit of the same request does. Cells are counted from the level's left top
//! corner.

use std::sync::Arc;

use super::Plan;
use crate::{
    edit::{Edit, MAX_CELLS, Refusal, shift_problem, shift_step},
    model::{
        Cell, CellGrid, DocPath, Layer, LayerContent, LayerLook, Level, Project, counted, counted_doing, sentence,
    },
};

/// What of one direction stays where it is, when a level gets longer or shorter in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stay {
    /// The left side or the top.
    Start,
    /// The middle.
    Middle,
    /// The right side or the bottom.
    End,
}

/// What of a level stays where it is: one of nine places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// From left to right.
    pub x: Stay,
    /// From top to bottom.
    pub y: Stay,
}

impl Anchor {
    /// All nine, row by row.
    pub const ALL: [Self; 9] = [
        Self { x: Stay::Start, y: Stay::Start },
        Self { x: Stay::Middle, y: Stay::Start },
        Self { x: Stay::End, y: Stay::Start },
        Self { x: Stay::Start, y: Stay::Middle },
        Self { x: Stay::Middle, y: Stay::Middle },
        Self { x: Stay::End, y: Stay::Middle },
        Self { x: Stay::Start, y: Stay::End },
        Self { x: Stay::Middle, y: Stay::End },
        Self { x: Stay::End, y: Stay::End },
    ];

    /// In words: `top left`, `center`, `bottom`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.y, self.x) {
            (Stay::Start, Stay::Start) => "top left",
            (Stay::Start, Stay::Middle) => "top",
            (Stay::Start, Stay::End) => "top right",
            (Stay::Middle, Stay::Start) => "left",
            (Stay::Middle, Stay::Middle) => "center",
            (Stay::Middle, Stay::End) => "right",
            (Stay::End, Stay::Start) => "bottom left",
            (Stay::End, Stay::Middle) => "bottom",
            (Stay::End, Stay::End) => "bottom right",
        }
    }
}

/// Where what is in the level goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// So that this stays where it is.
    Anchor(Anchor),
    /// By so many cells.
    Shift(Cell),
}

/// A level that is to get another size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resize {
    /// The level.
    pub doc: DocPath,
    /// Its new width and height in cells; none for a level without bounds.
    pub size: Option<[u32; 2]>,
    /// Where what is in it goes.
    pub placement: Placement,
}

/// What would fall outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Tiles of the layers that move with the world; these are erased.
    pub tiles: usize,
    /// Placed entities that are inside now; these are not deleted.
    pub entities: usize,
    /// Waypoints that are inside now; the same.
    pub waypoints: usize,
}

impl Outside {
    /// The entities and waypoints outside, in words; `None` when there are none.
    fn things(&self) -> Option<String> {
        let things = [(self.entities, "entity"), (self.waypoints, "waypoint")];
        let things: Vec<String> = things.iter().filter(|(n, _)| *n > 0).map(|(n, of)| counted(*n, of)).collect();
        (!things.is_empty()).then(|| things.join(" and "))
    }

    /// What was left outside, in words, after it was done; `None` when nothing was.
    #[must_use]
    pub fn left(&self) -> Option<String> {
        let verb = if self.entities + self.waypoints == 1 { "is" } else { "are" };
        self.things().map(|things| format!("{things} {verb} outside the level now: undo, or move them inside"))
    }

    /// What would be lost and what would be left outside, in words; `None` when nothing is.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let erased = (self.tiles > 0).then(|| format!("{} erased", counted_doing(self.tiles, "tile", ["is", "are"])));
        let left = self.things().map(|things| format!("{things} would be outside"));
        let all: Vec<String> = erased.into_iter().chain(left).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// A rectangle of cells: left and top, and right and bottom, the latter not included.
type Rect = [[i64; 2]; 2];

impl Resize {
    /// Of a level, at first to the size it has.
    #[must_use]
    pub fn new(doc: DocPath, level: &Level) -> Self {
        Self { doc, size: level.size, placement: Placement::Anchor(Anchor::ALL[0]) }
    }

    /// To a rectangle of cells of a layer, left top and right bottom, both included: the level's cells that hold it.
    ///
    /// # Errors
    /// It is larger than a level can be.
    pub fn to_cells(doc: DocPath, level: &Level, grid: CellGrid, (lo, hi): (Cell, Cell)) -> Result<Self, Refusal> {
        let [lo, hi] = in_cells(level, grid.rect_px(lo, hi));
        let too_far = || Refusal::new(format!("the selected cells are more than {MAX_CELLS} cells apart"));
        let (size, shift) = fitted([lo, hi]).ok_or_else(too_far)?;
        Ok(Self { doc, size: Some(size), placement: Placement::Shift(shift) })
    }

    /// To the bounds of what is in it: tiles, entities and waypoints.
    ///
    /// # Errors
    /// There is nothing in it, or what is in it is too far apart for a level with bounds.
    pub fn to_content(doc: DocPath, level: &Level) -> Result<Self, Refusal> {
        let Some([lo, hi]) = content_cells(level) else {
            return Err(Refusal::new("there is nothing in this level to fit it to"));
        };
        // Tiles in cells of their own are to be in cells again.
        let step = shift_step(level).map(i64::from);
        let lo = [0, 1].map(|i: usize| lo[i].div_euclid(step[i]) * step[i]);
        let Some((size, shift)) = fitted([lo, hi]) else {
            return Err(Refusal::new(format!("what is in this level is more than {MAX_CELLS} cells apart")));
        };
        Ok(Self { doc, size: Some(size), placement: Placement::Shift(shift) })
    }

    /// With bounds or without. A level that gets bounds is first as large as what is in it.
    #[must_use]
    pub fn bounded(self, has_bounds: bool, level: &Level) -> Self {
        match (has_bounds, self.size) {
            (false, _) => Self { size: None, placement: Placement::Anchor(Anchor::ALL[0]), ..self },
            (true, Some(_)) => self,
            (true, None) if level.size.is_some() => Self { size: level.size, ..self },
            (true, None) => {
                let fitted = Self::to_content(self.doc.clone(), level);
                fitted.unwrap_or(Self { size: Level::default().size, ..self })
            }
        }
    }

    /// By how many cells what is in the level moves.
    #[must_use]
    pub fn shift(&self, level: &Level) -> Cell {
        match (self.placement, self.size) {
            (Placement::Shift(shift), _) => shift,
            // Without bounds there is nothing to keep a distance from.
            (Placement::Anchor(_), None) => [0, 0],
            (Placement::Anchor(anchor), Some(size)) => {
                let [lo, hi] = bounds(level);
                let shift = |stay: Stay, i: usize| {
                    let more = i64::from(size[i]) - (hi[i] - lo[i]);
                    let by = match stay {
                        Stay::Start => 0,
                        Stay::Middle => more.div_euclid(2),
                        Stay::End => more,
                    };
                    clamped(by - lo[i])
                };
                [shift(anchor.x, 0), shift(anchor.y, 1)]
            }
        }
    }

    /// By how many cells each side moves outward: left, top, right, bottom; inward where it is negative. A level
    /// without bounds is measured by its content. `None` for one that gets none.
    fn growth(&self, level: &Level) -> Option<[i64; 4]> {
        let size = self.size?;
        let ([lo, hi], shift) = (bounds(level), self.shift(level).map(i64::from));
        let start = |i: usize| lo[i] + shift[i];
        let end = |i: usize| i64::from(size[i]) - (hi[i] + shift[i]);
        Some([start(0), start(1), end(0), end(1)])
    }

    /// What would fall outside.
    #[must_use]
    pub fn outside(&self, level: &Level) -> Outside {
        Outside { tiles: self.tiles_outside(level), ..self.things_outside(level) }
    }

    /// The entities and waypoints that would fall outside, without the tiles, which may be millions.
    #[must_use]
    pub fn things_outside(&self, level: &Level) -> Outside {
        let mut out = Outside::default();
        let Some((size, by)) = self.change(level) else { return out };
        let cell_px = level.grid().px.map(f64::from);
        // Its edges belong to a level.
        let is_in =
            |size: [u32; 2], at: [f64; 2]| (0..2).all(|i| (0.0..=f64::from(size[i]) * cell_px[i]).contains(&at[i]));
        let leaves = |at: [f64; 2]| {
            level.size.is_none_or(|size| is_in(size, at)) && !is_in(size, [at[0] + by[0], at[1] + by[1]])
        };
        for layer in level.all_layers() {
            match &layer.content {
                LayerContent::Entities(all) => out.entities += all.values().filter(|it| leaves(it.at)).count(),
                LayerContent::Waypoints(graph) => {
                    out.waypoints += graph.nodes.values().filter(|node| leaves(node.at)).count();
                }
                _ => {}
            }
        }
        out
    }

    fn tiles_outside(&self, level: &Level) -> usize {
        let Some((size, by)) = self.change(level) else { return 0 };
        let resized = Level { size: Some(size), tile_size: level.tile_size, ..Level::default() };
        let of_layer = |(layer, look): (&Arc<Layer>, LayerLook)| {
            let cells = layer.cells().filter(|_| look.moves_with_world())?;
            let grid = resized.grid_of(layer);
            let by = grid.cell_at(by);
            // Where they are now, what is inside then.
            let (lo, hi) = grid.corners();
            let [lo, hi] = [lo, hi].map(|cell| [0, 1].map(|i| cell[i].saturating_sub(by[i])));
            Some(cells.tiles.n_outside((lo, hi)))
        };
        level.looks().into_iter().filter_map(of_layer).sum()
    }

    /// The bounds that the level gets and by how many pixels what is in it moves; `None` where nothing can fall
    /// outside.
    fn change(&self, level: &Level) -> Option<([u32; 2], [f64; 2])> {
        let shift = self.shift(level);
        let size = self.size.filter(|size| level.size != Some(*size) || shift != [0, 0])?;
        Some((size, level.grid().corner_px(shift)))
    }

    /// How each side moves, in words: `2 cells more at the left, 3 fewer at the bottom`.
    #[must_use]
    pub fn growth_text(&self, level: &Level) -> String {
        let Some(growth) = self.growth(level) else { return "It has no bounds".to_owned() };
        let sides = growth.into_iter().zip(["at the left", "at the top", "at the right", "at the bottom"]);
        let moved = sides.filter(|(by, _)| *by != 0).map(|(by, at)| {
            let n = counted(usize::try_from(by.unsigned_abs()).unwrap_or(usize::MAX), "cell");
            format!("{n} {} {at}", if by > 0 { "more" } else { "fewer" })
        });
        let moved: Vec<String> = moved.collect();
        if moved.is_empty() { "Every side stays where it is".to_owned() } else { sentence(&moved.join(", ")) }
    }

    /// Why a level cannot get this size, as a sentence: it is none for a level, or what is in it would be between two
    /// cells.
    #[must_use]
    pub fn problem(&self, level: &Level) -> Option<String> {
        let is_bad = self.size.is_some_and(|size| size.iter().any(|side| !(1..=MAX_CELLS).contains(side)));
        if is_bad {
            return Some(format!("A level is 1 to {MAX_CELLS} cells wide and high"));
        }
        shift_problem(level, self.shift(level))
    }

    /// The plan that does it.
    ///
    /// # Errors
    /// The size is wrong, it is the level's own, or there is no such level.
    pub fn plan(&self, project: &Project) -> Result<Plan, Refusal> {
        let level = project.level(&self.doc);
        let level = level.ok_or_else(|| Refusal::new(format!("there is no level `{}`", self.doc.stem())))?;
        if let Some(why) = self.problem(level) {
            return Err(Refusal::new(why));
        }
        let shift = self.shift(level);
        if self.size == level.size && shift == [0, 0] {
            let why = match level.size {
                Some([w, h]) => format!("“{}” is {w} × {h} cells already", self.doc.stem()),
                None => format!("“{}” is unbounded already", self.doc.stem()),
            };
            return Err(Refusal::new(why));
        }
        let edit = Edit::ResizeLevel { doc: self.doc.clone(), size: self.size, shift };
        let label = edit.label();
        Ok(Plan { label, edits: vec![edit] })
    }
}

/// The level's rectangle; that of its content where it has no bounds.
fn bounds(level: &Level) -> Rect {
    match level.size {
        Some(size) => [[0, 0], size.map(i64::from)],
        None => content_cells(level).unwrap_or_default(),
    }
}

/// The cells that hold everything in a level: tiles of layers that move with the world, entities and waypoints. `None`
/// when it is empty.
fn content_cells(level: &Level) -> Option<Rect> {
    let joined = |a: Rect, b: Rect| {
        let lo = [a[0][0].min(b[0][0]), a[0][1].min(b[0][1])];
        [lo, [a[1][0].max(b[1][0]), a[1][1].max(b[1][1])]]
    };
    let [lo, hi] = level.looks().into_iter().filter_map(|it| of_layer(level, it)).reduce(joined)?;
    // A single point takes a cell.
    Some([lo, [hi[0].max(lo[0] + 1), hi[1].max(lo[1] + 1)]])
}

/// The cells that hold everything on a layer: none in a direction in which all stands on one edge.
fn of_layer(level: &Level, (layer, look): (&Arc<Layer>, LayerLook)) -> Option<Rect> {
    let of_points = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let around = points
            .map(|[x, y]| [x, y, x, y])
            .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])?;
        Some(in_cells(level, around))
    };
    match &layer.content {
        LayerContent::Image(_) | LayerContent::Group(_) => None,
        LayerContent::Tiles(_) | LayerContent::Values(_) => {
            let (lo, hi) = layer.cells().filter(|_| look.moves_with_world())?.tiles.used_bounds()?;
            Some(in_cells(level, level.grid_of(layer).rect_px(lo, hi)))
        }
        LayerContent::Entities(all) => of_points(&mut all.values().map(|it| it.at)),
        LayerContent::Waypoints(graph) => of_points(&mut graph.nodes.values().map(|node| node.at)),
    }
}

/// The level's cells that hold a rectangle in pixels. What stands on an edge needs no cell beyond it, as the edges of a
/// level belong to it.
fn in_cells(level: &Level, [left, top, right, bottom]: [f64; 4]) -> Rect {
    let px = level.grid().px.map(f64::from);
    let lo = [left / px[0], top / px[1]].map(|at| whole(at.floor()));
    [lo, [right / px[0], bottom / px[1]].map(|at| whole(at.ceil()))]
}

/// The size of a level that is a rectangle of cells, and by how much what is in it moves; `None` where no level can be.
fn fitted([lo, hi]: Rect) -> Option<([u32; 2], Cell)> {
    let side = |i: usize| u32::try_from(hi[i] - lo[i]).ok().filter(|side| *side <= MAX_CELLS);
    let shift = |i: usize| i32::try_from(-lo[i]).ok().filter(|by| by.unsigned_abs() <= MAX_CELLS);
    Some(([side(0)?, side(1)?], [shift(0)?, shift(1)?]))
}

/// Places further out are counted as being here, in cells: no level reaches that far.
const MOST: f64 = (1_u64 << 40) as f64;

/// A number of cells.
#[expect(clippy::cast_possible_truncation, reason = "it is within bounds")]
fn whole(cells: f64) -> i64 {
    cells.clamp(-MOST, MOST) as i64
}

fn clamped(cells: i64) -> i32 {
    i32::try_from(cells).unwrap_or(if cells < 0 { i32::MIN } else { i32::MAX })
}
