//! Plots of what smoothing does, beside the constants or fields that make it.
//!
//! Invariant: which constants make a smoothing is data (`response:` in a tuning page or schema); nothing here knows
//! one. The curves are `sim::response`; they are made anew only when a number changes.

use std::rc::Rc;

use egui::{Id, RichText, Ui};
use egui_plot::{HoverPosition, Line, LineStyle, Plot, PlotPoints};

use super::number::{NumberSpec, drag_ui};
use crate::{
    model::Call,
    sim::response::{Metrics, ResponseSpec, Signal, Smoother, input, measure, response},
    ui::{
        Cx, Theme,
        theme::{GRID, SMALL},
    },
};

/// Height of a plot, in points.
const HEIGHT: f32 = 104.0;

/// Where the numbers of a response come from, and whose they are.
pub struct Reading<'a> {
    /// On the curve: `A`, `B`, or empty when there is one only.
    pub letter: &'a str,
    /// Whether it is what plays.
    pub is_active: bool,
    /// A number by the name the response uses.
    pub read: &'a dyn Fn(&str) -> Option<f64>,
}

/// The inputs of a plot, and its curves.
struct Curve {
    made_of: (Smoother, Signal, [f64; 4]),
    points: Vec<[f64; 2]>,
    metrics: Metrics,
}

/// Show what a smoothing does. `name` is unique in the window; `dt_secs` is a tick.
pub fn response_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, smoothing: &Call, readings: &[Reading<'_>], dt_secs: f64) {
    let theme = cx.theme;
    let tried = readings.iter().map(|it| Smoother::of(smoothing, it.read).map(|tried| (it, tried)));
    let tried: Result<Vec<_>, String> = tried.collect();
    let tried = match tried {
        Ok(tried) => tried,
        Err(why) => {
            ui.label(RichText::new(format!("No plot: {why}")).size(SMALL).color(theme.warning));
            return;
        }
    };
    let signal = signal_ui(ui, name);
    let hz = if let Signal::Sine { hz } = signal { hz } else { 1.0 };
    let scale = tried.iter().map(|(_, it)| it.smoother.time_scale(it.size)).fold(0.0, f64::max);
    let secs = match signal {
        Signal::Sine { hz } => (4.0 * scale).max(3.0 / hz),
        _ => 4.0 * scale,
    }
    .min(60.0)
    .max(8.0 * dt_secs);
    let Some((_, first)) = tried.first() else { return };
    let (size, unit) = (first.size, first.unit.clone());

    let mut lines = Vec::new();
    if signal != Signal::Impulse {
        let points = input(signal, size, dt_secs, secs);
        let points =
            std::iter::once([0.0, points.first().map_or(0.0, |p| if signal == Signal::Step { p[1] } else { 0.0 })])
                .chain(points);
        let line = Line::new("target", points.collect::<PlotPoints<'_>>());
        lines.push(line.color(theme.text_weak).width(1.0).style(LineStyle::dashed_dense()));
    }
    let mut sentences = Vec::new();
    for (reading, it) in &tried {
        let curve = curve(cx, (name, reading.letter), it, signal, (dt_secs, secs, hz));
        let color = color(theme, reading);
        let title = if reading.letter.is_empty() { "response" } else { reading.letter };
        let width = if reading.is_active { 2.0 } else { 1.5 };
        let points: PlotPoints<'_> = curve.points.iter().copied().collect();
        lines.push(Line::new(title, points).color(color).width(width));
        sentences.push((reading.letter, color, sentence(signal, &curve.metrics, it)));
    }
    let unit_text = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    ui.scope(|ui| {
        ui.style_mut().text_styles.insert(egui::TextStyle::Body, egui::FontId::proportional(SMALL));
        ui.style_mut().visuals.extreme_bg_color = theme.well;
        Plot::new(Id::unique(("response", name)))
            .height(HEIGHT)
            .width(ui.available_width().clamp(80.0, 520.0))
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_axis_zoom_drag(false)
            .allow_double_click_reset(false)
            .show_crosshair(false)
            .reset()
            .include_x(0.0)
            .include_x(secs)
            .include_y(0.0)
            .include_y(if signal == Signal::Step { size * 1.08 } else { 0.0 })
            .x_axis_formatter(|mark, _| format!("{} s", short(mark.value)))
            .y_axis_formatter(|mark, _| short(mark.value))
            .label_formatter(move |at| match at {
                HoverPosition::NearDataPoint { plot_name, position, .. } => {
                    Some(format!("{plot_name}: {}{unit_text} at {} s", short(position.y), short(position.x)))
                }
                HoverPosition::Elsewhere { .. } => None,
            })
            .show(ui, |plot| lines.into_iter().for_each(|line| plot.line(line)));
    });
    for (letter, color, text) in sentences {
        let text = if letter.is_empty() { text } else { format!("{letter}: {text}") };
        let text = RichText::new(text).size(SMALL).color(if letter.is_empty() { theme.text_weak } else { color });
        ui.add(egui::Label::new(text).wrap());
    }
    ui.add_space(GRID);
}

fn color(theme: &Theme, reading: &Reading<'_>) -> egui::Color32 {
    if reading.is_active { theme.accent } else { theme.inherited }
}

/// Which signal all plots show; remembered while the window is open.
fn signal_ui(ui: &mut Ui, name: &str) -> Signal {
    let id = Id::unique("response signal");
    let (mut which, mut hz) = ui.data_mut(|data| data.get_temp::<(u8, f64)>(id)).unwrap_or((0, 1.0));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let all = [
            (0, "Step", "The target jumps and stays"),
            (1, "Ramp", "The target moves evenly"),
            (2, "Sine", "The target swings"),
            (3, "Impulse", "For one tick the target is elsewhere"),
        ];
        for (at, text, tip) in all {
            let label = RichText::new(text).size(SMALL);
            let response = ui.selectable_label(which == at, label);
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::Role::Button, true, which == at, format!("{text} response of {name}"))
            });
            if super::Tip::tip(response, tip).clicked() {
                which = at;
            }
        }
        if which == 2 {
            let spec =
                NumberSpec { min: Some(0.05), max: Some(30.0), step: Some(0.05), unit: Some("Hz"), is_int: false };
            let (_, change) = drag_ui(ui, &format!("Swings a second for {name}"), hz, &spec);
            if let Some(change) = change {
                hz = change.into_parts().0;
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(id, (which, hz)));
    match which {
        0 => Signal::Step,
        1 => Signal::Ramp,
        2 => Signal::Sine { hz: hz.clamp(0.05, 30.0) },
        _ => Signal::Impulse,
    }
}

