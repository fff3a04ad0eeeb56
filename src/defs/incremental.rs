//! Incremental resolve: after edits that leave the inheritance graph as it was, only the changed parts are resolved
//! again, down the graph.
//!
//! Ancestors come before descendants. The base of a definition is the ancestor whose whole resolution order is the
//! start of its own. The dirty parts of a definition are those whose operations changed, in the definition or in
//! ancestors applied after the base, and those that changed in the base. Only dirty parts are resolved, starting from
//! the base. A part whose value stays the same is not propagated, and a definition without changed parts keeps its
//! pointer.
//!
//! Invariant: the result equals that of `full`, which resolves whole definitions. Unchanged data keeps its pointers: a
//! component its other fields, a definition its other components.

use std::{rc::Rc, sync::Arc};

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use crate::model::{Finding, Name, Ops};

use super::{
    NameMap, Named, Resolved, ResolvedComponent, ResolvedField,
    apply::{self, Audience, OneField},
    declarer::Declarer,
    entry::{ChangedEntry, Effort, Entry, Node, Site},
    overrides::{self, Changes, Effect, Part},
    resolved::{Difference, settle},
    vocabulary::Vocabulary,
};

/// A definition that may resolve differently.
struct Member<'a> {
    name: &'a Name,
    before: &'a Entry,
    /// Where it is written now and which of its operations changed; `None` when none did.
    touched: Option<(&'a Site, Changes)>,
    /// The resolved definition before, and now as far as it is done.
    resolved: &'a Arc<Resolved>,
    now: Option<Arc<Resolved>>,
    /// The parts that changed.
    changes: Rc<Changes>,
    findings: Option<Vec<Finding>>,
}

impl<'a> Member<'a> {
    fn site(&self) -> &'a Site {
        self.touched.as_ref().map_or(&self.before.site, |(site, _)| site)
    }

    fn now(&self) -> &Arc<Resolved> {
        self.now.as_ref().unwrap_or(self.resolved)
    }
}

/// The base of a definition, and the ancestors applied after it.
struct Start<'a> {
    /// The base, before and now.
    base: Option<(Arc<Resolved>, Arc<Resolved>)>,
    /// Ancestors after the base, without the definition itself.
    between: Vec<(&'a Name, &'a Site)>,
}

type Component = Option<Arc<ResolvedComponent>>;
type Field = Option<Arc<ResolvedField>>;

pub(super) struct IncrementalResolve<'a> {
    vocabulary: &'a Vocabulary,
    children: &'a NameMap<Arc<[Name]>>,
    entries: &'a NameMap<Entry>,
    members: Vec<Member<'a>>,
    ids: HashMap<&'a str, usize>,
    /// Prepared data for single fields, by component and field.
    ones: HashMap<Part, Rc<OneField>>,
    /// Results of applying an ancestor after the base to a part: by the ancestor, the part, and the address of the
    /// value before, which is kept alive so that the address stays unique.
    components: HashMap<(usize, Name, usize), (Component, Component)>,
    fields: HashMap<(usize, Part, usize), (Field, Field)>,
    effort: Effort,
}

/// Whether only the operations of a definition changed.
fn is_overrides_only(before: &Entry, site: &Site) -> bool {
    let (old, new) = (&before.site, site);
    before.node.resolved.is_some()
        && old.docs == new.docs
        && (old.def.is_abstract, &old.def.inherits) == (new.def.is_abstract, &new.def.inherits)
}

