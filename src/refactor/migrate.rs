//! What to do with data that a changed schema leaves behind: renamed with what took its place, or removed.
//!
//! Invariant: only schemas are compared to tell what vanished, and only uses that are there are offered. Whether a word was
//! renamed nobody can know; what appeared in its place with the same shape is proposed, likeliest first.

use indexmap::IndexMap;

use crate::{
    edit::{Edit, EnumUses, Word},
    model::{
        Call, Condition, CueKind, DocPath, Document, FieldPath, FieldSpec, FieldType, Finding, Location, Name, OpKind,
        Ops, Project, Schema, State, Trigger, Value,
    },
};

/// Something a schema declared and declares no more.
#[derive(Clone, Debug, PartialEq)]
pub struct Vanished {
    /// What it was.
    pub word: Word,
    /// New words of its kind that could be it, likeliest first.
    pub candidates: Vec<Name>,
}

/// A way to let the data follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Migration {
    /// What vanished.
    pub word: Word,
    /// What it becomes; `None` removes it.
    pub to: Option<Name>,
    /// What a button says: `Rename Loot.gold to coins in 12 places`.
    pub label: String,
    /// The edits that do it, as one step.
    pub edits: Vec<Edit>,
    /// Every use.
    pub places: Vec<Location>,
}

impl Vanished {
    /// Whether a problem may be about it: quick to ask, so that what is long mended is not looked for again and again.
    #[must_use]
    pub fn may_explain(&self, finding: &Finding) -> bool {
        let name = match &self.word {
            Word::Component(name) | Word::Message(name) => name,
            Word::Field { field, .. } => field,
            Word::Enum { word, .. } => word,
        };
        finding.message.contains(&**name)
    }
}

/// What `new` declares no more that `old` did.
#[must_use]
pub fn vanished(old: &Schema, new: &Schema) -> Vec<Vanished> {
    let mut out = Vec::new();
    for (name, words) in &old.enums {
        let Some(now) = new.enums.get(name) else { continue };
        for (at, word) in words.iter().enumerate().filter(|(_, word)| !now.contains(word)) {
            let appeared = now.iter().enumerate().filter(|(_, it)| !words.contains(it));
            let candidates = likeliest(at, word, appeared.map(|(at, it)| (at, it, 0)));
            out.push(Vanished { word: Word::Enum { name: name.clone(), word: word.clone() }, candidates });
        }
    }
    let gone = old.components.iter().enumerate().filter(|(_, (name, _))| !new.components.contains_key(*name));
    for (at, (name, spec)) in gone {
        let appeared = new.components.iter().enumerate().filter(|(_, (it, _))| !old.components.contains_key(*it));
        let alike = appeared.filter_map(|(at, (it, other))| Some((at, it, alike(&spec.fields, &other.fields)?)));
        out.push(Vanished { word: Word::Component(name.clone()), candidates: likeliest(at, name, alike) });
    }
    for (component, spec) in &old.components {
        let Some(now) = new.components.get(component) else { continue };
        for (at, (field, spec_of)) in spec.fields.iter().enumerate() {
            if now.fields.contains_key(field) {
                continue;
            }
            let appeared = now.fields.iter().enumerate();
            let appeared = appeared.filter(|(_, (it, other))| !spec.fields.contains_key(*it) && other.ty == spec_of.ty);
            let candidates = likeliest(at, field, appeared.map(|(at, (it, _))| (at, it, 0)));
            let word = Word::Field { component: component.clone(), field: field.clone() };
            out.push(Vanished { word, candidates });
        }
    }
    let gone = old.messages.iter().enumerate().filter(|(_, (name, _))| !new.messages.contains_key(*name));
    for (at, (name, spec)) in gone {
        let appeared = new.messages.iter().enumerate().filter(|(_, (it, _))| !old.messages.contains_key(*it));
        let alike = appeared.filter_map(|(at, (it, other))| Some((at, it, alike(&spec.payload, &other.payload)?)));
        out.push(Vanished { word: Word::Message(name.clone()), candidates: likeliest(at, name, alike) });
    }
    out
}

/// How many fields two declarations do not share, if they share at least half of the larger one's.
fn alike(old: &IndexMap<Name, FieldSpec>, new: &IndexMap<Name, FieldSpec>) -> Option<usize> {
    let shared = old.iter().filter(|(name, spec)| new.get(*name).is_some_and(|other| other.ty == spec.ty)).count();
    let most = old.len().max(new.len());
    (shared * 2 >= most).then_some(most - shared)
}

