//! The solid part of a tile: `None`, `Full` or `Polygon([…])`.

use super::{Cx, Decode, Encode};
use crate::{
    io::ron_text::{Form, Kind, Node},
    model::{TileShape, check_convex},
};

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
