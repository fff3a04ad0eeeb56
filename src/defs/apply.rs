//! Who says what: one speaker's five operations on one component. Components do not affect each other, so this is all
//! there is to applying a definition or a placed entity; which speakers, in which order, is `resolve`'s and `instance`'s.
//!
//! Decided here, where the contract is silent:
//! - Naming a component in any operation but `remove` gives the entity the component, with its defaults.
//! - Removing a field puts it back to the schema's default; a field no schema declares goes altogether. A field that
//!   nobody has said, or that is back at its default, is not there to be removed.
//! - An operation of an ancestor that finds nothing to work on, because of another parent's, is passed over: the ancestor
//!   itself was checked where it stands.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use indexmap::IndexMap;

use crate::model::{
    ComponentSpec, DocPath, FieldPath, FieldSpec, FieldType, Finding, Location, MisfitKind, Name, OpKind, Ops, Schema,
    Seg, Value, advice, did_you_mean, mean,
};

use super::{
    ComponentHistory, History, RemovePath, ResolvedComponent, ResolvedField, Said, Source, Step,
    resolve::Site,
    values::{self, Arithmetic, Refusal},
};

/// The schema, and every declared component as it is when nobody says more than its name.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub schema: Arc<Schema>,
    prototypes: HashMap<Name, ResolvedComponent>,
}

impl Vocabulary {
    /// `origin` says where a component's field is declared; `None` when it is built in.
    pub(super) fn new(schema: Arc<Schema>, origin: impl Fn(&Name, &Name) -> Option<Location>) -> Self {
        let prototype = |(component, spec): (&Name, &ComponentSpec)| {
            let fields = spec.fields.iter().map(|(name, field)| {
                let value = values::default_of(&schema, field);
                let said = Said {
                    by: Source::Default,
                    op: OpKind::Set,
                    operand: value.clone(),
                    after: value.clone(),
                    location: origin(component, name),
                };
                (name.clone(), Arc::new(ResolvedField { value, provenance: vec![Arc::new(said)] }))
            });
            (component.clone(), ResolvedComponent { fields: fields.collect(), said_by: None })
        };
        let prototypes = schema.components.iter().map(prototype).collect();
        Self { schema, prototypes }
    }

    fn default_field(&self, component: &str, field: &str) -> Option<&Arc<ResolvedField>> {
        self.prototypes.get(component)?.fields.get(field)
    }
}

/// Whose operations are applied.
pub(super) struct Speaker<'a> {
    pub by: Source,
    /// Where the operations are written.
    pub doc: &'a DocPath,
    /// The way to them.
    pub base: FieldPath,
    /// An ancestor is missing or broken: what is not there may be its fault, so it is not found fault with.
    pub incomplete: bool,
}

static OP_NAMES: LazyLock<[Name; 5]> = LazyLock::new(|| {
    [OpKind::Remove, OpKind::Set, OpKind::Scale, OpKind::Add, OpKind::Append].map(|op| op.key().into())
});

fn op_name(op: OpKind) -> &'static Name {
    let at = match op {
        OpKind::Remove => 0,
        OpKind::Set => 1,
        OpKind::Scale => 2,
        OpKind::Add => 3,
        OpKind::Append => 4,
    };
    &OP_NAMES[at]
}

impl<'a> Speaker<'a> {
    /// A definition, by its own say.
    pub(super) fn of_def(name: &Name, site: &'a Site, incomplete: bool) -> Self {
        let base = FieldPath(vec![Seg::Key(name.clone())]);
        Self { by: Source::Def(name.clone()), doc: site.doc(), base, incomplete }
    }

    /// A placed entity.
    pub(super) fn of_instance(doc: &'a DocPath, layer_idx: usize, id: &Name, incomplete: bool) -> Self {
        let base = FieldPath::keys(["layers"]).index(layer_idx).key("entities").key(id);
        Self { by: Source::Instance(id.clone()), doc, base, incomplete }
    }

    fn path(&self, op: OpKind, more: impl IntoIterator<Item = Seg>) -> FieldPath {
        let mut segs = Vec::with_capacity(self.base.0.len() + 4);
        segs.extend_from_slice(&self.base.0);
        segs.push(Seg::Key(op_name(op).clone()));
        segs.extend(more);
        FieldPath(segs)
    }

