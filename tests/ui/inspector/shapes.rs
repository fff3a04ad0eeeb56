//! Shapes pulled on the sprite.

use super::*;

#[test]
fn a_shape_is_pulled_on_the_sprite() {
    let mut window = Window::sample();
    select_def(&mut window, GOBLINS, "goblin");
    let before = value(&window, "goblin", "Collider", "shape");
    assert_eq!(before, "Capsule(radius: 5.0, height: 14.0)");
    window.find("Collider.shape bottom end").scroll_to_me();
    window.harness.run_steps(4);
    let at = window.find("Collider.shape bottom end").rect().center();
    let canvas = window.find("Collider.shape over the sprite").rect();
    assert!(canvas.contains(at), "{canvas:?} {at:?}");
    window.drag(at, &[at + egui::vec2(0.0, 12.0), at + egui::vec2(0.0, 30.0)]);
    let after = value(&window, "goblin", "Collider", "shape");
    assert_ne!(after, before);
    assert!(after.starts_with("Capsule(radius: 5.0, height: "), "{after}");
    assert_eq!(window.editor().history().n_done(), 1, "one pull is one step, the offset with it");
    assert_ne!(value(&window, "goblin", "Collider", "offset"), "(0.0, 2.0)", "the other end stayed");
    window.key(Modifiers::COMMAND, Key::Z);
    assert_eq!(value(&window, "goblin", "Collider", "shape"), before);
}

#[test]
fn a_pulled_corner_stays_under_the_pointer() {
    let file = r#"{"crate": (set: (Collider: (shape: Box((16.0, 16.0)))))}"#;
    let mut window =
        Window::changed([1440.0, 900.0], |root| std::fs::write(root.join("entities/crate.ron"), file).unwrap());
    select_def(&mut window, "entities/crate.ron", "crate");
    let handle = "Collider.shape bottom right corner";
    window.find(handle).scroll_to_me();
    window.harness.run_steps(4);
    let at = window.find(handle).rect().center();
    let other = window.find("Collider.shape top left corner").rect().center();
    let scale = (at.x - other.x) / 16.0;
    // Far out in many steps, as a hand does; the box is as wide as the way says.
    let way = egui::vec2(48.0, 0.0);
    let places: Vec<_> = (1..=24u8).map(|i| at + way * (f32::from(i) / 24.0)).collect();
    window.drag(at, &places);
    let wide = 16.0 + (way.x / scale).round();
    assert_eq!(value(&window, "crate", "Collider", "shape"), format!("Box(({wide:.1}, 16.0))"));
}

#[test]
fn a_shape_that_cannot_be_read_stays_until_another_is_asked_for() {
    let file = r#"{"crate": (set: (Collider: (shape: Bocks((16.0, 16.0)))))}"#;
    let mut window =
        Window::changed([1440.0, 900.0], |root| std::fs::write(root.join("entities/crate.ron"), file).unwrap());
    select_def(&mut window, "entities/crate.ron", "crate");
    assert!(!window.has("Collider.shape width"));
    window.press("Use a box for Collider.shape");
    assert_eq!(value(&window, "crate", "Collider", "shape"), "Box((16.0, 16.0))");
    assert_eq!(window.editor().history().n_done(), 1);
}
