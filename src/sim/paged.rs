//! A persistent array by copy-on-write pages: copying it costs its table of groups of pages, and a change copies one
//! page.
//!
//! Invariant: its length is fixed. Pages are in groups because a copy increments the reference count of each `Arc` in
//! the table, which touches the memory of each: for all pages this would take longer than the change.
//!
//! Source: Driscoll, Sarnak, Sleator, Tarjan, "Making data structures persistent" (1989), for path copying.

use std::{ops::Index, sync::Arc};

/// Number of values per page, as a power of two, if they are small.
const SMALL_BITS: u32 = 11;
/// Number of pages per group, as a power of two.
const GROUP_BITS: u32 = 5;
const GROUP: usize = 1 << GROUP_BITS;

type Page<T> = Arc<[T]>;

/// A fixed number of values. A page holds two to the power of `BITS` of them.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Paged<T, const BITS: u32 = SMALL_BITS> {
    groups: Vec<Arc<[Page<T>]>>,
    len: usize,
}

impl<T, const BITS: u32> Default for Paged<T, BITS> {
    fn default() -> Self {
        Self { groups: Vec::new(), len: 0 }
    }
}

impl<T: Clone, const BITS: u32> From<Vec<T>> for Paged<T, BITS> {
    fn from(values: Vec<T>) -> Self {
        let groups = values.chunks(GROUP << BITS);
        let groups = groups.map(|group| group.chunks(1 << BITS).map(Arc::from).collect()).collect();
        Self { groups, len: values.len() }
    }
}

impl<T: Clone, const BITS: u32> Paged<T, BITS> {
    const IN_PAGE: usize = (1 << BITS) - 1;

    /// An array with the same value everywhere, in one page until values are changed.
    pub(in crate::sim) fn filled(value: T, len: usize) -> Self {
        let page: Page<T> = Arc::from(vec![value; len.min(1 << BITS)]);
        let group: Arc<[Page<T>]> = (0..GROUP).map(|_| Arc::clone(&page)).collect();
        Self { groups: (0..len.div_ceil(GROUP << BITS)).map(|_| Arc::clone(&group)).collect(), len }
    }

    pub(in crate::sim) fn len(&self) -> usize {
        self.len
    }

    pub(in crate::sim) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn page(&self, i: usize) -> &[T] {
        &self.groups[i >> (BITS + GROUP_BITS)][i >> BITS & (GROUP - 1)]
    }

    #[inline]
    pub(in crate::sim) fn get(&self, i: usize) -> Option<&T> {
        (i < self.len).then(|| &self[i])
    }

    /// Set a value. Its page is then no longer shared with copies.
    pub(in crate::sim) fn set(&mut self, i: usize, value: T) {
        let group = Arc::make_mut(&mut self.groups[i >> (BITS + GROUP_BITS)]);
        Arc::make_mut(&mut group[i >> BITS & (GROUP - 1)])[i & Self::IN_PAGE] = value;
    }

    /// A value with its predecessor and successor.
    #[inline]
    pub(in crate::sim) fn three(&self, middle: usize) -> [T; 3]
    where
        T: Copy,
    {
        let first = middle - 1;
        let in_page = self.page(first).get(first & Self::IN_PAGE..).and_then(|rest| rest.first_chunk());
        in_page.copied().unwrap_or_else(|| [self[first], self[middle], self[middle + 1]])
    }

    /// Memory that no copy shares, in bytes.
    pub(in crate::sim) fn bytes(&self) -> usize {
        let own = self.groups.iter().filter(|group| Arc::strong_count(group) == 1);
        let pages = own.flat_map(|group| group.iter()).filter(|page| Arc::strong_count(page) == 1);
        pages.map(|page| size_of_val(&**page)).sum()
    }
}

impl<T: Clone, const BITS: u32> Index<usize> for Paged<T, BITS> {
    type Output = T;

    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.groups[i >> (BITS + GROUP_BITS)][i >> BITS & (GROUP - 1)][i & Self::IN_PAGE]
    }
}
