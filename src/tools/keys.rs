//! Where the keyboard moves the pointer in a level.

use crate::model::Level;

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
pub fn middle_of_cell(level: &Level, at: [f64; 2]) -> [f64; 2] {
    let cell = level.cell_at(at);
    [0, 1].map(|i| {
        let last = |size: [u32; 2]| i32::try_from(size[i]).unwrap_or(i32::MAX).max(1) - 1;
        let cell = level.size.map_or(cell[i], |size| cell[i].clamp(0, last(size)));
        (f64::from(cell) + 0.5) * f64::from(level.tile_size[i])
    })
}

/// A point of a level moved by a step in a direction, as `[-1.0, 0.0]` to the left. By pixels it leaves the level, by cells it does not.
#[must_use]
pub fn stepped(level: &Level, at: [f64; 2], direction: [f64; 2], step: KeyStep) -> [f64; 2] {
    let n_cells = match step {
        KeyStep::Pixel => return [0, 1].map(|i| at[i] + direction[i]),
        KeyStep::Cell => 1.0,
        KeyStep::Far => FAR,
    };
    middle_of_cell(level, [0, 1].map(|i| at[i] + direction[i] * n_cells * f64::from(level.tile_size[i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_from_cell_to_cell_and_stay_in_a_level_with_sides() {
        let level = Level { size: Some([20, 10]), tile_size: [16, 8], ..Level::default() };
        let (left, right, down) = ([-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]);
        let at = middle_of_cell(&level, [3.0, 7.9]);
        assert_eq!(at, [8.0, 4.0]);
        assert_eq!(stepped(&level, at, right, KeyStep::Cell), [24.0, 4.0]);
        assert_eq!(stepped(&level, [17.0, 4.0], right, KeyStep::Cell), [40.0, 4.0], "from wherever in the cell");
        assert_eq!(stepped(&level, at, down, KeyStep::Far), [8.0, 68.0]);
        assert_eq!(stepped(&level, [8.0, 68.0], down, KeyStep::Far), [8.0, 76.0], "as far as the last row");
        assert_eq!(stepped(&level, at, left, KeyStep::Cell), at);
        assert_eq!(stepped(&level, at, left, KeyStep::Pixel), [7.0, 4.0]);
        let endless = Level { size: None, ..level };
        assert_eq!(stepped(&endless, at, left, KeyStep::Far), [-120.0, 4.0]);
    }
}
