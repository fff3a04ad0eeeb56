//! `tilesets/*.ron`

use indexmap::IndexMap;

use super::{
    Cx, Decode, Encode,
    record::{record, words},
};
use crate::{
    io::ron_text::{Form, Kind, Node},
    model::{TerrainMode, TerrainSet, TileDef, TileFrame, TileShape, Tileset, check_convex},
};

record! {
    "a tileset" Tileset {
        "image" image,
        "tile_size" tile_size,
        "margin" margin = 0,
        "spacing" spacing = 0,
        "tiles" tiles = IndexMap::new(),
        "terrains" terrains = Vec::new(),
    }
}

record! {
    "a tile" TileDef per line {
        "at" at,
        "name" name = String::new(),
        "shape" shape = TileShape::None,
        "cost" cost = IndexMap::new(),
        "tags" tags = Vec::new(),
        "one_way" one_way = false,
        "friction" friction = None,
        "frames" frames = Vec::new(),
        "weight" weight = 1.0,
    }
}

record! {
    "a frame" TileFrame {
        "tile" tile,
        "secs" secs,
    }
}

record! {
    "a terrain" TerrainSet per line key |terrain| (terrain.name.as_str().into()) {
        "name" name,
        "mode" mode = TerrainMode::Edges,
        "tiles" tiles = IndexMap::new(),
    }
}

words! { "terrain mode" TerrainMode { Corners, Edges, Mixed } }

impl<'t> Decode<'t> for TileShape {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let points = match &node.kind {
            Kind::Symbol("None") => return Some(Self::None),
            Kind::Symbol("Full") => return Some(Self::Full),
            Kind::Symbol(word) => {
                return cx.unknown_word("tile shape", word, node.range(), &["None", "Full", "Polygon"]);
            }
            Kind::Tagged("Polygon", content) => match &content.kind {
                Kind::Tuple(items) if items.len() == 1 => items.first(),
                _ => None,
            },
            Kind::Tagged(word, _) => {
                return cx.unknown_word("tile shape", word, node.range(), &["None", "Full", "Polygon"]);
            }
            _ => return cx.expected("a shape: `None`, `Full` or `Polygon([(x, y), …])`", node),
        };
        let Some(points) = points else { return cx.expected("`Polygon([(x, y), …])`", node) };
        let corners: Vec<[f64; 2]> = Decode::decode(points, cx)?;
        if let Err(why) = check_convex(&corners) {
            cx.error("wrong-shape", node.range(), why);
            return None;
        }
        Some(Self::Polygon(corners))
    }
}

impl Encode for TileShape {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        match self {
            Self::None => Form::Word("None"),
            Self::Full => Form::Word("Full"),
            Self::Polygon(corners) => Form::Tagged("Polygon", Box::new(Form::Tuple(vec![corners.form(None)]))),
        }
    }
}
