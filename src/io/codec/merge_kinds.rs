//! Merging what has rules of its own: values, calls, tiles cell by cell; and whole documents.

use std::{collections::BTreeSet, fmt::Write as _, sync::Arc};

use indexmap::IndexMap;

use super::{
    merge::{Choices, Merge, Merging, whole},
    merge_moved::{self, Aligned},
    merge_parts, tiles,
};
use crate::model::{CHUNK, Call, Cell, Chunk, Contest, Document, FieldPath, Fields, Name, Side, Tile, Tiles, Value};

/// Three versions of a document made one.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The document. Where [`Merged::contests`] is not empty, it has the values of this side there.
    pub document: Arc<Document>,
    /// What both sides changed and no choice has settled.
    pub contests: Vec<Contest>,
    /// Some of the places that only theirs changed.
    pub theirs: Vec<FieldPath>,
    /// How many places only theirs changed.
    pub n_theirs: usize,
    /// How many places only mine changed.
    pub n_mine: usize,
}

/// Merge what two sides made of a document. Without a base, every difference is contested.
#[must_use]
pub fn merge(base: Option<&Document>, mine: &Arc<Document>, theirs: &Arc<Document>, choices: &Choices) -> Merged {
    let mut cx = Merging::new(choices);
    let merged = match aligned(base, mine, theirs) {
        Some(Aligned { base, mine, theirs, moved }) => {
            moved.into_iter().for_each(|(side, at)| cx.note_at(side, at));
            document(base.map(Document::Level).as_ref(), &Document::Level(mine), &Document::Level(theirs), &mut cx)
        }
        None => document(base, mine, theirs, &mut cx),
    };
    let document = if same(&merged, theirs) {
        Arc::clone(theirs)
    } else if same(&merged, mine) {
        Arc::clone(mine)
    } else {
        Arc::new(merged)
    };
    let ([n_mine, n_theirs], [_, theirs]) = (cx.n_changed, cx.changed);
    Merged { document, contests: cx.contests, theirs, n_theirs, n_mine }
}

/// Levels that both sides changed, with their layers in the same groups, if they are not.
fn aligned(base: Option<&Document>, mine: &Document, theirs: &Document) -> Option<Aligned> {
    let (Document::Level(a), Document::Level(b)) = (mine, theirs) else { return None };
    let base = match base {
        Some(document) if same(document, mine) || same(document, theirs) => return None,
        Some(Document::Level(base)) => Some(base),
        _ => None,
    };
    merge_moved::aligned(base, a, b)
}

/// Whether two documents are equal, in the same order: stricter than `==`, which ignores the order of definitions.
#[must_use]
pub fn same(a: &Document, b: &Document) -> bool {
    merge_parts::same(a.root(), b.root())
}

/// A document that was read anew, with the parts that are equal in `old` taken from there: what is derived from them
/// stays valid.
#[must_use]
pub(crate) fn shared(old: &Arc<Document>, new: Document) -> Arc<Document> {
    if same(old, &new) {
        return Arc::clone(old);
    }
    let choices = Choices::default();
    Arc::new(document(Some(old), old, &new, &mut Merging::new(&choices)))
}

/// The kind follows from the path, so all have the same.
fn document(base: Option<&Document>, mine: &Document, theirs: &Document, cx: &mut Merging<'_>) -> Document {
    let merged = merge_parts::merged(base.map(Document::root), mine.root(), theirs.root(), cx);
    let mut out = mine.clone();
    out.root_mut().assign(&*merged);
    out
}

/// Structs and maps merge by key, tagged structs (shapes) too; lists and tuples are one value.
impl Merge for Value {
    const IN_RECORD: bool = true;

    fn same(&self, other: &Self) -> bool {
        let all = |a: &[Self], b: &[Self]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b));
        match (self, other) {
            (Self::Struct(a), Self::Struct(b)) => a.same(b),
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => all(a, b),
            (Self::Map(a), Self::Map(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((j, x), (k, y))| j.same(k) && x.same(y))
            }
            (Self::Tagged(a, x), Self::Tagged(b, y)) => a == b && x.same(y),
            _ => self == other,
        }
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        match (mine, theirs) {
            (Self::Struct(a), Self::Struct(b)) => {
                let base = base.and_then(|base| if let Self::Struct(base) = base { Some(base) } else { None });
                Self::Struct(Merge::merge(base, a, b, cx))
            }
            (Self::Tagged(tag, a), Self::Tagged(other, b)) if tag == other => {
                let base = base.and_then(|base| match base {
                    Self::Tagged(word, content) if word == tag => Some(&**content),
                    _ => None,
                });
                match (&**a, &**b) {
                    (Self::Struct(_), Self::Struct(_)) => {
                        Self::Tagged(tag.clone(), Box::new(Self::merge(base, a, b, cx)))
                    }
                    _ => whole(base_of(base, tag).as_ref(), mine, theirs, cx),
                }
            }
            (Self::Map(a), Self::Map(b)) => {
                let base =
                    base.map(|base| if let Self::Map(base) = base { by_key(base) } else { Some(IndexMap::new()) });
                match (base, by_key(a), by_key(b)) {
                    (None, Some(x), Some(y)) => Self::Map(entries(Fields::merge(None, &x, &y, cx), a, b)),
                    (Some(Some(base)), Some(x), Some(y)) => {
                        Self::Map(entries(Fields::merge(Some(&base), &x, &y, cx), a, b))
                    }
                    _ => whole(None, mine, theirs, cx),
                }
            }
            _ => whole(base, mine, theirs, cx),
        }
    }
}

