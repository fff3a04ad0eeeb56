//! Every color, size and stroke of the window. Nothing else in the program names a color, but for the game's own.
//!
//! Invariant: text on its ground has a contrast of at least 4.5:1 in both themes; a test measures it.

use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, RichText, Stroke, TextStyle, Visuals, style::WidgetVisuals,
};

use crate::{defs::Badge, model::Severity};

/// The look of one theme. The level is the hero: one neutral ramp, one accent, and colors that mean something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Dark or light.
    pub is_dark: bool,
    /// Around the level.
    pub canvas: Color32,
    /// The ground of the level itself where nothing is drawn.
    pub level_ground: Color32,
    /// Menu, toolbar and tab bars.
    pub chrome: Color32,
    /// Panes.
    pub panel: Color32,
    /// Text fields and wells.
    pub well: Color32,
    /// Buttons and other things to touch.
    pub widget: Color32,
    /// The same under the pointer.
    pub widget_hover: Color32,
    /// Boxes to check and rails of sliders.
    pub track: Color32,
    /// Lines between things.
    pub line: Color32,
    /// What is read.
    pub text: Color32,
    /// Titles.
    pub text_strong: Color32,
    /// What is read second.
    pub text_weak: Color32,
    /// The one accent: selection, focus, what is on.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// The accent as a tint behind text.
    pub accent_ground: Color32,
    /// Something is wrong.
    pub error: Color32,
    /// Something is probably wrong.
    pub warning: Color32,
    /// Worth knowing.
    pub hint: Color32,
    /// Fine, running.
    pub good: Color32,
    /// A value from an ancestor.
    pub inherited: Color32,
    /// A value of this placed entity.
    pub instance: Color32,
    /// Squares below pictures that are transparent in part.
    pub checkerboard: [Color32; 2],
    /// Grid lines over the level: a light one and a dark one, side by side.
    pub grid: [Color32; 2],
    /// Below frames and lines over the level, which it sets off from whatever art there is.
    pub halo: Color32,
    /// Solid outlines over the level.
    pub collider: Color32,
    /// Waypoints and their links.
    pub waypoint: Color32,
    /// Paths of agents.
    pub path: Color32,
}

/// Small text, in points.
pub const SMALL: f32 = 11.0;
/// All other text, in points.
pub const BODY: f32 = 13.0;
/// The name of what a pane is about, in points.
pub const TITLE: f32 = 15.0;
/// The unit of every distance, in points.
pub const GRID: f32 = 4.0;
/// Height of a row of a list or form, in points.
pub const ROW: f32 = 22.0;

