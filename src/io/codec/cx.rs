//! What decoders share: the text, the problems noted so far, and the names already made.
//!
//! A problem is noted with its place in the text alone; its path is found from the tree afterwards, so that reading
//! what is fine costs nothing for it.

use std::collections::HashMap;

use crate::model::{DocPath, Finding, Location, Name, Severity, Value, advice};

use crate::io::ron_text::{Field, Kind, Lines, Node, Tree};

/// Problems noted before the rest are only counted: a file with more is likely another kind of document.
const MAX_ISSUES: usize = 200;

struct Issue {
    rule: &'static str,
    severity: Severity,
    start: usize,
    end: usize,
    message: String,
    help: Option<String>,
}

/// The state of reading one document.
pub(crate) struct Cx<'t> {
    /// The file's text.
    pub(crate) text: &'t str,
    issues: Vec<Issue>,
    /// Noted beyond those.
    n_dropped: usize,
    names: HashMap<&'t str, Name>,
}

impl<'t> Cx<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, issues: Vec::new(), n_dropped: 0, names: HashMap::new() }
    }

    /// Note an error at `range`.
    pub(crate) fn error(&mut self, rule: &'static str, range: (usize, usize), message: impl Into<String>) {
        self.issue(rule, Severity::Error, range, message.into(), None);
    }

    /// Note an error at `range`, with advice.
    pub(crate) fn error_help(
        &mut self,
        rule: &'static str,
        range: (usize, usize),
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.issue(rule, Severity::Error, range, message.into(), help);
    }

    fn issue(
        &mut self,
        rule: &'static str,
        severity: Severity,
        (start, end): (usize, usize),
        message: String,
        help: Option<String>,
    ) {
        if self.issues.len() < MAX_ISSUES {
            self.issues.push(Issue { rule, severity, start, end, message, help });
        } else {
            self.n_dropped += 1;
        }
    }

    /// Note that something else was expected here.
    pub(crate) fn expected<T>(&mut self, what: &str, node: &Node<'t>) -> Option<T> {
        let shown = self.shown(node);
        self.error("wrong-type", node.range(), format!("expected {what}, found {}{shown}", node.describe()));
        None
    }

    /// The value's text where it is short enough to help.
    fn shown(&self, node: &Node<'t>) -> String {
        let text = self.text.get(node.start as usize..node.end as usize).unwrap_or_default();
        if text.len() <= 40 && !text.contains('\n') { format!(" `{text}`") } else { String::new() }
    }

    /// Note an unknown word where one of `words` belongs.
    pub(crate) fn unknown_word<T>(
        &mut self,
        what: &str,
        word: &str,
        range: (usize, usize),
        words: &[&str],
    ) -> Option<T> {
        let help = advice(word, "one of", words.iter().copied());
        self.error_help("unknown-word", range, format!("there is no {what} `{word}`"), help);
        None
    }

    /// Note that something required is missing.
    pub(crate) fn missing(&mut self, what: &str, name: &str, range: (usize, usize)) {
        // Only the first line: an error that marks a whole level is of no use.
        let text = self.text.get(range.0..range.1).unwrap_or_default();
        let end = range.0 + text.find('\n').unwrap_or(text.len());
        self.error("missing-field", (range.0, end), format!("{what} needs {name}"));
    }

    /// A name, shared with its other uses in the document.
    pub(crate) fn name(&mut self, word: &'t str) -> Name {
        self.names.entry(word).or_insert_with(|| word.into()).clone()
    }

    /// The value of a node, as it stands.
    pub(crate) fn value(&mut self, node: &Node<'t>) -> Value {
        node.to_value(&mut |word| self.name(word))
    }

    /// The name in a string; a bare word is an error.
    pub(crate) fn str_name(&mut self, node: &Node<'t>) -> Option<Name> {
        match &node.kind {
            Kind::Str(std::borrow::Cow::Borrowed(text)) => Some(self.name(text)),
            Kind::Str(text) => Some(text.as_ref().into()),
            _ => self.expected("a string", node),
        }
    }

    /// Everything noted, by place.
    pub(crate) fn findings(self, doc: &DocPath, tree: &Tree<'_>) -> Vec<Finding> {
        if self.issues.is_empty() {
            return Vec::new();
        }
        let lines = Lines::new(self.text);
        let mut findings: Vec<Finding> = self
            .issues
            .into_iter()
            .map(|issue| {
                let (path, at_key) = tree.path_at(issue.start, issue.end);
                let span = Some(lines.span(issue.start, issue.end));
                let location = Location { at_key, span, ..Location::new(doc.clone(), path) };
                Finding {
                    rule: issue.rule.into(),
                    severity: issue.severity,
                    message: issue.message,
                    location,
                    help: issue.help,
                }
            })
            .collect();
        findings.sort_by_key(|finding| finding.location.span.map(|span| span.start));
        if self.n_dropped > 0 {
            let message = format!("{} more problems in this file are not listed", self.n_dropped);
            findings.push(Finding::error("not-listed", Location::doc(doc.clone()), message));
        }
        findings
    }
}

