//! Renaming what a game's own schema declares (components, fields, messages, words of enums), and tags, with every use.
//!
//! Invariant: what does not use the name keeps its `Arc`. What is built in has no document here and keeps its name; that a
//! game's schema only adds to something built in is for the caller to see, who has the built-in schema.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{
    RefKind, Refusal, TypedRefs,
    apply::{check_name, content, content_mut, doc, taken},
    references::{self, visit_calls},
};
use crate::model::{
    Call, CueKind, DocPath, Document, LayerContent, Name, OpKind, Ops, Project, Schema, State, Trigger, Value,
};

pub(super) fn schema<'a>(project: &'a Project, path: &DocPath) -> Result<&'a Schema, Refusal> {
    content(project, path)
}

pub(super) fn schema_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut Schema, Refusal> {
    content_mut(project, path)
}

/// Rename a key where it stands. Returns whether it was there.
pub(super) fn rekey<V>(map: &mut IndexMap<Name, V>, from: &str, to: &Name) -> bool {
    match map.shift_remove_full(from) {
        Some((at, _, value)) => {
            map.shift_insert(at.min(map.len()), to.clone(), value);
            true
        }
        None => false,
    }
}

/// What a rename does to the places that can use a name; each says whether it changed anything.
pub(super) struct Uses<'a> {
    pub(super) ops: Box<dyn Fn(&mut Ops) -> bool + 'a>,
    pub(super) state: Box<dyn Fn(&mut State) -> bool + 'a>,
    pub(super) message: Box<dyn Fn(&mut Name) -> bool + 'a>,
}

impl<'a> Uses<'a> {
    fn of_component(from: &'a Name, to: &'a Name) -> Self {
        let ops = move |ops: &mut Ops| {
            let mut changed = rename_path(&mut ops.remove, from, to);
            for op in OpKind::VALUED {
                changed |= ops.values_mut(op).is_some_and(|all| rekey(all, from, to));
            }
            changed
        };
        let state = move |state: &mut State| rename_args(state, &["field", "component"], from, to);
        Self { ops: Box::new(ops), state: Box::new(state), message: Box::new(|_| false) }
    }

    fn of_field(component: &'a Name, from: &'a Name, to: &'a Name) -> Self {
        let path = move |field: &Name| format!("{component}.{field}");
        let ops = move |ops: &mut Ops| {
            let mut changed = rename_path(&mut ops.remove, &path(from), &path(to));
            for op in OpKind::VALUED {
                let fields = ops.values_mut(op).and_then(|all| all.get_mut(component));
                changed |= fields.is_some_and(|fields| rekey(fields, from, to));
            }
            changed
        };
        let state = move |state: &mut State| rename_args(state, &["field"], &path(from), &path(to));
        Self { ops: Box::new(ops), state: Box::new(state), message: Box::new(|_| false) }
    }

    pub(super) fn of_message(from: &'a Name, to: &'a Name) -> Self {
        let message = move |name: &mut Name| {
            let is_it = name == from;
            if is_it {
                *name = to.clone();
            }
            is_it
        };
        let state = move |state: &mut State| {
            rename_args(state, &["message"], from, to) | rename_answers(state, (from, to), &message)
        };
        Self { ops: Box::new(|_| false), state: Box::new(state), message: Box::new(message) }
    }

    pub(super) fn rename_in(&self, project: &mut Project) {
        for doc in project.documents.values_mut() {
            if let Some(new) = self.document(doc) {
                *doc = Arc::new(new);
            }
        }
    }

    /// Whether anything has the name. The changes are those of a copy.
    fn is_any_in(&self, project: &Project) -> bool {
        project.documents.values().any(|doc| self.document(doc).is_some())
    }

    fn document(&self, doc: &Document) -> Option<Document> {
        let mut changed = false;
        let new = match doc {
            Document::Entities(file) => {
                let mut file = file.clone();
                for def in file.defs.values_mut() {
                    let mut new = (**def).clone();
                    if (self.ops)(&mut new.ops) {
                        *def = Arc::new(new);
                        changed = true;
                    }
                }
                Document::Entities(file)
            }
            Document::Level(level) => {
                let mut level = level.clone();
                for layer in &mut level.layers {
                    let LayerContent::Entities(all) = &layer.content else { continue };
                    let renamed = all.iter().filter_map(|(id, it)| {
                        let mut new = (**it).clone();
                        (self.ops)(&mut new.ops).then(|| (id.clone(), Arc::new(new)))
                    });
                    let renamed: Vec<_> = renamed.collect();
                    if renamed.is_empty() {
                        continue;
                    }
                    changed = true;
                    if let LayerContent::Entities(all) = &mut Arc::make_mut(layer).content {
                        all.extend(renamed);
                    }
                }
                Document::Level(level)
            }
            Document::Machines(file) => {
                let mut file = file.clone();
                for machine in file.machines.values_mut() {
                    let mut new = (**machine).clone();
                    if (self.state)(&mut new.root) {
                        *machine = Arc::new(new);
                        changed = true;
                    }
                }
                Document::Machines(file)
            }
            Document::Scenario(scenario) => {
                let mut scenario = scenario.clone();
                for cue in &mut scenario.script {
                    if let CueKind::Send { message, .. } = &mut cue.what {
                        changed |= (self.message)(message);
                    }
                }
                Document::Scenario(scenario)
            }
            _ => return None,
        };
        changed.then_some(new)
    }
}

