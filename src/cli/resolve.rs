//! `resolve`: what a definition or placed entity amounts to, and who said so.

use std::fmt::Write as _;

use serde_json::json;

use super::{Failure, Report, project::Open};
use crate::{
    defs::{Resolved, ResolvedField, Said, Source},
    io::{Places, export::json_value},
    model::{FieldType, Name, OpKind, Value, did_you_mean},
};

/// `resolve PROJECT NAME [--explain]`
pub(super) fn resolve(open: &Open, name: &str, explain: bool) -> Result<Report, Failure> {
    let mut report = Report { problems: open.problems(), ..Report::default() };
    let resolved = find(open, name, &report)?;
    // What is missing above it may be missing in it.
    report.failed = resolved.order.iter().any(|name| open.resolution.is_incomplete(name));
    let places = Places::new(&open.sources);
    if explain {
        report.text = explained(&resolved, &places);
    } else {
        report.text = as_ron(&resolved);
    }
    let mut components = serde_json::Map::new();
    for (component, content) in &resolved.components {
        let mut fields = serde_json::Map::new();
        for (field, resolved_field) in &content.fields {
            let ty = open.resolution.schema.field(component, field).map_or(&FieldType::Any, |spec| &spec.ty);
            let value = json_value(ty, &resolved_field.value);
            let shown =
                if explain { json!({ "value": value, "said": said_json(resolved_field, ty, &places) }) } else { value };
            fields.insert(field.to_string(), shown);
        }
        components.insert(component.to_string(), fields.into());
    }
    report.json = json!({
        "name": &*resolved.name,
        "abstract": resolved.is_abstract,
        "lineage": resolved.order,
        "components": components,
    });
    Ok(report)
}

fn find(open: &Open, name: &str, report: &Report) -> Result<Resolved, Failure> {
    if let Some(resolved) = open.resolution.defs.get(name) {
        return Ok(Resolved::clone(resolved));
    }
    if open.resolution.def_docs.contains_key(name) {
        for problem in &report.problems {
            super::eprint(&format!("{problem}\n"));
        }
        return Err(Failure::problem(format!("`{name}` cannot be resolved; see its problems above")));
    }
    if let Some((level, id)) = name.rsplit_once('/') {
        let (level_name, doc) = open.level(level)?;
        let level = open.project.level(&doc).ok_or_else(|| Failure::problem("the level cannot be read"))?;
        let found = level.entities().find(|(_, placed, _)| ***placed == *id);
        let (layer, id, instance) =
            found.ok_or_else(|| Failure::new(format!("there is no entity `{id}` in `{level_name}`")))?;
        return Ok(open.resolution.instance(&doc, layer, id, instance).0);
    }
    let near = did_you_mean(name, open.resolution.def_docs.keys().map(|known| &**known));
    let help = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(Failure::new(format!("there is no definition `{name}`{help}")))
}

/// The definition as an entities file would say it without parents.
fn as_ron(resolved: &Resolved) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{{\n    {}: (", Value::str(&*resolved.name));
    if resolved.is_abstract {
        out.push_str("        abstract: true,\n");
    }
    out.push_str("        set: (\n");
    for (component, content) in &resolved.components {
        if content.fields.is_empty() {
            let _ = writeln!(out, "            {component}: (),");
            continue;
        }
        let _ = writeln!(out, "            {component}: (");
        for (field, resolved_field) in &content.fields {
            let _ = writeln!(out, "                {field}: {},", resolved_field.value);
        }
        out.push_str("            ),\n");
    }
    out.push_str("        ),\n    ),\n}\n");
    out
}

fn explained(resolved: &Resolved, places: &Places<'_>) -> String {
    let mut out = String::new();
    let order: Vec<&str> = resolved.order.iter().map(|name| &**name).collect();
    let _ = writeln!(out, "{}, applied in this order: {}", resolved.name, order.join(", "));
    for (component, content) in &resolved.components {
        let by = content.said_by.as_ref().map(|by| format!(", first named by {}", speaker(by))).unwrap_or_default();
        let _ = writeln!(out, "\n{component}{by}");
        for (field, resolved_field) in &content.fields {
            let _ = writeln!(out, "    {field} = {}", resolved_field.value);
            for said in &resolved_field.provenance {
                let place = place(said, places)
                    .map_or_else(|| "built in".to_owned(), |(file, line, column)| format!("{file}:{line}:{column}"));
                let _ = writeln!(out, "        {:<32} {:<20} {place}", deed(said), speaker(&said.by));
            }
        }
    }
    out
}

fn said_json(field: &ResolvedField, ty: &FieldType, places: &Places<'_>) -> Vec<serde_json::Value> {
    let entry = |said: &Said| {
        let place = place(said, places);
        json!({
            "by": speaker(&said.by),
            "op": if said.by == Source::Default { "default" } else { said.op.key() },
            "operand": json_value(ty, &said.operand),
            "after": json_value(ty, &said.after),
            "file": place.as_ref().map(|(file, ..)| file),
            "line": place.as_ref().map(|(_, line, _)| line),
            "column": place.as_ref().map(|(_, _, column)| column),
        })
    };
    field.provenance.iter().map(|said| entry(said)).collect()
}

/// What someone did to a field: `scale 0.5 → 10.0`.
fn deed(said: &Said) -> String {
    let Said { operand, after, .. } = said;
    match (&said.by, said.op) {
        (Source::Default, _) => format!("default {after}"),
        (_, OpKind::Set) if operand == after => format!("set {after}"),
        (_, op) => format!("{} {operand} → {after}", op.key()),
    }
}

fn speaker(by: &Source) -> String {
    match by {
        Source::Default => "schema".to_owned(),
        Source::Def(name) | Source::Instance(name) => Name::to_string(name),
    }
}

fn place(said: &Said, places: &Places<'_>) -> Option<(String, u32, u32)> {
    let location = said.location.as_ref()?;
    let (line, column) = places.line_column(location);
    Some((location.doc.to_string(), line, column))
}
