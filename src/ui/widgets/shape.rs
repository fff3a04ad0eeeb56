//! An editor for collider shapes: which kind, and its sizes.
//!
//! Invariant: what comes out is a shape that files may hold. A shape that cannot be read is left as it is until the
//! user chooses another.

use egui::{Id, RichText, Ui};

use super::{
    choose::{Choice, choose_ui},
    number::{NumberSpec, ValueChange, drag_ui},
};
use crate::{
    model::{FieldType, Name, Shape, Value},
    ui::{Cx, theme::SMALL},
};

/// Edit a shape by numbers, a polygon's corners too. Pulling it by hand is the Inspector's.
pub fn shape_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, value: &Value) -> Option<ValueChange<Value>> {
    let shape = match Shape::from_value(value) {
        Ok(shape) => shape,
        Err(why) => return unreadable_ui(cx, ui, name, value, &why),
    };
    let kinds: [Name; 4] = ["Box".into(), "Circle".into(), "Capsule".into(), "Polygon".into()];
    let kind = match &shape {
        Shape::Box(_) => "Box",
        Shape::Circle(_) => "Circle",
        Shape::Capsule { .. } => "Capsule",
        Shape::Polygon(_) => "Polygon",
    };
    ui.vertical(|ui| {
        let choices = || kinds.iter().map(Choice::new).collect();
        let picked = choose_ui(cx, ui, &format!("{name} kind"), (kind, &FieldType::Any), choices);
        if let Some(picked) = picked.filter(|picked| **picked != *kind) {
            return Some(ValueChange::Commit(converted(&shape, &picked).to_value()));
        }
        let change = sizes_ui(ui, name, &shape)?;
        sound(ui, name, change).map(|change| change.map(|shape| shape.to_value()))
    })
    .inner
}

/// The text in the file, its problem, and its fix.
fn unreadable_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str, value: &Value, why: &str) -> Option<ValueChange<Value>> {
    ui.vertical(|ui| {
        ui.add(egui::Label::new(RichText::new(value.to_string()).monospace()).truncate());
        ui.label(RichText::new(why).size(SMALL).color(cx.theme.error));
        let button = ui.small_button("Use a box");
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Use a box for {name}")));
        button.clicked().then(|| ValueChange::Commit(Shape::Box([16.0, 16.0]).to_value()))
    })
    .inner
}

/// A change, unless it would break the shape: a drag stops at the last one that did not, a typed number counts for
/// nothing.
fn sound(ui: &Ui, name: &str, change: ValueChange<Shape>) -> Option<ValueChange<Shape>> {
    let id = Id::unique(("last sound shape", name));
    let is_sound = |shape: &Shape| Shape::from_value(&shape.to_value()).is_ok();
    match change {
        ValueChange::Preview(shape) if is_sound(&shape) => {
            ui.data_mut(|data| data.insert_temp(id, Some(shape.clone())));
            Some(ValueChange::Preview(shape))
        }
        ValueChange::Preview(_) => None,
        ValueChange::Commit(shape) => {
            let last = ui.data_mut(|data| data.remove_temp::<Option<Shape>>(id)).flatten();
            if is_sound(&shape) { Some(shape) } else { last }.map(ValueChange::Commit)
        }
    }
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

fn sizes_ui(ui: &mut Ui, name: &str, shape: &Shape) -> Option<ValueChange<Shape>> {
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
