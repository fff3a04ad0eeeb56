//! The dock: where each pane is, as people arrange it. Kept between sessions; what is in a pane is `ui::panels`.

use egui::{Ui, WidgetText};
use egui_tiles::{Behavior, Container, SimplificationOptions, TabState, Tile, TileId, Tiles, Tree, UiResponse};

use crate::{
    editor::{Action, Pane, ViewChange},
    ui::{
        PaneCx,
        panels::{level::level_bar_ui, pane_ui},
    },
};

/// The layout of a new window: level, machines and definitions in the middle, project and layers at the left, inspector
/// and palette at the right, problems, messages and history below.
#[must_use]
pub(super) fn first() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let mut tabs = |panes: &[Pane]| {
        let panes = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
        tiles.insert_tab_tile(panes)
    };
    let project = tabs(&[Pane::Project]);
    let layers = tabs(&[Pane::Layers]);
    let center = tabs(&[Pane::Level, Pane::Game, Pane::Machine, Pane::Definitions, Pane::Inheritance, Pane::Tileset]);
    let below = tabs(&[Pane::Problems, Pane::Messages, Pane::History, Pane::Preview, Pane::Profiler, Pane::Tracks]);
    let inspector = tabs(&[Pane::Inspector, Pane::Tuning]);
    let palette = tabs(&[Pane::Palette, Pane::Stamps]);
    let mut split = |is_horizontal: bool, children: &[(TileId, f32)]| {
        let ids = children.iter().map(|(id, _)| *id).collect();
        let direction = if is_horizontal { egui_tiles::LinearDir::Horizontal } else { egui_tiles::LinearDir::Vertical };
        let mut linear = egui_tiles::Linear::new(direction, ids);
        for (id, share) in children {
            linear.shares.set_share(*id, *share);
        }
        tiles.insert_new(Tile::Container(Container::Linear(linear)))
    };
    let left = split(false, &[(project, 1.2), (layers, 1.0)]);
    let middle = split(false, &[(center, 3.2), (below, 1.0)]);
    let right = split(false, &[(inspector, 1.6), (palette, 1.0)]);
    let root = split(true, &[(left, 0.95), (middle, 3.4), (right, 1.2)]);
    Tree::new(egui::Id::unique("dock"), root, tiles)
}

/// Bring a pane to the front of its tabs; put it back where it was at first if it was closed.
pub(super) fn show(tree: &mut Tree<Pane>, pane: Pane) {
    add(tree, pane);
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(shown) if *shown == pane));
}

/// Put a pane that is closed where it was at first, behind what is in front there.
fn add(tree: &mut Tree<Pane>, pane: Pane) {
    if tree.tiles.find_pane(&pane).is_some() {
        return;
    }
    let home = home(tree, pane);
    let id = tree.tiles.insert_pane(pane);
    match home.or(tree.root) {
        Some(root) => {
            let front = match tree.tiles.get(root) {
                Some(Tile::Container(Container::Tabs(tabs))) => tabs.active,
                _ => None,
            };
            tree.move_tile_to_container(id, root, usize::MAX, true);
            tree.make_active(|id, _| Some(id) == front);
        }
        None => tree.root = Some(tree.tiles.insert_tab_tile(vec![id])),
    }
}

/// Every pane there is.
pub(super) fn all() -> Vec<Pane> {
    let mut panes: Vec<Pane> = first()
        .tiles
        .tiles()
        .filter_map(|tile| match tile {
            Tile::Pane(pane) => Some(*pane),
            Tile::Container(_) => None,
        })
        .collect();
    panes.sort_unstable();
    panes
}

/// Add the panes that there were none of when a layout was kept. What people closed stays closed.
pub(super) fn add_new(tree: &mut Tree<Pane>, known: &[Pane]) {
    all().into_iter().filter(|pane| !known.contains(pane)).for_each(|pane| add(tree, pane));
}

