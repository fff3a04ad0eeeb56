//! Where keys take the keyboard focus: Tab goes from one thing to the next, arrows go along a list and nowhere else.
//!
//! egui alone lets arrows go to whatever is near, in other panes too, selects nothing of a text that Tab goes to, and
//! leaves what is out of sight there.
//!
//! Invariant: what is kept is of this pass and the one before, so nothing of what is no longer shown is gone to.

use std::cmp::Ordering;

use crate::editor::Selection;
use egui::{
    Context, Event, FocusDirection, Id, Key, LayerId, Order, Rect, Response, Role, Sense, StrokeKind, Ui, WidgetInfo,
    accesskit::{Action, ActionRequest, TreeId},
    text::{CCursor, CCursorRange},
    text_edit::TextEditState,
};

/// Passes for which a list may scroll until the row is there that an arrow goes to.
const PATIENCE: u8 = 3;

/// Something of a higher size than this, in points, is a canvas, which scrolls what is in it by itself.
const TALLEST: f32 = 120.0;

/// The list that something is in, and the layer of the window: a menu over a list is none of it.
type List = (Id, LayerId);

/// A row or card of a list.
#[derive(Clone, Copy, Debug)]
struct Item {
    list: List,
    id: Id,
    rect: Rect,
    is_selected: bool,
}

#[derive(Clone, Default)]
struct Kept {
    /// Whether a key was used last, not the pointer.
    is_by_keys: bool,
    /// What had the focus at the end of the last pass.
    focused: Option<Id>,
    /// What F2 renames, as something that stands for it has the focus, and in which pass.
    named: Option<(Selection, u64)>,
    /// What had it last, and in which pass.
    recent: Option<(Id, u64)>,
    /// Whether Tab was pressed in the last pass: going back takes egui two.
    was_tab: bool,
    /// The list that is being shown.
    list: Option<Id>,
    /// What is in lists.
    items: Vec<Item>,
    /// From where an arrow down goes into a list: its pane, or the field that searches it.
    doors: Vec<(List, Id)>,
    /// What an arrow went to in the last pass.
    arrived: Option<Id>,
    /// The arrow that found no row, which may be scrolled to.
    pending: Option<(Key, u8)>,
    /// What is to be scrolled into view, or which way.
    scroll: Option<(Id, Action)>,
}

fn with<R>(ctx: &Context, f: impl FnOnce(&mut Kept) -> R) -> R {
    ctx.data_mut(|data| f(data.get_temp_mut_or_default(Id::unique("focus by keys"))))
}

/// Begin a pass, before anything is shown.
pub fn begin(ctx: &Context) {
    let (is_key, is_pointer) = ctx.input(|input| {
        let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
        let is_pointer = |event: &Event| {
            matches!(event, Event::PointerMoved(_) | Event::PointerButton { .. } | Event::MouseWheel { .. })
        };
        (input.events.iter().any(is_key), input.events.iter().any(is_pointer))
    });
    let scroll = with(ctx, |kept| {
        kept.is_by_keys = !is_pointer && (kept.is_by_keys || is_key);
        kept.items.clear();
        kept.doors.clear();
        kept.scroll.take()
    });
    if let Some((id, action)) = scroll.filter(|(id, action)| *action != Action::ScrollIntoView || is_cut(ctx, *id)) {
        // As screen readers ask for it.
        let request = ActionRequest { action, target_tree: TreeId::ROOT, target_node: id.accesskit_id(), data: None };
        ctx.input_mut(|input| input.events.push(Event::AccessKitActionRequest(request)));
        ctx.request_repaint();
    }
}

/// Whether something is not seen whole that could be.
fn is_cut(ctx: &Context, id: Id) -> bool {
    ctx.read_response(id).is_some_and(|response| {
        let (whole, seen) = (response.rect.height(), response.interact_rect.height());
        seen < whole - 1.0 && whole < TALLEST
    })
}

/// Whether a key was used last, not the pointer. There are no tooltips then, and nothing that can only be dragged.
#[must_use]
pub fn is_by_keys(ctx: &Context) -> bool {
    with(ctx, |kept| kept.is_by_keys)
}

/// Something that stands for this is shown: while it has the focus, F2 renames this, whatever is selected.
pub fn stands_for(response: &Response, selection: impl FnOnce() -> Selection) {
    let ctx = &response.ctx;
    if ctx.memory(|memory| memory.has_focus(response.id)) {
        let now = ctx.cumulative_pass_nr();
        with(ctx, |kept| kept.named = Some((selection(), now)));
    }
}

/// What that which has the focus stands for.
#[must_use]
pub fn named(ctx: &Context) -> Option<Selection> {
    let now = ctx.cumulative_pass_nr();
    with(ctx, |kept| kept.named.clone().filter(|(_, pass)| pass + 1 >= now).map(|(selection, _)| selection))
}

