//! Results that are computed from derived data when they are asked for, and kept as long as that data.

use std::{
    any::{Any, TypeId},
    cell::RefCell,
    collections::HashMap,
    hash::{BuildHasher as _, Hash},
    rc::Rc,
};

/// Results by key and type. They are dropped all together when what they are computed from is another.
#[derive(Default)]
pub struct Memos {
    known: RefCell<HashMap<(TypeId, u64), Rc<dyn Any>>>,
    hasher: foldhash::fast::FixedState,
}

impl Memos {
    /// The result for a key, made if it is not known. Two keys of equal hash count as the same.
    pub fn get<T: 'static>(&self, key: impl Hash, make: impl FnOnce() -> T) -> Rc<T> {
        let key = (TypeId::of::<T>(), self.hasher.hash_one(key));
        let known = self.known.borrow().get(&key).cloned().and_then(|known| known.downcast::<T>().ok());
        if let Some(known) = known {
            return known;
        }
        // Not borrowed meanwhile: making one may ask for another.
        let made = Rc::new(make());
        self.known.borrow_mut().insert(key, made.clone());
        made
    }

    /// Forget all of them.
    pub fn clear(&mut self) {
        self.known.get_mut().clear();
    }
}
