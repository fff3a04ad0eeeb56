//! The picture of a tileset to point at: drawn as one image, with a zoom of its own, and rectangles of cells dragged
//! over it. The Palette takes brushes from it, the Tileset pane selects tiles on it.
//!
//! Invariant: a frame costs what is seen of the picture, not how many tiles there are.

use std::{rc::Rc, sync::Arc};

use egui::{
    Color32, CornerRadius, Event, EventFilter, Id, Key, MouseWheelUnit, Painter, PointerButton, Pos2, Rect, ScrollArea,
    Sense, Stroke, StrokeKind, TextureHandle, Ui, Vec2, epaint::Vertex, pos2, vec2,
};
use egui_material_icons::icons;

use crate::{
    editor::{Camera, TilesByCell},
    model::{Cell, DocPath, Document, Tile, TileDef, Tileset},
    raster::{Image, SheetGrid, tile_uv},
    ui::{
        Cx, focus,
        widgets::{IconButton, Tip as _, has_keyboard, is_wanted},
    },
};

/// Tiles are drawn at least this large, in points, so that no frame has to draw a great many.
const SMALLEST_TILE: f32 = 6.0;

/// The largest zoom.
const LARGEST: f32 = 16.0;

/// A tileset with its picture.
pub(super) struct Sheet<'a> {
    /// Its file.
    pub doc: &'a DocPath,
    /// The tileset.
    pub tileset: &'a Tileset,
    /// Decoded.
    pub picture: &'a Arc<Image>,
    path: DocPath,
    /// Of the whole picture.
    texture: TextureHandle,
    grid: SheetGrid,
    known: Rc<Known>,
}

/// What is known of the tiles of a document.
struct Known {
    of: Arc<Document>,
    by_cell: TilesByCell,
}

impl<'a> Sheet<'a> {
    /// The tileset in a file; `None` when its picture cannot be read.
    pub(super) fn of(cx: &'a Cx<'_>, ui: &Ui, doc: &'a DocPath) -> Option<Self> {
        let document = cx.project.doc(doc)?;
        let tileset = cx.project.tileset(doc)?;
        let path = doc.beside(&tileset.image)?;
        let picture = cx.derived.images().get(path.as_str())?;
        let texture = cx.textures.get(ui.ctx(), cx.derived.images(), path.as_str())?;
        let known = cx.derived.memos().get_current(
            ("tiles by cell", doc.as_str()),
            |known: &Known| Arc::ptr_eq(&known.of, document),
            |_| Known { of: document.clone(), by_cell: TilesByCell::of(tileset) },
        );
        Some(Self { doc, tileset, picture, path, texture, grid: SheetGrid::of(tileset), known })
    }

    /// Which tile is where.
    pub(super) fn by_cell(&self) -> &TilesByCell {
        &self.known.by_cell
    }

    /// The document of the tileset.
    pub(super) fn document(&self) -> &Arc<Document> {
        &self.known.of
    }

    /// Paint tiles that lie on cells as large as fits into a rectangle, in its middle.
    pub(super) fn tiles_ui(&self, ui: &Ui, tiles: &[(Cell, Tile)], room: Rect) {
        let Some((lo, hi)) = tiles
            .iter()
            .map(|(cell, _)| (*cell, *cell))
            .reduce(|(a, b), (c, d)| ([0, 1].map(|i| a[i].min(c[i])), [0, 1].map(|i| b[i].max(d[i]))))
        else {
            return;
        };
        let [w, h] = self.tileset.tile_size.map(|side| side.max(1) as f32);
        let size = vec2((hi[0] - lo[0] + 1) as f32 * w, (hi[1] - lo[1] + 1) as f32 * h);
        let scale = (room.width() / size.x).min(room.height() / size.y);
        let corner = room.center() - size * scale / 2.0;
        let mut mesh = egui::Mesh::with_texture(self.texture.id());
        for (cell, tile) in tiles {
            let Some(corners) = tile_uv(*tile, self.tileset, self.picture) else { continue };
            let at = corner + vec2((cell[0] - lo[0]) as f32 * w, (cell[1] - lo[1]) as f32 * h) * scale;
            let rect = Rect::from_min_size(at, vec2(w, h) * scale);
            let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
            let places = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
            let vertex = |(pos, [u, v]): (Pos2, [f32; 2])| Vertex { pos, uv: pos2(u, v), color: Color32::WHITE };
            mesh.vertices.extend(places.into_iter().zip(corners).map(vertex));
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
        }
        ui.painter().add(egui::Shape::mesh(mesh));
    }

