//! Positions on a line as near as possible to wanted ones, in a given order and at given distances.
//!
//! Source: M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid, E. Silverman, "An Empirical Distribution Function for
//! Sampling with Incomplete Information", Annals of Mathematical Statistics 26(4), 1955 (pool adjacent violators).

/// The places nearest to `wanted` (each with its weight, least squares) such that each is at least `apart` after the
/// one before; `apart[i]` is the distance from `i` to `i + 1`.
pub(super) fn spread(wanted: &[(f64, f64)], apart: impl Fn(usize) -> f64) -> Vec<f64> {
    // With the distances subtracted, positions only have to ascend: those that would not share the mean of their
    // targets.
    let mut shift = 0.0;
    let mut shifts = Vec::with_capacity(wanted.len());
    // Each pool: sum of weighted targets, sum of weights, number of positions.
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(wanted.len());
    for (i, (at, weight)) in wanted.iter().enumerate() {
        if i > 0 {
            shift += apart(i - 1);
        }
        shifts.push(shift);
        let mut pool = ((at - shift) * weight, *weight, 1);
        while let Some(before) = pools.last()
            && before.0 / before.1 > pool.0 / pool.1
        {
            pool = (pool.0 + before.0, pool.1 + before.1, pool.2 + before.2);
            pools.pop();
        }
        pools.push(pool);
    }
    let places = pools.iter().flat_map(|(sum, weight, n)| std::iter::repeat_n(sum / weight, *n));
    places.zip(shifts).map(|(place, shift)| place + shift).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn places_are_wanted_ones_where_they_can_be_and_apart_otherwise() {
        let at = |wanted: &[f64]| spread(&wanted.iter().map(|at| (*at, 1.0)).collect::<Vec<_>>(), |_| 10.0);
        assert_eq!(at(&[0.0, 20.0, 50.0]), [0.0, 20.0, 50.0]);
        assert_eq!(at(&[5.0, 5.0]), [0.0, 10.0]);
        assert_eq!(at(&[0.0, 30.0, 20.0]), [0.0, 20.0, 30.0]);
        assert_eq!(at(&[]), [0.0; 0]);
    }
}
