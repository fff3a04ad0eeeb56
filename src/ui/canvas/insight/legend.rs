//! What the colors of overlays mean: a block of text at the left bottom of the level, above what it explains.

use std::sync::Arc;

use egui::{Color32, CornerRadius, FontId, Galley, Rect, TextFormat, text::LayoutJob, vec2};

use super::{Labels, Scene, axes, bodies, ground, inspected_pair};
use crate::{
    editor::{Command, Overlay},
    ui::{
        CommandLook as _, Theme,
        canvas::probe::{jump_colors, ledge_colors},
        theme::{GRID, SMALL},
    },
};

/// The share of the canvas that it may take: of its width, and of its height.
const SHARE: [f32; 2] = [0.4, 0.4];
/// How wide it is at least and at most, in points.
const WIDTH: [f32; 2] = [180.0, 460.0];

/// What the colors of an overlay mean.
#[must_use]
pub fn legend(theme: &Theme, overlay: Overlay) -> Vec<(Color32, &'static str)> {
    match overlay {
        Overlay::Contacts => vec![(theme.warning, "normal, longer with the impulse"), (theme.error, "depth")],
        Overlay::Velocities => vec![(theme.path, "where it would be in ¼ s")],
        Overlay::Forces => {
            let names = ["mass × acceleration", "gravity", "zones", "contacts, joints, its own"];
            bodies::force_colors(theme).into_iter().zip(names).collect()
        }
        Overlay::Sleeping => vec![(theme.hint, "sleeps")],
        Overlay::BroadPhase => {
            vec![
                (theme.collider, "bounding box"),
                (theme.accent, "square in use"),
                (theme.waypoint, "pair that is near"),
            ]
        }
        Overlay::Axes => {
            let [a, b, overlap] = axes::colors(theme);
            vec![(a, "A"), (b, "B"), (overlap, "overlap"), (theme.good, "translation that separates them")]
        }
        Overlay::Sight => {
            vec![(theme.waypoint, "looks"), (theme.text_weak, "would look in another state"), (theme.error, "sees")]
        }
        Overlay::Messages => vec![(theme.accent, "responded to"), (theme.text_weak, "not responded to")],
        Overlay::Searches => {
            vec![
                (ground::ramp(theme, 0.0), "examined first"),
                (ground::ramp(theme, 1.0), "last"),
                (theme.text_weak, "still open"),
            ]
        }
        Overlay::Clearance => {
            vec![(theme.error, "too narrow"), (theme.waypoint, "just wide enough"), (theme.good, "wide")]
        }
        Overlay::Jumps => {
            let ([reached, others], [jump, drop]) = (ledge_colors(theme), jump_colors(theme));
            vec![(reached, "ledge it gets to"), (others, "not"), (jump, "jump"), (drop, "drop")]
        }
        Overlay::Traffic => vec![(ground::heat(theme, 0.1), "passed"), (ground::heat(theme, 1.0), "stood longest")],
        Overlay::Trails => vec![(theme.path, "the last 5 s")],
        Overlay::TickTime => {
            vec![(ground::heat(theme, 0.1), "a little of a tick"), (ground::heat(theme, 1.0), "the most")]
        }
        Overlay::Energy => Vec::new(),
        Overlay::Cameras => {
            vec![
                (theme.accent, "what it sees, and what it follows"),
                (theme.path, "dead zone"),
                (theme.waypoint, "bounds"),
            ]
        }
    }
}

/// The legend of the overlays that are on, where there is room for it.
pub(super) struct Legend {
    ground: Rect,
    text: Arc<Galley>,
}

impl Legend {
    /// Laid out, with its place kept free of labels. Where the colors of all take too much room it has only their
    /// names.
    pub(super) fn placed(scene: &Scene<'_>, labels: &mut Labels) -> Option<Self> {
        let shown: Vec<Overlay> = Overlay::ALL.into_iter().filter(|overlay| is_shown(scene, *overlay)).collect();
        if shown.is_empty() {
            return None;
        }
        let (view, margin) = (scene.viewport.view, vec2(GRID * 2.0, GRID));
        let width = (view.width() * SHARE[0]).clamp(WIDTH[0], WIDTH[1]);
        let fits = |text: &Arc<Galley>| {
            text.size().y <= view.height() * SHARE[1] && text.size().x + 8.0 * GRID <= view.width()
        };
        let lay_out = |mut job: LayoutJob| {
            job.wrap.max_width = width;
            scene.painter.layout_job(job)
        };
        let text = [with_colors, names_only].into_iter().map(|job| lay_out(job(scene.theme(), &shown))).find(fits)?;
        let size = text.size() + 2.0 * margin;
        let ground = Rect::from_min_size(view.left_bottom() + vec2(8.0, -8.0 - size.y), size);
        labels.keep_free(ground.expand(2.0));
        Some(Self { ground, text })
    }

    pub(super) fn paint(self, scene: &Scene<'_>) {
        let theme = scene.theme();
        scene.painter.rect_filled(self.ground, CornerRadius::same(4), theme.panel.gamma_multiply(0.94));
        scene.painter.galley(self.ground.min + vec2(GRID * 2.0, GRID), self.text, theme.text);
    }
}

/// Whether an overlay is drawn in colors that mean something.
fn is_shown(scene: &Scene<'_>, overlay: Overlay) -> bool {
    let has_pair = || inspected_pair(scene.cx, scene.painter.ctx(), scene.preview).is_some();
    scene.has(overlay) && (overlay != Overlay::Axes || has_pair()) && !legend(scene.theme(), overlay).is_empty()
}

fn format(color: Color32) -> TextFormat {
    TextFormat { font_id: FontId::proportional(SMALL), color, ..TextFormat::default() }
}

fn name(overlay: Overlay) -> &'static str {
    Command::Overlay(overlay).spec().text
}

/// Each on a line of its own: its name, then its colors.
fn with_colors(theme: &Theme, shown: &[Overlay]) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (row, overlay) in shown.iter().enumerate() {
        let line = if row == 0 { "" } else { "\n" };
        job.append(&format!("{line}{}", name(*overlay)), 0.0, format(theme.text_strong));
        for (color, text) in legend(theme, *overlay) {
            job.append("  ■", 0.0, format(color));
            job.append(&format!("\u{a0}{text}"), 0.0, format(theme.text));
        }
    }
    job
}

fn names_only(theme: &Theme, shown: &[Overlay]) -> LayoutJob {
    let names: Vec<&str> = shown.iter().map(|overlay| name(*overlay)).collect();
    let text = format!("{}. Their colors are listed in Overlays", names.join(", "));
    let mut job = LayoutJob::default();
    job.append(&text, 0.0, format(theme.text));
    job
}
