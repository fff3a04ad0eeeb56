//! The nodes of a search over the places of a map: memory for all places, kept from one search to the next.
//!
//! Invariant: a copy holds only the nodes that were reached, so that a waiting search takes no more memory than it
//! needs. It continues in the memory of [`Nodes::resume`].

/// A place that a search has reached.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Cost from the start.
    pub(super) g: u64,
    /// Number of the search that wrote this node; for any other search the node is new.
    stamp: u32,
    /// How it was reached, in 31 bits of the search's own encoding; the last bit: whether it is closed.
    link: u32,
}

const CLOSED: u32 = 1 << 31;

impl Node {
    #[inline]
    pub(super) fn link(self) -> u32 {
        self.link & !CLOSED
    }

    #[inline]
    pub(super) fn is_closed(self) -> bool {
        self.link & CLOSED != 0
    }
}

/// The nodes of a search.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// The nodes by place; empty in a copy.
    all: Vec<Node>,
    stamp: u32,
    /// The places that were reached, in order.
    reached: Vec<u32>,
    /// In a copy: the nodes of these places.
    copied: Vec<Node>,
}

impl Clone for Nodes {
    fn clone(&self) -> Self {
        let reached = self.reached.clone();
        let copied = if self.is_copy() { self.copied.clone() } else { self.reached().map(|(_, node)| node).collect() };
        Self { all: Vec::new(), stamp: 0, reached, copied }
    }
}

impl Nodes {
    /// Forget the last search; the next one is over `n_places` places.
    pub(super) fn begin(&mut self, n_places: usize) {
        self.reached.clear();
        self.copied.clear();
        if self.all.len() != n_places {
            self.all.clear();
            self.all.resize(n_places, Node::default());
            self.stamp = 0;
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.all.fill(Node::default());
            self.stamp = 1;
        }
    }

    /// Whether it is a copy, which has no memory to continue in.
    pub(super) fn is_copy(&self) -> bool {
        !self.copied.is_empty()
    }

    /// Let a copy over `n_places` places continue in the memory of another, finished search.
    pub(super) fn resume(&mut self, memory: &mut Self, n_places: usize) {
        memory.begin(n_places);
        for (place, node) in self.reached.iter().zip(&self.copied) {
            if let Some(at) = memory.all.get_mut(*place as usize) {
                *at = Node { stamp: memory.stamp, ..*node };
            }
        }
        memory.reached = std::mem::take(&mut self.reached);
        *self = std::mem::take(memory);
    }

    /// The node of a place that this search has reached.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Node {
        self.all[place]
    }

    /// Record a cheaper way to a place. Returns whether the place was in the open list; `None`, with no change, if a
    /// way of the same or lower cost is known.
    #[inline]
    pub(super) fn reach(&mut self, place: usize, g: u64, link: u32) -> Option<bool> {
        let node = &mut self.all[place];
        let is_new = node.stamp != self.stamp;
        if is_new {
            #[expect(clippy::cast_possible_truncation, reason = "maps have fewer than 2^26 places")]
            self.reached.push(place as u32);
        } else if g >= node.g {
            return None;
        }
        let was_open = !is_new && !node.is_closed();
        *node = Node { g, stamp: self.stamp, link };
        Some(was_open)
    }

    #[inline]
    pub(super) fn close(&mut self, place: usize) {
        self.all[place].link |= CLOSED;
    }

    /// The places that were reached, with their nodes.
    pub(super) fn reached(&self) -> impl Iterator<Item = (usize, Node)> {
        let node = |i: usize, place: u32| {
            let of_copy = || self.copied.get(i).copied().unwrap_or_default();
            self.all.get(place as usize).copied().unwrap_or_else(of_copy)
        };
        self.reached.iter().enumerate().map(move |(i, place)| (*place as usize, node(i, *place)))
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.all) + size_of_val(&*self.copied) + size_of_val(&*self.reached)
    }
}
