//! A layer that is asked for: its kind, its name, and the tileset or image it shows.

use super::Plan;
use crate::{
    defs::Resolution,
    edit::{Edit, MAX_CELLS, Refusal, free_name, group_layers},
    model::{
        DocPath, GroupLayer, ImageLayer, Layer, LayerContent, Level, Name, Project, TileLayer, Tiles, ValueLayer,
        WaypointGraph, counted, reflect::Reflect as _,
    },
};

/// What a layer is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// Tiles of a tileset.
    Tiles,
    /// Placed entities.
    Entities,
    /// A waypoint graph.
    Waypoints,
    /// A picture.
    Image,
    /// A number a cell, for the game to read.
    Values,
    /// Other layers.
    Group,
}

impl LayerKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Tiles, Self::Entities, Self::Waypoints, Self::Image, Self::Values, Self::Group];

    /// What it is called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Tiles => "Tiles",
            Self::Entities => "Entities",
            Self::Waypoints => "Waypoints",
            Self::Image => "Image",
            Self::Values => "Values",
            Self::Group => "Group",
        }
    }

    /// The first free name of those that such layers have.
    fn name_in(self, level: &Level) -> String {
        let name = match self {
            Self::Tiles => "tiles",
            Self::Entities => "actors",
            Self::Waypoints => "waypoints",
            Self::Image => "image",
            Self::Values => "values",
            Self::Group => "group",
        };
        free_name(name, |name| level.layer(name).is_some()).to_string()
    }
}

/// A layer that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLayer {
    /// The level.
    pub doc: DocPath,
    /// What it is to hold.
    pub kind: LayerKind,
    /// Its name.
    pub name: String,
    /// Of a layer of tiles.
    pub tileset: Option<Name>,
    /// Of an image layer: its path in the project.
    pub image: Option<Name>,
    /// The layer that tools work on: it comes in front of that one or, where that is a group, into it.
    pub active: Option<Name>,
    /// Of a layer of tiles or values: width and height of its cells, in pixels.
    pub tile_size: [u32; 2],
    /// Of a group: the layers that are put into it, in place of the front one of which it comes.
    pub around: Vec<Name>,
}

impl NewLayer {
    /// One as it is offered first.
    #[must_use]
    pub fn new((doc, level): (&DocPath, &Level), tileset: Option<Name>, active: Option<Name>) -> Self {
        let tile_size = level.grid().px;
        let kind = if tileset.is_some() { LayerKind::Tiles } else { LayerKind::Entities };
        Self {
            doc: doc.clone(),
            kind,
            name: kind.name_in(level),
            tileset,
            image: None,
            active,
            tile_size,
            around: Vec::new(),
        }
    }

    /// A group around layers, as it is offered first.
    #[must_use]
    pub fn around((doc, level): (&DocPath, &Level), layers: Vec<Name>) -> Self {
        let tile_size = level.grid().px;
        let (kind, name) = (LayerKind::Group, LayerKind::Group.name_in(level));
        Self { doc: doc.clone(), kind, name, tileset: None, image: None, active: None, tile_size, around: layers }
    }

    /// Have it hold something else. A name that was offered, and not typed, becomes that of the other kind. Returns
    /// whether it did.
    pub fn change_kind(&mut self, kind: LayerKind, level: &Level) -> bool {
        let is_offered = self.name == self.kind.name_in(level);
        self.kind = kind;
        if is_offered {
            self.name = kind.name_in(level);
        }
        is_offered
    }

    /// What is wrong with the name, as a sentence.
    #[must_use]
    pub fn name_problem(&self, project: &Project) -> Option<String> {
        let is_taken = project.level(&self.doc).is_some_and(|level| level.layer(&self.name).is_some());
        if self.name.trim().is_empty() {
            Some("Write the layer's name".to_owned())
        } else if is_taken {
            Some(format!("{} already has a layer `{}`", self.doc.stem(), self.name))
        } else if self.kind == LayerKind::Waypoints && self.name.contains('/') {
            Some("The name of a layer of waypoints has no `/`; routes write a tag after it".to_owned())
        } else {
            None
        }
    }

