//! The one walk over every place of a document where a name of something stands: by what the fields of its records
//! declare (`inherits`, a layer's tileset, the keys of components and handlers) and by the schema's types. Listing,
//! counting, checking and renaming all go by it.
//!
//! Invariant: nothing is copied or changed. A use is reported with its path, by which `reflect::place_mut` finds it
//! again to change it. What declares a name is no use of it.

use std::ops::Range;

use super::{
    name_types::Types,
    names::{RefKind, Spelling, Use, leaves},
};
use crate::model::{
    Call, Condition, FieldPath, FieldType, Fields, Name, RemovePath, RemoveStep, Seg, Value, reads,
    reflect::{MapView, Names, RecordView, Reflect, View, each_field, tag_of},
};

/// Call `meet` for every use of a name in a document, or in another described value. `types` tells which values hold
/// names.
pub(super) fn uses_in(root: &dyn Reflect, types: &Types, meet: &mut dyn FnMut(&Use<'_>)) {
    Walk { types, path: FieldPath::root(), declared: None, meet }.inside(root);
}

struct Walk<'w> {
    types: &'w Types,
    path: FieldPath,
    /// The name and kind of the innermost named record around.
    declared: Option<(&'static FieldType, Name)>,
    meet: &'w mut dyn FnMut(&Use<'_>),
}

