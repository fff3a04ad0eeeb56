//! The one walk over every place of a document where a name of something stands, by structure (`inherits`, a layer's
//! tileset, the keys of components and handlers) and by the schema's types. Listing, counting, checking and renaming all go
//! by it.
//!
//! Invariant: nothing is copied or changed. A use is told with the way to it, by which `slot` finds it again to change it.
//! What declares a name is no use of it.

use std::ops::Range;

use super::{
    names::{RefKind, Spelling, Use, leaves},
    references::Types,
};
use crate::model::{
    Call, Condition, CueKind, Document, Expected, ExpectedState, FieldPath, FieldSpec, FieldType, Fields, LayerContent,
    Level, Name, OpKind, Ops, RemovePath, RemoveStep, Scenario, Schema, Seg, SendCue, State, Trigger, TuneCue, Value,
    reads,
};

/// Call `meet` for every use of a name in a document. `types` says which values hold names.
pub(super) fn uses_in(document: &Document, types: &Types, meet: &mut dyn FnMut(&Use<'_>)) {
    Walk { types, path: FieldPath::root(), meet }.document(document);
}

struct Walk<'w> {
    types: &'w Types,
    path: FieldPath,
    meet: &'w mut dyn FnMut(&Use<'_>),
}

impl Walk<'_> {
    fn at(&mut self, seg: impl Into<Step>, then: impl FnOnce(&mut Self)) {
        self.path.0.push(seg.into().0);
        then(self);
        self.path.0.pop();
    }

    fn each<T>(&mut self, items: impl IntoIterator<Item = T>, mut then: impl FnMut(&mut Self, T)) {
        items.into_iter().enumerate().for_each(|(i, item)| self.at(i, |it| then(it, item)));
    }

    fn tell(&mut self, kind: RefKind, (of, name): (&str, &str), part: Range<usize>, at_key: bool) {
        let path = &self.path;
        (self.meet)(&Use { kind, of, name, part, spelling: Spelling::Plain, is_sure: true, path, at_key });
    }

    /// The key at the end of the way.
    fn key(&mut self, kind: RefKind, of: &str, name: &str) {
        self.tell(kind, (of, name), 0..name.len(), true);
    }

    /// The whole of the text there.
    fn whole(&mut self, kind: RefKind, name: &str) {
        self.tell(kind, ("", name), 0..name.len(), false);
    }

    /// A part of the text there.
    fn part(&mut self, kind: RefKind, of: &str, text: &str, part: Range<usize>) {
        let name = text.get(part.clone()).unwrap_or_default();
        self.tell(kind, (of, name), part, false);
    }

    /// The text there as a name with what it is of before it.
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

    fn document(&mut self, document: &Document) {
        match document {
            Document::Project(file) => self.at("start_level", |it| it.whole(RefKind::Level, &file.start_level)),
            Document::Entities(file) => {
                for (name, def) in &file.defs {
                    self.at(name, |it| {
                        it.at("inherits", |it| it.each(&def.inherits, |it, name| it.whole(RefKind::Def, name)));
                        it.ops(&def.ops);
                    });
                }
            }
            Document::Level(level) => self.level(level),
            Document::Machines(file) => {
                file.machines.iter().for_each(|(name, machine)| self.at(name, |it| it.state(&machine.root)));
            }
            Document::Tileset(tileset) => {
                for (id, tile) in tileset.tiles.iter().filter(|(_, tile)| !tile.tags.is_empty()) {
                    self.at("tiles", |it| it.at(id.to_string().as_str(), |it| it.tags(&tile.tags)));
                }
            }
            Document::Tuning(page) => {
                for (name, tunable) in &page.values {
                    let Some(response) = &tunable.response else { continue };
                    self.at("values", |it| it.at(name, |it| it.response(response, (RefKind::Tunable, &page.page))));
                }
            }
            Document::Scenario(scenario) => self.scenario(scenario),
            Document::Schema(schema) => self.schema(schema),
        }
    }

    fn tags(&mut self, tags: &[String]) {
        self.at("tags", |it| it.each(tags, |it, tag| it.whole(RefKind::Tag, tag)));
    }

    fn level(&mut self, level: &Level) {
        self.at("layers", |it| {
            it.each(&level.layers, |it, layer| match &layer.content {
                LayerContent::Tiles(tiles) => it.at("tileset", |it| it.whole(RefKind::Tileset, &tiles.tileset)),
                LayerContent::Entities(all) => it.at("entities", |it| {
                    for (id, instance) in all {
                        it.at(id, |it| {
                            it.at("def", |it| it.whole(RefKind::Def, &instance.def));
                            it.ops(&instance.ops);
                        });
                    }
                }),
                LayerContent::Waypoints(graph) => {
                    it.at("name", |it| it.whole(RefKind::Layer, &layer.name));
                    it.at("nodes", |it| graph.nodes.iter().for_each(|(id, node)| it.at(id, |it| it.tags(&node.tags))));
                }
            });
        });
    }

    fn ops(&mut self, ops: &Ops) {
        if !ops.remove.is_empty() {
            self.at(OpKind::Remove.key(), |it| it.each(&ops.remove, |it, entry| it.entry(entry)));
        }
        for op in OpKind::VALUED {
            let Some(all) = ops.values(op).filter(|all| !all.is_empty()) else { continue };
            self.at(op.key(), |it| {
                for (component, fields) in all {
                    it.at(component, |it| {
                        it.key(RefKind::Component, "", component);
                        let types = it.types;
                        it.fields((RefKind::Field, component), fields, |name| types.field(component, name));
                    });
                }
            });
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
            // In the entry, and not in the text alone. Of a text with escapes only the whole can be told.
            let start = part.start + it.part.start;
            let is_whole = it.part == (0..text.len());
            if is_whole || text.len() == part.len() {
                let part = if is_whole { part.clone() } else { start..start + it.part.len() };
                meet(&Use { part, spelling, path: &path, ..*it });
            }
        };
        let mut inner = Walk { types: self.types, path: FieldPath::root(), meet: &mut moved };
        match (ty, item) {
            (FieldType::Enum(of) | FieldType::Flags(of), _) => {
                inner.tell(RefKind::Word, (of, text), 0..text.len(), false);
            }
            _ => inner.text(Some(ty), text),
        }
    }

    /// A value; without a type only what says by itself whom it means is a name.
    fn value(&mut self, ty: Option<&FieldType>, value: &Value) {
        let Some(ty) = ty else { return self.untyped(value) };
        let mut path = std::mem::take(&mut self.path);
        let (types, meet) = (self.types, &mut *self.meet);
        leaves(ty, value, &mut path, &mut |ty, value, path| {
            let mut walk = Walk { types, path: path.clone(), meet: &mut *meet };
            match (ty, value) {
                (FieldType::Enum(of), Value::Symbol(word)) => {
                    walk.tell(RefKind::Word, (of, word), 0..word.len(), false);
                }
                (FieldType::Flags(of), Value::List(items) | Value::Tuple(items)) => {
                    walk.each(items, |it, item| {
                        if let Value::Symbol(word) = item {
                            it.tell(RefKind::Word, (of, word), 0..word.len(), false);
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

    fn state(&mut self, state: &State) {
        for (key, calls) in [("enter", &state.enter), ("exit", &state.exit), ("update", &state.update)] {
            self.calls(key, calls);
        }
        for (message, calls) in &state.on {
            self.at("on", |it| {
                it.at(message, |it| it.key(RefKind::Message, "", message));
                it.calls(message, calls);
            });
        }
        if !state.transitions.is_empty() {
            self.at("transitions", |it| {
                it.each(&state.transitions, |it, transition| {
                    match &transition.trigger {
                        Trigger::On(message) => it.at("on", |it| it.whole(RefKind::Message, message)),
                        Trigger::When(condition) => it.at("when", |it| it.condition(condition)),
                        Trigger::After(_) => {}
                    }
                    if let Some(guard) = &transition.guard {
                        it.at("if", |it| it.condition(guard));
                    }
                    it.calls("do", &transition.actions);
                });
            });
        }
        state.states.iter().for_each(|(name, inside)| self.at("states", |it| it.at(name, |it| it.state(inside))));
    }

    fn calls(&mut self, key: &str, calls: &[Call]) {
        if !calls.is_empty() {
            self.at(key, |it| it.each(calls, |it, call| it.call(call, (RefKind::Action, RefKind::ActionArg))));
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
        // What another argument names says what type `Any` is here.
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

    fn scenario(&mut self, scenario: &Scenario) {
        self.at("level", |it| it.whole(RefKind::Level, &scenario.level));
        self.at("script", |it| {
            it.each(&scenario.script, |it, cue| match &cue.what {
                CueKind::Send(SendCue { to, message, payload }) => {
                    it.at("to", |it| it.text(Some(&FieldType::Target), to));
                    it.at("send", |it| it.whole(RefKind::Message, message));
                    it.at("payload", |it| it.payload(message, payload));
                }
                CueKind::Tune(TuneCue { name, .. }) => it.at("tune", |it| it.both(RefKind::Tunable, name, true)),
                CueKind::Press(_) | CueKind::Release(_) => {}
            });
        });
        self.at("expect", |it| {
            it.each(&scenario.expect, |it, expectation| {
                it.at("entity", |it| it.text(Some(&FieldType::Target), &expectation.entity));
                if let Expected::State(ExpectedState { machine: Some(machine), .. }) = &expectation.what {
                    it.at("machine", |it| it.whole(RefKind::Machine, machine));
                }
            });
        });
    }

    /// The defaults of a schema, and what its responses read.
    fn schema(&mut self, schema: &Schema) {
        self.at("components", |it| {
            for (name, spec) in &schema.components {
                it.at(name, |it| {
                    it.specs("fields", &spec.fields);
                    if let Some(response) = &spec.response {
                        it.response(response, (RefKind::Field, name));
                    }
                });
            }
        });
        self.at("messages", |it| {
            schema.messages.iter().for_each(|(name, spec)| it.at(name, |it| it.specs("payload", &spec.payload)));
        });
        for (key, calls) in [("conditions", &schema.conditions), ("actions", &schema.actions)] {
            self.at(key, |it| calls.iter().for_each(|(name, spec)| it.at(name, |it| it.specs("args", &spec.args))));
        }
    }

    fn specs(&mut self, key: &str, specs: &indexmap::IndexMap<Name, FieldSpec>) {
        self.at(key, |it| specs.iter().for_each(|(name, spec)| it.at(name, |it| it.spec(spec))));
    }

    fn spec(&mut self, spec: &FieldSpec) {
        if let Some(default) = &spec.default {
            self.at("default", |it| it.value(Some(&spec.ty), default));
        }
        self.at("type", |it| it.type_of(&spec.ty));
    }

    /// The defaults inside a type.
    fn type_of(&mut self, ty: &FieldType) {
        match ty {
            FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => {
                self.at(0, |it| it.type_of(inner));
            }
            FieldType::Struct(specs) => {
                self.at(0, |it| specs.iter().for_each(|(name, spec)| it.at(name, |it| it.spec(spec))));
            }
            _ => {}
        }
    }

    /// What a response reads: constants or fields beside it by their own names, constants elsewhere as `Page.name`.
    fn response(&mut self, response: &Call, (kind, of): (RefKind, &str)) {
        self.at("response", |it| {
            for (arg, said) in reads(response) {
                it.at(arg, |it| {
                    if said.contains('.') {
                        it.both(RefKind::Tunable, said, true);
                    } else {
                        it.tell(kind, (of, said), 0..said.len(), false);
                    }
                });
            }
        });
    }
}

/// How far a name goes in `Component.field[…]`.
fn name_len(text: &str) -> usize {
    text.find(['.', '[']).unwrap_or(text.len())
}

/// One step of a way, from what it is written as.
struct Step(Seg);

impl From<&Name> for Step {
    fn from(key: &Name) -> Self {
        Self(Seg::Key(key.clone()))
    }
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self(Seg::Key(key.into()))
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self(Seg::Index(index))
    }
}
