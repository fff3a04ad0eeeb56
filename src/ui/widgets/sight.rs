//! Rows of a long form that are laid out only where they can be seen.

use egui::{Id, Rect, Ui, UiBuilder, pos2, vec2};

use super::wanted::is_any_wanted;

/// How far out of sight a row is still laid out, in points: so that Tab reaches the next one.
const MARGIN: f32 = 64.0;

/// What is known of a row from when it was last laid out.
#[derive(Clone, Copy, PartialEq)]
struct Known {
    height: f32,
    /// It has the keyboard focus, or something in it is dragged.
    is_held: bool,
}

/// Lay out a row of a scroll area under an identity of its own, or leave room as high as it was where it is out of
/// sight: a form of two hundred rows costs what its visible ones cost. A row that has the focus or is dragged is always
/// laid out, and so is each where a screen reader listens or an editor is asked for by its name.
pub fn row_in_sight(ui: &mut Ui, id: Id, add: impl FnOnce(&mut Ui)) {
    let known_id = id.with("row in sight");
    let known: Option<Known> = ui.data(|data| data.get_temp(known_id));
    let top = ui.cursor().top();
    if let Some(Known { height, is_held: false }) = known {
        let sight = ui.clip_rect().y_range().expand(MARGIN);
        let is_out = top > sight.max || top + height < sight.min;
        if is_out && !is_any_wanted(ui) && ui.ctx().accesskit_node_builder(ui.unique_id(), |_| ()).is_none() {
            ui.allocate_space(vec2(1.0, height));
            return;
        }
    }
    ui.scope_builder(UiBuilder::new().scope_id(id), add);
    let spacing = ui.spacing().item_spacing.y;
    let bottom = (ui.cursor().top() - spacing).max(top);
    let row = Rect::from_min_max(pos2(f32::NEG_INFINITY, top), pos2(f32::INFINITY, bottom));
    let ctx = ui.ctx();
    let held = ctx.memory(egui::Memory::focused).into_iter().chain(ctx.dragged_id());
    let is_held = held.filter_map(|id| ctx.read_response(id)).any(|it| row.contains(it.rect.center()));
    let now = Known { height: bottom - top, is_held };
    if known != Some(now) {
        ui.data_mut(|data| data.insert_temp(known_id, now));
    }
}

#[cfg(test)]
mod tests {
    use egui::{Context, Event, Modifiers, RawInput, Rect, ScrollArea, pos2, vec2};

    use super::*;

    const N_ROWS: usize = 200;

    /// A form of rows with a field each, the one with the focus among them.
    #[derive(Default)]
    struct Form {
        texts: Vec<String>,
        laid_out: Vec<usize>,
        content: f32,
        focused: Option<usize>,
        /// The identity of what follows the rows.
        end: Option<Id>,
    }

    fn pass(ctx: &Context, form: &mut Form, offset: Option<f32>, events: Vec<Event>) {
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 400.0)));
        form.texts.resize(N_ROWS, String::new());
        form.laid_out.clear();
        form.focused = None;
        let mut output = ctx.run_ui(RawInput { screen_rect, events, ..RawInput::default() }, |ui| {
            let mut area = ScrollArea::vertical().auto_shrink(false);
            if let Some(offset) = offset {
                area = area.vertical_scroll_offset(offset);
            }
            let output = area.show(ui, |ui| {
                for (at, text) in form.texts.iter_mut().enumerate() {
                    row_in_sight(ui, Id::unique(("row", at)), |ui| {
                        form.laid_out.push(at);
                        let response = ui.text_edit_singleline(text);
                        if at == 3 && offset == Some(0.0) {
                            response.request_focus();
                        }
                        if response.has_focus() {
                            form.focused = Some(at);
                        }
                    });
                }
                form.end = Some(ui.label("the end").id);
            });
            form.content = output.content_size.y;
        });
        output.textures_delta.clear();
    }

    #[test]
    fn only_rows_near_the_sight_are_laid_out_and_the_form_stays_as_high() {
        let (ctx, mut form) = (Context::default(), Form::default());
        pass(&ctx, &mut form, None, Vec::new());
        assert_eq!(form.laid_out.len(), N_ROWS, "their heights are not known yet");
        let (height, end) = (form.content, form.end);
        for offset in [1.0, 900.0, 2000.0, 1.0] {
            pass(&ctx, &mut form, Some(offset), Vec::new());
            pass(&ctx, &mut form, Some(offset), Vec::new());
            assert!(form.laid_out.len() < 45, "at {offset}: {:?}", form.laid_out);
            assert_eq!(form.end, end);
            assert!((form.content - height).abs() < 0.5, "at {offset}: {} and {height}", form.content);
        }
    }

    #[test]
    fn what_has_the_focus_keeps_it_out_of_sight() {
        let (ctx, mut form) = (Context::default(), Form::default());
        pass(&ctx, &mut form, Some(0.0), Vec::new());
        pass(&ctx, &mut form, Some(0.0), Vec::new());
        assert_eq!(form.focused, Some(3));
        for _ in 0..3 {
            pass(&ctx, &mut form, Some(3000.0), vec![Event::Text("a".to_owned())]);
            assert_eq!(form.focused, Some(3));
        }
        assert_eq!(form.texts[3], "aaa");
    }

    #[test]
    fn tab_goes_on_into_rows_that_were_out_of_sight() {
        let (ctx, mut form) = (Context::default(), Form::default());
        pass(&ctx, &mut form, Some(0.0), Vec::new());
        pass(&ctx, &mut form, Some(1.0), Vec::new());
        let tab = |pressed| Event::Key {
            key: egui::Key::Tab,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        for n in 0..60 {
            let offset = Some((n as f32 * 24.0).max(1.0));
            pass(&ctx, &mut form, offset, vec![tab(true), tab(false)]);
            pass(&ctx, &mut form, offset, Vec::new());
            assert_eq!(form.focused, Some(4 + n), "after {} Tabs", n + 1);
        }
    }
}
