//! The inheritance graph of a definition, laid out: its ancestors in columns on one side, its descendants on the other,
//! each with the number of placed entities. Layout only; painting is the window's.
//!
//! Invariants: every ancestor is placed before its descendants; no two nodes share a place; with a
//! cycle, or a parent that is missing, there is still a drawing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Census;
use crate::{
    defs::Resolution,
    model::{Name, Project},
};

/// Of more siblings than this, the rest are folded into one node.
pub const MOST_SIBLINGS: usize = 12;
/// Siblings that stay when the rest are folded.
const SHOWN_SIBLINGS: usize = 9;

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InheritanceItem {
    /// A definition.
    Def(Name),
    /// More that inherit a definition, folded.
    More {
        /// The parent they inherit.
        parent: Name,
        /// Their names, sorted.
        names: Vec<Name>,
    },
}

/// A node of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct InheritanceNode {
    /// What it stands for.
    pub item: InheritanceItem,
    /// Its column: 0 for the definition in focus, less for ancestors, more for descendants.
    pub column: i32,
    /// Its place in the column, in rows; the middle one is at 0.
    pub row: f32,
    /// Placed entities of it, or of those it stands for, without their descendants.
    pub n_instances: usize,
    /// It exists to be inherited only.
    pub is_abstract: bool,
    /// There is no such definition, or it cannot be resolved.
    pub is_broken: bool,
}

/// A line from a parent to a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InheritanceEdge {
    /// Index of the parent's node.
    pub parent: usize,
    /// Index of the child's node.
    pub child: usize,
    /// Which of the child's several parents it is, from 1; earlier ones win.
    pub order: Option<usize>,
}

/// The inheritance graph of a definition, laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InheritanceGraph {
    /// The nodes; the definition in focus is the first.
    pub nodes: Vec<InheritanceNode>,
    /// From parents to children.
    pub edges: Vec<InheritanceEdge>,
    /// The resolution order: the definition and its ancestors, earlier ones win.
    pub order: Vec<Name>,
}

/// How to go from a definition to the next ones.
type Next<'a> = &'a dyn Fn(&Name) -> Vec<Name>;

impl InheritanceGraph {
    /// The family of `name`. Siblings are folded where there are many, but not those that inherit one of `unfolded`.
    #[must_use]
    pub fn of(
        project: &Project,
        resolution: &Resolution,
        census: &Census,
        name: &Name,
        unfolded: &BTreeSet<Name>,
    ) -> Self {
        let parents = |name: &Name| -> Vec<Name> {
            let def = resolution.def_docs.get(name).and_then(|doc| project.def(doc, name));
            def.map(|def| def.inherits.clone()).unwrap_or_default()
        };
        let children = |name: &Name| resolution.children_of(name).to_vec();
        let mut graph = Self::default();
        let node = |item: InheritanceItem, column: i32, row: f32| -> InheritanceNode {
            let names: &[Name] = match &item {
                InheritanceItem::Def(name) => std::slice::from_ref(name),
                InheritanceItem::More { names, .. } => names,
            };
            let n_instances = names.iter().flat_map(|name| census.placed(name)).map(|(_, n)| n).sum();
            let resolved = |name: &Name| resolution.defs.get(name);
            InheritanceNode {
                column,
                row,
                n_instances,
                is_abstract: names.iter().all(|name| resolved(name).is_some_and(|it| it.is_abstract)),
                is_broken: names.iter().any(|name| resolved(name).is_none()),
                item,
            }
        };
        graph.nodes.push(node(InheritanceItem::Def(name.clone()), 0, 0.0));
        for (next, sign) in [(&parents as Next<'_>, -1), (&children as Next<'_>, 1)] {
            let fold = sign > 0;
            for (item, column, row) in side(name, next, fold, unfolded) {
                graph.nodes.push(node(item, column * sign, row));
            }
        }
        graph.connect(&parents);
        graph.order = resolution
            .defs
            .get(name)
            .map_or_else(|| vec![name.clone()], |resolved| resolved.order.iter().rev().cloned().collect());
        graph
    }

    fn connect(&mut self, parents: Next<'_>) {
        let at: BTreeMap<Name, usize> = self
            .nodes
            .iter()
            .enumerate()
            .filter_map(
                |(i, node)| if let InheritanceItem::Def(name) = &node.item { Some((name.clone(), i)) } else { None },
            )
            .collect();
        for (child, node) in self.nodes.iter().enumerate() {
            match &node.item {
                InheritanceItem::Def(name) => {
                    let all = parents(name);
                    for (i, parent) in all.iter().enumerate() {
                        if let Some(parent) = at.get(parent).filter(|parent| **parent != child) {
                            let order = (all.len() > 1).then_some(i + 1);
                            self.edges.push(InheritanceEdge { parent: *parent, child, order });
                        }
                    }
                }
                InheritanceItem::More { parent, .. } => {
                    if let Some(parent) = at.get(parent) {
                        self.edges.push(InheritanceEdge { parent: *parent, child, order: None });
                    }
                }
            }
        }
    }

    /// The node of a definition.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| matches!(&node.item, InheritanceItem::Def(it) if **it == *name))
    }

    /// The edges on a path between a node and the root of the drawing, or between the node and what inherits it.
    #[must_use]
    pub fn path_of(&self, node: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let is_ancestor = self.nodes.get(node).is_some_and(|node| node.column < 0);
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            for (i, edge) in self.edges.iter().enumerate() {
                let (from, to) = if is_ancestor { (edge.parent, edge.child) } else { (edge.child, edge.parent) };
                let stays =
                    self.nodes.get(to).is_some_and(|it| if is_ancestor { it.column <= 0 } else { it.column >= 0 });
                if from == at && stays && found.insert(i) {
                    open.push(to);
                }
            }
        }
        found
    }
}

