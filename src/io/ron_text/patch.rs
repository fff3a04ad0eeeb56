//! Edits of a file's text that make it say something else and change nothing besides.
//!
//! The old tree and the wanted form are walked together. A scalar that differs is replaced, and nothing around it. Where
//! parts come or go or change places, the container is put together again from its pieces: each part with the comments
//! that belong to it, exactly as it stood.

use std::{borrow::Cow, collections::HashMap};

use super::{
    Kind, Node, Tree,
    carried::{Carry, Dropped, Entry, Placed, bare},
    form::{Form, ListBy, Slot, inside_some},
    index::fragment,
    parse::key_hash,
    pieces::{self, Part, stop_of},
    renamed::find_renamed,
    respell::respelled,
    write::{Style, Writer, quoted},
};

/// A replacement of `start..end`.
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: String,
}

/// The text of `tree`, changed so that it says `form`: what it says already keeps every byte, and comments of what goes from
/// one place to another go along.
///
/// `None` when the form relies on the file to say something ([`Form::Keep`]) that is not in it.
#[must_use]
pub fn patch(tree: &Tree<'_>, form: &Form<'_>) -> Option<String> {
    let patched = patch_with(tree, form, &[])?;
    let carried = &patched.dropped.entries;
    if carried.is_empty() { Some(patched.text) } else { Some(patch_with(tree, form, carried)?.text) }
}

/// A text changed, and what became of comments.
#[derive(Clone, Debug)]
pub struct Patched {
    /// The new text.
    pub text: String,
    /// What went from the old one.
    pub dropped: Dropped,
    /// Which of the entries that were to be carried came here.
    pub placed: Vec<Placed>,
}

/// As [`patch`], with the comments of entries that go, here or elsewhere.
#[must_use]
pub fn patch_with(tree: &Tree<'_>, form: &Form<'_>, carried: &[Entry]) -> Option<Patched> {
    let carry = Carry::new(carried);
    let mut patcher = Patcher {
        text: tree.text,
        style: style_of(tree.text),
        edits: Vec::new(),
        is_lost: false,
        carry: &carry,
        parent: String::new(),
        dropped: Dropped::default(),
    };
    patcher.node(&tree.root, form);
    let Patcher { edits, is_lost, mut dropped, .. } = patcher;
    dropped.remarks.sort_by_key(|remark| remark.at);
    let text = (!is_lost).then(|| apply(tree.text, 0, tree.text.len(), &edits).into_owned())?;
    Some(Patched { text, dropped, placed: carry.placed() })
}

/// `text[start..end]` with edits inside it made, which are in order and apart.
pub(super) fn apply<'t>(text: &'t str, start: usize, end: usize, edits: &[Edit]) -> Cow<'t, str> {
    let get = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    if edits.is_empty() {
        return Cow::Borrowed(get(start, end));
    }
    let mut out = String::with_capacity(end - start + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = start;
    for edit in edits {
        out.push_str(get(at, edit.start));
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(get(at, end));
    Cow::Owned(out)
}

/// The file's own line breaks and indentation.
fn style_of(text: &str) -> Style<'_> {
    // New lines end as most lines do.
    let is_mostly_crlf = || text.matches("\r\n").count() * 2 > text.matches('\n').count();
    let eol = if text.contains('\r') && is_mostly_crlf() { "\r\n" } else { "\n" };
    let indented = text.lines().filter(|line| !line.trim_start().is_empty()).find(|line| line.starts_with([' ', '\t']));
    let unit = indented.map_or("    ", |line| {
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..width).filter(|unit| *unit == "\t" || unit.len() <= 8).unwrap_or("    ")
    });
    Style { unit, eol }
}