/// Candidates by how little they differ, then by how far from the old place they stand, then by how their names differ.
fn likeliest<'n>(at: usize, name: &str, found: impl Iterator<Item = (usize, &'n Name, usize)>) -> Vec<Name> {
    let mut all: Vec<_> = found
        .map(|(place, it, differs)| (differs, place.abs_diff(at), strsim::damerau_levenshtein(name, it), it.clone()))
        .collect();
    all.sort();
    all.into_iter().map(|(.., name)| name).collect()
}

/// The ways to let a project follow what vanished. `schema` is what is declared now, the built-in words too. Nothing is
/// offered for what nobody uses, nor for what is declared again.
#[must_use]
pub fn migrations(vanished: &[Vanished], schema: &Schema, project: &Project) -> Vec<Migration> {
    let mut out = Vec::new();
    let schemas = project.documents.iter().filter(|(_, document)| matches!(&***document, Document::Schema(_)));
    // The last schema may be gone with its file; an edit has to name some document all the same.
    let doc = schemas.map(|(path, _)| path).chain(project.documents.keys()).next();
    let Some(doc) = doc else { return out };
    for Vanished { word, candidates } in vanished {
        if is_declared(schema, word) {
            continue;
        }
        let typed = match word {
            Word::Enum { name, .. } => EnumUses::of(schema, name),
            _ => EnumUses::default(),
        };
        let places = uses(project, word, &typed);
        if places.is_empty() {
            continue;
        }
        let n = places.len();
        let count = if n == 1 { "1 place".to_owned() } else { format!("{n} places") };
        let edit = |to: Option<&Name>| Edit::RewriteUses {
            doc: doc.clone(),
            word: word.clone(),
            to: to.cloned(),
            typed: typed.clone(),
        };
        let still = candidates.iter().filter(|to| is_declared(schema, &word.renamed((*to).clone())));
        for to in still {
            out.push(Migration {
                word: word.clone(),
                to: Some(to.clone()),
                label: format!("Rename {word} to {to} in {count}"),
                edits: vec![edit(Some(to))],
                places: places.clone(),
            });
        }
        // Whoever waits for a message that is no more has to be thought about, not cut out.
        if !matches!(word, Word::Message(_)) {
            out.push(Migration {
                word: word.clone(),
                to: None,
                label: format!("Remove {word} from {count}"),
                edits: vec![edit(None)],
                places,
            });
        }
    }
    out
}

/// Whether a schema declares a word.
#[must_use]
pub fn is_declared(schema: &Schema, word: &Word) -> bool {
    match word {
        Word::Component(name) => schema.components.contains_key(name),
        Word::Field { component, field } => schema.field(component, field).is_some(),
        Word::Enum { name, word } => schema.enums.get(name).is_some_and(|words| words.contains(word)),
        Word::Message(name) => schema.messages.contains_key(name),
    }
}

/// Where a project uses a word.
#[must_use]
pub fn uses(project: &Project, word: &Word, typed: &EnumUses) -> Vec<Location> {
    let mut out = Vec::new();
    for (doc, document) in &project.documents {
        let mut look = Look { doc, word, typed, out: &mut out };
        match &**document {
            Document::Entities(file) => {
                for (name, def) in &file.defs {
                    look.ops(&FieldPath::keys([name]), &def.ops);
                }
            }
            Document::Level(level) => {
                for (at, id, instance) in level.entities() {
                    look.ops(&FieldPath::keys(["layers"]).index(at).key("entities").key(id), &instance.ops);
                }
            }
            Document::Machines(file) => {
                for (name, machine) in &file.machines {
                    look.state(&FieldPath::keys([name]), &machine.root);
                }
            }
            Document::Scenario(scenario) => {
                for (i, cue) in scenario.script.iter().enumerate() {
                    if let (Word::Message(name), CueKind::Send { message, .. }) = (word, &cue.what)
                        && message == name
                    {
                        look.found(FieldPath::keys(["script"]).index(i).key("send"), false);
                    }
                }
            }
            _ => {}
        }
    }
    out
}

struct Look<'a> {
    doc: &'a DocPath,
    word: &'a Word,
    typed: &'a EnumUses,
    out: &'a mut Vec<Location>,
}

