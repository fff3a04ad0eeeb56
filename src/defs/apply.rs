//! Applies the five operations of one declarer (a definition or a placed entity) to one component. Components do not
//! affect each other, so this is all there is to applying one; which declarers, in which order, is up to `resolve` and
//! `instance`.
//!
//! Decided here, where the contract is silent:
//! - Naming a component in any operation but `remove` gives the entity the component, with its defaults.
//! - Removing a field puts it back to the schema's default; a field no schema declares goes altogether. A field that
//!   has no value but its default cannot be removed.
//! - An operation of an ancestor that finds nothing to work on, because of another parent's, is passed over: the
//!   ancestor itself was checked where it stands.

use std::sync::Arc;

use crate::model::{
    FieldPath, FieldSpec, FieldType, Finding, Name, OpKind, Ops, Seg, TypeError, TypeErrorKind, Value, advice,
    did_you_mean, mean, shortened,
};

use super::{
    AppliedOp, ComponentHistory, Named, RemovePath, RemoveStep, ResolvedComponent, ResolvedField, Source, ValueHistory,
    declarer::Declarer,
    overrides::{declared_in, touched},
    resolved::Place,
    values::{self, Arithmetic, Refusal},
    vocabulary::{Declared, Vocabulary},
};

/// The most characters of a value in a message, so that what follows it is seen.
const MAX_SHOWN: usize = 60;

/// Entries of `remove` that cannot be read.
pub(super) fn unreadable(declarer: &Declarer, ops: &Ops, findings: &mut Vec<Finding>) {
    for (i, entry) in ops.remove.iter().enumerate() {
        if let Err(why) = RemovePath::parse(entry) {
            let at = declarer.at(declarer.path(OpKind::Remove, [Seg::Index(i)]));
            findings.push(Finding::error("bad-remove", at, format!("`{entry}` cannot be removed: {why}")));
        }
    }
}

/// Whether a finding is that an entry of `remove` cannot be read.
pub(super) fn is_unreadable(finding: &Finding, ops: &Ops) -> bool {
    let [_, Seg::Key(op), Seg::Index(i)] = finding.location.path.0.as_slice() else { return false };
    op == OpKind::Remove.name() && ops.remove.get(*i).is_none_or(|entry| RemovePath::parse(entry).is_err())
}

/// Apply all operations of a declarer to the components of an entity. `findings` is given when the declarer is the one
/// being resolved, not an ancestor; `history` when every step is to be recorded.
pub(super) fn all(
    vocabulary: &Vocabulary,
    declarer: &Declarer,
    ops: &Ops,
    components: &mut Named<Arc<ResolvedComponent>>,
    mut findings: Option<&mut Vec<Finding>>,
    mut history: Option<&mut ValueHistory>,
) {
    if let Some(findings) = &mut findings {
        unreadable(declarer, ops, findings);
    }
    for name in touched(ops) {
        let history = history.as_mut().map(|history| history.components.entry(name.clone()).or_default());
        let audience = Audience { findings: findings.as_deref_mut(), history };
        let after = component(vocabulary, declarer, ops, &name, components.get(&name), audience);
        put(components, name, after);
    }
}

/// Have a component as it is now, or no more.
pub(super) fn put(components: &mut Named<Arc<ResolvedComponent>>, name: Name, now: Option<Arc<ResolvedComponent>>) {
    match now {
        Some(now) => drop(components.insert(name, now)),
        None => drop(components.shift_remove(&name)),
    }
}

/// What applying reports beside the result.
#[derive(Default)]
pub(super) struct Audience<'a> {
    /// Problems; given when the declarer is the one being resolved, not an ancestor.
    pub findings: Option<&'a mut Vec<Finding>>,
    /// Every step.
    pub history: Option<&'a mut ComponentHistory>,
}