const fn rgb(hex: u32) -> Color32 {
    let [_, r, g, b] = hex.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

/// How boxes to check look: outlined, for filled ones would look checked, or as if they could not be.
pub fn outline_boxes(visuals: &mut Visuals) {
    let (well, edge) = (visuals.extreme_bg_color, visuals.weak_text_color());
    for widget in [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered] {
        widget.bg_fill = well;
        widget.bg_stroke = Stroke::new(1.0, edge);
        widget.fg_stroke.width = 2.0;
    }
}

impl Theme {
    /// For dim rooms.
    pub const DARK: Self = Self {
        is_dark: true,
        canvas: rgb(0x0012_1417),
        level_ground: rgb(0x001b_1e23),
        chrome: rgb(0x0017_1a1e),
        panel: rgb(0x001e_2126),
        well: rgb(0x0015_171b),
        widget: rgb(0x002a_2e35),
        widget_hover: rgb(0x0036_3b44),
        track: rgb(0x004a_525e),
        line: rgb(0x0031_363e),
        text: rgb(0x00d3_d8e0),
        text_strong: rgb(0x00f3_f5f8),
        text_weak: rgb(0x009a_a3b0),
        accent: rgb(0x004f_a0f7),
        on_accent: rgb(0x0008_131f),
        accent_ground: rgb(0x0022_3a57),
        error: rgb(0x00f4_717f),
        warning: rgb(0x00e8_b04b),
        hint: rgb(0x0071_b7e6),
        good: rgb(0x0062_c983),
        inherited: rgb(0x00b4_9cf5),
        instance: rgb(0x0058_cbb5),
        checkerboard: [rgb(0x001c_1f24), rgb(0x0027_2b32)],
        grid: [Color32::from_rgba_premultiplied(26, 26, 26, 26), Color32::from_rgba_premultiplied(0, 0, 0, 56)],
        halo: Color32::from_rgba_premultiplied(0, 0, 0, 168),
        collider: rgb(0x0050_e3a4),
        waypoint: rgb(0x00ff_b757),
        path: rgb(0x006c_c7ff),
    };

    /// For bright rooms.
    pub const LIGHT: Self = Self {
        is_dark: false,
        canvas: rgb(0x00c9_cdd3),
        level_ground: rgb(0x00d8_dbe0),
        chrome: rgb(0x00e4_e7eb),
        panel: rgb(0x00f4_f5f7),
        well: rgb(0x00ff_ffff),
        widget: rgb(0x00e3_e6eb),
        widget_hover: rgb(0x00d3_d8e0),
        track: rgb(0x00a9_b1bd),
        line: rgb(0x00cb_d0d8),
        text: rgb(0x0023_2830),
        text_strong: rgb(0x000a_0d12),
        text_weak: rgb(0x0055_5e6b),
        accent: rgb(0x0012_62c2),
        on_accent: rgb(0x00ff_ffff),
        accent_ground: rgb(0x00cf_e2fa),
        error: rgb(0x00b3_1d31),
        warning: rgb(0x0083_5600),
        hint: rgb(0x0011_6396),
        good: rgb(0x0014_6c38),
        inherited: rgb(0x0062_41b8),
        instance: rgb(0x000a_6b5b),
        checkerboard: [rgb(0x00d8_dbe1), rgb(0x00c6_cad2)],
        grid: [Color32::from_rgba_premultiplied(52, 52, 52, 52), Color32::from_rgba_premultiplied(0, 0, 0, 40)],
        halo: Color32::from_rgba_premultiplied(190, 190, 190, 190),
        collider: rgb(0x0007_7a4c),
        waypoint: rgb(0x00a8_5400),
        path: rgb(0x0012_62c2),
    };

    /// Small, weak text: what stands beside a value, or explains it.
    pub fn caption(&self, text: impl Into<String>) -> RichText {
        RichText::new(text).size(SMALL).color(self.text_weak)
    }

    /// The color of a severity.
    #[must_use]
    pub fn severity(&self, severity: Severity) -> Color32 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Hint => self.hint,
        }
    }

    /// The color of a field's badge; its shape tells the same, see `widgets::badge`.
    #[must_use]
    pub fn badge(&self, badge: Badge) -> Color32 {
        match badge {
            Badge::Default => self.text_weak,
            Badge::Inherited => self.inherited,
            Badge::Own => self.accent,
            Badge::Instance => self.instance,
        }
    }

    /// Give the whole window this look.
    pub fn apply(&self, ctx: &egui::Context) {
        let kind = if self.is_dark { egui::Theme::Dark } else { egui::Theme::Light };
        ctx.set_theme(kind);
        ctx.style_mut_of(kind, |style| {
            style.visuals = self.visuals();
            style.text_styles = [
                (TextStyle::Small, FontId::new(SMALL, FontFamily::Proportional)),
                (TextStyle::Body, FontId::new(BODY, FontFamily::Proportional)),
                (TextStyle::Button, FontId::new(BODY, FontFamily::Proportional)),
                (TextStyle::Heading, FontId::new(BODY, FontFamily::Proportional)),
                (TextStyle::Monospace, FontId::new(SMALL + 1.0, FontFamily::Monospace)),
            ]
            .into();
            let spacing = &mut style.spacing;
            spacing.item_spacing = egui::vec2(GRID * 1.5, GRID);
            spacing.button_padding = egui::vec2(GRID * 1.5, GRID * 0.5);
            spacing.interact_size = egui::vec2(GRID * 8.0, ROW - 2.0);
            spacing.menu_margin = Margin::same(6);
            spacing.window_margin = Margin::same(12);
            spacing.indent = GRID * 4.0;
            spacing.icon_width = 14.0;
            spacing.combo_width = 60.0;
            spacing.scroll = egui::style::ScrollStyle::thin();
            style.interaction.tooltip_delay = 0.4;
            style.animation_time = 0.1;
        });
    }

    fn visuals(&self) -> Visuals {
        let corner = CornerRadius::same(4);
        let widget = |ground: Color32, text: Color32, line: Color32| WidgetVisuals {
            bg_fill: ground,
            weak_bg_fill: ground,
            bg_stroke: Stroke::new(1.0, line),
            corner_radius: corner,
            fg_stroke: Stroke::new(1.0, text),
            expansion: 0.0,
        };
        // The rails of sliders, which have no edge, are seen on a pane and on a menu.
        let seen = |widget: WidgetVisuals, ground: Color32| WidgetVisuals { bg_fill: ground, ..widget };
        let mut visuals = if self.is_dark { Visuals::dark() } else { Visuals::light() };
        visuals.widgets.noninteractive = widget(self.panel, self.text, self.line);
        visuals.widgets.inactive = seen(widget(self.widget, self.text, Color32::TRANSPARENT), self.track);
        visuals.widgets.hovered = seen(widget(self.widget_hover, self.text_strong, self.line), self.track);
        visuals.widgets.active = widget(self.accent_ground, self.text_strong, self.accent);
        visuals.widgets.open = widget(self.widget_hover, self.text_strong, self.line);
        visuals.selection.bg_fill = self.accent_ground;
        visuals.selection.stroke = Stroke::new(1.0, self.accent);
        visuals.hyperlink_color = self.accent;
        visuals.faint_bg_color = self.chrome;
        visuals.extreme_bg_color = self.well;
        visuals.text_edit_bg_color = Some(self.well);
        visuals.code_bg_color = self.well;
        visuals.warn_fg_color = self.warning;
        visuals.error_fg_color = self.error;
        visuals.panel_fill = self.panel;
        visuals.window_fill = self.panel;
        visuals.window_stroke = Stroke::new(1.0, self.line);
        visuals.window_corner_radius = CornerRadius::same(6);
        visuals.menu_corner_radius = CornerRadius::same(6);
        visuals.weak_text_color = Some(self.text_weak);
        visuals.striped = false;
        visuals.slider_trailing_fill = true;
        visuals.indent_has_left_vline = false;
        visuals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two opaque colors, 1 to 21.
    ///
    /// Source: WCAG 2.2, relative luminance.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |c: Color32| {
            let linear = |v: u8| {
                let v = f32::from(v) / 255.0;
                if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(c.r()) + 0.7152 * linear(c.g()) + 0.0722 * linear(c.b())
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_in_both_themes() {
        for theme in [Theme::DARK, Theme::LIGHT] {
            for ground in [theme.panel, theme.chrome, theme.well, theme.widget] {
                for text in [
                    theme.text,
                    theme.text_strong,
                    theme.text_weak,
                    theme.error,
                    theme.warning,
                    theme.hint,
                    theme.good,
                    theme.inherited,
                    theme.instance,
                    theme.accent,
                ] {
                    let ratio = contrast(text, ground);
                    assert!(ratio >= 4.5, "{text:?} on {ground:?} is {ratio:.2} (dark: {})", theme.is_dark);
                }
            }
            assert!(contrast(theme.text_strong, theme.accent_ground) >= 4.5);
            let (edge, check) = (contrast(theme.text_weak, theme.well), contrast(theme.text, theme.well));
            assert!(edge >= 3.0 && check >= 4.5, "the edge of a box to check: {edge:.2}, its mark: {check:.2}");
            let rail = contrast(theme.track, theme.panel);
            assert!(rail >= 1.9, "the rail of a slider: {rail:.2}");
            let squares = contrast(theme.checkerboard[0], theme.checkerboard[1]);
            assert!((1.05..1.25).contains(&squares), "a checkerboard that is seen and does not shout: {squares:.2}");
            assert!(contrast(theme.on_accent, theme.accent) >= 4.5);
        }
    }

    #[test]
    fn lines_over_the_level_show_on_any_art() {
        /// The brightness of a gray under a color.
        fn under(gray: u8, color: Color32) -> f32 {
            f32::from(color.r()) + f32::from(gray) * (1.0 - f32::from(color.a()) / 255.0)
        }
        for theme in [Theme::DARK, Theme::LIGHT] {
            for gray in 0..=255_u8 {
                let shows = |color: Color32| (under(gray, color) - f32::from(gray)).abs();
                let grid = theme.grid.map(shows).into_iter().fold(0.0, f32::max);
                assert!(grid >= 17.0, "the grid on {gray} differs by {grid} (dark: {})", theme.is_dark);
                let ground = Color32::from_gray(gray);
                let beside = Color32::from_gray(under(gray, theme.halo).round().clamp(0.0, 255.0) as u8);
                let frame = contrast(theme.accent, ground).max(contrast(theme.accent, beside));
                assert!(frame >= 2.5, "a frame on {gray} has a contrast of {frame:.2} (dark: {})", theme.is_dark);
            }
        }
    }
}
