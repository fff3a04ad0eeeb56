//! Text stays its author's: random edits of a project whose files are laid out in every way and full of comments.
//!
//! After each edit the file says what the document says, exactly; every value that did not change is spelled as it was;
//! everything between two parts that stayed neighbors is as it was; and every comment is still there that did not stand
//! in or beside something that went.

use std::sync::Arc;

use levelwright::{
    edit::{Edit, History, RefKind, TypedRefs, apply},
    io::{
        Source, codec, content_hash, load_one,
        ron_text::{Index, Kind, Node, parse, part, patch},
        text_of,
    },
    model::{
        ComponentSpec, DocPath, Document, EntitiesFile, EntityDef, FieldSpec, FieldType, MessageSpec, Name, Project,
        Schema, Value,
    },
};
use proptest::prelude::*;

use super::{
    cases::cases,
    edit::{other_edit, project, some_edit},
    ron_text::{TestRng, any_value},
};

// ---- files as people leave them

/// Writes a value in a layout of its own, every comment with a number.
struct Scribe<'r> {
    out: String,
    rng: &'r TestRng,
    unit: &'static str,
    n_comments: usize,
}

impl Scribe<'_> {
    fn maybe(&self, one_in: usize) -> bool {
        self.rng.below(one_in) == 0
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.push_str(&self.unit.repeat(indent));
    }

    fn block_comment(&mut self) {
        self.n_comments += 1;
        let n = self.n_comments;
        let kinds = [format!("/* c{n}; */"), format!("/* c{n}; /* , ) */ }} */"), format!("/* c{n};\n   \"on */")];
        self.out.push_str(&kinds[self.rng.below(3)]);
    }

    fn line_comment(&mut self) {
        self.n_comments += 1;
        self.out.push_str(&format!("// c{}; ), \"", self.n_comments));
    }

    /// Comments on lines of their own, with or without a blank line around them.
    fn above(&mut self, indent: usize) {
        for _ in 0..self.rng.below(6).saturating_sub(3) {
            if self.maybe(3) {
                self.out.push('\n');
            }
            self.line(indent);
            if self.maybe(3) { self.block_comment() } else { self.line_comment() }
        }
        if self.maybe(5) {
            self.out.push('\n');
        }
        self.line(indent);
    }

    fn behind(&mut self) {
        if self.maybe(5) {
            self.out.push_str(["  ", " ", ""][self.rng.below(3)]);
            self.line_comment();
        } else if self.maybe(8) {
            self.out.push(' ');
            self.block_comment();
        }
    }

    fn gap(&mut self) {
        match self.rng.below(16) {
            0 => self.block_comment(),
            1 => {
                self.line_comment();
                self.out.push('\n');
            }
            2 => self.out.push_str("\n\n  "),
            3 => self.out.push('\t'),
            4..8 => self.out.push(' '),
            _ => {}
        }
    }

    fn parts<T>(
        &mut self,
        (open, close): (&str, &str),
        parts: &[T],
        indent: usize,
        one: impl Fn(&mut Self, &T, usize),
    ) {
        self.out.push_str(open);
        let comma_at_end = !self.maybe(3);
        let n = parts.len();
        match self.rng.below(8) {
            // On lines, as most people do.
            0..4 if n > 0 => {
                self.behind();
                for (i, part) in parts.iter().enumerate() {
                    self.above(indent + 1);
                    one(self, part, indent + 1);
                    if i + 1 < n || comma_at_end {
                        self.out.push(',');
                    }
                    self.behind();
                }
                if self.maybe(8) {
                    self.above(indent + 1);
                    self.block_comment();
                }
                self.line(indent);
            }
            // On one line.
            0..7 => {
                let space = if self.maybe(4) { " " } else { "" };
                self.out.push_str(space);
                for (i, part) in parts.iter().enumerate() {
                    if self.maybe(12) {
                        self.block_comment();
                        self.out.push(' ');
                    }
                    one(self, part, indent);
                    if self.maybe(12) {
                        self.block_comment();
                    }
                    match i + 1 < n {
                        true => self.out.push_str(", "),
                        false if !comma_at_end => self.out.push(','),
                        false => {}
                    }
                }
                self.out.push_str(space);
            }
            // An unusual layout.
            _ => {
                self.gap();
                for (i, part) in parts.iter().enumerate() {
                    one(self, part, indent + 2);
                    self.gap();
                    if i + 1 < n || comma_at_end {
                        self.out.push(',');
                        self.gap();
                    }
                }
            }
        }
        self.out.push_str(close);
    }

    fn colon(&mut self) {
        let text = [": ", ": ", ": ", ":", " : ", ":  ", ": /* at */ "][self.rng.below(7)];
        self.out.push_str(text);
    }

    fn value(&mut self, value: &Value, indent: usize) {
        match value {
            Value::List(list) => self.parts(("[", "]"), list, indent, Self::value),
            Value::Tuple(list) => self.parts(("(", ")"), list, indent, Self::value),
            Value::Struct(fields) => {
                let fields: Vec<_> = fields.iter().collect();
                self.parts(("(", ")"), &fields, indent, |it, (name, value), indent| {
                    it.out.push_str(name);
                    it.colon();
                    it.value(value, indent);
                });
            }
            Value::Map(entries) => self.parts(("{", "}"), entries, indent, |it, (key, value), indent| {
                it.scalar(key);
                it.colon();
                it.value(value, indent);
            }),
            Value::Tagged(tag, content) => {
                self.out.push_str(tag);
                self.value(content, indent);
            }
            other => self.scalar(other),
        }
    }

    fn scalar(&mut self, value: &Value) {
        let text = match (value, self.rng.below(6)) {
            (Value::Int(i), 0) if *i >= 0 => format!("{i:#x}"),
            (Value::Int(i), 1) if *i >= 1000 => format!("{}_{:03}", i / 1000, i % 1000),
            (Value::Int(i), 2) if *i >= 0 => format!("+{i}"),
            (Value::Float(x), 0) if x.abs() < 1e6 && x.fract() == 0.0 => format!("{x:.2}"),
            (Value::Float(x), 1) => format!("{x:e}"),
            (Value::Float(x), 2) if *x == 0.5 => ".5_0".into(),
            (Value::Str(s), 0) if !s.contains(['"', '#', '\r']) => format!("r#\"{s}\"#"),
            (Value::Str(s), 1) => {
                let escaped: String = s.chars().map(|c| format!("\\u{{{:x}}}", u32::from(c))).collect();
                format!("\"{escaped}\"")
            }
            (value, _) => value.to_string(),
        };
        // `1e2` is a float to the reader, but `1` is not.
        self.out.push_str(&text);
    }
}

