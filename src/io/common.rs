//! What two lists have in common: pairs of the same elements, in order, as many as can be.
//!
//! Invariant: the work is bounded, whatever the lists are; the caller decides what to do with lists that are too long
//! to be compared. Equal elements at the front and at the back are paired first, so lists that differ in one place cost
//! no more than reading them.

use std::convert::Infallible;

use similar::algorithms::{DiffHook, lcs};

/// Comparisons beyond which the middle of two lists is not paired.
const MAX_COMPARED: usize = 1 << 20;

/// Pairs of the same elements of two lists, both rising.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Common {
    /// Index in the first, index in the second.
    pub pairs: Vec<(usize, usize)>,
    /// Whether all between the front and the back was compared.
    pub is_all: bool,
}

impl DiffHook for Common {
    type Error = Infallible;

    fn equal(&mut self, old: usize, new: usize, n: usize) -> Result<(), Infallible> {
        self.pairs.extend((0..n).map(|i| (old + i, new + i)));
        Ok(())
    }
}

/// Pair the elements of two lists.
pub(super) fn common<T: PartialEq>(old: &[T], new: &[T]) -> Common {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let back = old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    let mut common = Common { pairs: (0..front).map(|i| (i, i)).collect(), is_all: true };
    common.is_all = (old_end - front).saturating_mul(new_end - front) <= MAX_COMPARED;
    if common.is_all {
        // A table of all lengths, exact. The clock of a deadline would give another merge on another machine.
        let Ok(()) = lcs::diff_deadline_raw(&mut common, old, front..old_end, new, front..new_end, None);
    }
    common.pairs.extend((old_end..old.len()).zip(new_end..));
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    type Case = (&'static str, &'static str, &'static [(usize, usize)]);

    fn of(old: &str, new: &str) -> Common {
        common(old.as_bytes(), new.as_bytes())
    }

    /// The longest that can be, by trying everything.
    fn longest(old: &[u8], new: &[u8]) -> usize {
        match (old, new) {
            ([a, old_rest @ ..], [b, new_rest @ ..]) if a == b => 1 + longest(old_rest, new_rest),
            ([_, old_rest @ ..], [_, new_rest @ ..]) => longest(old_rest, new).max(longest(old, new_rest)),
            _ => 0,
        }
    }

    #[test]
    fn lists_are_paired_where_they_say_the_same() {
        let table: [Case; 8] = [
            ("", "", &[]),
            ("abc", "", &[]),
            ("abc", "abc", &[(0, 0), (1, 1), (2, 2)]),
            ("abc", "abxc", &[(0, 0), (1, 1), (2, 3)]),
            ("axbyc", "abc", &[(0, 0), (2, 1), (4, 2)]),
            ("abc", "cab", &[(0, 1), (1, 2)]),
            ("aaa", "aa", &[(0, 0), (1, 1)]),
            ("abc", "xyz", &[]),
        ];
        for (old, new, pairs) in table {
            assert_eq!(of(old, new), Common { pairs: pairs.to_vec(), is_all: true }, "{old} {new}");
        }
    }

    #[test]
    fn no_more_could_be_paired() {
        for seed in 0_u64..400 {
            let letters = |salt: u64| -> String {
                let n = crate::model::mix(seed ^ salt) % 8;
                (0..n).map(|i| char::from(b'a' + (crate::model::mix(seed * 31 + i + salt) % 3) as u8)).collect()
            };
            let (old, new) = (letters(1), letters(1 << 40));
            let found = of(&old, &new);
            assert_eq!(found.pairs.len(), longest(old.as_bytes(), new.as_bytes()), "{old} {new}");
            assert!(found.pairs.array_windows().all(|[a, b]| a.0 < b.0 && a.1 < b.1));
        }
    }

    #[test]
    fn long_lists_are_paired_at_their_ends() {
        let at = |n: usize| {
            let old: Vec<usize> = (0..n).collect();
            let new: Vec<usize> = (0..n).map(|i| if (10..n - 5).contains(&i) { n + i } else { i }).collect();
            common(&old, &new)
        };
        assert_eq!((at(1024).pairs.len(), at(1024).is_all), (15, true));
        assert_eq!((at(1_000_000).pairs.len(), at(1_000_000).is_all), (15, false));
        let list: Vec<usize> = (0..1024).collect();
        let mut moved = list.clone();
        moved.rotate_left(1);
        let moved = common(&list, &moved);
        assert_eq!((moved.pairs.len(), moved.is_all), (1023, true));
        assert!(!common(&[0; 1025], &[1; 1025]).is_all);
    }
}
