//! The row of the Tileset pane that gives the selected tiles to a terrain, and where that terrain is on their pictures.

use egui::{CornerRadius, Rect, Ui, vec2};
use egui_material_icons::icons;

use super::sheet::Shown;
use crate::{
    edit::{Phase, Refusal},
    editor::{Action, ViewChange},
    model::{DocPath, Name, TerrainMode, TerrainSet, Tileset, counted, sentence},
    refactor::{Plan, SIDE_TITLES, TerrainChange, TerrainSummary, change_terrain, mode_title, new_terrain},
    tools::{terrain_in_set, terrain_names},
    ui::{
        Cx,
        theme::{GRID, ROW},
        widgets::{
            IconButton, Tip as _,
            value::{hinted_text_ui, pick_ui},
        },
    },
};

/// The sides in the order of reading, with a picture for each.
const SIDES: [(usize, &str); 8] = [
    (7, icons::ICON_NORTH_WEST.codepoint),
    (0, icons::ICON_NORTH.codepoint),
    (1, icons::ICON_NORTH_EAST.codepoint),
    (6, icons::ICON_WEST.codepoint),
    (2, icons::ICON_EAST.codepoint),
    (5, icons::ICON_SOUTH_WEST.codepoint),
    (4, icons::ICON_SOUTH.codepoint),
    (3, icons::ICON_SOUTH_EAST.codepoint),
];

/// How wide the choices are.
const CHOICE: f32 = 148.0;

/// The terrain that is in hand: its number, the set's index, and what its sides are called.
fn in_hand(cx: &Cx<'_>, tileset: &Tileset) -> Option<(usize, usize, String)> {
    let n = if terrain_in_set(tileset, cx.view.terrain).is_some() { cx.view.terrain } else { 0 };
    terrain_in_set(tileset, n).map(|(set, label)| (n, set, label))
}

fn send(cx: &Cx<'_>, plan: Result<Plan, Refusal>) -> bool {
    match plan {
        Ok(plan) if plan.edits.is_empty() => true,
        Ok(plan) => {
            cx.send(Action::Gesture { label: plan.label, edits: plan.edits, phase: Phase::Commit });
            true
        }
        Err(why) => {
            cx.send(Action::Notice(sentence(&why.to_string())));
            false
        }
    }
}

/// Which terrain is meant, a new one, and where it is on the selected tiles.
pub(super) fn terrain_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, tileset): (&DocPath, &Tileset), ids: &[u32]) {
    let hand = in_hand(cx, tileset);
    let of_set = hand.as_ref().and_then(|(n, set, label)| Some((*n, *set, label, tileset.terrains.get(*set)?)));
    let change =
        |set: usize, label: &str, change| _ = send(cx, change_terrain((doc, tileset), (set, label), ids, change));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GRID;
        ui.label(cx.theme.caption("Terrain"))
            .tip("Tiles that choose their own edges when the tool Terrain paints them");
        if let Some((n, set_idx, label, set)) = of_set {
            let names: Vec<Name> = terrain_names(tileset).into_iter().map(Name::from).collect();
            let now = names.get(n).map_or("", |name| &**name);
            let picked = narrow(ui, |ui| pick_ui(cx, ui, "Terrain of the tiles", now, names.iter()));
            if let Some(n) = picked.and_then(|picked| names.iter().position(|name| *name == picked)) {
                cx.send(Action::View(ViewChange::Terrain(n)));
            }
            narrow(ui, |ui| mode_ui(cx, ui, set, &|it| change(set_idx, label, it)));
        }
        if let Some(typed) = hinted_text_ui(ui, "New terrain", "", ("new terrain…", 96.0)) {
            let n = terrain_names(tileset).len();
            if send(cx, new_terrain((doc, tileset), &typed.into_parts().0, ids)) {
                cx.send(Action::View(ViewChange::Terrain(n)));
            }
        }
    });
    if let Some((_, set_idx, label, set)) = of_set {
        ui.add_enabled_ui(!ids.is_empty(), |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(2.0, GRID);
                sides_ui(cx, ui, (set, label), ids, &|it| change(set_idx, label, it));
            });
        });
    }
}

/// A choice beside others, in a pane that may be narrow.
fn narrow<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.allocate_ui(vec2(CHOICE, ROW), add).inner
}

