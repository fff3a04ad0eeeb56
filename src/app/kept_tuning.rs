//! The tuning state kept between sessions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    editor::Tuning,
    model::{Name, TuningOverlay, TuningSide, ValueSet},
};

/// A project's tuning state kept between sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KeptTuning {
    trial: KeptOverlay,
    bookmarks: Vec<Name>,
    sets: BTreeMap<String, ValueSet>,
}

/// The tuning overlay by letters, as settings have always held it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct KeptOverlay {
    a: ValueSet,
    b: ValueSet,
    titles: [String; 2],
    #[serde(rename = "heard")]
    active: TuningSide,
}

impl KeptTuning {
    pub(super) fn of(overlay: &TuningOverlay, tuning: &Tuning) -> Self {
        let [a, b] = TuningSide::ALL.map(|side| overlay.values(side).clone());
        let titles = TuningSide::ALL.map(|side| overlay.title(side).to_owned());
        let trial = KeptOverlay { a, b, titles, active: overlay.side(tuning.active) };
        Self { trial, bookmarks: tuning.bookmarks.clone(), sets: tuning.sets.clone() }
    }

    pub(super) fn into_parts(self) -> (TuningOverlay, Tuning) {
        let KeptOverlay { a, b, titles, active } = self.trial;
        let mut overlay = TuningOverlay::default();
        for ((side, values), title) in TuningSide::ALL.into_iter().zip([a, b]).zip(titles) {
            *overlay.values_mut(side) = values;
            overlay.set_title(side, &title);
        }
        let tuning = Tuning { active: overlay.id(active), bookmarks: self.bookmarks, sets: self.sets };
        (overlay, tuning)
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    #[test]
    fn what_is_remembered_reads_back_and_what_is_not_known_costs_nothing() {
        let mut overlay = TuningOverlay::default();
        overlay.values_mut(TuningSide::B).insert("Camera.smooth_time".into(), Value::Float(0.45));
        overlay.values_mut(TuningSide::B).insert("Game.tint".into(), Value::str("#ff0000"));
        overlay.set_title(TuningSide::B, "soft");
        let sets = [("soft".to_owned(), overlay.values(TuningSide::B).clone())].into();
        let tuning = Tuning { active: overlay.id(TuningSide::A), bookmarks: vec!["Camera.smooth_time".into()], sets };
        let kept = KeptTuning::of(&overlay, &tuning);
        let text = ron::to_string(&kept).unwrap();
        let read: KeptTuning = ron::from_str(&text).unwrap();
        assert_eq!(read, kept);
        let (again, of_window) = read.into_parts();
        assert_eq!((again, of_window.active), (overlay, tuning.active));
        assert_eq!(ron::from_str::<KeptTuning>("()").unwrap(), KeptTuning::default());
        // As the version before wrote it.
        let old = r#"(trial: (a: {}, b: {"P.x": Float(2.0)}, titles: ("", "soft"), heard: A))"#;
        let (old, tuning) = ron::from_str::<KeptTuning>(old).unwrap().into_parts();
        assert_eq!((old.title(TuningSide::B), old.side(tuning.active)), ("soft", TuningSide::A));
        assert_eq!(old.values(TuningSide::B)["P.x"], Value::Float(2.0));
    }
}
