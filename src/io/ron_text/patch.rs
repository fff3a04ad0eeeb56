//! Edits of a file's text that give it other content and change nothing besides.
//!
//! The old tree and the wanted form are walked together. A scalar that differs is replaced, and nothing around it.
//! Where parts come or go or change places, the container is put together again from its pieces: each part with the
//! comments that belong to it, exactly as it stood.

use std::ops::Range;

use super::{
    Kind, Node, Tree,
    assembly::{Body, Layout, Region, assemble},
    carried::{Carried, Carry, Dropped, Entry, Placed, bare},
    edit::{TextEdit, apply},
    form::{Form, ListBy, Slot, inside_some},
    index::fragment,
    inline::quoted,
    pieces::{Part, Piece, head_end, own_line, pieces, stop_of},
    plan::{Plan, in_file_order, match_content, match_field, match_keys},
    renamed::find_renamed,
    respell::respelled,
    write::{Style, Writer},
};

/// The text of `tree`, changed so that its content is `form`: unchanged content keeps every byte, and comments of
/// entries that move from one place to another move along.
///
/// `None` when the form keeps something of the file ([`Form::Keep`]) that is not in it.
#[must_use]
pub fn patch(tree: &Tree<'_>, form: &Form<'_>) -> Option<String> {
    let patched = patch_with(tree, form, &[])?;
    let carried = &patched.dropped.entries;
    if carried.is_empty() { Some(patched.text) } else { Some(patch_with(tree, form, carried)?.text) }
}

/// A changed text, and what happened to comments.
#[derive(Clone, Debug)]
pub struct Patched {
    /// The new text.
    pub text: String,
    /// What was removed from the old one.
    pub dropped: Dropped,
    /// Which of the entries that were to be carried came here.
    pub placed: Vec<Placed>,
}

/// As [`patch`], with the comments of removed entries, of this text or others.
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

/// Columns up to which a part is added to an existing line.
const ONE_LINE: usize = 120;

/// Parts from which a container is long.
const LONG: usize = 24;

struct Patcher<'t, 'c> {
    text: &'t str,
    style: Style<'t>,
    edits: Vec<TextEdit>,
    is_lost: bool,
    carry: &'c Carry<'c>,
    /// The nearest key above the node at hand.
    parent: String,
    dropped: Dropped,
}

