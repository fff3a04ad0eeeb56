//! `resolve`: prints a resolved definition or placed entity, and where each value comes from.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    needs::is_image_at,
    project::Open,
    report::{CommandReport, Failure},
    streams::eprint,
};
use crate::{
    defs::{ComponentHistory, OpRecord, Resolved, Source, ValueHistory},
    edit::{RefKind, TypedRefs, is_used},
    io::{Places, export::json_value},
    model::{
        DocKind, DocPath, FieldType, Finding, Location, Name, OpKind, Schema, Seg, Severity, Value, after,
        did_you_mean, mean,
    },
};

/// `resolve PROJECT NAME [--explain]`
pub(super) fn resolve(open: &Open, name: &str, explain: bool) -> Result<CommandReport, Failure> {
    let (resolved, history) = find(open, name)?;
    // What is missing above it may be missing in it.
    let is_incomplete = resolved.order.iter().any(|name| open.resolution.is_incomplete(name));
    let lineage = open.lineage(resolved.order.to_vec());
    let images: Vec<DocPath> = images_of(open, &resolved);
    let is_about = |at: &Location| {
        let is_image = || images.iter().any(|image| is_image_at(image, &at.doc));
        about_def(open, &lineage, at) || about_placed(open, name, at) || is_image()
    };
    let own = open.problems_where(is_about);
    let failed = is_incomplete || own.iter().any(|problem| problem.severity == Severity::Error);
    // An unreadable file may declare more.
    let problems = open.problems_where(|at| is_about(at) || open.is_unread(&at.doc));
    let mut report = CommandReport { problems, failed, ..CommandReport::default() };
    let mut explained =
        Explained { schema: &open.resolution.schema, places: Places::new(&open.sources), resolved, history };
    if !explain {
        explained.history = ValueHistory::default();
    }
    report.text = if explain { explained.as_text() } else { as_ron(&explained.resolved) };
    report.json = explained.as_json(explain);
    Ok(report)
}

/// The images that something shows.
fn images_of(open: &Open, resolved: &Resolved) -> Vec<DocPath> {
    let fields = resolved.components.iter().flat_map(|(component, content)| {
        content.fields.iter().map(move |(field, resolved)| (component, field, &resolved.value))
    });
    let schema = &open.resolution.schema;
    let is_image =
        |component: &str, field: &str| schema.field(component, field).is_some_and(|spec| spec.ty == FieldType::Image);
    let images = fields.filter(|(component, field, _)| is_image(component, field));
    images.filter_map(|(_, _, value)| DocPath::new(value.as_str()?)).collect()
}

/// Whether a place is in one of these definitions.
fn about_def(open: &Open, names: &[Name], at: &Location) -> bool {
    let Some(Seg::Key(name)) = at.path.0.first() else { return false };
    names.contains(name) && open.resolution.def_docs.get(name) == Some(&at.doc)
}

/// Whether a place is in the placed entity of a name, as `level/id`, that is no definition's.
fn about_placed(open: &Open, name: &str, at: &Location) -> bool {
    let Some((level, id)) = name.rsplit_once('/').filter(|_| !open.resolution.defs.contains_key(name)) else {
        return false;
    };
    let [Seg::Key(_), Seg::Key(found), ..] = at.path.within_layer() else { return false };
    **found == *id && open.level(level).is_ok_and(|(_, doc)| doc == at.doc)
}

