//! Waypoint graphs as people place them: nodes, hand-made links and hand-broken ones. Automatic links are computed from
//! the level in `sim::nav` and are never stored; an `Auto` link found in a file is read and kept as it is.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    FieldType, Name,
    reflect::{Reflect as _, describe},
};

describe! {
    /// A waypoint layer's content.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct WaypointGraph: "a waypoint layer" {
        /// Whether nodes that can see each other link by themselves.
        pub auto_link: bool = true,
        /// How wide the straight way between two nodes must be on each side, in pixels, to link by itself.
        pub radius: f64 = 4.0 => at_least(0.0) step(0.5) unit("px"),
        /// Longest automatic link, in pixels; `None` for no limit.
        pub max_length: Option<f64> = None => unit("px"),
        /// Nodes by id, in written order, which is the order routes visit them in.
        pub nodes: IndexMap<Name, Node> = IndexMap::new(),
        /// Links that the file states.
        pub links: Vec<Link> = Vec::new(),
    }
}

impl Default for WaypointGraph {
    fn default() -> Self {
        Self::blank()
    }
}

impl WaypointGraph {
    /// How long automatic links of a new layer are at most, in pixels: 16 tiles of the usual size. Without a limit
    /// every node links to every node it can see.
    pub const NEW_MAX_LENGTH: f64 = 256.0;
}

describe! {
    /// A waypoint.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Node: "a waypoint" => own_line() {
        /// In pixels.
        pub at: [f64; 2] => unit("px"),
        /// Tags to choose it by.
        pub tags: Vec<String> = Vec::new() => names(&FieldType::Tag),
    }
}

impl Node {
    /// Whether a tag means it; an empty one means every node.
    #[must_use]
    pub fn is_meant(&self, tag: &str) -> bool {
        tag.is_empty() || self.tags.iter().any(|it| it == tag)
    }
}

describe! {
    /// The origin of a link.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum LinkBy: words "maker of links" {
        /// Made by hand; stays even where a wall stands between.
        #[default]
        Hand,
        /// Made by the editor, because the straight line is clear.
        Auto,
        /// Removed by hand: these two are not linked automatically.
        Broken,
    }
}

describe! {
    /// A link between two nodes.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Link: "a link" => own_line() {
        /// Node id.
        pub from: Name => id(),
        /// Node id.
        pub to: Name => id(),
        /// In pixels; the straight distance when left out.
        pub cost: Option<f64> = None => at_least(0.0) unit("px"),
        /// Only from `from` to `to`.
        pub one_way: bool = false,
        /// Its origin.
        pub by: LinkBy = LinkBy::Hand,
    }
}

impl Link {
    /// A link both ways that costs its length; as `Broken`, none between the two.
    #[must_use]
    pub fn new(from: &Name, to: &Name, by: LinkBy) -> Self {
        Self { from: from.clone(), to: to.clone(), cost: None, one_way: false, by }
    }

    /// Whether this link is about these two nodes, in either order.
    #[must_use]
    pub fn joins(&self, a: &str, b: &str) -> bool {
        (&*self.from == a && &*self.to == b) || (&*self.from == b && &*self.to == a)
    }
}
