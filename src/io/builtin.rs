//! The documents compiled into the program: the schemas and constants that every project has.

use std::sync::OnceLock;

use crate::model::{DocPath, Document, Schema, TuningPage};

use super::codec;

const SCHEMAS: [(&str, &str); 4] = [
    ("schemas/components.ron", include_str!("../../schemas/components.ron")),
    ("schemas/messages.ron", include_str!("../../schemas/messages.ron")),
    ("schemas/conditions.ron", include_str!("../../schemas/conditions.ron")),
    ("schemas/actions.ron", include_str!("../../schemas/actions.ron")),
];

const TUNING: [(&str, &str); 8] = [
    ("tuning/simulation.ron", include_str!("../../schemas/tuning/simulation.ron")),
    ("tuning/physics.ron", include_str!("../../schemas/tuning/physics.ron")),
    ("tuning/camera.ron", include_str!("../../schemas/tuning/camera.ron")),
    ("tuning/steering.ron", include_str!("../../schemas/tuning/steering.ron")),
    ("tuning/navigation.ron", include_str!("../../schemas/tuning/navigation.ron")),
    ("tuning/sound.ron", include_str!("../../schemas/tuning/sound.ron")),
    ("tuning/solver.ron", include_str!("../../schemas/tuning/solver.ron")),
    ("tuning/controls.ron", include_str!("../../schemas/tuning/controls.ron")),
];

fn builtin(files: &[(&str, &str)]) -> Vec<Document> {
    files.iter().filter_map(|(path, text)| codec::decode(&DocPath::new(path)?, text).0).collect()
}

/// The vocabulary that every project has: what the preview understands.
#[must_use]
pub fn builtin_schema() -> Schema {
    builtin_vocabulary().clone()
}

/// As [`builtin_schema`], read once.
pub(super) fn builtin_vocabulary() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut schema = Schema::default();
        for document in builtin(&SCHEMAS) {
            if let Document::Schema(part) = document {
                schema.merge(&part);
            }
        }
        schema
    })
}

/// The pages of constants that every project has, with their defaults, by rising order.
#[must_use]
pub fn builtin_tuning() -> Vec<TuningPage> {
    let pages = builtin(&TUNING).into_iter();
    pages.filter_map(|document| if let Document::Tuning(page) = document { Some(page) } else { None }).collect()
}