    /// The tile on a cell.
    pub(super) fn tile_at(&self, cell: [u32; 2]) -> Option<(u32, &'a TileDef)> {
        let id = self.by_cell().at(cell)?;
        Some((id, self.tileset.tiles.get(&id)?))
    }

    fn size(&self) -> Vec2 {
        let [w, h] = self.picture.size();
        vec2(w as f32, h as f32)
    }
}

/// How large a picture is shown; which part of it, once that is to change.
#[derive(Clone, Copy, Default)]
struct Zoom {
    /// Points for a pixel; as large as fits when `None`.
    chosen: Option<f32>,
    /// As it was drawn last.
    shown: f32,
    /// Where to scroll to.
    offset: Option<Vec2>,
}

fn zoom_id(name: &str) -> Id {
    Id::unique(("sheet zoom", name))
}

fn stepped(scale: f32, n_sizes: i32) -> f32 {
    Camera { scale, ..Camera::default() }.stepped(n_sizes).scale
}

/// A small control of the zoom of the picture of this name.
pub(super) fn zoom_ui(cx: &Cx<'_>, ui: &mut Ui, name: &str) {
    let mut zoom: Zoom = ui.data(|data| data.get_temp(zoom_id(name))).unwrap_or_default();
    let before = zoom.chosen;
    let shown = if zoom.shown > 0.0 { zoom.shown } else { 1.0 };
    let tip = "Ctrl and the wheel do the same at the pointer";
    let closer = format!("Zoom in on {name}");
    if IconButton::new(icons::ICON_ADD.codepoint, &closer).in_row().show(cx.theme, ui).tip(tip).clicked() {
        zoom.chosen = Some(stepped(shown, 1));
    }
    let percent = Camera { scale: shown, ..Camera::default() }.percent();
    let response = ui.add(egui::Button::new(cx.theme.caption(percent)).frame(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Fit {name}")));
    if response.tip("Show the whole width").clicked() {
        zoom.chosen = None;
    }
    let farther = format!("Zoom out of {name}");
    if IconButton::new(icons::ICON_REMOVE.codepoint, &farther).in_row().show(cx.theme, ui).tip(tip).clicked() {
        zoom.chosen = Some(stepped(shown, -1));
    }
    if zoom.chosen.map(f32::to_bits) != before.map(f32::to_bits) {
        ui.data_mut(|data| data.insert_temp(zoom_id(name), zoom));
    }
}

/// The picture as it is drawn.
pub(super) struct Shown<'a> {
    /// Draws over it, within what is seen.
    pub painter: Painter,
    grid: SheetGrid,
    rect: Rect,
    /// Points for a pixel.
    pub scale: f32,
    cells: [u32; 2],
    sheet: &'a Sheet<'a>,
}

impl Shown<'_> {
    /// Where a cell is.
    pub(super) fn rect_of(&self, cell: [u32; 2]) -> Rect {
        let [x, y] = self.grid.corner(cell).map(|px| px as f32);
        let [w, h] = self.grid.tile_size.map(|px| px as f32);
        Rect::from_min_size(self.rect.min + vec2(x, y) * self.scale, vec2(w, h) * self.scale)
    }

    /// The cell at a place; the nearest one beside the picture and between cells.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to cells of the picture")]
    fn cell_at(&self, at: Pos2) -> [u32; 2] {
        let local = (at - self.rect.min) / self.scale;
        [0, 1].map(|i| {
            let step = (self.grid.tile_size[i].max(1) + self.grid.spacing) as f32;
            let x = (local[i] - self.grid.margin as f32) / step;
            (x.max(0.0) as u32).min(self.cells[i].saturating_sub(1))
        })
    }

    /// The tiles that are seen, with their cells.
    pub(super) fn visible(&self) -> impl Iterator<Item = ([u32; 2], u32, &TileDef)> {
        let clip = self.painter.clip_rect().intersect(self.rect);
        let (lo, hi) = (self.cell_at(clip.min), self.cell_at(clip.max));
        let is_seen = clip.is_positive() && !self.cells.contains(&0);
        let rows = if is_seen { lo[1]..hi[1] + 1 } else { 0..0 };
        rows.flat_map(move |y| (lo[0]..=hi[0]).map(move |x| [x, y])).filter_map(|cell| {
            let (id, tile) = self.sheet.tile_at(cell)?;
            Some((cell, id, tile))
        })
    }

    /// A frame around a cell, seen on any art.
    pub(super) fn frame(&self, cx: &Cx<'_>, cell: [u32; 2], color: Color32) {
        let rect = self.rect_of(cell);
        self.painter.rect_stroke(rect, CornerRadius::ZERO, Stroke::new(3.0, cx.theme.halo), StrokeKind::Inside);
        self.painter.rect_stroke(rect, CornerRadius::ZERO, Stroke::new(1.5, color), StrokeKind::Inside);
    }
}

