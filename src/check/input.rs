//! The input of rules: the project, its resolution, and indices of both so that a rule finds its places without
//! searching.
//!
//! Invariants: everything here is sorted by documents or names, so rules are deterministic by themselves. Declared
//! values are indexed by component, so a rule about some components reads nothing else. `declarers` and `levels` hold
//! the definitions and levels in scope: a rule looks for problems in these and finds none elsewhere. Further data that
//! a rule reads, in `project` and `resolution`, is among the dependencies listed in `scope`.

use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

use foldhash::{HashMap, HashMapExt};

use crate::{
    defs::{Resolution, Resolved},
    edit::{Edit, Owner},
    model::{
        DocKind, DocPath, Document, EntitiesFile, EntityDef, FieldPath, Fields, Finding, Level, Location, Machine,
        Name, OpKind, Ops, Project, Scenario, Schema, Seg, StampFile, Suggestions, Tileset, TuningPage, Value,
    },
};

use super::{
    Fix, LeftOut,
    machines::{self, CallSite, MachineAt},
    scope::{Images, Scope},
    walks::{self, Walked},
};

/// A definition or placed entity with declared values.
#[derive(Clone)]
pub(super) struct Declarer<'a> {
    pub owner: Owner,
    pub ops: &'a Ops,
    /// For a definition: its text form, and the resolved definition of its name.
    pub def: Option<&'a EntityDef>,
    pub resolved: Option<&'a Resolved>,
    /// For a placed entity: the path of its layer.
    layer: Option<FieldPath>,
}

impl<'a> Declarer<'a> {
    fn of_def(doc: &DocPath, name: &Name, def: &'a EntityDef, resolved: Option<&'a Resolved>) -> Self {
        let owner = Owner::Def { doc: doc.clone(), name: name.clone() };
        Self { owner, ops: &def.ops, def: Some(def), resolved, layer: None }
    }

    /// The path of what an operation declares for a component.
    pub(super) fn at(&self, op: OpKind, component: &Name) -> FieldPath {
        self.base().key(op.key()).key(component)
    }

    /// The path of what it sets for the first of these components, or its own if it sets none.
    pub(super) fn set_at(&self, components: &[&str]) -> FieldPath {
        let set = self.ops.values(OpKind::Set);
        let sets = |component: &&&str| set.is_some_and(|set| set.contains_key(**component));
        let base = self.base();
        match components.iter().find(sets) {
            Some(component) => base.key(OpKind::Set.key()).key(component),
            None => base,
        }
    }

    /// The path of its operations.
    pub(super) fn base(&self) -> FieldPath {
        match (&self.owner, &self.layer) {
            (Owner::Instance { id, .. }, Some(at)) => at.key("entities").key(id),
            (Owner::Def { name, .. } | Owner::Instance { id: name, .. }, _) => FieldPath(vec![Seg::Key(name.clone())]),
        }
    }
}

/// What an operation declares for a component.
#[derive(Clone, Copy)]
pub(super) struct DeclaredFields<'a> {
    /// Index of the declarer.
    declarer: usize,
    pub op: OpKind,
    pub component: &'a Name,
    pub fields: &'a Fields,
}

/// The target of a location in a definition or placed entity.
pub(super) struct DeclaredAt<'a> {
    pub owner: Owner,
    pub ops: &'a Ops,
    pub op: OpKind,
    /// The component, and the field if the location includes one. Empty for an entry of `remove`.
    pub component: Name,
    pub field: Option<Name>,
    /// The rest of the path, inside the field's value.
    pub inner: FieldPath,
    /// Index of the entry of `remove`.
    pub entry: Option<usize>,
}

pub(super) struct Input<'a> {
    pub project: &'a Project,
    pub resolution: &'a Resolution,
    pub images: Option<&'a Images>,
    scope: &'a Scope,
    /// Every definition in scope, and every placed entity in scope with overrides.
    pub declarers: Vec<Declarer<'a>>,
    pub machines: Vec<MachineAt<'a>>,
    /// Every call of every machine.
    pub calls: Vec<CallSite<'a>>,
    found: BTreeMap<Name, Vec<Finding>>,
    most: usize,
    /// The number of problems per rule, found by resolving, beyond `most`.
    pub left_out: LeftOut,
    suggestions: RefCell<Suggestions>,
    /// The declarations, by component.
    declared: HashMap<&'a str, Vec<DeclaredFields<'a>>>,
    /// The agents on waypoints, computed when first needed.
    walked: OnceCell<Vec<Walked>>,
    /// Placed entities among the declarers, by level and id.
    placed: HashMap<(DocPath, Name), usize>,
}

