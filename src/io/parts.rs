//! Large levels in several files: which files a level is, and the level that files make.
//!
//! A level that says so ([`Level::regions`]) keeps its tiles out of its own file, in a file for each region. In a
//! project such a level is whole; the files on disk, and all that follows them, know its parts.
//!
//! Invariant: a part whose tiles are shared with those of a known part is that very part. So a region that was not
//! touched is not written, and what was undone counts as saved.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    sync::Arc,
};

use super::codec::same;
use crate::model::{Cell, DocKind, DocPath, Document, Layer, Level, Name, Project, Region, Tiles};

/// A project by its files, and what it was made from.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub(super) files: Arc<Project>,
    /// The same with large levels whole.
    pub(super) whole: Project,
}

/// What is known of the files of large levels.
pub(super) trait Known {
    /// The documents that a file may hold already.
    fn documents(&self, file: &DocPath) -> [Option<Arc<Document>>; 2];
    /// Tiles in regions of a level that no layer of it has: they stay in their files.
    fn strays(&self, level: &DocPath) -> Option<&Strays>;
}

/// Tiles of regions by the names of layers that the level does not have.
pub(super) type Strays = BTreeMap<Cell, Vec<(Name, Tiles)>>;

/// Split large levels into parts. Of a level that was split before, in `old`, only regions that changed are looked at.
pub(super) fn split(project: &Project, old: Option<&Split>, known: &impl Known) -> Split {
    let mut files = project.clone();
    for (path, document, level) in large_levels(project) {
        let old = old.and_then(|old| Some((old, old.whole.doc(path)?)));
        let same_parts = old.filter(|(_, before)| Arc::ptr_eq(before, document));
        if let Some((old, _)) = same_parts {
            let own = old.files.documents.get_key_value(path);
            let parts = regions_in(&old.files.documents, path).chain(own);
            files.documents.extend(parts.map(|(part, document)| (part.clone(), Arc::clone(document))));
            continue;
        }
        let before = old.and_then(|(old, before)| match &**before {
            Document::Level(before) if before.regions => Some((before, &*old.files)),
            _ => None,
        });
        files.documents.extend(parts_of((path, level), before, known));
    }
    Split { files: Arc::new(files), whole: project.clone() }
}

/// The levels that keep their tiles in files of their own.
pub(super) fn large_levels(project: &Project) -> impl Iterator<Item = (&DocPath, &Arc<Document>, &Level)> {
    levels(project).filter_map(|(path, document)| Some((path, document, large(document)?)))
}

/// A document, if it is a level that keeps its tiles in files of their own.
pub(super) fn large(document: &Document) -> Option<&Level> {
    if let Document::Level(level) = document { Some(level).filter(|level| level.regions) } else { None }
}

/// What is in the folder of levels.
fn levels(project: &Project) -> impl Iterator<Item = (&DocPath, &Arc<Document>)> {
    const FOLDER: &str = "levels/";
    let from = DocPath::new("levels/!");
    let from = from.as_ref().map_or(Bound::Unbounded, Bound::Included);
    project.documents.range((from, Bound::Unbounded)).take_while(|(path, _)| path.as_str().starts_with(FOLDER))
}

/// The regions of a level among files.
pub(super) fn regions_in<'f, T>(
    files: &'f BTreeMap<DocPath, T>,
    level: &DocPath,
) -> impl Iterator<Item = (&'f DocPath, &'f T)> {
    let folder = level.regions();
    let from = folder.as_ref().map_or(Bound::Unbounded, Bound::Excluded);
    let after = files.range::<DocPath, _>((from, Bound::Unbounded));
    let inside = folder.as_ref().map(|folder| format!("{folder}/")).unwrap_or_default();
    after
        .skip_while({
            // `a.regions-old/…` stands before `a.regions/…`.
            let inside = inside.clone();
            move |(path, _)| path.as_str() < inside.as_str()
        })
        .take_while(move |(path, _)| !inside.is_empty() && path.as_str().starts_with(&inside))
}

/// The layers whose cells are kept in regions. Of two with one name, which is a problem of its own, the second stays in
/// the level's file.
fn split_layers(level: &Level) -> Vec<(&Arc<Layer>, &Tiles)> {
    let mut names = BTreeSet::new();
    let layers = level.all_layers().into_iter().filter_map(|layer| Some((layer, layer.cells()?.tiles)));
    layers.filter(|(layer, _)| names.insert(&layer.name)).collect()
}

