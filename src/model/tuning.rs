//! Pages of constants that tuners turn while the game runs.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    Call, FieldType, Name, Value,
    reflect::{Names, describe},
};

describe! {
    /// A page as in its file.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct TuningPage: "a tuning page" {
        /// Its name; constants are read as `page.name`.
        pub page: Name => declares(&FieldType::Tunable),
        /// Pages are shown by rising order, then by name.
        pub order: i64 = 0,
        /// The constants in written order.
        pub values: IndexMap<Name, Tunable> = IndexMap::new(),
    }
}

describe! {
    /// A constant.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Tunable: "a constant" => own_line() {
        /// Any value; numbers get sliders.
        pub value: Value,
        /// Smallest.
        pub min: Option<f64> = None,
        /// Largest.
        pub max: Option<f64> = None,
        /// One notch.
        pub step: Option<f64> = None,
        /// Shown after the number.
        pub unit: Option<String> = None,
        /// What it means.
        pub doc: String = String::new(),
        /// What it smooths, to be plotted beside it: a call such as `SmoothDamp(smooth_time: "smooth_time")`.
        #[serde(default)]
        pub response: Option<Call> = None => holds(Names::Response),
    }
}

impl Tunable {
    /// A constant with a value only: no limits, unit or description.
    #[must_use]
    pub fn of(value: impl Into<Value>) -> Self {
        Self { value: value.into(), min: None, max: None, step: None, unit: None, doc: String::new(), response: None }
    }
}
