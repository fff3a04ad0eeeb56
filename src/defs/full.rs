//! Full resolve of a set of definitions that contains all descendants of its members: parents first. The result of
//! applying an ancestor's operations to a component is shared by all definitions that apply them to the same value.
//!
//! Invariants: every definition outside the set is settled: its resolution is known and does not change. A member whose
//! inputs are unchanged is not resolved again. Cycles are found as strongly connected components.

use std::{rc::Rc, sync::Arc};

use foldhash::{HashMap, HashMapExt};

use crate::model::{DocPath, FieldPath, Fields, Finding, Location, Name, OpKind, Seg, Suggestions, mean};

use super::{
    NameMap, Named, Resolved, ResolvedComponent,
    apply::{self, Audience},
    catalog,
    declarer::Declarer,
    entry::{ChangedEntry, Effort, Entry, MAX_DEPTH, Node, Site},
    linearize::linearize,
    overrides,
    vocabulary::Vocabulary,
};

/// A definition to be resolved.
pub(super) struct Task {
    pub name: Name,
    pub site: Site,
    /// Whether it, or anything it depends on beside its ancestors, changed since the last resolve.
    pub is_touched: bool,
}

/// A definition in the set, or an ancestor of one.
struct Member<'a> {
    name: Name,
    site: Site,
    before: Option<&'a Entry>,
    is_touched: bool,
    /// Whether its resolution is unchanged.
    is_same: bool,
    /// Parents that exist, as listed, each once.
    parents: Vec<usize>,
    /// Itself, then its ancestors, nearest first; empty when it has no order, or it was not needed yet.
    order: Vec<u32>,
    /// The result.
    node: Option<Node>,
    findings: Vec<Finding>,
    /// Components its own operations name.
    touches: Option<Rc<[Name]>>,
}

type Component = Option<Arc<ResolvedComponent>>;

pub(super) struct FullResolve<'a> {
    vocabulary: &'a Vocabulary,
    /// Every definition there is.
    names: &'a NameMap<DocPath>,
    settled: &'a NameMap<Entry>,
    /// The set first, in its order, then settled ancestors as they are met.
    members: Vec<Member<'a>>,
    n_set: usize,
    ids: HashMap<Name, usize>,
    /// Results of applying an ancestor to a component it names: by the ancestor, the index of the component, and the
    /// address of the component before, which is kept alive so that the address stays unique.
    applied: HashMap<(u32, usize, usize), (Component, Component)>,
    near: Near,
    counts: Vec<u32>,
    effort: Effort,
}

fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn large(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

impl<'a> FullResolve<'a> {
    /// `set` holds, by rising name, all that is touched and everything that inherits it; `settled` what was known
    /// before.
    pub(super) fn new(
        vocabulary: &'a Vocabulary,
        names: &'a NameMap<DocPath>,
        settled: &'a NameMap<Entry>,
        set: Vec<Task>,
    ) -> Self {
        let member = |Task { name, site, is_touched }: Task| Member {
            before: settled.get(&name),
            name,
            site,
            is_touched,
            is_same: false,
            parents: Vec::new(),
            order: Vec::new(),
            node: None,
            findings: Vec::new(),
            touches: None,
        };
        let members: Vec<Member<'a>> = set.into_iter().map(member).collect();
        Self {
            vocabulary,
            names,
            settled,
            n_set: members.len(),
            ids: members.iter().enumerate().map(|(i, member)| (member.name.clone(), i)).collect(),
            counts: vec![0; members.len()],
            members,
            applied: HashMap::new(),
            near: Near::default(),
            effort: Effort::default(),
        }
    }

    /// The resolution of each member, in the set's order.
    pub(super) fn resolve(mut self) -> (Vec<ChangedEntry>, Effort) {
        for id in 0..self.n_set {
            self.find_parents(id);
        }
        for group in self.parents_first() {
            match group.as_slice() {
                [one] if !self.members[*one].parents.contains(one) => self.resolve_one(*one),
                several => self.refuse_cycle(several),
            }
        }
        let outcome = |member: Member<'a>| {
            let Member { name, site, before, node, findings, .. } = member;
            let node = node.unwrap_or(Node { depth: 0, incomplete: true, resolved: None });
            let findings = match before {
                Some(before) if before.findings() == findings => before.findings.clone(),
                _ => (!findings.is_empty()).then(|| Arc::from(findings)),
            };
            let is_other = match (before.and_then(|before| before.node.resolved.as_ref()), &node.resolved) {
                (Some(before), Some(now)) => !Arc::ptr_eq(before, now),
                (before, now) => before.is_some() || now.is_some(),
            };
            let entry = Entry { site, node, findings };
            (!before.is_some_and(|before| entry.is_same(before))).then(|| ChangedEntry {
                name,
                entry: Some(entry),
                is_other,
            })
        };
        self.members.truncate(self.n_set);
        (self.members.into_iter().filter_map(outcome).collect(), self.effort)
    }

    /// The number of a definition, if there is one of the name.
    fn id(&mut self, name: &Name) -> Option<usize> {
        if let Some(id) = self.ids.get(name) {
            return Some(*id);
        }
        self.names.get(name)?;
        let (name, entry) = self.settled.get_key_value(name)?;
        let id = self.members.len();
        self.members.push(Member {
            name: name.clone(),
            site: entry.site.clone(),
            before: Some(entry),
            is_touched: false,
            is_same: true,
            parents: Vec::new(),
            order: Vec::new(),
            node: Some(entry.node.clone()),
            findings: Vec::new(),
            touches: None,
        });
        self.counts.push(0);
        self.ids.insert(name.clone(), id);
        Some(id)
    }

    fn at_parent(member: &Member<'_>, i: usize) -> Location {
        let path = FieldPath(vec![Seg::Key(member.name.clone()), Seg::Key("inherits".into()), Seg::Index(i)]);
        Location::new(member.site.doc().clone(), path)
    }

    /// Look up the parents of a member of the set; complain about those that are missing or listed twice.
    fn find_parents(&mut self, id: usize) {
        let def = self.members[id].site.def.clone();
        let member = &self.members[id];
        let mut findings = duplicate_sites(&member.name, &member.site);
        let mut parents = Vec::with_capacity(def.inherits.len());
        for (i, parent) in def.inherits.iter().enumerate() {
            let found = self.id(parent);
            let member = &self.members[id];
            let name = &member.name;
            match found {
                Some(found) if parents.contains(&found) => findings.push(
                    Finding::error(
                        "inconsistent-order",
                        Self::at_parent(member, i),
                        format!("`{name}` lists `{parent}` twice"),
                    )
                    .with_help("remove one of them".to_owned()),
                ),
                Some(found) => parents.push(found),
                None => {
                    let at = Self::at_parent(member, i);
                    let help = self.near.definition(parent, name, self.names);
                    let message = format!("`{name}` inherits `{parent}`, and there is no such definition");
                    findings.push(Finding::error("missing-parent", at, message).with_help(help));
                }
            }
        }
        self.members[id].parents = parents;
        self.members[id].findings = findings;
    }

    /// The set in groups, parents before children; a group of several is a cycle.
    ///
    /// Source: Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972, without recursion.
    fn parents_first(&self) -> Vec<Vec<usize>> {
        const NEW: u32 = u32::MAX;
        let n = self.n_set;
        let (mut index, mut low) = (vec![NEW; n], vec![0_u32; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut groups) = (Vec::new(), Vec::with_capacity(n));
        let mut next = 0;
        let mut work: Vec<(usize, usize)> = Vec::new();
        for start in 0..n {
            if index[start] != NEW {
                continue;
            }
            work.push((start, 0));
            while let Some((id, at)) = work.last_mut() {
                let id = *id;
                if *at == 0 {
                    index[id] = next;
                    low[id] = next;
                    next += 1;
                    stack.push(id);
                    on_stack[id] = true;
                }
                if let Some(parent) = self.members[id].parents.get(*at) {
                    *at += 1;
                    // Settled parents are done; they lie beyond the set.
                    if *parent < n {
                        if index[*parent] == NEW {
                            work.push((*parent, 0));
                        } else if on_stack[*parent] {
                            low[id] = low[id].min(index[*parent]);
                        }
                    }
                    continue;
                }
                work.pop();
                if let Some((child, _)) = work.last() {
                    low[*child] = low[*child].min(low[id]);
                }
                if low[id] == index[id] {
                    let at = stack.iter().rposition(|other| *other == id).unwrap_or(0);
                    let group = stack.split_off(at);
                    group.iter().for_each(|id| on_stack[*id] = false);
                    groups.push(group);
                }
            }
        }
        groups
    }

    /// Definitions that inherit themselves: none can be resolved, and each gets an error with the path that leads back.
    fn refuse_cycle(&mut self, group: &[usize]) {
        for &id in group {
            let member = &self.members[id];
            let mut findings = Vec::new();
            for (i, parent) in member.site.def.inherits.iter().enumerate() {
                let back = self.ids.get(parent).copied().filter(|parent| group.contains(parent));
                let Some(back) = back else { continue };
                let message = match self.cycle(back, id, group) {
                    _ if back == id => format!("`{}` inherits itself", member.name),
                    Some(cycle) => {
                        let cycle = cycle.iter().map(|id| format!("`{}`", self.members[*id].name));
                        let cycle = [format!("`{}`", member.name)].into_iter().chain(cycle).collect::<Vec<_>>();
                        format!("`{}` inherits itself: {}", member.name, cycle.join(" → "))
                    }
                    None => format!("`{}` inherits itself, through up to {} definitions", member.name, group.len()),
                };
                let help = "an ancestor may not inherit its descendant: remove one of these parents".to_owned();
                findings.push(Finding::error("inheritance-cycle", Self::at_parent(member, i), message).with_help(help));
            }
            self.members[id].findings.extend(findings);
            self.came_out(id, Node { depth: 0, incomplete: true, resolved: None });
        }
    }

    /// The shortest path by parents from one of a cycle to another, both included; `None` in cycles too long to search.
    fn cycle(&self, from: usize, to: usize, group: &[usize]) -> Option<Vec<usize>> {
        if group.len() > 32 {
            return None;
        }
        let mut cycles = vec![vec![from]];
        let mut seen = vec![from];
        let mut at = 0;
        while let Some(cycle) = cycles.get(at).cloned() {
            let last = *cycle.last()?;
            if last == to {
                return Some(cycle);
            }
            for parent in &self.members[last].parents {
                if group.contains(parent) && !seen.contains(parent) {
                    seen.push(*parent);
                    cycles.push(cycle.iter().copied().chain([*parent]).collect());
                }
            }
            at += 1;
        }
        None
    }

    fn came_out(&mut self, id: usize, node: Node) {
        let member = &mut self.members[id];
        member.is_same = member.before.is_some_and(|before| before.node.is_same(&node));
        member.node = Some(node);
    }

    /// Whether all inputs of a member are unchanged since the last resolve.
    fn is_as_before(&mut self, id: usize) -> bool {
        let member = &self.members[id];
        let before = member.before.filter(|_| !member.is_touched);
        // What could not be resolved may have been part of a cycle that is none any more.
        let Some(before) = before.and_then(|before| before.node.resolved.as_ref()) else { return false };
        let def = member.site.def.clone();
        let same_parents = def.inherits.iter().all(|parent| match self.id(parent) {
            Some(parent) => self.members[parent].is_same,
            None => !self.settled.contains_key(parent),
        });
        // With several parents an ancestor is also applied after definitions it does not inherit, so its effect there
        // need not show in any parent.
        let is_touched = |name: &Name| self.ids.get(name).is_some_and(|id| self.members[*id].is_touched);
        same_parents && (def.inherits.len() < 2 || !before.order.iter().any(is_touched))
    }

    /// Have the order of a member at hand that was not made here.
    fn recall_order(&mut self, id: usize) {
        let member = &self.members[id];
        let Some(resolved) = member.node.as_ref().and_then(|node| node.resolved.clone()) else { return };
        if member.order.is_empty() {
            self.members[id].order = resolved.order.iter().rev().filter_map(|name| self.id(name).map(small)).collect();
        }
    }

    fn resolve_one(&mut self, id: usize) {
        if self.is_as_before(id)
            && let Some(before) = self.members[id].before
        {
            self.members[id].findings = before.findings().to_vec();
            return self.came_out(id, before.node.clone());
        }
        let member = &self.members[id];
        let mut incomplete = member.parents.len() < member.site.def.inherits.len();
        let mut depth = 0;
        let mut parents = Vec::with_capacity(member.parents.len());
        for parent in &member.parents {
            let Some(node) = &self.members[*parent].node else { continue };
            depth = depth.max(node.depth.saturating_add(1));
            incomplete |= node.incomplete;
            if node.resolved.is_some() {
                parents.push(*parent);
            } else {
                incomplete = true;
            }
        }
        if depth > MAX_DEPTH {
            if depth == MAX_DEPTH + 1 {
                let path = FieldPath(vec![Seg::Key(member.name.clone()), Seg::Key("inherits".into())]);
                let message = format!(
                    "`{}` has more than {MAX_DEPTH} ancestors above it in one line, the most allowed",
                    member.name
                );
                let at = Location::new(member.site.doc().clone(), path);
                self.members[id].findings.push(Finding::error("inheritance-depth", at, message));
            }
            return self.came_out(id, Node { depth, incomplete: true, resolved: None });
        }
        for parent in &parents {
            self.recall_order(*parent);
        }
        let orders: Vec<&[u32]> = parents.iter().map(|parent| self.members[*parent].order.as_slice()).collect();
        let order = match linearize(&orders, &mut self.counts) {
            Ok(ancestors) => [small(id)].into_iter().chain(ancestors).collect::<Vec<u32>>(),
            Err(why) => {
                let finding = self.disorder(id, &parents, why);
                self.members[id].findings.extend(finding);
                return self.came_out(id, Node { depth, incomplete: true, resolved: None });
            }
        };
        self.effort.definitions += 1;
        let components = self.apply_all(id, &order, incomplete);
        let member = &self.members[id];
        let resolved = Resolved {
            name: member.name.clone(),
            doc: member.site.doc().clone(),
            is_abstract: member.site.def.is_abstract,
            order: order.iter().rev().map(|id| self.members[large(*id)].name.clone()).collect(),
            components,
        };
        let resolved = resolved.settled(member.before.and_then(|before| before.node.resolved.as_ref()));
        self.members[id].order = order;
        self.came_out(id, Node { depth, incomplete, resolved: Some(resolved) });
    }

    /// The error of a definition whose parents have no common order.
    fn disorder(&self, id: usize, parents: &[usize], why: super::Disorder) -> Option<Finding> {
        let name = |id: usize| self.members.get(id).map(|member| member.name.clone());
        let member = &self.members[id];
        let [a, b] = [*parents.get(why.parents[0])?, *parents.get(why.parents[1])?];
        let i = member.site.def.inherits.iter().position(|parent| self.ids.get(parent) == Some(&b)).unwrap_or(0);
        let (me, a, b) = (&member.name, name(a)?, name(b)?);
        let about = why.about.and_then(|[x, y]| name(large(x)).zip(name(large(y))));
        let message = match about {
            Some((x, y)) if [&x, &y] == [&a, &b] || [&x, &y] == [&b, &a] => {
                format!(
                    "`{me}` cannot order its parents `{a}` and `{b}`: it lists `{y}` before `{x}`, but `{x}` comes before `{y}` where it is inherited"
                )
            }
            Some((x, y)) => format!(
                "`{me}` cannot order its parents `{a}` and `{b}`: `{a}` puts `{x}` before `{y}`, `{b}` puts `{y}` before `{x}`"
            ),
            None => format!("`{me}` cannot order its parents `{a}` and `{b}` together with the others"),
        };
        let help = "list parents from the most special to the most general".to_owned();
        Some(Finding::error("inconsistent-order", Self::at_parent(member, i), message).with_help(help))
    }

    /// The components after applying everything in `order` (nearest first), bases first.
    fn apply_all(&mut self, id: usize, order: &[u32], incomplete: bool) -> Named<Arc<ResolvedComponent>> {
        let (mut components, rest) = self.begin(order);
        for declarer in rest.iter().rev().copied().filter(|declarer| large(*declarer) != id) {
            for (i, name) in self.touches(large(declarer)).iter().enumerate() {
                let before = components.get(name);
                let key = (declarer, i, before.map_or(0, |before| Arc::as_ptr(before).addr()));
                let Member { name: by, site, .. } = &self.members[large(declarer)];
                let (_, after) = self.applied.entry(key).or_insert_with(|| {
                    self.effort.fields += overrides::count(&site.def.ops, name);
                    let (declarer, audience) = (Declarer::of_def(by, site, incomplete), Audience::default());
                    let after = apply::component(self.vocabulary, &declarer, &site.def.ops, name, before, audience);
                    (before.cloned(), after)
                });
                let after = after.clone();
                apply::put(&mut components, name.clone(), after);
            }
        }
        let Member { name, site, findings, .. } = &mut self.members[id];
        let valued = OpKind::VALUED.iter().filter_map(|op| site.def.ops.values(*op));
        self.effort.fields += valued.flat_map(|values| values.values()).map(Fields::len).sum::<usize>();
        let declarer = Declarer::of_def(name, site, incomplete);
        apply::all(self.vocabulary, &declarer, &site.def.ops, &mut components, Some(findings), None);
        components
    }

    /// Where an order ends as an ancestor's whole order does, that ancestor is as far as it goes: its components, and
    /// the part of the order that is still to be applied.
    fn begin<'o>(&mut self, order: &'o [u32]) -> (Named<Arc<ResolvedComponent>>, &'o [u32]) {
        for (i, ancestor) in order.iter().enumerate().skip(1) {
            let ancestor = large(*ancestor);
            let resolved = self.members[ancestor].node.as_ref().and_then(|node| node.resolved.clone());
            let Some(resolved) = resolved.filter(|resolved| resolved.order.len() == order.len() - i) else { continue };
            self.recall_order(ancestor);
            if self.members[ancestor].order == order[i..] {
                return (resolved.components.clone(), &order[..i]);
            }
        }
        (Named::default(), order)
    }

    fn touches(&mut self, id: usize) -> Rc<[Name]> {
        let Member { site, touches, .. } = &mut self.members[id];
        touches.get_or_insert_with(|| overrides::touched(&site.def.ops).into()).clone()
    }
}

