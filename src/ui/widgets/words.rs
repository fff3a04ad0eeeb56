//! Messages with the words of the files in them, which are `quoted` like this, set apart by their font.

use egui::{
    Color32, FontId,
    text::{LayoutJob, TextFormat},
};

use crate::ui::Theme;

/// Put a message behind what is there already.
pub fn put_words(theme: &Theme, job: &mut LayoutJob, text: &str, (size, color): (f32, Color32)) {
    for (i, part) in text.split('`').enumerate() {
        let is_code = i % 2 == 1;
        let font = if is_code { FontId::monospace(size - 1.0) } else { FontId::proportional(size) };
        let color = if is_code { theme.text_strong } else { color };
        job.append(part, 0.0, TextFormat::simple(font, color));
    }
}

/// A message by itself.
#[must_use]
pub fn words(theme: &Theme, text: &str, look: (f32, Color32)) -> LayoutJob {
    let mut job = LayoutJob::default();
    put_words(theme, &mut job, text, look);
    job
}
