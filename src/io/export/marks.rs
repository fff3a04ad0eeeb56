//! Marks: texts of an export that stand for the lists of layers until those are written.

use std::ops::Range;

/// The text that stands for the list of a layer until that is written.
pub(super) fn mark(salt: &str, index: usize) -> String {
    format!("{salt}, {index}")
}

/// The marks in a text, in its order.
pub(super) fn marks(text: &str, salt: &str) -> Vec<(Range<usize>, usize)> {
    let before = format!("\"{salt}, ");
    let mark_at = |(at, _): (usize, &str)| {
        let (number, _) = text.get(at + before.len()..)?.split_once('"')?;
        let end = at + before.len() + number.len() + 1;
        Some((at..end, number.parse().ok()?))
    };
    text.match_indices(&before).filter_map(mark_at).collect()
}
