//! Where the parts of a file's large groups stand, without the parts: what it takes to find a place, to read one
//! definition out of twenty thousand, and to read a changed text again only where it changed.
//!
//! Invariant: an index is that of its text, and so is one made by [`Index::updated`]: the same as if the whole new text
//! had been read. It holds twelve bytes for each part of a group of at least `Index::LARGE` bytes and nothing of what
//! is smaller, so it is a fraction of the text.

use std::{collections::HashSet, sync::OnceLock};

use crate::model::{FieldPath, Name, Seg, Span};

use super::{
    Kind, Lines, MAX_BYTES, Node, SyntaxError, Tree,
    lines::Marks,
    parse::{key_hash, parse},
    scan::Scanner,
};

/// Where the large groups of a text and their parts stand.
#[derive(Debug)]
pub struct Index {
    root: Item,
    group: Option<Group>,
    /// The size from which groups are indexed, in bytes.
    large: u32,
    /// Made when a place is first shown.
    lines: OnceLock<Marks>,
}

/// A part of a group, or the file's one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// First byte: of the key, if it has one.
    pub(super) start: u32,
    /// First byte of the value.
    pub(super) value: u32,
    /// One past the last byte.
    pub(super) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupKind {
    List,
    Tuple,
    Struct,
    Map,
}

/// A large group: a list, tuple, struct or map, or what is in the parentheses of a tagged value.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    /// The opening bracket.
    pub(super) open: u32,
    pub(super) items: Vec<Item>,
    /// Those of the items that are large groups, by their number, which rises.
    groups: Vec<(u32, Group)>,
    /// The items in the order of their names; made when one is first looked for.
    by_name: OnceLock<Box<[u32]>>,
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        let Self { kind, open, items, groups, by_name: _ } = self;
        *kind == other.kind && *open == other.open && *items == other.items && *groups == other.groups
    }
}

impl PartialEq for Index {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.group == other.group && self.large == other.large
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a text that was read has offsets below 2^32")]
fn narrow(at: usize) -> u32 {
    at as u32
}

impl Item {
    fn plain(node: &Node<'_>) -> Self {
        Self { start: node.start, value: node.start, end: node.end }
    }

    fn range(self) -> (usize, usize) {
        (self.value as usize, self.end as usize)
    }
}

/// A text before and after a change: the same bytes up to `head`, and from `tail` on.
struct TextChange<'t> {
    old: &'t str,
    new: &'t str,
    head: usize,
    old_tail: usize,
    new_tail: usize,
    large: u32,
}

impl TextChange<'_> {
    /// Where a byte of the old tail is in the new text.
    fn moved(&self, at: u32) -> u32 {
        narrow((at as usize + self.new_tail).saturating_sub(self.old_tail))
    }

    /// Where a byte of the new tail was in the old text.
    fn back(&self, at: usize) -> Option<u32> {
        (at >= self.new_tail).then(|| narrow(at - self.new_tail + self.old_tail))
    }

    /// An item before or after the change, or around it: what is at or behind `from` has moved.
    fn item(&self, item: Item, from: u32) -> Item {
        let start = |at| if at >= from { self.moved(at) } else { at };
        let end = if item.end > from { self.moved(item.end) } else { item.end };
        Item { start: start(item.start), value: start(item.value), end }
    }

    fn group(&self, group: &Group, from: u32) -> Group {
        Group {
            kind: group.kind,
            open: if group.open >= from { self.moved(group.open) } else { group.open },
            items: group.items.iter().map(|item| self.item(*item, from)).collect(),
            groups: group.groups.iter().map(|(at, group)| (*at, self.group(group, from))).collect(),
            by_name: OnceLock::new(),
        }
    }
}

