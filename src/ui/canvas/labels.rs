//! Labels over a running level, none over another: each is put as near to what it is about as there is room, or left
//! out.
//!
//! Invariant: no label that was put here overlaps another one, or what was kept free. Those asked for first have the
//! better places.

use egui::{CornerRadius, FontId, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};

use crate::ui::{Theme, theme::SMALL};

/// Between labels, in points.
const GAP: f32 = 1.0;
/// How often a label is moved up by its height before it is tried elsewhere.
const UP: [f32; 4] = [0.0, 1.0, 2.0, 3.0];
/// More labels than these are left out: so many cannot be read.
const MOST: usize = 160;

/// Things with the same text share a label if they are no farther apart than this, in points.
const SHARED: f32 = 96.0;

/// A label for several things near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared<'a> {
    /// Position of the highest of them, in points.
    pub at: Pos2,
    /// Its text.
    pub text: &'a str,
    /// The number of things.
    pub n: usize,
}

impl<'a> Shared<'a> {
    /// The labels for these things, each given by its position and text.
    #[must_use]
    pub fn of(things: impl Iterator<Item = (Pos2, &'a str)>) -> Vec<Self> {
        let mut found: Vec<(Pos2, Self)> = Vec::new();
        for (at, text) in things {
            let near = |(first, it): &&mut (Pos2, Self)| it.text == text && first.distance(at) <= SHARED;
            if let Some((_, it)) = found.iter_mut().find(near) {
                it.n += 1;
                it.at = if at.y < it.at.y { at } else { it.at };
            } else if found.len() < MOST {
                found.push((at, Self { at, text, n: 1 }));
            }
        }
        found.into_iter().map(|(_, it)| it).collect()
    }
}

/// The places that are taken.
#[derive(Debug)]
pub struct Labels {
    view: Rect,
    taken: Vec<Rect>,
}

impl Labels {
    /// None yet, on a canvas.
    #[must_use]
    pub fn new(view: Rect) -> Self {
        Self { view, taken: Vec::new() }
    }

    /// Put nothing here.
    pub fn keep_free(&mut self, rect: Rect) {
        self.taken.push(rect);
    }

    /// Find a place for something whose bottom center belongs at a point: there, else above, else at the sides, else
    /// below. It is taken from then on.
    pub fn place(&mut self, bottom: Pos2, size: Vec2) -> Option<Rect> {
        if self.taken.len() >= MOST || !self.view.expand(64.0).contains(bottom) {
            return None;
        }
        let at = |x: f32, y: f32| Rect::from_min_size(pos2(bottom.x - size.x / 2.0 + x, bottom.y - size.y + y), size);
        let above = UP.into_iter().map(|n| at(0.0, -n * (size.y + GAP)));
        let side = size.x / 2.0 + 10.0;
        let beside = [at(side, size.y / 2.0), at(-side, size.y / 2.0), at(0.0, size.y + 12.0)];
        let is_free = |rect: &Rect| {
            rect.is_finite()
                && self.view.contains_rect(*rect)
                && self.taken.iter().all(|other| !other.intersects(rect.expand(GAP / 2.0)))
        };
        let rect = above.chain(beside).find(is_free)?;
        self.taken.push(rect);
        Some(rect)
    }

    /// A line of text on a ground of its own, its bottom center at a point or near it; nothing where there is no room.
    pub fn label_ui(
        &mut self,
        theme: &Theme,
        painter: &Painter,
        bottom: Pos2,
        text: &str,
        color: egui::Color32,
    ) -> Option<Rect> {
        if self.taken.len() >= MOST || !self.view.expand(64.0).contains(bottom) {
            return None;
        }
        let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(SMALL), color);
        let rect = self.place(bottom, galley.size() + vec2(8.0, 2.0))?;
        // One that had to go elsewhere is tied to what it is about.
        let moved = rect.center_bottom() - bottom;
        if moved.length() > size_of(rect) {
            painter.line_segment([rect.center(), bottom], Stroke::new(1.0, theme.text_weak));
        }
        painter.rect_filled(rect, CornerRadius::same(3), theme.panel.gamma_multiply(0.88));
        painter.galley(rect.min + vec2(4.0, 1.0), galley, color);
        Some(rect)
    }
}

fn size_of(rect: Rect) -> f32 {
    rect.height() * 1.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_overlap_and_are_left_out_where_there_is_no_room() {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 200.0));
        let mut labels = Labels::new(view);
        let banner = Rect::from_min_size(pos2(150.0, 0.0), vec2(100.0, 20.0));
        labels.keep_free(banner);
        let mut placed: Vec<Rect> = vec![banner];
        for i in 0..120_u8 {
            let at = pos2(f32::from(i % 12) * 33.0, 60.0 + f32::from(i / 12) * 9.0);
            placed.extend(labels.place(at, vec2(48.0, 15.0)));
        }
        assert!(placed.len() > 20 && placed.len() < 120, "{}", placed.len());
        for (i, a) in placed.iter().enumerate() {
            assert!(view.contains_rect(*a), "{a:?}");
            assert!(placed[i + 1..].iter().all(|b| !a.intersects(*b)), "{a:?}");
        }
        let mut alone = Labels::new(view);
        let rect = alone.place(pos2(200.0, 100.0), vec2(40.0, 16.0)).unwrap();
        assert_eq!(rect.center_bottom(), pos2(200.0, 100.0), "where it belongs when nothing is there");
        assert_eq!(alone.place(pos2(900.0, 100.0), vec2(40.0, 16.0)), None, "not for what is out of sight");
    }
}
