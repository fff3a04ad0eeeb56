//! A sorted map that two versions of a thing can share: copying one copies pointers to its chunks, changing an entry
//! copies the chunk it is in. Reads like a `BTreeMap`.
//!
//! Invariant: keys rise strictly through the chunks, and no chunk is empty.

use std::{borrow::Borrow, collections::HashSet, fmt, ops::Index, sync::Arc};

use crate::model::Name;

/// A [`SharedMap`] by name.
pub type NameMap<V> = SharedMap<Name, V>;

/// Entries of a chunk when many are built at once; a chunk splits at twice this.
const FILL: usize = 64;

/// A sorted map with cheap copies: see the module.
#[derive(Clone)]
pub struct SharedMap<K, V> {
    chunks: Vec<Arc<Vec<(K, V)>>>,
    len: usize,
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<K, V> SharedMap<K, V> {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries by rising key.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { chunks: self.chunks.iter(), inner: [].iter() }
    }

    /// The keys, rising.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// The values by rising key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SharedMap<K, V> {
    /// The chunk a key is in, or would be in.
    fn chunk_of<Q: Ord + ?Sized>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
    {
        let after = self.chunks.partition_point(|chunk| chunk.first().is_some_and(|(first, _)| first.borrow() <= key));
        after.saturating_sub(1)
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        Some(self.get_key_value(key)?.1)
    }

    /// A key as it is stored, and its value.
    #[must_use]
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let chunk = self.chunks.get(self.chunk_of(key))?;
        let at = chunk.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
        chunk.get(at).map(|(key, value)| (key, value))
    }

    /// Whether a key is there.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }
}

/// A key, its value now, and its value before.
type Unshared<'a, K, V> = (&'a K, Option<&'a V>, Option<&'a V>);

impl<K: Ord, V> SharedMap<K, V> {
    /// The entries that are not in a chunk this shares with what it was `before`: all that changed, and some neighbors.
    pub(super) fn unshared_with<'a>(&'a self, before: &'a Self) -> Vec<Unshared<'a, K, V>> {
        fn chunks<'a, K, V>(of: &'a SharedMap<K, V>, but: &SharedMap<K, V>) -> impl Iterator<Item = &'a (K, V)> {
            let shared: HashSet<*const Vec<(K, V)>> = but.chunks.iter().map(Arc::as_ptr).collect();
            of.chunks.iter().filter(move |chunk| !shared.contains(&Arc::as_ptr(chunk))).flat_map(|chunk| chunk.iter())
        }
        let (mut now, mut old) = (chunks(self, before).peekable(), chunks(before, self).peekable());
        let mut out = Vec::new();
        while let Some(key) = [now.peek(), old.peek()].into_iter().flatten().map(|(key, _)| key).min() {
            let (now, old) = (now.next_if(|(it, _)| it == key), old.next_if(|(it, _)| it == key));
            out.push((key, now.map(|(_, value)| value), old.map(|(_, value)| value)));
        }
        out
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// Give a key a value; returns the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let at_chunk = self.chunk_of(&key);
        let Some(chunk) = self.chunks.get_mut(at_chunk) else {
            self.chunks.push(Arc::new(vec![(key, value)]));
            self.len += 1;
            return None;
        };
        let chunk = Arc::make_mut(chunk);
        match chunk.binary_search_by(|(k, _)| k.cmp(&key)) {
            Ok(at) => Some(std::mem::replace(&mut chunk[at].1, value)),
            Err(at) => {
                chunk.insert(at, (key, value));
                if chunk.len() >= 2 * FILL {
                    let rest = chunk.split_off(FILL);
                    self.chunks.insert(at_chunk + 1, Arc::new(rest));
                }
                self.len += 1;
                None
            }
        }
    }

    /// Take a key away; returns the value it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at_chunk = self.chunk_of(key);
        let chunk = self.chunks.get_mut(at_chunk)?;
        let at = chunk.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
        let chunk = Arc::make_mut(chunk);
        let (_, value) = chunk.remove(at);
        if chunk.is_empty() {
            self.chunks.remove(at_chunk);
        }
        self.len -= 1;
        Some(value)
    }

    /// Make many changes at once: a value to give a key, or `None` to take it away. `changes` rise by key; a handful
    /// copies a handful of chunks, many rebuild the map in one pass.
    pub(super) fn change(&mut self, changes: Vec<(K, Option<V>)>) {
        if changes.len() * FILL < self.len {
            for (key, value) in changes {
                match value {
                    Some(value) => drop(self.insert(key, value)),
                    None => drop(self.remove(&key)),
                }
            }
            return;
        }
        let old = std::mem::take(self);
        let mut kept = old.iter().peekable();
        let mut build = Builder::default();
        for (key, value) in changes {
            while let Some((k, v)) = kept.next_if(|(k, _)| **k < key) {
                build.push(k.clone(), v.clone());
            }
            let _replaced = kept.next_if(|(k, _)| **k == key);
            if let Some(value) = value {
                build.push(key, value);
            }
        }
        for (k, v) in kept {
            build.push(k.clone(), v.clone());
        }
        *self = build.done();
    }
}

struct Builder<K, V> {
    map: SharedMap<K, V>,
    open: Vec<(K, V)>,
}

impl<K, V> Default for Builder<K, V> {
    fn default() -> Self {
        Self { map: SharedMap::default(), open: Vec::new() }
    }
}

impl<K, V> Builder<K, V> {
    fn push(&mut self, key: K, value: V) {
        if self.open.is_empty() {
            self.open.reserve_exact(FILL);
        }
        self.open.push((key, value));
        if self.open.len() == FILL {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.map.len += self.open.len();
        self.map.chunks.push(Arc::new(std::mem::take(&mut self.open)));
    }

    fn done(mut self) -> SharedMap<K, V> {
        if !self.open.is_empty() {
            self.flush();
        }
        self.map
    }
}

/// The entries of a [`SharedMap`] by rising key.
pub struct Iter<'a, K, V> {
    chunks: std::slice::Iter<'a, Arc<Vec<(K, V)>>>,
    inner: std::slice::Iter<'a, (K, V)>,
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.inner.next() {
                return Some((key, value));
            }
            self.inner = self.chunks.next()?.iter();
        }
    }
}

impl<'a, K, V> IntoIterator for &'a SharedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SharedMap<K, V> {
    type Output = V;

    /// # Panics
    /// When the key is not there; for tests. Use [`SharedMap::get`].
    #[expect(clippy::expect_used, reason = "indexing panics on a missing key, as every map's does")]
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no such key")
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b)| Arc::ptr_eq(a, b);
        let shared = self.chunks.len() == other.chunks.len() && self.chunks.iter().zip(&other.chunks).all(same);
        shared || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
