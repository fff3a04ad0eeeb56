//! Finding placed entities by id, definition, tag, layer and the values of their fields.
//!
//! Invariant: every term of a query has to fit; a query without terms finds nothing.

use std::{cell::OnceCell, collections::HashMap};

use crate::{
    defs::{Resolution, Resolved},
    model::{DocPath, FieldPath, Instance, Layer, Level, Location, Name, OpKind, Ops, Project, Value},
};

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityQuery {
    terms: Vec<Term>,
}

/// One condition of a query.
#[derive(Clone, Debug, PartialEq)]
enum Term {
    /// A part of the id, of the definition's name or of an ancestor's, or a whole tag; in lower case.
    Word(String),
    /// `def:goblin`: of this definition or of one that inherits it.
    Def(String),
    /// `tag:enemy`
    Tag(String),
    /// `id:door`: a part of the id.
    Id(String),
    /// `layer:actors`
    Layer(String),
    /// `Health.max > 10`, `speed=80`
    Field { component: Option<String>, field: String, is: Is, value: String },
}

impl Term {
    fn compared(component: Option<String>, field: String, is: Is, value: String) -> Result<Self, String> {
        if is.is_order() && value.parse::<f64>().is_err() {
            let sign = Is::SIGNS.iter().find(|(_, it)| *it == is).map_or("", |(sign, _)| sign);
            return Err(format!("“{value}” is no number to compare with by “{sign}”"));
        }
        Ok(Self::Field { component, field, is, value })
    }
}

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    /// With nothing: every value fits.
    Any,
    Equal,
    Other,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Is {
    /// With the longer signs first.
    const SIGNS: [(&'static str, Self); 7] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        ("!=", Self::Other),
        ("==", Self::Equal),
        (">", Self::More),
        ("<", Self::Less),
        ("=", Self::Equal),
    ];

    fn is_order(self) -> bool {
        !matches!(self, Self::Any | Self::Equal | Self::Other)
    }
}

/// A placed entity that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityHit {
    /// The level.
    pub doc: DocPath,
    /// The number of its layer.
    pub layer: usize,
    /// Its id.
    pub id: Name,
    /// Its definition.
    pub def: Name,
}

impl EntityHit {
    /// Where it is.
    #[must_use]
    pub fn location(&self, project: &Project) -> Location {
        let path = project.level(&self.doc).map(|level| level.entity_at(self.layer, &self.id));
        Location::new(self.doc.clone(), path.unwrap_or_default())
    }
}

