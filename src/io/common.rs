//! What two lists have in common: pairs of the same elements, in order, as many as can be.
//!
//! Invariant: the work is bounded, whatever the lists are; who asks decides what to do with lists that are too long to be compared.
//! What says the same at the front and at the back is paired first, so lists that differ in one place cost no more than reading them.

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

/// Pair the elements of lists of these lengths; `is_same` compares one of the first with one of the second.
///
/// Source: Wagner, Fischer, "The string-to-string correction problem", as the longest common subsequence.
pub(super) fn common(n_old: usize, n_new: usize, is_same: impl Fn(usize, usize) -> bool) -> Common {
    let n_both = n_old.min(n_new);
    let front = (0..n_both).take_while(|i| is_same(*i, *i)).count();
    let back = (0..n_both - front).take_while(|i| is_same(n_old - 1 - i, n_new - 1 - i)).count();
    let (rows, columns) = (n_old - front - back, n_new - front - back);
    let mut pairs: Vec<(usize, usize)> = (0..front).map(|i| (i, i)).collect();
    let is_all = rows.saturating_mul(columns) <= MAX_COMPARED;
    if is_all && rows > 0 && columns > 0 {
        let same = |i: usize, j: usize| is_same(front + i, front + j);
        // From the back: how many can be paired from here on.
        let width = columns + 1;
        let mut length = vec![0_u32; (rows + 1) * width];
        for i in (0..rows).rev() {
            for j in (0..columns).rev() {
                length[i * width + j] = if same(i, j) {
                    length[(i + 1) * width + j + 1] + 1
                } else {
                    length[(i + 1) * width + j].max(length[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < rows && j < columns {
            if same(i, j) {
                pairs.push((front + i, front + j));
                (i, j) = (i + 1, j + 1);
            } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    pairs.extend((0..back).rev().map(|k| (n_old - 1 - k, n_new - 1 - k)));
    Common { pairs, is_all }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Case = (&'static str, &'static str, &'static [(usize, usize)]);

    fn of(old: &str, new: &str) -> Common {
        common(old.len(), new.len(), |i, j| old.as_bytes()[i] == new.as_bytes()[j])
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
        let at = |n: usize| common(n, n, |i, j| i == j && (i < 10 || i >= n - 5));
        assert_eq!((at(1024).pairs.len(), at(1024).is_all), (15, true));
        assert_eq!((at(1_000_000).pairs.len(), at(1_000_000).is_all), (15, false));
        let moved = common(1024, 1024, |i, j| i == (j + 1) % 1024);
        assert_eq!((moved.pairs.len(), moved.is_all), (1023, true));
        assert!(!common(1025, 1025, |_, _| false).is_all);
    }
}