/// A rectangle of cells that was clicked or dragged over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    /// Left top.
    pub lo: [u32; 2],
    /// Right bottom, included.
    pub hi: [u32; 2],
    /// Whether the pointer stayed where it was pressed.
    pub is_click: bool,
    /// Whether Ctrl or Shift was held.
    pub is_adding: bool,
    /// What it was picked for.
    pub purpose: Purpose,
}

/// What cells of a picture are picked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be selected.
    Select,
    /// To be used at once: Enter was pressed on what is picked already.
    Use,
    /// For the menu that the other button opens.
    Menu,
}

/// Show the picture under the name by which it is found, with `over` drawn over it and `tip` at the pointer. Returns
/// what was picked.
pub(super) fn sheet_ui(
    cx: &Cx<'_>,
    ui: &mut Ui,
    name: &str,
    sheet: &Sheet<'_>,
    over: impl FnOnce(&Shown<'_>),
    tip: impl FnOnce(u32, &TileDef) -> String,
    menu: impl FnOnce(&mut Ui),
) -> Option<Picked> {
    let id = zoom_id(name);
    let mut zoom: Zoom = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let size = sheet.size();
    let side = sheet.tileset.tile_size.iter().max().map_or(1.0, |side| (*side).max(1) as f32);
    let smallest = (SMALLEST_TILE / side).min(1.0);
    // Whole multiples keep pixels square.
    let fit = (ui.available_width() / size.x).floor().clamp(1.0, 3.0);
    let scale = zoom.chosen.unwrap_or(fit).clamp(smallest, LARGEST);
    zoom.shown = scale;
    let mut area = ScrollArea::both().id_salt((name, sheet.doc.as_str())).auto_shrink(false);
    if let Some(offset) = zoom.offset.take() {
        area = area.scroll_offset(offset);
    }
    let out = area.show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(size * scale, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, name));
        if is_wanted(ui, name) {
            response.request_focus();
        }
        checkerboard_ui(cx, ui, rect);
        cx.textures.paint_whole(ui.painter(), sheet.path.as_str(), sheet.picture, rect);
        let cells = sheet.grid.cells(sheet.picture.size());
        let painter = ui.painter_at(rect.intersect(ui.clip_rect()));
        let shown = Shown { painter, grid: sheet.grid, rect, scale, cells, sheet };
        over(&shown);
        let picked = if cells.contains(&0) {
            None
        } else {
            let by_keys = keys_ui(cx, ui, &shown, &response);
            let for_menu = response.interact_pointer_pos().filter(|_| response.secondary_clicked()).map(|at| {
                let cell = shown.cell_at(at);
                Picked { lo: cell, hi: cell, is_click: false, is_adding: false, purpose: Purpose::Menu }
            });
            picked_ui(cx, ui, &shown, &response, name).or(by_keys).or(for_menu)
        };
        response.context_menu(menu);
        let hovered = response.hover_pos().filter(|at| rect.contains(*at)).map(|at| shown.cell_at(at));
        if let Some((cell, (tile, def))) = hovered.and_then(|cell| Some((cell, sheet.tile_at(cell)?))) {
            shown.frame(cx, cell, Color32::WHITE);
            if !focus::is_by_keys(ui.ctx()) {
                response.clone().on_hover_text_at_pointer(tip(tile, def));
            }
        }
        (picked, rect, response.hover_pos())
    });
    let (picked, rect, pointer) = out.inner;
    let wanted = pointer.map_or(scale, |_| wheeled(ui, scale)).clamp(smallest, LARGEST);
    if let Some(pointer) = pointer
        && (wanted - scale).abs() > f32::EPSILON
    {
        // What is under the pointer stays there.
        let corner = pointer - (pointer - rect.min) * (wanted / scale);
        zoom.offset = Some((out.inner_rect.min - corner).max(Vec2::ZERO));
        zoom.chosen = Some(wanted);
        ui.ctx().request_repaint();
    }
    ui.data_mut(|data| data.insert_temp(id, zoom));
    picked
}

/// The scale after the wheel was turned with Ctrl, or fingers pinched.
fn wheeled(ui: &Ui, scale: f32) -> f32 {
    ui.input(|input| {
        input.events.iter().fold(scale, |scale, event| match event {
            Event::MouseWheel { unit, delta, modifiers, .. } if modifiers.command => match unit {
                MouseWheelUnit::Point => scale * (delta.y / 200.0).exp(),
                _ if delta.y == 0.0 => scale,
                _ => stepped(scale, if delta.y > 0.0 { 1 } else { -1 }),
            },
            Event::Zoom(factor) => scale * factor,
            _ => scale,
        })
    })
}

