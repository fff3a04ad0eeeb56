//! A file in the canonical form: four spaces, trailing commas, floats with a dot, fields in the schema's order.
//! Comments stay, blank lines stay (one at a time), and what the author gave one line keeps it while it fits.
//!
//! Formatting never changes the content of a file, and formatting twice changes nothing more.

use super::{
    Tree,
    form::Form,
    layout::{Comment, Group, Item, Shape, dotted, file},
    moved::moved,
    write::WIDTH,
};

const UNIT: &str = "    ";

/// The canonical form of a file's text. With `form`, which has to be the content of the file, fields are put in its
/// order and whole numbers that are floats get a dot.
#[must_use]
pub fn format(tree: &Tree<'_>, form: Option<&Form<'_>>) -> String {
    let mut file = file(tree);
    if let Some(form) = form {
        arrange(&mut file.root.value, form);
    }
    let mut out = String::with_capacity(tree.text.len() + tree.text.len() / 8);
    if !file.attributes.is_empty() {
        out.push_str(&moved(file.attributes, "", "", "\n"));
        out.push('\n');
    }
    let has_head = !out.is_empty();
    comments(&file.root.lead, "", has_head, &mut out);
    if file.root.after_blank && !file.root.lead.is_empty() {
        out.push('\n');
    }
    match &file.root.value {
        // The outermost value has several lines.
        Shape::Group(group) if group.tag.is_empty() || !hugging(group, "", 0, 0, &mut out) => {
            broken(group, "", &mut out);
        }
        Shape::Group(_) => {}
        other => shape(other, "", 0, 0, &mut out),
    }
    trail(&file.root.trail, &mut out);
    out.push('\n');
    comments(&file.tail, "", true, &mut out);
    out
}

/// Put fields in order, and dots into floats.
fn arrange(shape: &mut Shape<'_>, form: &Form<'_>) {
    match (shape, form) {
        (Shape::Atom(text), Form::Float(_)) => *text = dotted(text),
        (Shape::Group(group), Form::Optional(Some(form)))
            if group.tag == "Some" && !matches!(**form, Form::Value(_)) =>
        {
            if let [item] = group.items.as_mut_slice() {
                arrange(&mut item.value, form);
            }
        }
        (shape, Form::Optional(Some(form))) => arrange(shape, form),
        (Shape::Group(group), Form::Tagged(_, content)) => arrange_group(group, content),
        (Shape::Group(group), form) => arrange_group(group, form),
        _ => {}
    }
}

fn arrange_group(group: &mut Group<'_>, form: &Form<'_>) {
    let slots = match form {
        Form::Record(slots) | Form::Call(_, slots) => slots,
        Form::Tuple(forms) => return arrange_all(group, forms.iter()),
        Form::List(list) => return arrange_all(group, list.items.iter()),
        Form::Map(map) if map.is_ordered => return arrange_all(group, map.entries.iter().map(|(_, value)| value)),
        _ => return,
    };
    let place = |field: Option<&str>| slots.iter().position(|slot| Some(slot.name) == field);
    for item in &mut group.items {
        if let Some(slot) = place(item.field).and_then(|at| slots.get(at)) {
            arrange(&mut item.value, &slot.form);
        }
    }
    // The comment on the line of the bracket stays there; one above the first field goes with that field.
    group.items.sort_by_key(|item| place(item.field));
}

fn arrange_all<'f, 'm: 'f>(group: &mut Group<'_>, forms: impl ExactSizeIterator<Item = &'f Form<'m>>) {
    if group.items.len() == forms.len() {
        for (item, form) in group.items.iter_mut().zip(forms) {
            arrange(&mut item.value, form);
        }
    }
}

/// Write a value from `column` of a line indented by `indent`, with `after` more characters behind it.
fn shape(shape: &Shape<'_>, indent: &str, column: usize, after: usize, out: &mut String) {
    let group = match shape {
        Shape::Atom(text) => return out.push_str(text),
        Shape::Verbatim { text, indent: was } => return out.push_str(&moved(text, was, indent, "\n")),
        Shape::Group(group) => group,
    };
    let start = out.len();
    if inline(group, WIDTH.saturating_sub(column + after), out) {
        return;
    }
    out.truncate(start);
    if !hugging(group, indent, column, after, out) {
        broken(group, indent, out);
    }
}

