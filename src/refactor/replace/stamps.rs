//! Stamps of the project that are found where all their tiles are, and become another stamp or nothing.
//!
//! Invariant: no cell of a level counts for two of those found; they are looked for row by row from the top.

use std::collections::{BTreeMap, HashSet};

use super::{Hits, LayerCount, Replace};
use crate::{
    edit::{Edit, LayeredStamp, Refusal, StampPart},
    model::{Cell, CellGrid, DocPath, Layer, Level, Location, Name, Project, StampFile, Tile, Tiles},
};

/// What replaces a stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewContent {
    /// Another stamp, by its file.
    Stamp(DocPath),
    /// No tiles.
    Nothing,
}

/// A part of a stamp beside the layer that it is painted on.
struct OnLayer<'a> {
    part: &'a StampPart,
    layer: &'a Layer,
    tiles: &'a Tiles,
}

impl Replace {
    pub(super) fn stamp_hits<'a>(
        &self,
        project: &Project,
        levels: &[(&'a DocPath, &'a Level)],
    ) -> Result<Vec<Hits>, Refusal> {
        let stamp = self.stamp.as_ref().ok_or_else(|| Refusal::new("choose the stamp to find"))?;
        let find = stamp_of(project, stamp)?;
        let to = match &self.with_stamp {
            None => return Err(Refusal::new("choose the stamp to replace it with, or nothing")),
            Some(NewContent::Stamp(to)) if to == stamp => return Err(Refusal::new("both are the same stamp")),
            Some(NewContent::Stamp(to)) => Some((to, stamp_of(project, to)?)),
            Some(NewContent::Nothing) => None,
        };
        let mut hits = Vec::new();
        for (doc, level) in levels {
            // A level without its layers cannot have it.
            let Ok(on) = on_layers(level, &find, None) else { continue };
            let places = places(&on);
            let Some(first) = on.first() else { continue };
            let grid = level.grid_of(first.layer);
            if places.is_empty() {
                continue;
            }
            let new = match &to {
                Some((path, to)) => {
                    let refusal = |why: String| {
                        let (stem, stamp) = (doc.stem(), path.stem());
                        Refusal::new(format!("stamp `{stamp}` cannot be painted in {stem}: {why}"))
                    };
                    Some((to, on_layers(level, to, Some(grid)).map_err(refusal)?))
                }
                None => None,
            };
            let new_layers = || new.iter().flat_map(|(_, on)| on);
            // One that is locked keeps all of the stamp.
            let locked = on.iter().chain(new_layers()).map(|it| it.layer).find(|layer| level.look_of(layer).locked);
            let mut painted: BTreeMap<Name, BTreeMap<Cell, Tile>> = BTreeMap::new();
            let mut put = |on: &OnLayer<'_>, lo: Cell, erases: bool| {
                let cells = painted.entry(on.layer.name.clone()).or_default();
                for (cell, tile) in on.part.tiles.iter().filter(|(_, tile)| !tile.is_empty()) {
                    match moved(cell, lo) {
                        Some(cell) if erases => _ = cells.insert(cell, Tile::EMPTY),
                        Some(cell) if grid.has_cell(cell) => _ = cells.insert(cell, tile),
                        _ => {}
                    }
                }
            };
            // First all are erased: what is painted for one may stand where the next was.
            for lo in &places {
                on.iter().for_each(|it| put(it, *lo, true));
            }
            if let Some((stamp, on)) = &new {
                for lo in &places {
                    let lo = stamp.within(*lo, find.size());
                    on.iter().for_each(|it| put(it, lo, false));
                }
            }
            let edits = painted.into_iter().map(|(layer, cells)| Edit::PaintTiles {
                doc: (*doc).clone(),
                layer,
                cells: cells.into_iter().collect(),
            });
            hits.push(Hits {
                edits: edits.collect(),
                count: LayerCount {
                    doc: (*doc).clone(),
                    layer: locked.unwrap_or(first.layer).name.clone(),
                    n: places.len(),
                    is_locked: locked.is_some(),
                    location: Location::new((*doc).clone(), level.layer_at(&*first.layer.name)),
                },
            });
        }
        Ok(hits)
    }

    pub(super) fn label_of_stamps(&self) -> String {
        let from = self.stamp.as_ref().map_or("", DocPath::stem);
        match &self.with_stamp {
            Some(NewContent::Stamp(to)) => format!("Replace stamp {from} with {}", to.stem()),
            _ => format!("Erase stamp {from}"),
        }
    }
}

fn stamp_of(project: &Project, doc: &DocPath) -> Result<LayeredStamp, Refusal> {
    let file = project.get::<StampFile>(doc);
    let file = file.ok_or_else(|| Refusal::new(format!("there is no stamp `{}`", doc.stem())))?;
    LayeredStamp::of_file(file).ok_or_else(|| Refusal::new(format!("stamp `{}` has no tiles", doc.stem())))
}

/// The layers of a level that a stamp is painted on, all with the same cells; why it cannot be.
fn on_layers<'a>(
    level: &'a Level,
    stamp: &'a LayeredStamp,
    grid: Option<CellGrid>,
) -> Result<Vec<OnLayer<'a>>, String> {
    let mut grid = grid;
    let mut on = |part: &'a StampPart| {
        let name = &part.layer;
        let found = level.layer(name).and_then(|(_, layer)| Some((layer, layer.cells()?)));
        let (layer, cells) = found.ok_or_else(|| format!("it has no tile layer “{name}”"))?;
        if cells.tileset != part.tileset.as_ref() {
            let own = cells.tileset.map_or("values", |own| own);
            let wanted = part.tileset.as_deref().unwrap_or_default();
            return Err(format!("its layer “{name}” has tiles of {own}, the stamp has tiles of {wanted}"));
        }
        let own = level.grid_of(layer);
        if *grid.get_or_insert(own) != own {
            return Err(format!("its layer “{name}” has cells of another size"));
        }
        Ok(OnLayer { part, layer, tiles: cells.tiles })
    };
    stamp.parts().iter().map(&mut on).collect()
}

/// The left tops of the places with all tiles of a stamp.
fn places(on: &[OnLayer<'_>]) -> Vec<Cell> {
    let pattern =
        on.iter().enumerate().flat_map(|(i, on)| on.part.tiles.iter().map(move |(cell, tile)| (i, cell, tile)));
    let pattern: Vec<(usize, Cell, Tile)> = pattern.filter(|(.., tile)| !tile.is_empty()).collect();
    let Some(&(first, at, tile)) = pattern.first() else { return Vec::new() };
    let like_it = on.get(first).into_iter().flat_map(|on| on.tiles.iter()).filter(|(_, it)| *it == tile);
    let mut places: Vec<Cell> = like_it.filter_map(|(cell, _)| moved(cell, at.map(|x| -x))).collect();
    places.sort_unstable_by_key(|[x, y]| (*y, *x));
    let mut taken: HashSet<(usize, Cell)> = HashSet::new();
    places.retain(|lo| {
        let is_here = pattern.iter().all(|(i, cell, tile)| {
            let has = |cell| on.get(*i).is_some_and(|on| on.tiles.get(cell) == *tile) && !taken.contains(&(*i, cell));
            moved(*cell, *lo).is_some_and(has)
        });
        if is_here {
            taken.extend(pattern.iter().filter_map(|(i, cell, _)| Some((*i, moved(*cell, *lo)?))));
        }
        is_here
    });
    places
}

/// A cell moved by another; `None` where there are no cells.
fn moved(cell: Cell, by: Cell) -> Option<Cell> {
    Some([cell[0].checked_add(by[0])?, cell[1].checked_add(by[1])?])
}