/// The tabs that hold what a pane stands beside in a new window.
fn home(tree: &Tree<Pane>, pane: Pane) -> Option<TileId> {
    let first = first();
    let tabs = first.tiles.parent_of(first.tiles.find_pane(&pane)?)?;
    let Some(Tile::Container(tabs)) = first.tiles.get(tabs) else { return None };
    tabs.children().find_map(|beside| match first.tiles.get(*beside) {
        Some(Tile::Pane(beside)) => tree.tiles.parent_of(tree.tiles.find_pane(beside)?),
        _ => None,
    })
}

/// Have tabs hold panes only, after something was dropped into one of them: tabs within become tabs beside, and what
/// was dropped at a side of a pane stands at that side of all its tabs.
pub(super) fn unnest(tree: &mut Tree<Pane>, dropped: TileId) {
    while let Some((outer, inner)) = nested(tree) {
        unnest_one(tree, (outer, inner), dropped);
    }
}

/// Tabs, and a container that is one of them.
fn nested(tree: &Tree<Pane>) -> Option<(TileId, TileId)> {
    tree.tiles.iter().find_map(|(outer, tile)| {
        let Tile::Container(Container::Tabs(tabs)) = tile else { return None };
        let is_container = |id: &&TileId| matches!(tree.tiles.get(**id), Some(Tile::Container(_)));
        Some((*outer, *tabs.children.iter().find(is_container)?))
    })
}

fn unnest_one(tree: &mut Tree<Pane>, (outer, inner): (TileId, TileId), dropped: TileId) {
    let Some(Tile::Container(container)) = tree.tiles.remove(inner) else { return };
    let children = container.children_vec();
    let holds_dropped = |id: &TileId| *id == dropped || tree.tiles.parent_of(dropped) == Some(*id);
    let beside = children.iter().position(holds_dropped);
    let split = match &container {
        Container::Linear(linear) => beside.map(|at| (linear.dir, at)),
        Container::Tabs(_) | Container::Grid(_) => None,
    };
    let stay = children.iter().enumerate().filter(|(at, _)| split.is_none_or(|(_, moved)| moved != *at));
    let stay: Vec<TileId> = stay.map(|(_, id)| *id).collect();
    if let Some(Tile::Container(Container::Tabs(tabs))) = tree.tiles.get_mut(outer) {
        let at = tabs.children.iter().position(|id| *id == inner).unwrap_or_default();
        let front = match &container {
            Container::Tabs(tabs) => tabs.active,
            _ => stay.first().copied(),
        };
        tabs.children.splice(at..=at, stay);
        front.into_iter().for_each(|id| tabs.set_active(id));
    }
    let Some((direction, at)) = split else { return };
    let above = tree.tiles.parent_of(outer);
    let order = if at == 0 { vec![children[at], outer] } else { vec![outer, children[at]] };
    let both = tree.tiles.insert_container(egui_tiles::Linear::new(direction, order));
    match above.and_then(|id| tree.tiles.get_mut(id)) {
        Some(Tile::Container(above)) => _ = above.replace_child(outer, both),
        _ => tree.root = Some(both),
    }
}

/// The panes that are seen, from the left and, below each other, from the top.
#[must_use]
pub(super) fn seen(tree: &Tree<Pane>) -> Vec<Pane> {
    let place = |id: TileId| tree.tiles.rect(id).map_or([0.0; 2], |rect| [rect.left(), rect.top()]);
    let pane = |id: TileId| match tree.tiles.get(id) {
        Some(Tile::Pane(pane)) => Some((place(id), *pane)),
        _ => None,
    };
    let mut panes: Vec<_> = tree.active_tiles().into_iter().filter_map(pane).collect();
    panes.sort_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    panes.into_iter().map(|(_, pane)| pane).collect()
}

