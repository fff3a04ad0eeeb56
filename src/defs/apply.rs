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

use crate::model::{
    DocPath, FieldPath, FieldSpec, FieldType, Finding, Location, MisfitKind, Name, OpKind, Ops, Schema, Seg, Value,
    did_you_mean,
};

use super::{
    RemovePath, ResolvedComponent, ResolvedField, Said, Source,
    removal::Step,
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
        let prototype = |component: &Name| {
            let spec = schema.components.get(component)?;
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
            Some(ResolvedComponent { fields: fields.collect(), said_by: None })
        };
        let prototypes = schema.components.keys().filter_map(|name| Some((name.clone(), prototype(name)?))).collect();
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

impl Speaker<'_> {
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
pub(super) fn unreadable(speaker: &Speaker<'_>, ops: &Ops, findings: &mut Vec<Finding>) {
    for (i, entry) in ops.remove.iter().enumerate() {
        if let Err(why) = RemovePath::parse(entry) {
            let at = speaker.at(speaker.path(OpKind::Remove, [Seg::Index(i)]));
            findings.push(Finding::error("bad-remove", at, format!("`{entry}` cannot be removed: {why}")));
        }
    }
}

/// Apply a speaker's operations to one component, as it was `before` (`None`: the entity does not have it). `findings` is
/// given when the speaker is the one being resolved, not an ancestor.
pub(super) fn component(
    vocabulary: &Vocabulary,
    speaker: &Speaker<'_>,
    ops: &Ops,
    name: &Name,
    before: Option<&Arc<ResolvedComponent>>,
    findings: Option<&mut Vec<Finding>>,
) -> Option<Arc<ResolvedComponent>> {
    let mut work = Work { vocabulary, speaker, name, now: before.cloned(), findings };
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
                let path = speaker.path(op, [Seg::Key(name.clone())]);
                work.redundant(path, &format!("`{name}` is inherited, and this says nothing more about it"));
            }
        }
    }
    work.now
}

struct Work<'a> {
    vocabulary: &'a Vocabulary,
    speaker: &'a Speaker<'a>,
    name: &'a Name,
    now: Option<Arc<ResolvedComponent>>,
    findings: Option<&'a mut Vec<Finding>>,
}

impl<'a> Work<'a> {
    fn find(&mut self, finding: impl FnOnce() -> Finding) {
        if let Some(findings) = &mut self.findings {
            findings.push(finding());
        }
    }

    fn redundant(&mut self, path: FieldPath, message: &str) {
        let speaker = self.speaker;
        self.find(|| Finding::hint("redundant-override", speaker.at_key(path), message));
    }

    /// Make sure the entity has the component, and say so if nobody declares it.
    fn present(&mut self, op: OpKind) {
        let (vocabulary, speaker, name) = (self.vocabulary, self.speaker, self.name);
        if !vocabulary.schema.components.contains_key(name) {
            self.find(|| {
                let path = speaker.path(op, [Seg::Key(name.clone())]);
                let near = did_you_mean(name, vocabulary.schema.components.keys().map(|k| &**k));
                let help = near.map_or_else(
                    || "components are declared in the project's schemas/".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                Finding::error("unknown-component", speaker.at_key(path), format!("there is no component `{name}`"))
                    .with_help(help)
            });
        }
        if self.now.is_none() {
            let fresh = vocabulary.prototypes.get(name).cloned().unwrap_or_default();
            self.now = Some(Arc::new(ResolvedComponent { said_by: Some(speaker.by.clone()), ..fresh }));
        }
    }

    fn spec(&mut self, op: OpKind, field: &Name) -> Option<&'a FieldSpec> {
        let (vocabulary, speaker, name) = (self.vocabulary, self.speaker, self.name);
        let component = vocabulary.schema.components.get(name)?;
        let spec = component.fields.get(field);
        if spec.is_none() {
            self.find(|| {
                let near = did_you_mean(field, component.fields.keys().map(|k| &**k));
                Finding::error(
                    "unknown-field",
                    speaker.at_key(speaker.field(op, name, field)),
                    format!("`{name}` has no field `{field}`"),
                )
                .with_help(near.map(|near| format!("did you mean `{near}`?")))
            });
        }
        spec
    }

    fn field(&self, field: &str) -> Option<&Arc<ResolvedField>> {
        self.now.as_ref()?.fields.get(field)
    }

    fn say(&mut self, op: OpKind, field: &Name, operand: Value, after: Value, path: FieldPath) {
        let Some(component) = &mut self.now else { return };
        let said = Arc::new(Said {
            by: self.speaker.by.clone(),
            op,
            operand,
            after: after.clone(),
            location: Some(self.speaker.at(path)),
        });
        let component = Arc::make_mut(component);
        if let Some(resolved) = component.fields.get_mut(field) {
            let mut provenance = Vec::with_capacity(resolved.provenance.len() + 1);
            provenance.extend_from_slice(&resolved.provenance);
            provenance.push(said);
            *resolved = Arc::new(ResolvedField { value: after, provenance });
        } else {
            component.fields.insert(field.clone(), Arc::new(ResolvedField { value: after, provenance: vec![said] }));
        }
    }

