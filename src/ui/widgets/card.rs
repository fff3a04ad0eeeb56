//! A card over a canvas, in one of its upper corners.

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
    /// In the right upper corner rather than the left one.
    pub is_right: bool,
}

impl Card {
    /// Where it is on a canvas, as large as it was in the last frame.
    #[must_use]
    pub fn rect(&self, ui: &Ui, canvas: Rect) -> Rect {
        let size = ui.data(|data| data.get_temp::<Vec2>(self.id)).unwrap_or_else(|| vec2(self.width, 60.0));
        let left = canvas.left() + MARGIN;
        let x = if self.is_right { (canvas.right() - MARGIN - size.x).max(left) } else { left };
        Rect::from_min_size(pos2(x, canvas.top() + MARGIN), size)
    }

    /// At this side, or at the other one where that leaves points free, in points of the window, that it would cover
    /// here.
    #[must_use]
    pub fn off(self, ui: &Ui, canvas: Rect, points: &[Pos2]) -> Self {
        let other = Self { is_right: !self.is_right, ..self };
        let covers = |card: &Self| {
            let rect = card.rect(ui, canvas);
            points.iter().any(|at| rect.contains(*at))
        };
        if covers(&self) && !covers(&other) { other } else { self }
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