/// The fields of a record being read. Each is taken by name; fields that were not taken are unknown.
pub(crate) struct Record<'n, 't> {
    what: &'static str,
    range: (usize, usize),
    fields: &'n [Field<'t>],
    used: u64,
}

impl<'n, 't> Record<'n, 't> {
    /// The fields of `node`; `()` has none. Notes an error where it is not a record.
    pub(crate) fn new(node: &'n Node<'t>, what: &'static str, cx: &mut Cx<'t>) -> Option<Self> {
        let fields: &[Field<'t>] = match &node.kind {
            Kind::Struct(fields) => fields,
            Kind::Tuple(items) if items.is_empty() => &[],
            _ => return cx.expected(&format!("{what}, as `(name: …)`"), node),
        };
        Some(Self { what, range: node.range(), fields, used: 0 })
    }

    /// The value of a field, if it is there.
    pub(crate) fn get(&mut self, name: &str) -> Option<&'n Node<'t>> {
        let at = self.fields.iter().position(|field| field.name == name)?;
        self.used |= 1_u64.checked_shl(u32::try_from(at).unwrap_or(64)).unwrap_or(0);
        self.fields.get(at).map(|field| &field.value)
    }

    /// Note that a field has to be there.
    pub(crate) fn lacks_field(&self, name: &str, cx: &mut Cx<'t>) {
        cx.missing(self.what, &format!("a field `{name}`"), self.range);
    }

    /// Where a field's name stands, or the whole record.
    pub(crate) fn range_of(&self, name: &str) -> (usize, usize) {
        self.fields.iter().find(|field| field.name == name).map_or(self.range, Field::name_range)
    }

    /// Note that one of these fields has to be there.
    pub(crate) fn lacks(&self, names: &[&str], cx: &mut Cx<'t>) {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        cx.missing(self.what, &format!("one of {names}"), self.range);
    }

    /// Note that only one of these fields can be there, at one of them.
    pub(crate) fn has_several(&self, names: &[&str], at: &str, cx: &mut Cx<'t>) {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let (last, others) = names.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
        let message = format!("{} has one of {} and {last}", self.what, others.join(", "));
        cx.error("wrong-value", self.range_of(at), message);
    }

    /// Note an error where one of `names` is there although the field it needs, `with`, is not.
    pub(crate) fn belongs(&mut self, names: &[&str], is_there: bool, with: &str, cx: &mut Cx<'t>) {
        for name in names {
            if self.get(name).is_some() && !is_there {
                cx.error(
                    "wrong-value",
                    self.range_of(name),
                    format!("`{name}` belongs to `{with}`, which is not here"),
                );
            }
        }
    }

    /// Note the fields that were not taken; `keys` gives the possible ones.
    pub(crate) fn finish(&self, keys: impl FnOnce(&mut Vec<&'static str>), cx: &mut Cx<'t>) {
        let n_used = usize::try_from(self.used.count_ones()).unwrap_or(0);
        if n_used == self.fields.len() {
            return;
        }
        let mut all = Vec::new();
        keys(&mut all);
        let keys = all;
        for field in self.fields.iter().filter(|field| !keys.contains(&field.name)) {
            let help = advice(field.name, "it has", keys.iter().copied());
            let message = format!("{} has no field `{}`", self.what, field.name);
            cx.error_help("unknown-field", field.name_range(), message, help);
        }
    }
}
