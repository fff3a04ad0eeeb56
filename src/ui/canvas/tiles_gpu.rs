//! Tile and image layers on the graphics card: the atlas of each tileset, the pages of layers that are seen, pictures,
//! and the programs that draw them.
//!
//! Invariant: what is on the card is made from what a paint callback brings, when it is prepared, so a frame that is
//! never painted changes nothing. A page is up to date for one level's document and one atlas, by identity.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use eframe::{
    egui_wgpu::{CallbackResources, CallbackTrait, ScreenDescriptor},
    wgpu,
};
use egui::PaintCallbackInfo;

use super::tiles::{MAX_PAGES, PicturePaint, TilesPaint};
use crate::{
    model::{Blend, Cell, DocPath, Document, Tiles, Tileset},
    raster::{ChunkSums, PAGE, PageKind, Pyramid, TileAtlas, TilePage},
};

/// Frames that something is kept after it was last shown.
const KEEP_FRAMES: u64 = 240;
/// Chunks put into pages in one frame; the rest wait for the next, so that no frame takes long.
const MAX_CHUNKS: usize = 4096;
/// Width of the textures that hold lists: [`TileAtlas::pixels`] and the slots that are shown.
const LIST_WIDTH: u32 = 2048;
/// Size in bytes of what the program reads besides the pages' places.
const HEADER: usize = 64;

/// All that is on the card.
pub(super) struct TileGpu {
    layouts: Layouts,
    module: wgpu::ShaderModule,
    format: wgpu::TextureFormat,
    /// The programs, by their entry point and how they blend: made when they are first needed.
    pipelines: HashMap<(&'static str, Blend), wgpu::RenderPipeline>,
    atlases: Vec<GpuAtlas>,
    /// How many there ever were.
    n_atlases: usize,
    pages: HashMap<PageKey, GpuPage>,
    /// What is known of the chunks of layers that were seen from afar.
    sums: HashMap<(DocPath, usize), KnownSums>,
    pictures: Vec<GpuPicture>,
    layers: Vec<LayerUniform>,
    /// The frame under way, how many layers it has so far, and how many chunks it may still put into pages.
    frame: u64,
    n_layers: usize,
    budget: usize,
}

struct Layouts {
    layer: wgpu::BindGroupLayout,
    tiles: wgpu::BindGroupLayout,
    colors: wgpu::BindGroupLayout,
    picture: wgpu::BindGroupLayout,
    atlas: wgpu::BindGroupLayout,
}

struct GpuAtlas {
    atlas: Arc<TileAtlas>,
    id: usize,
    shown: Vec<u32>,
    shown_texture: wgpu::Texture,
    bind: wgpu::BindGroup,
    seen: u64,
}

/// A page: of which layer of which level, of which kind, and its column and row.
type PageKey = (DocPath, usize, PageKind, Cell);

struct KnownSums {
    atlas: usize,
    sums: ChunkSums,
    seen: u64,
}

struct GpuPage {
    page: TilePage,
    /// For what it is up to date.
    done: Option<Arc<Document>>,
    atlas: usize,
    texture: wgpu::Texture,
    bind: wgpu::BindGroup,
    seen: u64,
}

/// A picture of an image layer, made smaller by a power of two.
struct GpuPicture {
    pyramid: Arc<Pyramid>,
    power: u32,
    bind: wgpu::BindGroup,
    seen: u64,
}

struct LayerUniform {
    buffer: wgpu::Buffer,
    bind: wgpu::BindGroup,
    draws: Draws,
    blend: Blend,
}

/// What is drawn of a layer.
enum Draws {
    /// Pages, and the place of their atlas in the list.
    Pages(Vec<PageKey>, usize),
    /// The picture at a place in the list.
    Picture(usize),
}

/// A layer to be drawn.
enum Shown {
    Tiles(TilesPaint),
    Picture(PicturePaint),
}

/// A layer to be drawn, and which of the frame's layers it is.
struct Paint {
    shown: Shown,
    at: AtomicUsize,
}

impl TileGpu {
    /// What draws a layer.
    #[must_use]
    pub(super) fn callback(layer: TilesPaint) -> impl CallbackTrait + 'static {
        Paint { shown: Shown::Tiles(layer), at: AtomicUsize::new(usize::MAX) }
    }