/// Apply a declarer's operations to one component, as it was `before` (`None`: the entity does not have it).
pub(super) fn component(
    vocabulary: &Vocabulary,
    declarer: &Declarer,
    ops: &Ops,
    name: &Name,
    before: Option<&Arc<ResolvedComponent>>,
    audience: Audience<'_>,
) -> Option<Arc<ResolvedComponent>> {
    let Audience { findings, history } = audience;
    let declared = vocabulary.declared(name);
    let mut work = Work { vocabulary, declared, declarer, name, only: None, now: before.cloned(), findings, history };
    work.apply(ops);
    work.now
}

/// A declared field of a declared component.
pub(super) struct OneField {
    pub component: Name,
    pub field: Name,
    /// The field alone.
    names: Arc<Vec<Name>>,
}

impl OneField {
    pub(super) fn new(component: Name, field: Name) -> Self {
        Self { component, names: Arc::new(vec![field.clone()]), field }
    }

    /// Whether operations may affect the field; else it stays as it was before.
    pub(super) fn touches(&self, ops: &Ops, before: Option<&Arc<ResolvedField>>) -> bool {
        let applied = |op: &OpKind| declared_in(ops.values(*op)?, &self.component);
        OpKind::VALUED.iter().filter_map(applied).any(|fields| before.is_none() || fields.contains_key(&self.field))
            || ops.remove.iter().any(|entry| entry.trim_start().starts_with(&*self.component))
    }
}

/// The same as [`component`] for one field alone, as if its component had no other: `before` is the field as it was,
/// `None` when the entity does not have the component. Findings are those about the field.
pub(super) fn field(
    vocabulary: &Vocabulary,
    declarer: &Declarer,
    ops: &Ops,
    one: &OneField,
    before: Option<&Arc<ResolvedField>>,
    findings: Option<&mut Vec<Finding>>,
) -> Option<Arc<ResolvedField>> {
    let declared = vocabulary.declared(&one.component);
    let now = before.map(|before| one.alone(before.clone(), None));
    let name = &one.component;
    let mut work = Work { vocabulary, declared, declarer, name, only: Some(one), now, findings, history: None };
    work.apply(ops);
    work.now?.fields.at(0).cloned()
}

impl OneField {
    /// A component that has no other field.
    fn alone(&self, field: Arc<ResolvedField>, declared_by: Option<Source>) -> Arc<ResolvedComponent> {
        Arc::new(ResolvedComponent { fields: Named::of(self.names.clone(), vec![field]), declared_by })
    }
}

struct Work<'a> {
    vocabulary: &'a Vocabulary,
    /// The component, if any schema declares it.
    declared: Option<Declared<'a>>,
    declarer: &'a Declarer,
    name: &'a Name,
    /// The one field that matters, unless all do.
    only: Option<&'a OneField>,
    now: Option<Arc<ResolvedComponent>>,
    findings: Option<&'a mut Vec<Finding>>,
    history: Option<&'a mut ComponentHistory>,
}

impl<'a> Work<'a> {
    fn apply(&mut self, ops: &Ops) {
        let (name, only) = (self.name, self.only);
        for (i, entry) in ops.remove.iter().enumerate() {
            // Most entries are about another component; reading those is not needed.
            if entry.trim_start().starts_with(&**name)
                && let Ok(path) = RemovePath::parse(entry)
                && path.component == *name
                && only.is_none_or(|only| path.field().is_none_or(|field| *field == only.field))
            {
                self.remove(i, &path);
            }
        }
        for op in OpKind::VALUED {
            let Some(fields) = ops.values(op).and_then(|values| declared_in(values, name)) else { continue };
            let had_it = self.now.is_some();
            self.present(op);
            match only {
                None => fields.iter().for_each(|(field, operand)| self.operate(op, field, operand)),
                Some(only) => {
                    fields.get(&only.field).into_iter().for_each(|it| self.operate(op, &only.field, it));
                }
            }
            if fields.is_empty() && had_it && only.is_none() {
                self.redundant(
                    |declarer| declarer.path(op, [Seg::Key(name.clone())]),
                    || format!("`{name}` is inherited already, and this overrides nothing in it"),
                );
            }
        }
    }