/// A file that says `document`, laid out by chance.
fn scribbled(document: &Document, rng: &TestRng) -> String {
    let canonical = text_of(document, None);
    let value = parse(&canonical).unwrap().to_value();
    let unit = ["    ", "  ", "\t", "   "][rng.below(4)];
    let mut scribe = Scribe { out: String::new(), rng, unit, n_comments: 0 };
    scribe.line_comment();
    scribe.out.push('\n');
    scribe.value(&value, 0);
    scribe.out.push_str(["\n", " // end\n", "\n\n// end\n"][rng.below(3)]);
    scribe.out
}

/// The project of the edits' tests, with words of its own, each file laid out by chance.
pub(crate) fn scribbled_project(seed: u64) -> (Project, Vec<(DocPath, Source)>) {
    let mut project = project();
    let mut schema = Schema::default();
    let fields = [("max", FieldType::Float), ("regen", FieldType::Float)];
    let fields = fields.into_iter().map(|(name, ty)| (name.into(), FieldSpec::of(ty))).collect();
    schema.components.insert("Health".into(), ComponentSpec { fields, ..ComponentSpec::default() });
    for name in ["Go", "Bell"] {
        schema.messages.insert(name.into(), MessageSpec::default());
    }
    project.documents.insert(DocPath::new("schemas/game.ron").unwrap(), Arc::new(Document::Schema(schema)));
    // As loading wants it.
    for document in project.documents.values_mut() {
        match Arc::make_mut(document) {
            Document::Project(file) => file.format = 1,
            Document::Tileset(tileset) => tileset.image = "keep.png".into(),
            _ => {}
        }
    }
    let rng = TestRng::new(seed);
    let mut sources = Vec::new();
    for (path, document) in &mut project.documents {
        let text = scribbled(document, &rng);
        let (read, findings) = load_one(path, &text);
        assert_eq!((read.as_ref(), &findings), (Some(&**document), &vec![]), "{path}:\n{text}");
        *document = Arc::new(read.unwrap());
        let hash = content_hash(text.as_bytes());
        sources.push((path.clone(), Source::new(text.into(), hash, findings, Some(Arc::clone(document)))));
    }
    (project, sources)
}

