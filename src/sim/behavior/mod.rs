//! How machines run: compiled once into flat programs, which then respond to one message after another.
//!
//! Invariant: the rules of routing are in [`run`] alone and do not depend on a world: the effect of a condition or an
//! action is decided by a [`Host`]. The conditions and actions are listed in [`vocabulary`]; the order in which
//! messages arrive is in [`mail`].
//!
//! Where definitions of state machines usually leave something open, the rules here are:
//! - The lowest common ancestor of two states may be one of them. Requesting an ancestor of the innermost state leaves
//!   the states inside the ancestor and enters its `initial` again; only requesting the innermost state itself leaves
//!   and re-enters it.
//! - In the trace a transition's `from` is the innermost active state before, `to` the requested state (not yet its
//!   `initial`), `cause` the message, `Update` for `when`, `after` for `after: t`, `Enter` for a request by the root's
//!   `enter` at the start. The order is message, transition, exits, (`do`), enters. Entering the first `initial` at the
//!   start is not a transition.
//! - `on: "Update"` transitions and handlers count as `when: …` and `update`, after those.
//! - An `after` message is for its own transition only and belongs to one entry of its state.
//! - A removed entity runs no `exit`; a machine swapped out or finished runs them all, its root's last.

pub mod compile;
pub mod mail;
mod moved;
pub mod run;
pub mod symbols;
pub mod vocabulary;

pub(in crate::sim) use compile::Guard;
pub use compile::{Program, compile};
pub use mail::{Mail, MailQueue, Scope};
pub use run::{Cursor, Host};
pub use symbols::{MsgId, Symbols};
pub use vocabulary::{BuiltinAction, Question, RouteMode, Target};