    fn set(&mut self, field: &Name, operand: &Value) {
        let (vocabulary, speaker, name) = (self.vocabulary, self.speaker, self.name);
        let schema = &vocabulary.schema;
        let spec = self.spec(OpKind::Set, field);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let path = speaker.field(OpKind::Set, name, field);
        let mut fits = true;
        if let Some(spec) = spec
            && self.findings.is_some()
        {
            for misfit in schema.misfits(spec, operand) {
                fits = false;
                self.misfit(&path, misfit.kind, misfit.path, &misfit.message, misfit.help, field);
            }
        }
        let before = self.field(field);
        let after = match before {
            Some(before) => values::merge(schema, ty, &before.value, operand),
            None => values::complete(schema, ty, operand),
        };
        if fits && self.findings.is_some() {
            let inherited = before.filter(|before| before.value == after && is_said(before));
            if let Some(Said { by: Source::Def(who), .. }) =
                inherited.and_then(|before| before.provenance.last()).map(|said| &**said)
            {
                let message = format!("`{name}.{field}` is {after} already, by `{who}`");
                self.redundant(path.clone(), &message);
            }
        }
        self.say(OpKind::Set, field, operand.clone(), after, path);
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

    fn refuse(&mut self, path: &FieldPath, refusals: Vec<Refusal>, field: &Name) {
        let (speaker, name) = (self.speaker, self.name);
        for refusal in refusals {
            self.find(|| {
                let path = FieldPath(path.0.iter().cloned().chain(refusal.path.0).collect());
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
        let path = self.speaker.field(op, self.name, field);
        let mut after = before.clone();
        let mut refusals = Vec::new();
        values::numbers(how, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
        let fine = refusals.is_empty();
        self.refuse(&path, refusals, field);
        if !fine && before == after {
            return;
        }
        if let Some(spec) = spec
            && self.findings.is_some()
        {
            for misfit in self.vocabulary.schema.misfits(spec, &after) {
                if misfit.kind == MisfitKind::OutOfRange {
                    let message = format!("after `{}`, {}", op.key(), misfit.message);
                    self.misfit(&path, misfit.kind, FieldPath::root(), &message, misfit.help, field);
                }
            }
        }
        if fine && before == after {
            let message = format!("this leaves `{}.{field}` as it is, {after}", self.name);
            self.redundant(path.clone(), &message);
        }
        self.say(op, field, operand.clone(), after, path);
    }

    fn append(&mut self, field: &Name, operand: &Value) {
        let schema = &self.vocabulary.schema;
        let spec = self.spec(OpKind::Append, field);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let Some(before) = self.start(OpKind::Append, field, spec.is_some()) else { return };
        let path = self.speaker.field(OpKind::Append, self.name, field);
        let mut after = before.clone();
        let mut refusals = Vec::new();
        values::append(schema, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
        let fine = refusals.is_empty();
        self.refuse(&path, refusals, field);
        if fine
            && let Some(spec) = spec
            && self.findings.is_some()
        {
            for misfit in schema.misfits(spec, operand) {
                self.misfit(&path, misfit.kind, misfit.path, &misfit.message, misfit.help, field);
            }
        }
        if fine && before == after {
            let message = format!("this appends nothing to `{}.{field}`", self.name);
            self.redundant(path.clone(), &message);
        }
        if fine || before != after {
            self.say(OpKind::Append, field, operand.clone(), after, path);
        }
    }

    fn remove(&mut self, index: usize, path: &RemovePath) {
        let (vocabulary, name) = (self.vocabulary, self.name);
        let Some(component) = &self.now else {
            return self.absent(index, path, format!("there is no `{name}` to remove"));
        };
        let Some(field) = path.field() else {
            self.now = None;
            return;
        };
        let Some(resolved) = component.fields.get(field) else {
            return self.absent(index, path, format!("`{name}` has no field `{field}` to remove"));
        };
        let before = resolved.value.clone();
        let default = vocabulary.default_field(name, field).map(|field| &field.value);
        let at = self.speaker.path(OpKind::Remove, [Seg::Index(index)]);
        if path.steps.len() == 1 {
            let last_op = resolved.provenance.last().map(|said| said.op);
            let back = last_op == Some(OpKind::Remove) && default == Some(&before);
            match default {
                Some(_) if back || !is_said(resolved) => {
                    self.absent(index, path, format!("nobody above gives `{name}.{field}` a value to remove"));
                }
                Some(default) => self.say(OpKind::Remove, field, before, default.clone(), at),
                None => {
                    if let Some(component) = &mut self.now {
                        Arc::make_mut(component).fields.shift_remove(field);
                    }
                }
            }
            return;
        }
        let ty = vocabulary.schema.field(name, field).map_or(&FieldType::Any, |spec| &spec.ty);
        let mut after = before;
        match values::take_away(&vocabulary.schema, ty, &mut after, &path.steps[1..]) {
            Some(taken) => {
                // An element is named by its value, an entry of a map by its key: as the file names it.
                let named = if let Some(Step::Item(item)) = path.steps.last() { item.clone() } else { taken };
                self.say(OpKind::Remove, field, Value::List(vec![named]), after, at);
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
            Finding::error("bad-remove", at, message).with_help(near.map(|near| format!("did you mean `{near}`?")))
        });
    }
}

/// Whether anybody but the schema has said a field.
fn is_said(field: &ResolvedField) -> bool {
    field.provenance.last().is_some_and(|said| said.by != Source::Default)
}
