//! Where names are used, and writing them anew after a rename: by structure (`inherits`, an entity's definition, a layer's
//! tileset) and by the schema's types, which an edit carries with it as [`TypedRefs`].
//!
//! Invariant: what does not use the name keeps its `Arc`.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::model::{
    Call, Condition, CueKind, Document, Expected, FieldSpec, FieldType, Fields, LayerContent, Name, OpKind, Ops,
    Project, Schema, State, Trigger, Value,
};

/// A kind of name that values refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RefKind {
    /// An entity definition.
    Def,
    /// A machine.
    Machine,
    /// A tileset; tiles are written with its name.
    Tileset,
    /// A tile, as `tileset/name`.
    Tile,
    /// A level.
    Level,
    /// A constant, as `Page.name`.
    Tunable,
}

/// Which fields, arguments and payloads hold names of a kind: what of the schema a rename needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypedRefs {
    /// The kind of name.
    pub kind: RefKind,
    /// Component, field, its type.
    pub fields: Vec<(Name, Name, FieldType)>,
    /// Action or condition, argument, its type.
    pub args: Vec<(Name, Name, FieldType)>,
    /// Message, payload field, its type.
    pub payloads: Vec<(Name, Name, FieldType)>,
}

impl TypedRefs {
    /// What `schema` (the built-in one with the project's merged in) says about names of a kind.
    #[must_use]
    pub fn of(schema: &Schema, kind: RefKind) -> Self {
        let pick = |owner: &Name, specs: &IndexMap<Name, FieldSpec>| -> Vec<(Name, Name, FieldType)> {
            let typed = specs.iter().filter(|(_, spec)| holds(&spec.ty, kind));
            typed.map(|(field, spec)| (owner.clone(), field.clone(), spec.ty.clone())).collect()
        };
        let calls = schema.actions.iter().chain(&schema.conditions);
        Self {
            kind,
            fields: schema.components.iter().flat_map(|(name, spec)| pick(name, &spec.fields)).collect(),
            args: calls.flat_map(|(name, spec)| pick(name, &spec.args)).collect(),
            payloads: schema.messages.iter().flat_map(|(name, spec)| pick(name, &spec.payload)).collect(),
        }
    }

    /// No typed uses: only those by structure are followed.
    #[must_use]
    pub fn none(kind: RefKind) -> Self {
        Self { kind, fields: Vec::new(), args: Vec::new(), payloads: Vec::new() }
    }
}

/// Whether values of a type can hold a name of a kind.
fn holds(ty: &FieldType, kind: RefKind) -> bool {
    match ty {
        FieldType::Def => kind == RefKind::Def,
        FieldType::Machine => kind == RefKind::Machine,
        FieldType::Tileset => kind == RefKind::Tileset,
        FieldType::Tile => matches!(kind, RefKind::Tile | RefKind::Tileset),
        FieldType::Level => kind == RefKind::Level,
        FieldType::Tunable => kind == RefKind::Tunable,
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => holds(inner, kind),
        FieldType::Struct(fields) => fields.values().any(|spec| holds(&spec.ty, kind)),
        _ => false,
    }
}

/// The words under which components and calls say who is meant: an id, a definition, `def:…` or a tag.
const TARGET_WORDS: [&str; 4] = ["target", "to", "toward", "enemy"];

/// One rename, walking the project. Every method says whether it changed anything.
struct Rename<'a> {
    typed: &'a TypedRefs,
    from: &'a str,
    to: &'a str,
}

