//! Writes an export to disk piece by piece: chunks of tiles, placed entities and links between waypoints can be more
//! than fit into memory, so each is made, written and forgotten.
//!
//! Invariant: the text is what it would be if the whole game were written at once.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    Export, Format,
    build::{self, Build},
    json_text,
    values::{self, ron_config},
};
use crate::model::{LayerContent, LinkBy};

/// Write the text of an export's file, the content of layers item by item.
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
        put_layer(export, *i, List { format: export.format, indent: &indent, out: &mut *out, is_empty: true })?;
        done = mark.end;
    }
    out.write_all(export.text.get(done..).unwrap_or_default().as_bytes())
}

/// Write the content of a layer.
fn put_layer(export: &Export<'_>, index: usize, mut list: List<'_>) -> io::Result<()> {
    list.out.write_all(b"[")?;
    let layer = export.layers.get(index).and_then(|(doc, layer_idx)| {
        let level = export.project.level(doc)?;
        Some(((doc, *layer_idx, level.layer_at(*layer_idx)), level.nth_layer(*layer_idx)?))
    });
    match layer.as_ref().map(|(at, layer)| (at, &layer.content)) {
        Some((_, LayerContent::Tiles(content))) => {
            for (at, chunk) in content.tiles.chunks() {
                list.put(&build::chunk(at, chunk))?;
            }
        }
        Some((_, LayerContent::Values(content))) => {
            for (at, chunk) in content.values.chunks() {
                list.put(&build::value_chunk(at, chunk))?;
            }
        }
        Some(((doc, _, at), LayerContent::Entities(entities))) => match export.format {
            Format::Json => {
                let mut build = Build::<values::Json>::new(export.resolution, "");
                entities.iter().try_for_each(|(id, instance)| list.put(&build.entity((doc, at), id, instance)))?;
            }
            Format::Ron => {
                let mut build = Build::<values::Ron>::new(export.resolution, "");
                entities.iter().try_for_each(|(id, instance)| list.put(&build.entity((doc, at), id, instance)))?;
            }
        },
        Some(((doc, layer_idx, _), LayerContent::Waypoints(_))) => {
            let mut result = Ok(());
            (export.links)(doc, *layer_idx, &mut |link| {
                if link.by != LinkBy::Broken {
                    result = list.put(&build::link(&link));
                }
                result.is_ok()
            });
            result?;
        }
        // It has no list.
        Some((_, LayerContent::Image(_) | LayerContent::Group(_))) | None => {}
    }
    list.end()
}

/// A list that is written item by item.
struct List<'a> {
    format: Format,
    /// Of the line where the list begins.
    indent: &'a str,
    out: &'a mut dyn Write,
    is_empty: bool,
}

impl List<'_> {
    fn put<T: Serialize>(&mut self, item: &T) -> io::Result<()> {
        let is_first = std::mem::replace(&mut self.is_empty, false);
        match self.format {
            Format::Json => {
                let text = json_text::write(&serde_json::to_value(item)?);
                self.out.write_all(if is_first { b"\n" } else { b",\n" })?;
                let inner = format!("{}  ", self.indent);
                self.out.write_all(inner.as_bytes())?;
                self.out.write_all(text.trim_end().replace('\n', &format!("\n{inner}")).as_bytes())
            }
            Format::Ron => {
                let text = ron::ser::to_string_pretty(item, ron_config()).map_err(io::Error::other)?;
                self.out.write_all(if is_first { b"" } else { b", " })?;
                self.out.write_all(text.replace('\n', &format!("\n{}", self.indent)).as_bytes())
            }
        }
    }

    fn end(self) -> io::Result<()> {
        if self.format == Format::Json && !self.is_empty {
            write!(self.out, "\n{}", self.indent)?;
        }
        self.out.write_all(b"]")
    }
}