/// `text` with `from` at its beginning replaced, where it is followed by nothing, a dot or a bracket.
fn replaced(text: &str, from: &str, to: &str) -> Option<String> {
    let rest = text.strip_prefix(from)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then(|| format!("{to}{rest}"))
}

/// Rename in every entry of `remove`, and the arguments that name fields as `Component.field`.
pub(super) fn rename_path(texts: &mut [String], from: &str, to: &str) -> bool {
    let mut changed = false;
    for text in texts {
        if let Some(new) = replaced(text, from, to) {
            *text = new;
            changed = true;
        }
    }
    changed
}

/// Rename in arguments of these names.
pub(super) fn rename_args(state: &mut State, args: &[&str], from: &str, to: &str) -> bool {
    let mut changed = false;
    visit_calls(state, &mut |call: &mut Call| {
        for (name, value) in &mut call.args {
            if let Value::Str(text) = value
                && args.contains(&&**name)
                && let Some(new) = replaced(text, from, to)
            {
                *text = new;
                changed = true;
            }
        }
    });
    changed
}

pub(super) fn rename_component(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
) -> Result<(), Refusal> {
    if !schema(project, path)?.components.contains_key(from) {
        return Err(Refusal::new(format!("`{path}` declares no component `{from}`")));
    }
    if from == to {
        return Ok(());
    }
    check_word("a component", to)?;
    if let Some(by) = declared(project, |schema| schema.components.contains_key(to)) {
        return Err(taken("a component", to, Some(by)));
    }
    check_unused(project, "component", to, &Uses::of_component(to, &nowhere()))?;
    rekey(&mut schema_mut(project, path)?.components, from, to);
    Uses::of_component(from, to).rename_in(project);
    Ok(())
}

pub(super) fn rename_field(
    project: &mut Project,
    (path, component): (&DocPath, &Name),
    (from, to): (&Name, &Name),
) -> Result<(), Refusal> {
    let found = schema(project, path)?.components.get(component).filter(|spec| spec.fields.contains_key(from));
    if found.is_none() {
        return Err(Refusal::new(format!("`{path}` declares no field `{component}.{from}`")));
    }
    if from == to {
        return Ok(());
    }
    check_word("a field", to)?;
    let has = |schema: &Schema| schema.field(component, to).is_some();
    if let Some(by) = declared(project, has) {
        return Err(taken("a field", to, Some(by)));
    }
    check_unused(project, "field", to, &Uses::of_field(component, to, &nowhere()))?;
    if let Some(spec) = schema_mut(project, path)?.components.get_mut(component) {
        rekey(&mut spec.fields, from, to);
    }
    rename_in_response(project, component, (from, to));
    Uses::of_field(component, from, to).rename_in(project);
    Ok(())
}

/// Rename a field where what its component smooths is said, in whichever schema.
fn rename_in_response(project: &mut Project, component: &Name, (from, to): (&Name, &Name)) {
    let is_it = |value: &Value| matches!(value, Value::Str(text) if **text == **from);
    for doc in project.documents.values_mut() {
        let Document::Schema(schema) = &**doc else { continue };
        let response = schema.components.get(component).and_then(|spec| spec.response.as_ref());
        if !response.is_some_and(|response| response.args.values().any(is_it)) {
            continue;
        }
        if let Document::Schema(schema) = Arc::make_mut(doc)
            && let Some(response) = schema.components.get_mut(component).and_then(|spec| spec.response.as_mut())
        {
            response.args.values_mut().filter(|value| is_it(value)).for_each(|value| *value = Value::str(&**to));
        }
    }
}

