//! A level of 16 384 by 16 384 cells, one layer full and seven with a tenth of it.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "a bench that cannot go on should say where")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use levelwright::{
    io::{self, Sources, text_of},
    model::{Chunk, DocPath, Document, Layer, LayerContent, Level, Project, Tile, TileLayer, Tiles},
};

/// Cells along one side.
pub const SIDE: i32 = 16_384;

/// Its file.
pub fn doc() -> DocPath {
    DocPath::new("levels/first.ron").unwrap()
}

fn hash(of: [i32; 3]) -> u32 {
    of.iter().fold(0x811C_9DC5, |sum: u32, it| (sum ^ it.cast_unsigned()).wrapping_mul(0x0100_0193).rotate_left(13))
}

/// Runs of a few tiles, as ground and walls are.
fn chunk(seed: i32) -> Arc<Chunk> {
    let tile = |i: usize| {
        let run = i32::try_from(i / 5).unwrap();
        Tile::id_only(hash([seed, run, 7]) % 8 + 1)
    };
    Arc::new(Chunk::from(&std::array::from_fn(tile)))
}

/// The level.
pub fn level() -> Level {
    let chunks: Vec<Arc<Chunk>> = (0..512).map(chunk).collect();
    let layer = |number: i32| {
        let mut tiles = Tiles::default();
        for at in (0..SIDE / 32).flat_map(|x| (0..SIDE / 32).map(move |y| [x, y])) {
            let hash = hash([at[0], at[1], number]);
            if number == 0 || hash.is_multiple_of(10) {
                tiles.share_chunk(at, Arc::clone(&chunks[hash as usize / 10 % chunks.len()]));
            }
        }
        let content = LayerContent::Tiles(TileLayer::new("ground".into(), tiles));
        Arc::new(Layer::new(format!("l{number}").into(), content))
    };
    let layers = (0..8).map(layer).collect();
    Level { size: Some([SIDE.unsigned_abs(); 2]), regions: true, layers, ..Level::default() }
}

/// A folder of a project with it, made once and not to be changed.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<(PathBuf, tempfile::TempDir)> = OnceLock::new();
    let (root, _) = FOLDER.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("game");
        io::new_project(&root, io::Template::Platformer, "A new game").unwrap();
        let project = Project::from_iter([(doc(), Arc::new(Document::Level(level())))]);
        for (path, document) in Sources::new(&root).by_file(&project, &project).0.documents {
            let at = root.join(path.as_str());
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, text_of(&document, None)).unwrap();
        }
        (root, dir)
    });
    root
}
