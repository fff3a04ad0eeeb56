//! How long ticks took of late: a bar for each, and the time there is for one.

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::{
    editor::{Action, Preview, PreviewAction},
    sim::insight::profile::{System, TickProfile, ms_text},
    ui::{
        Cx, Theme,
        theme::SMALL,
        widgets::{Tip as _, has_keyboard},
    },
};

/// The width of a bar with the gap after it, in points.
const STEP: f32 = 3.0;
/// Room above the highest bar, as a share of it.
const ROOM: f64 = 1.15;
/// The highest bar is of at least this, in nanoseconds.
const LEAST_NS: f64 = 100_000.0;
/// From this width on, in points, there is room for what the colors mean.
const LEGEND: f32 = 480.0;
/// A bar that is so many times as high as nearly all others does not make them low: it is cut.
const OUTLIER: f64 = 2.5;

/// The parts of a bar, from below, each with its color.
fn parts(theme: &Theme) -> [(&'static str, Color32); 4] {
    [
        ("behavior", theme.inherited),
        ("movement", theme.path),
        ("physics", theme.waypoint),
        ("the rest", theme.text_weak),
    ]
}

/// What of a bar a system is that is in no other.
fn part_of(system: System) -> usize {
    match system {
        System::Messages | System::Updates | System::Tracks => 0,
        System::Movement => 1,
        System::Physics => 2,
        _ => 3,
    }
}

/// Nanoseconds of each part of a tick.
fn times(tick: &TickProfile) -> [u64; 4] {
    let mut times = [0; 4];
    for it in tick.systems.iter().filter(|it| it.parent == Some(0)) {
        times[part_of(it.system)] += it.total_ns;
    }
    times[3] += tick.systems.first().map_or(0, |whole| whole.own_ns);
    times
}

/// What the height of the graph stands for, in nanoseconds.
#[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
fn top_ns(shown: &[&TickProfile]) -> f64 {
    let mut all: Vec<u64> = shown.iter().map(|tick| tick.total_ns()).collect();
    all.sort_unstable();
    let nearly_all = all.get(all.len() * 19 / 20).or(all.last()).copied().unwrap_or_default() as f64;
    let most = all.last().copied().unwrap_or_default() as f64;
    most.min(nearly_all * OUTLIER).max(LEAST_NS) * ROOM
}

/// Show the graph. A click goes to the tick.
pub(super) fn graph_ui(cx: &Cx<'_>, ui: &mut Ui, preview: &Preview, size: Vec2) {
    let theme = cx.theme;
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Tick times"));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, CornerRadius::same(3), theme.well);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as many as there is room for")]
    let n_most = (rect.width() / STEP).max(1.0) as usize;
    let all = preview.session.observed().profile.ticks();
    let n_left_out = all.len().saturating_sub(n_most);
    let shown: Vec<&TickProfile> = all.skip(n_left_out).collect();
    let budget = preview.budget_secs() * 1e9;
    let top = top_ns(&shown);
    #[expect(clippy::cast_possible_truncation, reason = "a height on the screen")]
    let height = |ns: f64| (ns / top) as f32 * rect.height();
    #[expect(clippy::cast_precision_loss, reason = "as many as there is room for")]
    let x_of = |at: usize| rect.right() - (shown.len() - at) as f32 * STEP;
    let now = preview.session.world().tick();
    for (at, tick) in shown.iter().enumerate() {
        let mut y = rect.bottom();
        for (ns, (_, color)) in times(tick).into_iter().zip(parts(theme)) {
            #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
            let h = height(ns as f64);
            let bar = Rect::from_min_max(pos2(x_of(at), y - h), pos2(x_of(at) + STEP - 1.0, y));
            painter.rect_filled(bar, 0.0, color);
            y -= h;
        }
        #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
        if tick.total_ns() as f64 > budget {
            let mark = Rect::from_min_size(pos2(x_of(at), rect.top()), vec2(STEP - 1.0, 3.0));
            painter.rect_filled(mark, 0.0, theme.error);
        }
        if tick.tick + 1 == now && now < preview.session.range()[1] {
            let x = x_of(at) + (STEP - 1.0) / 2.0;
            painter.vline(x, rect.y_range(), Stroke::new(1.0, theme.text_strong));
        }
    }
    budget_ui(theme, &painter, rect, (budget, top), height(budget));
    if rect.width() >= LEGEND {
        legend_ui(theme, &painter, rect);
    }
    if has_keyboard(&response) {
        let line = Stroke::new(1.0, theme.accent);
        painter.rect_stroke(rect, CornerRadius::same(3), line, egui::StrokeKind::Inside);
    }
    let hovered = response.hover_pos().and_then(|at| {
        let from_right = ((rect.right() - at.x) / STEP).floor();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bar on the screen")]
        let from_right = from_right.max(0.0) as usize;
        shown.len().checked_sub(from_right + 1).and_then(|at| shown.get(at))
    });
    let Some(tick) = hovered else {
        response.tip("How long each tick took of late; a click goes to a tick");
        return;
    };
    if response.clicked() {
        // To the moment after it, in which the world is as the tick left it.
        cx.send(Action::Preview(PreviewAction::Seek(tick.tick + 1)));
    }
    response.tip_ui(|ui| tick_ui(cx, ui, tick));
}

