//! The cameras of a level at its start, read from its placed entities without running it.

use glam::DVec2;

use super::{
    CameraConstants, CameraNow, CameraTarget,
    now::{Seat, Surroundings, cameras_of, target_of},
};
use crate::{
    defs::Resolution,
    model::{DocPath, Instance, LayerLook, Level, Name},
    sim::components::{CameraFields, camera_fields},
};

/// An entity that has a camera, or that a camera may follow.
struct Placed<'a> {
    id: &'a Name,
    it: &'a Instance,
    look: LayerLook,
    fields: Option<CameraFields>,
    is_target: bool,
}

impl Placed<'_> {
    fn at(&self) -> CameraTarget {
        CameraTarget::on_layer(Some(&self.look), self.it.at.into(), DVec2::ZERO)
    }
}

/// The cameras of a level at its start, in drawing order; if none is placed, the one defined by the constants.
#[must_use]
pub fn placed_cameras(
    resolution: &Resolution,
    (doc, level): (&DocPath, &Level),
    constants: &CameraConstants,
) -> Vec<CameraNow> {
    let mut found = Vec::new();
    for (number, (layer, look)) in level.looks().into_iter().enumerate() {
        for (id, it) in layer.entities().into_iter().flatten() {
            let def = resolution.defs.get(&it.def);
            let may_have = |component| def.is_some_and(|def| def.has(component)) || it.ops.set.contains_key(component);
            if !(may_have("Camera") || may_have("CameraTarget")) {
                continue;
            }
            let (resolved, _) = resolution.instance(doc, &level.layer_at(number), id, it);
            let (fields, is_target) = (camera_fields(resolution, &resolved), resolved.has("CameraTarget"));
            if fields.is_some() || is_target {
                found.push(Placed { id, it, look, fields, is_target });
            }
        }
    }
    // In the same order as in a world.
    found.sort_by(|a, b| a.id.cmp(b.id));
    let first = || found.iter().find(|it| it.is_target).map(Placed::at);
    let by_id = |id: &str| {
        let (number, it) = level.entity(id)?;
        let look = level.looks().into_iter().nth(number).map(|(_, look)| look);
        Some(CameraTarget::on_layer(look.as_ref(), it.at.into(), DVec2::ZERO))
    };
    let seats = found.iter().filter_map(|it| {
        let fields = it.fields.as_ref()?;
        Some(Seat {
            id: it.id,
            fields,
            placed: (it.it.at, it.it.rotation),
            look: Some(it.look),
            at: it.at(),
            target: target_of(&fields.target, it.is_target.then(|| it.at()), by_id, first),
            shaken_at: None,
        })
    });
    let bounds = level.size.is_some().then(|| level.bounds_px());
    cameras_of(seats, &Surroundings { constants, bounds, first: first() })
}
