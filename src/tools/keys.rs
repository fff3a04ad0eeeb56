//! Where the keyboard moves the pointer in a level.

use crate::model::CellGrid;

/// Cells that a large step goes.
const FAR: f64 = 8.0;

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyStep {
    /// A pixel.
    Pixel,
    /// To the middle of the next cell.
    Cell,
    /// Several cells.
    Far,
}

/// The middle of the cell of a point, of the nearest one in a level with sides.
#[must_use]
pub fn middle_of_cell(grid: CellGrid, at: [f64; 2]) -> [f64; 2] {
    let cell = grid.cell_at(at);
    [0, 1].map(|i| {
        let last = |size: [u32; 2]| i32::try_from(size[i]).unwrap_or(i32::MAX).max(1) - 1;
        let cell = grid.size.map_or(cell[i], |size| cell[i].clamp(0, last(size)));
        (f64::from(cell) + 0.5) * f64::from(grid.px[i])
    })
}

/// A point of a level moved by a step in a direction, as `[-1.0, 0.0]` to the left. By pixels it leaves the level, by
/// cells it does not.
#[must_use]
pub fn stepped(grid: CellGrid, at: [f64; 2], direction: [f64; 2], step: KeyStep) -> [f64; 2] {
    let n_cells = match step {
        KeyStep::Pixel => return [0, 1].map(|i| at[i] + direction[i]),
        KeyStep::Cell => 1.0,
        KeyStep::Far => FAR,
    };
    middle_of_cell(grid, [0, 1].map(|i| at[i] + direction[i] * n_cells * f64::from(grid.px[i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_from_cell_to_cell_and_stay_in_a_level_with_sides() {
        let grid = CellGrid { size: Some([20, 10]), px: [16, 8] };
        let (left, right, down) = ([-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]);
        let at = middle_of_cell(grid, [3.0, 7.9]);
        assert_eq!(at, [8.0, 4.0]);
        assert_eq!(stepped(grid, at, right, KeyStep::Cell), [24.0, 4.0]);
        assert_eq!(stepped(grid, [17.0, 4.0], right, KeyStep::Cell), [40.0, 4.0], "from wherever in the cell");
        assert_eq!(stepped(grid, at, down, KeyStep::Far), [8.0, 68.0]);
        assert_eq!(stepped(grid, [8.0, 68.0], down, KeyStep::Far), [8.0, 76.0], "as far as the last row");
        assert_eq!(stepped(grid, at, left, KeyStep::Cell), at);
        assert_eq!(stepped(grid, at, left, KeyStep::Pixel), [7.0, 4.0]);
        let endless = CellGrid { size: None, ..grid };
        assert_eq!(stepped(endless, at, left, KeyStep::Far), [-120.0, 4.0]);
    }
}
