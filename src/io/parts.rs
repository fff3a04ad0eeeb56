//! Large levels in several files: which files a level is, and the level that files make.
//!
//! A level that says so ([`Level::regions`]) keeps its tiles out of its own file, in a file for each region. In a project such a
//! level is whole; the files on disk, and all that follows them, know its parts.
//!
//! Invariant: a part whose tiles are shared with those of a known part is that very part. So a region that was not touched is not
//! written, and what was undone counts as saved.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    sync::Arc,
};

use super::codec::same;
use crate::model::{Cell, DocKind, DocPath, Document, Layer, Level, Project, Region, Tiles};

/// Split large levels into parts. `known` are the parts there may be already, by path.
pub(super) fn split(project: &Project, known: impl Fn(&DocPath) -> [Option<Arc<Document>>; 2]) -> Project {
    let mut files = project.clone();
    for (path, level) in large_levels(project) {
        files.documents.extend(parts_of(path, level, &known));
    }
    files
}

/// The levels that keep their tiles in files of their own.
pub(super) fn large_levels(project: &Project) -> impl Iterator<Item = (&DocPath, &Level)> {
    levels(project).filter_map(|(path, document)| match &**document {
        Document::Level(level) if level.regions => Some((path, level)),
        _ => None,
    })
}

/// What is in the folder of levels.
fn levels(project: &Project) -> impl Iterator<Item = (&DocPath, &Arc<Document>)> {
    const FOLDER: &str = "levels/";
    let from = DocPath::new("levels/!");
    let from = from.as_ref().map_or(Bound::Unbounded, Bound::Included);
    project.documents.range((from, Bound::Unbounded)).take_while(|(path, _)| path.as_str().starts_with(FOLDER))
}

/// The files of a level: its own, without tiles, and one for each region that has some.
pub(super) fn parts_of(
    path: &DocPath,
    level: &Level,
    known: impl Fn(&DocPath) -> [Option<Arc<Document>>; 2],
) -> Vec<(DocPath, Arc<Document>)> {
    let mut tiles: Vec<(&Arc<Layer>, &Tiles)> = Vec::new();
    let layers = level.layers.iter().map(|layer| {
        let Some(cells) = layer.cells() else { return Arc::clone(layer) };
        tiles.push((layer, cells.tiles));
        let mut bare = Layer::clone(layer);
        if let Some(cells) = bare.cells_mut() {
            *cells = Tiles::default();
        }
        Arc::new(bare)
    });
    let bare = Document::Level(Level { layers: layers.collect(), ..level.clone() });
    let is_same = |old: &Arc<Document>| same(old, &bare);
    let bare = known(path).into_iter().flatten().find(is_same).unwrap_or_else(|| Arc::new(bare));
    let mut parts = vec![(path.clone(), bare)];
    let regions: BTreeSet<Cell> = tiles.iter().flat_map(|(_, tiles)| tiles.regions()).collect();
    for at in regions {
        let Some(part) = path.region(at) else { continue };
        let here = || tiles.iter().filter(|(_, tiles)| !tiles.shares_region(&Tiles::default(), at));
        let is_same = |old: &Arc<Document>| {
            let Document::Region(old) = &**old else { return false };
            let is_kept = |(layer, tiles): &(&Arc<Layer>, &Tiles)| {
                old.layers.get(&layer.name).is_some_and(|old| tiles.shares_region(old, at))
            };
            old.layers.len() == here().count() && here().all(is_kept)
        };
        let document = known(&part).into_iter().flatten().find(is_same).unwrap_or_else(|| {
            let layers = here().map(|(layer, tiles)| (layer.name.clone(), tiles.region(at))).collect();
            Arc::new(Document::Region(Region { layers }))
        });
        parts.push((part, document));
    }
    parts
}

/// The project that files make: regions are parts of their levels. Those of no level, of one that does not keep its tiles in
/// regions, or of layers that are not in it, are left out.
pub(super) fn join(files: &Project) -> Project {
    let mut regions: BTreeMap<DocPath, Vec<(Cell, &Region)>> = BTreeMap::new();
    let mut project = files.clone();
    for (path, document) in levels(files) {
        if let (Document::Region(region), Some((level, at))) = (&**document, path.region_of()) {
            regions.entry(level).or_default().push((at, region));
            project.documents.remove(path);
        }
    }
    for (path, regions) in regions {
        if let Some(document) = project.documents.get_mut(&path)
            && let Document::Level(level) = &**document
            && level.regions
        {
            *document = Arc::new(Document::Level(joined(level, &regions)));
        }
    }
    project
}

fn joined(level: &Level, regions: &[(Cell, &Region)]) -> Level {
    let mut whole = level.clone();
    for layer in &mut whole.layers {
        let here: Vec<(Cell, &Tiles)> =
            regions.iter().filter_map(|(at, region)| Some((*at, region.layers.get(&layer.name)?))).collect();
        if layer.cells().is_none() || here.is_empty() {
            continue;
        }
        if let Some(cells) = Arc::make_mut(layer).cells_mut() {
            here.into_iter().for_each(|(at, tiles)| cells.share_region(at, tiles));
        }
    }
    whole
}

/// Whether a document is a region, whose file is written by no one but the program: its text is not kept.
pub(super) fn is_region(path: &DocPath) -> bool {
    path.kind() == Some(DocKind::Region)
}
