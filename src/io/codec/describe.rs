//! What each kind of document looks like, as JSON Schema of its JSON mirror: made from the same declarations that read
//! and write it, so that it cannot differ from them.
//!
//! Invariant: a text that is read without an error has a mirror that its schema accepts, as long as the names in it are
//! declared. The mirror is defined in `mirror`.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use crate::model::{
    Call, CallSpec, Condition, DocKind, Document, FieldSpec, FieldType, Name, OpKind, Schema, TileShape, Tiles, Value,
    reflect::{Field, Names, Record, Reflect as _, Type, Variant},
};

/// A color as text.
const COLOR: &str = "^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$";

/// The vocabulary of a project: what schemas declare, and the names in its files.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Components, enums, messages, conditions and actions, the built-in ones too.
    pub schema: Schema,
    /// Names to complete, by what they are names of.
    pub names: BTreeMap<NameOf, Vec<String>>,
}

/// What a name can be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is a kind of thing named in a project")]
pub enum NameOf {
    Def,
    Machine,
    Tileset,
    Tile,
    Level,
    Tunable,
    Image,
    Sound,
}

/// The JSON Schema of the mirrors of one kind of document.
#[must_use]
pub fn describe(kind: DocKind, vocabulary: &Vocabulary) -> Json {
    let title = match kind {
        DocKind::Project => "project.ron".to_owned(),
        kind => format!("{}/*.ron", kind.folder()),
    };
    let acts = kind == DocKind::Machines;
    whole(&title, Document::blank(kind).root().ty(), Describer { vocabulary, defs: BTreeMap::new(), acts })
}

/// The JSON Schema of the mirrors of files with a value of a type at their root.
fn whole(title: &str, ty: Type, mut out: Describer<'_>) -> Json {
    let root = of_type(ty, &mut out);
    let mut whole = Map::new();
    whole.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    whole.insert("title".into(), json!(format!("The JSON mirror of {title}")));
    if let Json::Object(root) = root {
        whole.extend(root);
    }
    whole.insert("$defs".into(), Json::Object(out.defs.into_iter().collect()));
    Json::Object(whole)
}

/// The same for a type that only a test has.
#[cfg(test)]
pub(crate) fn schema_of(ty: Type, vocabulary: &Vocabulary) -> Json {
    whole("a test", ty, Describer { vocabulary, defs: BTreeMap::new(), acts: false })
}

/// What is being described, with the definitions made on the way.
pub(crate) struct Describer<'v> {
    vocabulary: &'v Vocabulary,
    defs: BTreeMap<String, Json>,
    /// Whether calls are actions; elsewhere, as under `response`, they are whatever the program knows.
    acts: bool,
}

impl Describer<'_> {
    /// A reference to a definition, made when it is first asked for; it may refer to itself.
    fn define(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Json) -> Json {
        if !self.defs.contains_key(name) {
            self.defs.insert(name.to_owned(), Json::Bool(true));
            let made = make(self);
            self.defs.insert(name.to_owned(), made);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// A name of something, with those there are to choose from.
    fn name_of(&self, of: NameOf, what: &str) -> Json {
        let mut out = json!({ "type": "string", "description": what });
        if let (Some(names), Json::Object(out)) = (self.vocabulary.names.get(&of), &mut out) {
            out.insert("examples".into(), json!(names));
        }
        out
    }
}

/// A field of a record: its name, what it looks like, and whether it has to be there.
pub(crate) type Property = (&'static str, Json, bool);

/// What can be described.
pub(crate) trait Describe {
    /// Its schema.
    fn describe(out: &mut Describer<'_>) -> Json;
}

fn object(properties: Vec<Property>) -> Json {
    let required: Vec<&str> = properties.iter().filter(|(.., needed)| *needed).map(|(name, ..)| *name).collect();
    let all: Map<String, Json> = properties.iter().map(|(name, it, _)| ((*name).to_owned(), it.clone())).collect();
    let mut out = json!({ "type": "object", "properties": all, "additionalProperties": false });
    if let (false, Json::Object(out)) = (required.is_empty(), &mut out) {
        out.insert("required".into(), json!(required));
    }
    out
}

/// One tag with its content: `{"Circle": 4.0}`.
fn tagged(properties: Map<String, Json>) -> Json {
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    })
}

macro_rules! plain {
    ($($type:ty: $schema:tt),* $(,)?) => {
        $(impl Describe for $type {
            fn describe(_: &mut Describer<'_>) -> Json {
                json!($schema)
            }
        })*
    };
}

plain! {
    bool: { "type": "boolean" },
    f64: { "type": "number" },
    i64: { "type": "integer" },
    i32: { "type": "integer" },
    u32: { "type": "integer", "minimum": 0 },
    String: { "type": "string" },
    Name: { "type": "string" },
    Value: {},
    Tiles: {
        "type": "object",
        "description": "32 rows of 32 cells by the chunk's column and row",
        "patternProperties": {
            "^-?[0-9]+,-?[0-9]+$": { "type": "array", "items": { "type": "string" }, "maxItems": 32 }
        },
        "additionalProperties": false,
    },
    TileShape: {
        "anyOf": [
            { "type": "null" },
            { "const": "Full" },
            {
                "type": "object",
                "properties": { "Polygon": { "type": "array", "items": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }, "minItems": 3 } },
                "required": ["Polygon"],
                "additionalProperties": false,
            },
        ],
    },
}