impl Look<'_> {
    fn found(&mut self, path: FieldPath, at_key: bool) {
        self.out.push(Location { doc: self.doc.clone(), path, at_key, span: None });
    }

    fn ops(&mut self, base: &FieldPath, ops: &Ops) {
        if let Some(prefix) = self.word.path() {
            for (i, entry) in ops.remove.iter().enumerate() {
                if Word::leads(entry, &prefix) {
                    self.found(base.key(OpKind::Remove.key()).index(i), false);
                }
            }
        }
        for op in OpKind::VALUED {
            for (component, fields) in ops.values(op).into_iter().flatten() {
                let at = base.key(op.key()).key(component);
                match self.word {
                    Word::Component(name) if name == component => self.found(at, true),
                    Word::Field { component: of, field } if of == component && fields.contains_key(field) => {
                        self.found(at.key(field), true);
                    }
                    Word::Enum { word, .. } => {
                        for (field, value) in fields {
                            if let Some(ty) = self.typed.field(component, field) {
                                self.value(ty, value, word, &at.key(field));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn value(&mut self, ty: &FieldType, value: &Value, word: &Name, at: &FieldPath) {
        match (ty, value) {
            (FieldType::Enum(name), Value::Symbol(said)) if self.word.is_of(name) && said == word => {
                self.found(at.clone(), false);
            }
            (FieldType::Flags(name), Value::List(items)) => {
                let item = FieldType::Enum(name.clone());
                items.iter().enumerate().for_each(|(i, value)| self.value(&item, value, word, &at.index(i)));
            }
            (FieldType::List(item), Value::List(items)) => {
                items.iter().enumerate().for_each(|(i, value)| self.value(item, value, word, &at.index(i)));
            }
            (FieldType::Map(item), Value::Map(entries)) => {
                for (key, value) in entries {
                    self.value(item, value, word, &at.key(key.as_str().unwrap_or_default()));
                }
            }
            (FieldType::Struct(specs), Value::Struct(fields)) => {
                for (name, value) in fields {
                    if let Some(spec) = specs.get(name) {
                        self.value(&spec.ty, value, word, &at.key(name));
                    }
                }
            }
            (FieldType::Option(inner), _) if !value.is_none() => match value {
                Value::Tagged(tag, content) if &**tag == "Some" => {
                    let content = content.as_list().and_then(<[Value]>::first).unwrap_or(content);
                    // As misfits are told: `Some` is no step of the way.
                    self.value(inner, content, word, at);
                }
                _ => self.value(inner, value, word, at),
            },
            _ => {}
        }
    }

    fn state(&mut self, at: &FieldPath, state: &State) {
        if let Word::Message(name) = self.word {
            if state.on.contains_key(name) {
                self.found(at.key("on").key(name), true);
            }
            for (i, transition) in state.transitions.iter().enumerate() {
                if matches!(&transition.trigger, Trigger::On(message) if message == name) {
                    self.found(at.key("transitions").index(i).key("on"), false);
                }
            }
        }
        each_call(at, state, &mut |call, path| {
            for (arg, value) in &call.args {
                let at = path.key(arg);
                if let Word::Enum { word, .. } = self.word {
                    if let Some(ty) = self.typed.arg(&call.name, arg) {
                        self.value(ty, value, word, &at);
                    }
                } else if let (true, Some(said), Some(prefix)) =
                    (self.word.is_said_by(arg), value.as_str(), self.word.path())
                    && Word::leads(said, &prefix)
                {
                    self.found(at, false);
                }
            }
        });
        for (name, inside) in &state.states {
            self.state(&at.key("states").key(name), inside);
        }
    }
}

/// Every call of a state, not of those inside it, with the way to it.
fn each_call(at: &FieldPath, state: &State, visit: &mut dyn FnMut(&Call, &FieldPath)) {
    fn asked(condition: &Condition, at: &FieldPath, visit: &mut dyn FnMut(&Call, &FieldPath)) {
        match condition {
            Condition::Call(call) => visit(call, at),
            // `All([…])` holds one list, `Not(…)` one condition.
            Condition::All(list) | Condition::Any(list) => {
                list.iter().enumerate().for_each(|(i, inner)| asked(inner, &at.index(0).index(i), visit));
            }
            Condition::Not(inner) => asked(inner, &at.index(0), visit),
        }
    }
    for (key, calls) in [("enter", &state.enter), ("exit", &state.exit), ("update", &state.update)] {
        calls.iter().enumerate().for_each(|(i, call)| visit(call, &at.key(key).index(i)));
    }
    for (message, calls) in &state.on {
        calls.iter().enumerate().for_each(|(i, call)| visit(call, &at.key("on").key(message).index(i)));
    }
    for (n, transition) in state.transitions.iter().enumerate() {
        let at = at.key("transitions").index(n);
        if let Trigger::When(condition) = &transition.trigger {
            asked(condition, &at.key("when"), visit);
        }
        if let Some(guard) = &transition.guard {
            asked(guard, &at.key("if"), visit);
        }
        transition.actions.iter().enumerate().for_each(|(i, call)| visit(call, &at.key("do").index(i)));
    }
}