impl<'t: 'c, 'c> Patcher<'t, 'c> {
    /// Change `node` so that its content is `form`.
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
                    self.edits.push(TextEdit { start, end, text: text.unwrap_or_else(|| quoted(new)) });
                }
            }
            (Form::Tagged(tag, content), Kind::Tagged(word, inside)) if tag == word => self.node(inside, content),
            (Form::Call(tag, slots), Kind::Tagged(word, inside)) if tag == word => match &inside.kind {
                Kind::Struct(_) => self.record(inside, slots),
                _ if form.is_written_by(node) => {}
                _ => self.replace(node, form),
            },
            // Another call with the same arguments.
            (Form::Call(tag, slots), Kind::Tagged(word, inside)) if has_all(inside, slots) => {
                let start = node.start as usize;
                self.edits.push(TextEdit { start, end: start + word.len(), text: (*tag).to_owned() });
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
        // Of a long one only the neighborhood of added and removed parts is put together again.
        let (n_front, n_back) = if parts.len() > LONG { self.unmoved(node, parts, plan) } else { (0, 0) };
        let (front, rest) = plan.split_at(n_front);
        let (middle, back) = rest.split_at(rest.len() - n_back);
        let part_of = |at: usize| parts.get(at);
        for (at, planned) in front.iter().enumerate() {
            if let (Some(part), Plan::Old { key, form, .. }) = (part_of(at), planned) {
                self.part_in_place(part, key.as_deref(), *form);
            }
        }
        let edit = self.rebuild(node, (parts, n_front..parts.len() - n_back), middle);
        self.edits.push(edit);
        for (at, planned) in (parts.len() - n_back..).zip(back) {
            if let (Some(part), Plan::Old { key, form, .. }) = (part_of(at), planned) {
                self.part_in_place(part, key.as_deref(), *form);
            }
        }
    }

    /// The edit that makes these parts of `node`, a range of all of them, follow `plan`. What is before and behind them
    /// stays.
    fn rebuild(
        &mut self,
        node: &Node<'t>,
        (parts, range): (&[Part<'_, 't>], Range<usize>),
        plan: &[Plan<'_, '_>],
    ) -> TextEdit {
        let text = self.text;
        let get = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let before = range.start.checked_sub(1).and_then(|at| parts.get(at));
        let region = Region {
            // A comment on the line of the opening bracket stays there.
            start: before.map_or_else(|| node.start as usize + 1, |part| stop_of(text, part.end).1),
            head: if before.is_some() { 0 } else { head_end(text, node) - node.start as usize - 1 },
            end: match range.end.checked_sub(1).and_then(|at| parts.get(at)) {
                Some(last) if range.end < parts.len() => stop_of(text, last.end).1,
                _ => node.end as usize - 1,
            },
            first: range.start,
            is_last: range.end == parts.len(),
        };
        let moved = parts.get(range).unwrap_or_default();
        let pieces = pieces(text, region.start + region.head, moved);
        let mut stays = vec![false; pieces.len()];
        for planned in plan {
            if let Plan::Old { at, .. } = planned
                && let Some(slot) = stays.get_mut(at.wrapping_sub(region.first))
            {
                *slot = true;
            }
        }
        for ((piece, part), _) in pieces.iter().zip(moved).zip(&stays).filter(|(_, stays)| !**stays) {
            self.dropped.part(text, &self.parent, part, (piece.own(text), piece.stop));
        }
        let tail = get(pieces.last().map_or(region.start + region.head, |last| last.stop), region.end);
        let (base, column) = self.place_of(node.start as usize);

        let leads = || pieces.iter().map(|piece| get(piece.lead, piece.start));
        let n_lined = leads().filter_map(own_line).count();
        let inner = leads().filter_map(own_line).next_back();
        let inner = inner.map_or_else(|| format!("{base}{}", self.style.unit), str::to_owned);

        let is_one_line = !get(node.start as usize, node.end as usize).contains('\n');
        let mut lined = if pieces.is_empty() { !is_one_line } else { own_line(tail).is_some() || n_lined > 1 };
        let is_plain = |text: &str| !text.contains("//") && !text.contains("/*");
        let has_new = plan.iter().any(|part| matches!(part, Plan::New(..)));
        let may_break = is_one_line && has_new && leads().all(is_plain) && is_plain(tail);
        // Comments that move along to an added part need lines of their own.
        let wants_lines = !lined
            && (may_break || !is_one_line)
            && plan.iter().any(|planned| {
                let Plan::New(key, form) = planned else { return false };
                let key = key.as_deref().map(bare);
                let carry = self.carry;
                carry.find(&self.parent, key.as_deref(), form, ("", "")).is_some()
                    || carry.has_for(key.as_deref().unwrap_or(&self.parent), form)
            });
        lined |= wants_lines;
        let mut bodies = self.bodies((parts, &pieces, region.first), plan, &inner, lined);
        // One line only while it is not too long and nothing new needs several; comments keep it as it is.
        let mut broken = None;
        if may_break {
            let rest = get(node.end as usize, text.len());
            let rest = rest.lines().next().map_or(0, |rest| rest.chars().count());
            let length: usize = bodies.iter().map(|body| body.text.chars().count() + 2).sum();
            if wants_lines || column + length + rest > ONE_LINE || bodies.iter().any(|body| body.text.contains('\n')) {
                if !lined {
                    lined = true;
                    bodies = self.bodies((parts, &pieces, region.first), plan, &inner, lined);
                }
                broken = Some(format!("{}{base}", self.style.eol));
            }
        }
        let layout = Layout { base, inner: &inner, lined, broken: broken.as_deref() };
        assemble((text, self.style.eol), &pieces, plan, (&bodies, &stays), &layout, &region)
    }

    /// The new texts of planned parts.
    fn bodies(
        &mut self,
        (parts, pieces, first): (&[Part<'_, 't>], &[Piece], usize),
        plan: &[Plan<'_, '_>],
        inner: &str,
        lined: bool,
    ) -> Vec<Body> {
        plan.iter()
            .map(|planned| match planned {
                Plan::Old { at, key, form } => {
                    let Some(part) = parts.get(*at) else { return Body::default() };
                    let piece = at.checked_sub(first).and_then(|at| pieces.get(at));
                    let text = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
                    let own = piece.filter(|piece| own_line(text(piece.lead, piece.start)).is_some());
                    let mut body = Body::default();
                    if let Some((piece, carried)) = own.zip(self.carried_to(part, key.as_deref(), *form)) {
                        self.carry.place(&carried, false);
                        body.lead.clone_from(&carried.lead);
                        let has_comment = text(piece.end, piece.stop).contains('/');
                        if has_comment && !carried.trail.is_empty() {
                            body.lead.push(carried.trail);
                        } else {
                            body.trail = carried.trail;
                        }
                    }
                    body.text = self.edited(part, key.as_deref(), *form);
                    body
                }
                Plan::New(key, form) => {
                    let mut writer = self.writer(lined);
                    let trail = if lined {
                        writer.carried_entry(key.as_deref(), form, inner).trim_start().to_owned()
                    } else {
                        if let Some(key) = key {
                            writer.out.push_str(key);
                            writer.out.push_str(": ");
                        }
                        writer.value(form, inner, 0, 0);
                        String::new()
                    };
                    Body { lead: Vec::new(), text: self.written(writer), trail }
                }
            })
            .collect()
    }

    /// A part that stays where it is. When it takes the value of an entry that goes, the comments of that come beside
    /// it.
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
                        behind = Some(TextEdit { start: after, end: after, text: format!(" {}", carried.trail) });
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
            self.edits.push(TextEdit { start: part.start, end: part.start, text });
        }
        self.part(part, key, form);
        self.edits.extend(behind);
    }

    /// The comments that move along with the value a part takes.
    fn carried_to(&self, part: &Part<'_, 't>, key: Option<&str>, form: Option<&Form<'_>>) -> Option<Carried> {
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
            self.edits.push(TextEdit { start, end, text: text.unwrap_or_else(|| key.to_owned()) });
        }
        if let Some(form) = form.filter(|form| !matches!(form, Form::Keep)) {
            // Keys are needed only where comments move.
            let name = self.key_of(part, key);
            let parent = name.map(|name| std::mem::replace(&mut self.parent, name));
            self.node(part.value, form);
            if let Some(parent) = parent {
                self.parent = parent;
            }
        }
    }

    /// The text of a part, changed.
    fn edited(&mut self, part: &Part<'_, 't>, key: Option<&str>, form: Option<&Form<'_>>) -> String {
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
        self.edits.push(TextEdit { start, end, text });
    }

    /// The indentation of the line that holds `at`, and the column of `at` in it, from 0.
    fn place_of(&self, at: usize) -> (&'t str, usize) {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        (line.get(..width).unwrap_or_default(), line.chars().count())
    }

    /// Comments move along to what it writes only where lines can be broken.
    fn writer(&self, may_break: bool) -> Writer<'c> {
        let mut writer = Writer::new(self.style, Some(self.carry).filter(|_| may_break));
        writer.parent.clone_from(&self.parent);
        writer
    }

    /// The text of a writer, and the note of what it could not write.
    fn written(&mut self, writer: Writer<'_>) -> String {
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