/// The schema of a described type; of a field of operations, by the operation.
pub(crate) fn of_type(ty: Type, out: &mut Describer<'_>) -> Json {
    match ty {
        Type::Bool => bool::describe(out),
        Type::Int([0, _]) => u32::describe(out),
        Type::Int(_) => i64::describe(out),
        Type::Float => f64::describe(out),
        Type::Text => String::describe(out),
        Type::Word(word) => enum_of(word.words),
        Type::Value => Value::describe(out),
        Type::Tiles => Tiles::describe(out),
        Type::TileShape => TileShape::describe(out),
        Type::Call => Call::describe(out),
        Type::Condition => Condition::describe(out),
        Type::FieldType => <FieldType as Describe>::describe(out),
        Type::Pair(of) => {
            let item = of_type(of(), out);
            json!({ "type": "array", "items": item, "minItems": 2, "maxItems": 2 })
        }
        Type::Option(of) => json!({ "anyOf": [of_type(of(), out), { "type": "null" }] }),
        Type::Shared(of) => of_type(of(), out),
        Type::List(of) => json!({ "type": "array", "items": of_type(of(), out) }),
        // The fields of something that is not known here.
        Type::Map(of) if of().is_in_record() => json!({ "type": "object" }),
        Type::Map(of) => json!({ "type": "object", "additionalProperties": of_type(of(), out) }),
        Type::MapById(of) => {
            let item = of_type(of(), out);
            json!({ "type": "object", "patternProperties": { "^[0-9]+$": item }, "additionalProperties": false })
        }
        Type::Record(record) => out.define(&definition(record), |out| {
            let Some((_, choice)) = record.choice() else { return object(properties(record, None, out)) };
            let variants = choice.variants.iter();
            let all = variants.map(|it| (it.tag.to_owned(), object(properties(record, Some(it), out)))).collect();
            tagged(all)
        }),
        // Choices are flat: they are part of their record.
        Type::Choice(_) => json!({}),
    }
}

/// The fields of a record as files have them, with those of one of its contents.
fn properties(record: &Record, variant: Option<&Variant>, out: &mut Describer<'_>) -> Vec<Property> {
    let mut all = Vec::new();
    for field in record.fields {
        let content = match ((field.ty)(), variant) {
            (Type::Choice(_), Some(variant)) if field.is_flat => {
                if let Some(field) = variant.field {
                    all.push((field.key, described(field, (field.ty)(), out), false));
                }
                (variant.content)()
            }
            (Type::Choice(choice), None) if field.is_flat => {
                for variant in choice.variants {
                    match (variant.field, (variant.content)().record()) {
                        (Some(field), _) => all.push((field.key, described(field, (field.ty)(), out), false)),
                        // Which of them has to be there depends on the others.
                        (None, Some(record)) => {
                            let inner = properties(record, None, out).into_iter();
                            all.extend(inner.map(|(key, schema, _)| (key, schema, false)));
                        }
                        (None, None) => {}
                    }
                }
                continue;
            }
            (ty, _) if field.is_flat => ty,
            (Type::Option(of), _) if field.is_absent => {
                all.push((field.key, described(field, of(), out), false));
                continue;
            }
            (ty, _) => {
                let op = OpKind::VALUED.into_iter().find(|op| op.key() == field.key && ty.is_in_record());
                let schema = match (op, field.names) {
                    (Some(op), _) => noted(components(out, op), field),
                    (None, Names::Fields(of)) => {
                        let specs = of.specs(&out.vocabulary.schema).clone();
                        noted(fields(out, &specs, false), field)
                    }
                    (None, _) => described(field, ty, out),
                };
                all.push((field.key, schema, field.is_required));
                continue;
            }
        };
        if let Type::Record(inner) = content {
            all.extend(properties(inner, None, out));
        }
    }
    all
}