    fn operate(&mut self, op: OpKind, field: &Name, operand: &Value) {
        match op {
            OpKind::Scale => self.number(Arithmetic::Scale, op, field, operand),
            OpKind::Add => self.number(Arithmetic::Add, op, field, operand),
            OpKind::Append => self.append(field, operand),
            OpKind::Set | OpKind::Remove => self.set(field, operand),
        }
    }

    fn find(&mut self, finding: impl FnOnce() -> Finding) {
        if let Some(findings) = &mut self.findings {
            findings.push(finding());
        }
    }

    fn redundant(&mut self, path: impl FnOnce(&Declarer) -> FieldPath, message: impl FnOnce() -> String) {
        let declarer = self.declarer;
        self.find(|| Finding::hint("redundant-override", declarer.at_key(path(declarer)), message()));
    }

    /// Make sure the entity has the component, and report it if no schema declares it.
    fn present(&mut self, op: OpKind) {
        let (vocabulary, declarer, name) = (self.vocabulary, self.declarer, self.name);
        let place = || declarer.at_key(declarer.path(op, [Seg::Key(name.clone())]));
        if self.declared.is_none() {
            self.find(|| {
                let near = did_you_mean(name, vocabulary.schema.components.keys().map(|k| &**k));
                let help = mean(near).unwrap_or_else(|| "components are declared in the project's schemas/".to_owned());
                Finding::error("unknown-component", place(), format!("there is no component `{name}`")).with_help(help)
            });
        }
        if self.now.is_none() {
            let declared_by = Some(declarer.by.clone());
            let fresh = match (self.declared, self.only) {
                (Some(declared), Some(only)) => {
                    let default = declared.fresh.fields.get(&only.field);
                    default.map(|default| only.alone(default.clone(), declared_by)).unwrap_or_default()
                }
                (Some(declared), None) => {
                    Arc::new(ResolvedComponent { fields: declared.fresh.fields.clone(), declared_by })
                }
                (None, _) => Arc::new(ResolvedComponent { fields: Named::default(), declared_by }),
            };
            if let Some(history) = &mut self.history {
                history.given(&declarer.by, op, place());
                fresh.fields.iter().for_each(|(field, default)| history.record(field, &default.provenance));
            }
            self.now = Some(fresh);
        }
    }

