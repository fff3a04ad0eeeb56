//! Short builders of projects, for the tests of definitions and checks.

use std::sync::Arc;

use levelwright::model::{
    Builtin, ComponentSpec, DocPath, Document, EntitiesFile, EntityDef, FieldSpec, FieldType, Name, OpKind, Ops,
    Project, Schema, Tunable, TuningPage, Value,
};

pub(crate) fn path(text: &str) -> DocPath {
    DocPath::new(text).unwrap()
}

pub(crate) fn sym(word: &str) -> Value {
    Value::Symbol(word.into())
}

pub(crate) fn list<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Value {
    Value::List(items.into_iter().map(Into::into).collect())
}

pub(crate) fn st<V: Into<Value>>(fields: impl IntoIterator<Item = (&'static str, V)>) -> Value {
    Value::Struct(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
}

pub(crate) fn map<V: Into<Value>>(entries: impl IntoIterator<Item = (&'static str, V)>) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
}

/// Operations built one after another.
pub(crate) trait Say: Sized {
    fn ops(&mut self) -> &mut Ops;

    fn say(mut self, op: OpKind, component: &str, field: &str, value: impl Into<Value>) -> Self {
        let fields = self.ops().values_mut(op).unwrap().entry(component.into()).or_default();
        fields.insert(field.into(), value.into());
        self
    }
    fn set(self, component: &str, field: &str, value: impl Into<Value>) -> Self {
        self.say(OpKind::Set, component, field, value)
    }
    fn scale(self, component: &str, field: &str, value: impl Into<Value>) -> Self {
        self.say(OpKind::Scale, component, field, value)
    }
    fn add(self, component: &str, field: &str, value: impl Into<Value>) -> Self {
        self.say(OpKind::Add, component, field, value)
    }
    fn append(self, component: &str, field: &str, value: impl Into<Value>) -> Self {
        self.say(OpKind::Append, component, field, value)
    }
    fn has(mut self, component: &str) -> Self {
        self.ops().set.entry(component.into()).or_default();
        self
    }
    fn remove(mut self, entry: &str) -> Self {
        self.ops().remove.push(entry.to_owned());
        self
    }
}

impl Say for EntityDef {
    fn ops(&mut self) -> &mut Ops {
        &mut self.ops
    }
}

impl Say for levelwright::model::Instance {
    fn ops(&mut self) -> &mut Ops {
        &mut self.ops
    }
}

/// A definition that inherits `parents`.
pub(crate) fn def(parents: &[&str]) -> EntityDef {
    EntityDef { inherits: parents.iter().map(|name| Name::from(*name)).collect(), ..EntityDef::default() }
}

pub(crate) fn abstract_def(parents: &[&str]) -> EntityDef {
    EntityDef { is_abstract: true, ..def(parents) }
}

pub(crate) fn entities(defs: impl IntoIterator<Item = (&'static str, EntityDef)>) -> Document {
    Document::Entities(EntitiesFile { defs: defs.into_iter().map(|(n, def)| (n.into(), Arc::new(def))).collect() })
}

pub(crate) fn project(documents: impl IntoIterator<Item = (&'static str, Document)>) -> Project {
    documents.into_iter().map(|(p, doc)| (path(p), Arc::new(doc))).collect()
}

/// A project of definitions in `entities/a.ron`.
pub(crate) fn of_defs(defs: impl IntoIterator<Item = (&'static str, EntityDef)>) -> Project {
    project([("entities/a.ron", entities(defs))])
}

pub(crate) fn field(ty: FieldType) -> FieldSpec {
    FieldSpec::of(ty)
}

pub(crate) fn default(ty: FieldType, value: impl Into<Value>) -> FieldSpec {
    FieldSpec { default: Some(value.into()), ..FieldSpec::of(ty) }
}

pub(crate) fn component(fields: impl IntoIterator<Item = (&'static str, FieldSpec)>) -> ComponentSpec {
    ComponentSpec { fields: fields.into_iter().map(|(n, spec)| (n.into(), spec)).collect(), ..ComponentSpec::default() }
}

/// A small vocabulary with a field of every sort the operations care about.
pub(crate) fn builtin() -> Builtin {
    let max = FieldSpec { min: Some(0.0), max: Some(1000.0), ..default(FieldType::Float, 10.0) };
    let max = FieldSpec { unit: Some("hp".into()), ..max };
    let clip = FieldType::Struct(
        [
            ("frames".into(), field(FieldType::List(FieldType::Int.into()))),
            ("secs".into(), default(FieldType::Float, 0.1)),
        ]
        .into(),
    );
    let mut schema = Schema::default();
    schema.enums.insert("Team".into(), ["Keep", "Horde", "Wild"].map(Name::from).into());
    schema.enums.insert("Layer".into(), ["World", "Actor", "Prop"].map(Name::from).into());
    let components = [
        (
            "Health",
            component([
                ("max", max),
                ("lives", default(FieldType::Int, 3_i64)),
                ("team", default(FieldType::Enum("Team".into()), sym("Wild"))),
            ]),
        ),
        ("Body", component([("mass", default(FieldType::Float, 1.0)), ("velocity", field(FieldType::Vec2))])),
        (
            "Loot",
            component([
                ("gold", default(FieldType::Int, 0_i64)),
                ("items", field(FieldType::List(FieldType::Str.into()))),
                ("layers", default(FieldType::Flags("Layer".into()), list([sym("Actor")]))),
            ]),
        ),
        (
            "Sprite",
            component([
                ("image", field(FieldType::Image)),
                ("clips", field(FieldType::Map(clip.into()))),
                ("tint", default(FieldType::Color, "#ffffff")),
            ]),
        ),
        ("Shield", component([])),
        ("Brain", component([("machines", field(FieldType::List(FieldType::Machine.into())))])),
    ];
    schema.components.extend(components.map(|(name, spec)| (name.into(), spec)));
    let gravity = Tunable {
        min: Some(0.0),
        max: Some(5000.0),
        unit: Some("px/s²".into()),
        doc: "Downward.".into(),
        ..Tunable::of(Value::Float(900.0))
    };
    let page = TuningPage { page: "Physics".into(), order: 1, values: [("gravity".into(), gravity)].into() };
    Builtin { schema, tuning: vec![page] }
}
