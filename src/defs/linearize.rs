//! The order in which ancestors are applied: C3, which is Python's method resolution order. Here it runs on small
//! numbers; names, cycles and depth are `resolve`'s.

/// Why several parents have no common order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disorder {
    /// The two parents that clash, as indices into the list of parents. They differ.
    pub parents: [usize; 2],
    /// Two ancestors that stand in opposite orders, when it comes down to two: in the first parent's order first, then
    /// second. Both are parents when it is the list of parents that says otherwise.
    pub about: Option<[u32; 2]>,
}

/// The linearization of a definition whose parents have the linearizations `parents`, each beginning with the parent
/// itself: every ancestor once, nearest first, without the definition. `counts` is scratch space: a zero for every
/// number that can occur, zero again afterwards.
///
/// # Errors
/// The two parents that clash, when no order keeps every parent's own and the order in which they are listed.
///
/// Source: Barrett et al., "A monotonic superclass linearization for Dylan", OOPSLA 1996; Python's `type.mro`.
pub fn linearize(parents: &[&[u32]], counts: &mut [u32]) -> Result<Vec<u32>, Disorder> {
    match parents {
        [] => return Ok(Vec::new()),
        [one] => return Ok(one.to_vec()),
        _ => {}
    }
    let listed: Vec<u32> = parents.iter().filter_map(|order| order.first().copied()).collect();
    let mut rest: Vec<&[u32]> = parents.iter().copied().chain([listed.as_slice()]).collect();
    let mut tails = Tails { counts };
    for order in &rest {
        order.iter().skip(1).for_each(|x| tails.enter(*x));
    }
    let mut out = Vec::with_capacity(rest.iter().map(|order| order.len()).max().unwrap_or(0) + listed.len());
    loop {
        let mut heads = rest.iter().filter_map(|order| order.first().copied()).peekable();
        if heads.peek().is_none() {
            return Ok(out);
        }
        let Some(next) = heads.find(|head| !tails.hold(*head)) else { break };
        out.push(next);
        for order in &mut rest {
            if let Some((head, tail)) = order.split_first()
                && *head == next
            {
                *order = tail;
                tail.first().into_iter().for_each(|x| tails.leave(*x));
            }
        }
    }
    for order in &rest {
        order.iter().skip(1).for_each(|x| tails.leave(*x));
    }
    Err(disorder(&listed, &rest))
}

/// In how many tails (all but the first of what is left of an order) each number stands.
struct Tails<'a> {
    counts: &'a mut [u32],
}

impl Tails<'_> {
    fn count(&mut self, x: u32) -> Option<&mut u32> {
        self.counts.get_mut(usize::try_from(x).ok()?)
    }

    fn enter(&mut self, x: u32) {
        if let Some(n) = self.count(x) {
            *n += 1;
        }
    }

    fn leave(&mut self, x: u32) {
        if let Some(n) = self.count(x) {
            *n = n.saturating_sub(1);
        }
    }

    fn hold(&mut self, x: u32) -> bool {
        self.count(x).is_some_and(|n| *n > 0)
    }
}

/// The definitions in conflict, when every head of `rest` (the parents' orders, then the list of parents) stands in
/// another's tail.
fn disorder(listed: &[u32], rest: &[&[u32]]) -> Disorder {
    let n = listed.len();
    let parent = |x: u32| listed.iter().position(|y| *y == x);
    // Two orders that put the same two the other way round are the plainest explanation.
    for (i, first) in rest.iter().enumerate() {
        for (j, second) in rest.iter().enumerate().skip(i + 1) {
            let shared: Vec<(u32, usize)> =
                first.iter().filter_map(|x| Some((*x, second.iter().position(|y| y == x)?))).collect();
            let Some([(x, _), (y, _)]) = shared.array_windows().find(|[a, b]| a.1 > b.1) else { continue };
            let parents = if j < n { Some([i, j]) } else { parent(*x).zip(parent(*y)).map(|(x, y)| [x, y]) };
            if let Some(parents) = parents {
                return Disorder { parents, about: Some([*x, *y]) };
            }
        }
    }
    // Else it takes three or more: name a parent and one that holds its head back.
    for (i, order) in rest.iter().enumerate() {
        let Some(head) = order.first() else { continue };
        let holder = rest.iter().position(|other| other.iter().skip(1).any(|x| x == head));
        let pair = match holder {
            Some(j) if i < n && j < n => Some([i, j]),
            Some(j) if j < n => parent(*head).map(|x| [x, j]),
            Some(j) => rest[j].first().and_then(|first| parent(*first)).map(|y| [i.min(n - 1), y]),
            None => None,
        };
        if let Some([a, b]) = pair
            && a != b
        {
            return Disorder { parents: [a, b], about: None };
        }
    }
    Disorder { parents: [0, 1.min(n.saturating_sub(1))], about: None }
}
