//! What ticks of a run spent their time on: the clock that they are measured by, and the figures as JSON.

use std::{sync::Arc, time::Instant};

use serde_json::{Value, json};

use crate::sim::insight::profile::{Clock, KindRow, Profile, Share, Span, SystemRow};

/// The most cells that are listed: those that cost the most.
const MOST_CELLS: usize = 100;

/// The time since now.
pub(super) fn clock() -> Clock {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

/// The figures of a whole run, in milliseconds; `secs` is its end, in seconds of the world. Of cells it is an average
/// tick at the end.
pub(super) fn json(profile: &Profile, secs: f64) -> Value {
    let spread = |[avg, min, max]: [f64; 3]| json!({ "avg_ms": ms(avg), "min_ms": ms(min), "max_ms": ms(max) });
    let systems = profile.systems(Span::Whole).into_iter().map(|row| {
        let SystemRow { system, depth, total_ns, own_ns, spread_ns, calls } = row;
        let own = json!({
            "system": system.name(), "depth": depth, "total_ms": ms(total_ns), "self_ms": ms(own_ns), "calls": calls,
        });
        merged(own, spread(spread_ns))
    });
    let kinds = profile.kinds(Span::Whole).into_iter().map(|row| {
        let KindRow { def, n, total_ns, spread_ns, by_ns } = row;
        let by = Share::ALL.into_iter().zip(by_ns);
        let by: Vec<(String, Value)> =
            by.map(|(share, ns)| (format!("{}_avg_ms", share.name().to_lowercase()), ms(ns))).collect();
        let own = json!({ "definition": def, "entities": n, "total_ms": ms(total_ns) });
        merged(merged(own, spread(spread_ns)), Value::Object(by.into_iter().collect()))
    });
    let mut cells: Vec<_> = profile.cells(secs).collect();
    cells.sort_by(|a, b| b.1.total_cmp(&a.1));
    let cells = cells.into_iter().take(MOST_CELLS).map(|(cell, ns)| json!({ "cell": cell, "avg_ms": ms(ns) }));
    let slowest = profile.slowest().map(|(tick, ns)| {
        #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
        let ns = ns as f64;
        json!({ "tick": tick, "ms": ms(ns) })
    });
    json!({
        "ticks": profile.n_detailed(),
        "slowest": slowest,
        "systems": systems.collect::<Vec<_>>(),
        "definitions": kinds.collect::<Vec<_>>(),
        "cells": cells.collect::<Vec<_>>(),
    })
}

/// Nanoseconds as milliseconds, to the nanosecond.
fn ms(ns: f64) -> Value {
    json!(ns.round() / 1e6)
}

/// The fields of both.
fn merged(mut a: Value, b: Value) -> Value {
    if let (Value::Object(a), Value::Object(b)) = (&mut a, b) {
        a.extend(b);
    }
    a
}