    /// What is wrong with the tileset, as a sentence.
    #[must_use]
    pub fn tileset_problem(&self) -> Option<String> {
        let is_lacking = self.kind == LayerKind::Tiles && self.tileset.is_none();
        is_lacking.then(|| "A layer of tiles needs a tileset, and the project has none yet".to_owned())
    }

    /// What is wrong with the image, as a sentence.
    #[must_use]
    pub fn image_problem(&self) -> Option<String> {
        let is_lacking = self.kind == LayerKind::Image && self.image.is_none();
        is_lacking.then(|| "Choose the picture it shows".to_owned())
    }

    /// Whether it has cells.
    #[must_use]
    pub fn has_cells(&self) -> bool {
        matches!(self.kind, LayerKind::Tiles | LayerKind::Values)
    }

    /// What is wrong with the size of its cells, as a sentence.
    #[must_use]
    pub fn tile_size_problem(&self) -> Option<String> {
        let is_bad = self.has_cells() && self.tile_size.iter().any(|side| !(1..=MAX_CELLS).contains(side));
        is_bad.then(|| format!("A cell is 1 to {MAX_CELLS} px wide and high"))
    }

    /// The first thing that is wrong.
    #[must_use]
    pub fn first_problem(&self, project: &Project) -> Option<String> {
        self.name_problem(project)
            .or_else(|| self.tileset_problem())
            .or_else(|| self.image_problem())
            .or_else(|| self.tile_size_problem())
    }

    fn content(&self, level: &Level, resolution: &Resolution) -> LayerContent {
        // Those of the level's size are the level's.
        let tile_size = Some(self.tile_size).filter(|size| *size != level.grid().px);
        match (self.kind, &self.tileset, &self.image) {
            (LayerKind::Tiles, Some(tileset), _) => {
                LayerContent::Tiles(TileLayer { tile_size, ..TileLayer::new(tileset.clone(), Tiles::default()) })
            }
            (LayerKind::Image, _, Some(image)) => {
                LayerContent::Image(ImageLayer { image: image.clone(), ..ImageLayer::blank() })
            }
            (LayerKind::Values, ..) => LayerContent::Values(ValueLayer { tile_size, ..ValueLayer::with_one() }),
            (LayerKind::Group, ..) => LayerContent::Group(GroupLayer { layers: Vec::new() }),
            (LayerKind::Waypoints, ..) => {
                let (blank, max_length) = (WaypointGraph::default(), Some(WaypointGraph::NEW_MAX_LENGTH));
                // Wide enough for agents as they are by default.
                let radius = agent_radius(resolution).unwrap_or(blank.radius);
                LayerContent::Waypoints(WaypointGraph { radius, max_length, ..blank })
            }
            _ => LayerContent::Entities(indexmap::IndexMap::new()),
        }
    }
}

/// The radius of agents that do not declare one, in pixels.
fn agent_radius(resolution: &Resolution) -> Option<f64> {
    resolution.schema.components.get("Agent")?.fields.get("radius")?.default.as_ref()?.as_f64()
}

/// The plan that adds a layer.
pub(super) fn create(project: &Project, resolution: &Resolution, new: &NewLayer) -> Result<Plan, Refusal> {
    if let Some(why) = new.first_problem(project) {
        return Err(Refusal::new(why));
    }
    let level = project.level(&new.doc).ok_or_else(|| Refusal::new(format!("there is no level `{}`", new.doc)))?;
    if !new.around.is_empty() {
        let edits = group_layers((&new.doc, level), &new.around, &new.name.as_str().into())?;
        let label = match new.around.as_slice() {
            [layer] => format!("Group layer {layer} in {}", new.name),
            many => format!("Group {} in {}", counted(many.len(), "layer"), new.name),
        };
        return Ok(Plan { label, edits });
    }
    let layer = Layer::new(new.name.as_str().into(), new.content(level, resolution));
    let active = new.active.as_ref().and_then(|name| level.layer(name)).map(|(number, _)| number);
    let edits = vec![Edit::insert_at(&new.doc, level.place_for_new(active), &layer)];
    Ok(Plan { label: format!("Add layer {} to {}", new.name, new.doc.stem()), edits })
}