/// The files of a level: its own, without tiles, and one for each region that has some. `before` is the level as it was
/// split last, with its files.
fn parts_of(
    (path, level): (&DocPath, &Level),
    before: Option<(&Level, &Project)>,
    known: &impl Known,
) -> Vec<(DocPath, Arc<Document>)> {
    let split = split_layers(level);
    let mut bare = level.clone();
    bare.change_layers(&mut |layer, _| {
        split.iter().any(|(it, _)| std::ptr::eq(Arc::as_ptr(it), layer)).then(|| {
            let mut bare = layer.clone();
            if let Some(cells) = bare.cells_mut() {
                *cells = Tiles::default();
            }
            bare
        })
    });
    let bare = Document::Level(bare);
    let is_same = |old: &Arc<Document>| same(old, &bare);
    let bare = known.documents(path).into_iter().flatten().find(is_same).unwrap_or_else(|| Arc::new(bare));
    let mut parts = vec![(path.clone(), bare)];
    let strays = known.strays(path);
    let changed = before.and_then(|(before, files)| Some((changed_regions(&split, before)?, files)));
    let looked_at: BTreeSet<Cell> = match &changed {
        Some((changed, files)) => {
            let kept =
                regions_in(&files.documents, path).filter_map(|(part, it)| Some((part, it, part.region_of()?.1)));
            let kept = kept.filter(|(.., at)| !changed.contains(at));
            parts.extend(kept.map(|(part, document, _)| (part.clone(), Arc::clone(document))));
            changed.clone()
        }
        None => {
            let stray = strays.into_iter().flatten().map(|(at, _)| *at);
            split.iter().flat_map(|(_, tiles)| tiles.regions()).chain(stray).collect()
        }
    };
    for at in looked_at {
        let Some(part) = path.region(at) else { continue };
        let own = split.iter().filter(|(_, tiles)| !tiles.shares_region(&Tiles::default(), at));
        let own = own.map(|(layer, tiles)| (&layer.name, *tiles));
        let stray = strays.and_then(|strays| strays.get(&at)).into_iter().flatten();
        let here: Vec<(&Name, &Tiles)> = own.chain(stray.map(|(name, tiles)| (name, tiles))).collect();
        if here.is_empty() {
            continue;
        }
        let is_same = |old: &Arc<Document>| {
            let Document::Region(old) = &**old else { return false };
            let is_kept =
                |(name, tiles): &(&Name, &Tiles)| old.layers.get(*name).is_some_and(|old| tiles.shares_region(old, at));
            old.layers.len() == here.len() && here.iter().all(is_kept)
        };
        let document = known.documents(&part).into_iter().flatten().find(is_same).unwrap_or_else(|| {
            let layers = here.iter().map(|(name, tiles)| ((*name).clone(), tiles.region(at))).collect();
            Arc::new(Document::Region(Region { layers }))
        });
        parts.push((part, document));
    }
    parts
}

/// The regions that are not the same ones as before; `None` where other layers are split.
fn changed_regions(split: &[(&Arc<Layer>, &Tiles)], before: &Level) -> Option<BTreeSet<Cell>> {
    let before = split_layers(before);
    let is_alike = split.len() == before.len() && split.iter().zip(&before).all(|((a, _), (b, _))| a.name == b.name);
    let everywhere = ([i32::MIN; 2], [i32::MAX; 2]);
    let pairs = || split.iter().zip(&before).map(|((_, now), (_, was))| (now, was));
    is_alike.then(|| pairs().flat_map(|(now, was)| now.unshared_regions(was, everywhere.0, everywhere.1)).collect())
}

/// The project that files make: regions are parts of their levels. Those of no level, or of one that does not keep its
/// tiles in regions, are left out; so are [strays].
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
            && let Some(level) = large(document)
        {
            *document = Arc::new(Document::Level(joined(level, &regions)));
        }
    }
    project
}

fn joined(level: &Level, regions: &[(Cell, &Region)]) -> Level {
    let mut whole = level.clone();
    let mut names: BTreeSet<Name> = BTreeSet::new();
    whole.change_layers(&mut |layer, _| {
        if layer.cells().is_none() || !names.insert(layer.name.clone()) {
            return None;
        }
        let here: Vec<(Cell, &Tiles)> =
            regions.iter().filter_map(|(at, region)| Some((*at, region.layers.get(&layer.name)?))).collect();
        if here.is_empty() {
            return None;
        }
        let mut layer = layer.clone();
        if let Some(cells) = layer.cells_mut() {
            here.into_iter().for_each(|(at, tiles)| cells.share_region(at, tiles));
        }
        Some(layer)
    });
    whole
}

/// The tiles of a region that are of layers its level does not have.
pub(super) fn strays_in<'a>(region: &'a Region, level: &'a Level) -> impl Iterator<Item = (&'a Name, &'a Tiles)> {
    let has = |name: &Name| level.all_layers().into_iter().any(|layer| layer.name == *name && layer.cells().is_some());
    region.layers.iter().filter(move |(name, _)| !has(name))
}

/// The tiles in regions of a large level that are of layers it does not have.
pub(super) fn strays(level: &DocPath, files: &BTreeMap<DocPath, Arc<Document>>) -> Strays {
    let Some(large) = files.get(level).and_then(|document| large(document)) else { return Strays::new() };
    let mut out = Strays::new();
    for (path, document) in regions_in(files, level) {
        let (Document::Region(region), Some((_, at))) = (&**document, path.region_of()) else { continue };
        let strays = strays_in(region, large).map(|(name, tiles)| (name.clone(), tiles.clone()));
        let strays: Vec<(Name, Tiles)> = strays.collect();
        if !strays.is_empty() {
            out.insert(at, strays);
        }
    }
    out
}

/// Whether a document is a region, whose file is written by no one but the program: its text is not kept.
pub(super) fn is_region(path: &DocPath) -> bool {
    path.kind() == Some(DocKind::Region)
}