impl<'a> IncrementalResolve<'a> {
    /// `None` when something other than operations changed; `touched` are the definitions whose operations changed.
    pub(super) fn new(
        vocabulary: &'a Vocabulary,
        children: &'a NameMap<Arc<[Name]>>,
        entries: &'a NameMap<Entry>,
        touched: &'a [(Name, Option<Site>)],
    ) -> Option<Self> {
        let mut changes = HashMap::with_capacity(touched.len());
        for (name, site) in touched {
            let (site, before) = (site.as_ref()?, entries.get(name)?);
            if !is_overrides_only(before, site) {
                return None;
            }
            let differing = overrides::changes(vocabulary, &before.site.def.ops, &site.def.ops);
            changes.insert(&**name, (site, differing));
        }
        let mut incremental = Self {
            vocabulary,
            children,
            entries,
            members: Vec::new(),
            ids: HashMap::new(),
            ones: HashMap::new(),
            components: HashMap::new(),
            fields: HashMap::new(),
            effort: Effort::default(),
        };
        let nothing = Rc::new(Changes::default());
        let reached = incremental.reached(touched);
        incremental.ids.reserve(reached.len());
        incremental.members.reserve(reached.len());
        for (name, before) in reached {
            let Some(resolved) = &before.node.resolved else { continue };
            incremental.ids.insert(name, incremental.members.len());
            let (touched, changes) = (changes.remove(&**name), nothing.clone());
            incremental.members.push(Member { name, before, touched, resolved, now: None, changes, findings: None });
        }
        Some(incremental)
    }

    /// The touched definitions and their descendants, by name.
    fn reached(&self, touched: &'a [(Name, Option<Site>)]) -> Vec<(&'a Name, &'a Entry)> {
        let mut met: HashSet<&str> = HashSet::new();
        let mut reached: Vec<(&'a Name, &'a Entry)> = Vec::new();
        let mut open: Vec<&'a Name> = touched.iter().map(|(name, _)| name).collect();
        while let Some(name) = open.pop() {
            if !met.insert(name) {
                continue;
            }
            reached.extend(self.entries.get_key_value(name));
            open.extend(self.children.get(name).into_iter().flat_map(|children| children.iter()));
            // Where they are many, looking at everything is quicker than finding each by its name.
            if reached.len() > self.entries.len() / 16 {
                let touched: HashSet<&str> = touched.iter().map(|(name, _)| &**name).collect();
                let is_reached = |entry: &Entry| {
                    let order = entry.node.resolved.as_ref().map_or(&[][..], |resolved| &resolved.order);
                    order.iter().any(|ancestor| touched.contains(&**ancestor))
                };
                return self.entries.iter().filter(|(_, entry)| is_reached(entry)).collect();
            }
        }
        reached.sort_unstable_by_key(|(name, _)| *name);
        reached
    }