/// What becomes of one part of a container: an old part, changed or not, or a new one.
pub(super) enum Plan<'p, 'm> {
    /// The old part of this index.
    Old {
        /// Which.
        at: usize,
        /// Its new key, if that changes.
        key: Option<String>,
        /// What its value should say; `None` when it may say what it says.
        form: Option<&'p Form<'m>>,
    },
    /// A new part, with its key.
    New(Option<String>, &'p Form<'m>),
}

/// Parts from which a container is long.
const LONG: usize = 24;

pub(super) struct Patcher<'t, 'c> {
    pub(super) text: &'t str,
    pub(super) style: Style<'t>,
    edits: Vec<Edit>,
    is_lost: bool,
    pub(super) carry: &'c Carry<'c>,
    /// The key that what is looked at stands below.
    pub(super) parent: String,
    pub(super) dropped: Dropped,
}

impl<'t: 'c, 'c> Patcher<'t, 'c> {
    /// Make `node` say `form`.
    fn node(&mut self, node: &Node<'t>, form: &Form<'_>) {
        match (form, &node.kind) {
            (Form::Keep, _) => {}
            (Form::Value(value), _) => self.node(node, &Form::open(value)),
            (Form::Custom(custom), _) => {
                if !custom.is_written_by(node) {
                    self.node(node, &custom.form(Some(node)));
                }
            }
            (Form::Optional(Some(form)), kind) => match (inside_some(node), kind) {
                (Some(inside), _) => self.node(inside, form),
                (None, Kind::Symbol("None")) => self.replace(node, form),
                (None, _) => self.node(node, form),
            },
            // An empty group without a comment has no style to go by.
            (Form::List(_) | Form::Map(_) | Form::Record(_), _) if self.is_hollow(node) => {
                if !form.is_written_by(node) {
                    self.replace(node, form);
                }
            }
            (Form::Str(new), Kind::Str(old)) => {
                if new != old {
                    let (start, end) = node.range();
                    let text = respelled(self.text.get(start..end).unwrap_or_default(), old, new);
                    self.edits.push(Edit { start, end, text: text.unwrap_or_else(|| quoted(new)) });
                }
            }
            (Form::Tagged(tag, content), Kind::Tagged(word, inside)) if tag == word => self.node(inside, content),
            (Form::Call(tag, slots), Kind::Tagged(word, inside)) if tag == word => match &inside.kind {
                Kind::Struct(_) => self.record(inside, slots),
                _ if form.is_written_by(node) => {}
                _ => self.replace(node, form),
            },
            // Another word for the same arguments.
            (Form::Call(tag, slots), Kind::Tagged(word, inside)) if has_all(inside, slots) => {
                let start = node.start as usize;
                self.edits.push(Edit { start, end: start + word.len(), text: (*tag).to_owned() });
                self.record(inside, slots);
            }
            (Form::Tuple(forms), Kind::Tuple(nodes)) if forms.len() == nodes.len() => {
                for (node, form) in nodes.iter().zip(forms) {
                    self.node(node, form);
                }
            }
            (Form::Record(slots), Kind::Struct(_)) => self.record(node, slots),
            (Form::List(list), Kind::List(nodes)) => {
                let pairs = match (&list.known, list.by) {
                    (Some(known), _) => known.iter().map(|at| at.filter(|at| *at < nodes.len())).collect(),
                    (_, ListBy::Position) => (0..list.items.len()).map(|i| (i < nodes.len()).then_some(i)).collect(),
                    (_, ListBy::Content) => match_content(nodes, &list.items),
                    (_, ListBy::Field(name)) => match_field(nodes, &list.items, name),
                };
                let old = |form, at| Plan::Old { at, key: None, form: Some(form) };
                let plan: Vec<Plan<'_, '_>> = pairs
                    .into_iter()
                    .zip(&list.items)
                    .map(|(at, form)| at.map_or(Plan::New(None, form), |at| old(form, at)))
                    .collect();
                let parts: Vec<Part<'_, 't>> = nodes.iter().map(Part::item).collect();
                self.container(node, &parts, &plan);
            }
            (Form::Map(map), Kind::Map(entries)) => {
                let parts: Vec<Part<'_, 't>> = entries.iter().map(Part::entry).collect();
                let pairs = match_keys(entries.iter().map(|entry| &entry.key), &map.entries);
                let mut plan: Vec<Plan<'_, '_>> = Vec::with_capacity(map.entries.len());
                for (at, (key, value)) in pairs.into_iter().zip(&map.entries) {
                    plan.push(match at {
                        Some(at) => Plan::Old { at, key: None, form: Some(value) },
                        None => Plan::New(Some(self.key(key)), value),
                    });
                }
                find_renamed(self.text, &parts, &mut plan);
                if !map.is_ordered {
                    let kept = |i: usize| entries.get(i).is_some_and(|entry| (map.is_blank)(&entry.value));
                    plan = in_file_order(plan, parts.len(), kept);
                }
                self.container(node, &parts, &plan);
            }
            _ if form.is_written_by(node) => {}
            _ => self.replace(node, form),
        }
    }

    /// Whether this is an empty list, map or `()` with nothing but space inside.
    fn is_hollow(&self, node: &Node<'t>) -> bool {
        let is_empty = match &node.kind {
            Kind::List(items) | Kind::Tuple(items) => items.is_empty(),
            Kind::Map(entries) => entries.is_empty(),
            _ => false,
        };
        let inside = self.text.get(node.start as usize + 1..(node.end as usize).saturating_sub(1));
        is_empty && inside.is_some_and(|inside| inside.trim().is_empty())
    }

    fn record(&mut self, node: &Node<'t>, slots: &[Slot<'_>]) {
        let Kind::Struct(fields) = &node.kind else { return };
        let mut plan = Vec::with_capacity(slots.len());
        for slot in slots {
            match fields.iter().position(|field| field.name == slot.name) {
                Some(at) => {
                    // A field that came to hold nothing goes; one that was written out as nothing stays.
                    let is_written = fields.get(at).is_some_and(|field| slot.form.is_written_by(&field.value));
                    if is_written || !(slot.is_default && slot.form.is_empty()) {
                        plan.push(Plan::Old { at, key: None, form: (!is_written).then_some(&slot.form) });
                    }
                }
                None if !slot.is_default => plan.push(Plan::New(Some(slot.name.to_owned()), &slot.form)),
                None => {}
            }
        }
        let parts: Vec<Part<'_, 't>> = fields.iter().map(Part::field).collect();
        find_renamed(self.text, &parts, &mut plan);
        let plan = in_file_order(plan, parts.len(), |_| false);
        self.container(node, &parts, &plan);
    }

    fn container(&mut self, node: &Node<'t>, parts: &[Part<'_, 't>], plan: &[Plan<'_, '_>]) {
        let is_as_it_was = plan.len() == parts.len()
            && plan.iter().enumerate().all(|(i, part)| matches!(part, Plan::Old { at, .. } if *at == i));
        if is_as_it_was {
            for (part, plan) in parts.iter().zip(plan) {
                if let Plan::Old { key, form, .. } = plan {
                    self.part_in_place(part, key.as_deref(), *form);
                }
            }
            return;
        }
        // Of a long one only the neighborhood of what comes and goes is put together again.
        let (n_front, n_back) = if parts.len() > LONG { self.unmoved(node, parts, plan) } else { (0, 0) };
        let (front, rest) = plan.split_at(n_front);
        let (middle, back) = rest.split_at(rest.len() - n_back);
        let part_of = |at: usize| parts.get(at);
        for (at, planned) in front.iter().enumerate() {
            if let (Some(part), Plan::Old { key, form, .. }) = (part_of(at), planned) {
                self.part_in_place(part, key.as_deref(), *form);
            }
        }
        let edit = pieces::rebuild(self, node, (parts, n_front..parts.len() - n_back), middle);
        self.edits.push(edit);
        for (at, planned) in (parts.len() - n_back..).zip(back) {
            if let (Some(part), Plan::Old { key, form, .. }) = (part_of(at), planned) {
                self.part_in_place(part, key.as_deref(), *form);
            }
        }
    }

    /// A part that stays where it is. When it takes the value of an entry that goes, the comments of that come beside it.
    fn part_in_place(&mut self, part: &Part<'_, 't>, key: Option<&str>, form: Option<&Form<'_>>) {
        let carried = self.carried_to(part, key, form);
        let (mut above, mut behind) = (Vec::new(), None);
        if let Some(carried) = carried {
            let get = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
            let line = self.text.get(..part.start).unwrap_or_default().rfind('\n').map_or(0, |end| end + 1);
            let (comma, stop) = stop_of(self.text, part.end);
            let after = comma.map_or(part.end, |comma| comma + 1);
            let rest = self.text.get(stop..).unwrap_or_default().lines().next().unwrap_or_default();
            if get(line, part.start).trim().is_empty() {
                above.clone_from(&carried.lead);
                if !carried.trail.is_empty() {
                    if stop == after && rest.trim().is_empty() {
                        behind = Some(Edit { start: after, end: after, text: format!(" {}", carried.trail) });
                    } else {
                        above.push(carried.trail.clone());
                    }
                }
                self.carry.place(&carried, false);
            }
        }
        if !above.is_empty() {
            let (indent, _) = self.place_of(part.start);
            let end = format!("{}{indent}", self.style.eol);
            let text = above.iter().flat_map(|comment| [comment.as_str(), &end]).collect();
            self.edits.push(Edit { start: part.start, end: part.start, text });
        }
        self.part(part, key, form);
        self.edits.extend(behind);
    }

    /// The comments that go along with the value a part takes.
    pub(super) fn carried_to(
        &self,
        part: &Part<'_, 't>,
        key: Option<&str>,
        form: Option<&Form<'_>>,
    ) -> Option<super::carried::Carried> {
        let form = form.filter(|form| !self.carry.is_empty() && !form.is_written_by(part.value))?;
        let name = self.key_of(part, key);
        let (indent, _) = self.place_of(part.start);
        let found = self.carry.find(&self.parent, name.as_deref(), form, (indent, self.style.eol))?;
        (!found.lead.is_empty() || !found.trail.is_empty()).then_some(found)
    }

    fn key_of(&self, part: &Part<'_, 't>, key: Option<&str>) -> Option<String> {
        let old = || part.key.and_then(|(start, end)| self.text.get(start..end));
        key.or_else(old).map(bare)
    }

    /// How many parts in front and at the back stay where they are, some neighbors of what moves not counted. None of a
    /// group on one line, which may have to be broken.
    fn unmoved(&self, node: &Node<'t>, parts: &[Part<'_, 't>], plan: &[Plan<'_, '_>]) -> (usize, usize) {
        /// Neighbors that show how new parts are written.
        const NEIGHBORS: usize = 8;
        let (start, end) = node.range();
        if !self.text.get(start..end).unwrap_or_default().contains('\n') {
            return (0, 0);
        }
        let is_at = |planned: &Plan<'_, '_>, place: usize| matches!(planned, Plan::Old { at, .. } if *at == place);
        let n_both = parts.len().min(plan.len());
        let n_front = plan.iter().enumerate().take_while(|(i, planned)| is_at(planned, *i)).count().min(n_both);
        let back = plan.iter().rev().zip((0..parts.len()).rev());
        let n_back = back.take_while(|(planned, at)| is_at(planned, *at)).count().min(n_both - n_front);
        (n_front.saturating_sub(NEIGHBORS), n_back.saturating_sub(NEIGHBORS))
    }

    fn part(&mut self, part: &Part<'_, 't>, key: Option<&str>, form: Option<&Form<'_>>) {
        if let (Some(key), Some((start, end))) = (key, part.key) {
            let old = self.text.get(start..end).unwrap_or_default();
            let texts = (fragment(old, 0).map(|it| it.kind), fragment(key, 0).map(|it| it.kind));
            let text = match &texts {
                (Some(Kind::Str(was)), Some(Kind::Str(is))) => respelled(old, was, is),
                _ => None,
            };
            self.edits.push(Edit { start, end, text: text.unwrap_or_else(|| key.to_owned()) });
        }
        if let Some(form) = form {
            // Keys are needed only where comments come or go.
            let name = self.key_of(part, key);
            let parent = name.map(|name| std::mem::replace(&mut self.parent, name));
            self.node(part.value, form);
            if let Some(parent) = parent {
                self.parent = parent;
            }
        }
    }

    /// The text of a part, changed.
    pub(super) fn edited(&mut self, part: &Part<'_, 't>, key: Option<&str>, form: Option<&Form<'_>>) -> String {
        let before = std::mem::take(&mut self.edits);
        self.part(part, key, form);
        let edits = std::mem::replace(&mut self.edits, before);
        apply(self.text, part.start, part.end, &edits).into_owned()
    }

    fn replace(&mut self, node: &Node<'t>, form: &Form<'_>) {
        let (start, end) = node.range();
        let (indent, column) = self.place_of(start);
        self.dropped.value(self.text, &self.parent, node);
        let mut writer = self.writer(true);
        writer.value(form, indent, column, 1);
        let text = self.written(writer);
        self.edits.push(Edit { start, end, text });
    }

    /// The indentation of the line that holds `at`, and the column of `at` in it, from 0.
    pub(super) fn place_of(&self, at: usize) -> (&'t str, usize) {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        (line.get(..width).unwrap_or_default(), line.chars().count())
    }

    /// Comments go along with what it writes only where lines can be broken.
    pub(super) fn writer(&self, may_break: bool) -> Writer<'c> {
        let mut writer = Writer::new(self.style, Some(self.carry).filter(|_| may_break));
        writer.parent.clone_from(&self.parent);
        writer
    }

    /// The text of a writer, and the note of what it could not write.
    pub(super) fn written(&mut self, writer: Writer<'_>) -> String {
        self.is_lost |= writer.is_lost;
        writer.out
    }

    fn key(&mut self, key: &Form<'_>) -> String {
        let mut writer = self.writer(false);
        let key = writer.key(key);
        self.written(writer);
        key
    }
}