/// The pane that is seen at a place.
#[must_use]
pub(super) fn pane_at(tree: &Tree<Pane>, at: egui::Pos2) -> Option<Pane> {
    let is_there = |id: &TileId| tree.tiles.rect(*id).is_some_and(|rect| rect.contains(at));
    tree.active_tiles().into_iter().filter(is_there).find_map(|id| match tree.tiles.get(id) {
        Some(Tile::Pane(pane)) => Some(*pane),
        _ => None,
    })
}

/// Whether every pane of a kept layout is one there still is, and the level is among them.
#[must_use]
pub(super) fn is_sound(tree: &Tree<Pane>) -> bool {
    tree.root.is_some() && tree.tiles.find_pane(&Pane::Level).is_some()
}

/// How the dock shows panes.
pub(super) struct Dock<'a> {
    /// What there is to show.
    pub panes: PaneCx<'a>,
    /// Whether a key was used last, not the pointer.
    pub is_by_keys: bool,
}

impl Dock<'_> {
    /// A pane of documents is worked in once it comes to the front or is clicked in.
    fn notice_work(&self, ui: &Ui, pane: Pane, rect: egui::Rect) {
        if !pane.is_of_documents() {
            return;
        }
        let now = ui.ctx().cumulative_frame_nr();
        let id = egui::Id::unique(("shown", pane));
        let last: Option<u64> = ui.data_mut(|data| {
            let last = data.get_temp(id);
            data.insert_temp(id, now);
            last
        });
        // What is there from the start came to no front.
        let is_new = last.is_some_and(|last| last + 1 < now) || (last.is_none() && pane != Pane::Level && now > 1);
        let is_clicked = ui.input(|input| {
            input.pointer.any_pressed() && input.pointer.interact_pos().is_some_and(|at| rect.contains(at))
        });
        if (is_new || is_clicked) && self.panes.cx.view.working != pane {
            self.panes.cx.send(Action::View(ViewChange::Work(pane)));
        }
    }
}

