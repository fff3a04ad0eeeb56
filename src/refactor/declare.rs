//! Declarations for names that data uses and no schema declares: a component, a field, a message, a word of an enum.
//! Types are guessed from all their values in the project.
//!
//! Invariant: the declared type accepts all present values, so declaring never makes a value wrong; of the types that
//! do, the narrowest is taken: a number before anything, a reference when all texts name things of one kind. Whether a
//! name is intended or misspelled is decided by `check`.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use indexmap::{IndexMap, IndexSet};

use super::Plan;
use crate::{
    defs::Resolution,
    edit::{Declared, Edit, apply_all, free_name},
    model::{
        DocKind, DocPath, Document, FieldSpec, FieldType, Name, OpKind, Ops, Project, Schema, Seg, Shape, Value,
        capitalized, parse_color,
    },
};

/// What the values of a field have in common.
#[derive(Clone, Debug, Default)]
struct Guess<'a> {
    /// In how many places of the thing the field has a value.
    n: usize,
    /// Some are `None` or in `Some(…)`.
    is_option: bool,
    kind: Kind<'a>,
}

#[derive(Clone, Debug, Default)]
enum Kind<'a> {
    /// No value tells.
    #[default]
    Open,
    Bool,
    Int,
    Float,
    Vec2,
    Shape,
    Text(IndexSet<&'a str>),
    Words(IndexSet<&'a Name>),
    List(Box<Guess<'a>>),
    Map(Box<Guess<'a>>),
    Struct(Evidence<'a>),
    /// Values that no type but `Any` takes together.
    Mixed,
}

impl<'a> Guess<'a> {
    fn meet(&mut self, value: &'a Value) {
        let is_some = matches!(value, Value::Tagged(tag, _) if &**tag == "Some");
        self.is_option |= is_some || value.is_none();
        if let Some(content) = value.as_option() {
            self.kind.meet(content);
        }
    }
}

impl<'a> Kind<'a> {
    /// What a first value tells of itself; what is inside it is still to be met.
    fn of(value: &Value) -> Self {
        match value {
            Value::Bool(_) => Self::Bool,
            Value::Int(_) => Self::Int,
            Value::Float(_) => Self::Float,
            Value::Str(_) => Self::Text(IndexSet::new()),
            Value::Symbol(_) => Self::Words(IndexSet::new()),
            Value::List(_) => Self::List(Box::default()),
            Value::Map(_) => Self::Map(Box::default()),
            Value::Tuple(items) if items.is_empty() => Self::Struct(Evidence::default()),
            Value::Struct(_) => Self::Struct(Evidence::default()),
            Value::Tuple(_) if value.as_vec2().is_some() => Self::Vec2,
            Value::Tagged(..) if Shape::from_value(value).is_ok() => Self::Shape,
            Value::Tuple(_) | Value::Tagged(..) => Self::Mixed,
        }
    }

    fn meet(&mut self, value: &'a Value) {
        if matches!(self, Self::Open) {
            *self = Self::of(value);
        }
        match (&mut *self, value) {
            (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Float, Value::Int(_) | Value::Float(_)) => {}
            (Self::Int, Value::Float(_)) => *self = Self::Float,
            (Self::Vec2, _) if value.as_vec2().is_some() => {}
            (Self::Shape, Value::Tagged(..)) if Shape::from_value(value).is_ok() => {}
            (Self::Text(all), Value::Str(text)) => _ = all.insert(text),
            (Self::Words(all), Value::Symbol(word)) => _ = all.insert(word),
            (Self::List(item), Value::List(items)) => items.iter().for_each(|value| item.meet(value)),
            (Self::Map(item), Value::Map(entries)) if entries.iter().all(|(key, _)| matches!(key, Value::Str(_))) => {
                entries.iter().for_each(|(_, value)| item.meet(value));
            }
            (Self::Struct(_), Value::Tuple(items)) if items.is_empty() => {}
            (Self::Struct(evidence), Value::Struct(fields)) => evidence.meet(fields),
            _ => *self = Self::Mixed,
        }
    }
}

/// All uses of one thing: its fields with what their values have in common, in order of first use.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    fields: IndexMap<&'a Name, Guess<'a>>,
    /// In how many places the thing is.
    n: usize,
}

impl<'a> Evidence<'a> {
    /// Add the fields and values of one place.
    pub fn meet(&mut self, fields: impl IntoIterator<Item = (&'a Name, &'a Value)>) {
        self.n += 1;
        for (field, value) in fields {
            let guess = self.fields.entry(field).or_default();
            guess.n += 1;
            guess.meet(value);
        }
    }

    /// The uses of each of these components in the whole project.
    #[must_use]
    pub fn of_components(project: &'a Project, names: &BTreeSet<&str>) -> HashMap<&'a str, Self> {
        let mut out: HashMap<&str, Self> = HashMap::new();
        let mut meet = |ops: &'a Ops| {
            for op in OpKind::VALUED {
                for (component, fields) in ops.values(op).into_iter().flatten() {
                    if names.contains(&**component) {
                        out.entry(component).or_default().meet(fields);
                    }
                }
            }
        };
        for document in project.documents.values() {
            match &**document {
                Document::Entities(file) => file.defs.values().for_each(|def| meet(&def.ops)),
                Document::Level(level) => level.entities().for_each(|(_, _, instance)| meet(&instance.ops)),
                _ => {}
            }
        }
        out
    }

    /// What is known of the field at the end of a way through lists, maps and options.
    fn at(&self, path: &[Seg]) -> Option<&Guess<'a>> {
        let (Seg::Key(field), rest) = path.split_first()? else { return None };
        let mut guess = self.fields.get(field)?;
        for (i, seg) in rest.iter().enumerate() {
            guess = match (&guess.kind, seg) {
                (Kind::List(item), Seg::Index(_)) | (Kind::Map(item), Seg::Key(_)) => item,
                (Kind::Struct(evidence), Seg::Key(_)) => return evidence.at(rest.get(i..)?),
                _ => return None,
            };
        }
        Some(guess)
    }
}

/// What declarations are guessed from besides values: all names of the project.
#[derive(Clone, Copy)]
pub struct Declaring<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its resolution.
    pub resolution: &'a Resolution,
    /// Whether a text names an image.
    pub is_image: &'a dyn Fn(&str) -> bool,
    /// Whether a text is the path of a sound.
    pub is_sound: &'a dyn Fn(&str) -> bool,
}

/// Whether a text is one of a type's.
type Test<'a> = dyn Fn(&str) -> bool + 'a;

/// Enums that have to be declared with what has their words.
type NewEnums = IndexMap<Name, Vec<Name>>;

impl Declaring<'_> {
    /// Declare a thing with all fields it is used with, in the game's schema, which is created if there is none. `None`
    /// for what cannot be declared.
    #[must_use]
    pub fn thing(&self, what: &Declared, evidence: &Evidence<'_>) -> Option<Plan> {
        let mut enums = NewEnums::new();
        let spec = |(field, guess): (&&Name, &Guess<'_>)| {
            let ty = self.type_of(guess, &[what.name(), field], &mut enums);
            ((*field).clone(), spec_of(what, ty, guess, evidence))
        };
        let fields: Vec<(Name, FieldSpec)> = evidence.fields.iter().map(spec).collect();
        let (doc, is_new) = self.home(what);
        let mut edits = Vec::new();
        if is_new {
            let document = Arc::new(Document::Schema(Schema::default()));
            edits.push(Edit::put_document(doc.clone(), document));
        }
        edits.extend(enums.into_iter().map(|(name, words)| Edit::set_at(&doc, Declared::Enum(name).place(), &words)));
        edits.push(what.declared_in(&doc));
        edits.extend(fields.iter().map(|(field, spec)| Edit::set_at(&doc, what.field_place(field), spec)));
        let noun = match what {
            Declared::Component(_) => String::new(),
            other => format!("{} ", other.noun()),
        };
        self.fine(Plan { label: format!("Declare {noun}{} in {doc}", what.name()), edits })
    }

    /// Declare a field of something that the game's own schema declares. `path` leads to the field from the thing,
    /// through its values. `None` for what is not the game's own.
    #[must_use]
    pub fn field(&self, of: &Declared, path: &[Seg], evidence: &Evidence<'_>) -> Option<Plan> {
        let guess = evidence.at(path)?;
        let (doc, schema) = self.declaring(|schema| of.is_in(schema))?;
        let mut names = vec![&**of.name()];
        names.extend(path.iter().filter_map(Seg::key).map(|key| &**key));
        let mut enums = NewEnums::new();
        let ty = self.type_of(guess, &names, &mut enums);
        let label = format!("Declare {} as {ty}", names.join("."));
        let (Seg::Key(field), inner) = path.split_first()? else { return None };
        let spec = match inner {
            [] => spec_of(of, ty, guess, evidence),
            inner => {
                let mut spec = of.fields(schema)?.get(field)?.clone();
                put_inside(&mut spec.ty, inner, ty)?;
                spec
            }
        };
        let enums = enums.into_iter().map(|(name, words)| Edit::set_at(doc, Declared::Enum(name).place(), &words));
        let mut edits: Vec<Edit> = enums.collect();
        edits.push(Edit::set_at(doc, of.field_place(field), &spec));
        self.fine(Plan { label, edits })
    }

    /// Add a word to an enum of the game's own.
    #[must_use]
    pub fn word(&self, name: &str, word: &Name) -> Option<Plan> {
        let (doc, schema) = self.declaring(|schema| schema.enums.contains_key(name))?;
        let mut words = schema.enums.get(name)?.clone();
        words.push(word.clone());
        let edits = vec![Edit::set_at(doc, Declared::Enum(name.into()).place(), &words)];
        self.fine(Plan { label: format!("Add {word} to enum {name}"), edits })
    }

    /// The game's own schema that decides about something: the last that declares it.
    fn declaring(&self, declares: impl Fn(&Schema) -> bool) -> Option<(&DocPath, &Schema)> {
        self.schemas().filter(|(_, schema)| declares(schema)).last()
    }

    fn schemas(&self) -> impl Iterator<Item = (&DocPath, &Schema)> {
        self.project.documents.iter().filter_map(|(doc, document)| match &**document {
            Document::Schema(schema) => Some((doc, schema)),
            _ => None,
        })
    }

    /// The schema a new declaration goes to, where most of its kind are, and whether it has to be made.
    fn home(&self, what: &Declared) -> (DocPath, bool) {
        let n_alike = |schema: &Schema| match what {
            Declared::Enum(_) => schema.enums.len(),
            Declared::Component(_) => schema.components.len(),
            Declared::Message(_) => schema.messages.len(),
            Declared::Condition(_) => schema.conditions.len(),
            Declared::Action(_) => schema.actions.len(),
            Declared::Fields(_) => what.fields(schema).map_or(0, IndexMap::len),
        };
        // Of equals the first.
        match self.schemas().max_by_key(|(doc, schema)| (n_alike(schema), Reverse(*doc))) {
            Some((doc, _)) => (doc.clone(), false),
            None => (DocPath::in_folder(DocKind::Schema, "game"), true),
        }
    }

    /// A plan whose edits are not refused. They touch schemas alone, so no more is tried.
    fn fine(&self, plan: Plan) -> Option<Plan> {
        let of_schemas = self.project.documents.iter().filter(|(_, it)| matches!(***it, Document::Schema(_)));
        let mut schemas: Project = of_schemas.map(|(doc, document)| (doc.clone(), document.clone())).collect();
        apply_all(&mut schemas, &plan.edits).is_ok().then_some(plan)
    }

    /// The narrowest type that takes all values met. `names` lead to the field; an enum that has to be made is called
    /// after them.
    fn type_of(&self, guess: &Guess<'_>, names: &[&str], enums: &mut NewEnums) -> FieldType {
        let ty = match &guess.kind {
            Kind::Open | Kind::Mixed => FieldType::Any,
            Kind::Bool => FieldType::Bool,
            Kind::Int => FieldType::Int,
            Kind::Float => FieldType::Float,
            Kind::Vec2 => FieldType::Vec2,
            Kind::Shape => FieldType::Shape,
            Kind::Text(texts) => self.type_of_texts(texts),
            Kind::Words(words) => FieldType::Enum(self.enum_of(words, names, enums)),
            Kind::List(item) => FieldType::List(Box::new(self.type_of(item, names, enums))),
            Kind::Map(item) => FieldType::Map(Box::new(self.type_of(item, names, enums))),
            Kind::Struct(evidence) => {
                let field = |(field, guess): (&&Name, &Guess<'_>)| {
                    let names: Vec<&str> = names.iter().copied().chain([&***field]).collect();
                    ((*field).clone(), FieldSpec::of(self.type_of(guess, &names, enums)))
                };
                FieldType::Struct(evidence.fields.iter().map(field).collect())
            }
        };
        if guess.is_option && ty != FieldType::Any { FieldType::Option(Box::new(ty)) } else { ty }
    }

    fn type_of_texts(&self, texts: &IndexSet<&str>) -> FieldType {
        let Self { project, resolution, is_image, is_sound } = self;
        let is_tile = |text: &str| {
            let tile = text.split_once('/').and_then(|(set, tile)| Some((resolution.tilesets.get(set)?, tile)));
            tile.is_some_and(|(doc, tile)| project.tileset(doc).is_some_and(|it| it.by_name(tile).is_some()))
        };
        let is_placed = |text: &str| project.levels().any(|(_, level)| level.entity(text).is_some());
        let tests: [(FieldType, &Test<'_>); 10] = [
            (FieldType::Color, &|text| parse_color(text).is_some()),
            (FieldType::Def, &|text| resolution.def_docs.contains_key(text)),
            (FieldType::Machine, &|text| resolution.machines.contains_key(text)),
            (FieldType::Level, &|text| resolution.levels.contains_key(text)),
            (FieldType::Tileset, &|text| resolution.tilesets.contains_key(text)),
            (FieldType::Tile, &is_tile),
            (FieldType::Tunable, &|text| resolution.tunable(text).is_some()),
            (FieldType::Image, *is_image),
            (FieldType::Sound, *is_sound),
            (FieldType::Entity, &is_placed),
        ];
        // An empty text is a reference to nothing.
        let present: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
        let found = tests.into_iter().find(|(_, fits)| !present.is_empty() && present.iter().all(|text| fits(text)));
        match found {
            Some((FieldType::Color, _)) if present.len() < texts.len() => FieldType::Str,
            Some((ty, _)) => ty,
            None => FieldType::Str,
        }
    }

    /// An enum that has all these words, or a new one.
    fn enum_of(&self, words: &IndexSet<&Name>, names: &[&str], enums: &mut NewEnums) -> Name {
        let has_all = |all: &[Name]| words.iter().all(|word| all.contains(word));
        let known = &self.resolution.schema.enums;
        if let Some((name, _)) = known.iter().chain(&*enums).find(|(_, all)| has_all(all)) {
            return name.clone();
        }
        let name = free_name(&names.iter().map(|name| as_type(name)).collect::<String>(), |name| {
            known.contains_key(name) || enums.contains_key(name)
        });
        enums.insert(name.clone(), words.iter().map(|word| (*word).clone()).collect());
        name
    }
}

/// A field's declaration. An argument without a default would have to be given in every call; where it is not, it has
/// one.
fn spec_of(of: &Declared, ty: FieldType, guess: &Guess<'_>, evidence: &Evidence<'_>) -> FieldSpec {
    let is_argument = matches!(of, Declared::Condition(_) | Declared::Action(_));
    let is_optional = is_argument && guess.n < evidence.n;
    let default = match (&guess.kind, &ty) {
        (Kind::Words(words), FieldType::Enum(_)) => words.first().map(|word| Value::Symbol((*word).clone())),
        (_, ty) => Some(ty.default_value()),
    };
    FieldSpec { default: default.filter(|_| is_optional), ..FieldSpec::of(ty) }
}

/// `patrol_route` as `PatrolRoute`.
fn as_type(name: &str) -> String {
    name.split('_').map(capitalized).collect()
}

/// Declare a field inside a type, at the end of a way through its values.
fn put_inside(ty: &mut FieldType, path: &[Seg], new: FieldType) -> Option<()> {
    let (seg, rest) = path.split_first()?;
    match (ty, seg) {
        (FieldType::Option(inner), _) => put_inside(inner, path, new),
        (FieldType::List(item), Seg::Index(_)) | (FieldType::Map(item), Seg::Key(_)) => put_inside(item, rest, new),
        (FieldType::Struct(fields), Seg::Key(field)) if rest.is_empty() => {
            fields.insert(field.clone(), FieldSpec::of(new));
            Some(())
        }
        (FieldType::Struct(fields), Seg::Key(field)) => put_inside(&mut fields.get_mut(field)?.ty, rest, new),
        _ => None,
    }
}
