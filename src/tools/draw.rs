//! Drawing one of several by weight, always the same for a cell.

use crate::model::{Cell, mix};

/// What one is drawn of.
#[derive(Clone, Debug)]
pub(super) struct Draw<T> {
    items: Vec<T>,
    /// For each the weight of it and all before it.
    up_to: Vec<f64>,
}

impl<T: Copy + PartialEq> Draw<T> {
    /// Of these, each with its weight.
    pub(super) fn new(items: impl Iterator<Item = (T, f64)>) -> Self {
        let (items, weights): (Vec<T>, Vec<f64>) = items.unzip();
        let mut total = 0.0;
        let add = |weight: f64| {
            total += weight.max(0.0);
            total
        };
        Self { items, up_to: weights.into_iter().map(add).collect() }
    }

    /// Whether it may be drawn.
    pub(super) fn has(&self, item: T) -> bool {
        self.items.contains(&item)
    }

    /// The one that is drawn for a cell. Where all weights are zero none is preferred; `None` of none.
    pub(super) fn at(&self, [x, y]: Cell) -> Option<T> {
        let bits = mix(u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned()));
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let draw = (bits >> 11) as f64 / (1_u64 << 53) as f64 * self.up_to.last()?;
        let at = self.up_to.partition_point(|up_to| *up_to <= draw);
        let any = || self.items.get(usize::try_from(bits.checked_rem(self.items.len() as u64)?).ok()?);
        self.items.get(at).or_else(any).copied()
    }
}
