//! Resolving a set of definitions that is closed under inheriting: parents first, each ancestor's operations on each
//! component applied once and shared by all that arrive at it the same way.
//!
//! Invariant: every definition outside the set is settled: its outcome is known and does not change. Cycles are found by
//! components of the graph, so nothing waits for itself.

use std::{collections::HashMap, sync::Arc};

use indexmap::IndexMap;

use crate::model::{FieldPath, Finding, Location, Name, Seg};

use super::{
    NameMap, Resolved, ResolvedComponent, Source,
    apply::{self, Speaker, Vocabulary},
    linearize::linearize,
    resolve::{MAX_DEPTH, Node, Site, duplicate_sites, near_definition},
};

/// A definition in the set, or an ancestor of one.
struct Member<'a> {
    name: Name,
    site: &'a Site,
    /// Known from before.
    settled: Option<&'a Node>,
    /// Parents that exist, as listed, each once.
    parents: Vec<usize>,
    /// Itself, then its ancestors, nearest first; empty when it has no order, or is settled and nobody asked yet.
    order: Vec<u32>,
    /// Components it has, with what they are: `(component, state)`.
    components: Option<Vec<(u32, u32)>>,
    /// Components its own operations name.
    touched: Option<Arc<[u32]>>,
}

/// How a member of the set came out.
#[derive(Default)]
struct Outcome {
    node: Option<Node>,
    findings: Vec<Finding>,
}

/// No component: the state of one that an entity does not have.
const ABSENT: u32 = 0;

pub(super) struct Family<'a> {
    vocabulary: &'a Vocabulary,
    sites: &'a NameMap<Site>,
    settled: &'a NameMap<Node>,
    /// The set first, in its order (`None` for names that are gone), then settled ancestors as they are met.
    members: Vec<Option<Member<'a>>>,
    ids: HashMap<Name, usize>,
    outcomes: Vec<Outcome>,
    component_ids: IndexMap<Name, ()>,
    /// Every component as some definition has it, by state; [`ABSENT`] has none.
    states: Vec<Option<Arc<ResolvedComponent>>>,
    /// The state that a member's operations make of a component in a state.
    transitions: HashMap<(u32, u32, u32), u32>,
    near: HashMap<Name, Option<Name>>,
    counts: Vec<u32>,
}

fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn large(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

impl<'a> Family<'a> {
    /// `set` holds names that changed and everything that inherits them, rising; `settled` what is known of the others.
    pub(super) fn new(
        vocabulary: &'a Vocabulary,
        sites: &'a NameMap<Site>,
        settled: &'a NameMap<Node>,
        set: &[Name],
    ) -> Self {
        let member = |name: &Name| {
            let site = sites.get(name)?;
            Some(Member {
                name: name.clone(),
                site,
                settled: None,
                parents: Vec::new(),
                order: Vec::new(),
                components: None,
                touched: None,
            })
        };
        Self {
            vocabulary,
            sites,
            settled,
            members: set.iter().map(member).collect(),
            ids: set.iter().enumerate().map(|(i, name)| (name.clone(), i)).collect(),
            outcomes: set.iter().map(|_| Outcome::default()).collect(),
            component_ids: IndexMap::new(),
            states: vec![None],
            transitions: HashMap::new(),
            near: HashMap::new(),
            counts: vec![0; set.len()],
        }
    }

    /// What each of the set amounts to, in the set's order; `None` for names that are gone.
    pub(super) fn resolve(mut self) -> Vec<Option<(Node, Vec<Finding>)>> {
        for id in 0..self.outcomes.len() {
            self.find_parents(id);
        }
        for group in self.parents_first() {
            match group.as_slice() {
                [one] if !self.parents(*one).contains(one) => self.resolve_one(*one),
                several => self.refuse_cycle(several),
            }
        }
        self.outcomes.into_iter().map(|outcome| Some((outcome.node?, outcome.findings))).collect()
    }

    fn member(&self, id: usize) -> Option<&Member<'a>> {
        self.members.get(id)?.as_ref()
    }

    fn parents(&self, id: usize) -> &[usize] {
        self.member(id).map_or(&[], |member| &member.parents)
    }

    /// The number of a definition, if there is one of the name.
    fn id(&mut self, name: &Name) -> Option<usize> {
        if let Some(id) = self.ids.get(name) {
            return self.members.get(*id)?.is_some().then_some(*id);
        }
        let (name, site) = self.sites.get_key_value(&**name)?;
        let node = self.settled.get(&**name)?;
        let id = self.members.len();
        self.members.push(Some(Member {
            name: name.clone(),
            site,
            settled: Some(node),
            parents: Vec::new(),
            order: Vec::new(),
            components: None,
            touched: None,
        }));
        self.counts.push(0);
        self.ids.insert(name.clone(), id);
        Some(id)
    }

    fn at_parent(member: &Member<'_>, i: usize) -> Location {
        let path = FieldPath(vec![Seg::Key(member.name.clone()), Seg::Key("inherits".into()), Seg::Index(i)]);
        Location::new(member.site.docs[0].clone(), path)
    }

    /// Look up the parents of a member of the set; complain about those that are missing or listed twice.
    fn find_parents(&mut self, id: usize) {
        let Some(member) = self.member(id) else { return };
        let (name, site) = (member.name.clone(), member.site);
        let mut findings = duplicate_sites(&name, site);
        let mut parents = Vec::with_capacity(site.def.inherits.len());
        for (i, parent) in site.def.inherits.iter().enumerate() {
            let found = self.id(parent);
            let Some(member) = self.member(id) else { return };
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
                    let help = near_definition(parent, &name, self.sites, &mut self.near);
                    let message = format!("`{name}` inherits `{parent}`, and there is no such definition");
                    findings.push(Finding::error("missing-parent", at, message).with_help(help));
                }
            }
        }
        if let Some(Some(member)) = self.members.get_mut(id) {
            member.parents = parents;
        }
        self.outcomes[id].findings = findings;
    }

    /// The set in groups, parents before children; a group of several is a cycle.
    ///
    /// Source: Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972, without recursion.
    fn parents_first(&self) -> Vec<Vec<usize>> {
        const NEW: u32 = u32::MAX;
        let n = self.outcomes.len();
        let (mut index, mut low) = (vec![NEW; n], vec![0_u32; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut groups) = (Vec::new(), Vec::with_capacity(n));
        let mut next = 0;
        let mut work: Vec<(usize, usize)> = Vec::new();
        for start in 0..n {
            if index[start] != NEW || self.members[start].is_none() {
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
                if let Some(parent) = self.parents(id).get(*at) {
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

    /// Definitions that inherit themselves: none can be resolved, and each says which of its parents leads back.
    fn refuse_cycle(&mut self, group: &[usize]) {
        for &id in group {
            let Some(member) = self.member(id) else { continue };
            let mut findings = Vec::new();
            for (i, parent) in member.site.def.inherits.iter().enumerate() {
                let back = self.ids.get(parent).copied().filter(|parent| group.contains(parent));
                let Some(back) = back else { continue };
                let message = match self.way(back, id, group) {
                    _ if back == id => format!("`{}` inherits itself", member.name),
                    Some(way) => {
                        let way = way.iter().filter_map(|id| Some(format!("`{}`", self.member(*id)?.name)));
                        let way = [format!("`{}`", member.name)].into_iter().chain(way).collect::<Vec<_>>();
                        format!("`{}` inherits itself: {}", member.name, way.join(" → "))
                    }
                    None => format!("`{}` inherits itself, through up to {} definitions", member.name, group.len()),
                };
                let help = "an ancestor may not inherit its descendant: remove one of these parents".to_owned();
                findings.push(Finding::error("inheritance-cycle", Self::at_parent(member, i), message).with_help(help));
            }
            self.outcomes[id].findings.extend(findings);
            self.outcomes[id].node = Some(Node { depth: 0, incomplete: true, resolved: None });
        }
    }

    /// The shortest way by parents from one of a cycle to another, both included; `None` in cycles too long to tell.
    fn way(&self, from: usize, to: usize, group: &[usize]) -> Option<Vec<usize>> {
        if group.len() > 32 {
            return None;
        }
        let mut ways = vec![vec![from]];
        let mut seen = vec![from];
        let mut at = 0;
        while let Some(way) = ways.get(at).cloned() {
            let last = *way.last()?;
            if last == to {
                return Some(way);
            }
            for parent in self.parents(last) {
                if group.contains(parent) && !seen.contains(parent) {
                    seen.push(*parent);
                    ways.push(way.iter().copied().chain([*parent]).collect());
                }
            }
            at += 1;
        }
        None
    }

    fn outcome(&self, id: usize) -> Option<&Node> {
        match self.member(id)?.settled {
            Some(node) => Some(node),
            None => self.outcomes.get(id)?.node.as_ref(),
        }
    }

    /// Have the order of a settled member at hand.
    fn recall_order(&mut self, id: usize) {
        let Some(Member { settled: Some(node), order, .. }) = self.member(id) else { return };
        if !order.is_empty() {
            return;
        }
        let Some(resolved) = node.resolved.clone() else { return };
        let order = resolved.order.iter().rev().filter_map(|name| self.id(name).map(small)).collect();
        if let Some(Some(member)) = self.members.get_mut(id) {
            member.order = order;
        }
    }

    fn resolve_one(&mut self, id: usize) {
        let Some(member) = self.member(id) else { return };
        let (name, site, listed) = (member.name.clone(), member.site, member.parents.clone());
        let mut incomplete = listed.len() < site.def.inherits.len();
        let mut depth = 0;
        let mut parents = Vec::with_capacity(listed.len());
        for parent in listed {
            let Some(node) = self.outcome(parent) else { continue };
            depth = depth.max(node.depth.saturating_add(1));
            incomplete |= node.incomplete;
            if node.resolved.is_some() {
                parents.push(parent);
            } else {
                incomplete = true;
            }
        }
        if depth > MAX_DEPTH {
            if depth == MAX_DEPTH + 1 {
                let path = FieldPath(vec![Seg::Key(name.clone()), Seg::Key("inherits".into())]);
                let message =
                    format!("`{name}` has more than {MAX_DEPTH} ancestors above it in one line, the most allowed");
                let at = Location::new(site.docs[0].clone(), path);
                self.outcomes[id].findings.push(Finding::error("inheritance-depth", at, message));
            }
            self.outcomes[id].node = Some(Node { depth, incomplete: true, resolved: None });
            return;
        }
        for parent in &parents {
            self.recall_order(*parent);
        }
        let orders: Vec<&[u32]> =
            parents.iter().filter_map(|parent| Some(self.members.get(*parent)?.as_ref()?.order.as_slice())).collect();
        let order = match linearize(&orders, &mut self.counts) {
            Ok(ancestors) => [small(id)].into_iter().chain(ancestors).collect::<Vec<u32>>(),
            Err(why) => {
                let finding = self.disorder(id, &parents, why);
                self.outcomes[id].findings.extend(finding);
                self.outcomes[id].node = Some(Node { depth, incomplete: true, resolved: None });
                return;
            }
        };
        let components = self.apply_all(id, &order, incomplete);
        let resolved = Resolved {
            name: name.clone(),
            doc: site.docs[0].clone(),
            is_abstract: site.def.is_abstract,
            order: order.iter().rev().filter_map(|id| Some(self.member(large(*id))?.name.clone())).collect(),
            components: components
                .iter()
                .filter_map(|(component, state)| {
                    let (name, ()) = self.component_ids.get_index(large(*component))?;
                    Some((name.clone(), self.states.get(large(*state))?.clone()?))
                })
                .collect(),
        };
        self.outcomes[id].node = Some(Node { depth, incomplete, resolved: Some(Arc::new(resolved)) });
        if let Some(Some(member)) = self.members.get_mut(id) {
            member.order = order;
            member.components = Some(components);
        }
    }

    /// The error of a definition whose parents have no common order.
    fn disorder(&self, id: usize, parents: &[usize], why: super::Disorder) -> Option<Finding> {
        let name = |id: usize| self.member(id).map(|member| member.name.clone());
        let member = self.member(id)?;
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

    fn component_id(&mut self, name: &Name) -> u32 {
        if let Some(id) = self.component_ids.get_index_of(name) {
            return small(id);
        }
        small(self.component_ids.insert_full(name.clone(), ()).0)
    }

    fn touched(&mut self, id: usize) -> Arc<[u32]> {
        let Some(member) = self.member(id) else { return Arc::from([]) };
        if let Some(touched) = &member.touched {
            return touched.clone();
        }
        let names = apply::touched(&member.site.def.ops);
        let touched: Arc<[u32]> = names.iter().map(|name| self.component_id(name)).collect();
        if let Some(Some(member)) = self.members.get_mut(id) {
            member.touched = Some(touched.clone());
        }
        touched
    }

    /// The components of a member that is resolved.
    fn components(&mut self, id: usize) -> Vec<(u32, u32)> {
        let Some(member) = self.member(id) else { return Vec::new() };
        if let Some(components) = &member.components {
            return components.clone();
        }
        let Some(resolved) = member.settled.and_then(|node| node.resolved.clone()) else { return Vec::new() };
        let components: Vec<(u32, u32)> = resolved
            .components
            .iter()
            .map(|(name, component)| {
                let component_id = self.component_id(name);
                self.states.push(Some(component.clone()));
                (component_id, small(self.states.len() - 1))
            })
            .collect();
        if let Some(Some(member)) = self.members.get_mut(id) {
            member.components = Some(components.clone());
        }
        components
    }

    /// How many are in a resolved member's order, itself too.
    fn order_len(&self, id: usize) -> usize {
        let Some(member) = self.member(id) else { return 0 };
        match member.settled.and_then(|node| node.resolved.as_ref()) {
            Some(resolved) => resolved.order.len(),
            None => member.order.len(),
        }
    }

    /// Apply everyone in `order` (nearest first), bases first: the components that come out.
    fn apply_all(&mut self, id: usize, order: &[u32], incomplete: bool) -> Vec<(u32, u32)> {
        // Where the order begins as an ancestor's whole order does, that ancestor is as far as it goes.
        let mut components = Vec::new();
        let mut rest = order;
        for (i, ancestor) in order.iter().enumerate().skip(1) {
            let ancestor = large(*ancestor);
            if self.order_len(ancestor) != order.len() - i {
                continue;
            }
            self.recall_order(ancestor);
            if self.member(ancestor).is_some_and(|member| member.order == order[i..]) {
                components = self.components(ancestor);
                rest = &order[..i];
                break;
            }
        }
        for speaker in rest.iter().rev() {
            let own = large(*speaker) == id;
            if own {
                self.complain_unreadable(id, incomplete);
            }
            for component in self.touched(large(*speaker)).iter().copied() {
                let at = components.iter().position(|(c, _)| *c == component);
                let before = at.and_then(|at| components.get(at)).map_or(ABSENT, |(_, state)| *state);
                let after = self.transition(before, *speaker, component, own, incomplete);
                match at {
                    Some(at) if after == ABSENT => drop(components.remove(at)),
                    Some(at) => components[at].1 = after,
                    None if after == ABSENT => {}
                    None => components.push((component, after)),
                }
            }
        }
        components
    }

    fn speaker(member: &Member<'a>, incomplete: bool) -> Speaker<'a> {
        Speaker {
            by: Source::Def(member.name.clone()),
            doc: &member.site.docs[0],
            base: FieldPath(vec![Seg::Key(member.name.clone())]),
            incomplete,
        }
    }

    fn complain_unreadable(&mut self, id: usize, incomplete: bool) {
        let Some(member) = self.member(id).filter(|member| !member.site.def.ops.remove.is_empty()) else { return };
        let (speaker, ops) = (Self::speaker(member, incomplete), &member.site.def.ops);
        apply::unreadable(&speaker, ops, &mut self.outcomes[id].findings);
    }

    fn transition(&mut self, before: u32, speaker: u32, component: u32, own: bool, incomplete: bool) -> u32 {
        let key = (before, speaker, component);
        if let Some(after) = self.transitions.get(&key).filter(|_| !own) {
            return *after;
        }
        let id = large(speaker);
        let Some(member) = self.members.get(id).and_then(Option::as_ref) else { return before };
        let Some((name, ())) = self.component_ids.get_index(large(component)) else { return before };
        let findings = if own { self.outcomes.get_mut(id).map(|outcome| &mut outcome.findings) } else { None };
        let before = self.states.get(large(before)).and_then(Option::as_ref);
        let voice = Self::speaker(member, incomplete);
        let after = apply::component(self.vocabulary, &voice, &member.site.def.ops, name, before, findings);
        let after = match after {
            Some(after) => {
                self.states.push(Some(after));
                small(self.states.len() - 1)
            }
            None => ABSENT,
        };
        self.transitions.insert(key, after);
        after
    }
}