fn curve(
    cx: &Cx<'_>,
    (name, letter): (&str, &str),
    it: &ResponseSpec,
    signal: Signal,
    (dt_secs, secs, hz): (f64, f64, f64),
) -> Rc<Curve> {
    let made_of = (it.smoother, signal, [it.size, secs, hz, dt_secs]);
    cx.derived.memos().get_current(
        ("response", name, letter),
        |known: &Curve| known.made_of == made_of,
        |_| Curve {
            made_of,
            points: response(&it.smoother, signal, it.size, dt_secs, secs),
            metrics: measure(&it.smoother, it.size, hz, dt_secs),
        },
    )
}

/// A curve's figures as text.
fn sentence(signal: Signal, it: &Metrics, of: &ResponseSpec) -> String {
    let secs = |x: f64| format!("{} s", short(x));
    match signal {
        Signal::Step | Signal::Impulse => {
            let rise = it.rise_secs.map_or("never gets there".to_owned(), |x| format!("rises in {}", secs(x)));
            let over = if it.overshoot < 0.0005 {
                "no overshoot".to_owned()
            } else {
                format!("{} % too far", short(it.overshoot * 100.0))
            };
            let settle = it.settle_secs.map_or("does not settle".to_owned(), |x| format!("settles in {}", secs(x)));
            format!("{rise} · {over} · {settle}")
        }
        Signal::Ramp => match it.lag_secs {
            Some(lag) => format!("{} behind, {} {}", secs(lag), short(lag * of.size), of.unit).trim_end().to_owned(),
            None => "falls behind ever more".to_owned(),
        },
        Signal::Sine { .. } => format!("keeps {} % · {}° late", short(it.gain * 100.0), short(it.phase_lag_deg)),
    }
}

/// A number in three digits or so.
fn short(x: f64) -> String {
    let digits = if x.abs() >= 99.95 || x == 0.0 {
        0
    } else if x.abs() >= 9.995 {
        1
    } else if x.abs() >= 0.0995 {
        2
    } else {
        3
    };
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_said_shortly() {
        for (x, text) in [(0.0, "0"), (0.25, "0.25"), (1.0, "1"), (12.345, "12.3"), (123.4, "123"), (0.012_34, "0.012")]
        {
            assert_eq!(short(x), text);
        }
    }
}