fn find(open: &Open, name: &str) -> Result<(Resolved, ValueHistory), Failure> {
    if let Some((resolved, history)) = open.resolution.defs.get(name).zip(open.resolution.history(name)) {
        if let Some((doc, id)) = also_placed(open, name) {
            eprint(&format!("hint: `{name}` is a definition; the placed entity is `{doc}/{id}`\n"));
        }
        return Ok((Resolved::clone(resolved), history));
    }
    if open.resolution.def_docs.contains_key(name) {
        let lineage = open.lineage(vec![name.into()]);
        for problem in open.problems_where(|at| about_def(open, &lineage, at) || open.is_unread(&at.doc)) {
            eprint(&format!("{problem}\n"));
        }
        return Err(Failure::problem(format!("`{name}` cannot be resolved; see its problems above")));
    }
    let near = did_you_mean(name, open.resolution.def_docs.keys().map(|known| &**known));
    let no_definition = || Failure::new(format!("there is no definition `{name}`{}", after(mean(near))));
    if let Some((level, id)) = name.rsplit_once('/') {
        // A definition may have such a name too.
        let (level_name, doc) = open.level(level).map_err(|why| if near.is_some() { no_definition() } else { why })?;
        let level = open.project.level(&doc).ok_or_else(|| Failure::problem("the level cannot be read"))?;
        let found = level.entities().find(|(_, placed, _)| ***placed == *id);
        let (layer, id, instance) = found.ok_or_else(|| {
            let near = did_you_mean(id, level.entities().map(|(_, placed, _)| &**placed));
            Failure::new(format!("there is no entity `{id}` in `{level_name}`{}", after(mean(near))))
        })?;
        let layer = level.layer_at(layer);
        let (resolved, _) = open.resolution.instance(&doc, &layer, id, instance);
        return Ok((resolved, open.resolution.instance_history(&doc, &layer, id, instance)));
    }
    // It may stand in a file that cannot be read: one that has the name; or any, when the project uses the name.
    let quoted = Value::str(name).to_string();
    let has_name = |doc: &DocPath| open.sources.get(doc).is_some_and(|it| it.text.contains(&*quoted));
    if let Some(finding) = open.unread(DocKind::Entities).find(|finding| has_name(&finding.location.doc)) {
        let (at, why) = (open.line_of(finding), &finding.message);
        return Err(Failure::problem(format!("`{name}` cannot be read: {at}: {why}")));
    }
    let is_unseen = |finding: &Finding| open.sources.get(&finding.location.doc).is_none_or(|it| it.text.is_empty());
    let typed = TypedRefs::of(&open.resolution.schema, RefKind::Def);
    let is_used = is_used(&open.project, name, &typed);
    if let Some(finding) = open.unread(DocKind::Entities).find(|finding| is_used || is_unseen(finding)) {
        let (doc, why) = (&finding.location.doc, &finding.message);
        return Err(Failure::problem(format!("`{name}` may be in `{doc}`: {why}")));
    }
    Err(no_definition())
}

/// The level and the id that a definition's name stands for as well.
fn also_placed<'n>(open: &Open, name: &'n str) -> Option<(DocPath, &'n str)> {
    let (level, id) = name.rsplit_once('/')?;
    let doc = open.resolution.levels.get(level)?;
    open.project.level(doc)?.entities().any(|(_, placed, _)| **placed == *id).then(|| (doc.clone(), id))
}

/// The definition as an entities file without parents would declare it.
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

/// A resolved definition or placed entity with its history.
struct Explained<'a> {
    schema: &'a Schema,
    places: Places<'a>,
    resolved: Resolved,
    history: ValueHistory,
}

