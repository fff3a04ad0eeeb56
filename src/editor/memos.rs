//! Results that are computed when they are asked for, and kept until what they are computed from is another.

use std::{
    any::{Any, TypeId},
    cell::RefCell,
    collections::HashMap,
    hash::{BuildHasher as _, Hash},
    rc::Rc,
};

/// Most results that are kept. A frame asks for some dozens.
const MAX_KEPT: usize = 512;

/// Results by key and type, at most 512 of them: when there are more, the half that was not asked for the longest is
/// dropped. Two keys of equal hash count as the same.
#[derive(Default)]
pub struct Memos {
    known: RefCell<Known>,
    hasher: foldhash::fast::FixedState,
}

type Key = (TypeId, u64);

#[derive(Default)]
struct Known {
    results: HashMap<Key, Kept>,
    /// Counts what was asked for.
    n_asked: u64,
}

struct Kept {
    result: Rc<dyn Any>,
    /// When it was asked for last.
    asked: u64,
    /// Depends on the project and what is derived from it alone.
    is_derived: bool,
}

impl Memos {
    /// The result for a key that depends on the project and what is derived from it alone; computed if it is not known.
    pub fn get<T: 'static>(&self, key: impl Hash, make: impl FnOnce() -> T) -> Rc<T> {
        let key = self.key::<T>(key);
        self.known(key).unwrap_or_else(|| self.keep(key, true, make()))
    }

    /// The result for a key that depends on more, which it holds for `is_current` to compare. One that is not current
    /// is computed again; `make` gets the last one, where it is still kept. It stays when something is derived anew.
    pub fn get_current<T: 'static>(
        &self,
        key: impl Hash,
        is_current: impl FnOnce(&T) -> bool,
        make: impl FnOnce(Option<&T>) -> T,
    ) -> Rc<T> {
        let key = self.key::<T>(key);
        match self.known::<T>(key) {
            Some(known) if is_current(&known) => known,
            last => self.keep(key, false, make(last.as_deref())),
        }
    }

    /// Drop the result for a key.
    pub fn forget<T: 'static>(&self, key: impl Hash) {
        let key = self.key::<T>(key);
        self.known.borrow_mut().results.remove(&key);
    }

    /// Something was derived anew: drop what depends on nothing else.
    pub fn outdate(&mut self) {
        self.known.get_mut().results.retain(|_, kept| !kept.is_derived);
    }

    fn key<T: 'static>(&self, key: impl Hash) -> Key {
        (TypeId::of::<T>(), self.hasher.hash_one(key))
    }

    fn known<T: 'static>(&self, key: Key) -> Option<Rc<T>> {
        let known = &mut *self.known.borrow_mut();
        let kept = known.results.get_mut(&key)?;
        known.n_asked += 1;
        kept.asked = known.n_asked;
        kept.result.clone().downcast().ok()
    }

    /// Not borrowed while a result is computed, for that may ask for others.
    fn keep<T: 'static>(&self, key: Key, is_derived: bool, result: T) -> Rc<T> {
        let result = Rc::new(result);
        let known = &mut *self.known.borrow_mut();
        if known.results.len() >= MAX_KEPT {
            let mut asked: Vec<u64> = known.results.values().map(|kept| kept.asked).collect();
            let (_, median, _) = asked.select_nth_unstable(MAX_KEPT / 2);
            known.results.retain(|_, kept| kept.asked >= *median);
        }
        known.n_asked += 1;
        known.results.insert(key, Kept { result: result.clone(), asked: known.n_asked, is_derived });
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_KEPT, Memos};

    #[test]
    fn a_result_is_kept_until_something_is_derived_anew_or_it_is_not_current() {
        let mut memos = Memos::default();
        assert_eq!(*memos.get("derived", || 1), 1);
        assert_eq!(*memos.get("derived", || 2), 1);
        assert_eq!(*memos.get_current("of more", |_| true, |last| last.copied().unwrap_or(10)), 10);
        memos.outdate();
        assert_eq!(*memos.get("derived", || 3), 3);
        assert_eq!(*memos.get_current("of more", |it| *it == 10, |_| 11), 10);
        assert_eq!(*memos.get_current("of more", |it| *it == 11, |last| last.map_or(0, |it| it + 1)), 11);
        memos.forget::<i32>("derived");
        assert_eq!(*memos.get("derived", || 4), 4);
    }

    #[test]
    fn what_is_asked_for_stays_while_others_come_and_go() {
        let memos = Memos::default();
        for i in 0..10 * MAX_KEPT {
            assert_eq!(*memos.get("always", || i), 0);
            memos.get(("once", i), || i);
        }
        assert!(memos.known.borrow().results.len() <= MAX_KEPT);
    }
}
