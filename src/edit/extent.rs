//! How much edits of a level's tiles have to do.

use super::Edit;
use crate::model::Project;

/// About how many chunks of tiles edits make anew that change whole layers: resizing a level, merging layers. Each
/// takes some microseconds.
#[must_use]
pub fn n_chunks_made(project: &Project, edits: &[Edit]) -> usize {
    let of = |edit: &Edit| match edit {
        Edit::ResizeLevel { doc, .. } => {
            let layers = project.level(doc).map(|level| level.all_layers());
            layers.into_iter().flatten().filter_map(|layer| layer.cells()).map(|it| it.tiles.n_chunks()).sum()
        }
        Edit::MergeTiles { doc, from, .. } => {
            let layer = project.level(doc).and_then(|level| level.layer(from));
            layer.and_then(|(_, layer)| layer.cells()).map_or(0, |it| it.tiles.n_chunks())
        }
        _ => 0,
    };
    edits.iter().map(of).sum()
}