    fn field(&self, op: OpKind, component: &Name, field: &Name) -> FieldPath {
        self.path(op, [Seg::Key(component.clone()), Seg::Key(field.clone())])
    }

    fn at(&self, path: FieldPath) -> Location {
        Location::new(self.doc.clone(), path)
    }

    fn at_key(&self, path: FieldPath) -> Location {
        Location::key(self.doc.clone(), path)
    }
}

/// The components a speaker's operations name, first named first. Entries of `remove` that cannot be read name none.
pub(super) fn touched(ops: &Ops) -> Vec<Name> {
    let mut out: Vec<Name> = Vec::new();
    let removed = ops.remove.iter().filter_map(|entry| Some(RemovePath::parse(entry).ok()?.component));
    let said = OpKind::VALUED.iter().filter_map(|op| ops.values(*op)).flat_map(|values| values.keys().cloned());
    for name in removed.chain(said) {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// Entries of `remove` that cannot be read.
fn unreadable(speaker: &Speaker<'_>, ops: &Ops, findings: &mut Vec<Finding>) {
    for (i, entry) in ops.remove.iter().enumerate() {
        if let Err(why) = RemovePath::parse(entry) {
            let at = speaker.at(speaker.path(OpKind::Remove, [Seg::Index(i)]));
            findings.push(Finding::error("bad-remove", at, format!("`{entry}` cannot be removed: {why}")));
        }
    }
}

/// Apply all that a speaker says to the components of an entity. `findings` is given when the speaker is the one being
/// resolved, not an ancestor; `history` when somebody asks how it all came about.
pub(super) fn all(
    vocabulary: &Vocabulary,
    speaker: &Speaker<'_>,
    ops: &Ops,
    components: &mut IndexMap<Name, Arc<ResolvedComponent>>,
    mut findings: Option<&mut Vec<Finding>>,
    mut history: Option<&mut History>,
) {
    if let Some(findings) = &mut findings {
        unreadable(speaker, ops, findings);
    }
    for name in touched(ops) {
        let history = history.as_mut().map(|history| history.components.entry(name.clone()).or_default());
        let audience = Audience { findings: findings.as_deref_mut(), history };
        let after = component(vocabulary, speaker, ops, &name, components.get(&name), audience);
        put(components, name, after);
    }
}

/// Have a component as it is now, or no more.
pub(super) fn put(
    components: &mut IndexMap<Name, Arc<ResolvedComponent>>,
    name: Name,
    now: Option<Arc<ResolvedComponent>>,
) {
    match now {
        Some(now) => drop(components.insert(name, now)),
        None => drop(components.shift_remove(&name)),
    }
}

/// Whom applying tells what beside the result.
#[derive(Default)]
pub(super) struct Audience<'a> {
    /// What is wrong; given when the speaker is the one being resolved, not an ancestor.
    pub findings: Option<&'a mut Vec<Finding>>,
    /// What is done, step by step.
    pub history: Option<&'a mut ComponentHistory>,
}

/// Apply a speaker's operations to one component, as it was `before` (`None`: the entity does not have it).
pub(super) fn component(
    vocabulary: &Vocabulary,
    speaker: &Speaker<'_>,
    ops: &Ops,
    name: &Name,
    before: Option<&Arc<ResolvedComponent>>,
    audience: Audience<'_>,
) -> Option<Arc<ResolvedComponent>> {
    let Audience { findings, history } = audience;
    let declared = vocabulary.schema.components.get(name);
    let mut work = Work { vocabulary, declared, speaker, name, now: before.cloned(), findings, history };
    for (i, entry) in ops.remove.iter().enumerate() {
        // Most entries are about another component; reading those is not needed.
        if entry.trim_start().starts_with(&**name)
            && let Ok(path) = RemovePath::parse(entry)
            && path.component == *name
        {
            work.remove(i, &path);
        }
    }
    for op in OpKind::VALUED {
        if let Some(fields) = ops.values(op).and_then(|values| values.get(name)) {
            let had_it = work.now.is_some();
            work.present(op);
            for (field, operand) in fields {
                match op {
                    OpKind::Scale => work.number(Arithmetic::Scale, op, field, operand),
                    OpKind::Add => work.number(Arithmetic::Add, op, field, operand),
                    OpKind::Append => work.append(field, operand),
                    OpKind::Set | OpKind::Remove => work.set(field, operand),
                }
            }
            if fields.is_empty() && had_it {
                work.redundant(
                    |speaker| speaker.path(op, [Seg::Key(name.clone())]),
                    || format!("`{name}` is inherited, and this says nothing more about it"),
                );
            }
        }
    }
    work.now
}

struct Work<'a> {
    vocabulary: &'a Vocabulary,
    /// The component, if any schema declares it.
    declared: Option<&'a ComponentSpec>,
    speaker: &'a Speaker<'a>,
    name: &'a Name,
    now: Option<Arc<ResolvedComponent>>,
    findings: Option<&'a mut Vec<Finding>>,
    history: Option<&'a mut ComponentHistory>,
}