/// The schema of a record's field: its type within its limits, with its meaning and unit.
fn described(field: &Field, ty: Type, out: &mut Describer<'_>) -> Json {
    let mut schema = of_type(ty, out);
    if field.has_limits() {
        limit(&mut schema, ty, field);
    }
    noted(schema, field)
}

/// Add a field's meaning, and its unit where the meaning does not name it in full.
fn noted(mut schema: Json, field: &Field) -> Json {
    let mut spec = field.spec();
    let doc = spec.doc.to_lowercase();
    spec.unit.take_if(|unit| {
        let name = match unit.as_str() {
            "px" => "pixels",
            "s" => "seconds",
            "°" => "degrees",
            name => name,
        };
        doc.contains(name)
    });
    note_field(&mut schema, &spec);
    schema
}

/// Restrict the numbers that a field's limits are about: one, two, or one by each name.
fn limit(schema: &mut Json, ty: Type, field: &Field) {
    let (inside, of) = match ty {
        Type::Option(of) => ("/anyOf/0", of),
        Type::Pair(of) => ("/items", of),
        Type::Map(of) => ("/additionalProperties", of),
        Type::Text if field.is_color() => {
            if let Json::Object(schema) = schema {
                schema.insert("pattern".into(), json!(COLOR));
            }
            return;
        }
        Type::Int(_) | Type::Float => {
            let Json::Object(schema) = schema else { return };
            if field.min.is_finite() {
                schema.insert(if field.is_above { "exclusiveMinimum" } else { "minimum" }.into(), json!(field.min));
            }
            if field.max.is_finite() {
                schema.insert("maximum".into(), json!(field.max));
            }
            return;
        }
        _ => return,
    };
    if let Some(inside) = schema.pointer_mut(inside) {
        limit(inside, of(), field);
    }
}

/// What a record is called among the definitions of a schema.
fn definition(record: &Record) -> String {
    record.noun().replace([' ', '\''], "_")
}

impl Describe for Call {
    fn describe(out: &mut Describer<'_>) -> Json {
        if !out.acts {
            return json!({
                "anyOf": [{ "type": "string" }, { "type": "object", "minProperties": 1, "maxProperties": 1 }]
            });
        }
        out.define("action", |out| {
            let calls = out.vocabulary.schema.actions.clone();
            json!({ "anyOf": named_calls(out, &calls) })
        })
    }
}

impl Describe for Condition {
    fn describe(out: &mut Describer<'_>) -> Json {
        out.define("condition", |out| {
            let calls = out.vocabulary.schema.conditions.clone();
            let mut any = named_calls(out, &calls);
            let inner = json!({ "$ref": "#/$defs/condition" });
            let list = json!({ "type": "array", "items": inner });
            let joined = [("All", list.clone()), ("Any", list), ("Not", inner)];
            any.push(tagged(joined.map(|(word, it)| (word.to_owned(), it)).into_iter().collect()));
            json!({ "anyOf": any })
        })
    }
}

/// A call without arguments is its bare name, one with arguments its name with them.
fn named_calls(out: &mut Describer<'_>, calls: &IndexMap<Name, CallSpec>) -> Vec<Json> {
    let bare = calls.iter().filter(|(_, spec)| spec.args.values().all(|spec| spec.default.is_some()));
    let bare: Vec<Json> = bare.map(|(name, spec)| documented(json!({ "const": &**name }), spec)).collect();
    let mut with: Map<String, Json> = Map::new();
    for (name, spec) in calls {
        let args = fields(out, &spec.args, true);
        with.insert(name.to_string(), documented(args, spec));
    }
    vec![json!({ "anyOf": bare }), tagged(with)]
}

