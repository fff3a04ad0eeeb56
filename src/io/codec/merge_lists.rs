//! Merging maps and lists. Parts with a name are merged by it, wherever they stand, and the order is merged apart from
//! their content; parts without one are merged where the lists line up.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use indexmap::IndexMap;

use super::{
    Encode,
    merge::{Merge, Merging, text, whole},
};
use crate::{
    io::{common::common, ron_text::Form},
    model::{Name, Side},
};

/// A key of a merged map.
pub(crate) trait MergeKey: Clone + Eq + Hash {
    /// What a path calls it.
    fn name(&self) -> Name;
}

impl MergeKey for Name {
    fn name(&self) -> Name {
        self.clone()
    }
}

impl<K: MergeKey + Encode, T: Merge> Merge for IndexMap<K, T> {
    // The fields of components by component.
    const IN_RECORD: bool = T::IN_RECORD;

    fn same(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let in_order = || self.iter().zip(other).all(|((a, x), (b, y))| a == b && x.same(y));
        in_order() || (T::IN_RECORD && self.iter().all(|(key, x)| other.get(key).is_some_and(|y| x.same(y))))
    }

    fn shown(&self) -> String {
        if !T::IN_RECORD {
            return text(&self.form(None));
        }
        let fields: Vec<String> =
            self.iter().map(|(key, value)| format!("{}: {}", key.name(), value.shown())).collect();
        format!("({})", fields.join(", "))
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        let parts = |map: &Self| -> Vec<K> { map.keys().cloned().collect() };
        let mut out = Self::with_capacity(mine.len().max(theirs.len()));
        let get = |key: &K| [base.and_then(|base| base.get(key)), mine.get(key), theirs.get(key)];
        if mine.len() == theirs.len() && mine.keys().eq(theirs.keys()) {
            for ((key, a), b) in mine.iter().zip(theirs.values()) {
                let merged =
                    if a.same(b) { a.clone() } else { cx.named(key.name(), |cx| T::merge(get(key)[0], a, b, cx)) };
                out.insert(key.clone(), merged);
            }
            return out;
        }
        let base_keys = base.map(parts);
        let keys = [parts(mine), parts(theirs)];
        let merged = parts_of(&keys, &get, cx);
        let mut by_key: HashMap<K, T> = merged.into_iter().collect();
        for key in order(base_keys.as_deref(), &keys, |key| by_key.contains_key(key), !T::IN_RECORD, cx) {
            if let Some(value) = by_key.remove(&key) {
                out.insert(key, value);
            }
        }
        out
    }
}