fn mode_ui(cx: &Cx<'_>, ui: &mut Ui, set: &TerrainSet, change: &dyn Fn(TerrainChange)) {
    const MODES: [TerrainMode; 3] = [TerrainMode::Edges, TerrainMode::Corners, TerrainMode::Mixed];
    let titles = MODES.map(|mode| Name::from(mode_title(mode)));
    if let Some(picked) = pick_ui(cx, ui, "What of the tiles matches", mode_title(set.mode), titles.iter())
        && let Some(i) = titles.iter().position(|title| *title == picked)
    {
        change(TerrainChange::Mode(MODES[i]));
    }
}

/// The arrangements, and single sides.
fn sides_ui(cx: &Cx<'_>, ui: &mut Ui, (set, label): (&TerrainSet, &str), ids: &[u32], change: &dyn Fn(TerrainChange)) {
    let summary = TerrainSummary::of(set, label, ids);
    let button = |ui: &mut Ui, icon: &str, name: &str, tip: &str, is_on: bool| {
        IconButton::new(icon, name).selected(is_on).show(cx.theme, ui).tip(tip).clicked()
    };
    let tip = "The selected tiles are one block in the picture: the terrain is where the block goes on. Of four columns or rows the \
               last is for strips one tile wide";
    if button(ui, icons::ICON_GRID_VIEW.codepoint, "Arrange as a block", tip, false) {
        change(TerrainChange::Block);
    }
    let is_everywhere = !ids.is_empty() && set.mode.sides().iter().all(|side| summary.sides[*side] == Some(true));
    let name = "On all sides";
    if button(ui, icons::ICON_SELECT_ALL.codepoint, name, "The terrain is on all sides of the tiles", is_everywhere) {
        change(TerrainChange::AllSides);
    }
    for (side, icon) in SIDES.into_iter().filter(|(side, _)| set.mode.sides().contains(side)) {
        let is_on = summary.sides[side] == Some(true);
        let name = format!("{label} at the {}", SIDE_TITLES[side]);
        let tip = format!("Whether {label} goes on at the {}", SIDE_TITLES[side]);
        if button(ui, icon, &name, &tip, is_on) {
            change(TerrainChange::Side(side, !is_on));
        }
    }
    if summary.n > 0 {
        let name = format!("Take out of {}", set.name);
        if button(ui, icons::ICON_CLOSE.codepoint, &name, &name, false) {
            change(TerrainChange::Remove);
        }
    }
    if summary.n < ids.len() {
        ui.label(cx.theme.caption(format!("{} not in {}", counted(ids.len() - summary.n, "tile"), set.name)));
    }
}

/// The terrains that the selected tiles can be given to, as items of a menu: on all their sides, to go on from.
pub(super) fn terrain_menu_ui(cx: &Cx<'_>, ui: &mut Ui, (doc, tileset): (&DocPath, &Tileset), ids: &[u32]) {
    let names = terrain_names(tileset);
    ui.add_enabled_ui(!ids.is_empty() && !names.is_empty(), |ui| {
        ui.menu_button("Terrain", |ui| {
            for (n, name) in names.iter().enumerate() {
                if !ui
                    .button(name)
                    .tip("The terrain is on all sides of the tiles; the row Terrain changes that")
                    .clicked()
                {
                    continue;
                }
                if let Some((set, label)) = terrain_in_set(tileset, n) {
                    send(cx, change_terrain((doc, tileset), (set, &label), ids, TerrainChange::AllSides));
                    cx.send(Action::View(ViewChange::Terrain(n)));
                }
                ui.close();
            }
        });
    });
}

/// The terrain in hand, of which selected tiles are marked: its set, and what its sides are called there.
pub(super) fn marked_terrain<'a>(cx: &Cx<'_>, tileset: &'a Tileset) -> Option<(&'a TerrainSet, String)> {
    let (_, set, label) = in_hand(cx, tileset)?;
    Some((tileset.terrains.get(set)?, label))
}

/// Mark on a selected tile where a terrain is.
pub(super) fn terrain_marks_ui(
    cx: &Cx<'_>,
    shown: &Shown<'_>,
    (set, label): (&TerrainSet, &str),
    (id, rect): (u32, Rect),
) {
    // From the left top, clockwise from the top: in which third of the tile a side is.
    const THIRDS: [[f32; 2]; 8] =
        [[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [0.0, 2.0], [0.0, 1.0], [0.0, 0.0]];
    let Some(sides) = set.sides_of(id) else { return };
    let third = rect.size() / 3.0;
    for (side, [x, y]) in sides.into_iter().zip(THIRDS) {
        if side == label {
            let mark = Rect::from_min_size(rect.min + vec2(x * third.x, y * third.y), third);
            shown.painter.rect_filled(mark.shrink(1.0), CornerRadius::ZERO, cx.theme.accent.gamma_multiply(0.7));
        }
    }
}
