//! Which placed entities of a layer are in sight, by what is drawn of them.

use std::{cell::RefCell, sync::Arc};

use super::{camera::OnScreen as _, looks::Look, paint::Viewport};
use crate::{
    defs::Resolution,
    editor::LayerSeen,
    explain::{CanvasField, Drawn},
    model::{DocPath, Instance, Level, Name, Nearby, PxBox},
    raster::outlines,
    tools::turned,
    ui::Cx,
};

/// What is drawn beside an entity, as its name, in points.
const BESIDE: f32 = 24.0;

/// The entities of a layer that are in sight, wholly or in part, back to front; `viewport` is that of the layer.
pub fn entities_in_sight<'a>(
    cx: &Cx<'_>,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    on: &LayerSeen<'a>,
) -> impl DoubleEndedIterator<Item = (&'a Name, &'a Arc<Instance>)> + use<'a> {
    let visible = viewport.camera.visible(viewport.view).expand(BESIDE / viewport.camera.scale);
    let box_of = |id: &Name, it: &Arc<Instance>| {
        let of_def = cx.resolution.defs.get(&it.def).filter(|_| it.ops.is_empty());
        let look = match of_def {
            Some(def) => cx.looks.of_def(cx.resolution, def),
            None => cx.looks.get(cx.resolution, (doc, level), on.number, id, it),
        };
        box_of(it, &look)
    };
    let is_current = |(of, _): &(Arc<Resolution>, RefCell<Nearby>)| Arc::ptr_eq(of, cx.resolution);
    let new = |_: Option<&_>| (Arc::clone(cx.resolution), RefCell::new(Nearby::new(on.layer, box_of)));
    let known = cx.derived.memos().get_current(("entities in sight", doc.as_str(), on.number), is_current, new);
    known.1.borrow_mut().update(on.layer, box_of);
    let [lo, hi] = [visible.min, visible.max].map(|at| [f64::from(at.x), f64::from(at.y)]);
    let found = known.1.borrow().within([lo, hi]);
    let layer: &'a Arc<_> = on.layer;
    found.into_iter().filter_map(move |at| layer.entities()?.get_index(at))
}

/// The box around what is drawn of an entity: its picture, its outline and its fields.
fn box_of(it: &Instance, look: &Look) -> PxBox {
    let ([w, h], [x, y]) = (look.half, look.center);
    let mut points: Vec<[f64; 2]> = vec![[x - w, y - h], [x + w, y - h], [x - w, y + h], [x + w, y + h]];
    points.extend(&look.outline);
    for CanvasField { drawn, offset, .. } in &look.fields {
        match drawn {
            Drawn::Shape(shape) => points.extend(outlines(shape, *offset)),
            Drawn::Points { points: all, .. } => {
                points.extend(all.iter().map(|[x, y]| [x + offset[0], y + offset[1]]));
            }
            Drawn::Text(_) => points.push(*offset),
        }
    }
    points.into_iter().map(|point| turned(point, it.rotation)).fold([it.at; 2], |[lo, hi], by| {
        let at = [it.at[0] + by[0], it.at[1] + by[1]];
        [[lo[0].min(at[0]), lo[1].min(at[1])], [hi[0].max(at[0]), hi[1].max(at[1])]]
    })
}