impl EntityQuery {
    /// Read what was typed: words, `def:`, `tag:`, `id:` and `layer:`, and comparisons of fields. Text with spaces in
    /// it stands in quotes.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut rest = text.trim_start();
        let mut terms = Vec::new();
        while !rest.is_empty() {
            let (word, after) = word(rest, true)?;
            let trimmed = after.trim_start();
            let sign = Is::SIGNS.iter().find(|(sign, _)| trimmed.starts_with(sign));
            rest = match sign {
                Some((sign, is)) => {
                    let (value, after) = self::word(trimmed[sign.len()..].trim_start(), false)?;
                    if word.is_empty() {
                        return Err(format!("Write a field before “{sign}”, as in Health.max {sign} 10"));
                    }
                    if value.is_empty() {
                        return Err(format!("Write a value after “{sign}”"));
                    }
                    let (component, field) = match word.rsplit_once('.') {
                        Some((component, field)) => (Some(component.to_lowercase()), field.to_lowercase()),
                        None => (None, word.to_lowercase()),
                    };
                    terms.push(Term::compared(component, field, *is, value)?);
                    after
                }
                None => {
                    terms.push(named(&word)?);
                    after
                }
            }
            .trim_start();
        }
        Ok(Self { terms })
    }

    /// The same, of entities with a field only, where its value compares with what was typed: `10`, `> 10`, `!= red`;
    /// any value where nothing was.
    ///
    /// # Errors
    /// Says what is missing or no number.
    pub fn with_field(mut self, component: &str, field: &str, typed: &str) -> Result<Self, String> {
        let typed = typed.trim();
        let sign = Is::SIGNS.iter().find(|(sign, _)| typed.starts_with(sign));
        let (is, value) = match sign {
            Some((sign, is)) => (*is, typed.get(sign.len()..).unwrap_or_default().trim()),
            None if typed.is_empty() => (Is::Any, ""),
            None => (Is::Equal, typed),
        };
        if let (Some((sign, _)), true) = (sign, value.is_empty()) {
            return Err(format!("Write a value after “{sign}”"));
        }
        self.terms.push(Term::compared(Some(component.to_lowercase()), field.to_lowercase(), is, value.to_owned())?);
        Ok(self)
    }

    /// Whether it looks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The placed entities that fit, in the order of the levels' files and of their layers from the back; of one level,
    /// or of all.
    #[must_use]
    pub fn find(&self, project: &Project, resolution: &Resolution, within: Option<&DocPath>) -> Vec<EntityHit> {
        if self.is_empty() {
            return Vec::new();
        }
        let levels = project.levels().filter(|(doc, _)| within.is_none_or(|only| only == *doc));
        levels.flat_map(|(doc, level)| self.find_in(resolution, doc, level)).collect()
    }

    /// The placed entities of a level that fit, in the order of its layers from the back; all that have a field where
    /// there are no other terms.
    #[must_use]
    pub fn find_in(&self, resolution: &Resolution, doc: &DocPath, level: &Level) -> Vec<EntityHit> {
        let (mut hits, mut of_defs) = (Vec::new(), HashMap::new());
        for (layer, on) in level.all_layers().into_iter().enumerate() {
            let path = level.layer_at(layer);
            for (id, it) in on.entities().into_iter().flatten() {
                if self.fits((resolution, &mut of_defs), (doc, &path, on), (id, it)) {
                    hits.push(EntityHit { doc: doc.clone(), layer, id: id.clone(), def: it.def.clone() });
                }
            }
        }
        hits
    }

    /// Whether every term fits an entity. What definitions say of the terms is kept in `of_defs`.
    fn fits<'a>(
        &self,
        (resolution, of_defs): (&Resolution, &mut HashMap<&'a str, Vec<bool>>),
        (doc, at, layer): (&DocPath, &FieldPath, &Layer),
        (id, it): (&Name, &'a Instance),
    ) -> bool {
        let of_itself: Vec<Option<bool>> = self.terms.iter().map(|term| fits_placed(term, layer, id, it)).collect();
        if of_itself.contains(&Some(false)) {
            return false;
        }
        let def = resolution.defs.get(&it.def);
        let fits_def = |term: &Term, resolved: Option<&Resolved>| {
            fits_def(term, def.into_iter().flat_map(|def| def.order.iter()).chain([&it.def]), resolved)
        };
        let of_def = of_defs.entry(&*it.def).or_insert_with(|| {
            let resolved = def.map(|def| &**def);
            self.terms.iter().map(|term| fits_def(term, resolved)).collect()
        });
        // Resolving one that declares something itself costs more than all else: only where a term is about that.
        let own = OnceCell::new();
        let own = || own.get_or_init(|| resolution.instance(doc, at, id, it).0);
        self.terms.iter().zip(of_itself).zip(of_def).all(|((term, of_itself), of_def)| {
            of_itself.is_some() || (if is_changed(term, &it.ops) { fits_def(term, Some(own())) } else { *of_def })
        })
    }
}

/// The next word of a text and what follows it: up to a space, or up to a comparison where it may be a field; in
/// quotes, up to the next quote.
fn word(text: &str, is_field: bool) -> Result<(String, &str), String> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (inside, after) = quoted.split_once('"').ok_or("The second quote is missing")?;
        return Ok((inside.to_owned(), after));
    }
    let is_sign = |c: char| is_field && matches!(c, '=' | '<' | '>' | '!');
    let mut depth = 0_i32;
    let end = text.find(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (c.is_whitespace() && depth <= 0) || is_sign(c)
    });
    let (word, after) = text.split_at(end.unwrap_or(text.len()));
    // A lone sign that compares nothing would be read for ever.
    if word.is_empty() && !Is::SIGNS.iter().any(|(sign, _)| after.starts_with(sign)) && !after.is_empty() {
        return Err(format!("“{}” says nothing here", after.chars().next().unwrap_or_default()));
    }
    Ok((word.to_owned(), after))
}

/// A word that compares nothing.
fn named(word: &str) -> Result<Term, String> {
    let lower = word.to_lowercase();
    let (kind, name) = lower.split_once(':').unwrap_or(("", &lower));
    let make: fn(String) -> Term = match kind {
        "def" => Term::Def,
        "tag" => Term::Tag,
        "id" => Term::Id,
        "layer" => Term::Layer,
        _ => return Ok(Term::Word(lower)),
    };
    if name.is_empty() {
        return Err(format!("Write a name after “{kind}:”"));
    }
    Ok(make(name.to_owned()))
}

