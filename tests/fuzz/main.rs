//! A fuzzer over every reader and every command: the sample game, the templates and the examples of each format,
//! damaged byte by byte, value by value and file by file.
//!
//! Invariants of every case: no panic, no hang, bounded memory, problems with places inside their file, and whatever is
//! written can be read back with the same meaning. Seeds and numbers of cases come from `tests/core/cases.rs`; a
//! failure prints the command that repeats it and leaves the files of the case in the system's folder for temporary
//! files.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::format_push_string,
    clippy::wildcard_imports,
    reason = "tests make up small numbers and short texts"
)]
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should say where")]

#[path = "../core/cases.rs"]
mod cases;
mod commands;
mod corpus;
mod documents;
mod guard;
mod mutate;
mod others;
mod projects;