pub(crate) fn some_change() -> impl Strategy<Value = Edit> {
    let typed = TypedRefs::none;
    let game = || DocPath::new("schemas/game.ron").unwrap();
    let word =
        || prop::sample::select(vec!["Health", "Vitals", "Brain", "max", "most", "Go", "Gone"]).prop_map(Name::from);
    let said = (some_edit(), any_value()).prop_map(|(mut edit, new)| {
        if let Edit::SetValue { value, .. } = &mut edit {
            *value = new;
        }
        edit
    });
    prop_oneof![
        8 => said,
        3 => other_edit(),
        1 => (word(), word()).prop_map(move |(from, to)| {
            Edit::rename(&game(), &from, &to, typed(RefKind::Component))
        }),
        1 => word().prop_map(move |to| {
            Edit::Rename { doc: game(), of: "Health".into(), from: "max".into(), to, typed: typed(RefKind::Field) }
        }),
        1 => (word(), word()).prop_map(move |(from, to)| {
            Edit::rename(&game(), &from, &to, typed(RefKind::Message))
        }),
    ]
}

// ---- what has to stay

/// An old file and the one an edit made of it.
struct Pair<'t> {
    old: &'t str,
    new: &'t str,
    /// Places of comments in the old file that may have gone.
    may_go: Vec<(usize, usize)>,
    problems: Vec<String>,
}

/// A part of a container: where it begins, its key, its value.
struct Piece<'n, 't> {
    start: usize,
    end: usize,
    key: Option<Value>,
    node: &'n Node<'t>,
}

fn value(node: &Node<'_>) -> Value {
    node.to_value(&mut |word| word.into())
}

fn pieces<'n, 't>(node: &'n Node<'t>) -> Vec<Piece<'n, 't>> {
    let piece =
        |start: u32, key, node: &'n Node<'t>| Piece { start: start as usize, end: node.end as usize, key, node };
    match &node.kind {
        Kind::List(items) | Kind::Tuple(items) => items.iter().map(|item| piece(item.start, None, item)).collect(),
        Kind::Struct(fields) => {
            fields.iter().map(|f| piece(f.start, Some(Value::Symbol(f.name.into())), &f.value)).collect()
        }
        Kind::Map(entries) => entries.iter().map(|e| piece(e.key.start, Some(value(&e.key)), &e.value)).collect(),
        _ => Vec::new(),
    }
}

fn opened<'n, 't>(node: &'n Node<'t>) -> &'n Node<'t> {
    if let Kind::Tagged(_, content) = &node.kind { content } else { node }
}

impl Pair<'_> {
    fn compare(&mut self, old: &Node<'_>, new: &Node<'_>) {
        let (before, after) = (&self.old[old.range().0..old.range().1], &self.new[new.range().0..new.range().1]);
        if value(old) == value(new) {
            if before != after {
                self.problems.push(format!("spelled differently: {before}\nnow: {after}"));
            }
            return;
        }
        let same_tag = match (&old.kind, &new.kind) {
            (Kind::Tagged(a, _), Kind::Tagged(b, _)) => a == b,
            (Kind::Tagged(..), _) | (_, Kind::Tagged(..)) => false,
            _ => true,
        };
        let (outer_old, old, new) = (old, opened(old), opened(new));
        let (was, is) = (pieces(old), pieces(new));
        let same_kind = std::mem::discriminant(&old.kind) == std::mem::discriminant(&new.kind);
        if !same_tag || !same_kind || was.is_empty() || is.is_empty() {
            self.may_go.push(outer_old.range());
            return;
        }
        let found = matched(&was, &is, matches!(old.kind, Kind::Tuple(_)));
        for (piece, found) in was.iter().zip(&found) {
            match found {
                Some(at) => self.compare(piece.node, is[*at].node),
                None => self.may_go.push((piece.start, piece.end)),
            }
        }
        // Between neighbors that stayed neighbors nothing changed, nor before the first and behind the last.
        let (old_open, new_open) = (old.range().0 + 1, new.range().0 + 1);
        let (old_close, new_close) = (old.range().1 - 1, new.range().1 - 1);
        let is_same = found.iter().enumerate().all(|(i, at)| *at == Some(i)) && is.len() == was.len();
        let one_line = !self.old[old_open..old_close].contains('\n');
        for i in 0..=was.len() {
            let from = if i > 0 { was[i - 1].end } else { old_open };
            let to = was.get(i).map_or(old_close, |piece| piece.start);
            let before = if i > 0 { found[i - 1] } else { None };
            let after = found.get(i).copied().flatten();
            let neighbors = match (i, before, after) {
                (0, _, Some(0)) => Some((new_open, is[0].start)),
                (_, Some(a), Some(b)) if b == a + 1 => Some((is[a].end, is[b].start)),
                (_, Some(a), None) if i == was.len() && a + 1 == is.len() => Some((is[a].end, new_close)),
                _ => None,
            };
            match neighbors {
                // A line that became too long is broken; else new parts go where they go, and what was there stays.
                Some((a, b)) if self.old[from..to] != self.new[a..b] => {
                    let broken = one_line && !is_same;
                    let comma = self.old[from..to].replacen(',', "", 1) == self.new[a..b].replacen(',', "", 1);
                    // A part that takes the value of one that goes has its comments, too.
                    let has_more = comments(&self.new[a..b]).len() > comments(&self.old[from..to]).len();
                    if !has_more && (is_same || !broken && !comma) {
                        let (old, new) = (&self.old[from..to], &self.new[a..b]);
                        self.problems.push(format!("changed between parts that stayed: {old:?}\nnow: {new:?}"));
                    }
                }
                Some(_) => {}
                // Beside something that went.
                None if before.is_none() && i > 0 || after.is_none() && i < was.len() => self.may_go.push((from, to)),
                None => {}
            }
        }
    }
}