/// What has the focus, or had it until a moment ago: a key that goes elsewhere may have ended the typing in it first.
#[must_use]
pub fn recent(ctx: &Context) -> Option<Id> {
    let now = ctx.cumulative_pass_nr();
    let recent = with(ctx, |kept| kept.recent.filter(|(_, pass)| pass + u64::from(PATIENCE) >= now));
    ctx.memory(egui::Memory::focused).or(recent.map(|(id, _)| id))
}

/// A field of a pane that Enter was pressed in keeps the keyboard without being typed into, so that letters and arrows
/// are neither its own nor another pane's: Enter goes on typing, Tab goes on to the next field.
pub fn rest(ui: &Ui, field: &Response, name: &str) {
    let id = rest_id(field);
    let is_entered = ui.input(|input| input.key_pressed(Key::Enter) && input.modifiers.is_none());
    if field.lost_focus() && is_entered && field.layer_id.order == Order::Background {
        begin_rest(ui, field);
    }
    if !ui.memory(|memory| memory.has_focus(id)) {
        return;
    }
    let at = ui.interact(field.rect, id, Sense::focusable_noninteractive());
    at.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Edit {name}")));
    let line = ui.visuals().selection.stroke;
    ui.painter().rect_stroke(field.rect.expand(1.0), 3.0, line, StrokeKind::Outside);
    if is_entered && ui.memory(|memory| memory.had_focus_last_frame(id)) {
        field.request_focus();
    }
}

/// Have a field keep the keyboard so; its [`rest`] has to follow in this pass.
pub fn begin_rest(ui: &Ui, field: &Response) {
    ui.memory_mut(|memory| memory.request_focus(rest_id(field)));
}

fn rest_id(field: &Response) -> Id {
    field.id.with("rests")
}

/// What is shown from now on may be a list of its own, which an arrow down enters from `door`.
pub fn begin_list(ui: &Ui, door: Id) {
    with(ui.ctx(), |kept| kept.list = Some(door));
    list_door(ui, door);
}

/// The list that is shown is entered from here, too.
pub fn list_door(ui: &Ui, door: Id) {
    let layer = ui.layer_id();
    with(ui.ctx(), |kept| kept.doors.extend(kept.list.map(|list| ((list, layer), door))));
}

/// A row or card of the list that is shown: arrows go from one to the next.
pub fn list_item(response: &Response, is_selected: bool) {
    let Response { id, rect, layer_id, .. } = *response;
    with(&response.ctx, |kept| {
        kept.items.extend(kept.list.map(|list| Item { list: (list, layer_id), id, rect, is_selected }));
    });
}

/// Whether an arrow has just gone to this.
#[must_use]
pub fn has_arrived(response: &Response) -> bool {
    with(&response.ctx, |kept| kept.arrived == Some(response.id))
}

/// Say that a text has several lines.
pub fn has_lines(ctx: &Context, text: Id) {
    ctx.data_mut(|data| data.insert_temp(text.with(LINES), true));
}

const LINES: &str = "several lines";

/// End a pass, after everything is shown.
pub fn end(ctx: &Context) {
    // Arrows that a menu has not taken by now go nowhere.
    ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    let focused = ctx.memory(egui::Memory::focused);
    let is_tab = ctx.input(|input| input.key_pressed(Key::Tab));
    let pressed = ctx.input(|input| {
        let is_plain = input.modifiers.is_none();
        ARROWS.into_iter().find(|key| is_plain && input.key_pressed(*key)).map(|key| (key, PATIENCE))
    });
    let now = ctx.cumulative_pass_nr();
    let (is_new, is_tabbed, next) = with(ctx, |kept| {
        kept.recent = focused.map(|id| (id, now)).or(kept.recent);
        let is_new = std::mem::replace(&mut kept.focused, focused) != focused;
        let was_tab = std::mem::replace(&mut kept.was_tab, is_tab);
        kept.arrived = None;
        if is_new && kept.is_by_keys {
            kept.scroll = focused.map(|id| (id, Action::ScrollIntoView));
        }
        let asked = pressed.or(kept.pending.take()).zip(focused);
        let next = asked.and_then(|((key, left), id)| match step(&kept.items, &kept.doors, id, key)? {
            Step::To(next) => Some(next),
            // A long list shows only the rows that are seen.
            Step::Scroll => {
                kept.pending = left.checked_sub(1).map(|left| (key, left));
                if left == PATIENCE {
                    let action = if key == Key::ArrowUp { Action::ScrollUp } else { Action::ScrollDown };
                    kept.scroll = Some((id, action));
                }
                None
            }
        });
        if next.is_some() {
            kept.arrived = next;
            kept.focused = next;
            kept.scroll = next.map(|id| (id, Action::ScrollIntoView));
        }
        (is_new, is_tab || was_tab, next)
    });
    if let Some(next) = next {
        ctx.memory_mut(|memory| memory.request_focus(next));
    } else if let Some(id) = focused.filter(|_| is_new && is_tabbed) {
        select_all(ctx, id);
    }
    if with(ctx, |kept| kept.scroll.is_some() || kept.pending.is_some()) {
        ctx.request_repaint();
    }
}