/// A tagged value again, from its content.
fn base_of(content: Option<&Value>, tag: &Name) -> Option<Value> {
    content.map(|content| Value::Tagged(tag.clone(), Box::new(content.clone())))
}

/// What a path calls a map's key.
fn key_name(key: &Value) -> Name {
    key.as_str().map_or_else(|| key.to_string().into(), Into::into)
}

/// A map by the names of its keys, if those are apart.
fn by_key(map: &[(Value, Value)]) -> Option<Fields> {
    let fields: Fields = map.iter().map(|(key, value)| (key_name(key), value.clone())).collect();
    (fields.len() == map.len()).then_some(fields)
}

fn entries(fields: Fields, mine: &[(Value, Value)], theirs: &[(Value, Value)]) -> Vec<(Value, Value)> {
    let keys: IndexMap<Name, &Value> = theirs.iter().chain(mine).map(|(key, _)| (key_name(key), key)).collect();
    fields.into_iter().filter_map(|(name, value)| Some(((*keys.get(&name)?).clone(), value))).collect()
}

impl Merge for Call {
    fn same(&self, other: &Self) -> bool {
        self.name == other.name && self.args.same(&other.args)
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        if mine.name != theirs.name || base.is_some_and(|base| base.name != mine.name) {
            return whole(base, mine, theirs, cx);
        }
        let args = Merge::merge(base.map(|base| &base.args), &mine.args, &theirs.args, cx);
        Self { name: mine.name.clone(), args }
    }
}

/// Tiles merge cell by cell: two people who paint different cells of one chunk never conflict.
impl Merge for Tiles {
    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        let mut out = mine.clone();
        let places: BTreeSet<Cell> = mine.unshared(theirs).map(|(at, ..)| at).collect();
        let is_one = |a: Option<&Arc<Chunk>>, b: Option<&Arc<Chunk>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (None, None) => true,
            _ => false,
        };
        for at in places {
            let (a, b) = (mine.chunk(at), theirs.chunk(at));
            if is_one(a, b) {
                continue;
            }
            let was = base.and_then(|base| base.chunk(at));
            let name: Name = format!("({}, {})", at[0], at[1]).into();
            cx.named(name, |cx| {
                if base.is_some() && is_one(was, b) {
                    cx.note(Side::Mine);
                } else if base.is_some() && is_one(was, a) {
                    cx.note(Side::Theirs);
                    out.share_chunk(at, b.cloned().unwrap_or_default());
                } else {
                    out.set_chunk(at, cells(at, was, [a, b], cx));
                }
            });
        }
        out
    }
}

/// One chunk that both sides painted.
fn cells(at: Cell, base: Option<&Arc<Chunk>>, [a, b]: [Option<&Arc<Chunk>>; 2], cx: &mut Merging<'_>) -> Chunk {
    let get = |chunk: Option<&Arc<Chunk>>, i: usize| chunk.map_or(Tile::EMPTY, |chunk| chunk.get(i));
    let mut out = a.map_or_else(Chunk::default, |chunk| (**chunk).clone());
    let mut contested = Vec::new();
    let mut is_changed = [false; 2];
    for i in 0..(CHUNK * CHUNK) as usize {
        let (was, mine, theirs) = (get(base, i), get(a, i), get(b, i));
        if mine == theirs {
        } else if was == mine {
            is_changed[1] = true;
            out.set(i, theirs);
        } else if was == theirs {
            is_changed[0] = true;
        } else {
            contested.push(i);
        }
    }
    for (is_changed, side) in is_changed.into_iter().zip([Side::Mine, Side::Theirs]) {
        if is_changed {
            cx.note(side);
        }
    }
    if contested.is_empty() {
        return out;
    }
    let chunk_text = |chunk: Option<&Arc<Chunk>>| {
        let mut text = String::new();
        for i in &contested {
            let inside = i32::try_from(*i).unwrap_or_default();
            let (x, y) = (at[0] * CHUNK + inside % CHUNK, at[1] * CHUNK + inside / CHUNK);
            let tile = get(chunk, *i);
            let shown = if tile.is_empty() { ".".to_owned() } else { tiles::write_row(&[tile]) };
            let _ = writeln!(text, "({x}, {y}): {shown}");
        }
        text.truncate(text.trim_end().len());
        Some(text)
    };
    if cx.choose(false, [base.and_then(|base| chunk_text(Some(base))), chunk_text(a), chunk_text(b)]) == Side::Theirs {
        for i in contested {
            out.set(i, get(b, i));
        }
    }
    out
}
