//! Plans for the parts of a container: which old part each wanted one is, and in which order they are.

use std::collections::HashMap;

use super::{
    Kind, Node,
    form::{Form, Slot},
    index::fragment,
    inline,
    parse::key_hash,
};

/// The plan for one part of a container: an old part, changed or not, or a new one.
pub(super) enum Plan<'p, 'm> {
    /// The old part of this index.
    Old {
        /// Which.
        at: usize,
        /// Its new key, if that changes.
        key: Option<String>,
        /// The form that its value should have; `None` when it stays as it is.
        form: Option<&'p Form<'m>>,
    },
    /// A new part, with its key.
    New(Option<String>, &'p Form<'m>),
}

/// Old parts in the order of the file, new ones behind the part they follow in `plan`. Old parts that are not in it
/// stay where `is_kept` says so.
pub(super) fn in_file_order<'p, 'm>(
    plan: Vec<Plan<'p, 'm>>,
    n_old: usize,
    is_kept: impl Fn(usize) -> bool,
) -> Vec<Plan<'p, 'm>> {
    let mut old: Vec<Option<Plan<'p, 'm>>> = (0..n_old).map(|_| None).collect();
    // New parts by the old part before them; those before any old part come first.
    let mut first = Vec::new();
    let mut behind: Vec<Vec<Plan<'p, 'm>>> = (0..n_old).map(|_| Vec::new()).collect();
    let mut last = None;
    for part in plan {
        match part {
            Plan::Old { at, .. } => {
                last = Some(at);
                if let Some(slot) = old.get_mut(at) {
                    *slot = Some(part);
                }
            }
            Plan::New(..) => match last.and_then(|at: usize| behind.get_mut(at)) {
                Some(list) => list.push(part),
                None => first.push(part),
            },
        }
    }
    for (at, (part, news)) in old.into_iter().zip(behind).enumerate() {
        first.extend(part.or_else(|| is_kept(at).then_some(Plan::Old { at, key: None, form: None })));
        first.extend(news);
    }
    first
}

/// For each wanted key, which of the file's it is.
pub(super) fn match_keys<'n, 't: 'n>(
    keys: impl Iterator<Item = &'n Node<'t>> + Clone,
    wanted: &[(Form<'_>, Form<'_>)],
) -> Vec<Option<usize>> {
    // Most often the file has them all in this order, or all but some: then comparing the next keys is enough.
    let all: Vec<&Node<'t>> = keys.collect();
    let mut by_hash: Option<HashMap<u64, usize>> = None;
    let mut next = 0;
    wanted
        .iter()
        .map(|(key, _)| {
            let is_it = |at: &usize| all.get(*at).is_some_and(|node| key.is_written_by(node));
            if let Some(found) = (next..next + 2).find(is_it) {
                next = found + 1;
                return Some(found);
            }
            let by_hash =
                by_hash.get_or_insert_with(|| all.iter().enumerate().map(|(at, node)| (key_hash(node), at)).collect());
            let text = inline::inline(key);
            let found = by_hash.get(&key_hash(&fragment(&text, 0)?)).copied().filter(is_it)?;
            next = found + 1;
            Some(found)
        })
        .collect()
}

/// For each wanted element, its index in the file: equal ones keep their order, and the others between them are paired
/// by position.
pub(super) fn match_content(nodes: &[Node<'_>], forms: &[Form<'_>]) -> Vec<Option<usize>> {
    /// Comparisons beyond which a list is compared by position alone.
    const MAX_COMPARED: usize = 1 << 20;
    let same = |i: usize, j: usize| nodes.get(i).zip(forms.get(j)).is_some_and(|(node, form)| form.is_written_by(node));
    let n_both = nodes.len().min(forms.len());
    let n_front = (0..n_both).take_while(|i| same(*i, *i)).count();
    let n_back = (0..n_both - n_front).take_while(|i| same(nodes.len() - 1 - i, forms.len() - 1 - i)).count();
    let (n, m) = (nodes.len() - n_front - n_back, forms.len() - n_front - n_back);

    let mut anchors: Vec<(usize, usize)> = (0..n_front).map(|i| (i, i)).collect();
    if n > 0 && m > 0 && n.saturating_mul(m) <= MAX_COMPARED {
        // Longest common subsequence, from the back so that the walk goes forward.
        let equal: Vec<bool> = (0..n * m).map(|k| same(n_front + k / m, n_front + k % m)).collect();
        let mut length = vec![0_u32; (n + 1) * (m + 1)];
        let at = |i: usize, j: usize| i * (m + 1) + j;
        for i in (0..n).rev() {
            for j in (0..m).rev() {
                length[at(i, j)] = if equal[i * m + j] {
                    length[at(i + 1, j + 1)] + 1
                } else {
                    length[at(i + 1, j)].max(length[at(i, j + 1)])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < n && j < m {
            if equal[i * m + j] {
                anchors.push((n_front + i, n_front + j));
                (i, j) = (i + 1, j + 1);
            } else if length[at(i + 1, j)] >= length[at(i, j + 1)] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    anchors.extend((0..n_back).rev().map(|i| (nodes.len() - 1 - i, forms.len() - 1 - i)));
    anchors.push((nodes.len(), forms.len()));

    let mut out = vec![None; forms.len()];
    let (mut i, mut j) = (0, 0);
    for (node, form) in anchors {
        let n_pairs = (node - i).min(form - j);
        for k in 0..n_pairs {
            out[j + k] = Some(i + k);
        }
        if let Some(slot) = out.get_mut(form) {
            *slot = Some(node);
        }
        (i, j) = (node + 1, form + 1);
    }
    out
}

/// For each wanted element, the one of the file with the same tag and the same value of a field.
pub(super) fn match_field(nodes: &[Node<'_>], forms: &[Form<'_>], name: &str) -> Vec<Option<usize>> {
    fn slots<'f, 'm>(form: &'f Form<'m>) -> (Option<&'m str>, &'f [Slot<'m>]) {
        match form {
            Form::Tagged(tag, content) => (Some(tag), slots(content).1),
            Form::Record(slots) => (None, slots),
            _ => (None, &[]),
        }
    }
    fn field<'n, 't>(node: &'n Node<'t>, name: &str) -> (Option<&'t str>, Option<&'n Node<'t>>) {
        match &node.kind {
            Kind::Tagged(tag, content) => (Some(*tag), field(content, name).1),
            Kind::Struct(fields) => (None, fields.iter().find(|f| f.name == name).map(|f| &f.value)),
            _ => (None, None),
        }
    }
    let mut free: Vec<bool> = vec![true; nodes.len()];
    let mut out: Vec<Option<usize>> = forms
        .iter()
        .map(|form| {
            let (tag, slots) = slots(form);
            let id = slots.iter().find(|slot| slot.name == name)?;
            let found = nodes.iter().enumerate().position(|(i, node)| {
                let (word, value) = field(node, name);
                free[i] && tag == word && value.is_some_and(|value| id.form.is_written_by(value))
            })?;
            free[found] = false;
            Some(found)
        })
        .collect();
    // What is left over on both sides has been renamed.
    for (form, slot) in forms.iter().zip(&mut out).filter(|(_, slot)| slot.is_none()) {
        let tag = slots(form).0;
        *slot = nodes.iter().enumerate().position(|(i, node)| free[i] && field(node, name).0 == tag);
        if let Some(found) = *slot {
            free[found] = false;
        }
    }
    out
}
