//! Where names are used, and writing them anew after a rename: by structure (`inherits`, an entity's definition, a layer's
//! tileset) and by the schema's types, which an edit carries with it as [`TypedRefs`].
//!
//! Invariant: what does not use the name keeps its `Arc`.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::model::{
    Call, Condition, CueKind, Document, Expected, FieldSpec, FieldType, Fields, LayerContent, Name, OpKind, Ops,
    Project, RemovePath, RemoveStep, Schema, State, Trigger, Value,
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
    /// A word of an enum, as `Enum.Word`.
    Word,
    /// A tag of entities, tiles and waypoints.
    Tag,
    /// A layer of waypoints.
    Layer,
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
            let typed = specs.iter().filter(|(name, spec)| holds(name, &spec.ty, kind));
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

/// Whether values of a type, under a name, can hold a name of a kind.
fn holds(name: &str, ty: &FieldType, kind: RefKind) -> bool {
    match ty {
        FieldType::Def => kind == RefKind::Def,
        FieldType::Machine => kind == RefKind::Machine,
        FieldType::Tileset => kind == RefKind::Tileset,
        FieldType::Tile => matches!(kind, RefKind::Tile | RefKind::Tileset),
        FieldType::Level => kind == RefKind::Level,
        FieldType::Tunable => kind == RefKind::Tunable,
        FieldType::Enum(_) | FieldType::Flags(_) => kind == RefKind::Word,
        FieldType::Str => match kind {
            RefKind::Tag => TAG_WORDS.contains(&name) || ROUTE_WORDS.contains(&name),
            RefKind::Layer => ROUTE_WORDS.contains(&name),
            _ => false,
        },
        FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => holds(name, inner, kind),
        FieldType::Struct(fields) => fields.iter().any(|(name, spec)| holds(name, &spec.ty, kind)),
        _ => false,
    }
}

/// The names under which strings are tags.
const TAG_WORDS: [&str; 2] = ["tag", "tags"];

/// The names under which strings are waypoint layers, as `layer` or `layer/tag`.
const ROUTE_WORDS: [&str; 2] = ["layer", "route"];

/// The words under which components and calls say who is meant: an id, a definition, `def:…` or a tag.
const TARGET_WORDS: [&str; 4] = ["target", "to", "toward", "enemy"];

/// One rename, walking the project. Every method says whether it changed anything.
struct Rename<'a> {
    typed: &'a TypedRefs,
    from: &'a str,
    to: &'a str,
    /// Whether a target that is only the name means it: ids and definitions come before tags.
    is_bare_target: bool,
}

