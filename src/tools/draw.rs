//! Drawing one of several by weight, always the same for a cell.

use crate::model::{Cell, mix};

/// The number of the one that is drawn for a cell. Where all weights are zero none is preferred; `None` of none.
pub(super) fn drawn(weights: impl Iterator<Item = f64> + Clone, [x, y]: Cell) -> Option<usize> {
    let total: f64 = weights.clone().map(|weight| weight.max(0.0)).sum();
    let bits = mix(u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned()));
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    let mut draw = (bits >> 11) as f64 / (1_u64 << 53) as f64 * total;
    let n = weights.clone().count();
    let found = weights.into_iter().position(|weight| {
        draw -= weight.max(0.0);
        draw < 0.0
    });
    found.or_else(|| usize::try_from(bits.checked_rem(n as u64)?).ok())
}
