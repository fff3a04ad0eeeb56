//! What an entry of `remove` means: `Shield`, `Loot.gold`, `Loot.items["torch"]`, `Loot.drops[(item: "torch", n: 1)]`,
//! `Sprite.clips["walk"]`.
//!
//! Invariant: what `Display` writes reads back as the same entry, as long as names of components and fields are words.

use std::{fmt, ops::Range};

use super::{Name, Value};

/// A parsed entry of `remove`.
#[derive(Clone, Debug, PartialEq)]
pub struct RemovePath {
    /// The component.
    pub component: Name,
    /// The way into it; empty when the component itself goes.
    pub steps: Vec<RemoveStep>,
}

/// A step into a component.
#[derive(Clone, Debug, PartialEq)]
pub enum RemoveStep {
    /// `.name`: a field.
    Field(Name),
    /// `["torch"]`, `[3]`, `[(name: "torch")]`: an element of a list, by value, or an entry of a map, by key.
    Item(Value),
}

impl RemovePath {
    /// Read an entry.
    ///
    /// # Errors
    /// Says what is wrong with it and how one is written.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_parts(text).map(|(path, _)| path)
    }

    /// Read an entry, and which bytes of it are the component's name and each step's: a field's name, what is in
    /// brackets, without its quotation marks.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_parts(whole: &str) -> Result<(Self, Vec<Range<usize>>), String> {
        // Every part is a piece of the whole, so where it begins tells where it stands.
        let part = |piece: &str| {
            let start = piece.as_ptr() as usize - whole.as_ptr() as usize;
            start..start + piece.len()
        };
        let how = "write `Component`, `Component.field` or `Component.list[\"element\"]`";
        let wrong = |what: &str| Err(format!("{what}; {how}"));
        let name_len = |text: &str| text.find(['.', '[']).unwrap_or(text.len());
        let text = whole.trim();
        let (component, mut rest) = text.split_at(name_len(text));
        if component.is_empty() {
            return wrong("this names no component");
        }
        let mut steps = Vec::new();
        let mut parts = vec![part(component.trim())];
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                let (name, after) = after.split_at(name_len(after));
                if name.is_empty() {
                    return wrong("a field's name is missing");
                }
                steps.push(RemoveStep::Field(name.trim().into()));
                parts.push(part(name.trim()));
                rest = after;
            } else if let Some(after) = rest.strip_prefix('[') {
                let inside = after.trim_start();
                let (item, after) = match item(inside) {
                    Ok(read) => read,
                    Err(why) => return wrong(&format!("what stands in brackets cannot be read: {why}")),
                };
                let inner = inside[..inside.len() - after.len()].trim_end();
                let bare = inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
                let Some(after) = after.trim_start().strip_prefix(']') else { return wrong("a `]` is missing") };
                if steps.is_empty() {
                    return wrong("a component is not a list");
                }
                steps.push(RemoveStep::Item(item));
                parts.push(part(bare.unwrap_or(inner)));
                rest = after;
            } else {
                return wrong("`.` or `[` was expected");
            }
        }
        Ok((Self { component: component.trim().into(), steps }, parts))
    }

    /// The field the way begins with, if it goes into the component.
    #[must_use]
    pub fn field(&self) -> Option<&Name> {
        if let Some(RemoveStep::Field(name)) = self.steps.first() { Some(name) } else { None }
    }
}

/// As files write it.
impl fmt::Display for RemovePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.component)?;
        for step in &self.steps {
            match step {
                RemoveStep::Field(name) => write!(f, ".{name}")?,
                RemoveStep::Item(item) => write!(f, "[{item}]")?,
            }
        }
        Ok(())
    }
}

/// A value at the start of `text`, and what follows it.
fn item(text: &str) -> Result<(Value, &str), String> {
    Value::leading(text).or_else(|why| {
        // A word may begin with a digit here.
        let (word, rest) = text.split_at(text.find(']').unwrap_or_default());
        let word = word.trim_end();
        let is_word = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word { Ok((Value::Symbol(word.into()), rest)) } else { Err(why) }
    })
}