/// For each old part, which of the new it became: by key or by place in a tuple, else by a value only it has.
fn matched(was: &[Piece<'_, '_>], is: &[Piece<'_, '_>], is_tuple: bool) -> Vec<Option<usize>> {
    let new: Vec<Value> = is.iter().map(|piece| value(piece.node)).collect();
    let mut found: Vec<Option<usize>> = was
        .iter()
        .enumerate()
        .map(|(i, piece)| match &piece.key {
            Some(key) => is.iter().position(|other| other.key.as_ref() == Some(key)),
            None if is_tuple && was.len() == is.len() => Some(i),
            None if was.len() == is.len()
                && was.iter().zip(&new).filter(|(a, b)| value(a.node) != **b).count() <= 1 =>
            {
                Some(i)
            }
            None => {
                let mine = value(piece.node);
                let only = |n: usize| n == 1;
                let n_old = was.iter().filter(|other| value(other.node) == mine).count();
                let n_new = new.iter().filter(|other| **other == mine).count();
                (only(n_old) && only(n_new)).then(|| new.iter().position(|other| *other == mine)).flatten()
            }
        })
        .collect();
    // A key that went while its value stayed under a new one was renamed.
    for i in 0..was.len() {
        if found[i].is_none() && was[i].key.is_some() {
            let mine = value(was[i].node);
            let free = |at: &usize| !found.contains(&Some(*at)) && new[*at] == mine;
            let same: Vec<usize> = (0..is.len()).filter(free).collect();
            if let [only] = same.as_slice() {
                found[i] = Some(*only);
            }
        }
    }
    found
}

/// The numbers of the comments in a text, with where each begins.
pub(crate) fn comments(text: &str) -> Vec<(usize, String)> {
    let marks = text.match_indices("/* c").chain(text.match_indices("// c"));
    marks.filter_map(|(at, _)| Some((at, text[at + 3..].split_once(';')?.0.to_owned()))).collect()
}