impl Group {
    fn of(node: &Node<'_>, large: u32) -> Option<Self> {
        if let Kind::Tagged(_, content) = &node.kind {
            return Self::of(content, large);
        }
        if node.end - node.start < large {
            return None;
        }
        let mut group = Self::empty(GroupKind::List, node.start);
        let mut add = |item, value| group.push(item, value, large);
        let kind = match &node.kind {
            Kind::List(items) => {
                items.iter().for_each(|item| add(Item::plain(item), item));
                GroupKind::List
            }
            Kind::Tuple(items) => {
                items.iter().for_each(|item| add(Item::plain(item), item));
                GroupKind::Tuple
            }
            Kind::Struct(fields) => {
                for field in fields {
                    add(Item { start: field.start, ..Item::plain(&field.value) }, &field.value);
                }
                GroupKind::Struct
            }
            Kind::Map(entries) => {
                for entry in entries {
                    add(Item { start: entry.key.start, ..Item::plain(&entry.value) }, &entry.value);
                }
                GroupKind::Map
            }
            _ => return None,
        };
        Some(Self { kind, ..group })
    }

    fn empty(kind: GroupKind, open: u32) -> Self {
        Self { kind, open, items: Vec::new(), groups: Vec::new(), by_name: OnceLock::new() }
    }

    fn push(&mut self, item: Item, value: &Node<'_>, large: u32) {
        if let Some(group) = Self::of(value, large) {
            self.groups.push((narrow(self.items.len()), group));
        }
        self.items.push(item);
    }

    /// The large group that an item is.
    pub(super) fn group(&self, at: usize) -> Option<&Self> {
        let found = self.groups.binary_search_by_key(&narrow(at), |(at, _)| *at).ok()?;
        self.groups.get(found).map(|(_, group)| group)
    }