    /// The declaration of a field that stands `at` a place, or nowhere yet.
    fn spec(&mut self, op: OpKind, field: &Name, at: Option<usize>) -> Option<&'a FieldSpec> {
        let (declarer, name) = (self.declarer, self.name);
        let declared = &self.declared?.spec.fields;
        // What is declared stands where it does in the declaration, unless it is the only one.
        let there = at.and_then(|at| declared.get_index(at)).filter(|(name, _)| *name == field);
        let spec = there.map(|(_, spec)| spec).or_else(|| declared.get(field));
        if spec.is_none() {
            self.find(|| {
                Finding::error(
                    "unknown-field",
                    declarer.at_key(declarer.field(op, name, field)),
                    format!("`{name}` has no field `{field}`"),
                )
                .with_help(advice(field, "it has", declared.keys().map(|k| &**k)))
            });
        }
        spec
    }

    fn position(&self, field: &str) -> Option<usize> {
        self.now.as_ref()?.fields.position(field)
    }

    fn at(&self, at: Option<usize>) -> Option<&Arc<ResolvedField>> {
        self.now.as_ref()?.fields.at(at?)
    }

    fn place(&self, field: &Name) -> Place {
        Place::Field { spot: self.declarer.spot.clone(), component: self.name.clone(), field: field.clone() }
    }

    /// Give a field, which stands `at` a place or nowhere yet, the value that an operation makes of it.
    fn record(&mut self, op: OpKind, (field, at): (&Name, Option<usize>), operand: Value, after: Value, place: Place) {
        let (declarer, Some(component)) = (self.declarer, &mut self.now) else { return };
        let applied = Arc::new(AppliedOp { by: declarer.by.clone(), op, operand, after: after.clone(), place });
        if let Some(history) = &mut self.history {
            history.record(field, std::slice::from_ref(&applied));
        }
        let component = Arc::make_mut(component);
        match at.and_then(|at| component.fields.at_mut(at)) {
            Some(resolved) => {
                let mut provenance = Vec::with_capacity(resolved.provenance.len() + 1);
                provenance.extend_from_slice(&resolved.provenance);
                provenance.push(applied);
                *resolved = Arc::new(ResolvedField { value: after, provenance });
            }
            None => {
                let fresh = ResolvedField { value: after, provenance: vec![applied] };
                component.fields.insert(field.clone(), Arc::new(fresh));
            }
        }
    }

    fn set(&mut self, field: &Name, operand: &Value) {
        let (vocabulary, declarer, name) = (self.vocabulary, self.declarer, self.name);
        let schema = &vocabulary.schema;
        let at = self.position(field);
        let spec = self.spec(OpKind::Set, field, at);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let path = || declarer.field(OpKind::Set, name, field);
        let fits = self.report_type_errors(OpKind::Set, field, spec, operand);
        let before = self.at(at);
        let after = match before {
            Some(before) => values::merge(schema, ty, &before.value, operand),
            None => values::complete(schema, ty, operand),
        };
        if fits
            && self.findings.is_some()
            && let Some(before) = before.filter(|before| before.value == after)
            && let Some(Source::Def(who)) = before.provenance.last().map(|applied| &applied.by)
        {
            let message = format!("`{name}.{field}` is {after} already, by `{who}`");
            self.redundant(|_| path(), || message);
        }
        self.record(OpKind::Set, (field, at), operand.clone(), after, self.place(field));
    }

    /// Report how an operand does not fit the declaration of its field. Returns whether it fits, as far as it is
    /// checked: an ancestor's operations are not.
    fn report_type_errors(&mut self, op: OpKind, field: &Name, spec: Option<&FieldSpec>, operand: &Value) -> bool {
        let Some(spec) = spec.filter(|_| self.findings.is_some()) else { return true };
        let errors = self.vocabulary.schema.type_errors(spec, operand);
        let fits = errors.is_empty();
        errors.into_iter().for_each(|error| self.report_type_error(op, field, error));
        fits
    }

    fn report_type_error(&mut self, op: OpKind, field: &Name, error: TypeError) {
        let (declarer, name) = (self.declarer, self.name);
        self.find(|| {
            let TypeError { kind, path: inside, message, help, .. } = error;
            // What is unknown is named by what it is in.
            let (named, parent) = (&inside, inside.parent().filter(|_| kind == TypeErrorKind::UnknownField));
            let named = parent.as_ref().unwrap_or(named).on_from(&format!("{name}.{field}"));
            let path = declarer.field(op, name, field).join(&inside);
            let at = if kind == TypeErrorKind::UnknownField { declarer.at_key(path) } else { declarer.at(path) };
            Finding::error(kind.rule(), at, format!("`{named}`: {message}")).with_help(help)
        });
    }

    fn refuse(&mut self, path: impl Fn() -> FieldPath, refusals: Vec<Refusal>, (field, before): (&Name, &Value)) {
        let (declarer, name) = (self.declarer, self.name);
        for refusal in refusals {
            self.find(|| {
                // What is not there is named by what it is missing in.
                let is_missing = before.at(&refusal.path).is_none();
                let named = if is_missing { refusal.path.parent() } else { Some(refusal.path.clone()) };
                let named = named.unwrap_or_default().on_from(&format!("{name}.{field}"));
                let path = path().join(&refusal.path);
                let message = format!("`{named}`: {}", refusal.message);
                let at = declarer.at(path);
                if refusal.mild {
                    Finding::warning(refusal.rule, at, message)
                } else {
                    Finding::error(refusal.rule, at, message)
                }
            });
        }
    }

    /// The value an operation starts from; `None`, with a finding, when there is none.
    fn start(&mut self, op: OpKind, (field, at): (&Name, Option<usize>), is_declared: bool) -> Option<Value> {
        let (declarer, name) = (self.declarer, self.name);
        let value = self.at(at).map(|field| field.value.clone());
        if value.is_none() && !is_declared && !declarer.incomplete && self.declared.is_none() {
            self.find(|| {
                let message = format!("`{name}.{field}` has no inherited value, so there is nothing to {}", op.key());
                Finding::error("wrong-type", declarer.at(declarer.field(op, name, field)), message)
            });
        }
        value
    }

    fn number(&mut self, how: Arithmetic, op: OpKind, field: &Name, operand: &Value) {
        let at = self.position(field);
        let spec = self.spec(op, field, at);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let Some(before) = self.start(op, (field, at), spec.is_some()) else { return };
        let (declarer, name) = (self.declarer, self.name);
        let path = || declarer.field(op, name, field);
        let mut after = before.clone();
        let mut refusals = Vec::new();
        values::numbers(how, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
        let fine = refusals.is_empty();
        self.refuse(path, refusals, (field, &before));
        if !fine && before == after {
            return;
        }
        if let Some(spec) = spec
            && self.findings.is_some()
        {
            for error in self.vocabulary.schema.type_errors(spec, &after) {
                if error.kind == TypeErrorKind::OutOfRange {
                    let message = format!("after `{}`, {}", op.key(), error.message);
                    self.report_type_error(op, field, TypeError { path: FieldPath::root(), message, ..error });
                }
            }
        }
        if fine && before == after {
            self.redundant(|_| path(), || format!("this leaves `{name}.{field}` as it is, {after}"));
        }
        self.record(op, (field, at), operand.clone(), after, self.place(field));
    }

    fn append(&mut self, field: &Name, operand: &Value) {
        let schema = &self.vocabulary.schema;
        let at = self.position(field);
        let spec = self.spec(OpKind::Append, field, at);
        let ty = spec.map_or(&FieldType::Any, |spec| &spec.ty);
        let Some(before) = self.start(OpKind::Append, (field, at), spec.is_some()) else { return };
        let (declarer, name) = (self.declarer, self.name);
        let path = || declarer.field(OpKind::Append, name, field);
        let mut after = before.clone();
        let mut refusals = Vec::new();
        values::append(schema, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
        let fine = refusals.is_empty();
        self.refuse(path, refusals, (field, &before));
        if fine {
            self.report_type_errors(OpKind::Append, field, spec, operand);
        }
        if fine && before == after {
            self.redundant(|_| path(), || format!("this appends nothing to `{name}.{field}`"));
        }
        if fine || before != after {
            self.record(OpKind::Append, (field, at), operand.clone(), after, self.place(field));
        }
    }

    /// Carry out the entry of `remove` at `index`, which reads as `path`.
    fn remove(&mut self, index: usize, path: &RemovePath) {
        let (vocabulary, declarer, name) = (self.vocabulary, self.declarer, self.name);
        let path_of = || declarer.path(OpKind::Remove, [Seg::Index(index)]);
        let inside = path.steps.get(1..).unwrap_or_default();
        let place = || Place::Entry { spot: declarer.spot.clone(), index, inside: inside.into() };
        let Some(component) = &self.now else {
            return self.absent(index, path, format!("there is no `{name}` to remove"));
        };
        let Some(field) = path.field() else {
            if let Some(history) = &mut self.history {
                history.taken(&declarer.by, component.fields.keys(), &declarer.at(path_of()));
            }
            self.now = None;
            return;
        };
        let at = component.fields.position(field);
        let Some(resolved) = at.and_then(|at| component.fields.at(at)) else {
            return self.absent(index, path, format!("`{name}` has no field `{field}` to remove"));
        };
        let default = self.declared.and_then(|it| it.fresh.fields.get(field)).map(|field| &field.value);
        if path.steps.len() == 1 {
            let last = resolved.provenance.last().map(|applied| (applied.op, &applied.by));
            let is_default = last.is_none_or(|(_, by)| *by == Source::Default);
            let is_back = last.is_some_and(|(op, _)| op == OpKind::Remove) && default == Some(&resolved.value);
            match default {
                Some(_) if is_back || is_default => {
                    self.absent(index, path, format!("`{name}.{field}` has no inherited value to remove"));
                }
                Some(default) => {
                    let before = resolved.value.clone();
                    self.record(OpKind::Remove, (field, at), before, default.clone(), place());
                }
                None => {
                    if let Some(history) = &mut self.history {
                        history.lost(&declarer.by, field, &declarer.at(path_of()));
                    }
                    if let Some(component) = &mut self.now {
                        Arc::make_mut(component).fields.shift_remove(field);
                    }
                }
            }
            return;
        }
        let ty = self.declared.and_then(|it| it.spec.fields.get(field)).map_or(&FieldType::Any, |spec| &spec.ty);
        let mut after = resolved.value.clone();
        match values::take_away(&vocabulary.schema, ty, &mut after, inside) {
            Some(taken) => {
                // An element is named by its value, an entry of a map by its key: as the file names it.
                let operand = match path.steps.last() {
                    Some(RemoveStep::Item(item)) => Value::List(vec![item.clone()]),
                    _ => taken,
                };
                self.record(OpKind::Remove, (field, at), operand, after, place());
            }
            None => {
                let help = bracketed(&resolved.value, path).map(|path| path.to_string());
                let after = shortened(&after.to_string(), MAX_SHOWN);
                let message = format!("there is no `{path}` to remove; `{name}.{field}` is {after}");
                self.absent_like(index, path, message, help);
            }
        }
    }

    fn absent(&mut self, index: usize, path: &RemovePath, message: String) {
        self.absent_like(index, path, message, None);
    }

    /// The same, with the entry that was probably meant, where that is known.
    fn absent_like(&mut self, index: usize, path: &RemovePath, message: String, meant: Option<String>) {
        let declarer = self.declarer;
        // That a component is not there is not about any one field of it.
        if declarer.incomplete || self.only.is_some() && path.field().is_none() {
            return;
        }
        let names: Vec<Name> = match (&self.now, path.field(), self.declared) {
            (Some(_), Some(_), Some(declared)) => declared.spec.fields.keys().cloned().collect(),
            (Some(component), Some(_), None) => component.fields.keys().cloned().collect(),
            _ => self.vocabulary.schema.components.keys().cloned().collect(),
        };
        let word = if self.now.is_some() { path.field().unwrap_or(self.name) } else { self.name };
        self.find(|| {
            let at = declarer.at(declarer.path(OpKind::Remove, [Seg::Index(index)]));
            let near = did_you_mean(word, names.iter().map(|n| &**n)).filter(|near| **near != **word);
            Finding::error("bad-remove", at, message).with_help(mean(meant.as_deref().or(near)))
        });
    }
}

/// An entry that names an element of a list or an entry of a map like a field, as it is written; `None` when none is
/// there.
fn bracketed(value: &Value, path: &RemovePath) -> Option<RemovePath> {
    let (first, rest) = path.steps.split_first()?;
    let mut now = Some(value);
    let mut steps = vec![first.clone()];
    for step in rest {
        let known: Vec<&str> = match now {
            Some(Value::Map(entries)) => entries.iter().filter_map(|(key, _)| key.as_str()).collect(),
            Some(Value::List(items)) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let step = match step {
            RemoveStep::Field(name) if !known.is_empty() => {
                let exact = known.iter().copied().find(|key| *key == &**name);
                RemoveStep::Item(Value::str(exact.or_else(|| did_you_mean(name, known.iter().copied()))?))
            }
            step => step.clone(),
        };
        now = match (&step, now?) {
            (RemoveStep::Field(name), value) => value.field(name),
            (RemoveStep::Item(key), Value::Map(entries)) => {
                entries.iter().find(|(known, _)| known.is_like(key)).map(|(_, value)| value)
            }
            _ => None,
        };
        steps.push(step);
    }
    (steps != path.steps).then(|| RemovePath { component: path.component.clone(), steps })
}
