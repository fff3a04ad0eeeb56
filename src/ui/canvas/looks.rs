//! How placed entities look in the level while it stands still, computed once for each as long as neither it nor its
//! definition changes.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
    sync::Arc,
};

use crate::{
    defs::{Resolution, Resolved},
    explain::{CanvasField, canvas_fields},
    model::{DocPath, Instance, Level, Name, Schema},
    raster::outlines,
    sim::{
        Appearance, EntityView,
        components::parts_of,
        physics::{PartSpec, convex::Aabb},
    },
};

/// How an entity looks.
#[derive(Clone, Debug)]
pub struct Look {
    /// Its picture, if it has one.
    pub sprite: Option<Appearance>,
    /// The outlines of its collider's parts around its origin, in pixels, unrotated.
    pub outlines: Vec<Vec<[f64; 2]>>,
    /// Half the width and height of what can be clicked, in pixels.
    pub half: [f64; 2],
    /// Center of what can be clicked, from the origin, in pixels.
    pub center: [f64; 2],
    /// Order within the layer.
    pub z: i64,
    /// Its fields that the canvas shows; none of a running entity.
    pub fields: Vec<CanvasField>,
    /// The entity with inheritance applied, if its definition can be resolved.
    pub resolved: Option<Arc<Resolved>>,
}

struct Known {
    instance: Arc<Instance>,
    def: Option<Arc<Resolved>>,
    schema: Arc<Schema>,
    look: Rc<Look>,
    used: u64,
}

/// How a running entity looks now.
#[must_use]
pub fn of_running(entity: &EntityView<'_>) -> Look {
    Look::new(entity.sprite.clone(), entity.parts, Some(entity.resolved.clone()))
}

/// How a definition or placed entity looks in the level while it stands still; without it, as one that cannot be
/// resolved.
#[must_use]
pub fn of_resolved(resolution: &Resolution, resolved: Option<Arc<Resolved>>) -> Look {
    let sprite = resolved.as_deref().and_then(|resolved| Appearance::of(resolution, resolved, 0.0));
    let parts = resolved.as_deref().map(|resolved| parts_of(resolution, resolved)).unwrap_or_default();
    let fields = resolved.as_deref().map(|resolved| canvas_fields(resolution, resolved)).unwrap_or_default();
    Look { fields, ..Look::new(sprite, &parts, resolved) }
}

/// Frames after which what was not looked at is forgotten.
const KEPT_FRAMES: u64 = 240;

/// The cache, by level and id.
#[derive(Default)]
pub struct Looks {
    known: RefCell<HashMap<(DocPath, Name), Known>>,
    /// Of definitions by name.
    defs: RefCell<HashMap<Name, Rc<Look>>>,
    frame: Cell<u64>,
}

impl Looks {
    /// Another frame begins; from time to time, entries that were not used for some frames are dropped, and those of
    /// all definitions.
    pub fn begin_frame(&self) {
        let now = self.frame.get() + 1;
        self.frame.set(now);
        if now.is_multiple_of(KEPT_FRAMES) {
            self.known.borrow_mut().retain(|_, known| now - known.used <= KEPT_FRAMES);
            self.defs.borrow_mut().clear();
        }
    }

    /// How a placed entity looks.
    pub fn get(
        &self,
        resolution: &Resolution,
        (doc, level): (&DocPath, &Level),
        layer: usize,
        id: &Name,
        instance: &Arc<Instance>,
    ) -> Rc<Look> {
        let def = resolution.defs.get(&instance.def);
        let mut all = self.known.borrow_mut();
        let key = (doc.clone(), id.clone());
        if let Some(known) = all.get_mut(&key)
            && Arc::ptr_eq(&known.instance, instance)
            && Arc::ptr_eq(&known.schema, &resolution.schema)
            && same(known.def.as_ref(), def)
        {
            known.used = self.frame.get();
            return known.look.clone();
        }
        let resolved = def.map(|def| {
            if instance.ops.is_empty() {
                def.clone()
            } else {
                Arc::new(resolution.instance(doc, &level.layer_at(layer), id, instance).0)
            }
        });
        let look = Rc::new(of_resolved(resolution, resolved));
        let (instance, schema, used) = (instance.clone(), resolution.schema.clone(), self.frame.get());
        all.insert(key, Known { instance, def: def.cloned(), schema, look: look.clone(), used });
        look
    }

    /// How a definition would look when placed.
    pub fn of_def(&self, resolution: &Resolution, def: &Arc<Resolved>) -> Rc<Look> {
        let mut all = self.defs.borrow_mut();
        let known = all.get(&def.name).filter(|look| same(look.resolved.as_ref(), Some(def)));
        let look = known.cloned().unwrap_or_else(|| Rc::new(of_resolved(resolution, Some(def.clone()))));
        all.insert(def.name.clone(), look.clone());
        look
    }
}

fn same(a: Option<&Arc<Resolved>>, b: Option<&Arc<Resolved>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl Look {
    fn new(sprite: Option<Appearance>, parts: &[PartSpec], resolved: Option<Arc<Resolved>>) -> Self {
        let outlines = parts.iter().map(|part| outlines(&part.shape, part.offset)).collect();
        let around = parts.iter().map(|part| part.convex.aabb()).reduce(Aabb::union);
        let (half, center) = match (&sprite, around) {
            (Some(sprite), _) => {
                let [w, h] = sprite.frame_size.map(f64::from);
                ([w / 2.0, h / 2.0], [w / 2.0 - sprite.pivot[0], h / 2.0 - sprite.pivot[1]])
            }
            (None, Some(around)) => {
                let (half, center) = ((around.hi - around.lo) / 2.0, (around.lo + around.hi) / 2.0);
                (half.as_dvec2().to_array(), center.as_dvec2().to_array())
            }
            (None, None) => ([8.0, 8.0], [0.0, 0.0]),
        };
        Self {
            z: sprite.as_ref().map_or(0, |sprite| sprite.z),
            sprite,
            outlines,
            half,
            center,
            fields: Vec::new(),
            resolved,
        }
    }
}
