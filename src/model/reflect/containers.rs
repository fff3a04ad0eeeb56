//! Views of plain values, and of what holds others: pairs, options, lists, maps, shared values.

use std::{any::Any, sync::Arc};

use indexmap::IndexMap;

use super::{
    Fill, IntViewMut, Key, ListView, ListViewMut, MapView, MapViewMut, OptionViewMut, Reflect, Type, View, ViewMut,
    describe,
};
use crate::model::{Call, Condition, FieldType, Name, TileShape, Tiles, Value};

/// The value in a box of its own type.
fn unboxed<T: Reflect + Clone + PartialEq>(value: Box<dyn Reflect>) -> Option<T> {
    let value: Box<dyn Any> = value;
    value.downcast::<T>().ok().map(|value| *value)
}

macro_rules! plain {
    ($($type:ty, $ty:expr, $blank:expr, |$view:ident| $to_view:expr, $mut:ident;)*) => {
        $(impl Reflect for $type {
            fn type_of() -> Type {
                $ty
            }

            fn blank() -> Self {
                $blank
            }

            fn view(&self) -> View<'_> {
                let $view = self;
                $to_view
            }

            fn view_mut(&mut self) -> ViewMut<'_> {
                ViewMut::$mut(self)
            }

            describe!(@copy);
        })*
    };
}

plain! {
    bool, Type::Bool, false, |it| View::Bool(*it), Bool;
    f64, Type::Float, 0.0, |it| View::Float(*it), Float;
    String, Type::Text, Self::new(), |it| View::Text(it), Text;
    Name, Type::Text, "".into(), |it| View::Text(it), Name;
    Value, Type::Value, Self::Tuple(Vec::new()), |it| View::Value(it), Value;
    Tiles, Type::Tiles, Self::default(), |it| View::Tiles(it), Tiles;
    TileShape, Type::TileShape, Self::None, |it| View::TileShape(it), TileShape;
    Call, Type::Call, Self::new(""), |it| View::Call(it), Call;
    Condition, Type::Condition, Self::Call(Call::new("")), |it| View::Condition(it), Condition;
    FieldType, Type::FieldType, Self::Any, |it| View::FieldType(it), FieldType;
    i64, Type::Int([Self::MIN, Self::MAX]), 0, |it| View::Int(*it), Int;
    u32, Type::Int([0, 4_294_967_295]), 0, |it| View::Int(i64::from(*it)), Int;
    i32, Type::Int([-2_147_483_648, 2_147_483_647]), 0, |it| View::Int(i64::from(*it)), Int;
}

macro_rules! whole {
    ($($type:ty),*) => {
        $(impl IntViewMut for $type {
            fn set(&mut self, x: i64) -> bool {
                Self::try_from(x).map(|x| *self = x).is_ok()
            }

            fn limits(&self) -> [i64; 2] {
                match Self::type_of() {
                    Type::Int(limits) => limits,
                    _ => [i64::MIN, i64::MAX],
                }
            }
        })*
    };
}

whole! { i64, u32, i32 }

impl<T: Reflect + Clone + PartialEq> Reflect for [T; 2] {
    fn type_of() -> Type {
        Type::Pair(T::type_of)
    }

    fn blank() -> Self {
        [T::blank(), T::blank()]
    }

    fn view(&self) -> View<'_> {
        let [a, b] = self;
        View::Pair([a, b])
    }

    fn view_mut(&mut self) -> ViewMut<'_> {
        let [a, b] = self;
        ViewMut::Pair([a, b])
    }

    describe!(@copy);
}

impl<T: Reflect + Clone + PartialEq> Reflect for Option<T> {
    fn type_of() -> Type {
        Type::Option(T::type_of)
    }

    fn blank() -> Self {
        None
    }

    fn view(&self) -> View<'_> {
        View::Option(self.as_ref().map(|value| value as &dyn Reflect))
    }

    fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::Option(self)
    }

    describe!(@copy);
}

impl<T: Reflect> OptionViewMut for Option<T> {
    fn clear(&mut self) {
        *self = None;
    }

    fn fill(&mut self, fill: Fill<'_>) -> bool {
        let mut value = T::blank();
        let is_read = fill(&mut value);
        if is_read {
            *self = Some(value);
        }
        is_read
    }

    fn value_mut(&mut self) -> Option<&mut dyn Reflect> {
        self.as_mut().map(|value| value as &mut dyn Reflect)
    }
}

impl<T: Reflect + Clone + PartialEq> Reflect for Arc<T> {
    fn type_of() -> Type {
        Type::Shared(T::type_of)
    }

    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn view(&self) -> View<'_> {
        View::Shared(&**self, Self::as_ptr(self).cast())
    }

    fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::Shared(Self::make_mut(self))
    }

    describe!(@copy);
}

impl<T: Reflect + Clone + PartialEq> Reflect for Vec<T> {
    fn type_of() -> Type {
        Type::List(T::type_of)
    }

    fn blank() -> Self {
        Self::new()
    }

    fn view(&self) -> View<'_> {
        View::List(self)
    }

    fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::List(self)
    }

    describe!(@copy);
}

impl<T: Reflect + Clone + PartialEq> ListView for Vec<T> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn get(&self, at: usize) -> Option<&dyn Reflect> {
        <[T]>::get(self, at).map(|item| item as &dyn Reflect)
    }

    fn item_type(&self) -> Type {
        T::type_of()
    }
}

