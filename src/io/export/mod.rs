//! What game builds read: one file with inheritance applied, and the images it names. The same project gives the same
//! bytes.
//!
//! Whether a project may be exported is not decided here; the command line refuses one with errors.

mod build;
mod json_text;
mod marks;
mod place;
mod stream;
pub mod types;
mod values;

use std::{collections::BTreeSet, io, ops::Range};

pub use place::{Exported, write};
pub use stream::put;

use crate::{
    defs::Resolution,
    model::{DocPath, FieldType, Finding, Link, Project, Value},
};

/// How an export is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `game.json`
    Json,
    /// `game.ron`
    Ron,
}

/// An export ready to be written: all but the content of layers is in memory.
pub struct Export<'a> {
    /// The file's name.
    pub file: &'static str,
    /// The images and sounds it names, as paths in the project.
    pub images: Vec<DocPath>,
    format: Format,
    /// Its text with a mark for the list of each layer: chunks of tiles, entities or links.
    text: String,
    /// Where each mark is in the text, and its index in `layers`.
    marks: Vec<(Range<usize>, usize)>,
    /// Level and index of each layer.
    layers: Vec<(DocPath, usize)>,
    project: &'a Project,
    resolution: &'a Resolution,
    links: LinksOf<'a>,
}

/// The links of a waypoint layer, by hand and automatic, with their cost, given one after another until there are no
/// more or the last argument returns false. The first two are the level and the index of the layer.
pub type LinksOf<'a> = &'a dyn Fn(&DocPath, usize, &mut dyn FnMut(Link) -> bool);

/// Why an export was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The text could not be made.
    #[error("cannot be written as {0:?}: {1}")]
    Encode(Format, String),
    /// A file could not be written.
    #[error("cannot write {0}: {1}")]
    Write(String, io::Error),
    /// The folder is one of the project's own, or what is written would end up in one.
    #[error("`{0}` belongs to the project, which would read what is exported there; name a folder outside of it")]
    Inside(String),
    /// An image could not be read.
    #[error("cannot export an image: {}: {}", .0.location.doc, .0.message)]
    Image(Box<Finding>),
}

/// Make an export. `links` gives every link of a waypoint layer, the automatic ones too; it is called when the export
/// is written.
///
/// # Errors
/// When the game cannot be written in that format.
pub fn export<'a>(
    project: &'a Project,
    resolution: &'a Resolution,
    links: LinksOf<'a>,
    format: Format,
) -> Result<Export<'a>, ExportError> {
    let file = match format {
        Format::Json => "game.json",
        Format::Ron => "game.ron",
    };
    // A game may contain any text, the marks too; then others are taken.
    let mut n_tries = 0_u32;
    loop {
        let salt = format!("layer {n_tries}");
        let (text, images, layers) = match format {
            Format::Json => {
                let (game, images, layers) = build::build::<values::Json>(project, resolution, &salt);
                let json = serde_json::to_value(&game);
                (json.map(|json| json_text::write(&json)).map_err(|err| err.to_string()), images, layers)
            }
            Format::Ron => {
                let (game, images, layers) = build::build::<values::Ron>(project, resolution, &salt);
                (ron::ser::to_string_pretty(&game, values::ron_config()).map_err(|err| err.to_string()), images, layers)
            }
        };
        let mut text = text.map_err(|err| ExportError::Encode(format, err))?;
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let marks = marks::marks(&text, &salt);
        let numbers: BTreeSet<usize> = marks.iter().map(|(_, number)| *number).collect();
        if marks.len() == layers.len() && numbers.into_iter().eq(0..layers.len()) {
            let images = images.named.into_iter().collect();
            return Ok(Export { file, images, format, text, marks, layers, project, resolution, links });
        }
        n_tries += 1;
    }
}

/// A value as JSON exports write it, images with their path in the project.
#[must_use]
pub fn json_value(ty: &FieldType, value: &Value) -> serde_json::Value {
    use values::Target as _;
    values::Json::write(ty, &values::complete(ty, value, &mut values::Images::unmoved()))
}

/// JSON as exports write it: objects over several lines, lists of plain values on one.
#[must_use]
pub fn pretty(value: &serde_json::Value) -> String {
    json_text::write(value)
}

/// The JSON Schema of `game.json`, as text.
#[must_use]
pub fn json_schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<types::Game<serde_json::Value>>();
    json_text::write(&schema.to_value())
}