impl Rename<'_> {
    /// What `text` becomes where a value of type `ty` holds it.
    fn renamed(&self, ty: &FieldType, text: &str) -> Option<String> {
        if self.typed.kind == RefKind::Tileset && *ty == FieldType::Tile {
            let (tileset, tile) = text.split_once('/')?;
            return (tileset == self.from).then(|| format!("{}/{tile}", self.to));
        }
        (holds(ty, self.typed.kind) && text == self.from).then(|| self.to.to_owned())
    }

    fn typed_value(&self, ty: &FieldType, value: &mut Value) -> bool {
        match (ty, value) {
            (FieldType::List(item), Value::List(items) | Value::Tuple(items)) => {
                any(items.iter_mut(), |it| self.typed_value(item, it))
            }
            (FieldType::Map(item), Value::Map(entries)) => {
                any(entries.iter_mut(), |(_, it)| self.typed_value(item, it))
            }
            (FieldType::Map(item), Value::Struct(fields)) => any(fields.values_mut(), |it| self.typed_value(item, it)),
            (FieldType::Struct(specs), Value::Struct(fields)) => {
                any(fields.iter_mut(), |(name, it)| specs.get(name).is_some_and(|spec| self.typed_value(&spec.ty, it)))
            }
            (FieldType::Option(inner), Value::Tagged(tag, content)) if &**tag == "Some" => match &mut **content {
                Value::Tuple(items) => any(items.iter_mut(), |it| self.typed_value(inner, it)),
                other => self.typed_value(inner, other),
            },
            (FieldType::Option(inner), value) => self.typed_value(inner, value),
            (ty, Value::Str(text)) => self.renamed(ty, text).map(|new| *text = new).is_some(),
            _ => false,
        }
    }

    /// A target written out: `def:goblin`, or the bare name where a target is expected.
    fn target(&self, word: &str, value: &mut Value) -> bool {
        match value {
            Value::Str(text) => self.target_text(word, text),
            Value::List(items) | Value::Tuple(items) => any(items.iter_mut(), |it| self.target(word, it)),
            Value::Struct(fields) => any(fields.iter_mut(), |(name, it)| self.target(name, it)),
            Value::Map(entries) => any(entries.iter_mut(), |(_, it)| self.target(word, it)),
            Value::Tagged(_, content) => self.target(word, content),
            _ => false,
        }
    }

    fn target_text(&self, word: &str, text: &mut String) -> bool {
        if self.typed.kind != RefKind::Def {
            return false;
        }
        if text.strip_prefix("def:") == Some(self.from) {
            *text = format!("def:{}", self.to);
            true
        } else if TARGET_WORDS.contains(&word) && text == self.from {
            self.to.clone_into(text);
            true
        } else {
            false
        }
    }

    /// Named values of a component, call or message, with the types known for them.
    fn fields(&self, typed: &[(Name, Name, FieldType)], owner: &str, fields: &mut Fields) -> bool {
        any(fields.iter_mut(), |(name, value)| {
            let ty = typed.iter().find(|(o, n, _)| **o == *owner && n == name).map(|(.., ty)| ty);
            ty.is_some_and(|ty| self.typed_value(ty, value)) | self.target(name, value)
        })
    }

    fn ops(&self, ops: &mut Ops) -> bool {
        let mut changed = false;
        for (component, field, _) in &self.typed.fields {
            let (old, new) =
                (format!("{component}.{field}[\"{}\"]", self.from), format!("{component}.{field}[\"{}\"]", self.to));
            changed |= any(ops.remove.iter_mut(), |entry| {
                let is_it = *entry == old;
                if is_it {
                    entry.clone_from(&new);
                }
                is_it
            });
        }
        for op in OpKind::VALUED {
            if let Some(all) = ops.values_mut(op) {
                changed |= any(all.iter_mut(), |(name, fields)| self.fields(&self.typed.fields, name, fields));
            }
        }
        changed
    }

    fn call(&self, call: &mut Call) -> bool {
        let mut changed = self.fields(&self.typed.args, &call.name, &mut call.args);
        // The payload's type is the message's.
        if let Some(Value::Str(message)) = call.args.get("message").cloned()
            && let Some(Value::Struct(payload)) = call.args.get_mut("payload")
        {
            changed |= self.fields(&self.typed.payloads, &message, payload);
        }
        changed
    }

    fn state(&self, state: &mut State) -> bool {
        let mut changed = false;
        visit_calls(state, &mut |call| changed |= self.call(call));
        changed
    }

    /// A name held by structure.
    fn name(&self, name: &mut Name) -> bool {
        let is_it = **name == *self.from;
        if is_it {
            *name = self.to.into();
        }
        is_it
    }

    fn project(&self, project: &mut Project) {
        for doc in project.documents.values_mut() {
            if let Some(new) = self.document(doc) {
                *doc = Arc::new(new);
            }
        }
    }

    /// The document with the name changed, if it uses it.
    fn document(&self, doc: &Document) -> Option<Document> {
        let mut changed = false;
        let kind = self.typed.kind;
        let new = match doc {
            Document::Project(file) => {
                let mut file = file.clone();
                changed |= kind == RefKind::Level && self.name(&mut file.start_level);
                Document::Project(file)
            }
            Document::Level(level) => {
                let mut level = level.clone();
                for layer in &mut level.layers {
                    changed |= self.layer(layer);
                }
                Document::Level(level)
            }
            Document::Entities(file) => {
                let mut file = file.clone();
                for def in file.defs.values_mut() {
                    let mut new = (**def).clone();
                    let is_parent = kind == RefKind::Def && any(new.inherits.iter_mut(), |parent| self.name(parent));
                    if self.ops(&mut new.ops) | is_parent {
                        *def = Arc::new(new);
                        changed = true;
                    }
                }
                Document::Entities(file)
            }
            Document::Machines(file) => {
                let mut file = file.clone();
                for machine in file.machines.values_mut() {
                    let mut new = (**machine).clone();
                    if self.state(&mut new.root) {
                        *machine = Arc::new(new);
                        changed = true;
                    }
                }
                Document::Machines(file)
            }
            Document::Scenario(scenario) => {
                let mut scenario = scenario.clone();
                changed |= kind == RefKind::Level && self.name(&mut scenario.level);
                for cue in &mut scenario.script {
                    changed |= match &mut cue.what {
                        CueKind::Send { to, message, payload } => {
                            self.target_text("to", to) | self.fields(&self.typed.payloads, message, payload)
                        }
                        CueKind::Tune { name, .. } if kind == RefKind::Tunable && name == self.from => {
                            self.to.clone_into(name);
                            true
                        }
                        _ => false,
                    };
                }
                for expectation in &mut scenario.expect {
                    if let (RefKind::Machine, Expected::State { machine: Some(machine), .. }) =
                        (kind, &mut expectation.what)
                    {
                        changed |= self.name(machine);
                    }
                }
                Document::Scenario(scenario)
            }
            Document::Schema(schema) => {
                let mut schema = schema.clone();
                let components = schema.components.values_mut().flat_map(|spec| spec.fields.values_mut());
                let messages = schema.messages.values_mut().flat_map(|spec| spec.payload.values_mut());
                let calls = schema.actions.values_mut().chain(schema.conditions.values_mut());
                let specs = components.chain(messages).chain(calls.flat_map(|spec| spec.args.values_mut()));
                changed |= any(specs, |spec| {
                    let FieldSpec { ty, default, .. } = spec;
                    default.as_mut().is_some_and(|default| self.typed_value(ty, default))
                });
                Document::Schema(schema)
            }
            Document::Tileset(_) | Document::Tuning(_) => return None,
        };
        changed.then_some(new)
    }

    fn layer(&self, layer: &mut Arc<crate::model::Layer>) -> bool {
        let kind = self.typed.kind;
        match &layer.content {
            LayerContent::Tiles(tiles) if kind == RefKind::Tileset && *tiles.tileset == *self.from => {
                if let LayerContent::Tiles(tiles) = &mut Arc::make_mut(layer).content {
                    tiles.tileset = self.to.into();
                }
                true
            }
            LayerContent::Entities(all) => {
                let mut new = all.clone();
                let changed = any(new.values_mut(), |instance| {
                    let mut copy = (**instance).clone();
                    let is_it = (kind == RefKind::Def && self.name(&mut copy.def)) | self.ops(&mut copy.ops);
                    if is_it {
                        *instance = Arc::new(copy);
                    }
                    is_it
                });
                if changed {
                    Arc::make_mut(layer).content = LayerContent::Entities(new);
                }
                changed
            }
            _ => false,
        }
    }
}