/// What the time there is for a tick looks like: a line, or where it is higher than the graph, a number.
fn budget_ui(theme: &Theme, painter: &egui::Painter, rect: Rect, (budget, top): (f64, f64), height: f32) {
    let text = format!("budget {:.1} ms", budget / 1e6);
    if budget <= top {
        let y = rect.bottom() - height;
        painter.hline(rect.x_range(), y, Stroke::new(1.0, theme.error));
        text_ui(theme, painter, pos2(rect.left() + 4.0, y + 2.0), text);
    } else {
        let text = format!("{text}, height {} ms", ms_text(top));
        text_ui(theme, painter, rect.left_top() + vec2(4.0, 2.0), text);
    }
}

/// Text over bars of any color, on a ground of its own.
fn text_ui(theme: &Theme, painter: &egui::Painter, at: Pos2, text: String) {
    let galley = painter.layout_no_wrap(text, FontId::proportional(SMALL), theme.text);
    let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(3.0, 1.0));
    painter.rect_filled(ground, CornerRadius::same(3), theme.panel.gamma_multiply(0.88));
    painter.galley(at, galley, theme.text);
}

fn legend_ui(theme: &Theme, painter: &egui::Painter, rect: Rect) {
    let mut x = rect.right() - 4.0;
    for (name, color) in parts(theme).into_iter().rev() {
        let font = FontId::proportional(SMALL);
        let text = painter.text(pos2(x, rect.top() + 2.0), Align2::RIGHT_TOP, name, font, theme.text_weak);
        let swatch = Rect::from_center_size(pos2(text.left() - 8.0, text.center().y), vec2(8.0, 8.0));
        painter.rect_filled(swatch, 1.0, color);
        x = swatch.left() - 8.0;
    }
}

/// What a tick took, and which systems took most of it.
fn tick_ui(cx: &Cx<'_>, ui: &mut Ui, tick: &TickProfile) {
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds of a tick")]
    let ms = |ns: u64| ms_text(ns as f64);
    ui.label(format!("Tick {}: {} ms", tick.tick, ms(tick.total_ns())));
    if tick.is_detailed() {
        for (ns, (name, color)) in times(tick).into_iter().zip(parts(cx.theme)) {
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                ui.painter().rect_filled(rect, 1.0, color);
                ui.label(cx.theme.caption(format!("{} ms {name}", ms(ns))));
            });
        }
        ui.separator();
    }
    let mut systems: Vec<_> = tick.systems.iter().skip(1).collect();
    systems.sort_by_key(|it| std::cmp::Reverse(it.own_ns));
    for it in systems.into_iter().take(4).filter(|it| it.own_ns > 0) {
        ui.label(cx.theme.caption(format!("{} ms {}", ms(it.own_ns), it.system.name())));
    }
    ui.label(cx.theme.caption("Click to go to it"));
}
