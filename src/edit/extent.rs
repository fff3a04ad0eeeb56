//! How much edits of a level's tiles have to do.

use super::Edit;
use crate::model::Project;

/// Edits that make more chunks of tiles anew take longer than a frame has time for.
const MOST_AT_ONCE: usize = 256;

/// Whether edits take longer than a frame has time for: resizing a level or merging layers of very many tiles.
#[must_use]
pub fn takes_long(project: &Project, edits: &[Edit]) -> bool {
    n_chunks_made(project, edits) > MOST_AT_ONCE
}

/// About how many chunks of tiles edits make anew that change whole layers. Each takes some microseconds.
fn n_chunks_made(project: &Project, edits: &[Edit]) -> usize {
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
