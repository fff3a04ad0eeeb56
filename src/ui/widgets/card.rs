//! A card over a canvas, in one of its corners.

use egui::{CornerRadius, Frame, Id, Margin, Pos2, Rect, Sense, Stroke, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::ui::Theme;

/// Between the card and the edges of the canvas, in points.
const MARGIN: f32 = 8.0;

/// Where a card is.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Itself, by which its size is kept from frame to frame.
    pub id: Id,
    /// How wide it is where there is room, in points.
    pub width: f32,
    /// At the right rather than at the left.
    pub is_right: bool,
    /// At the bottom rather than at the top.
    pub is_low: bool,
}

impl Card {
    /// Where it is on a canvas, as large as it was in the last frame.
    #[must_use]
    pub fn rect(&self, ui: &Ui, canvas: Rect) -> Rect {
        let size = ui.data(|data| data.get_temp::<Vec2>(self.id)).unwrap_or_else(|| vec2(self.width, 60.0));
        let free = canvas.shrink(MARGIN);
        let x = if self.is_right { (free.right() - size.x).max(free.left()) } else { free.left() };
        let y = if self.is_low { (free.bottom() - size.y).max(free.top()) } else { free.top() };
        Rect::from_min_size(pos2(x, y), size)
    }

    /// In the corner where it covers the fewest of these points, in points of the window: here if that is as good as
    /// elsewhere, then at the other side, if it may be there, then in the other corners.
    #[must_use]
    pub fn off(self, ui: &Ui, canvas: Rect, points: &[Pos2], may_change_side: bool) -> Self {
        let is_right = !self.is_right;
        let beside = may_change_side.then_some(Self { is_right, ..self });
        let corners = [Some(self), beside].into_iter().flatten();
        let corners = corners.clone().chain(corners.map(|card| Self { is_low: !card.is_low, ..card }));
        let n_covered = |card: &Self| {
            let rect = card.rect(ui, canvas);
            points.iter().filter(|at| rect.contains(**at)).count()
        };
        corners.min_by_key(n_covered).unwrap_or(self)
    }

    /// Show it. The canvas is not pointed at through it.
    pub fn show(&self, theme: &Theme, ui: &mut Ui, canvas: Rect, content: impl FnOnce(&mut Ui)) {
        let card = self.rect(ui, canvas);
        let ground = card.intersect(canvas);
        if ground.is_positive() {
            ui.interact(ground, self.id.with("ground"), Sense::CLICK | Sense::DRAG);
        }
        let room = Rect::from_min_max(card.min, canvas.max - Vec2::splat(MARGIN));
        let mut child = ui.new_child(UiBuilder::new().id_salt(self.id).max_rect(room));
        child.set_clip_rect(canvas);
        let frame = Frame::new()
            .fill(theme.panel.gamma_multiply(0.96))
            .stroke(Stroke::new(1.0, theme.line))
            .corner_radius(CornerRadius::same(6))
            .inner_margin(Margin::symmetric(8, 6));
        let shown = frame.show(&mut child, |ui| {
            ui.set_width(self.width.min((room.width() - 16.0).max(80.0)));
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            content(ui);
        });
        ui.data_mut(|data| data.insert_temp(self.id, shown.response.rect.size()));
    }
}