/// All ancestors or all descendants of a definition: item, columns from it, row.
fn side(root: &Name, next: Next<'_>, fold: bool, unfolded: &BTreeSet<Name>) -> Vec<(InheritanceItem, i32, f32)> {
    // The longest path from the root gives the column, so that every ancestor stands before its descendants. Cycles end
    // at the greatest possible depth.
    let mut column: BTreeMap<Name, i32> = BTreeMap::new();
    let mut kept: BTreeMap<Name, (Vec<Name>, Vec<Name>)> = BTreeMap::new();
    let reach = reachable(root, next);
    let mut n_before: BTreeMap<&Name, usize> = BTreeMap::new();
    for name in reach.iter().chain([root]) {
        for item in next(name) {
            if let Some(item) = reach.get(&item) {
                *n_before.entry(item).or_default() += 1;
            }
        }
    }
    let mut open = vec![root.clone()];
    let mut left: BTreeSet<Name> = reach.clone();
    loop {
        while let Some(name) = open.pop() {
            let here = column.get(&name).copied().unwrap_or(0);
            for item in next(&name) {
                let Some(known) = reach.get(&item) else { continue };
                let is_open = left.contains(known);
                if is_open {
                    let at = column.entry(item.clone()).or_insert(0);
                    *at = (*at).max(here + 1);
                }
                if let Some(n) = n_before.get_mut(known) {
                    *n = n.saturating_sub(1);
                    if *n == 0 && left.remove(&item) {
                        open.push(item);
                    }
                }
            }
        }
        // What is left waits for itself: take the nearest.
        let nearest =
            left.iter().filter(|name| column.contains_key(*name)).min_by_key(|name| column.get(*name).copied());
        let Some(name) = nearest.cloned() else { break };
        left.remove(&name);
        open.push(name);
    }
    // Each belongs to the first neighbor in the column before, and is placed with its group.
    let mut owner: BTreeMap<Name, Name> = BTreeMap::new();
    for name in reach.iter().chain([root]) {
        let here = if name == root { 0 } else { column.get(name).copied().unwrap_or(0) };
        for item in next(name) {
            if column.get(&item).is_some_and(|at| *at == here + 1) && item != *root {
                owner.entry(item).or_insert_with(|| name.clone());
            }
        }
    }
    for (item, by) in &owner {
        kept.entry(by.clone()).or_default().0.push(item.clone());
    }
    for (by, (shown, more)) in &mut kept {
        // Ancestors stand in the order they are listed, descendants by name.
        let mut listed: HashMap<Name, usize> = HashMap::new();
        for (at, name) in next(by).into_iter().enumerate() {
            listed.entry(name).or_insert(at);
        }
        shown.sort_by_key(|name| listed.get(name));
        if fold && shown.len() > MOST_SIBLINGS && !unfolded.contains(by) {
            // Those with families of their own stay.
            shown.sort_by_cached_key(|name| (next(name).is_empty(), name.clone()));
            *more = shown.split_off(SHOWN_SIBLINGS);
            shown.sort();
            more.sort();
        }
    }
    place(root, &kept, &column)
}

/// Everybody that `next` leads to, without the root.
fn reachable(root: &Name, next: Next<'_>) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    let mut open = vec![root.clone()];
    while let Some(name) = open.pop() {
        for item in next(&name) {
            if item != *root && found.insert(item.clone()) {
                open.push(item);
            }
        }
    }
    found
}

/// Rows for a tree: the last ones one below the other, each of the others in the middle of its own. The root is at row
/// 0.
fn place(
    root: &Name,
    kept: &BTreeMap<Name, (Vec<Name>, Vec<Name>)>,
    column: &BTreeMap<Name, i32>,
) -> Vec<(InheritanceItem, i32, f32)> {
    let mut out: Vec<(InheritanceItem, i32, f32)> = Vec::new();
    let mut rows: BTreeMap<Name, f32> = BTreeMap::new();
    let mut free = 0.0_f32;
    // An explicit stack: down first, then up with the rows of the children known.
    let mut open = vec![(root.clone(), false)];
    let none = (Vec::new(), Vec::new());
    while let Some((name, is_up)) = open.pop() {
        let (shown, more) = kept.get(&name).unwrap_or(&none);
        let here = if name == *root { 0 } else { column.get(&name).copied().unwrap_or(0) };
        if !is_up {
            open.push((name.clone(), true));
            open.extend(shown.iter().rev().map(|item| (item.clone(), false)));
            continue;
        }
        if !more.is_empty() {
            out.push((InheritanceItem::More { parent: name.clone(), names: more.clone() }, here + 1, free));
            free += 1.0;
        }
        let mut all: Vec<f32> = shown.iter().filter_map(|item| rows.get(item).copied()).collect();
        if !more.is_empty() {
            all.push(free - 1.0);
        }
        let row = match (all.first(), all.last()) {
            (Some(first), Some(last)) => f32::midpoint(*first, *last),
            _ => {
                free += 1.0;
                free - 1.0
            }
        };
        rows.insert(name.clone(), row);
        if name != *root {
            out.push((InheritanceItem::Def(name), here, row));
        }
    }
    let middle = rows.get(root).copied().unwrap_or(0.0);
    for (.., row) in &mut out {
        *row -= middle;
    }
    out
}
