//! Editors that are asked for before they are there: by a command that adds something, or leads to a field.
//!
//! Invariant: of several asked for, only the last is waited for, and no longer than a few seconds.

use egui::{Context, Id, Ui};

/// Frames for which an editor that was asked for may be in coming.
const PATIENCE: u64 = 240;

/// What is done with an editor that was asked for.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// It has the keyboard, to be typed into.
    Edit,
    /// Its pane scrolls to it, and it has the keyboard without being typed into.
    Show,
}

#[derive(Clone)]
struct Wanted {
    name: String,
    to: Use,
    /// The number of the pass in which it was asked for.
    since: u64,
}

fn id() -> Id {
    Id::unique("wanted editor")
}

fn ask(ctx: &Context, name: &str, to: Use) {
    let wanted = Wanted { name: name.to_owned(), to, since: ctx.cumulative_pass_nr() };
    ctx.data_mut(|data| data.insert_temp(id(), wanted));
}

/// What was asked for and has not been there yet.
fn wanted(ui: &Ui) -> Option<Wanted> {
    let now = ui.ctx().cumulative_pass_nr();
    ui.data(|data| data.get_temp::<Wanted>(id())).filter(|wanted| now <= wanted.since + PATIENCE)
}

/// Whether an editor was asked for so; `true` once.
fn take(ui: &Ui, name: &str, to: Use) -> bool {
    let is_it = wanted(ui).is_some_and(|wanted| wanted.to == to && wanted.name == name);
    if is_it {
        ui.data_mut(|data| data.remove::<Wanted>(id()));
    }
    is_it
}

/// Have the editor of this name taken up as soon as it is there: what was just added is edited next.
pub fn want(ctx: &Context, name: &str) {
    ask(ctx, name, Use::Edit);
}

/// Have the text field of this name shown as soon as it is there: its pane scrolls to it, and it has the keyboard
/// without being typed into.
pub fn want_shown(ctx: &Context, name: &str) {
    ask(ctx, name, Use::Show);
}

/// Whether an editor was asked for that has not been there yet.
pub(super) fn is_any_wanted(ui: &Ui) -> bool {
    wanted(ui).is_some()
}

/// Whether the editor of this name was asked for; `true` once.
pub fn is_wanted(ui: &Ui, name: &str) -> bool {
    take(ui, name, Use::Edit)
}

/// Whether the field of this name is to be shown; `true` once.
pub(super) fn is_wanted_shown(ui: &Ui, name: &str) -> bool {
    take(ui, name, Use::Show)
}

/// Whether a field is to be shown whose name begins like this.
pub fn is_any_wanted_shown(ui: &Ui, start: &str) -> bool {
    wanted(ui).is_some_and(|wanted| wanted.to == Use::Show && wanted.name.starts_with(start))
}