    /// What draws an image layer.
    #[must_use]
    pub(super) fn picture(layer: PicturePaint) -> impl CallbackTrait + 'static {
        Paint { shown: Shown::Picture(layer), at: AtomicUsize::new(usize::MAX) }
    }

    fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("tiles.wgsl"));
        Self {
            layouts: Layouts::new(device),
            module,
            format,
            pipelines: HashMap::new(),
            atlases: Vec::new(),
            n_atlases: 0,
            pages: HashMap::new(),
            sums: HashMap::new(),
            pictures: Vec::new(),
            layers: Vec::new(),
            frame: 0,
            n_layers: 0,
            budget: MAX_CHUNKS,
        }
    }

    /// Make the program of an entry point that blends so, unless it is there.
    fn make_pipeline(&mut self, device: &wgpu::Device, entry: &'static str, blend: Blend) {
        let (layouts, module, format) = (&self.layouts, &self.module, self.format);
        self.pipelines.entry((entry, blend)).or_insert_with(|| {
            let page = match entry {
                TILES => &layouts.tiles,
                PICTURE => &layouts.picture,
                _ => &layouts.colors,
            };
            let all = [Some(&layouts.layer), Some(page), Some(&layouts.atlas)];
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(entry),
                bind_group_layouts: &all[..if entry == PICTURE { 2 } else { 3 }],
                immediate_size: 0,
            });
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some("corner"),
                    buffers: &[],
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module,
                    entry_point: Some(entry),
                    targets: &[Some(wgpu::ColorTargetState {
                        format,
                        blend: Some(blend_state(blend)),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                }),
                multiview_mask: None,
                cache: None,
            })
        });
    }

    /// Begin a frame, if it is another one.
    fn begin(&mut self, frame: u64) {
        if frame == self.frame {
            return;
        }
        (self.frame, self.n_layers, self.budget) = (frame, 0, MAX_CHUNKS);
        let oldest = frame.saturating_sub(KEEP_FRAMES);
        if frame.is_multiple_of(60) {
            self.pages.retain(|_, page| page.seen >= oldest);
            self.sums.retain(|_, sums| sums.seen >= oldest);
            self.atlases.retain(|atlas| atlas.seen >= oldest);
            self.pictures.retain(|picture| picture.seen >= oldest);
        }
    }

    /// Bring the atlas of a layer's tileset up to date. Returns its place in the list.
    fn atlas(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, paint: &TilesPaint) -> Option<usize> {
        let tileset = paint.tileset()?;
        let at = self.atlases.iter().position(|it| Arc::ptr_eq(&it.atlas, &paint.atlas)).unwrap_or_else(|| {
            self.n_atlases += 1;
            let atlas = GpuAtlas::new(device, queue, &self.layouts, paint, tileset, self.n_atlases);
            self.atlases.push(atlas);
            self.atlases.len() - 1
        });
        let it = self.atlases.get_mut(at)?;
        it.seen = self.frame;
        let shown = it.atlas.shown(tileset, paint.secs);
        if shown != it.shown {
            write_shown(queue, &it.shown_texture, &shown);
            it.shown = shown;
        }
        Some(at)
    }

    /// Bring the pages of a layer that are seen up to date, and the places where they are drawn.
    fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        paint: &TilesPaint,
    ) -> Option<usize> {
        self.begin(paint.ctx.cumulative_frame_nr());
        let atlas_at = self.atlas(device, queue, paint)?;
        let tiles = paint.tiles()?;
        let atlas = self.atlases.get(atlas_at)?;
        let place = &paint.place;
        let kind = place.kind();
        let [[x0, y0], [x1, y1]] = place.pages(kind);
        let (mip, n_taps) = place.mip(&atlas.atlas);
        let texel = place.cell.map(|cell| cell * f64::from(kind.cells()));
        let look = [mip.cell_px[0], mip.cell_px[1], mip.start, n_taps];
        let mut data = header(screen, texel, look, paint.tint, paint.format);
        let mut draws = Vec::new();
        let mut is_done = true;
        let new = || KnownSums { atlas: atlas.id, sums: ChunkSums::default(), seen: self.frame };
        let sums = self.sums.entry((paint.level.0.clone(), paint.layer)).or_insert_with(new);
        if sums.atlas != atlas.id {
            *sums = new();
        }
        sums.seen = self.frame;
        let seen = (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| [x, y]));
        for at in seen.take(MAX_PAGES) {
            let key: PageKey = (paint.level.0.clone(), paint.layer, kind, at);
            let known = self.pages.get(&key).is_some_and(|page| page.atlas == atlas.id);
            if !known {
                let has_tiles = kind.chunks(at).is_some_and(|[lo, hi]| tiles.chunks_between(lo, hi).next().is_some());
                if !has_tiles {
                    self.pages.remove(&key);
                    continue;
                }
                let page = GpuPage::new(device, &self.layouts, kind, at, atlas.id);
                page.map(|page| self.pages.insert(key.clone(), page));
            }
            let Some(page) = self.pages.get_mut(&key) else { continue };
            page.seen = self.frame;
            is_done &= page.update(queue, &paint.level.1, (tiles, &atlas.atlas, &mut sums.sums), &mut self.budget);
            data.extend(place.page_rect(kind, at).into_iter().flat_map(f32::to_le_bytes));
            draws.push(key);
        }
        if !is_done {
            paint.ctx.request_repaint();
        }
        self.make_pipeline(device, entry(kind), paint.blend);
        self.take(device, queue, &data, (Draws::Pages(draws, atlas_at), paint.blend))
    }

    /// Bring the picture of an image layer to the card, and the place where it is drawn.
    fn prepare_picture(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        paint: &PicturePaint,
    ) -> Option<usize> {
        self.begin(paint.ctx.cumulative_frame_nr());
        let (covered, origin) = paint.covered()?;
        let (mut power, n_taps) = paint.mip();
        let most = list_limit(device);
        while paint.pyramid.level(power).1.len() > most {
            power += 1;
        }
        let is_it = |it: &GpuPicture| Arc::ptr_eq(&it.pyramid, &paint.pyramid) && it.power == power;
        let at = self.pictures.iter().position(is_it).unwrap_or_else(|| {
            self.pictures.push(GpuPicture::new(device, queue, &self.layouts, &paint.pyramid, power));
            self.pictures.len() - 1
        });
        let picture = self.pictures.get_mut(at)?;
        picture.seen = self.frame;
        let (size, _) = paint.pyramid.level(power);
        let repeat = u32::from(paint.repeat[0]) | u32::from(paint.repeat[1]) << 1;
        let look = [size[0], size[1], repeat, n_taps];
        let mut data = header(screen, paint.place.cell, look, paint.tint, paint.format);
        data.extend(covered.into_iter().chain(origin).chain([0.0; 2]).flat_map(f32::to_le_bytes));
        self.make_pipeline(device, PICTURE, paint.blend);
        self.take(device, queue, &data, (Draws::Picture(at), paint.blend))
    }

    /// Take what the program reads of a layer. Returns which of the frame's layers it is.
    fn take(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        data: &[u8],
        (draws, blend): (Draws, Blend),
    ) -> Option<usize> {
        let at = self.n_layers;
        self.n_layers += 1;
        if self.layers.len() <= at {
            self.layers.push(LayerUniform::new(device, &self.layouts));
        }
        let uniform = self.layers.get_mut(at)?;
        queue.write_buffer(&uniform.buffer, 0, data);
        (uniform.draws, uniform.blend) = (draws, blend);
        Some(at)
    }

    /// Draw a layer that was prepared.
    fn draw(&self, at: usize, pass: &mut wgpu::RenderPass<'static>) -> Option<()> {
        let layer = self.layers.get(at)?;
        let entry = match &layer.draws {
            Draws::Pages(draws, _) => entry(draws.first()?.2),
            Draws::Picture(_) => PICTURE,
        };
        pass.set_pipeline(self.pipelines.get(&(entry, layer.blend))?);
        pass.set_bind_group(0, &layer.bind, &[]);
        match &layer.draws {
            Draws::Pages(draws, atlas) => {
                pass.set_bind_group(2, &self.atlases.get(*atlas)?.bind, &[]);
                for (key, i) in draws.iter().zip(0_u32..) {
                    let page = self.pages.get(key)?;
                    pass.set_bind_group(1, &page.bind, &[]);
                    pass.draw(0..6, i..i + 1);
                }
            }
            Draws::Picture(at) => {
                pass.set_bind_group(1, &self.pictures.get(*at)?.bind, &[]);
                pass.draw(0..6, 0..1);
            }
        }
        Some(())
    }
}