/// Whether `change` changed any of `items`; all are visited.
fn any<T>(items: impl Iterator<Item = T>, mut change: impl FnMut(T) -> bool) -> bool {
    items.fold(false, |changed, item| change(item) | changed)
}

/// Write a name anew wherever it is used.
///
/// `from` and `to` are written as the kind is: `tileset/name` for a tile, `Page.name` for a constant.
pub(super) fn rename(project: &mut Project, from: &str, to: &str, typed: &TypedRefs) {
    Rename { typed, from, to }.project(project);
}

/// Visit every action and condition of a state and of those inside it.
pub(super) fn visit_calls(state: &mut State, visit: &mut dyn FnMut(&mut Call)) {
    fn condition(it: &mut Condition, visit: &mut dyn FnMut(&mut Call)) {
        match it {
            Condition::Call(call) => visit(call),
            Condition::All(all) | Condition::Any(all) => all.iter_mut().for_each(|it| condition(it, visit)),
            Condition::Not(inner) => condition(inner, visit),
        }
    }
    for calls in [&mut state.enter, &mut state.exit, &mut state.update] {
        calls.iter_mut().for_each(&mut *visit);
    }
    state.on.values_mut().flatten().for_each(&mut *visit);
    for transition in &mut state.transitions {
        if let Trigger::When(it) = &mut transition.trigger {
            condition(it, visit);
        }
        if let Some(guard) = &mut transition.guard {
            condition(guard, visit);
        }
        transition.actions.iter_mut().for_each(&mut *visit);
    }
    state.states.values_mut().for_each(|child| visit_calls(child, visit));
}

