//! Taking what is at a place over from another version of a document.

use super::{LiveChange, LiveKind, difference::Names};
use crate::model::{
    Seg,
    reflect::{
        Key, ListViewMut, MapView, MapViewMut, Reflect, View, ViewMut, drop_at, place, place_mut, unshared,
        unshared_mut,
    },
};

/// Give a document what another version of it has at the place of a change. Nothing happens where the place is in
/// neither.
pub(super) fn take_over(target: &mut dyn Reflect, source: &dyn Reflect, change: &LiveChange) {
    let path = change.at.0.as_slice();
    match (change.kind, &change.element) {
        (LiveKind::Order, _) => order_as(target, source, path),
        (_, Some(name)) => element(target, source, path, name),
        (_, None) => value(target, source, path),
    }
}

fn value(target: &mut dyn Reflect, source: &dyn Reflect, path: &[Seg]) {
    let Some((last, parent)) = path.split_last() else { return };
    let Some((from, _)) = place(source, path) else {
        let Some(around) = place_mut(target, parent) else { return };
        drop_at(around, last);
        // A component goes with the last field that is set of it.
        let is_left = matches!(unshared(around).view(), View::Map(map) if map.is_empty());
        if is_left && place(source, parent).is_none() {
            value(target, source, parent);
        }
        return;
    };
    if let Some(to) = place_mut(target, path) {
        to.assign(from);
    } else {
        put_new(target, source, path, from);
    }
}

/// Put a value where there is none. What it is in is made too, with it alone.
fn put_new(target: &mut dyn Reflect, source: &dyn Reflect, path: &[Seg], value: &dyn Reflect) {
    let Some((last, parent)) = path.split_last() else { return };
    let Seg::Key(name) = last else { return };
    let Some((around, _)) = place(source, parent) else { return };
    let Some(into) = place_mut(target, parent) else {
        let mut alone = around.boxed();
        if let ViewMut::Map(map) = unshared_mut(&mut *alone) {
            let keys: Vec<Key> = (0..map.len()).filter_map(|at| Some(map.at(at)?.0)).collect();
            keys.iter().filter(|key| *key.name() != **name).for_each(|key| drop(map.remove(key)));
            put_new(target, source, parent, &*alone);
        }
        return;
    };
    match (unshared_mut(into), unshared(around).view()) {
        (ViewMut::Map(map), View::Map(source)) => put(map, source, name, value),
        (ViewMut::List(list), View::List(source)) => {
            if let Some(names) = Names::of(source) {
                insert(list, &names, name, value);
            }
        }
        _ => {}
    }
}

/// Put an entry where it stands in another version of a map: after the entry that is before it there.
fn put(map: &mut dyn MapViewMut, source: &dyn MapView, name: &str, value: &dyn Reflect) {
    let Some(key) = Key::of(name, map.has_ids()) else { return };
    let Some(at) = source.index_of(&key) else { return };
    let before = (0..at).rev().filter_map(|at| source.at(at)).find_map(|(key, _)| map.index_of(&key));
    map.put(before.map_or(0, |before| before + 1), &key, value.boxed());
}

/// Put an element where it stands in another version of a list, whose elements have these names.
fn insert(list: &mut dyn ListViewMut, source: &Names, name: &str, value: &dyn Reflect) {
    let Some(here) = Names::of(&*list) else { return };
    let Some(at) = source.names.iter().position(|it| it == name) else { return };
    let before = source.names[..at].iter().rev().find_map(|it| here.names.iter().position(|here| here == it));
    if list.push(&mut |blank| blank.assign(value)) {
        let last = list.len() - 1;
        list.reorder(last, before.map_or(0, |before| before + 1));
    }
}

fn element(target: &mut dyn Reflect, source: &dyn Reflect, path: &[Seg], name: &str) {
    let Some(View::List(from)) = place(source, path).map(|(list, _)| unshared(list).view()) else { return };
    let Some(names) = Names::of(from) else { return };
    let there = names.names.iter().position(|it| it == name).and_then(|at| from.get(at));
    let Some(ViewMut::List(list)) = place_mut(target, path).map(unshared_mut) else { return };
    let here = Names::of(&*list).and_then(|here| here.names.iter().position(|it| it == name));
    match (there, here) {
        (Some(value), Some(at)) => {
            if let Some(to) = list.get_mut(at) {
                to.assign(value);
            }
        }
        (Some(value), None) => insert(list, &names, name, value),
        (None, Some(at)) => drop(list.remove(at)),
        (None, None) => {}
    }
}

/// Put what both have in the order that the other version has it in. What only one has stays where it is.
fn order_as(target: &mut dyn Reflect, source: &dyn Reflect, path: &[Seg]) {
    let Some((from, _)) = place(source, path) else { return };
    let Some(into) = place_mut(target, path) else { return };
    let keys = |map: &dyn MapView| -> Vec<String> {
        (0..map.len()).filter_map(|at| Some(map.at(at)?.0.name().to_string())).collect()
    };
    match (unshared_mut(into), unshared(from).view()) {
        (ViewMut::Map(map), View::Map(source)) => {
            let moves = moves(keys(&*map), &keys(source));
            moves.into_iter().for_each(|(from, to)| map.reorder(from, to));
        }
        (ViewMut::List(list), View::List(source)) => {
            let (Some(here), Some(there)) = (Names::of(&*list), Names::of(source)) else { return };
            let moves = moves(here.names, &there.names);
            moves.into_iter().for_each(|(from, to)| list.reorder(from, to));
        }
        _ => {}
    }
}

/// The moves that put the names that both have in the order of `wanted`.
fn moves(mut here: Vec<String>, wanted: &[String]) -> Vec<(usize, usize)> {
    let mut in_order = wanted.iter().filter(|name| here.contains(name)).cloned().collect::<Vec<_>>().into_iter();
    let target: Vec<String> = here
        .iter()
        .map(|name| if wanted.contains(name) { in_order.next().unwrap_or_default() } else { name.clone() })
        .collect();
    let mut out = Vec::new();
    for (to, name) in target.iter().enumerate() {
        if let Some(from) = here.iter().skip(to).position(|it| it == name).filter(|from| *from > 0) {
            let name = here.remove(to + from);
            here.insert(to, name);
            out.push((to + from, to));
        }
    }
    out
}
