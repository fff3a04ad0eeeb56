//! An export on its way to the disk, piece by piece: links between waypoints can be more than fit into memory, so each is made,
//! written and forgotten.
//!
//! Invariant: the text is what it would be if the whole game were written at once.

use std::io::{self, Write};

use super::{Export, Format, build, json_text};
use crate::model::LinkBy;

/// How RON exports are laid out.
pub(super) fn ron_config() -> ron::ser::PrettyConfig {
    ron::ser::PrettyConfig::new().new_line("\n").struct_names(false).compact_arrays(true)
}

/// Write the text of an export's file, links one by one.
///
/// # Errors
/// When `out` refuses it.
pub fn put(export: &Export<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut done = 0;
    for (mark, i) in &export.marks {
        let before = export.text.get(done..mark.start).unwrap_or_default();
        out.write_all(before.as_bytes())?;
        let line = export.text.get(..mark.start).and_then(|text| text.rsplit('\n').next()).unwrap_or_default();
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        put_links(export, *i, &indent, out)?;
        done = mark.end;
    }
    out.write_all(export.text.get(done..).unwrap_or_default().as_bytes())
}

fn put_links(export: &Export<'_>, index: usize, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some((doc, layer)) = export.linked.get(index) else { return Ok(()) };
    let (mut is_first, mut result) = (true, out.write_all(b"["));
    (export.links)(doc, *layer, &mut |link| {
        if link.by != LinkBy::Broken && result.is_ok() {
            result = put_link(export.format, &build::link(&link), is_first, indent, out);
            is_first = false;
        }
        result.is_ok()
    });
    result?;
    if export.format == Format::Json && !is_first {
        write!(out, "\n{indent}")?;
    }
    out.write_all(b"]")
}

fn put_link(
    format: Format,
    link: &super::types::Link,
    is_first: bool,
    indent: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Json => {
            let value = serde_json::to_value(link)?;
            let text = json_text::write(&value);
            out.write_all(if is_first { b"\n" } else { b",\n" })?;
            let inner = format!("{indent}  ");
            out.write_all(inner.as_bytes())?;
            out.write_all(text.trim_end().replace('\n', &format!("\n{inner}")).as_bytes())
        }
        Format::Ron => {
            let text = ron::ser::to_string_pretty(link, ron_config()).map_err(io::Error::other)?;
            out.write_all(if is_first { b"" } else { b", " })?;
            out.write_all(text.replace('\n', &format!("\n{indent}")).as_bytes())
        }
    }
}
