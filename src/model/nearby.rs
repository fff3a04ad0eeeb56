//! Where the placed entities of a layer are, so that those in a rectangle are found without looking at all.
//!
//! Invariant: what is kept is of one version of the layer; brought up to the next, only the entities that changed are
//! placed anew.

use std::{collections::HashMap, sync::Arc};

use super::{Instance, Layer, Name};

/// An upright box in pixels: left top and right bottom.
pub type PxBox = [[f64; 2]; 2];

/// Pixels along one side of a square, in which what touches it is listed.
const SIDE: f64 = 512.0;

/// What touches more squares than these is in a list of its own.
const MOST: i64 = 64;

/// The column and row of a square.
type Square = [i64; 2];

/// The entities of a layer by place.
#[derive(Debug)]
pub struct Nearby {
    layer: Arc<Layer>,
    boxes: Vec<PxBox>,
    squares: HashMap<Square, Vec<usize>>,
    large: Vec<usize>,
}

impl Nearby {
    /// Of a layer, with the box that each of its entities takes.
    #[must_use]
    pub fn new(layer: &Arc<Layer>, box_of: impl Fn(&Name, &Arc<Instance>) -> PxBox) -> Self {
        let boxes: Vec<PxBox> =
            layer.entities().into_iter().flatten().map(|(id, instance)| box_of(id, instance)).collect();
        let mut new = Self { layer: Arc::clone(layer), boxes, squares: HashMap::new(), large: Vec::new() };
        (0..new.boxes.len()).for_each(|at| new.list(at));
        new
    }

    /// Bring it up to another version of the layer. Boxes of entities that are the very same are taken to be, too.
    pub fn update(&mut self, layer: &Arc<Layer>, box_of: impl Fn(&Name, &Arc<Instance>) -> PxBox) {
        if Arc::ptr_eq(&self.layer, layer) {
            return;
        }
        let was = std::mem::replace(&mut self.layer, Arc::clone(layer));
        let (Some(was), Some(now)) = (was.entities(), layer.entities()) else { return };
        if was.len() != now.len() {
            *self = Self::new(layer, box_of);
            return;
        }
        for (at, (was, (id, now))) in was.values().zip(now).enumerate() {
            if !Arc::ptr_eq(was, now) {
                self.unlist(at);
                if let Some(out) = self.boxes.get_mut(at) {
                    *out = box_of(id, now);
                }
                self.list(at);
            }
        }
    }

    /// The entities whose boxes touch another one, in the layer's order.
    #[must_use]
    pub fn within(&self, area: PxBox) -> Vec<usize> {
        let touches = |at: &usize| {
            let of = self.boxes.get(*at);
            of.is_some_and(|of| (0..2).all(|i| of[1][i] >= area[0][i] && of[0][i] <= area[1][i]))
        };
        let n_all = i64::try_from(self.squares.len()).unwrap_or(i64::MAX);
        let Some(squares) = squares_of(area, n_all) else {
            return (0..self.boxes.len()).filter(touches).collect();
        };
        let listed = squares.filter_map(|square| self.squares.get(&square)).flatten().chain(&self.large);
        let mut found: Vec<usize> = listed.copied().filter(touches).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn list(&mut self, at: usize) {
        match self.boxes.get(at).and_then(|of| squares_of(*of, MOST)) {
            Some(squares) => squares.for_each(|square| self.squares.entry(square).or_default().push(at)),
            None => self.large.push(at),
        }
    }

    fn unlist(&mut self, at: usize) {
        match self.boxes.get(at).and_then(|of| squares_of(*of, MOST)) {
            Some(squares) => squares.for_each(|square| {
                if let Some(listed) = self.squares.get_mut(&square) {
                    listed.retain(|it| *it != at);
                }
            }),
            None => self.large.retain(|it| *it != at),
        }
    }
}

/// The squares that a box touches; `None` where these are more than `most`.
#[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and what is as far out touches too many squares")]
fn squares_of([lo, hi]: PxBox, most: i64) -> Option<impl Iterator<Item = Square>> {
    let [lo, hi] = [lo, hi].map(|at| at.map(|at| (at / SIDE).floor() as i64));
    let n = [0, 1].map(|i: usize| hi[i].saturating_sub(lo[i]).saturating_add(1).max(0));
    (n[0].saturating_mul(n[1]) <= most).then(|| (lo[0]..=hi[0]).flat_map(move |x| (lo[1]..=hi[1]).map(move |y| [x, y])))
}