const ARROWS: [Key; 4] = [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];

/// Where an arrow goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    To(Id),
    /// To a row that may not be visible.
    Scroll,
}

/// Where an arrow goes from something: along the list that it is in, or into the one whose door it is. None where it is
/// neither.
fn step(items: &[Item], doors: &[(List, Id)], from: Id, key: Key) -> Option<Step> {
    let nearest = |list: List, distance: &dyn Fn(&Item) -> Option<[f32; 2]>| {
        let of_list = items.iter().filter(|it| it.list == list && it.id != from);
        let all = of_list.filter_map(|it| Some((distance(it)?, it.id)));
        all.min_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(Ordering::Equal)).map(|(_, id)| Step::To(id))
    };
    let Some(at) = items.iter().find(|it| it.id == from) else {
        let (list, _) = doors.iter().find(|(_, door)| *door == from).filter(|_| key == Key::ArrowDown)?;
        let selected = items.iter().find(|it| it.list == *list && it.is_selected).map(|it| Step::To(it.id));
        return selected.or_else(|| nearest(*list, &|it| Some([it.rect.top(), it.rect.left()])));
    };
    let (rect, center) = (at.rect, at.rect.center());
    let next = nearest(at.list, &|it| {
        let to = it.rect.center();
        let by = (to - center).abs();
        let is_beside = rect.y_range().contains(to.y) || it.rect.y_range().contains(center.y);
        match key {
            Key::ArrowUp => (to.y < rect.top()).then_some([by.y, by.x]),
            Key::ArrowDown => (to.y > rect.bottom()).then_some([by.y, by.x]),
            Key::ArrowLeft => (is_beside && to.x < rect.left()).then_some([by.x, by.y]),
            _ => (is_beside && to.x > rect.right()).then_some([by.x, by.y]),
        }
    });
    next.or_else(|| matches!(key, Key::ArrowUp | Key::ArrowDown).then_some(Step::Scroll))
}

/// Select all of a text, so that typing replaces it. Of several lines nothing is, of which a letter would take too much
/// away.
fn select_all(ctx: &Context, id: Id) {
    let has_lines = ctx.data(|data| data.get_temp::<bool>(id.with(LINES))).unwrap_or_default();
    let Some(mut state) = TextEditState::load(ctx, id).filter(|_| !has_lines) else { return };
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(usize::MAX));
    state.cursor.set_char_range(Some(all));
    state.store(ctx, id);
    ctx.request_repaint();
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    fn item(list: &str, n: u64, at: [f32; 2], is_selected: bool) -> Item {
        let list = (Id::unique(list.to_owned()), LayerId::new(Order::Background, Id::unique("dock")));
        Item { list, id: Id::unique(n), rect: Rect::from_min_size(pos2(at[0], at[1]), vec2(40.0, 20.0)), is_selected }
    }

    #[test]
    fn arrows_keep_to_the_list_that_they_are_in() {
        // Two rows of cards, the lower one shorter, and another list right of them.
        let cards = [(0, [0.0, 0.0]), (1, [50.0, 0.0]), (2, [100.0, 0.0]), (3, [0.0, 30.0]), (4, [50.0, 30.0])];
        let mut items: Vec<Item> = cards.iter().map(|(n, at)| item("cards", *n, *at, *n == 4)).collect();
        items.push(item("other", 9, [150.0, 0.0], false));
        let door = Id::unique("search");
        let doors = [(items[0].list, door), (item("empty", 0, [0.0; 2], false).list, Id::unique("no rows"))];
        let go = |from: u64, key| step(&items, &doors, Id::unique(from), key);
        let to = |n: u64| Some(Step::To(Id::unique(n)));
        assert_eq!(go(0, Key::ArrowRight), to(1));
        assert_eq!(go(1, Key::ArrowRight), to(2));
        assert_eq!(go(2, Key::ArrowRight), None, "not into the other list");
        assert_eq!(go(2, Key::ArrowDown), to(4), "the nearest below");
        assert_eq!(go(3, Key::ArrowUp), to(0));
        assert_eq!(go(3, Key::ArrowLeft), None);
        assert_eq!(go(4, Key::ArrowDown), Some(Step::Scroll));
        assert_eq!(go(9, Key::ArrowLeft), None);
        assert_eq!(go(77, Key::ArrowDown), None, "in no list");
        let enter = |door, key| step(&items, &doors, door, key);
        assert_eq!(enter(door, Key::ArrowDown), to(4), "what is selected");
        assert_eq!(enter(door, Key::ArrowRight), None);
        assert_eq!(enter(Id::unique("no rows"), Key::ArrowDown), None);
        items[4].is_selected = false;
        assert_eq!(step(&items, &doors, door, Key::ArrowDown), to(0), "else the first");
    }
}