fn documented(mut schema: Json, spec: &CallSpec) -> Json {
    note(&mut schema, &spec.doc, spec.deprecated.as_ref());
    schema
}

/// Add a description.
fn note(schema: &mut Json, doc: &str, deprecated: Option<&String>) {
    let Json::Object(schema) = schema else { return };
    let why = deprecated.map(|why| format!("Deprecated: {why}"));
    let text: Vec<&str> = [Some(doc).filter(|doc| !doc.is_empty()), why.as_deref()].into_iter().flatten().collect();
    if !text.is_empty() {
        schema.insert("description".into(), json!(text.join(" ")));
    }
    if deprecated.is_some() {
        schema.insert("deprecated".into(), json!(true));
    }
}

/// Declared fields; those without a default have to be there, if asked for.
fn fields(out: &mut Describer<'_>, specs: &IndexMap<Name, FieldSpec>, is_call: bool) -> Json {
    let properties: Map<String, Json> = specs.iter().map(|(name, spec)| (name.to_string(), field(out, spec))).collect();
    let required: Vec<&Name> =
        specs.iter().filter(|(_, spec)| is_call && spec.default.is_none()).map(|(name, _)| name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let (false, Json::Object(schema)) = (required.is_empty(), &mut schema) {
        schema.insert("required".into(), json!(required.iter().map(|name| &***name).collect::<Vec<_>>()));
    }
    schema
}

/// What is set of a field.
fn field(out: &mut Describer<'_>, spec: &FieldSpec) -> Json {
    let mut schema = typed(out, &spec.ty);
    note_field(&mut schema, spec);
    if let (Json::Object(schema), true) = (&mut schema, spec.ty.is_number()) {
        schema.extend(spec.min.map(|min| ("minimum".to_owned(), json!(min))));
        schema.extend(spec.max.map(|max| ("maximum".to_owned(), json!(max))));
    }
    schema
}

fn note_field(schema: &mut Json, spec: &FieldSpec) {
    let unit = spec.unit.as_ref().map(|unit| format!("In {unit}.")).unwrap_or_default();
    let doc = [spec.doc.as_str(), unit.as_str()].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
    note(schema, &doc, spec.deprecated.as_ref());
}

/// What an operation takes for a field; `None` where there is nothing for it to work on.
fn operand(out: &mut Describer<'_>, spec: &FieldSpec, op: OpKind) -> Option<Json> {
    if op == OpKind::Set {
        return Some(field(out, spec));
    }
    let mut schema = operand_of(out, &spec.ty, op)?;
    note_field(&mut schema, spec);
    Some(schema)
}

/// As [`operand`]: numbers and lists, and what leads to them.
fn operand_of(out: &mut Describer<'_>, ty: &FieldType, op: OpKind) -> Option<Json> {
    match ty {
        FieldType::Struct(specs) => {
            let members = specs.iter().filter_map(|(name, spec)| Some((name.to_string(), operand(out, spec, op)?)));
            let members: Map<String, Json> = members.collect();
            let is_any = !members.is_empty();
            is_any.then(|| json!({ "type": "object", "properties": members, "additionalProperties": false }))
        }
        FieldType::Map(item) => {
            let inside = operand_of(out, item, op);
            let inside = match (inside, op) {
                // An entry that is not there yet is taken whole.
                (Some(inside), OpKind::Append) => json!({ "anyOf": [inside, typed(out, item)] }),
                (None, OpKind::Append) => typed(out, item),
                (inside, _) => inside?,
            };
            Some(json!({ "type": "object", "additionalProperties": inside }))
        }
        FieldType::Option(inner) => operand_of(out, inner, op),
        FieldType::Any => Some(json!({})),
        FieldType::List(_) | FieldType::Flags(_) if op == OpKind::Append => Some(typed(out, ty)),
        ty if ty.is_number() && op != OpKind::Append => Some(json!({ "type": "number" })),
        FieldType::Vec2 if op == OpKind::Scale => Some(json!({ "anyOf": [{ "type": "number" }, typed(out, ty)] })),
        FieldType::Vec2 if op == OpKind::Add => Some(typed(out, ty)),
        _ => None,
    }
}

fn typed(out: &mut Describer<'_>, ty: &FieldType) -> Json {
    match ty {
        FieldType::Bool => json!({ "type": "boolean" }),
        FieldType::Int => json!({ "type": "integer" }),
        FieldType::Float | FieldType::Angle => json!({ "type": "number" }),
        ty if ty.is_text() || *ty == FieldType::Entity => json!({ "type": "string" }),
        FieldType::Vec2 => json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }),
        FieldType::Color => json!({ "type": "string", "pattern": COLOR }),
        FieldType::Enum(name) => words(out, name),
        FieldType::Flags(name) => json!({ "type": "array", "items": words(out, name) }),
        FieldType::List(item) => json!({ "type": "array", "items": typed(out, item) }),
        FieldType::Map(item) => json!({ "type": "object", "additionalProperties": typed(out, item) }),
        FieldType::Struct(specs) => fields(out, specs, false),
        FieldType::Option(inner) => json!({ "anyOf": [typed(out, inner), { "type": "null" }] }),
        FieldType::Shape => json!({
            "type": "object",
            "description": "A shape around the entity's origin.",
            "properties": { "Box": true, "Circle": true, "Capsule": true, "Polygon": true },
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
        }),
        FieldType::Def => out.name_of(NameOf::Def, "The name of a definition."),
        FieldType::Machine => out.name_of(NameOf::Machine, "The name of a machine."),
        FieldType::Tileset => out.name_of(NameOf::Tileset, "The name of a tileset."),
        FieldType::Tile => out.name_of(NameOf::Tile, "A tile, as tileset/name."),
        FieldType::Level => out.name_of(NameOf::Level, "The name of a level."),
        FieldType::Image => out.name_of(NameOf::Image, "A PNG inside the project."),
        FieldType::Sound => out.name_of(NameOf::Sound, "A WAV or OGG file inside the project."),
        FieldType::Tunable => out.name_of(NameOf::Tunable, "A constant, as Page.name."),
        _ => json!({}),
    }
}