impl<'a> Input<'a> {
    /// At most `most` findings per rule are kept of those found by resolving.
    pub(super) fn new(
        most: usize,
        project: &'a Project,
        resolution: &'a Resolution,
        images: Option<&'a Images>,
        scope: &'a Scope,
    ) -> Self {
        let mut input = Self {
            most,
            project,
            resolution,
            images,
            scope,
            declarers: Vec::new(),
            machines: Vec::new(),
            calls: Vec::new(),
            found: BTreeMap::new(),
            left_out: LeftOut::new(),
            suggestions: RefCell::default(),
            declared: HashMap::new(),
            walked: OnceCell::new(),
            placed: HashMap::new(),
        };
        let of_names = resolution.name_findings().filter(|finding| scope.has(project, &finding.location));
        of_names.for_each(|finding| input.meet(finding.clone()));
        match scope {
            Scope::Everything => input.meet_all(),
            Scope::Some { defs, .. } => {
                let names: BTreeSet<&Name> = defs.iter().map(|(_, name)| name).collect();
                let of_defs = names.into_iter().flat_map(|name| resolution.findings_of(name));
                let of_defs = of_defs.filter(|finding| scope.has(project, &finding.location));
                of_defs.for_each(|finding| input.meet(finding.clone()));
            }
        }
        let mut some: HashMap<&DocPath, Vec<&Name>> = HashMap::new();
        if let Scope::Some { defs, .. } = scope {
            defs.iter().for_each(|(doc, name)| some.entry(doc).or_default().push(name));
        }
        for (doc, document) in &project.documents {
            match &**document {
                Document::Entities(file) => {
                    some.remove(doc).into_iter().for_each(|names| input.meet_definitions(doc, file, &names));
                }
                Document::Level(level) if scope.has_level(doc) => input.meet_entities(doc, level),
                Document::Machines(file) => {
                    for (name, machine) in &file.machines {
                        input.machines.push(MachineAt { doc, name, machine });
                    }
                }
                _ => {}
            }
        }
        for (i, declarer) in input.declarers.iter().enumerate() {
            for op in OpKind::VALUED {
                for (component, fields) in declarer.ops.values(op).into_iter().flatten() {
                    input.declared.entry(component).or_default().push(DeclaredFields {
                        declarer: i,
                        op,
                        component,
                        fields,
                    });
                }
            }
            if let Owner::Instance { doc, id, .. } = &declarer.owner {
                input.placed.insert((doc.clone(), id.clone()), i);
            }
        }
        input.calls = input.machines.iter().flat_map(|machine| machines::calls(*machine)).collect();
        input
    }

    /// The declarations of a component, with the definition or placed entity of each.
    pub(super) fn declared(&self, component: &str) -> impl Iterator<Item = (&Declarer<'a>, &DeclaredFields<'a>)> {
        self.declared
            .get(component)
            .into_iter()
            .flatten()
            .map(|declared| (&self.declarers[declared.declarer], declared))
    }

    /// Collect every definition, with its findings.
    fn meet_all(&mut self) {
        let resolution = self.resolution;
        self.declarers.reserve(resolution.def_docs.len());
        for written in resolution.written() {
            let resolved = written.resolved.map(|resolved| &**resolved);
            for (i, doc) in written.docs.iter().enumerate() {
                let def = if i == 0 { Some(written.def) } else { self.project.def(doc, written.name) };
                self.declarers.extend(def.map(|def| Declarer::of_def(doc, written.name, def, resolved)));
            }
            written.findings.iter().for_each(|finding| self.meet(finding.clone()));
        }
    }

    fn meet(&mut self, finding: Finding) {
        match self.found.get_mut(&finding.rule) {
            // There may be hundreds of thousands, and a rule prepares the fixes of each.
            Some(found) if found.len() >= self.most => {
                *self.left_out.entry((finding.rule, finding.severity)).or_default() += 1;
            }
            Some(found) => found.push(finding),
            None => drop(self.found.insert(finding.rule.clone(), vec![finding])),
        }
    }

    /// Collect the definitions of a file that are in scope, if not all are.
    fn meet_definitions(&mut self, doc: &'a DocPath, file: &'a EntitiesFile, names: &[&Name]) {
        let mut here: Vec<_> = names.iter().filter_map(|name| file.defs.get_full(*name)).collect();
        here.sort_by_key(|(index, ..)| *index);
        for (_, name, def) in here {
            let resolved = self.resolution.defs.get(name).map(|resolved| &**resolved);
            self.declarers.push(Declarer::of_def(doc, name, def, resolved));
        }
    }

