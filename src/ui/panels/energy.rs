//! Energy and momentum of bodies over time, a part of the Preview pane.

use egui::{Ui, vec2};
use egui_plot::{Legend, Line, Plot, PlotPoints};

use crate::{
    editor::{Overlay, Preview},
    ui::{Cx, widgets::section},
};

/// How high a plot is, in points.
const HEIGHT: f32 = 110.0;

/// Show the plots, while they are switched on.
pub(super) fn energy_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview) {
    if !cx.view.insight.on.has(Overlay::Energy) {
        return;
    }
    section(cx.theme, ui, "Energy and momentum");
    let observed = preview.session.observed();
    let of = match observed.energy_of() {
        [] => "of all bodies that forces move".to_owned(),
        [one] => format!("of {one}"),
        many => format!("of {} selected entities", many.len()),
    };
    let Some((_, last)) = observed.energy().next_back() else {
        ui.label(cx.theme.caption("Nothing was measured yet; let it play"));
        return;
    };
    let unit = "kg·px²/s²";
    let text = format!(
        "{of}: kinetic {:.0}, potential {:.0}, total {:.0} {unit}; momentum {:.1}, {:.1} kg·px/s",
        last.kinetic,
        last.potential,
        last.kinetic + last.potential,
        last.momentum.x,
        last.momentum.y
    );
    ui.label(cx.theme.caption(text));
    let theme = cx.theme;
    let line = |name: &'static str, color, value: &dyn Fn(&crate::sim::physics::Energy) -> f32| {
        let points: PlotPoints<'_> =
            observed.energy().map(|(secs, energy)| [*secs, f64::from(value(energy))]).collect();
        Line::new(name, points).color(color).width(1.5)
    };
    let plot = |id: &'static str| {
        Plot::new(id)
            .legend(Legend::default())
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .show_x(false)
    };
    let width = ui.available_width();
    let half = if width > 480.0 { (width - 8.0) / 2.0 } else { width };
    ui.horizontal_wrapped(|ui| {
        ui.allocate_ui(vec2(half, HEIGHT), |ui| {
            plot("energy").width(half).height(HEIGHT).show(ui, |plot| {
                plot.line(line("kinetic", theme.path, &|it| it.kinetic));
                plot.line(line("potential", theme.inherited, &|it| it.potential));
                plot.line(line("total", theme.text_strong, &|it| it.kinetic + it.potential));
            });
        });
        ui.allocate_ui(vec2(half, HEIGHT), |ui| {
            plot("momentum").width(half).height(HEIGHT).show(ui, |plot| {
                plot.line(line("momentum x", theme.waypoint, &|it| it.momentum.x));
                plot.line(line("momentum y", theme.instance, &|it| it.momentum.y));
            });
        });
    });
}