/// A lone group inside hugs the brackets, unless its author broke the line between: `Polygon([` … `])`.
fn hugging(group: &Group<'_>, indent: &str, column: usize, after: usize, out: &mut String) -> bool {
    let [item] = group.items.as_slice() else { return false };
    let is_bare = item.key.is_none() && item.lead.is_empty() && item.trail.is_empty() && group.tail.is_empty();
    if group.is_broken || !is_bare || !matches!(item.value, Shape::Group(_)) {
        return false;
    }
    out.push_str(group.tag);
    out.push(group.open);
    shape(&item.value, indent, column + group.tag.chars().count() + 1, after + 1, out);
    out.push(group.close);
    true
}

/// Write on one line of at most `room` characters. Whether that was possible; if not, what was written is of no use.
fn inline(group: &Group<'_>, room: usize, out: &mut String) -> bool {
    if group.is_broken || !group.open_trail.is_empty() {
        return false;
    }
    let start = out.len();
    let is_long =
        |out: &String| out.len() - start > room * 4 || out.get(start..).is_none_or(|s| s.chars().count() > room);
    out.push_str(group.tag);
    out.push(group.open);
    // Braces have air inside, as in `{ "walk": 2.0 }`.
    let air = if group.open == '{' && !group.items.is_empty() { " " } else { "" };
    for (i, item) in group.items.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { air });
        for comment in &item.lead {
            push_comment(&comment.text, out);
            out.push(' ');
        }
        if let Some(key) = item.key {
            out.push_str(key);
            out.push_str(": ");
        }
        match &item.value {
            Shape::Atom(text) => out.push_str(text),
            Shape::Verbatim { text, .. } if !text.contains(['\n', '\r']) && !text.contains("//") => out.push_str(text),
            Shape::Verbatim { .. } => return false,
            Shape::Group(inner) => {
                let used = out.get(start..).map_or(0, |text| text.chars().count());
                if used > room || !inline(inner, room - used, out) {
                    return false;
                }
            }
        }
        for comment in &item.trail {
            out.push(' ');
            push_comment(&comment.text, out);
        }
        if is_long(out) {
            return false;
        }
    }
    for (i, comment) in group.tail.iter().enumerate() {
        out.push_str(if i > 0 { " " } else { "" });
        push_comment(&comment.text, out);
    }
    out.push_str(air);
    out.push(group.close);
    !is_long(out)
}

/// Write with a line for each part.
fn broken(group: &Group<'_>, indent: &str, out: &mut String) {
    out.push_str(group.tag);
    out.push(group.open);
    if group.items.is_empty() && group.tail.is_empty() && group.open_trail.is_empty() {
        out.push(group.close);
        return;
    }
    trail(&group.open_trail, out);
    out.push('\n');
    let inner = format!("{indent}{UNIT}");
    for (i, item) in group.items.iter().enumerate() {
        entry(item, &inner, i > 0, out);
    }
    comments(&group.tail, &inner, !group.items.is_empty(), out);
    out.push_str(indent);
    out.push(group.close);
}

fn entry(item: &Item<'_>, indent: &str, may_be_blank: bool, out: &mut String) {
    comments(&item.lead, indent, may_be_blank, out);
    if item.after_blank && (may_be_blank || !item.lead.is_empty()) {
        out.push('\n');
    }
    out.push_str(indent);
    let mut column = indent.len();
    if let Some(key) = item.key {
        out.push_str(key);
        out.push_str(": ");
        column += key.chars().count() + 2;
    }
    shape(&item.value, indent, column, 1, out);
    out.push(',');
    trail(&item.trail, out);
    out.push('\n');
}

/// Comments on lines of their own.
fn comments(list: &[Comment<'_>], indent: &str, may_be_blank: bool, out: &mut String) {
    for (i, comment) in list.iter().enumerate() {
        if comment.after_blank && (may_be_blank || i > 0) {
            out.push('\n');
        }
        out.push_str(indent);
        push_comment(&comment.text, out);
        out.push('\n');
    }
}

/// Comments behind something, as far from it as they were: people align them.
fn trail(list: &[Comment<'_>], out: &mut String) {
    for comment in list {
        out.push_str(&" ".repeat(comment.spaces.clamp(1, WIDTH)));
        push_comment(&comment.text, out);
    }
}

fn push_comment(text: &str, out: &mut String) {
    if text.contains('\r') {
        out.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
    } else {
        out.push_str(text);
    }
}
