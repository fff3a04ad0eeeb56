//! Connected components of open cells, kept up to date cell by cell.
//!
//! Invariant: two open cells have one label exactly when there is a path between them. A diagonal step needs an open
//! cell beside it, so groups are those of orthogonal steps whatever the rule for corners.

use std::collections::{HashMap, VecDeque};

/// A change that could need more work than this many cells is not followed; the labels are made anew when next needed.
const MAX_FLOOD: usize = 4096;

/// Labels of a map's cells.
#[derive(Clone, Debug)]
pub(super) struct Components {
    /// Of each cell; 0 for closed ones. Labels that were joined have one root.
    labels: Vec<u32>,
    parent: Vec<u32>,
}

impl Components {
    /// Label the cells of a map with a closed border; 0 is closed.
    ///
    /// Source: Hoshen, Kopelman, "Percolation and cluster distribution" (one pass over a raster, with union-find).
    pub(super) fn new(cells: &[u16], stride: usize) -> Self {
        let mut this = Self { labels: vec![0; cells.len()], parent: vec![0] };
        for (i, _) in cells.iter().enumerate().skip(stride).filter(|(_, terrain)| **terrain != 0) {
            let (left, up) = (this.labels[i - 1], this.labels[i - stride]);
            this.labels[i] = if left == 0 && up == 0 {
                this.fresh()
            } else if left == 0 || up == 0 || left == up {
                left.max(up)
            } else {
                this.join(left, up)
            };
        }
        // Parents are smaller than their children, so one pass upward flattens the trees.
        for i in 1..this.parent.len() {
            this.parent[i] = this.parent[index(this.parent[i])];
        }
        this
    }

    /// How much memory it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.labels) + size_of_val(&*self.parent)
    }

    /// Whether there is a path between two open cells.
    pub(super) fn is_connected(&self, a: usize, b: usize) -> bool {
        self.find(self.labels[a]) == self.find(self.labels[b])
    }

    /// Follow a cell that was opened.
    pub(super) fn open(&mut self, place: usize, stride: usize) {
        let mut label = self.fresh();
        for near in around(place, stride) {
            if self.labels[near] != 0 {
                label = self.join(label, self.labels[near]);
            }
        }
        self.labels[place] = label;
    }

    /// Follow a cell that was closed; `false` when that would take too long; then the labels are invalid.
    pub(super) fn close(&mut self, place: usize, stride: usize) -> bool {
        self.labels[place] = 0;
        let sides = around(place, stride).map(|side| self.labels[side] != 0);
        let corners = [place + 1 + stride, place + stride - 1, place - stride - 1, place - stride + 1];
        let corners = corners.map(|corner| self.labels[corner] != 0);
        // Sides that are connected around the corner need no search; corner i lies between side i and the next.
        let starts: Vec<usize> = around(place, stride)
            .into_iter()
            .enumerate()
            .filter(|(i, _)| sides[*i] && !(sides[(i + 3) % 4] && corners[(i + 3) % 4]))
            .map(|(_, side)| side)
            .collect();
        starts.len() < 2 || self.split(&starts, stride)
    }

    /// Walk outward from each place at once until all have met, or one runs out and is a group of its own.
    fn split(&mut self, starts: &[usize], stride: usize) -> bool {
        let mut floods: Vec<Flood> = Vec::new();
        let mut owner: HashMap<usize, usize> = HashMap::new();
        for (i, start) in starts.iter().enumerate() {
            floods.push(Flood { front: VecDeque::from([*start]), cells: vec![*start], met: i });
            owner.insert(*start, i);
        }
        let root = |floods: &[Flood], mut i: usize| {
            while floods[i].met != i {
                i = floods[i].met;
            }
            i
        };
        let mut n_left = floods.len();
        let mut turn = 0;
        while n_left > 1 {
            turn = (turn + 1) % floods.len();
            if floods[turn].met != turn {
                continue;
            }
            let Some(place) = floods[turn].front.pop_front() else {
                if !floods[turn].cells.is_empty() {
                    let label = self.fresh();
                    for cell in std::mem::take(&mut floods[turn].cells) {
                        self.labels[cell] = label;
                    }
                    n_left -= 1;
                }
                continue;
            };
            for near in around(place, stride) {
                if self.labels[near] == 0 {
                    continue;
                }
                match owner.get(&near).map(|other| root(&floods, *other)) {
                    Some(other) if other == turn => {}
                    Some(other) => {
                        let met = std::mem::take(&mut floods[other]);
                        floods[other].met = turn;
                        floods[turn].front.extend(met.front);
                        floods[turn].cells.extend(met.cells);
                        n_left -= 1;
                    }
                    None => {
                        owner.insert(near, turn);
                        floods[turn].front.push_back(near);
                        floods[turn].cells.push(near);
                    }
                }
            }
            if owner.len() > MAX_FLOOD {
                return false;
            }
        }
        true
    }

    fn fresh(&mut self) -> u32 {
        let label = u32::try_from(self.parent.len()).unwrap_or(0);
        self.parent.push(label);
        label
    }

    fn find(&self, mut label: u32) -> u32 {
        while self.parent[index(label)] != label {
            label = self.parent[index(label)];
        }
        label
    }

    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (a, b);
        for label in [&mut a, &mut b] {
            while self.parent[index(*label)] != *label {
                let up = self.parent[index(*label)];
                self.parent[index(*label)] = self.parent[index(up)];
                *label = up;
            }
        }
        let (low, high) = (a.min(b), a.max(b));
        self.parent[index(high)] = low;
        low
    }
}

#[derive(Default)]
struct Flood {
    front: VecDeque<usize>,
    cells: Vec<usize>,
    /// The flood this one has met; itself while it is on its own.
    met: usize,
}

/// The places beside one: east, south, west, north.
fn around(place: usize, stride: usize) -> [usize; 4] {
    [place + 1, place + stride, place - 1, place - stride]
}

fn index(label: u32) -> usize {
    usize::try_from(label).unwrap_or(0)
}