const TILES: &str = "tiles";
const PICTURE: &str = "picture";

/// The entry point that draws pages of a kind.
fn entry(kind: PageKind) -> &'static str {
    if kind == PageKind::Tiles { TILES } else { "colors" }
}

/// What the program reads of a layer before the places of its pages.
fn header(
    screen: &ScreenDescriptor,
    texel: [f64; 2],
    look: [u32; 4],
    tint: [f32; 4],
    format: wgpu::TextureFormat,
) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "the screen draws in single precision")]
    let sizes = screen.size_in_pixels.map(|side| side as f32).into_iter().chain(texel.map(|x| x as f32));
    let mut data: Vec<u8> = sizes.flat_map(f32::to_le_bytes).collect();
    data.extend(look.into_iter().flat_map(u32::to_le_bytes));
    data.extend(tint.into_iter().flat_map(f32::to_le_bytes));
    data.extend(u32::from(format.is_srgb()).to_le_bytes());
    data.resize(HEADER, 0);
    data
}

/// How colors with alpha multiplied in are put over those of the target, which is opaque.
fn blend_state(blend: Blend) -> wgpu::BlendState {
    use wgpu::BlendFactor as Factor;
    let normal = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;
    let (src_factor, dst_factor) = match blend {
        Blend::Normal => (Factor::One, Factor::OneMinusSrcAlpha),
        Blend::Add => (Factor::One, Factor::One),
        Blend::Multiply => (Factor::Dst, Factor::OneMinusSrcAlpha),
        Blend::Screen => (Factor::One, Factor::OneMinusSrc),
    };
    wgpu::BlendState { color: wgpu::BlendComponent { src_factor, dst_factor, ..normal.color }, ..normal }
}