fn words(out: &Describer<'_>, name: &str) -> Json {
    let words = out.vocabulary.schema.enums.get(name).map_or(&[][..], Vec::as_slice);
    // The bare word `None` is null in a mirror, whatever its enum.
    let word = |word: &Name| if &**word == "None" { Json::Null } else { json!(&**word) };
    json!({ "enum": words.iter().map(word).collect::<Vec<_>>() })
}

/// The components of an operation.
pub(crate) fn components(out: &mut Describer<'_>, op: OpKind) -> Json {
    out.define(&format!("components_to_{}", op.key()), |out| {
        let declared = out.vocabulary.schema.components.clone();
        let mut all = Map::new();
        for (name, spec) in &declared {
            let fields =
                spec.fields.iter().filter_map(|(name, spec)| Some((name.to_string(), operand(out, spec, op)?)));
            let fields: Map<String, Json> = fields.collect();
            // To name a component is enough to have it; the other operations need a field to work on.
            let mut schema = json!({ "type": "object", "properties": fields, "additionalProperties": false });
            note(&mut schema, &spec.doc, spec.deprecated.as_ref());
            all.insert(name.to_string(), schema);
        }
        json!({ "type": "object", "properties": all, "additionalProperties": false })
    })
}

impl Describe for FieldType {
    fn describe(out: &mut Describer<'_>) -> Json {
        out.define("type", |out| {
            let plain: Vec<String> = Self::PLAIN.iter().map(ToString::to_string).collect();
            let inner = json!({ "$ref": "#/$defs/type" });
            let fields = of_type(<IndexMap<Name, FieldSpec>>::type_of(), out);
            let nested = [
                ("Enum", json!({ "type": "string" })),
                ("Flags", json!({ "type": "string" })),
                ("List", inner.clone()),
                ("Map", inner.clone()),
                ("Option", inner),
                ("Struct", fields),
            ];
            let nested = tagged(nested.map(|(word, it)| (word.to_owned(), it)).into_iter().collect());
            json!({ "anyOf": [{ "enum": plain }, nested] })
        })
    }
}

/// The schema of the words of an enum of the program's own.
pub(crate) fn enum_of(words: &[&str]) -> Json {
    json!({ "enum": words })
}