impl<T: Reflect + Clone + PartialEq> ListViewMut for Vec<T> {
    fn reserve(&mut self, n: usize) {
        self.reserve_exact(n);
    }

    fn push(&mut self, fill: Fill<'_>) -> bool {
        let mut item = T::blank();
        let is_read = fill(&mut item);
        if is_read {
            Self::push(self, item);
        }
        is_read
    }

    fn replace(&mut self, items: &mut dyn Iterator<Item = Box<dyn Reflect>>) {
        *self = items.filter_map(unboxed).collect();
    }

    fn get_mut(&mut self, at: usize) -> Option<&mut dyn Reflect> {
        <[T]>::get_mut(self, at).map(|item| item as &mut dyn Reflect)
    }

    fn remove(&mut self, at: usize) -> Box<dyn Reflect> {
        Box::new(Self::remove(self, at))
    }

    fn reorder(&mut self, from: usize, to: usize) {
        let item = Self::remove(self, from);
        self.insert(to.min(Self::len(self)), item);
    }

    fn append(&mut self, others: &mut dyn ListViewMut) {
        let last = || others.len().checked_sub(1).map(|at| others.remove(at));
        let mut taken: Self = std::iter::from_fn(last).filter_map(unboxed).collect();
        taken.reverse();
        self.append(&mut taken);
    }
}

/// A type of keys.
trait MapKey: Clone + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static {
    const IS_ID: bool;
    fn to_key(&self) -> Key;
    fn as_name(&self) -> Option<&str>;
    fn of_key(key: &Key) -> Option<Self>;
}

impl MapKey for Name {
    const IS_ID: bool = false;

    fn to_key(&self) -> Key {
        Key::Name(self.clone())
    }

    fn as_name(&self) -> Option<&str> {
        Some(self)
    }

    fn of_key(key: &Key) -> Option<Self> {
        if let Key::Name(name) = key { Some(name.clone()) } else { None }
    }
}

impl MapKey for u32 {
    const IS_ID: bool = true;

    fn to_key(&self) -> Key {
        Key::Id(*self)
    }

    fn as_name(&self) -> Option<&str> {
        None
    }

    fn of_key(key: &Key) -> Option<Self> {
        if let Key::Id(id) = key { Some(*id) } else { None }
    }
}

#[allow(private_bounds)] // keys are names or numbers
impl<K: MapKey, T: Reflect + Clone + PartialEq> Reflect for IndexMap<K, T> {
    fn type_of() -> Type {
        if K::IS_ID { Type::MapById(T::type_of) } else { Type::Map(T::type_of) }
    }

    fn blank() -> Self {
        Self::new()
    }

    fn view(&self) -> View<'_> {
        View::Map(self)
    }

    fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut::Map(self)
    }

    describe!(@copy);
}

impl<K: MapKey, T: Reflect + Clone + PartialEq> MapView for IndexMap<K, T> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn at(&self, at: usize) -> Option<(Key, &dyn Reflect)> {
        self.get_index(at).map(|(key, value)| (key.to_key(), value as &dyn Reflect))
    }

    fn value_at(&self, at: usize) -> Option<&dyn Reflect> {
        self.get_index(at).map(|(_, value)| value as &dyn Reflect)
    }

    fn name_at(&self, at: usize) -> Option<&str> {
        self.get_index(at)?.0.as_name()
    }

    fn index_of(&self, key: &Key) -> Option<usize> {
        self.get_index_of(&K::of_key(key)?)
    }

    fn has_ids(&self) -> bool {
        K::IS_ID
    }

    fn item_type(&self) -> Type {
        T::type_of()
    }
}

impl<K: MapKey, T: Reflect + Clone + PartialEq> MapViewMut for IndexMap<K, T> {
    fn reserve(&mut self, n: usize) {
        self.reserve_exact(n);
    }

    fn insert(&mut self, key: Key, fill: Fill<'_>) -> bool {
        let Some(key) = K::of_key(&key) else { return false };
        let mut value = T::blank();
        let is_read = fill(&mut value);
        if is_read {
            Self::insert(self, key, value);
        }
        is_read
    }

    fn replace(&mut self, entries: &mut dyn Iterator<Item = (Key, Box<dyn Reflect>)>) {
        *self = entries.filter_map(|(key, value)| Some((K::of_key(&key)?, unboxed(value)?))).collect();
    }

    fn get_mut(&mut self, key: &Key) -> Option<&mut dyn Reflect> {
        self.get_mut(&K::of_key(key)?).map(|value| value as &mut dyn Reflect)
    }

    fn remove(&mut self, key: &Key) -> Option<(usize, Box<dyn Reflect>)> {
        let (at, _, value) = self.shift_remove_full(&K::of_key(key)?)?;
        Some((at, Box::new(value)))
    }

    fn reorder(&mut self, from: usize, to: usize) {
        self.move_index(from, to.min(Self::len(self).saturating_sub(1)));
    }

    fn put(&mut self, at: usize, key: &Key, value: Box<dyn Reflect>) -> bool {
        let (Some(key), Some(value)) = (K::of_key(key), unboxed(value)) else { return false };
        self.shift_insert(at.min(Self::len(self)), key, value);
        true
    }

    fn blank_value(&self) -> Box<dyn Reflect> {
        Box::new(T::blank())
    }
}