/// The parts that stay, each merged with those of its name; in no particular order.
fn parts_of<'v, K: MergeKey, T: Merge + 'v>(
    [mine, theirs]: &[Vec<K>; 2],
    get: &impl Fn(&K) -> [Option<&'v T>; 3],
    cx: &mut Merging<'_>,
) -> Vec<(K, T)> {
    let mut out = Vec::with_capacity(mine.len().max(theirs.len()));
    let only_theirs = theirs.iter().filter(|key| get(key)[1].is_none());
    for key in mine.iter().chain(only_theirs) {
        let merged = match get(key) {
            [_, Some(a), Some(b)] if a.same(b) => Some(a.clone()),
            [base, Some(a), Some(b)] => Some(cx.named(key.name(), |cx| T::merge(base, a, b, cx))),
            [base, Some(a), None] => cx.named(key.name(), |cx| present(base, a, Side::Mine, cx)),
            [base, None, Some(b)] => cx.named(key.name(), |cx| present(base, b, Side::Theirs, cx)),
            [_, None, None] => None,
        };
        out.extend(merged.map(|merged| (key.clone(), merged)));
    }
    out
}

/// Decide about a part that only one side has: it was added by that side, or removed by the other.
fn present<T: Merge>(base: Option<&T>, there: &T, side: Side, cx: &mut Merging<'_>) -> Option<T> {
    let Some(base) = base else {
        cx.note(side);
        return Some(there.clone());
    };
    if base.same(there) {
        cx.note(side.other());
        return None;
    }
    let shown = Some(there.shown());
    let (mine, theirs) = if side == Side::Mine { (shown, None) } else { (None, shown) };
    let winner = cx.choose(false, [Some(base.shown()), mine, theirs]);
    (winner == side).then(|| there.clone())
}

/// The order of what stays: a side that moved things about is followed, and what the other added goes behind what it
/// stood behind there. Where both added at one place, theirs comes first.
fn order<K: MergeKey>(
    base: Option<&[K]>,
    [mine, theirs]: &[Vec<K>; 2],
    stays: impl Fn(&K) -> bool,
    counts: bool,
    cx: &mut Merging<'_>,
) -> Vec<K> {
    let sets = [mine, theirs].map(|keys| keys.iter().collect::<HashSet<&K>>());
    let both = |key: &K| sets.iter().all(|set| set.contains(key));
    fn of<K>(keys: &[K], is_in: impl Fn(&K) -> bool) -> Vec<&K> {
        keys.iter().filter(|key| is_in(key)).collect()
    }
    let mut leads = Side::Theirs;
    if of(mine, both) != of(theirs, both) {
        let was: HashSet<&K> = base.unwrap_or_default().iter().collect();
        let old = |key: &K| both(key) && was.contains(key);
        let before = of(base.unwrap_or_default(), old);
        let moved = [mine, theirs].map(|keys| of(keys, old) != before);
        match moved {
            [true, false] => {
                cx.note(Side::Mine);
                leads = Side::Mine;
            }
            [true, true] if counts && of(mine, old) != of(theirs, old) => {
                let names = |keys: &[K]| {
                    let names: Vec<Name> = keys.iter().filter(|key| both(key)).map(MergeKey::name).collect();
                    text(&Form::List(crate::io::ron_text::List::new(
                        names.iter().map(|name| Form::str(name)).collect(),
                    )))
                };
                leads = cx.choose(true, [base.map(names), Some(names(mine)), Some(names(theirs))]);
            }
            [false, true] => cx.note(Side::Theirs),
            _ => {}
        }
    }
    let (lead, other) = if leads == Side::Mine { (mine, theirs) } else { (theirs, mine) };
    let other_set = &sets[usize::from(leads == Side::Mine)];
    let lead_set = &sets[usize::from(leads == Side::Theirs)];
    // What the other side has besides, by what it stands behind.
    let mut behind: HashMap<Option<&K>, Vec<&K>> = HashMap::new();
    let mut last = None;
    for key in other {
        if lead_set.contains(key) {
            last = Some(key);
        } else if stays(key) {
            behind.entry(last).or_default().push(key);
        }
    }
    let mut out: Vec<&K> = Vec::with_capacity(lead.len() + behind.len());
    let mut waiting = behind.remove(&None).unwrap_or_default();
    if leads == Side::Mine {
        out.append(&mut waiting);
    }
    for key in lead {
        if other_set.contains(key) {
            out.append(&mut waiting);
        }
        if stays(key) {
            out.push(key);
        }
        if let Some(mut list) = behind.remove(&Some(key)) {
            if leads == Side::Mine {
                out.append(&mut list);
            } else {
                // Behind what they added here.
                waiting = list;
            }
        }
    }
    out.append(&mut waiting);
    out.into_iter().cloned().collect()
}

impl<T: Merge> Merge for Vec<T> {
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        if mine.same(theirs) {
            return mine.clone();
        }
        let lists = [base.map(Vec::as_slice).unwrap_or_default(), mine, theirs];
        let [Some(in_base), Some(in_mine), Some(in_theirs)] = lists.map(by_key) else {
            return match base {
                Some(base) => line_up(base, mine, theirs, cx),
                None => whole(base, mine, theirs, cx),
            };
        };
        let get = |key: &Name| {
            [(&in_base, lists[0]), (&in_mine, lists[1]), (&in_theirs, lists[2])]
                .map(|(at, list)| at.get(key).and_then(|at| list.get(*at)))
        };
        let keys = |list: &[T]| -> Vec<Name> { list.iter().filter_map(Merge::key).collect() };
        let both = [keys(mine), keys(theirs)];
        let mut by_key: HashMap<Name, T> = parts_of(&both, &get, cx).into_iter().collect();
        let base_keys = base.map(|base| keys(base));
        let order = order(base_keys.as_deref(), &both, |key| by_key.contains_key(key), T::ORDER_COUNTS, cx);
        order.into_iter().filter_map(|key| by_key.remove(&key)).collect()
    }
}