    /// The definitions that changed, by name, and the effort.
    pub(super) fn run(mut self) -> (Vec<ChangedEntry>, Effort) {
        let mut parents_first: Vec<usize> = (0..self.members.len()).collect();
        parents_first.sort_by_key(|id| self.members[*id].before.node.depth);
        for id in parents_first {
            self.follow(id);
        }
        let outcome = |member: Member<'a>| {
            if member.touched.is_none() && member.now.is_none() && member.findings.is_none() {
                return None;
            }
            let findings = match &member.findings {
                None => member.before.findings.clone(),
                Some(found) => (!found.is_empty()).then(|| found.as_slice().into()),
            };
            let node = Node { resolved: Some(member.now().clone()), ..member.before.node };
            let entry = Some(Entry { site: member.site().clone(), node, findings });
            Some(ChangedEntry { name: member.name.clone(), entry, is_other: member.now.is_some() })
        };
        (self.members.into_iter().filter_map(outcome).collect(), self.effort)
    }

    /// Where a definition is written now.
    fn site(&self, name: &str) -> Option<&'a Site> {
        match self.ids.get(name) {
            Some(id) => Some(self.members[*id].site()),
            None => self.entries.get(name).map(|entry| &entry.site),
        }
    }

    /// A definition before the edit.
    fn before(&self, name: &str) -> Option<&'a Arc<Resolved>> {
        match self.ids.get(name) {
            Some(id) => Some(self.members[*id].resolved),
            None => self.entries.get(name)?.node.resolved.as_ref(),
        }
    }

    /// How many of a definition's order are its base's.
    fn n_of_base(&self, member: &Member<'a>) -> usize {
        let order = &member.resolved.order;
        let n = order.len() - 1;
        if member.before.site.def.inherits.len() == 1 {
            return n;
        }
        let is_base = |n: &usize| {
            let base = self.before(&order[*n - 1]);
            base.is_some_and(|base| base.order.len() == *n && base.order[..] == order[..*n])
        };
        (1..=n).rev().find(is_base).unwrap_or(0)
    }

    /// Resolve the dirty parts of a definition.
    fn follow(&mut self, id: usize) {
        let member = &self.members[id];
        let order: &'a Arc<[Name]> = &member.resolved.order;
        let n = self.n_of_base(member);
        let base = n.checked_sub(1).and_then(|at| order.get(at));
        let base_id = base.and_then(|base| self.ids.get(&**base));
        let between = &order[n..order.len() - 1];

        let mut dirty = base_id.map_or_else(|| member.changes.clone(), |base| self.members[*base].changes.clone());
        let own = between.iter().filter_map(|name| self.ids.get(&**name)).chain([&id]);
        let own: Vec<usize> = own.copied().filter(|id| self.members[*id].touched.is_some()).collect();
        if !own.is_empty() {
            let mut all = Changes { parts: dirty.parts.clone(), list: dirty.list };
            own.iter()
                .filter_map(|id| self.members[*id].touched.as_ref())
                .for_each(|(_, differing)| all.extend(differing));
            dirty = Rc::new(all);
        }
        if dirty.is_empty() && member.touched.is_none() {
            return;
        }
        self.effort.definitions += 1;
        let base_was = base.and_then(|base| self.before(base)).cloned();
        let base_is = base_id.map_or_else(|| base_was.clone(), |id| Some(self.members[*id].now().clone()));
        let start = Start {
            base: base_was.zip(base_is),
            between: between.iter().filter_map(|name| Some((name, self.site(name)?))).collect(),
        };
        self.work_out(id, &start, dirty);
    }

    fn work_out(&mut self, id: usize, start: &Start<'a>, dirty: Rc<Changes>) {
        let member = &self.members[id];
        let (name, site, was) = (member.name, member.site(), member.resolved);
        let ops = &site.def.ops;
        let incomplete = member.before.node.incomplete;
        let is_touched = member.touched.is_some();
        let mut declarer: Option<Declarer> = None;
        let mut found: Vec<Finding> = Vec::new();
        let mut changes = Changes::default();
        let mut fresh: Vec<(&Name, Component)> = Vec::new();
        let mut declares = is_touched;

        for (i, part) in dirty.parts.iter().enumerate() {
            let component = &part.component;
            if dirty.parts[..i].iter().any(|it| it.component == *component) {
                continue;
            }
            let old = was.components.get(component);
            if part.field.is_none() {
                let mut now = self.component_before(start, component);
                if overrides::names_component(ops, component) {
                    declares = true;
                    let declarer = declarer.get_or_insert_with(|| Declarer::of_def(name, site, incomplete));
                    let audience = Audience { findings: Some(&mut found), history: None };
                    now = apply::component(self.vocabulary, declarer, ops, component, now.as_ref(), audience);
                    self.effort.fields += overrides::count(ops, component);
                }
                match (old, &mut now) {
                    (None, None) => {}
                    (Some(old), Some(now)) => match settle(now, old) {
                        None => {}
                        Some(Difference::Shape) => {
                            changes.meet(part.clone());
                            fresh.push((component, Some(now.clone())));
                        }
                        Some(Difference::Fields(at)) => {
                            for field in at.into_iter().filter_map(|at| now.fields.names().get(at)) {
                                // Undeclared fields are reported with their component.
                                let field = Some(field.clone()).filter(|it| self.vocabulary.declares(component, it));
                                changes.meet(Part { component: component.clone(), field });
                            }
                            fresh.push((component, Some(now.clone())));
                        }
                    },
                    (_, now) => {
                        changes.meet(part.clone());
                        fresh.push((component, now.clone()));
                    }
                }
                continue;
            }
            let fields = dirty.parts[i..].iter().filter(|it| it.component == *component);
            let mut now: Vec<(usize, Arc<ResolvedField>)> = Vec::new();
            // Whether the component was, and goes on to be, its base's own.
            let mut is_shared = start.between.is_empty();
            for part in fields {
                let one = self.one(part);
                let mut field = self.field_before(start, part, &one);
                if one.touches(ops, field.as_ref()) {
                    (declares, is_shared) = (true, false);
                    let declarer = declarer.get_or_insert_with(|| Declarer::of_def(name, site, incomplete));
                    field = apply::field(self.vocabulary, declarer, ops, &one, field.as_ref(), Some(&mut found));
                    self.effort.fields += 1;
                }
                let at = old.and_then(|old| old.fields.position(&one.field));
                let before = old.zip(at).and_then(|(old, at)| old.fields.at(at));
                if let (Some(at), Some(before), Some(field)) = (at, before, field)
                    && !Arc::ptr_eq(before, &field)
                    && *before != field
                {
                    changes.meet(part.clone());
                    now.push((at, field));
                }
            }
            let Some(old) = old.filter(|_| !now.is_empty()) else { continue };
            let base = start.base.as_ref().filter(|_| is_shared).and_then(|(was, is)| {
                let was = was.components.get(component)?;
                is.components.get(component).filter(|_| Arc::ptr_eq(was, old))
            });
            let changed = base.cloned().unwrap_or_else(|| {
                let mut changed = ResolvedComponent::clone(old);
                for (at, field) in now {
                    changed.fields.at_mut(at).into_iter().for_each(|it| *it = field.clone());
                }
                Arc::new(changed)
            });
            fresh.push((component, Some(changed)));
        }

        let components = self.list(start, &dirty, ops, was, fresh, &mut changes);
        let changes = match components {
            None => Rc::default(),
            Some(_) if changes.parts == dirty.parts && changes.list == dirty.list => dirty.clone(),
            Some(_) => Rc::new(changes),
        };
        let findings = declares.then(|| self.findings(id, &dirty, found)).flatten();
        let member = &mut self.members[id];
        member.now = components.map(|components| {
            let Resolved { name, doc, is_abstract, order, .. } = &**was;
            let (name, doc, order) = (name.clone(), doc.clone(), order.clone());
            Arc::new(Resolved { name, doc, is_abstract: *is_abstract, order, components })
        });
        (member.changes, member.findings) = (changes, findings);
    }

    /// The components of a definition with the changed ones replaced; `None` when nothing changed.
    fn list(
        &self,
        start: &Start<'a>,
        dirty: &Changes,
        ops: &Ops,
        was: &Resolved,
        fresh: Vec<(&Name, Component)>,
        changes: &mut Changes,
    ) -> Option<Named<Arc<ResolvedComponent>>> {
        let old = &was.components;
        if !dirty.list {
            if fresh.is_empty() {
                return None;
            }
            let mut components = old.clone();
            for (name, now) in fresh {
                let place = components.get_mut(name).zip(now);
                place.into_iter().for_each(|(component, now)| *component = now);
            }
            return Some(components);
        }
        // Components are listed in the order they are first declared: a new one is last.
        let mut names: Arc<Vec<Name>> =
            start.base.as_ref().map_or_else(Arc::default, |(_, base)| base.components.names().clone());
        for ops in start.between.iter().map(|(_, site)| &site.def.ops).chain([ops]) {
            for (name, effect) in overrides::effects(ops) {
                let at = names.iter().position(|it| *it == name);
                match (effect, at) {
                    (Effect::Gives, None) => Arc::make_mut(&mut names).push(name),
                    (Effect::Takes, Some(at)) => drop(Arc::make_mut(&mut names).remove(at)),
                    _ => {}
                }
            }
        }
        changes.list = names != *old.names();
        if !changes.list && fresh.is_empty() {
            return None;
        }
        let value = |name: &Name| {
            let now = fresh.iter().find(|(it, _)| *it == name).map(|(_, now)| now.as_ref());
            now.unwrap_or_else(|| old.get(name)).cloned()
        };
        let values: Vec<Arc<ResolvedComponent>> = names.iter().filter_map(value).collect();
        let names = if changes.list { names } else { old.names().clone() };
        Some(Named::of(names, values))
    }

    /// The findings of a definition, if they changed.
    fn findings(&self, id: usize, dirty: &Changes, found: Vec<Finding>) -> Option<Vec<Finding>> {
        let member = &self.members[id];
        let (old, new) = (&member.before.site.def.ops, &member.site().def.ops);
        let before = member.before.findings();
        if before.is_empty() && found.is_empty() && old.remove == new.remove {
            return None;
        }
        let is_kept = |finding: &&Finding| !dirty.parts.iter().any(|part| overrides::is_about(finding, old, part));
        let mut findings: Vec<Finding> = before.iter().filter(is_kept).cloned().collect();
        if old.remove != new.remove {
            findings.retain(|finding| !apply::is_unreadable(finding, old));
            let declarer = Declarer::of_def(member.name, member.site(), member.before.node.incomplete);
            apply::unreadable(&declarer, new, &mut findings);
        }
        findings.extend(found);
        overrides::sort_findings(&mut findings, new);
        (findings != before).then_some(findings)
    }

    fn one(&mut self, part: &Part) -> Rc<OneField> {
        if let Some(one) = self.ones.get(part) {
            return one.clone();
        }
        let field = part.field.clone().unwrap_or_else(|| "".into());
        let one = Rc::new(OneField::new(part.component.clone(), field));
        self.ones.insert(part.clone(), one.clone());
        one
    }

    /// A component before a definition's own operations.
    fn component_before(&mut self, start: &Start<'a>, component: &Name) -> Component {
        let mut now = start.base.as_ref().and_then(|(_, base)| base.components.get(component)).cloned();
        for (by, site) in &start.between {
            let ops = &site.def.ops;
            if !overrides::names_component(ops, component) {
                continue;
            }
            let key =
                (Arc::as_ptr(&site.def).addr(), component.clone(), now.as_ref().map_or(0, |it| Arc::as_ptr(it).addr()));
            let (_, after) = self.components.entry(key).or_insert_with(|| {
                self.effort.fields += overrides::count(ops, component);
                let declarer = Declarer::of_def(by, site, false);
                let audience = Audience::default();
                let after = apply::component(self.vocabulary, &declarer, ops, component, now.as_ref(), audience);
                (now.clone(), after)
            });
            now = after.clone();
        }
        now
    }

    /// A field before a definition's own operations; `None` when the component is not there then.
    fn field_before(&mut self, start: &Start<'a>, part: &Part, one: &OneField) -> Field {
        let base = start.base.as_ref().and_then(|(_, base)| base.components.get(&part.component));
        let mut now = base.and_then(|base| base.fields.get(&one.field)).cloned();
        for (by, site) in &start.between {
            let ops = &site.def.ops;
            if !one.touches(ops, now.as_ref()) {
                continue;
            }
            let key =
                (Arc::as_ptr(&site.def).addr(), part.clone(), now.as_ref().map_or(0, |it| Arc::as_ptr(it).addr()));
            let (_, after) = self.fields.entry(key).or_insert_with(|| {
                self.effort.fields += 1;
                let declarer = Declarer::of_def(by, site, false);
                (now.clone(), apply::field(self.vocabulary, &declarer, ops, one, now.as_ref(), None))
            });
            now = after.clone();
        }
        now
    }
}
