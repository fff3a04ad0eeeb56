//! Where two projects differ, by the description of documents: as fine as a user would decide about it. A field of an
//! entity is a change of its own, the tiles of a layer are one, and so is a machine.

use std::{collections::HashMap, sync::Arc};

use super::{
    LiveChange, LiveKind,
    text::{self, PLACED, Step},
};
use crate::model::{
    CHUNK, DocPath, FieldPath, Name, Project, Seg,
    reflect::{
        FieldValue, ListView, MapView, Record, RecordView, Reflect, View, each_field, id_of, place, record_in, tag_of,
    },
};

/// Records that are one change whatever of them differs: their parts make sense together only.
const WHOLE: [&str; 2] = ["a machine", "a link"];

/// Every change from one project to another.
pub(super) fn changes(before: &Project, after: &Project) -> Vec<LiveChange> {
    let mut out = Vec::new();
    let (mut olds, mut news) = (before.documents.iter().peekable(), after.documents.iter().peekable());
    while let Some(path) = [olds.peek(), news.peek()].into_iter().flatten().map(|(path, _)| *path).min() {
        let old = olds.next_if(|(it, _)| *it == path).map(|(_, document)| document);
        let new = news.next_if(|(it, _)| *it == path).map(|(_, document)| document);
        let mut walk = Walk { doc: path, trail: Vec::new(), out: &mut out };
        match (old, new) {
            (Some(old), Some(new)) if Arc::ptr_eq(old, new) => {}
            (Some(old), Some(new)) => walk.values(old.root(), new.root()),
            (Some(_), None) => walk.note(LiveKind::Removed, None, format!("{path} deleted")),
            (None, _) => walk.note(LiveKind::Added, None, format!("{path} added")),
        }
    }
    out
}

struct Walk<'a> {
    doc: &'a DocPath,
    trail: Vec<Step>,
    out: &'a mut Vec<LiveChange>,
}