impl Behavior<Pane> for Dock<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _id: TileId, pane: &mut Pane) -> UiResponse {
        let margin = if matches!(*pane, Pane::Level | Pane::Game) { 0.0 } else { 6.0 };
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, 0.0, self.panes.cx.theme.panel);
        self.notice_work(ui, *pane, rect);
        let inner = rect.shrink(margin);
        ui.push_id(*pane, |ui| {
            crate::ui::widgets::in_rect(ui, inner, |ui| pane_ui(&self.panes, ui, *pane));
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        match pane {
            Pane::Problems if !self.panes.cx.derived.problems().is_empty() => {
                format!("{} {}", pane.title(), self.panes.cx.derived.problems().len()).into()
            }
            _ => pane.title().into(),
        }
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, id: TileId) -> bool {
        !matches!(tiles.get(id), Some(Tile::Pane(Pane::Level)))
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut Ui,
        _id: TileId,
        tabs: &egui_tiles::Tabs,
        _scroll: &mut f32,
    ) {
        let active = tabs.active.and_then(|id| tiles.get(id));
        if let Some(Tile::Pane(Pane::Level)) = active {
            level_bar_ui(self.panes.cx, ui);
        }
    }

    // By keys they would be stops without a name, where no key does anything.
    fn is_tile_draggable(&self, tiles: &Tiles<Pane>, id: TileId) -> bool {
        !self.is_by_keys || matches!(tiles.get(id), Some(Tile::Pane(_)))
    }

    fn is_container_resizable(&self, _tiles: &Tiles<Pane>, _id: TileId) -> bool {
        !self.is_by_keys
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        26.0
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        2.0
    }

    fn min_size(&self) -> f32 {
        80.0
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn tab_bar_color(&self, _visuals: &egui::Visuals) -> egui::Color32 {
        self.panes.cx.theme.chrome
    }

    fn tab_bg_color(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &Tiles<Pane>,
        _id: TileId,
        state: &TabState,
    ) -> egui::Color32 {
        if state.active { self.panes.cx.theme.panel } else { self.panes.cx.theme.chrome }
    }

    fn tab_text_color(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &Tiles<Pane>,
        _id: TileId,
        state: &TabState,
    ) -> egui::Color32 {
        if state.active { self.panes.cx.theme.text_strong } else { self.panes.cx.theme.text_weak }
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &Tiles<Pane>,
        _id: TileId,
        _state: &TabState,
    ) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _visuals: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn resize_stroke(&self, _style: &egui::Style, state: egui_tiles::ResizeState) -> egui::Stroke {
        let color = match state {
            egui_tiles::ResizeState::Idle => self.panes.cx.theme.canvas,
            egui_tiles::ResizeState::Hovering => self.panes.cx.theme.line,
            egui_tiles::ResizeState::Dragging => self.panes.cx.theme.accent,
        };
        egui::Stroke::new(2.0, color)
    }
}

#[cfg(test)]
mod tests {
    use egui_tiles::ContainerKind;

    use super::*;

    fn in_front(tree: &Tree<Pane>) -> Vec<Pane> {
        let panes = tree.active_tiles().into_iter().filter_map(|id| match tree.tiles.get(id) {
            Some(Tile::Pane(pane)) => Some(*pane),
            _ => None,
        });
        panes.collect()
    }

    /// Two tabs, of which the first was made a container with a pane that was dropped there; that pane, and the whole.
    fn dropped_into(kind: ContainerKind) -> (TileId, Tree<Pane>) {
        let mut tiles = Tiles::default();
        let [level, game, moved] = [Pane::Level, Pane::Game, Pane::Problems].map(|pane| tiles.insert_pane(pane));
        let moved_tabs = tiles.insert_tab_tile(vec![moved]);
        let inner = tiles.insert_container(Container::new(kind, vec![moved_tabs, level]));
        let root = tiles.insert_tab_tile(vec![inner, game]);
        (moved, Tree::new(egui::Id::unique("test"), root, tiles))
    }

    fn titles(tree: &Tree<Pane>, id: TileId) -> String {
        match tree.tiles.get(id) {
            Some(Tile::Pane(pane)) => pane.title().to_owned(),
            Some(Tile::Container(container)) => {
                let children: Vec<String> = container.children().map(|id| titles(tree, *id)).collect();
                format!("{:?}[{}]", container.kind(), children.join(" "))
            }
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn tabs_hold_panes_only_whatever_is_dropped_into_one() {
        for (kind, expected) in [
            (ContainerKind::Tabs, "Tabs[Problems Level Game]"),
            (ContainerKind::Horizontal, "Horizontal[Tabs[Problems] Tabs[Level Game]]"),
            (ContainerKind::Vertical, "Vertical[Tabs[Problems] Tabs[Level Game]]"),
        ] {
            let (moved, mut tree) = dropped_into(kind);
            unnest(&mut tree, moved);
            assert_eq!(tree.root.map(|root| titles(&tree, root)).as_deref(), Some(expected));
            let options = SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() };
            tree.simplify(&options);
            assert_eq!(nested(&tree), None);
        }
    }

    #[test]
    fn a_pane_that_is_new_comes_into_a_kept_layout_behind_the_others() {
        let mut tree = first();
        let in_front_before = in_front(&tree);
        for closed in [Pane::Game, Pane::History] {
            let id = tree.tiles.find_pane(&closed).unwrap_or_else(|| panic!("{closed:?}"));
            tree.remove_recursively(id);
        }
        let known: Vec<Pane> = all().into_iter().filter(|pane| *pane != Pane::Game).collect();
        add_new(&mut tree, &known);
        assert!(tree.tiles.find_pane(&Pane::Game).is_some());
        assert_eq!(tree.tiles.find_pane(&Pane::History), None, "it was closed");
        assert_eq!(in_front(&tree), in_front_before);
    }
}
