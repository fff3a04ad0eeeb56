//! Entity definitions and placed instances: what each *declares*, never what it inherits. A resolved definition
//! is computed in `defs`.

use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    FieldType, Fields, Name, RemovePath, Value,
    reflect::{Names, describe},
};

/// Definitions of one file, by name in written order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EntitiesFile {
    /// The definitions.
    pub defs: IndexMap<Name, Arc<EntityDef>>,
}

impl EntitiesFile {
    /// Call `meet` for every definition that only one of two files has or that differs between them, compared by
    /// pointer.
    pub fn differing<'a>(&'a self, before: &'a Self, mut meet: impl FnMut(&'a Name)) {
        let (old, new) = (&before.defs, &self.defs);
        // Files mostly keep their order: compare side by side as far as the names agree.
        let mut agreeing = 0;
        for ((old_name, old_def), (new_name, new_def)) in old.iter().zip(new) {
            if old_name != new_name {
                break;
            }
            agreeing += 1;
            if !Arc::ptr_eq(old_def, new_def) {
                meet(new_name);
            }
        }
        for (name, def) in new.iter().skip(agreeing) {
            if !old.get(name).is_some_and(|before| Arc::ptr_eq(before, def)) {
                meet(name);
            }
        }
        for name in old.keys().skip(agreeing).filter(|name| !new.contains_key(*name)) {
            meet(name);
        }
    }
}

/// Component fields by component name, as an operation declares them.
pub type Components = IndexMap<Name, Fields>;

describe! {
    /// What a definition or instance changes: what is removed first, then by the other operations in the order of the
    /// fields here.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Ops: "operations" {
        /// Values given. Structs and maps merge field by field; everything else, lists too, is replaced.
        pub set: Components = Components::new() => holds(Names::Components),
        /// Numbers multiplied.
        pub scale: Components = Components::new() => holds(Names::Components),
        /// Numbers added to.
        pub add: Components = Components::new() => holds(Names::Components),
        /// Lists added to at their end.
        pub append: Components = Components::new() => holds(Names::Components),
        /// Components (`Shield`), fields (`Loot.gold`) or list elements (`Loot.items["torch"]`) taken away.
        pub remove: Vec<String> = Vec::new() => holds(Names::Removed),
    }
}

/// The operations, in the order they are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OpKind {
    /// Take away.
    Remove,
    /// Give a value.
    Set,
    /// Multiply a number.
    Scale,
    /// Add to a number.
    Add,
    /// Add to a list.
    Append,
}

impl OpKind {
    /// The four operations that hold values by component and field.
    pub const VALUED: [Self; 4] = [Self::Set, Self::Scale, Self::Add, Self::Append];

    /// The word files use.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Remove => "remove",
            Self::Set => "set",
            Self::Scale => "scale",
            Self::Add => "add",
            Self::Append => "append",
        }
    }

    /// The same word as a name.
    #[must_use]
    pub fn name(self) -> &'static Name {
        static NAMES: LazyLock<[Name; 5]> = LazyLock::new(|| {
            [OpKind::Remove, OpKind::Set, OpKind::Scale, OpKind::Add, OpKind::Append].map(|op| op.key().into())
        });
        let [remove, set, scale, add, append] = &*NAMES;
        match self {
            Self::Remove => remove,
            Self::Set => set,
            Self::Scale => scale,
            Self::Add => add,
            Self::Append => append,
        }
    }
}

impl Ops {
    /// The values of an operation; `None` for [`OpKind::Remove`], which holds none.
    #[must_use]
    pub fn values(&self, op: OpKind) -> Option<&Components> {
        match op {
            OpKind::Remove => None,
            OpKind::Set => Some(&self.set),
            OpKind::Scale => Some(&self.scale),
            OpKind::Add => Some(&self.add),
            OpKind::Append => Some(&self.append),
        }
    }

    /// The values of an operation, to change.
    pub fn values_mut(&mut self, op: OpKind) -> Option<&mut Components> {
        match op {
            OpKind::Remove => None,
            OpKind::Set => Some(&mut self.set),
            OpKind::Scale => Some(&mut self.scale),
            OpKind::Add => Some(&mut self.add),
            OpKind::Append => Some(&mut self.append),
        }
    }

    /// The value that an operation declares for a field.
    #[must_use]
    pub fn declared(&self, op: OpKind, component: &str, field: &str) -> Option<&Value> {
        self.values(op)?.get(component)?.get(field)
    }

    /// Whether an operation gives the entity a component, by naming it.
    #[must_use]
    pub fn names(&self, component: &str) -> bool {
        OpKind::VALUED.iter().any(|op| self.values(*op).is_some_and(|all| all.contains_key(component)))
    }

    /// The entries of `remove` that can be read, in order.
    pub fn removed(&self) -> impl Iterator<Item = RemovePath> {
        self.remove.iter().filter_map(|entry| RemovePath::parse(entry).ok())
    }

    /// Whether a component is removed as a whole. Operations that name it then start from its defaults.
    #[must_use]
    pub fn removes(&self, component: &str) -> bool {
        self.removed().any(|path| path.steps.is_empty() && *path.component == *component)
    }

    /// Whether there are no operations at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.remove.is_empty() && OpKind::VALUED.iter().all(|op| self.values(*op).is_none_or(IndexMap::is_empty))
    }
}

describe! {
    /// A kind of thing that levels hold, as in its file.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct EntityDef: "a definition" => own_line() {
        /// Cannot be placed; exists to be inherited.
        pub is_abstract: bool = false => key("abstract"),
        /// Direct parents; earlier ones win over later ones.
        pub inherits: Vec<Name> = Vec::new() => names(&FieldType::Def),
        /// What it changes.
        pub ops: Ops => flat(),
    }
}

describe! {
    /// An entity placed in a level.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Instance: "a placed entity" => own_line() {
        /// The definition it is one of.
        pub def: Name => names(&FieldType::Def),
        /// Its origin, in pixels from the level's origin, y down.
        pub at: [f64; 2] => unit("px"),
        /// Clockwise, in degrees.
        pub rotation: f64 = 0.0 => unit("°"),
        /// What it changes for itself.
        pub ops: Ops => flat(),
    }
}

impl Instance {
    /// One of `def` at a place.
    #[must_use]
    pub fn new(def: Name, at: [f64; 2]) -> Self {
        Self { def, at, rotation: 0.0, ops: Ops::default() }
    }
}
