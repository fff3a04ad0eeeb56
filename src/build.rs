//! The version that `levelwright --version` prints: the package's, and the commit it is built from.
//!
//! Invariant: nothing outside the package is needed. Without Git, or outside a checkout, the package's version stands
//! alone.

use std::{env, path::Path, process::Command};

/// The commit, filled in by Git when it makes a source archive (`export-subst` in .gitattributes).
const ARCHIVED: &str = "$Format:%h$";

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = match ARCHIVED.strip_prefix('$') {
        None => Some(ARCHIVED.to_owned()),
        // A folder above this one may be a checkout of something else.
        Some(_) if Path::new(".git").exists() => git(&["rev-parse", "--short=10", "HEAD"]),
        Some(_) => None,
    };
    // A new commit rebuilds a release. A debug build would be rebuilt after every commit for nothing but this line, so
    // it names the commit at which it was first built.
    let note = match (commit, is_release) {
        (Some(commit), true) => format!(" ({commit})"),
        (Some(commit), false) => format!(" (debug build, begun at {commit})"),
        (None, true) => String::new(),
        (None, false) => " (debug build)".to_owned(),
    };
    if is_release
        && let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
    {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rustc-env=LEVELWRIGHT_VERSION={version}{note}");
}

/// What Git prints, if there is Git and it has an answer.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}