impl Rename<'_> {
    /// What `text` becomes where a value of type `ty` holds it under `name`.
    fn renamed(&self, name: &str, ty: &FieldType, text: &str) -> Option<String> {
        if !holds(name, ty, self.typed.kind) {
            return None;
        }
        match self.typed.kind {
            RefKind::Tileset if *ty == FieldType::Tile => {
                let (tileset, tile) = text.split_once('/')?;
                (tileset == self.from).then(|| format!("{}/{tile}", self.to))
            }
            RefKind::Layer if text != self.from => {
                let (layer, tag) = text.split_once('/')?;
                (layer == self.from).then(|| format!("{}/{tag}", self.to))
            }
            RefKind::Tag if ROUTE_WORDS.contains(&name) => {
                let (layer, tag) = text.split_once('/')?;
                (tag == self.from).then(|| format!("{layer}/{}", self.to))
            }
            _ => (text == self.from).then(|| self.to.to_owned()),
        }
    }

    /// What a bare word of the enum `of` becomes.
    fn word(&self, of: &str, word: &str) -> Option<Name> {
        if self.typed.kind != RefKind::Word || self.from.split_once('.') != Some((of, word)) {
            return None;
        }
        self.to.split_once('.').map(|(_, new)| new.into())
    }

    fn typed_value(&self, name: &str, ty: &FieldType, value: &mut Value) -> bool {
        match (ty, value) {
            (FieldType::Enum(of), Value::Symbol(word)) => self.word(of, word).map(|new| *word = new).is_some(),
            (FieldType::Flags(of), Value::List(items) | Value::Tuple(items)) => any(items.iter_mut(), |it| match it {
                Value::Symbol(word) => self.word(of, word).map(|new| *word = new).is_some(),
                _ => false,
            }),
            (FieldType::List(item), Value::List(items) | Value::Tuple(items)) => {
                any(items.iter_mut(), |it| self.typed_value(name, item, it))
            }
            (FieldType::Map(item), Value::Map(entries)) => {
                any(entries.iter_mut(), |(_, it)| self.typed_value(name, item, it))
            }
            (FieldType::Map(item), Value::Struct(fields)) => {
                any(fields.values_mut(), |it| self.typed_value(name, item, it))
            }
            (FieldType::Struct(specs), Value::Struct(fields)) => any(fields.iter_mut(), |(name, it)| {
                specs.get(name).is_some_and(|spec| self.typed_value(name, &spec.ty, it))
            }),
            (FieldType::Option(inner), Value::Tagged(tag, content)) if &**tag == "Some" => match &mut **content {
                Value::Tuple(items) => any(items.iter_mut(), |it| self.typed_value(name, inner, it)),
                other => self.typed_value(name, inner, other),
            },
            (FieldType::Option(inner), value) => self.typed_value(name, inner, value),
            (ty, Value::Str(text)) => self.renamed(name, ty, text).map(|new| *text = new).is_some(),
            _ => false,
        }
    }

    /// The defaults that a declaration gives, and those inside its type.
    fn spec(&self, name: &str, spec: &mut FieldSpec) -> bool {
        let FieldSpec { ty, default, .. } = spec;
        let changed = default.as_mut().is_some_and(|default| self.typed_value(name, ty, default));
        changed | self.inner_specs(ty)
    }

    fn inner_specs(&self, ty: &mut FieldType) -> bool {
        match ty {
            FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => self.inner_specs(inner),
            FieldType::Struct(specs) => any(specs.iter_mut(), |(name, spec)| self.spec(name, spec)),
            _ => false,
        }
    }

    /// An entry of `remove` that names an element of one of the fields: by the type that the way through it has.
    fn remove_entry(&self, entry: &mut String) -> bool {
        let Ok(mut path) = RemovePath::parse(entry) else { return false };
        let Some((RemoveStep::Field(field), steps)) = path.steps.split_first_mut() else { return false };
        let is_it = |(owner, name, _): &&(Name, Name, FieldType)| *owner == path.component && name == field;
        let Some((_, _, ty)) = self.typed.fields.iter().find(is_it) else { return false };
        let (mut name, mut ty) = (field.clone(), ty);
        let mut changed = false;
        for step in steps {
            while let FieldType::Option(inner) = ty {
                ty = inner;
            }
            ty = match (step, ty) {
                (RemoveStep::Field(field), FieldType::Struct(specs)) => {
                    let Some(spec) = specs.get(field) else { break };
                    name = field.clone();
                    &spec.ty
                }
                (_, FieldType::Map(inner)) => inner,
                (RemoveStep::Item(item), FieldType::List(inner)) => {
                    changed |= self.element(&name, inner, item);
                    inner
                }
                (RemoveStep::Item(Value::Symbol(word)), FieldType::Flags(of)) => {
                    changed |= self.word(of, word).map(|new| *word = new).is_some();
                    break;
                }
                _ => break,
            };
        }
        if changed {
            *entry = path.to_string();
        }
        changed
    }

    /// An element of a list, as it stands in brackets: names may stand there without quotes.
    fn element(&self, name: &str, ty: &FieldType, item: &mut Value) -> bool {
        let bare = if let Value::Symbol(word) = &*item { self.renamed(name, ty, word) } else { None };
        match bare.filter(|_| !matches!(ty, FieldType::Enum(_))) {
            Some(new) => {
                *item = Value::Str(new);
                true
            }
            None => self.typed_value(name, ty, item),
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
        let prefix = match self.typed.kind {
            RefKind::Def => "def:",
            RefKind::Tag => "tag:",
            _ => return false,
        };
        if text.strip_prefix(prefix) == Some(self.from) {
            *text = format!("{prefix}{}", self.to);
            true
        } else if self.is_bare_target && TARGET_WORDS.contains(&word) && text == self.from {
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
            ty.is_some_and(|ty| self.typed_value(name, ty, value)) | self.target(name, value)
        })
    }

    fn ops(&self, ops: &mut Ops) -> bool {
        let mut changed = any(ops.remove.iter_mut(), |entry| self.remove_entry(entry));
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
        // A value's type is that of the field it is given to.
        if let Some((component, field)) =
            call.args.get("field").and_then(Value::as_str).and_then(|it| it.split_once('.'))
            && let Some((_, name, ty)) = self.typed.fields.iter().find(|(c, f, _)| **c == *component && **f == *field)
        {
            let name = name.clone();
            changed |= call.args.get_mut("value").is_some_and(|value| self.typed_value(&name, ty, value));
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
                let components = schema.components.values_mut().flat_map(|spec| spec.fields.iter_mut());
                let messages = schema.messages.values_mut().flat_map(|spec| spec.payload.iter_mut());
                let calls = schema.actions.values_mut().chain(schema.conditions.values_mut());
                let specs = components.chain(messages).chain(calls.flat_map(|spec| spec.args.iter_mut()));
                changed |= any(specs, |(name, spec)| {
                    let is_target = spec.default.as_mut().is_some_and(|default| self.target(name, default));
                    self.spec(name, spec) | is_target
                });
                Document::Schema(schema)
            }
            Document::Tileset(tileset) if kind == RefKind::Tag => {
                let mut tileset = tileset.clone();
                changed |= any(tileset.tiles.values_mut(), |tile| self.tags(&mut tile.tags));
                Document::Tileset(tileset)
            }
            Document::Tileset(_) | Document::Tuning(_) => return None,
        };
        changed.then_some(new)
    }

    fn tags(&self, tags: &mut [String]) -> bool {
        any(tags.iter_mut(), |tag| {
            let is_it = tag == self.from;
            if is_it {
                self.to.clone_into(tag);
            }
            is_it
        })
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
            LayerContent::Waypoints(graph) if kind == RefKind::Tag => {
                let mut new = graph.clone();
                let changed = any(new.nodes.values_mut(), |node| self.tags(&mut node.tags));
                if changed {
                    Arc::make_mut(layer).content = LayerContent::Waypoints(new);
                }
                changed
            }
            LayerContent::Waypoints(_) if kind == RefKind::Layer && *layer.name == *self.from => {
                Arc::make_mut(layer).name = self.to.into();
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
    Rename { typed, from, to, is_bare_target: is_bare_target(project, from, typed.kind) }.project(project);
}

/// The project with every use of a name written anew, but not what has the name: what comparing the two finds are its uses.
/// Names are written as in [`TypedRefs`]'s kind.
#[must_use]
pub fn uses_renamed(project: &Project, from: &str, to: &str, typed: &TypedRefs) -> Project {
    let mut after = project.clone();
    rename(&mut after, from, to, typed);
    after
}

/// Whether anything uses a name.
#[must_use]
pub fn is_used(project: &Project, name: &str, typed: &TypedRefs) -> bool {
    // A word no file can have stands for the new name: only whether something would change counts.
    let to = format!("{name}\n");
    let rename = Rename { typed, from: name, to: &to, is_bare_target: is_bare_target(project, name, typed.kind) };
    project.documents.values().any(|doc| rename.document(doc).is_some())
}

/// Whether a target that is only the name means it.
fn is_bare_target(project: &Project, name: &str, kind: RefKind) -> bool {
    kind != RefKind::Tag
        || !project.documents.values().any(|doc| match &**doc {
            Document::Entities(file) => file.defs.contains_key(name),
            Document::Level(level) => level.has_id(name),
            _ => false,
        })
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