/// Where each key of a list is, if all have one and no two the same.
fn by_key<T: Merge>(list: &[T]) -> Option<HashMap<Name, usize>> {
    let mut out = HashMap::with_capacity(list.len());
    for (i, item) in list.iter().enumerate() {
        if out.insert(item.key()?, i).is_some() {
            return None;
        }
    }
    Some(out)
}

/// Merge lists whose parts have no names: between the parts that all three have, a run that one side changed is that
/// side's, and one that both changed is merged part by part if all have as many, else contested.
fn line_up<T: Merge>(base: &Vec<T>, mine: &Vec<T>, theirs: &Vec<T>, cx: &mut Merging<'_>) -> Vec<T> {
    let (Some(in_mine), Some(in_theirs)) = (pairs(base, mine), pairs(base, theirs)) else {
        return whole(Some(base), mine, theirs, cx);
    };
    let mut out = Vec::with_capacity(mine.len().max(theirs.len()));
    let (mut i, mut j, mut k) = (0, 0, 0);
    loop {
        let next = (i..base.len()).find_map(|p| Some((p, in_mine[p]?, in_theirs[p]?)));
        let (p, q, r) = next.unwrap_or((base.len(), mine.len(), theirs.len()));
        run(i, [&base[i..p], &mine[j..q], &theirs[k..r]], &mut out, cx);
        if next.is_none() {
            return out;
        }
        out.push(mine[q].clone());
        (i, j, k) = (p + 1, q + 1, r + 1);
    }
}

fn run<T: Merge>(at: usize, [base, mine, theirs]: [&[T]; 3], out: &mut Vec<T>, cx: &mut Merging<'_>) {
    let same = |a: &[T], b: &[T]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b));
    if same(mine, theirs) {
        out.extend_from_slice(mine);
    } else if same(base, mine) {
        cx.element(at, |cx| cx.note(Side::Theirs));
        out.extend_from_slice(theirs);
    } else if same(base, theirs) {
        cx.element(at, |cx| cx.note(Side::Mine));
        out.extend_from_slice(mine);
    } else if base.len() == mine.len() && base.len() == theirs.len() {
        for (i, ((base, mine), theirs)) in base.iter().zip(mine).zip(theirs).enumerate() {
            out.push(cx.element(at + i, |cx| T::merge(Some(base), mine, theirs, cx)));
        }
    } else {
        let shown = |list: &[T]| {
            let texts: Vec<String> = list.iter().map(Merge::shown).collect();
            (!list.is_empty()).then(|| texts.join(",\n"))
        };
        let side = cx.element(at, |cx| cx.choose(false, [shown(base), shown(mine), shown(theirs)]));
        out.extend_from_slice(if side == Side::Mine { mine } else { theirs });
    }
}

/// An element that is compared by its content.
struct Same<'a, T>(&'a T);

impl<T: Merge> PartialEq for Same<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(other.0)
    }
}

/// For each element of `a`, the equal one of `b`, in rising order; as many as can be. `None` when the lists
/// are too long to be compared so.
fn pairs<T: Merge>(a: &[T], b: &[T]) -> Option<Vec<Option<usize>>> {
    let [in_a, in_b] = [a, b].map(|list| list.iter().map(Same).collect::<Vec<_>>());
    let common = common(&in_a, &in_b);
    let mut out = vec![None; a.len()];
    common.pairs.into_iter().for_each(|(i, j)| out[i] = Some(j));
    common.is_all.then_some(out)
}
