//! `tuning/*.ron`

use indexmap::IndexMap;

use super::record::record;
use crate::model::{Tunable, TuningPage};

record! {
    "a tuning page" TuningPage {
        "page" page,
        "order" order = 0,
        "values" values = IndexMap::new(),
    }
}

record! {
    "a constant" Tunable per line {
        "value" value,
        "min" min = None,
        "max" max = None,
        "step" step = None,
        "unit" unit = None,
        "doc" doc = String::new(),
        "response" response = None,
    }
}
