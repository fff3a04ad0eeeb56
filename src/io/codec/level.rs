//! `levels/*.ron`

use std::sync::Arc;

use indexmap::IndexMap;

use super::{
    Cx, Decode, Encode,
    cx::Record,
    describe::{Describe, Describer, Property},
    record::{self, record, words},
};
use crate::{
    io::ron_text::{Form, Kind, Node, Slot},
    model::{Instance, Layer, LayerContent, Level, Link, LinkBy, Name, TileLayer, WaypointGraph},
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
#[derive(Clone)]
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
        "chunks" tiles = crate::model::Tiles::default(),
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
    "a waypoint" Waypoint per line {
        "at" at,
        "tags" tags = Vec::new(),
    }
}

record! {
    "a link" Link per line key |link| (format!("{} → {}", link.from, link.to).into()) {
        "from" from,
        "to" to,
        "cost" cost = None,
        "one_way" one_way = false,
        "by" by = LinkBy::Hand,
    }
}

words! { "maker of links" LinkBy { Hand, Auto, Broken } }

const LAYERS: [&str; 3] = ["Tiles", "Entities", "Waypoints"];

/// The fields of each kind of layer.
pub(super) fn layer_fields(out: &mut Describer<'_>) -> [(&'static str, Vec<Property>); 3] {
    LAYERS.map(|tag| {
        let mut all = Vec::new();
        <Frame as record::Fields>::describe_fields(out, &mut all);
        match tag {
            "Tiles" => <TileLayer as record::Fields>::describe_fields(out, &mut all),
            "Entities" => all.push(("entities", <IndexMap<Name, Arc<Instance>>>::describe(out), false)),
            _ => <WaypointGraph as record::Fields>::describe_fields(out, &mut all),
        }
        (tag, all)
    })
}

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

impl Encode for Layer {
    const OWN_LINE: bool = true;
    const ID: Option<&'static str> = Some("name");

    fn id(&self) -> Option<(&str, &str)> {
        Some((self.tag(), &self.name))
    }

    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        let mut slots = Vec::new();
        slots.push(Slot::new("name", Form::str(&self.name)));
        let mut rest = Vec::new();
        match (&self.content, base.map(|base| &base.content)) {
            (LayerContent::Tiles(new), Some(LayerContent::Tiles(old))) => {
                record::Fields::put(new, Some(old), &mut rest);
            }
            (LayerContent::Tiles(new), _) => record::Fields::put(new, None, &mut rest),
            (LayerContent::Entities(new), old) => {
                let old = if let Some(LayerContent::Entities(old)) = old { Some(old) } else { None };
                rest.push(Slot { name: "entities", form: new.form(old), is_default: new.is_empty() });
            }
            (LayerContent::Waypoints(new), _) => record::Fields::put(new, None, &mut rest),
        }
        // A tile layer says its tileset beside its name.
        let n_before = usize::from(matches!(self.content, LayerContent::Tiles(_)));
        let after = rest.split_off(n_before.min(rest.len()));
        slots.extend(rest);
        put_frame(self, &mut slots);
        slots.extend(after);
        Form::Tagged(self.tag(), Box::new(Form::Record(slots)))
    }
}

fn put_frame<'m>(layer: &'m Layer, slots: &mut Vec<Slot<'m>>) {
    let mut optional = |name, form, is_default| slots.push(Slot { name, form, is_default });
    optional("visible", Form::Bool(layer.visible), layer.visible);
    optional("locked", Form::Bool(layer.locked), !layer.locked);
    optional("opacity", layer.opacity.form(None), layer.opacity == 1.0);
    optional("parallax", layer.parallax.form(None), layer.parallax == [1.0, 1.0]);
    optional("offset", layer.offset.form(None), layer.offset == [0.0, 0.0]);
}