impl Walk<'_> {
    fn at(&mut self, seg: impl Into<PathSeg>, then: impl FnOnce(&mut Self)) {
        self.path.0.push(seg.into().0);
        then(self);
        self.path.0.pop();
    }

    fn each<T>(&mut self, items: impl IntoIterator<Item = T>, mut then: impl FnMut(&mut Self, T)) {
        items.into_iter().enumerate().for_each(|(i, item)| self.at(i, |it| then(it, item)));
    }

    fn report(&mut self, kind: RefKind, (of, name): (&str, &str), part: Range<usize>, at_key: bool) {
        let path = &self.path;
        (self.meet)(&Use { kind, of, name, part, spelling: Spelling::Plain, is_sure: true, path, at_key });
    }

    /// The key at the end of the path.
    fn key(&mut self, kind: RefKind, of: &str, name: &str) {
        self.report(kind, (of, name), 0..name.len(), true);
    }

    /// The whole of the text there.
    fn whole(&mut self, kind: RefKind, name: &str) {
        self.report(kind, ("", name), 0..name.len(), false);
    }

    /// A part of the text there.
    fn part(&mut self, kind: RefKind, of: &str, text: &str, part: Range<usize>) {
        let name = text.get(part.clone()).unwrap_or_default();
        self.report(kind, (of, name), part, false);
    }

    /// The text as a name, qualified by its owner.
    fn both(&mut self, kind: RefKind, text: &str, is_sure: bool) {
        let (of, name) = kind.parts(text);
        if kind == RefKind::Tunable && !of.is_empty() {
            let (path, part) = (&self.path, 0..of.len());
            let spelling = Spelling::Plain;
            (self.meet)(&Use { kind: RefKind::Page, of: "", name: of, part, spelling, is_sure, path, at_key: false });
        }
        let (path, part) = (&self.path, text.len() - name.len()..text.len());
        (self.meet)(&Use { kind, of, name, part, spelling: Spelling::Plain, is_sure, path, at_key: false });
    }

    /// What a value holds by its description.
    fn inside(&mut self, value: &dyn Reflect) {
        match value.view() {
            View::Shared(inner, _) | View::Option(Some(inner)) => self.inside(inner),
            View::List(list) if list.item_type().has_names() => {
                self.each((0..list.len()).filter_map(|at| list.get(at)), Self::inside);
            }
            View::Map(map) if map.item_type().has_names() => self.entries(map, |it, _, value| it.inside(value)),
            View::Record(record) => self.record(record),
            View::Call(call) => self.call(call, (RefKind::Action, RefKind::ActionArg)),
            View::Condition(condition) => self.condition(condition),
            View::FieldType(ty) => self.type_of(ty),
            _ => {}
        }
    }

    fn entries(&mut self, map: &dyn MapView, mut then: impl FnMut(&mut Self, &Name, &dyn Reflect)) {
        for (key, value) in (0..map.len()).filter_map(|at| map.at(at)) {
            let key = key.name();
            self.at(&key, |it| then(it, &key, value));
        }
    }

    fn record(&mut self, record: &dyn RecordView) {
        let outer = self.declared.clone();
        each_field(record, &mut |it| {
            self.at(it.field.key, |walk| walk.field(record, it.field.names, it.value));
        });
        self.declared = outer;
    }

    /// A field of a record.
    fn field(&mut self, record: &dyn RecordView, names: Names, value: &dyn Reflect) {
        match (names, value.view()) {
            (Names::Text(ty), _) => self.texts(ty, value),
            (Names::Declares(ty), View::Text(name)) => {
                // Routes name layers of waypoints whatever the level: those of one name in several levels are renamed
                // together.
                if *ty == FieldType::Layer && tag_of(record) == Some("Waypoints") {
                    self.whole(RefKind::Layer, name);
                }
                self.declared = Some((ty, name.into()));
            }
            (Names::Keys(FieldType::Message), View::Map(map)) => self.entries(map, |it, key, value| {
                it.key(RefKind::Message, "", key);
                it.inside(value);
            }),
            (Names::DeclaresKeys(ty), View::Map(map)) => self.entries(map, |it, key, value| {
                it.declared = Some((ty, key.clone()));
                it.inside(value);
            }),
            (Names::Components, View::Map(map)) => self.entries(map, Self::component),
            (Names::Removed, View::List(list)) => {
                self.each((0..list.len()).filter_map(|at| list.get(at)), |it, entry| {
                    if let View::Text(entry) = entry.view() {
                        it.entry(entry);
                    }
                });
            }
            (Names::PayloadOf(key), View::Map(map)) => {
                let Some(View::Text(message)) = beside(record, key).map(Reflect::view) else { return };
                self.entries(map, |it, name, value| {
                    it.key(RefKind::Payload, message, name);
                    it.typed(it.types.payload(message, name), value);
                });
            }
            (Names::Fields(of), View::Map(map)) => self.entries(map, |it, name, value| {
                it.key(RefKind::CustomField, of.noun(), name);
                it.typed(it.types.custom(of, name), value);
            }),
            (Names::ValueOf(key), _) => {
                if let Some(View::FieldType(ty)) = beside(record, key).map(Reflect::view) {
                    self.typed(Some(ty), value);
                }
            }
            (Names::Response, View::Option(Some(inner))) => self.field(record, names, inner),
            (Names::Response, View::Call(call)) => self.response(call),
            (Names::FieldBeside, View::Option(Some(inner))) => self.field(record, names, inner),
            (Names::FieldBeside, View::Text(name)) => {
                if let Some((FieldType::Component, of)) = self.declared.clone() {
                    self.report(RefKind::Field, (&of, name), 0..name.len(), false);
                }
            }
            _ => self.inside(value),
        }
    }

    /// Every text in a value.
    fn texts(&mut self, ty: &FieldType, value: &dyn Reflect) {
        match value.view() {
            View::Text(text) => self.text(Some(ty), text),
            View::Option(Some(inner)) => self.texts(ty, inner),
            View::List(list) => self.each((0..list.len()).filter_map(|at| list.get(at)), |it, item| it.texts(ty, item)),
            _ => {}
        }
    }

    /// The fields that an operation has of a component.
    fn component(&mut self, component: &Name, fields: &dyn Reflect) {
        self.key(RefKind::Component, "", component);
        if let View::Map(fields) = fields.view() {
            self.entries(fields, |it, name, value| {
                it.key(RefKind::Field, component, name);
                it.typed(it.types.field(component, name), value);
            });
        }
    }

    fn typed(&mut self, ty: Option<&FieldType>, value: &dyn Reflect) {
        match value.view() {
            View::Value(value) => self.value(ty, value),
            View::Option(Some(inner)) => self.typed(ty, inner),
            _ => {}
        }
    }

    /// Named values, and what has the names.
    fn fields<'t>(&mut self, (kind, of): (RefKind, &str), fields: &Fields, ty: impl Fn(&str) -> Option<&'t FieldType>) {
        for (name, value) in fields {
            self.at(name, |it| {
                it.key(kind, of, name);
                it.value(ty(name), value);
            });
        }
    }

    /// An entry of `remove`, and the element it names, by the type that the way through the field has.
    fn entry(&mut self, entry: &str) {
        let Ok((path, parts)) = RemovePath::parse_parts(entry) else { return };
        let mut parts = parts.into_iter();
        let Some(part) = parts.next() else { return };
        self.part(RefKind::Component, "", entry, part);
        let Some((RemoveStep::Field(field), steps)) = path.steps.split_first() else { return };
        let Some(part) = parts.next() else { return };
        self.part(RefKind::Field, &path.component, entry, part);
        let Some(mut ty) = self.types.field(&path.component, field) else { return };
        for (step, part) in steps.iter().zip(parts) {
            while let FieldType::Option(inner) = ty {
                ty = inner;
            }
            ty = match (step, ty) {
                (RemoveStep::Field(name), FieldType::Struct(specs)) => {
                    let Some(spec) = specs.get(name) else { return };
                    &spec.ty
                }
                (_, FieldType::Map(inner)) => inner,
                (RemoveStep::Item(item), FieldType::List(inner)) => {
                    self.element(inner, item, entry, part);
                    inner
                }
                (RemoveStep::Item(item), FieldType::Flags(_)) => {
                    self.element(ty, item, entry, part);
                    return;
                }
                _ => return,
            };
        }
    }

    /// An element as it stands in the brackets of an entry.
    fn element(&mut self, ty: &FieldType, item: &Value, entry: &str, part: Range<usize>) {
        if matches!(item, Value::Str(_) | Value::Symbol(_)) {
            return self.word(ty, item, part);
        }
        let texts = item.texts().into_iter().zip(Value::texts_in(&entry[part.clone()]));
        let texts: Vec<(&Value, Range<usize>)> = texts.collect();
        let mut met: Vec<(&FieldType, &Value, Range<usize>)> = Vec::new();
        leaves(ty, item, &mut FieldPath::root(), &mut |ty, value, _| {
            let inside = value.texts();
            let of_leaf = texts.iter().filter(|(text, _)| inside.iter().any(|it| std::ptr::eq(*it, *text)));
            met.extend(of_leaf.map(|(text, at)| (ty, *text, part.start + at.start..part.start + at.end)));
        });
        met.sort_by_key(|(.., at)| at.start);
        met.into_iter().for_each(|(ty, text, at)| self.word(ty, text, at));
    }

    /// A string or word in the brackets of an entry: names may stand there without quotes.
    fn word(&mut self, ty: &FieldType, item: &Value, part: Range<usize>) {
        let (text, spelling) = match item {
            Value::Str(text) => (text.as_str(), Spelling::Quoted),
            Value::Symbol(word) => (&**word, Spelling::Bare),
            _ => return,
        };
        let path = self.path.clone();
        let meet = &mut *self.meet;
        let mut moved = |it: &Use<'_>| {
            // A range in the entry rather than in the text alone. If the text has escapes, only the whole range is
            // known.
            let start = part.start + it.part.start;
            let is_whole = it.part == (0..text.len());
            if is_whole || text.len() == part.len() {
                let part = if is_whole { part.clone() } else { start..start + it.part.len() };
                meet(&Use { part, spelling, path: &path, ..*it });
            }
        };
        let mut inner = Walk { types: self.types, path: FieldPath::root(), declared: None, meet: &mut moved };
        match (ty, item) {
            (FieldType::Enum(of) | FieldType::Flags(of), _) => {
                inner.report(RefKind::Word, (of, text), 0..text.len(), false);
            }
            _ => inner.text(Some(ty), text),
        }
    }

    /// Visit a value. Without a type, only text with an explicit target prefix is a name.
    fn value(&mut self, ty: Option<&FieldType>, value: &Value) {
        let Some(ty) = ty else { return self.untyped(value) };
        let mut path = std::mem::take(&mut self.path);
        let (types, meet) = (self.types, &mut *self.meet);
        leaves(ty, value, &mut path, &mut |ty, value, path| {
            let mut walk = Walk { types, path: path.clone(), declared: None, meet: &mut *meet };
            match (ty, value) {
                (FieldType::Enum(of), Value::Symbol(word)) => {
                    walk.report(RefKind::Word, (of, word), 0..word.len(), false);
                }
                (FieldType::Flags(of), Value::List(items) | Value::Tuple(items)) => {
                    walk.each(items, |it, item| {
                        if let Value::Symbol(word) = item {
                            it.report(RefKind::Word, (of, word), 0..word.len(), false);
                        }
                    });
                }
                (ty, Value::Str(text)) => walk.text(Some(ty), text),
                (FieldType::Any, value) => walk.untyped(value),
                _ => {}
            }
        });
        self.path = path;
    }

    fn untyped(&mut self, value: &Value) {
        if !self.types.has_targets() {
            return;
        }
        match value {
            Value::Str(text) => self.text(None, text),
            Value::List(items) | Value::Tuple(items) => self.each(items, Self::untyped),
            Value::Struct(fields) => fields.iter().for_each(|(name, value)| self.at(name, |it| it.untyped(value))),
            Value::Map(entries) => {
                for (key, value) in entries {
                    self.at(key.as_str().unwrap_or_default(), |it| it.untyped(value));
                }
            }
            Value::Tagged(_, content) => self.untyped(content),
            _ => {}
        }
    }

    fn text(&mut self, ty: Option<&FieldType>, text: &str) {
        if text.is_empty() {
            return;
        }
        match ty {
            Some(FieldType::Def) => self.whole(RefKind::Def, text),
            Some(FieldType::Machine) => self.whole(RefKind::Machine, text),
            Some(FieldType::Tileset) => self.whole(RefKind::Tileset, text),
            Some(FieldType::Level) => self.whole(RefKind::Level, text),
            Some(FieldType::Tunable) => self.both(RefKind::Tunable, text, true),
            Some(FieldType::Tag) => self.whole(RefKind::Tag, text),
            Some(FieldType::Message) => self.whole(RefKind::Message, text),
            Some(FieldType::Component) => self.part(RefKind::Component, "", text, 0..name_len(text)),
            Some(FieldType::Tile) => {
                self.both(RefKind::Tile, text, true);
                if let Some(at) = text.find('/') {
                    self.part(RefKind::Tileset, "", text, 0..at);
                }
            }
            Some(FieldType::Layer) => {
                self.whole(RefKind::Layer, text);
                if let Some(at) = text.find('/') {
                    self.part(RefKind::Layer, "", text, 0..at);
                    self.part(RefKind::Tag, "", text, at + 1..text.len());
                }
            }
            Some(FieldType::Field) => {
                let at = name_len(text);
                self.part(RefKind::Component, "", text, 0..at);
                if let Some(rest) = text[at..].strip_prefix('.') {
                    self.part(RefKind::Field, &text[..at], text, at + 1..at + 1 + name_len(rest));
                    self.both(RefKind::Tunable, text, false);
                }
            }
            _ => match text.split_once(':') {
                Some(("def", _)) => self.part(RefKind::Def, "", text, 4..text.len()),
                Some(("tag", _)) => self.part(RefKind::Tag, "", text, 4..text.len()),
                _ if ty == Some(&FieldType::Target) && !matches!(text, "self" | "sender") => {
                    self.whole(RefKind::Def, text);
                    // Ids and definitions come before tags.
                    self.both(RefKind::Tag, text, false);
                }
                _ => {}
            },
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Call(call) => self.call(call, (RefKind::Condition, RefKind::ConditionArg)),
            // `All([…])` holds one list, `Not(…)` one condition.
            Condition::All(all) | Condition::Any(all) => self.at(0, |it| it.each(all, Self::condition)),
            Condition::Not(inner) => self.at(0, |it| it.condition(inner)),
        }
    }

    fn call(&mut self, call: &Call, (kind, arg): (RefKind, RefKind)) {
        self.whole(kind, &call.name);
        let types = self.types;
        let args = types.args(kind, &call.name);
        // The type of `Any` is here that of what another argument names.
        let named = |of: &FieldType| {
            let mut args = args.into_iter().flatten().filter(|(_, ty)| *ty == of);
            args.find_map(|(name, _)| call.args.get(name)?.as_str())
        };
        let field = || named(&FieldType::Field).and_then(|it| it.split_once('.'));
        for (name, value) in &call.args {
            self.at(name, |it| {
                it.key(arg, &call.name, name);
                match (args.and_then(|args| args.get(name)), value) {
                    (Some(FieldType::Any), Value::Struct(payload)) if named(&FieldType::Message).is_some() => {
                        it.payload(named(&FieldType::Message).unwrap_or_default(), payload);
                    }
                    (Some(FieldType::Any), value) => {
                        it.value(field().and_then(|(component, field)| types.field(component, field)), value);
                    }
                    (ty, value) => it.value(ty, value),
                }
            });
        }
    }

    fn payload(&mut self, message: &str, payload: &Fields) {
        let types = self.types;
        self.fields((RefKind::Payload, message), payload, |name| types.payload(message, name));
    }

    /// The defaults inside a type.
    fn type_of(&mut self, ty: &FieldType) {
        match ty {
            FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => {
                self.at(0, |it| it.type_of(inner));
            }
            FieldType::Struct(specs) => {
                self.at(0, |it| specs.iter().for_each(|(name, spec)| it.at(name, |it| it.inside(spec))));
            }
            _ => {}
        }
    }

    /// What a response reads: constants or fields beside it by their own names, constants elsewhere as `Page.name`.
    fn response(&mut self, response: &Call) {
        let declared = self.declared.clone();
        for (arg, name) in reads(response) {
            self.at(arg, |it| match &declared {
                _ if name.contains('.') => it.both(RefKind::Tunable, name, true),
                Some((FieldType::Component, of)) => it.report(RefKind::Field, (of, name), 0..name.len(), false),
                Some((_, of)) => it.report(RefKind::Tunable, (of, name), 0..name.len(), false),
                None => {}
            });
        }
    }
}

/// The value of another field of a record.
fn beside<'a>(record: &'a dyn RecordView, key: &str) -> Option<&'a dyn Reflect> {
    let mut found = None;
    each_field(record, &mut |it| {
        if it.field.key == key {
            found = Some(it.value);
        }
    });
    found
}

/// How far a name goes in `Component.field[…]`.
fn name_len(text: &str) -> usize {
    text.find(['.', '[']).unwrap_or(text.len())
}

/// One segment of a path, converted from a key or an index.
struct PathSeg(Seg);

impl From<&Name> for PathSeg {
    fn from(key: &Name) -> Self {
        Self(Seg::Key(key.clone()))
    }
}

impl From<&str> for PathSeg {
    fn from(key: &str) -> Self {
        Self(Seg::Key(key.into()))
    }
}

impl From<usize> for PathSeg {
    fn from(index: usize) -> Self {
        Self(Seg::Index(index))
    }
}
