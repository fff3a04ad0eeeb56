// A tile layer, page by page: each pixel of the screen looks up the cell it shows, and that cell's tile in the atlas. An image layer
// is one quad; the size of a texel is that of the whole picture, and where one begins is the left top of the second page.

struct Layer {
    // Size of the target, and of a texel of a page on it, in pixels.
    screen_px: vec2<f32>,
    texel_px: vec2<f32>,
    // Width and height of a tile's picture at the size used, and where the pictures of that size start; of an image layer, 1 if it
    // is repeated in x, 2 if in y, 3 if in both.
    cell: vec2<u32>,
    start: u32,
    // 1: one look a pixel; 2: two by two.
    n_taps: u32,
    // Multiplied with every color: tint and opacity, alpha multiplied in.
    tint: vec4<f32>,
    // Whether the target wants linear colors.
    is_linear: u32,
    // Left, top, right and bottom of each page on the target, in pixels.
    pages: array<vec4<f32>, 768>,
};

@group(0) @binding(0) var<uniform> layer: Layer;

@group(1) @binding(0) var page_tiles: texture_2d<u32>;
@group(1) @binding(0) var page_colors: texture_2d<f32>;
@group(1) @binding(0) var picture_pixels: texture_2d_array<f32>;

// For each slot of the atlas, the slot that is shown now.
@group(2) @binding(0) var shown: texture_2d<u32>;
@group(2) @binding(1) var pixels: texture_2d_array<f32>;

const FLIP_H: u32 = 0x80000000u;
const FLIP_V: u32 = 0x40000000u;
const FLIP_D: u32 = 0x20000000u;
const ID: u32 = 0x1fffffffu;
const LAST: i32 = 255;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) page: u32,
};

@vertex
fn corner(@builtin(vertex_index) vertex: u32, @builtin(instance_index) page: u32) -> Corner {
    let rect = layer.pages[page];
    // Two triangles of the corners: 0 1 2, 3 2 1.
    let index = select(vertex, 6u - vertex, vertex > 2u);
    let at = select(rect.xy, rect.zw, vec2<bool>((index & 1u) == 1u, index > 1u));
    var out: Corner;
    out.position = vec4<f32>(2.0 * at.x / layer.screen_px.x - 1.0, 1.0 - 2.0 * at.y / layer.screen_px.y, 0.0, 1.0);
    out.page = page;
    return out;
}

fn texel_of(at: vec2<f32>) -> vec2<i32> {
    return clamp(vec2<i32>(floor(at)), vec2<i32>(0), vec2<i32>(LAST));
}

// One of a list of pixels.
fn pixel(list: texture_2d_array<f32>, i: u32) -> vec4<f32> {
    return textureLoad(list, vec2<u32>(i & 2047u, (i >> 11u) & 2047u), i >> 22u, 0);
}

fn tile_at(at: vec2<f32>) -> vec4<f32> {
    let texel = texel_of(at);
    let tile = textureLoad(page_tiles, texel, 0).r;
    if tile == 0u {
        return vec4<f32>(0.0);
    }
    let inside = max(at - vec2<f32>(texel), vec2<f32>(0.0));
    let last = layer.cell - vec2<u32>(1u);
    var uv = min(vec2<u32>(inside * vec2<f32>(layer.cell)), last);
    if (tile & FLIP_H) != 0u {
        uv.x = last.x - uv.x;
    }
    if (tile & FLIP_V) != 0u {
        uv.y = last.y - uv.y;
    }
    // A picture that is not square is cut to its square.
    if (tile & FLIP_D) != 0u {
        uv = min(uv.yx, last);
    }
    let slot = (tile & ID) - 1u;
    let picture = textureLoad(shown, vec2<u32>(slot & 2047u, slot >> 11u), 0).r;
    return pixel(pixels, layer.start + (picture * layer.cell.y + uv.y) * layer.cell.x + uv.x);
}

fn color_at(at: vec2<f32>) -> vec4<f32> {
    return textureLoad(page_colors, texel_of(at), 0);
}

fn finished(color: vec4<f32>) -> vec4<f32> {
    let faded = color * layer.tint;
    if layer.is_linear == 0u {
        return faded;
    }
    let low = faded.rgb / 12.92;
    let high = pow((faded.rgb + 0.055) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, low, faded.rgb < vec3<f32>(0.04045)), faded.a);
}

@fragment
fn tiles(in: Corner) -> @location(0) vec4<f32> {
    let at = (in.position.xy - layer.pages[in.page].xy) / layer.texel_px;
    if layer.n_taps == 1u {
        return finished(tile_at(at));
    }
    let d = 0.25 / layer.texel_px;
    let e = vec2<f32>(d.x, -d.y);
    return finished((tile_at(at - d) + tile_at(at + e) + tile_at(at - e) + tile_at(at + d)) * 0.25);
}

@fragment
fn colors(in: Corner) -> @location(0) vec4<f32> {
    let at = (in.position.xy - layer.pages[in.page].xy) / layer.texel_px;
    let d = 0.25 / layer.texel_px;
    let e = vec2<f32>(d.x, -d.y);
    return finished((color_at(at - d) + color_at(at + e) + color_at(at - e) + color_at(at + d)) * 0.25);
}

fn picture_at(at: vec2<f32>) -> vec4<f32> {
    let repeated = vec2<bool>((layer.start & 1u) != 0u, (layer.start & 2u) != 0u);
    let inside = select(at, fract(at), repeated);
    let outside = (inside < vec2<f32>(0.0)) | (inside >= vec2<f32>(1.0));
    if any(outside & !repeated) {
        return vec4<f32>(0.0);
    }
    let texel = min(vec2<u32>(max(inside, vec2<f32>(0.0)) * vec2<f32>(layer.cell)), layer.cell - vec2<u32>(1u));
    return pixel(picture_pixels, texel.y * layer.cell.x + texel.x);
}

@fragment
fn picture(in: Corner) -> @location(0) vec4<f32> {
    let at = (in.position.xy - layer.pages[1].xy) / layer.texel_px;
    if layer.n_taps == 1u {
        return finished(picture_at(at));
    }
    let d = 0.25 / layer.texel_px;
    let e = vec2<f32>(d.x, -d.y);
    return finished((picture_at(at - d) + picture_at(at + e) + picture_at(at - e) + picture_at(at + d)) * 0.25);
}
