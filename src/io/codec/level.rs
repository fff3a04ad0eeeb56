//! `levels/*.ron`

use std::sync::Arc;

use indexmap::IndexMap;

use super::{
    Cx, Decode,
    cx::Record,
    record::{self, record, words},
};
use crate::{
    io::ron_text::{Kind, Node},
    model::{Layer, LayerContent, Level, Link, LinkBy, Name, TileLayer, WaypointGraph},
};

record! {
    "a level" Level {
        "size" size = None,
        "tile_size" tile_size,
        "view" view = None,
        "corner_cutting" corner_cutting = false,
        "layers" layers = Vec::new(),
    }
}

/// What every layer has, whatever it holds.
struct Frame {
    name: Name,
    visible: bool,
    locked: bool,
    opacity: f64,
    parallax: [f64; 2],
    offset: [f64; 2],
}

record! {
    "a layer" Frame {
        "name" name,
        "visible" visible = true,
        "locked" locked = false,
        "opacity" opacity = 1.0,
        "parallax" parallax = [1.0, 1.0],
        "offset" offset = [0.0, 0.0],
    }
}

record! {
    "a tile layer" TileLayer {
        "tileset" tileset,
        "collide" collide = true,
        "chunks" tiles = Default::default(),
    }
}

record! {
    "a waypoint layer" WaypointGraph {
        "auto_link" auto_link = true,
        "radius" radius = 4.0,
        "max_length" max_length = None,
        "nodes" nodes = IndexMap::new(),
        "links" links = Vec::new(),
    }
}

type Waypoint = crate::model::Node;

record! {
    "a waypoint" Waypoint {
        "at" at,
        "tags" tags = Vec::new(),
    }
}

record! {
    "a link" Link {
        "from" from,
        "to" to,
        "cost" cost = None,
        "one_way" one_way = false,
        "by" by = LinkBy::Hand,
    }
}

words! { "maker of links" LinkBy { Hand, Auto, Broken } }

const LAYERS: [&str; 3] = ["Tiles", "Entities", "Waypoints"];

impl<'t> Decode<'t> for Layer {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let Kind::Tagged(tag, inside) = &node.kind else {
            return cx.expected("a layer: `Tiles(…)`, `Entities(…)` or `Waypoints(…)`", node);
        };
        let what = match *tag {
            "Tiles" => <TileLayer as record::Fields>::WHAT,
            "Entities" => "an entity layer",
            "Waypoints" => <WaypointGraph as record::Fields>::WHAT,
            other => {
                let range = (node.start as usize, node.start as usize + other.len());
                return cx.unknown_word("kind of layer", other, range, &LAYERS);
            }
        };
        let mut record = Record::new(inside, what, cx)?;
        let frame = <Frame as record::Fields>::take(&mut record, cx);
        let content = match *tag {
            "Tiles" => record::Fields::take(&mut record, cx).map(LayerContent::Tiles),
            "Entities" => {
                let entities: IndexMap<Name, Arc<_>> = record.or("entities", cx, IndexMap::new);
                Some(LayerContent::Entities(entities))
            }
            _ => record::Fields::take(&mut record, cx).map(LayerContent::Waypoints),
        };
        let keys = |out: &mut Vec<&'static str>| {
            <Frame as record::Fields>::keys(out);
            match *tag {
                "Tiles" => <TileLayer as record::Fields>::keys(out),
                "Entities" => out.push("entities"),
                _ => <WaypointGraph as record::Fields>::keys(out),
            }
        };
        record.finish(keys, cx);
        let (frame, content) = (frame?, content?);
        Some(Self {
            name: frame.name,
            visible: frame.visible,
            locked: frame.locked,
            opacity: frame.opacity,
            parallax: frame.parallax,
            offset: frame.offset,
            content,
        })
    }
}