/// With `may_repeat`, values that go may come in several places, each with the comments, as what is inlined does.
fn check(path: &DocPath, source: &Source, document: &Document, may_repeat: bool) -> Result<String, String> {
    let old_text = &*source.text;
    let new_text = text_of(document, Some(source));
    let (read, findings) = load_one(path, &new_text);
    if read.as_ref() != Some(document) {
        return Err(format!("not read back as it was: {findings:?}"));
    }
    let (old, new) = (parse(old_text).unwrap(), parse(&new_text).unwrap());
    let mut pair = Pair { old: old_text, new: &new_text, may_go: Vec::new(), problems: Vec::new() };
    pair.compare(&old.root, &new.root);
    let head = old_text[..old.root.range().0] == new_text[..new.root.range().0];
    let tail = old_text[old.root.range().1..] == new_text[new.root.range().1..];
    if !(head && tail) {
        pair.problems.push("before or after the value".into());
    }
    let left: Vec<String> = comments(&new_text).into_iter().map(|(_, id)| id).collect();
    for (at, id) in comments(old_text) {
        let n = left.iter().filter(|other| **other == id).count();
        let may_go = pair.may_go.iter().any(|(from, to)| (*from..*to).contains(&at));
        if n > 1 && !may_repeat || n == 0 && !may_go {
            pair.problems.push(format!("comment {id} is there {n} times"));
        }
    }
    // The quick way, which looks only at what changed, ends where the long one does.
    let index = Index::finer(&old, 0);
    let mut form = codec::form(document, source.document.as_deref());
    codec::Order(vec![&levelwright::io::builtin_schema()]).arrange(&mut form);
    let quick = part(old_text, &index, &form).and_then(|part| patch(&part, &form));
    if quick.as_ref().is_some_and(|quick| *quick != new_text) {
        pair.problems.push(format!("looking at all of it gives another text:\n{}", quick.unwrap_or_default()));
    }
    if index.updated(old_text, &new_text).ok() != Some(Index::finer(&new, 0)) {
        pair.problems.push("the index is not that of the text".into());
    }
    if pair.problems.is_empty() { Ok(new_text) } else { Err(pair.problems.join("\n")) }
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn an_edit_leaves_everything_else_alone(edits in prop::collection::vec(some_change(), 1..4), seed: u64) {
        let (mut project, sources) = scribbled_project(seed);
        for edit in &edits {
            let _ = apply(&mut project, edit);
        }
        for (path, source) in &sources {
            let Some(document) = project.doc(path) else { continue };
            if document.kind() != source.document.as_ref().unwrap().kind() {
                continue;
            }
            if let Err(problem) = check(path, source, document, false) {
                let result = text_of(document, Some(source));
                prop_assert!(false, "{path}: {problem}\n---- from:\n{}\n---- to:\n{result}\n---- by {edits:?}", source.text);
            }
        }
    }

    /// Of a long file only the neighborhood of what comes and goes is put together again.
    #[test]
    fn a_long_file_is_changed_where_it_changes(
        acts in prop::collection::vec((0..8_u8, 0..90_usize, 0..90_usize), 1..5), n in 20..90_usize, seed: u64,
    ) {
        let path = DocPath::new("entities/long.ron").unwrap();
        let def = |x: usize| {
            let mut def = EntityDef { is_abstract: x.is_multiple_of(5), ..EntityDef::default() };
            let fields = (0..x % 3).map(|i| (format!("f{i}").as_str().into(), Value::Int(i64::try_from(x).unwrap())));
            def.ops.set.insert("Health".into(), fields.collect());
            Arc::new(def)
        };
        let defs = (0..n).map(|i| (Name::from(format!("d{i}")), def(i))).collect();
        let text = scribbled(&Document::Entities(EntitiesFile { defs }), &TestRng::new(seed));
        let base = Arc::new(load_one(&path, &text).0.unwrap());
        let source = Source::new(text.into(), 0, Vec::new(), Some(Arc::clone(&base)));
        let mut document = (*base).clone();
        let Document::Entities(file) = &mut document else { panic!("not definitions") };
        for (act, at, other) in acts {
            let at = at % file.defs.len();
            match act {
                0 => drop(file.defs.shift_remove_index(at)),
                1 => drop(file.defs.shift_insert(at, format!("new{other}").as_str().into(), def(other))),
                2 => file.defs.move_index(at, other % file.defs.len()),
                3 => {
                    let (_, old) = file.defs.shift_remove_index(at).unwrap();
                    file.defs.shift_insert(at, format!("renamed{other}").as_str().into(), old);
                }
                _ => file.defs[at] = def(other),
            }
            if file.defs.is_empty() {
                break;
            }
        }
        if let Err(problem) = check(&path, &source, &document, true) {
            let result = text_of(&document, Some(&source));
            prop_assert!(false, "{problem}\n---- from:\n{}\n---- to:\n{result}", source.text);
        }
    }

    /// What is edited again and again, saved each time, never drifts from what the document says.
    #[test]
    fn saves_follow_each_other(edits in prop::collection::vec(some_change(), 1..12), seed: u64) {
        let (mut project, mut sources) = scribbled_project(seed);
        for edit in &edits {
            let _ = apply(&mut project, edit);
            for (path, source) in &mut sources {
                let Some(document) = project.doc(path) else { continue };
                if document.kind() != source.document.as_ref().unwrap().kind() {
                    continue;
                }
                let text = text_of(document, Some(source));
                let (read, _) = load_one(path, &text);
                prop_assert_eq!(read.as_ref(), Some(&**document), "{} after {:?}:\n{}\nfrom:\n{}", path, edit, text, source.text);
                *source = Source::new(text.into(), 0, Vec::new(), Some(Arc::clone(document)));
            }
        }
    }

    #[test]
    fn an_edit_taken_back_gives_every_byte_back(edits in prop::collection::vec(some_change(), 1..6), seed: u64) {
        let (mut project, sources) = scribbled_project(seed);
        let mut history = History::default();
        for edit in edits {
            let _ = history.make(&mut project, &[edit]);
        }
        while history.undo(&mut project, None).is_ok() {}
        for (path, source) in &sources {
            prop_assert_eq!(&text_of(project.doc(path).unwrap(), Some(source)), &*source.text);
        }
    }
}
