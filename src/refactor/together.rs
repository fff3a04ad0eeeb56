//! A change of one value carried over to others that differ from it: what several selected things get when one of them
//! is edited in their name.
//!
//! Invariant: what the change left alone is left alone in the others too, and a value that was the same becomes the
//! same.

use crate::model::Value;

/// What became of `other` had it been changed as `from` was to become `to`: the same elements added and taken away, the
/// same parts set. For several things that are edited as one and differ.
#[must_use]
pub fn changed_alike(from: &Value, to: &Value, other: &Value) -> Value {
    if from == other {
        return to.clone();
    }
    match (from, to, other) {
        (Value::List(from), Value::List(to), Value::List(other)) => Value::List(list_changed_alike(from, to, other)),
        (Value::Struct(from), Value::Struct(to), Value::Struct(other)) => {
            let mut out = other.clone();
            out.retain(|name, _| to.contains_key(name) || !from.contains_key(name));
            for (name, new) in to.iter().filter(|(name, new)| from.get(*name) != Some(new)) {
                let alike = match (from.get(name), out.get(name)) {
                    (Some(old), Some(theirs)) => changed_alike(old, new, theirs),
                    _ => new.clone(),
                };
                out.insert(name.clone(), alike);
            }
            Value::Struct(out)
        }
        (Value::Map(from), Value::Map(to), Value::Map(other)) => {
            let find = |of: &[(Value, Value)], key: &Value| of.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
            let mut out = other.clone();
            out.retain(|(key, _)| find(to, key).is_some() || find(from, key).is_none());
            for (key, new) in to {
                let old = find(from, key);
                match out.iter_mut().find(|(k, _)| k == key) {
                    _ if old.as_ref() == Some(new) => {}
                    Some((_, theirs)) => {
                        *theirs = old.map_or_else(|| new.clone(), |old| changed_alike(&old, new, theirs));
                    }
                    None => out.push((key.clone(), new.clone())),
                }
            }
            Value::Map(out)
        }
        // A pair: the component that is changed.
        (Value::Tuple(from), Value::Tuple(to), Value::Tuple(other))
            if from.len() == to.len() && to.len() == other.len() =>
        {
            let parts = from.iter().zip(to).zip(other);
            Value::Tuple(parts.map(|((from, to), other)| if from == to { other } else { to }.clone()).collect())
        }
        _ => to.clone(),
    }
}

fn list_changed_alike(from: &[Value], to: &[Value], other: &[Value]) -> Vec<Value> {
    let mut differing = from.iter().zip(to).filter(|(old, new)| old != new);
    if let (true, Some((old, new)), None) = (from.len() == to.len(), differing.next(), differing.next()) {
        return other.iter().map(|it| changed_alike_element(old, new, it)).collect();
    }
    let less = |a: &[Value], b: &[Value]| {
        let mut out = a.to_vec();
        for element in b {
            if let Some(at) = out.iter().position(|it| it.is_like(element)) {
                out.remove(at);
            }
        }
        out
    };
    let mut out = less(other, &less(from, to));
    for new in less(to, from) {
        if !out.iter().any(|it| it.is_like(&new)) {
            out.push(new);
        }
    }
    out
}

fn changed_alike_element(old: &Value, new: &Value, it: &Value) -> Value {
    if it.is_like(old) { new.clone() } else { it.clone() }
}