impl CallbackTrait for Paint {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        _: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let at = match &self.shown {
            Shown::Tiles(layer) => {
                let gpu = resources.entry().or_insert_with(|| TileGpu::new(device, layer.format));
                gpu.prepare(device, queue, screen, layer)
            }
            Shown::Picture(layer) => {
                let gpu = resources.entry().or_insert_with(|| TileGpu::new(device, layer.format));
                gpu.prepare_picture(device, queue, screen, layer)
            }
        };
        self.at.store(at.unwrap_or(usize::MAX), Ordering::Relaxed);
        Vec::new()
    }

    fn paint(&self, info: PaintCallbackInfo, pass: &mut wgpu::RenderPass<'static>, resources: &CallbackResources) {
        let Some(gpu) = resources.get::<TileGpu>() else { return };
        let [width, height] = info.screen_size_px;
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, 1.0);
        // Without tiles there is nothing to draw.
        let _ = gpu.draw(self.at.load(Ordering::Relaxed), pass);
    }
}

impl Layouts {
    fn new(device: &wgpu::Device) -> Self {
        let texture = |sample_type, view_dimension| wgpu::BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled: false,
        };
        let (float, uint) = (wgpu::TextureSampleType::Float { filterable: false }, wgpu::TextureSampleType::Uint);
        let (flat, array) = (wgpu::TextureViewDimension::D2, wgpu::TextureViewDimension::D2Array);
        let layout = |label: &str, types: &[wgpu::BindingType]| {
            let entries = (0..).zip(types).map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: *ty,
                count: None,
            });
            let entries: Vec<_> = entries.collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        let uniform = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        Self {
            layer: layout("tile layer", &[uniform]),
            tiles: layout("page of tiles", &[texture(uint, flat)]),
            colors: layout("page of colors", &[texture(float, flat)]),
            picture: layout("picture", &[texture(float, array)]),
            atlas: layout("tile atlas", &[texture(uint, flat), texture(float, array)]),
        }
    }
}

impl GpuAtlas {
    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        paint: &TilesPaint,
        tileset: &Tileset,
        id: usize,
    ) -> Self {
        let atlas = paint.atlas.clone();
        let shown = atlas.shown(tileset, paint.secs);
        let shown_texture = list(device, wgpu::TextureFormat::R32Uint, shown.len());
        write_shown(queue, &shown_texture, &shown);
        let pixels = pixels(device, queue, atlas.pixels());
        let bind =
            bind(device, &layouts.atlas, &[shown_texture.create_view(&wgpu::TextureViewDescriptor::default()), pixels]);
        Self { atlas, id, shown, shown_texture, bind, seen: 0 }
    }
}

impl GpuPicture {
    fn new(device: &wgpu::Device, queue: &wgpu::Queue, layouts: &Layouts, pyramid: &Arc<Pyramid>, power: u32) -> Self {
        let view = pixels(device, queue, pyramid.level(power).1);
        let bind = bind(device, &layouts.picture, &[view]);
        Self { pyramid: pyramid.clone(), power, bind, seen: 0 }
    }
}

impl GpuPage {
    fn new(device: &wgpu::Device, layouts: &Layouts, kind: PageKind, at: Cell, atlas: usize) -> Option<Self> {
        let (format, layout) = match kind {
            PageKind::Tiles => (wgpu::TextureFormat::R32Uint, &layouts.tiles),
            PageKind::Colors(_) => (wgpu::TextureFormat::Rgba8Unorm, &layouts.colors),
        };
        let texture = texture(device, format, [PAGE, PAGE, 1]);
        let bind = bind(device, layout, &[texture.create_view(&wgpu::TextureViewDescriptor::default())]);
        Some(Self { page: TilePage::new(kind, at)?, done: None, atlas, texture, bind, seen: 0 })
    }