/// An error at every document that has a definition of the name.
fn duplicate_sites(name: &Name, site: &Site) -> Vec<Finding> {
    if site.docs.len() < 2 {
        return Vec::new();
    }
    let place = |doc: &DocPath| Location::key(doc.clone(), FieldPath(vec![Seg::Key(name.clone())]));
    catalog::duplicates("definition", name, &site.docs.iter().map(place).collect::<Vec<_>>())
}

/// Definitions that were meant by parents that are not there.
#[derive(Default)]
struct Near {
    known: HashMap<Name, Option<Name>>,
    suggestions: Suggestions,
}

impl Near {
    /// Advice on the definition that `child` meant by a parent that is not there.
    fn definition(&mut self, missing: &Name, child: &Name, names: &NameMap<DocPath>) -> Option<String> {
        let suggestions = &mut self.suggestions;
        let mut nearest = |but: Option<&Name>| {
            let others = names.keys().filter(|name| Some(*name) != but).map(|name| &**name);
            let near = suggestions.did_you_mean(missing, others)?;
            names.get_key_value(near).map(|(name, _)| name.clone())
        };
        let near = self.known.entry(missing.clone()).or_insert_with(|| nearest(None)).clone();
        let near = if near.as_ref() == Some(child) { nearest(Some(child)) } else { near };
        mean(near.as_deref())
    }
}