impl Explained<'_> {
    fn as_text(&self) -> String {
        let order: Vec<&str> = self.resolved.order.iter().map(|name| &**name).collect();
        let mut out = format!("{}, applied in this order: {}\n", self.resolved.name, order.join(", "));
        for (name, component) in &self.history.components {
            let no_more = if self.resolved.has(name) { "" } else { ", no more" };
            let _ = writeln!(out, "\n{name}{no_more}");
            for step in &component.presence {
                let record = if step.op == OpKind::Remove { "taken away" } else { "given" };
                self.line(&mut out, 1, record, &step.by, Some(&step.location));
            }
            for (field, steps) in &component.fields {
                match self.resolved.get(name, field) {
                    Some(value) => drop(writeln!(out, "    {field} = {value}")),
                    None => drop(writeln!(out, "    {field}, no more")),
                }
                for step in steps {
                    self.line(&mut out, 2, &record(step), &step.by, step.location.as_ref());
                }
            }
        }
        out
    }

    fn line(&self, out: &mut String, depth: usize, record: &str, by: &Source, location: Option<&Location>) {
        let place = location.map_or_else(
            || "built in".to_owned(),
            |at| {
                let (line, column) = self.places.line_column(at);
                format!("{}:{line}:{column}", at.doc)
            },
        );
        let (indent, width) = (depth * 4, 48 - depth * 4);
        let _ = writeln!(out, "{:indent$}{record:<width$} {:<20} {place}", "", source_name(by));
    }

    fn as_json(&self, explain: bool) -> serde_json::Value {
        let mut components = serde_json::Map::new();
        for (name, content) in &self.resolved.components {
            let mut fields = serde_json::Map::new();
            for (field, resolved) in &content.fields {
                let value = json_value(self.ty(name, field), &resolved.value);
                let explained = || json!({ "value": value, "said": self.operations(name, field) });
                fields.insert(field.to_string(), if explain { explained() } else { value });
            }
            components.insert(name.to_string(), fields.into());
        }
        let mut json = json!({
            "name": &*self.resolved.name,
            "abstract": self.resolved.is_abstract,
            "lineage": self.resolved.order,
            "components": components,
        });
        if explain {
            let each = |of: &dyn Fn(&Name, &ComponentHistory) -> serde_json::Value| {
                let all = self.history.components.iter().map(|(name, it)| (name.to_string(), of(name, it)));
                all.collect::<serde_json::Map<_, _>>()
            };
            json["presence"] = each(&|_, component| self.presence(component)).into();
            let mut removed = each(&|name, component| self.removed(name, component).into());
            removed.retain(|_, fields| fields.as_object().is_some_and(|fields| !fields.is_empty()));
            json["removed"] = removed.into();
        }
        json
    }

    /// The operations that add or remove a component.
    fn presence(&self, component: &ComponentHistory) -> serde_json::Value {
        let step = |step: &crate::defs::Presence| {
            let entry = json!({ "by": source_name(&step.by), "op": step.op.key() });
            self.placed(entry, Some(&step.location))
        };
        component.presence.iter().map(step).collect()
    }

    /// The fields that a component had and that are no more.
    fn removed(&self, name: &Name, component: &ComponentHistory) -> serde_json::Map<String, serde_json::Value> {
        let gone = component.fields.keys().filter(|field| self.resolved.get(name, field).is_none());
        gone.map(|field| (field.to_string(), json!({ "said": self.operations(name, field) }))).collect()
    }

    /// The history of a field, oldest first.
    fn operations(&self, component: &Name, field: &Name) -> Vec<serde_json::Value> {
        let ty = self.ty(component, field);
        let value = |value: &Option<Value>| value.as_ref().map(|value| json_value(ty, value));
        // A part is of another type.
        let plain = |value: &Option<Value>| value.as_ref().map(|value| json_value(&FieldType::Any, value));
        let entry = |applied: &OpRecord| {
            let entry = json!({
                "by": source_name(&applied.by),
                "op": if applied.by == Source::Default { "default" } else { applied.op.key() },
                "part": applied.part_taken().map(|(part, _)| part),
                "operand": if applied.taken.is_empty() { value(&applied.operand) } else { plain(&applied.operand) },
                "before": value(&applied.before),
                "after": value(&applied.after),
            });
            self.placed(entry, applied.location.as_ref())
        };
        self.history.of(component, field).iter().map(entry).collect()
    }

    /// An entry with its file, line and column; nothing for what is built in.
    fn placed(&self, mut entry: serde_json::Value, location: Option<&Location>) -> serde_json::Value {
        let place = location.map(|at| (at.doc.as_str(), self.places.line_column(at)));
        entry["file"] = json!(place.map(|(file, _)| file));
        entry["line"] = json!(place.map(|(_, (line, _))| line));
        entry["column"] = json!(place.map(|(_, (_, column))| column));
        entry
    }

    fn ty(&self, component: &str, field: &str) -> &FieldType {
        self.schema.field(component, field).map_or(&FieldType::Any, |spec| &spec.ty)
    }
}

/// What someone did to a field: `scale 0.5: 20.0 → 10.0`.
fn record(applied: &OpRecord) -> String {
    let word = if applied.by == Source::Default { "default" } else { applied.op.key() };
    let operand = match (applied.part_taken(), &applied.operand) {
        (Some((part, Some(back))), _) => format!(" {part}, back to {back}"),
        (Some((part, None)), _) => format!(" {part}"),
        // The operand of `set` usually equals the result, and a removed field is described by its previous value.
        (None, Some(operand)) if applied.op != OpKind::Remove && applied.after.as_ref() != Some(operand) => {
            format!(" {operand}")
        }
        _ => String::new(),
    };
    let after = applied.after.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
    match &applied.before {
        Some(before) => format!("{word}{operand}: {before} → {after}"),
        None => format!("{word}{operand}: {after}"),
    }
}

fn source_name(by: &Source) -> &str {
    match by {
        Source::Default => "schema",
        Source::Def(name) | Source::Instance(name) => name,
    }
}
