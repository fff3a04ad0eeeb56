//! A definition or placed entity as the declarer of operations: which it is and where they are written.

use std::sync::Arc;

use crate::model::{DocPath, FieldPath, Location, Name, OpKind, Seg};

use super::{Source, entry::Site, resolved::Spot};

/// Whose operations are applied.
pub(super) struct Declarer {
    pub by: Source,
    /// Where the operations are written.
    pub spot: Arc<Spot>,
    /// An ancestor is missing or broken: missing values may come from it, so they are not reported.
    pub incomplete: bool,
}

impl Declarer {
    /// A definition.
    pub(super) fn of_def(name: &Name, site: &Site, incomplete: bool) -> Self {
        let base = FieldPath(vec![Seg::Key(name.clone())]);
        Self { by: Source::Def(name.clone()), spot: Arc::new(Spot { doc: site.doc().clone(), base }), incomplete }
    }

    /// An entity placed on a layer.
    pub(super) fn of_instance(doc: &DocPath, layer: &FieldPath, id: &Name, incomplete: bool) -> Self {
        let base = layer.key("entities").key(id);
        Self { by: Source::Instance(id.clone()), spot: Arc::new(Spot { doc: doc.clone(), base }), incomplete }
    }

    /// The path to an operation, and on from there.
    pub(super) fn path(&self, op: OpKind, more: impl IntoIterator<Item = Seg>) -> FieldPath {
        self.spot.path(op, more)
    }

    /// The path to what an operation has for a field.
    pub(super) fn field(&self, op: OpKind, component: &Name, field: &Name) -> FieldPath {
        self.path(op, [Seg::Key(component.clone()), Seg::Key(field.clone())])
    }

    /// The place of a value.
    pub(super) fn at(&self, path: FieldPath) -> Location {
        Location::new(self.spot.doc.clone(), path)
    }

    /// The place of a key.
    pub(super) fn at_key(&self, path: FieldPath) -> Location {
        Location::key(self.spot.doc.clone(), path)
    }
}