/// Whether the arguments of a call are those wanted, with whatever values.
fn has_all(inside: &Node<'_>, slots: &[Slot<'_>]) -> bool {
    let Kind::Struct(fields) = &inside.kind else { return false };
    fields.len() == slots.len() && fields.iter().all(|field| slots.iter().any(|slot| slot.name == field.name))
}

/// Old parts in the order of the file, new ones behind the part they follow in `plan`. Old parts that are not in it stay
/// where `is_kept` says so.
fn in_file_order<'p, 'm>(plan: Vec<Plan<'p, 'm>>, n_old: usize, is_kept: impl Fn(usize) -> bool) -> Vec<Plan<'p, 'm>> {
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
    // Most often the file has them all in this order, or all but some: then one look at the next keys is enough.
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
            let mut writer = Writer::new(super::write::CANONICAL, None);
            let text = writer.key(key);
            let found = by_hash.get(&key_hash(&fragment(&text, 0)?)).copied().filter(is_it)?;
            next = found + 1;
            Some(found)
        })
        .collect()
}

/// For each wanted element, which of the file's it is: those that say the same keep their order, and between them what
/// is left is paired by position.
fn match_content(nodes: &[Node<'_>], forms: &[Form<'_>]) -> Vec<Option<usize>> {
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
fn match_field(nodes: &[Node<'_>], forms: &[Form<'_>], name: &str) -> Vec<Option<usize>> {
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