impl<'a> Work<'a> {
    fn find(&mut self, finding: impl FnOnce() -> Finding) {
        if let Some(findings) = &mut self.findings {
            findings.push(finding());
        }
    }

    fn redundant(&mut self, path: impl FnOnce(&Speaker<'a>) -> FieldPath, message: impl FnOnce() -> String) {
        let speaker = self.speaker;
        self.find(|| Finding::hint("redundant-override", speaker.at_key(path(speaker)), message()));
    }

    /// Make sure the entity has the component, and say so if nobody declares it.
    fn present(&mut self, op: OpKind) {
        let (vocabulary, speaker, name) = (self.vocabulary, self.speaker, self.name);
        let place = || speaker.at_key(speaker.path(op, [Seg::Key(name.clone())]));
        if self.declared.is_none() {
            self.find(|| {
                let near = did_you_mean(name, vocabulary.schema.components.keys().map(|k| &**k));
                let help = mean(near).unwrap_or_else(|| "components are declared in the project's schemas/".to_owned());
                Finding::error("unknown-component", place(), format!("there is no component `{name}`")).with_help(help)
            });
        }
        if self.now.is_none() {
            let fresh = vocabulary.prototypes.get(name).cloned().unwrap_or_default();
            if let Some(history) = &mut self.history {
                history.given(&speaker.by, op, place());
                fresh.fields.iter().for_each(|(field, default)| history.say(field, &default.provenance));
            }
            self.now = Some(Arc::new(ResolvedComponent { said_by: Some(speaker.by.clone()), ..fresh }));
        }
    }

    fn spec(&mut self, op: OpKind, field: &Name) -> Option<&'a FieldSpec> {
        let (speaker, name) = (self.speaker, self.name);
        let component = self.declared?;
        let spec = component.fields.get(field);
        if spec.is_none() {
            self.find(|| {
                Finding::error(
                    "unknown-field",
                    speaker.at_key(speaker.field(op, name, field)),
                    format!("`{name}` has no field `{field}`"),
                )
                .with_help(advice(field, "it has", component.fields.keys().map(|k| &**k)))
            });
        }
        spec
    }

    fn field(&self, field: &str) -> Option<&Arc<ResolvedField>> {
        self.now.as_ref()?.fields.get(field)
    }

    /// Give a field the value that an operation makes of it.
    fn say(&mut self, op: OpKind, field: &Name, operand: &Value, after: Value, path: impl FnOnce() -> FieldPath) {
        let (speaker, Some(component)) = (self.speaker, &mut self.now) else { return };
        let said = Arc::new(Said {
            by: speaker.by.clone(),
            op,
            operand: operand.clone(),
            after: after.clone(),
            location: Some(speaker.at(path())),
        });
        if let Some(history) = &mut self.history {
            history.say(field, std::slice::from_ref(&said));
        }
        let component = Arc::make_mut(component);
        match component.fields.get_mut(field) {
            Some(resolved) => {
                let mut provenance = Vec::with_capacity(resolved.provenance.len() + 1);
                provenance.extend_from_slice(&resolved.provenance);
                provenance.push(said);
                *resolved = Arc::new(ResolvedField { value: after, provenance });
            }
            None => {
                let fresh = ResolvedField { value: after, provenance: vec![said] };
                component.fields.insert(field.clone(), Arc::new(fresh));
            }
        }
    }

