//! Tooltips, and cards about what the pointer rests on.

use egui::{Rect, RectAlign, Response, Tooltip, Ui};

use crate::ui::focus;

/// A tooltip. It is shown and no more: a widget keeps the one accessible name it has. With the first key it goes, so
/// that it hides nothing of what is done by keys, and comes back when the pointer moves.
pub trait Tip: Sized {
    /// Show something while the pointer rests on it.
    fn tip_ui(self, content: impl FnOnce(&mut Ui)) -> Self;

    /// The same with one sentence.
    fn tip(self, text: impl Into<egui::WidgetText>) -> Self {
        self.tip_ui(|ui| {
            ui.set_max_width(360.0);
            ui.label(text);
        })
    }
}

/// Whether a widget can have a tooltip in this pass. Most cannot, and to set one up costs more than this question.
fn may_show(response: &Response) -> bool {
    let is_pointed_at = response.hovered() || response.contains_pointer() || response.container_contains_pointer();
    (is_pointed_at || response.is_tooltip_open()) && !focus::is_by_keys(&response.ctx)
}

impl Tip for Response {
    fn tip_ui(self, content: impl FnOnce(&mut Ui)) -> Self {
        if may_show(&self) { self.on_hover_ui(content) } else { self }
    }
}

/// Show a card while the pointer rests on something that is one of several to choose or change: beside the column it is
/// in, so that it covers none of them.
pub fn card_beside(ui: &Ui, response: &Response, content: impl FnOnce(&mut Ui)) {
    if !may_show(response) {
        return;
    }
    const ELSEWHERE: [RectAlign; 3] = [RectAlign::RIGHT_START, RectAlign::TOP_START, RectAlign::BOTTOM_START];
    let mut tooltip = Tooltip::for_enabled(response);
    let column = Rect::from_x_y_ranges(ui.clip_rect().x_range(), response.rect.y_range());
    tooltip.popup = tooltip.popup.anchor(column).align(RectAlign::LEFT_START).align_alternatives(&ELSEWHERE);
    tooltip.show(|ui| {
        ui.set_max_width(360.0);
        content(ui);
    });
}

/// The same with a text.
pub fn tip_beside(ui: &Ui, response: Response, text: impl Into<egui::WidgetText>) -> Response {
    card_beside(ui, &response, |ui| {
        ui.label(text);
    });
    response
}