    /// Bring it up to date; `false` if something is left to do.
    fn update(
        &mut self,
        queue: &wgpu::Queue,
        level: &Arc<Document>,
        (tiles, atlas, sums): (&Tiles, &TileAtlas, &mut ChunkSums),
        budget: &mut usize,
    ) -> bool {
        if self.done.as_ref().is_some_and(|done| Arc::ptr_eq(done, level)) {
            return true;
        }
        let (rows, is_done) = self.page.update(tiles, atlas, sums, budget);
        if let Some([first, end]) = rows {
            let texels = self.page.texels().get((first * PAGE) as usize..(end * PAGE) as usize).unwrap_or_default();
            let bytes: Vec<u8> = texels.iter().flat_map(|texel| texel.to_le_bytes()).collect();
            write(queue, &self.texture, [0, first, 0], [PAGE, end - first], &bytes);
        }
        self.done = is_done.then(|| level.clone());
        is_done
    }
}

impl LayerUniform {
    fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("tile layer"),
            size: (HEADER + MAX_PAGES * 16) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("tile layer"),
            layout: &layouts.layer,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Self { buffer, bind, draws: Draws::Pages(Vec::new(), 0), blend: Blend::Normal }
    }
}

fn bind(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, views: &[wgpu::TextureView]) -> wgpu::BindGroup {
    let entry = |(binding, view)| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) };
    let entries: Vec<_> = (0..).zip(views).map(entry).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("tiles"), layout, entries: &entries })
}

fn texture(device: &wgpu::Device, format: wgpu::TextureFormat, [width, height, n_layers]: [u32; 3]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("tiles"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: n_layers },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// The most values that a texture made by [`list`] has room for.
fn list_limit(device: &wgpu::Device) -> usize {
    LIST_WIDTH as usize * LIST_WIDTH as usize * device.limits().max_texture_array_layers as usize
}

/// A texture for so many values, in rows of [`LIST_WIDTH`] and layers of as many rows.
fn list(device: &wgpu::Device, format: wgpu::TextureFormat, n: usize) -> wgpu::Texture {
    let n_rows = u32::try_from(n.div_ceil(LIST_WIDTH as usize)).unwrap_or(u32::MAX).max(1);
    let n_layers = n_rows.div_ceil(LIST_WIDTH).min(device.limits().max_texture_array_layers);
    texture(device, format, [LIST_WIDTH, n_rows.min(LIST_WIDTH), n_layers])
}

/// Pixels in a texture of their own.
fn pixels(device: &wgpu::Device, queue: &wgpu::Queue, pixels: &[[u8; 4]]) -> wgpu::TextureView {
    let texture = list(device, wgpu::TextureFormat::Rgba8Unorm, pixels.len());
    write_list(queue, &texture, pixels.as_flattened());
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..wgpu::TextureViewDescriptor::default()
    })
}

fn write_shown(queue: &wgpu::Queue, texture: &wgpu::Texture, shown: &[u32]) {
    let bytes: Vec<u8> = shown.iter().flat_map(|slot| slot.to_le_bytes()).collect();
    write_list(queue, texture, &bytes);
}

/// Fill a texture made by [`list`] with values of four bytes.
fn write_list(queue: &wgpu::Queue, texture: &wgpu::Texture, bytes: &[u8]) {
    let row = LIST_WIDTH as usize * 4;
    for (layer, z) in bytes.chunks(row * LIST_WIDTH as usize).zip(0..texture.depth_or_array_layers()) {
        // Nearly all of it as it is: the last row alone may not be full.
        let (rows, rest) = layer.split_at(layer.len() / row * row);
        let n_rows = u32::try_from(rows.len() / row).unwrap_or(u32::MAX);
        if n_rows > 0 {
            write(queue, texture, [0, 0, z], [LIST_WIDTH, n_rows], rows);
        }
        if !rest.is_empty() {
            let width = u32::try_from(rest.len() / 4).unwrap_or(u32::MAX);
            write(queue, texture, [0, n_rows, z], [width, 1], rest);
        }
    }
}

fn write(queue: &wgpu::Queue, texture: &wgpu::Texture, [x, y, z]: [u32; 3], [width, height]: [u32; 2], bytes: &[u8]) {
    queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level: 0,
            origin: wgpu::Origin3d { x, y, z },
            aspect: wgpu::TextureAspect::All,
        },
        bytes,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(height) },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}
