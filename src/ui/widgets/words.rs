//! Texts of panes: messages with the words of the files in them, which are `quoted` like this, set apart by their font;
//! and times.

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

/// A time as minutes and seconds with a tenth: `01:02.5`.
#[must_use]
pub fn clock_text(secs: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the time of a preview")]
    let tenths = (secs.max(0.0) * 10.0).round() as u64;
    format!("{:02}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_begins_after_its_last_tenth() {
        assert_eq!(
            [0.0, 0.625, 59.94, 59.96, 62.5].map(clock_text),
            ["00:00.0", "00:00.6", "00:59.9", "01:00.0", "01:02.5"]
        );
    }
}