    fn set(&mut self, field: &Name, operand: &Value) {
        let (vocabulary, speaker, name) = (self.vocabulary, self.speaker, self.name);
        let schema = &vocabulary.schema;
        let spec = self.spec(OpKind::Set, field);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let path = || speaker.field(OpKind::Set, name, field);
        let mut fits = true;
        if let Some(spec) = spec
            && self.findings.is_some()
        {
            for misfit in schema.misfits(spec, operand) {
                fits = false;
                self.misfit(&path(), misfit.kind, misfit.path, &misfit.message, misfit.help, field);
            }
        }
        let before = self.field(field);
        let after = match before {
            Some(before) => values::merge(schema, ty, &before.value, operand),
            None => values::complete(schema, ty, operand),
        };
        if fits
            && self.findings.is_some()
            && let Some(before) = before.filter(|before| before.value == after)
            && let Some(Source::Def(who)) = before.provenance.last().map(|said| &said.by)
        {
            let message = format!("`{name}.{field}` is {after} already, by `{who}`");
            self.redundant(|_| path(), || message);
        }
        self.say(OpKind::Set, field, operand, after, path);
    }

    fn misfit(
        &mut self,
        path: &FieldPath,
        kind: MisfitKind,
        inside: FieldPath,
        message: &str,
        help: Option<String>,
        field: &Name,
    ) {
        let (speaker, name) = (self.speaker, self.name);
        self.find(|| {
            let path = FieldPath(path.0.iter().cloned().chain(inside.0).collect());
            let at = if kind == MisfitKind::UnknownField { speaker.at_key(path) } else { speaker.at(path) };
            Finding::error(kind.rule(), at, format!("`{name}.{field}`: {message}")).with_help(help)
        });
    }

    fn refuse(&mut self, path: impl Fn() -> FieldPath, refusals: Vec<Refusal>, field: &Name) {
        let (speaker, name) = (self.speaker, self.name);
        for refusal in refusals {
            self.find(|| {
                let path = FieldPath(path().0.into_iter().chain(refusal.path.0).collect());
                let message = format!("`{name}.{field}`: {}", refusal.message);
                let at = speaker.at(path);
                if refusal.mild {
                    Finding::warning(refusal.rule, at, message)
                } else {
                    Finding::error(refusal.rule, at, message)
                }
            });
        }
    }

    /// The value an operation starts from; `None`, with a finding, when there is none.
    fn start(&mut self, op: OpKind, field: &Name, declared: bool) -> Option<Value> {
        let (speaker, name) = (self.speaker, self.name);
        let value = self.field(field).map(|field| field.value.clone());
        if value.is_none() && !declared && !speaker.incomplete && self.vocabulary.schema.components.get(name).is_none()
        {
            self.find(|| {
                let message = format!("nobody gives `{name}.{field}` a value, so there is nothing to {}", op.key());
                Finding::error("wrong-type", speaker.at(speaker.field(op, name, field)), message)
            });
        }
        value
    }