    fn meet_entities(&mut self, doc: &DocPath, level: &'a Level) {
        let (layers, paths) = (level.all_layers(), level.layer_paths());
        for (at, id, instance) in level.entities() {
            let fine = self.resolution.defs.get(&instance.def).is_some_and(|def| !def.is_abstract);
            if fine && instance.ops.is_empty() {
                continue;
            }
            let Some((layer, path)) = layers.get(at).zip(paths.get(at)) else { continue };
            let (_, findings) = self.resolution.instance(doc, path, id, instance);
            findings.into_iter().for_each(|finding| self.meet(finding));
            self.declarers.push(Declarer {
                owner: Owner::Instance { doc: doc.clone(), layer: layer.name.clone(), id: id.clone() },
                ops: &instance.ops,
                def: None,
                resolved: None,
                layer: Some(path.clone()),
            });
        }
    }

    /// Documents of a kind that exist and cannot be read.
    pub(super) fn unreadable(&self, kind: DocKind) -> impl Iterator<Item = &'a DocPath> {
        let all = self.images.into_iter().flatten();
        all.filter(move |(path, size)| size.is_err() && path.kind() == Some(kind)).map(|(path, _)| path)
    }

    /// Advice on a name that is missing because the file that may declare it cannot be read.
    pub(super) fn may_be_in(&self, kind: DocKind) -> Option<String> {
        let mut files = self.unreadable(kind);
        let first = files.next()?;
        let more = if files.next().is_some() { " and others" } else { "" };
        Some(format!("`{first}`{more} cannot be read and may declare it"))
    }

    /// The known name that was probably meant, while this check has effort left for suggestions.
    pub(super) fn near<'n>(&self, word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        self.suggestions.borrow_mut().did_you_mean(word, known)
    }

    /// The levels in scope with waypoints, and the agents that follow them.
    pub(super) fn walked(&self) -> impl Iterator<Item = (&Walked, &'a Level)> {
        let all = self.walked.get_or_init(|| walks::walked(self)).iter();
        all.filter_map(|walked| Some((walked, self.project.level(&walked.doc)?)))
    }

    /// The findings of a rule from resolving.
    pub(super) fn found(&self, rule: &str) -> &[Finding] {
        self.found.get(rule).map_or(&[], Vec::as_slice)
    }

    pub(super) fn schema(&self) -> &'a Schema {
        &self.resolution.schema
    }

    /// Calls that the preview performs: the meaning of their arguments is known beyond their types.
    pub(super) fn built_in_calls(&self) -> impl Iterator<Item = &CallSite<'a>> {
        let known = &self.resolution.builtin().schema;
        self.calls.iter().filter(|site| {
            let specs = if site.is_condition { &known.conditions } else { &known.actions };
            specs.contains_key(&site.call.name)
        })
    }

    /// The levels in scope.
    pub(super) fn levels(&self) -> impl Iterator<Item = (&'a DocPath, &'a Level)> {
        self.project.levels().filter(|(doc, _)| self.scope.has_level(doc))
    }

    pub(super) fn scenarios(&self) -> impl Iterator<Item = (&'a DocPath, &'a Scenario)> {
        self.project.documents.iter().filter_map(|(path, doc)| match &**doc {
            Document::Scenario(scenario) => Some((path, scenario)),
            _ => None,
        })
    }

    pub(super) fn stamps(&self) -> impl Iterator<Item = (&'a DocPath, &'a StampFile)> {
        self.project.documents.iter().filter_map(|(path, doc)| match &**doc {
            Document::Stamp(stamp) => Some((path, stamp)),
            _ => None,
        })
    }

    pub(super) fn tilesets(&self) -> impl Iterator<Item = (&'a DocPath, &'a Tileset)> {
        self.project.documents.iter().filter_map(|(path, doc)| match &**doc {
            Document::Tileset(tileset) => Some((path, tileset)),
            _ => None,
        })
    }

    pub(super) fn pages(&self) -> impl Iterator<Item = (&'a DocPath, &'a TuningPage)> {
        self.project.documents.iter().filter_map(|(path, doc)| match &**doc {
            Document::Tuning(page) => Some((path, page)),
            _ => None,
        })
    }

    pub(super) fn schemas(&self) -> impl Iterator<Item = (&'a DocPath, &'a Schema)> {
        self.project.documents.iter().filter_map(|(path, doc)| match &**doc {
            Document::Schema(schema) => Some((path, schema)),
            _ => None,
        })
    }

    /// The tileset with a name.
    pub(super) fn tileset(&self, name: &str) -> Option<&'a Tileset> {
        self.project.tileset(self.resolution.tilesets.get(name)?)
    }

    /// The level with a name.
    pub(super) fn level(&self, name: &str) -> Option<&'a Level> {
        self.project.level(self.resolution.levels.get(name)?)
    }

    /// The machine with a name.
    pub(super) fn machine(&self, name: &str) -> Option<&'a Machine> {
        self.project.machine(self.resolution.machines.get(name)?, name).map(|machine| &**machine)
    }

    /// The definition or placed entity with a name in a document, if it is in scope and declares anything.
    fn declarer(&self, doc: &DocPath, name: &Name) -> Option<Declarer<'a>> {
        if let Some(i) = self.placed.get(&(doc.clone(), name.clone())) {
            return self.declarers.get(*i).cloned();
        }
        Some(Declarer::of_def(doc, name, self.project.def(doc, name)?, None))
    }

    /// The target of a location in a definition or placed entity.
    pub(super) fn declared_at(&self, location: &Location) -> Option<DeclaredAt<'a>> {
        let name = match (location.doc.kind(), location.path.within_layer()) {
            (Some(DocKind::Level), [Seg::Key(_), Seg::Key(id), ..]) => id,
            (_, [Seg::Key(name), ..]) => name,
            _ => return None,
        };
        let declarer = self.declarer(&location.doc, name)?;
        let base = declarer.base();
        if !location.path.0.starts_with(&base.0) {
            return None;
        }
        let rest = location.path.0.get(base.0.len()..)?;
        let (Seg::Key(op), rest) = rest.split_first()? else { return None };
        let declared = |op, component: &Name, field: Option<&Name>, inner: &[Seg], entry| DeclaredAt {
            owner: declarer.owner.clone(),
            ops: declarer.ops,
            op,
            component: component.clone(),
            field: field.cloned(),
            inner: FieldPath(inner.to_vec()),
            entry,
        };
        if &**op == OpKind::Remove.key() {
            let [Seg::Index(entry)] = rest else { return None };
            return Some(declared(OpKind::Remove, &"".into(), None, &[], Some(*entry)));
        }
        let op = OpKind::VALUED.into_iter().find(|kind| kind.key() == &**op)?;
        match rest {
            [Seg::Key(component), Seg::Key(field), inner @ ..] => {
                Some(declared(op, component, Some(field), inner, None))
            }
            [Seg::Key(component)] => Some(declared(op, component, None, &[], None)),
            _ => None,
        }
    }
}