/// What the arrow keys go to while the picture has the focus: the next cell, or with Shift a rectangle up to it.
fn keys_ui(cx: &Cx<'_>, ui: &Ui, shown: &Shown<'_>, response: &egui::Response) -> Option<Picked> {
    if !has_keyboard(response) {
        return None;
    }
    ui.memory_mut(|memory| {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        memory.set_focus_lock_filter(response.id, filter);
    });
    let id = response.id.with("by keys");
    let last = shown.cells.map(|n| n.saturating_sub(1));
    let kept: ([u32; 2], [u32; 2]) = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    // The sheet may be smaller by now.
    let (mut from, mut at) = (kept.0, kept.1);
    for place in [&mut from, &mut at] {
        *place = [0, 1].map(|i| place[i].min(last[i]));
    }
    let (mut is_moved, mut is_entered) = (false, false);
    for event in ui.input(|input| input.events.clone()) {
        let Event::Key { key, pressed: true, modifiers, .. } = event else { continue };
        at = match key {
            Key::ArrowLeft => [at[0].saturating_sub(1), at[1]],
            Key::ArrowRight => [at[0] + 1, at[1]],
            Key::ArrowUp => [at[0], at[1].saturating_sub(1)],
            Key::ArrowDown => [at[0], at[1] + 1],
            Key::Enter => {
                is_entered = true;
                continue;
            }
            _ => continue,
        };
        at = [0, 1].map(|i| at[i].min(last[i]));
        if !modifiers.shift {
            from = at;
        }
        is_moved = true;
    }
    ui.data_mut(|data| data.insert_temp(id, (from, at)));
    shown.frame(cx, at, cx.theme.accent);
    if !is_moved && !is_entered {
        return None;
    }
    ui.scroll_to_rect(shown.rect_of(at), None);
    let (lo, hi) = ([0, 1].map(|i| from[i].min(at[i])), [0, 1].map(|i| from[i].max(at[i])));
    Some(Picked {
        lo,
        hi,
        is_click: lo == hi,
        is_adding: false,
        purpose: if is_entered { Purpose::Use } else { Purpose::Select },
    })
}

/// The frame that is dragged, and what it was around when it is let go of.
fn picked_ui(cx: &Cx<'_>, ui: &Ui, shown: &Shown<'_>, response: &egui::Response, name: &str) -> Option<Picked> {
    let from_id = Id::unique(("sheet drag", name));
    let is_primary = ui.input(|input| input.pointer.primary_down());
    let origin = ui.input(|input| input.pointer.press_origin());
    if let Some(origin) = origin.filter(|_| response.is_pointer_button_down_on() && is_primary) {
        // In the picture, which may scroll meanwhile.
        let at = (origin - shown.rect.min) / shown.scale;
        ui.data_mut(|data| _ = data.get_temp_mut_or_insert_with(from_id, || at));
    }
    let from: Vec2 = ui.data(|data| data.get_temp(from_id))?;
    let is_over = response.clicked() || response.drag_stopped_by(PointerButton::Primary);
    if is_over || !is_primary {
        ui.data_mut(|data| data.remove::<Vec2>(from_id));
    }
    let to = response.interact_pointer_pos()?;
    let (a, b) = (shown.cell_at(shown.rect.min + from * shown.scale), shown.cell_at(to));
    let (lo, hi) = ([0, 1].map(|i| a[i].min(b[i])), [0, 1].map(|i| a[i].max(b[i])));
    let around = shown.rect_of(lo).union(shown.rect_of(hi));
    shown.painter.rect_stroke(around, 0.0, Stroke::new(2.0, cx.theme.accent), StrokeKind::Inside);
    let is_adding = ui.input(|input| input.modifiers.command || input.modifiers.shift);
    is_over.then_some(Picked { lo, hi, is_click: lo == hi, is_adding, purpose: Purpose::Select })
}

/// Paint squares below pictures that are transparent in part, to tell them from art of one color. They start at the
/// left top of `rect` and have a size of their own.
pub(super) fn checkerboard_ui(cx: &Cx<'_>, ui: &Ui, rect: Rect) {
    /// The side of a square, in points.
    const SQUARE: f32 = 8.0;
    let texture = cx.textures.checkerboard(ui.ctx(), cx.theme);
    let uv = Rect::from_min_size(Pos2::ZERO, rect.size() / (2.0 * SQUARE));
    ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
}