    fn number(&mut self, how: Arithmetic, op: OpKind, field: &Name, operand: &Value) {
        let spec = self.spec(op, field);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let Some(before) = self.start(op, field, spec.is_some()) else { return };
        let (speaker, name) = (self.speaker, self.name);
        let path = || speaker.field(op, name, field);
        let mut after = before.clone();
        let mut refusals = Vec::new();
        values::numbers(how, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
        let fine = refusals.is_empty();
        self.refuse(path, refusals, field);
        if !fine && before == after {
            return;
        }
        if let Some(spec) = spec
            && self.findings.is_some()
        {
            for misfit in self.vocabulary.schema.misfits(spec, &after) {
                if misfit.kind == MisfitKind::OutOfRange {
                    let message = format!("after `{}`, {}", op.key(), misfit.message);
                    self.misfit(&path(), misfit.kind, FieldPath::root(), &message, misfit.help, field);
                }
            }
        }
        if fine && before == after {
            self.redundant(|_| path(), || format!("this leaves `{name}.{field}` as it is, {after}"));
        }
        self.say(op, field, operand, after, path);
    }

    fn append(&mut self, field: &Name, operand: &Value) {
        let schema = &self.vocabulary.schema;
        let spec = self.spec(OpKind::Append, field);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let Some(before) = self.start(OpKind::Append, field, spec.is_some()) else { return };
        let (speaker, name) = (self.speaker, self.name);
        let path = || speaker.field(OpKind::Append, name, field);
        let mut after = before.clone();
        let mut refusals = Vec::new();
        values::append(schema, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
        let fine = refusals.is_empty();
        self.refuse(path, refusals, field);
        if fine
            && let Some(spec) = spec
            && self.findings.is_some()
        {
            for misfit in schema.misfits(spec, operand) {
                self.misfit(&path(), misfit.kind, misfit.path, &misfit.message, misfit.help, field);
            }
        }
        if fine && before == after {
            self.redundant(|_| path(), || format!("this appends nothing to `{name}.{field}`"));
        }
        if fine || before != after {
            self.say(OpKind::Append, field, operand, after, path);
        }
    }

    /// Carry out the entry of `remove` at `index`, which reads as `path`.
    fn remove(&mut self, index: usize, path: &RemovePath) {
        let (vocabulary, speaker, name) = (self.vocabulary, self.speaker, self.name);
        let at = || speaker.path(OpKind::Remove, [Seg::Index(index)]);
        let Some(component) = &self.now else {
            return self.absent(index, path, format!("there is no `{name}` to remove"));
        };
        let Some(field) = path.field() else {
            if let Some(history) = &mut self.history {
                history.taken(&speaker.by, component.fields.keys(), &speaker.at(at()));
            }
            self.now = None;
            return;
        };
        let Some(resolved) = component.fields.get(field) else {
            return self.absent(index, path, format!("`{name}` has no field `{field}` to remove"));
        };
        let default = vocabulary.default_field(name, field).map(|field| &field.value);
        if path.steps.len() == 1 {
            let last = resolved.provenance.last().map(|said| (said.op, &said.by));
            let is_default = last.is_none_or(|(_, by)| *by == Source::Default);
            let is_back = last.is_some_and(|(op, _)| op == OpKind::Remove) && default == Some(&resolved.value);
            match default {
                Some(_) if is_back || is_default => {
                    self.absent(index, path, format!("nobody above gives `{name}.{field}` a value to remove"));
                }
                Some(default) => {
                    let before = resolved.value.clone();
                    self.say(OpKind::Remove, field, &before, default.clone(), at);
                }
                None => {
                    if let Some(history) = &mut self.history {
                        history.lost(&speaker.by, field, &speaker.at(at()));
                    }
                    if let Some(component) = &mut self.now {
                        Arc::make_mut(component).fields.shift_remove(field);
                    }
                }
            }
            return;
        }
        let ty = self.declared.and_then(|spec| spec.fields.get(field)).map_or(&FieldType::Any, |spec| &spec.ty);
        let mut after = resolved.value.clone();
        match values::take_away(&vocabulary.schema, ty, &mut after, &path.steps[1..]) {
            Some(taken) => {
                // An element is named by its value, an entry of a map by its key: as the file names it.
                let named = if let Some(Step::Item(item)) = path.steps.last() { item.clone() } else { taken };
                self.say(OpKind::Remove, field, &Value::List(vec![named]), after, at);
            }
            None => self.absent(index, path, format!("there is no `{path}` to remove; `{name}.{field}` is {after}")),
        }
    }

    fn absent(&mut self, index: usize, path: &RemovePath, message: String) {
        let speaker = self.speaker;
        if speaker.incomplete {
            return;
        }
        let names: Vec<Name> = match (&self.now, path.field()) {
            (Some(component), Some(_)) => component.fields.keys().cloned().collect(),
            _ => self.vocabulary.schema.components.keys().cloned().collect(),
        };
        let word = if self.now.is_some() { path.field().unwrap_or(self.name) } else { self.name };
        self.find(|| {
            let at = speaker.at(speaker.path(OpKind::Remove, [Seg::Index(index)]));
            let near = did_you_mean(word, names.iter().map(|n| &**n)).filter(|near| **near != **word);
            Finding::error("bad-remove", at, message).with_help(mean(near))
        });
    }
}
