//! Renaming what a game's own schema declares (components, messages, conditions, actions, what they have, words of
//! enums), and tags, with every use.
//!
//! Invariant: what does not use the name keeps its `Arc`. What is built in has no document here and keeps its name;
//! that a game's schema only adds to something built in is checked by the caller, which has the built-in schema.

use std::sync::Arc;

use super::{
    Declared, RefKind, Refusal, TypedRefs,
    reach::{check_name, content, doc, taken},
    references,
    schema::{check_declared, check_free_word, check_word, rekey},
};
use crate::model::{DocPath, Document, Name, Project, Schema};

pub(super) fn schema<'a>(project: &'a Project, path: &DocPath) -> Result<&'a Schema, Refusal> {
    content(project, path)
}

/// Rename what a game's schemas declare, and every use of it. A message that no schema declares is only used.
pub(super) fn rename_declared(
    project: &mut Project,
    path: &DocPath,
    (what, to): (&Declared, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let (from, noun) = (what.name(), what.noun());
    let kind = what.kind().filter(|kind| *kind == typed.kind);
    kind.ok_or_else(|| Refusal::new(format!("this does not rename {noun}s")))?;
    let is_declared = matches!(doc(project, path)?, Document::Schema(schema) if what.is_in(schema));
    if !is_declared {
        if let Some(by) = declared(project, |schema| what.is_in(schema)) {
            return Err(Refusal::new(format!("the {noun} `{from}` is declared in `{by}`")));
        }
        let is_used = typed.kind == RefKind::Message && references::is_used(project, from, typed);
        if !is_used {
            return Err(Refusal::new(format!("`{path}` declares no {noun} `{from}`, and nothing uses one")));
        }
    }
    if from == to {
        return Ok(());
    }
    let a_noun = a(noun);
    check_declared(&a_noun, what, to)?;
    if let Some(by) = declared(project, |schema| what.with_name(to).is_in(schema)) {
        return Err(taken(&a_noun, to, Some(by)));
    }
    if references::is_used(project, to, typed) {
        return Err(in_use(noun, to));
    }
    // Several schemas may add to one declaration.
    in_schemas(project, |schema| what.is_in(schema), |schema| what.rekey(schema, to));
    references::rename(project, from, to, typed);
    Ok(())
}

/// Rename a field of a component, a field of a message's payload, or an argument that a game's schemas declare, and
/// every use of it.
pub(super) fn rename_field(
    project: &mut Project,
    (path, of): (&DocPath, &Declared),
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let kind = of.field_kind().filter(|kind| *kind == typed.kind);
    kind.ok_or_else(|| Refusal::new(format!("this does not rename what a {} has", of.noun())))?;
    let has = |schema: &Schema, name: &Name| of.fields(schema).is_some_and(|fields| fields.contains_key(name));
    let what = of.field_noun();
    if !has(schema(project, path)?, from) {
        return Err(Refusal::new(format!("`{path}` declares no {what} `{}.{from}`", of.name())));
    }
    if from == to {
        return Ok(());
    }
    let a_noun = a(what);
    check_free_word(&a_noun, to)?;
    if let Some(by) = declared(project, |schema| has(schema, to)) {
        return Err(taken(&a_noun, to, Some(by)));
    }
    let whole = |name: &Name| format!("{}.{name}", of.name());
    if references::is_used(project, &whole(to), typed) {
        return Err(in_use(what, to));
    }
    let rekey_in = |schema: &mut Schema| {
        of.fields_mut(schema).into_iter().for_each(|fields| rekey(fields, from, to));
    };
    in_schemas(project, |schema| has(schema, from), rekey_in);
    references::rename(project, &whole(from), &whole(to), typed);
    Ok(())
}

fn a(noun: &str) -> String {
    let an = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if an { "an" } else { "a" })
}

/// Change those schemas of the project that are concerned.
fn in_schemas(project: &mut Project, is_it: impl Fn(&Schema) -> bool, change: impl Fn(&mut Schema)) {
    for doc in project.documents.values_mut() {
        if matches!(&**doc, Document::Schema(schema) if is_it(schema))
            && let Document::Schema(schema) = Arc::make_mut(doc)
        {
            change(schema);
        }
    }
}

/// Rename a word of an enum that a schema declares, and every value of that enum.
pub(super) fn rename_word(
    project: &mut Project,
    (path, of): (&DocPath, &Name),
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let words = schema(project, path)?.enums.get(of);
    let Some(words) = words.filter(|words| words.contains(from)) else {
        return Err(Refusal::new(format!("`{path}` declares no value `{from}` of `{of}`")));
    };
    if from == to {
        return Ok(());
    }
    check_word("a value of an enum", to)?;
    if words.contains(to) {
        return Err(taken("a word", to, Some(path)));
    }
    if ["None", "Some", "true", "false"].contains(&&**to) {
        return Err(Refusal::new(format!("`{to}` means something else in files")));
    }
    let (old, new) = (format!("{of}.{from}"), format!("{of}.{to}"));
    if references::is_used(project, &new, typed) {
        return Err(in_use("word", to));
    }
    let rename = |schema: &mut Schema| {
        let words = schema.enums.get_mut(of).into_iter().flatten();
        words.filter(|word| *word == from).for_each(|word| *word = to.clone());
    };
    in_schemas(project, |schema| schema.enums.get(of).is_some_and(|words| words.contains(from)), rename);
    references::rename(project, &old, &new, typed);
    Ok(())
}

/// Rename a tag of entities, tiles and waypoints wherever it is declared or used.
pub(super) fn rename_tag(project: &mut Project, (from, to): (&Name, &Name), typed: &TypedRefs) -> Result<(), Refusal> {
    if typed.kind != RefKind::Tag || !references::is_used(project, from, typed) {
        return Err(Refusal::new(format!("nothing has the tag `{from}`")));
    }
    if from == to {
        return Ok(());
    }
    check_name("a tag", to)?;
    if to.contains(['/', '"']) {
        return Err(Refusal::new("a tag has no `/` and no quotes in it"));
    }
    if references::is_used(project, to, typed) {
        return Err(in_use("tag", to));
    }
    references::rename(project, from, to, typed);
    Ok(())
}

fn in_use(what: &str, name: &str) -> Refusal {
    Refusal::new(format!("the {what} `{name}` is used already; two that become one could not be separated again"))
}

/// Which schema of the project declares something.
fn declared(project: &Project, has: impl Fn(&Schema) -> bool) -> Option<&DocPath> {
    let mut schemas = project.documents.iter().filter_map(|(path, doc)| match &**doc {
        Document::Schema(schema) => Some((path, schema)),
        _ => None,
    });
    schemas.find(|(_, schema)| has(schema)).map(|(path, _)| path)
}