    /// The key of an item.
    pub(super) fn key<'t>(&self, text: &'t str, at: usize) -> Option<Node<'t>> {
        let start = self.items.get(at)?.start as usize;
        match self.kind {
            GroupKind::List | GroupKind::Tuple => None,
            GroupKind::Map => fragment(text, start),
            GroupKind::Struct => {
                let word = Scanner::new(text, start).word()?;
                Some(Node { start: narrow(start), end: narrow(start + word.len()), kind: Kind::Symbol(word) })
            }
        }
    }

    /// The number of the item a path's step leads to.
    fn find(&self, text: &str, seg: &Seg) -> Option<usize> {
        let name = match (seg, self.kind) {
            (Seg::Index(at), GroupKind::List | GroupKind::Tuple | GroupKind::Map) => return Some(*at),
            (Seg::Key(name), GroupKind::Struct | GroupKind::Map) => name,
            _ => return None,
        };
        let name_of = |at: u32| self.key(text, at as usize).map_or_else(|| Name::from(""), |key| key.key_name());
        let by_name = self.by_name.get_or_init(|| {
            let mut names: Vec<(Name, u32)> = (0..narrow(self.items.len())).map(|at| (name_of(at), at)).collect();
            names.sort();
            names.into_iter().map(|(_, at)| at).collect()
        });
        let at = by_name.partition_point(|at| *name_of(*at) < **name);
        by_name.get(at).filter(|at| name_of(**at) == *name).map(|at| *at as usize)
    }

    /// This group, which ends at `end`, after a change inside it, and from which old place on all has only moved.
    /// `None` where the change reaches beyond the group, or does not leave it a group of its kind.
    fn changed(&self, end: u32, change: &TextChange<'_>, depth: usize) -> Option<(Self, u32)> {
        if self.open as usize >= change.head || (end as usize) <= change.old_tail {
            return None;
        }
        let first = self.items.partition_point(|item| item.start as usize <= change.head).saturating_sub(1);
        if let Some(inner) = self.group(first)
            && let Some(item) = self.items.get(first)
            && let Some((inner, from)) = inner.changed(item.end, change, depth + 1)
        {
            let mut out = Self::empty(self.kind, self.open);
            out.items.extend(self.items.iter().map(|item| change.item(*item, from)));
            let is_large = change.moved(item.end) - inner.open >= change.large;
            let mut inner = Some(inner);
            out.groups.extend(self.groups.iter().filter_map(|(at, group)| {
                if *at as usize != first {
                    return Some((*at, change.group(group, from)));
                }
                // One that became small is not indexed any more.
                inner.take().filter(|_| is_large).map(|inner| (*at, inner))
            }));
            return Some((out, from));
        }
        self.read_again(first, end, change, depth)
    }

    /// Read anew from the item `first` up to where an old item begins again, or to the end of the group.
    fn read_again(&self, first: usize, end: u32, change: &TextChange<'_>, depth: usize) -> Option<(Self, u32)> {
        let open = self.open as usize;
        let resume = self.items.get(first).filter(|item| item.start as usize <= change.head);
        let mut scan = Scanner::new(change.new, resume.map_or(open + 1, |item| item.start as usize));
        let close = match self.kind {
            GroupKind::List => b']',
            GroupKind::Map => b'}',
            GroupKind::Tuple | GroupKind::Struct => b')',
        };
        scan.trivia().ok()?;
        let mut is_open = !scan.closes(close);
        if close == b')' && first == 0 && !(is_open && scan.at_field_name().ok()? == (self.kind == GroupKind::Struct)) {
            return None;
        }
        let mut out = Self::empty(self.kind, self.open);
        let (kept, _) = self.items.split_at_checked(first)?;
        out.items.extend(kept);
        let mut keys: Vec<Node<'_>> = Vec::new();
        let mut rest = self.items.len();
        while is_open {
            let was = change.back(scan.at);
            if let Some(found) = was.and_then(|was| self.items.binary_search_by_key(&was, |item| item.start).ok()) {
                rest = found;
                break;
            }
            let (start, value) = match self.kind {
                GroupKind::Struct => {
                    let field = scan.field(open, depth).ok()?;
                    let kind = Kind::Symbol(field.name);
                    keys.push(Node { start: field.start, end: field.start + narrow(field.name.len()), kind });
                    (field.start, field.value)
                }
                GroupKind::Map => {
                    let entry = scan.map_entry(open, depth).ok()?;
                    let start = entry.key.start;
                    keys.push(entry.key);
                    (start, entry.value)
                }
                GroupKind::List | GroupKind::Tuple => {
                    let value = scan.value(depth + 1).ok()?;
                    (value.start, value)
                }
            };
            out.push(Item { start, ..Item::plain(&value) }, &value, change.large);
            is_open = scan.next(open, close).ok()?;
        }
        let from = if is_open { self.items.get(rest)?.start } else { end - 1 };
        if !scan.errors.is_empty() || !is_open && change.back(scan.at - 1) != Some(end - 1) {
            return None;
        }
        let n_read = out.items.len() - first;
        out.items.extend(self.items.get(rest..)?.iter().map(|item| change.item(*item, from)));
        let behind = |at: u32| (at as usize).checked_sub(rest).map(|at| narrow(at + first + n_read));
        let new = std::mem::take(&mut out.groups);
        let before = self.groups.iter().filter(|(at, _)| (*at as usize) < first);
        out.groups.extend(before.map(|(at, group)| (*at, change.group(group, from))));
        out.groups.extend(new);
        out.groups.extend(self.groups.iter().filter_map(|(at, group)| Some((behind(*at)?, change.group(group, from)))));
        (!self.may_repeat_keys(change.old, (first, rest), &keys)).then_some((out, from))
    }

    /// Whether a key may be there twice, among these, which take the place of a range of the items, and the others.
    fn may_repeat_keys(&self, old: &str, (from, to): (usize, usize), keys: &[Node<'_>]) -> bool {
        let hash = |at: usize| self.key(old, at).map(|key| key_hash(&key));
        let mut fresh = HashSet::new();
        if !keys.iter().all(|key| fresh.insert(key_hash(key))) {
            return true;
        }
        for replaced in (from..to).filter_map(hash) {
            fresh.remove(&replaced);
        }
        !fresh.is_empty() && (0..from).chain(to..self.items.len()).filter_map(hash).any(|key| fresh.contains(&key))
    }
}

/// The value that begins at a byte of a text that has been read.
pub(super) fn fragment(text: &str, at: usize) -> Option<Node<'_>> {
    Scanner::new(text, at).value(0).ok()
}

