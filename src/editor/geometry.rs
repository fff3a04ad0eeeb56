//! The solid cells and waypoint links of the level shown.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    model::{DocPath, Document, Link, Name},
    sim::grid::SolidGrid,
};

/// What of a level is solid and which waypoints are linked, automatic links too.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// The level.
    pub level: DocPath,
    /// The solid cells.
    pub grid: Arc<SolidGrid>,
    /// Links by waypoint layer.
    pub links: BTreeMap<Name, Vec<Link>>,
    /// The documents it was made from, for their identity.
    pub made_from: Vec<Arc<Document>>,
}
