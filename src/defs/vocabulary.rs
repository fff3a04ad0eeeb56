//! What the schemas declare: every component with its defaults, resolved once so that each definition starts from
//! shared values.

use std::sync::Arc;

use foldhash::HashMap;

use crate::model::{ComponentSpec, Location, Name, OpKind, Schema};

use super::{AppliedOp, ResolvedComponent, ResolvedField, Source, resolved::Place, values};

/// The schema, and every declared component with its defaults.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub schema: Arc<Schema>,
    /// With the component's place in the schema.
    fresh: HashMap<Name, (usize, ResolvedComponent)>,
}

/// A declared component.
#[derive(Clone, Copy)]
pub(super) struct Declared<'a> {
    pub spec: &'a ComponentSpec,
    /// The component with its defaults: its fields are those of `spec`, at the same indices.
    pub fresh: &'a ResolvedComponent,
}

impl Vocabulary {
    /// `origin` says where a component's field is declared; `None` when it is built in.
    pub(super) fn new(schema: Arc<Schema>, origin: impl Fn(&Name, &Name) -> Option<Location>) -> Self {
        let fresh = |(at, (component, spec)): (usize, (&Name, &ComponentSpec))| {
            let fields = spec.fields.iter().map(|(name, field)| {
                let value = values::default_of(&schema, field);
                let applied = AppliedOp {
                    by: Source::Default,
                    op: OpKind::Set,
                    operand: value.clone(),
                    after: value.clone(),
                    place: Place::Declared(origin(component, name)),
                };
                (name.clone(), Arc::new(ResolvedField { value, provenance: vec![Arc::new(applied)] }))
            });
            (component.clone(), (at, ResolvedComponent { fields: fields.collect(), declared_by: None }))
        };
        let fresh = schema.components.iter().enumerate().map(fresh).collect();
        Self { schema, fresh }
    }

    /// A component, if a schema declares it.
    pub(super) fn declared(&self, component: &str) -> Option<Declared<'_>> {
        let (at, fresh) = self.fresh.get(component)?;
        Some(Declared { spec: self.schema.components.get_index(*at)?.1, fresh })
    }

    /// Whether a component is declared and has a field.
    pub(super) fn declares(&self, component: &str, field: &str) -> bool {
        self.fresh.get(component).is_some_and(|(_, fresh)| fresh.fields.contains_key(field))
    }
}