/// How many bytes two texts have in common at their beginnings.
fn common_head(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 4096;
    let blocks = a.chunks(STEP).zip(b.chunks(STEP)).take_while(|(a, b)| a == b && a.len() == STEP).count();
    let at = blocks * STEP;
    let (a, b) = (a.get(at..).unwrap_or_default(), b.get(at..).unwrap_or_default());
    at + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts have in common at their ends.
fn common_tail(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 4096;
    let blocks = a.rchunks(STEP).zip(b.rchunks(STEP)).take_while(|(a, b)| a == b && a.len() == STEP).count();
    let n = blocks * STEP;
    let (a, b) = (a.get(..a.len() - n).unwrap_or_default(), b.get(..b.len() - n).unwrap_or_default());
    n + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

impl Index {
    /// Groups of at least so many bytes are indexed; smaller ones are read when something in them is needed.
    const LARGE: u32 = 2048;

    /// The index of a text that has been read.
    #[must_use]
    pub fn of(tree: &Tree<'_>) -> Self {
        Self::finer(tree, Self::LARGE)
    }

    /// An index of groups of at least `large` bytes.
    #[must_use]
    pub fn finer(tree: &Tree<'_>, large: u32) -> Self {
        Self { root: Item::plain(&tree.root), group: Group::of(&tree.root, large), large, lines: OnceLock::new() }
    }

    /// The index of `new`, given that this is the one of `old`: only what differs is read.
    ///
    /// # Errors
    /// What is wrong with `new`, as [`parse`] reports it.
    pub fn updated(&self, old: &str, new: &str) -> Result<Self, Vec<SyntaxError>> {
        match self.spliced(old, new) {
            Some(index) => Ok(index),
            None => parse(new).map(|tree| Self::finer(&tree, self.large)),
        }
    }

    fn spliced(&self, old: &str, new: &str) -> Option<Self> {
        if new.len() > MAX_BYTES {
            return None;
        }
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let head = common_head(a, b);
        let tail = common_tail(a.get(head..)?, b.get(head..)?);
        let (old_tail, new_tail) = (a.len() - tail, b.len() - tail);
        let change = TextChange { old, new, head, old_tail, new_tail, large: self.large };
        let (group, from) = self.group.as_ref()?.changed(self.root.end, &change, 0)?;
        let root = change.item(self.root, from);
        let group = Some(group).filter(|group| root.end - group.open >= self.large)?;
        Some(Self { root, group: Some(group), large: self.large, lines: OnceLock::new() })
    }

    /// The file's one value, and the large group it is.
    pub(super) fn root(&self) -> (Item, Option<&Group>) {
        (self.root, self.group.as_ref())
    }

    /// Where the value at `path` stands (or the key that names it), else the nearest enclosing value that is there; and
    /// whether it is the value itself.
    #[must_use]
    pub fn range_of(&self, text: &str, path: &FieldPath, at_key: bool) -> ((usize, usize), bool) {
        let (mut item, mut group) = self.root();
        let mut key = None;
        let mut segs = path.0.as_slice();
        while let Some((seg, rest)) = segs.split_first()
            && let Some(here) = group
        {
            let found = here.find(text, seg).and_then(|at| Some((at, *here.items.get(at)?)));
            let Some((at, part)) = found else { return (key.unwrap_or(item.range()), false) };
            key = here.key(text, at).map(|key| key.range());
            (item, group, segs) = (part, here.group(at), rest);
        }
        if segs.is_empty() {
            return (key.filter(|_| at_key).unwrap_or(item.range()), true);
        }
        match fragment(text, item.value as usize) {
            Some(node) => node.range_of(segs, key, at_key),
            None => (key.unwrap_or(item.range()), false),
        }
    }

    /// As [`Index::range_of`], with line and column.
    #[must_use]
    pub fn locate(&self, text: &str, path: &FieldPath, at_key: bool) -> (Span, bool) {
        let ((start, end), is_it) = self.range_of(text, path, at_key);
        (self.lines(text).span(start, end), is_it)
    }

    /// The lines of the text.
    #[must_use]
    pub fn lines<'t>(&'t self, text: &'t str) -> Lines<'t> {
        Lines::with(text, self.lines.get_or_init(|| Lines::marks(text)))
    }
}