/// Visit every `state` argument in a state and those inside it, with the `machine` argument beside it (empty where there
/// is none); what `visit` returns is written instead. Returns whether anything was.
pub(super) fn visit_state_args(state: &mut State, visit: &mut dyn FnMut(&str, &str) -> Option<Name>) -> bool {
    let mut changed = false;
    visit_calls(state, &mut |call| {
        let machine = call.args.get("machine").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(Value::Str(address)) = call.args.get_mut("state")
            && let Some(new) = visit(&machine, address)
        {
            new.as_ref().clone_into(address);
            changed = true;
        }
    });
    changed
}

/// Visit the target of every transition of a state and of those inside it, and every `initial` that is not a child's name;
/// what `visit` returns is written instead.
pub(super) fn visit_targets(state: &mut State, visit: &mut dyn FnMut(&str) -> Option<Name>) {
    for transition in &mut state.transitions {
        if let Some(to) = visit(&transition.to) {
            transition.to = to;
        }
    }
    if let Some(initial) = state.initial.clone()
        && !state.states.contains_key(&initial)
        && let Some(to) = visit(&initial)
    {
        state.initial = Some(to);
    }
    state.states.values_mut().for_each(|child| visit_targets(child, visit));
}

/// Let other machines and scenarios follow when states of `machine` are addressed otherwise: `after` gives an address
/// anew, or nothing where it stays.
pub(super) fn states_moved(project: &mut Project, machine: &Name, after: impl Fn(&str) -> Option<Name>) {
    let is_elsewhere = |address: &str| {
        project.documents.values().any(|doc| match &**doc {
            Document::Machines(file) => {
                file.machines.iter().any(|(name, it)| name != machine && it.find(address).is_ok())
            }
            _ => false,
        })
    };
    let mut new_docs = Vec::new();
    for (path, doc) in &project.documents {
        let mut changed = false;
        let new = match &**doc {
            Document::Machines(file) => {
                let mut file = file.clone();
                for (_, it) in file.machines.iter_mut().filter(|(name, _)| *name != machine) {
                    let mut copy = (**it).clone();
                    if visit_state_args(&mut copy.root, &mut |of, at| if *of == **machine { after(at) } else { None }) {
                        *it = Arc::new(copy);
                        changed = true;
                    }
                }
                Document::Machines(file)
            }
            Document::Scenario(scenario) => {
                let mut scenario = scenario.clone();
                for expectation in &mut scenario.expect {
                    if let Expected::State { state, machine: of } = &mut expectation.what
                        && of.as_ref().map_or_else(|| !is_elsewhere(state), |of| of == machine)
                        && let Some(new) = after(state)
                    {
                        new.as_ref().clone_into(state);
                        changed = true;
                    }
                }
                Document::Scenario(scenario)
            }
            _ => continue,
        };
        if changed {
            new_docs.push((path.clone(), Arc::new(new)));
        }
    }
    project.documents.extend(new_docs);
}