impl Walk<'_> {
    fn note(&mut self, kind: LiveKind, element: Option<&str>, text: String) {
        let at = FieldPath(self.trail.iter().map(|step| step.seg.clone()).collect());
        let element = element.map(Into::into);
        self.out.push(LiveChange { doc: self.doc.clone(), at, element, kind, text });
    }

    /// Go to a field, or to a thing with a name.
    fn within(&mut self, key: &str, thing: Option<&dyn Reflect>, go: impl FnOnce(&mut Self)) {
        let record = thing.and_then(record_in).map(RecordView::record);
        let noun = record.map(Record::noun);
        let def = thing.filter(|_| noun == Some(PLACED)).and_then(def_of);
        self.trail.push(Step { seg: Seg::Key(key.into()), noun, def });
        go(self);
        self.trail.pop();
    }

    fn changed(&mut self, before: &dyn Reflect, after: &dyn Reflect) {
        if !before.equals(after) {
            self.note(LiveKind::Changed, None, text::changed(self.doc, &self.trail, before, after));
        }
    }

    /// What is there is new or gone. Of a component that an entity sets fields of, each field is a change of its own.
    fn lone(&mut self, kind: LiveKind, value: &dyn Reflect) {
        match text::component_fields(&self.trail, value) {
            Some(fields) if fields.len() > 1 => {
                for (key, value) in (0..fields.len()).filter_map(|at| fields.at(at)) {
                    self.within(&key.name(), Some(value), |walk| walk.lone(kind, value));
                }
            }
            _ => self.note(kind, None, text::lone(self.doc, &self.trail, kind, value)),
        }
    }

    fn values(&mut self, before: &dyn Reflect, after: &dyn Reflect) {
        match (before.view(), after.view()) {
            (View::Shared(_, a), View::Shared(_, b)) if std::ptr::eq(a, b) => {}
            (View::Shared(a, _), View::Shared(b, _)) | (View::Option(Some(a)), View::Option(Some(b))) => {
                self.values(a, b);
            }
            (View::Record(a), View::Record(b)) => {
                if tag_of(a) != tag_of(b) || WHOLE.contains(&a.record().what) {
                    self.changed(before, after);
                } else {
                    self.records(a, b);
                }
            }
            (View::Map(a), View::Map(b)) => self.maps(a, b, before.ty().is_in_record()),
            (View::List(a), View::List(b)) => match (Names::of(a), Names::of(b)) {
                (Some(old), Some(new)) => self.lists((a, &old), (b, &new)),
                _ => self.changed(before, after),
            },
            (View::Tiles(a), View::Tiles(b)) => {
                let cells = (0..CHUNK).flat_map(|y| (0..CHUNK).map(move |x| [x, y]));
                let n_in = |at: [i32; 2]| {
                    let cell = |[x, y]: [i32; 2]| [at[0] * CHUNK + x, at[1] * CHUNK + y];
                    cells.clone().filter(|it| a.get(cell(*it)) != b.get(cell(*it))).count()
                };
                let n = a.unshared(b).map(|(at, ..)| n_in(at)).sum();
                if n > 0 {
                    self.note(LiveKind::Changed, None, text::painted(self.doc, &self.trail, n));
                }
            }
            _ => self.changed(before, after),
        }
    }

    fn records(&mut self, before: &dyn RecordView, after: &dyn RecordView) {
        let fields = |record| {
            let mut fields: Vec<FieldValue<'_>> = Vec::new();
            each_field(record, &mut |it| fields.push(it));
            fields
        };
        let (olds, news) = (fields(before), fields(after));
        for old in &olds {
            let new = news.iter().find(|new| new.field.key == old.field.key);
            self.within(old.field.key, None, |walk| match new {
                Some(new) => walk.values(old.value, new.value),
                None => walk.lone(LiveKind::Removed, old.value),
            });
        }
        for new in news.iter().filter(|new| !olds.iter().any(|old| old.field.key == new.field.key)) {
            self.within(new.field.key, None, |walk| walk.lone(LiveKind::Added, new.value));
        }
    }

    fn maps(&mut self, before: &dyn MapView, after: &dyn MapView, is_in_record: bool) {
        let (mut last, mut n_found) = (None, 0);
        let mut is_reordered = false;
        for at in 0..before.len() {
            // Most stand where they stood and are the very same: of many thousands, no name has to be looked up.
            let is_in_place = before.name_at(at).is_some_and(|name| after.name_at(at) == Some(name));
            let unchanged = before.value_at(at).zip(after.value_at(at)).is_some_and(|(old, new)| is_one(old, new));
            if is_in_place && unchanged {
                is_reordered |= Some(at) < last;
                (last, n_found) = (Some(at).max(last), n_found + 1);
                continue;
            }
            let Some((key, old)) = before.at(at) else { continue };
            let found = after.index_of(&key);
            let new = found.and_then(|at| after.value_at(at));
            is_reordered |= found.is_some() && found < last;
            (last, n_found) = (found.max(last), n_found + usize::from(found.is_some()));
            if new.is_some_and(|new| is_one(old, new)) {
                continue;
            }
            self.within(&key.name(), Some(old), |walk| match new {
                Some(new) => walk.values(old, new),
                None => walk.lone(LiveKind::Removed, old),
            });
        }
        let n_new = after.len().saturating_sub(n_found);
        let is_new = |at: usize| after.at(at).filter(|(key, _)| before.index_of(key).is_none());
        // New ones are usually at the end.
        for (key, new) in (0..after.len()).rev().filter_map(is_new).take(n_new).collect::<Vec<_>>().into_iter().rev() {
            self.within(&key.name(), Some(new), |walk| walk.lone(LiveKind::Added, new));
        }
        if is_reordered && !is_in_record {
            self.note(LiveKind::Order, None, text::reordered(self.doc, &self.trail));
        }
    }

    fn lists(&mut self, (before, olds): (&dyn ListView, &Names), (after, news): (&dyn ListView, &Names)) {
        let pairs = |list: &dyn ListView, at: usize| list.get(at).map(Reflect::boxed);
        let mut last = None;
        let mut is_reordered = false;
        let index = |names: &Names| -> HashMap<String, usize> {
            names.names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect()
        };
        let (at_old, at_new) = (index(olds), index(news));
        for (at, name) in olds.names.iter().enumerate() {
            let found = at_new.get(name).copied();
            is_reordered |= found.is_some() && found < last;
            last = found.max(last);
            let Some(old) = before.get(at) else { continue };
            let new = found.and_then(|at| after.get(at));
            match new {
                Some(new) if is_one(old, new) => {}
                _ if olds.is_by_path => self.within(name, Some(old), |walk| match new {
                    Some(new) => walk.values(old, new),
                    None => walk.lone(LiveKind::Removed, old),
                }),
                Some(new) if old.equals(new) => {}
                _ => {
                    let kind = if new.is_some() { LiveKind::Changed } else { LiveKind::Removed };
                    self.note(kind, Some(name), text::element(self.doc, &self.trail, kind, (name, old)));
                }
            }
        }
        for (at, name) in news.names.iter().enumerate().filter(|(_, name)| !at_old.contains_key(*name)) {
            let Some(new) = pairs(after, at) else { continue };
            if news.is_by_path {
                self.within(name, Some(&*new), |walk| walk.lone(LiveKind::Added, &*new));
            } else {
                let text = text::element(self.doc, &self.trail, LiveKind::Added, (name, &*new));
                self.note(LiveKind::Added, Some(name), text);
            }
        }
        if is_reordered {
            self.note(LiveKind::Order, None, text::reordered(self.doc, &self.trail));
        }
    }
}

/// Whether both are the very same shared value.
fn is_one(a: &dyn Reflect, b: &dyn Reflect) -> bool {
    matches!((a.view(), b.view()), (View::Shared(_, a), View::Shared(_, b)) if std::ptr::eq(a, b))
}

/// The definition of a placed entity.
fn def_of(value: &dyn Reflect) -> Option<Name> {
    match place(value, &[Seg::Key("def".into())])?.0.view() {
        View::Text(def) => Some(def.into()),
        _ => None,
    }
}

/// What tells the elements of a list apart.
pub(super) struct Names {
    pub(super) names: Vec<String>,
    /// A path leads to them by these, as to layers.
    pub(super) is_by_path: bool,
}

impl Names {
    /// None where nothing does, or two have the same.
    pub(super) fn of(list: &dyn ListView) -> Option<Self> {
        let record = list.item_type().record()?;
        let ids: Vec<usize> = (0..record.fields.len()).filter(|at| record.fields[*at].is_id).collect();
        let is_by_path = ids.len() == 1;
        let name = |value: &dyn Reflect| -> Option<String> {
            if is_by_path {
                return id_of(value).map(str::to_owned);
            }
            let record = record_in(value)?;
            let texts = ids.iter().map(|at| match record.get(*at)?.view() {
                View::Text(text) => Some(text),
                _ => None,
            });
            Some(texts.collect::<Option<Vec<_>>>()?.join(" → "))
        };
        if ids.is_empty() {
            return None;
        }
        let names: Vec<String> = (0..list.len()).map(|at| name(list.get(at)?)).collect::<Option<_>>()?;
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort();
        let is_clear = sorted.windows(2).all(|two| two[0] != two[1]);
        is_clear.then_some(Self { names, is_by_path })
    }
}
