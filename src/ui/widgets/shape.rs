//! An editor for collider shapes: which kind, and its sizes.

use egui::Ui;

use super::{
    number::{Change, NumberSpec, drag_ui},
    value::pick_ui,
};
use crate::{
    model::{Name, Shape, Value},
    ui::{Cx, theme::SMALL},
};

/// Edit a shape. A polygon's corners are numbers here; they are drawn over the sprite with colliders shown.
pub fn shape_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, value: &Value) -> Option<Change<Value>> {
    let shape = Shape::from_value(value).unwrap_or(Shape::Box([16.0, 16.0]));
    let kinds: [Name; 4] = ["Box".into(), "Circle".into(), "Capsule".into(), "Polygon".into()];
    let kind = match &shape {
        Shape::Box(_) => "Box",
        Shape::Circle(_) => "Circle",
        Shape::Capsule { .. } => "Capsule",
        Shape::Polygon(_) => "Polygon",
    };
    ui.vertical(|ui| {
        let picked = pick_ui(cx, ui, &format!("{name} kind"), kind, kinds.iter());
        if let Some(picked) = picked.filter(|picked| **picked != *kind) {
            return Some(Change::Commit(converted(&shape, &picked).to_value()));
        }
        sizes_ui(ui, name, &shape).map(|change| change.map(|shape| shape.to_value()))
    })
    .inner
}

/// A shape of another kind that takes up about the same room.
fn converted(shape: &Shape, kind: &str) -> Shape {
    let ([w, h], [x, y]) = shape.bounds();
    match kind {
        "Circle" => Shape::Circle(w.max(h)),
        "Capsule" => Shape::Capsule { radius: w.min(h), height: 2.0 * h.max(w) },
        "Polygon" => Shape::Polygon(vec![[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]]),
        _ => Shape::Box([2.0 * w, 2.0 * h]),
    }
}

fn sizes_ui(ui: &mut Ui, name: &str, shape: &Shape) -> Option<Change<Shape>> {
    let size = NumberSpec { min: Some(0.5), max: Some(4096.0), step: Some(0.5), unit: Some("px"), is_int: false };
    let free = NumberSpec { min: Some(-4096.0), max: Some(4096.0), ..size };
    let number = |ui: &mut Ui, part: &str, value: f64, spec: &NumberSpec<'_>| {
        drag_ui(ui, &format!("{name} {part}"), value, spec).1
    };
    match shape {
        Shape::Box([w, h]) => {
            ui.horizontal(|ui| {
                let on_w = number(ui, "width", *w, &size).map(|c| c.map(|w| Shape::Box([w, *h])));
                let on_h = number(ui, "height", *h, &size).map(|c| c.map(|h| Shape::Box([*w, h])));
                on_w.or(on_h)
            })
            .inner
        }
        Shape::Circle(r) => number(ui, "radius", *r, &size).map(|c| c.map(Shape::Circle)),
        Shape::Capsule { radius, height } => {
            ui.horizontal(|ui| {
                let on_r = number(ui, "radius", *radius, &size)
                    .map(|c| c.map(|radius| Shape::Capsule { radius, height: height.max(2.0 * radius) }));
                let on_h = number(ui, "height", *height, &size)
                    .map(|c| c.map(|height| Shape::Capsule { radius: *radius, height: height.max(2.0 * radius) }));
                on_r.or(on_h)
            })
            .inner
        }
        Shape::Polygon(points) => {
            let mut out = None;
            for (i, [x, y]) in points.iter().enumerate() {
                ui.horizontal(|ui| {
                    ui.label(egui::RichText::new(format!("{i}")).size(SMALL));
                    let on_x = number(ui, &format!("corner {i} x"), *x, &free);
                    let on_y = number(ui, &format!("corner {i} y"), *y, &free);
                    let with = |at: [f64; 2]| {
                        let mut all = points.clone();
                        all[i] = at;
                        Shape::Polygon(all)
                    };
                    out = out
                        .take()
                        .or(on_x.map(|c| c.map(|x| with([x, *y]))))
                        .or(on_y.map(|c| c.map(|y| with([*x, y]))));
                });
            }
            out
        }
    }
}