/// Rename a message: in the schema at `path`, if that declares it, and in every use. One that no schema declares is only
/// used.
pub(super) fn rename_message(project: &mut Project, path: &DocPath, (from, to): (&Name, &Name)) -> Result<(), Refusal> {
    let is_here = |schema: &Schema| schema.messages.contains_key(from);
    let is_declared = matches!(doc(project, path)?, Document::Schema(schema) if is_here(schema));
    if !is_declared {
        if let Some(by) = declared(project, is_here) {
            return Err(Refusal::new(format!("the message `{from}` is declared in `{by}`")));
        }
        if !Uses::of_message(from, &nowhere()).is_any_in(project) {
            return Err(Refusal::new(format!("`{path}` declares no message `{from}`, and nothing uses one")));
        }
    }
    if from == to {
        return Ok(());
    }
    check_word("a message", to)?;
    if let Some(by) = declared(project, |schema| schema.messages.contains_key(to)) {
        return Err(taken("a message", to, Some(by)));
    }
    check_unused(project, "message", to, &Uses::of_message(to, &nowhere()))?;
    if is_declared {
        rekey(&mut schema_mut(project, path)?.messages, from, to);
    }
    Uses::of_message(from, to).rename_in(project);
    Ok(())
}

/// Rename a word of an enum that a schema declares, and every value of that enum.
pub(super) fn rename_word(
    project: &mut Project,
    (path, of): (&DocPath, &Name),
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let words = schema(project, path)?.enums.get(of);
    let Some(words) = words.filter(|words| words.contains(from)) else {
        return Err(Refusal::new(format!("`{path}` declares no word `{from}` of `{of}`")));
    };
    if from == to {
        return Ok(());
    }
    check_word("a word of an enum", to)?;
    if words.contains(to) {
        return Err(taken("a word", to, Some(path)));
    }
    if ["None", "Some", "true", "false"].contains(&&**to) {
        return Err(Refusal::new(format!("`{to}` means something else in files")));
    }
    let (old, new) = (format!("{of}.{from}"), format!("{of}.{to}"));
    if references::is_used(project, &new, typed) {
        return Err(in_use("word", to));
    }
    if let Some(words) = schema_mut(project, path)?.enums.get_mut(of) {
        words.iter_mut().filter(|word| *word == from).for_each(|word| *word = to.clone());
    }
    references::rename(project, &old, &new, typed);
    Ok(())
}

/// Rename a tag of entities, tiles and waypoints wherever it is said or asked for.
pub(super) fn rename_tag(project: &mut Project, (from, to): (&Name, &Name), typed: &TypedRefs) -> Result<(), Refusal> {
    if typed.kind != RefKind::Tag || !references::is_used(project, from, typed) {
        return Err(Refusal::new(format!("nothing has the tag `{from}`")));
    }
    if from == to {
        return Ok(());
    }
    check_name("a tag", to)?;
    if to.contains(['/', '"']) {
        return Err(Refusal::new("a tag has no `/` and no quotes in it"));
    }
    if references::is_used(project, to, typed) {
        return Err(in_use("tag", to));
    }
    references::rename(project, from, to, typed);
    Ok(())
}

/// Refuse a name that files use already, though nothing declares it.
fn check_unused(project: &Project, what: &str, name: &Name, uses: &Uses<'_>) -> Result<(), Refusal> {
    if uses.is_any_in(project) { Err(in_use(what, name)) } else { Ok(()) }
}

/// A name no file can have: what would be renamed to it is what uses the name it had.
fn nowhere() -> Name {
    "\n".into()
}

fn in_use(what: &str, name: &str) -> Refusal {
    Refusal::new(format!("the {what} `{name}` is used already; two that become one could not be told apart again"))
}

/// Rename in handlers and transitions of a state and of those inside it. A handler for `to` that is there already keeps
/// its actions, after those of `from`.
fn rename_answers(state: &mut State, (from, to): (&Name, &Name), message: &dyn Fn(&mut Name) -> bool) -> bool {
    let kept = if state.on.contains_key(from) { state.on.shift_remove(to) } else { None };
    let mut changed = rekey(&mut state.on, from, to);
    if let (Some(calls), Some(kept)) = (state.on.get_mut(to), kept) {
        calls.extend(kept);
    }
    for transition in &mut state.transitions {
        if let Trigger::On(name) = &mut transition.trigger {
            changed |= message(name);
        }
    }
    for child in state.states.values_mut() {
        changed |= rename_answers(child, (from, to), message);
    }
    changed
}

/// Which schema of the project declares something.
fn declared(project: &Project, has: impl Fn(&Schema) -> bool) -> Option<&DocPath> {
    let mut schemas = project.documents.iter().filter_map(|(path, doc)| match &**doc {
        Document::Schema(schema) => Some((path, schema)),
        _ => None,
    });
    schemas.find(|(_, schema)| has(schema)).map(|(path, _)| path)
}

/// Refuse what cannot stand as a bare word in a file.
pub(super) fn check_word(what: &str, name: &str) -> Result<(), Refusal> {
    check_name(what, name)?;
    let mut chars = name.chars();
    let is_word =
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_');
    if is_word {
        Ok(())
    } else {
        Err(Refusal::new(format!("the name of {what} is one word of letters, digits and `_`")))
    }
}
