//! Which widget receives keys. A text field has it by itself; a widget that is no text field but takes letters, Delete
//! and the clipboard while it has the focus says so, and shortcuts of the window keep out of its way.

use egui::{Context, Id};

fn id() -> Id {
    Id::unique("takes keys")
}

/// Say that a widget takes keys whenever it has the focus.
pub fn takes_keys(ctx: &Context, widget: Id) {
    ctx.data_mut(|data| data.insert_temp(id(), widget));
}

/// Whether the widget with the focus is one that takes keys.
#[must_use]
pub fn keys_are_taken(ctx: &Context) -> bool {
    let taker: Option<Id> = ctx.data(|data| data.get_temp(id()));
    taker.is_some() && ctx.memory(egui::Memory::focused) == taker
}