impl DeclaredAt<'_> {
    /// The fix that sets the target to another value.
    pub(super) fn put(&self, label: String, value: Value) -> Option<Fix> {
        let (component, field) = (self.component.clone(), self.field.clone()?);
        let edit = Edit::SetValue {
            owner: self.owner.clone(),
            op: self.op,
            component,
            field,
            inner: self.inner.clone(),
            value,
        };
        Some(Fix::new(label, edit))
    }

    /// The value that contains the target.
    pub(super) fn value(&self) -> Option<&Value> {
        self.ops.declared(self.op, &self.component, self.field.as_ref()?)
    }

    /// The fix that removes the declaration of the target, as far as the path leads through structs and maps: of a list
    /// only the whole can be reset.
    pub(super) fn reset(&self) -> Option<Fix> {
        let (component, field) = (self.component.clone(), self.field.clone()?);
        let keys = self.inner.0.iter().take_while(|seg| matches!(seg, Seg::Key(_)));
        let inner = FieldPath(keys.cloned().collect());
        let label = format!("Reset {} to inherited", inner.on_from(&format!("{component}.{field}")));
        Some(Fix::new(label, Edit::ClearValue { op: None, owner: self.owner.clone(), component, field, inner }))
    }

    /// Whether this is the only declaration of the field, and covers all of it.
    pub(super) fn is_all(&self) -> bool {
        let Some(field) = &self.field else { return false };
        let n = OpKind::VALUED.iter().filter(|op| self.ops.declared(**op, &self.component, field).is_some()).count();
        let whole = format!("{}.{field}", self.component);
        self.inner.0.is_empty() && n == 1 && !self.ops.remove.iter().any(|entry| entry.starts_with(&whole))
    }
}