fn is_in(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(part)
}

fn is_same(text: &str, other: &str) -> bool {
    text.to_lowercase() == *other
}

/// Whether a term fits a placed entity, where that does not depend on its definition and what it declares itself.
fn fits_placed(term: &Term, layer: &Layer, id: &str, it: &Instance) -> Option<bool> {
    match term {
        Term::Word(word) => is_in(id, word).then_some(true),
        Term::Def(_) | Term::Tag(_) => None,
        Term::Id(part) => Some(is_in(id, part)),
        Term::Layer(name) => Some(is_same(&layer.name, name)),
        Term::Field { component, field, is, value } => {
            let own = match &**field {
                _ if component.is_some() => return None,
                "x" => it.at[0],
                "y" => it.at[1],
                "rotation" => it.rotation,
                _ => return None,
            };
            Some(compares(&Value::Float(own), *is, value))
        }
    }
}

/// Whether a term fits a definition, or an entity of it: its name and its ancestors', and its values.
fn fits_def<'a>(term: &Term, mut names: impl Iterator<Item = &'a Name>, resolved: Option<&Resolved>) -> bool {
    let has_tag = |tag: &str| {
        let tags = resolved.and_then(|it| it.get("Tags", "tags")?.as_list()).unwrap_or_default();
        tags.iter().filter_map(Value::as_str).any(|it| is_same(it, tag))
    };
    match term {
        Term::Word(word) => names.any(|def| is_in(def, word)) || has_tag(word),
        Term::Def(name) => names.any(|def| is_same(def, name)),
        Term::Tag(tag) => has_tag(tag),
        Term::Id(_) | Term::Layer(_) => false,
        Term::Field { component, field, is, value } => {
            let Some(resolved) = resolved else { return false };
            let components = resolved.components.iter();
            let of = components.filter(|(name, _)| component.as_ref().is_none_or(|wanted| is_same(name, wanted)));
            let mut fields = of.flat_map(|(_, it)| it.fields.iter()).filter(|(name, _)| is_same(name, field));
            fields.any(|(_, it)| compares(&it.value, *is, value))
        }
    }
}

/// Whether what an entity declares itself is about the component that a term looks at.
fn is_changed(term: &Term, ops: &Ops) -> bool {
    let is_meant = |name: &str| match term {
        Term::Word(_) | Term::Tag(_) => name == "Tags",
        Term::Field { component, .. } => component.as_ref().is_none_or(|wanted| is_same(name, wanted)),
        Term::Def(_) | Term::Id(_) | Term::Layer(_) => false,
    };
    ops.removed().any(|path| is_meant(&path.component))
        || OpKind::VALUED.iter().any(|kind| ops.values(*kind).into_iter().flatten().any(|(name, _)| is_meant(name)))
}

/// Whether a value compares so with what was typed. A list is equal to each of its elements.
fn compares(value: &Value, is: Is, typed: &str) -> bool {
    let number = value.as_option().and_then(Value::as_f64).zip(typed.parse::<f64>().ok());
    match is {
        Is::Any => true,
        Is::Equal => is_equal(value, typed),
        Is::Other => !is_equal(value, typed),
        Is::Less => number.is_some_and(|(a, b)| a < b),
        Is::AtMost => number.is_some_and(|(a, b)| a <= b),
        Is::More => number.is_some_and(|(a, b)| a > b),
        Is::AtLeast => number.is_some_and(|(a, b)| a >= b),
    }
}

fn is_equal(value: &Value, typed: &str) -> bool {
    let content = value.as_option().unwrap_or(value);
    if let (Some(a), Ok(b)) = (content.as_f64(), typed.parse::<f64>()) {
        // What is typed is what is shown: digits beyond do not count.
        return (a - b).abs() <= 1e-6 * a.abs().max(1.0);
    }
    let plain =
        |text: &str| text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect::<String>();
    let is_text = content.as_str().is_some_and(|text| text.to_lowercase() == typed.to_lowercase());
    let is_in_list = matches!(content, Value::List(items) if items.iter().any(|item| is_equal(item, typed)));
    is_text || is_in_list || plain(&content.to_string()) == plain(typed)
}
