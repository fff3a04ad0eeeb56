//! The user interface: the window's parts, as functions of the state they show.
//!
//! Invariant: a UI function gets a [`Cx`] or its pane's own context, lays out, and sends actions; it does no I/O,
//! starts no thread and mutates nothing of the project. What an action does is `app`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the screen draws in single precision and small whole numbers, and `as` saturates"
)]

pub mod canvas;
pub mod focus;
pub mod leaving;
pub mod panels;
pub mod theme;
pub mod widgets;

mod command;
mod cx;
mod images;
mod keys;
mod sense;

pub use canvas::looks::Looks;
pub use command::{CommandLook, CommandSpec, Menu, drives_player, is_letter, keys_text};
pub use cx::{CanvasCx, Cx, MachineCx, PaneCx, ShellCx, TuningCx};
pub use images::Textures;
pub use keys::{keys_are_taken, takes_keys};
pub use sense::{CommandState, WITHOUT_SOUND};
pub use theme::Theme;
