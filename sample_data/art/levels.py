#!/usr/bin/env python3
"""Made the first version of `tilesets/*.ron` and `levels/*.ron` from a plan in code: `python3 art/levels.py`.
Since then the .ron files are the truth and are edited in Levelwright; running this again would overwrite them."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tiles_dungeon  # noqa: E402
import tiles_keep  # noqa: E402
from pixels import noise  # noqa: E402
from tiles_keep import AROUND, reduce_mask  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def write(path, text):
    with open(os.path.join(ROOT, path), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


class Ids:
    """Short ids that look random and are the same on every run."""

    def __init__(self, seed):
        self.seed = self.state = seed

    def of(self, text):
        """An id that depends on the text alone."""
        kept, self.state = self.state, self.seed
        for byte in text.encode():
            self.state = (self.state ^ byte) * 1099511628211 % 2**64
        out = self()
        self.state = kept
        return out

    def __call__(self):
        out = ""
        for i in range(6):
            self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
            out += LETTERS[(self.state >> 33) % (26 if i == 0 else 36)]
        return out


def f(x):
    return f"{float(x):.1f}"


# --- tilesets -----------------------------------------------------------------------------------------------------


def tile_table(tiles):
    return {name: i + 1 for i, (name, _) in enumerate(tiles) if name}


KEEP = tile_table(tiles_keep.keep())
DUNGEON = tile_table(tiles_dungeon.dungeon())


def poly(*points):
    return "Polygon([" + ", ".join(f"({f(x)}, {f(y)})" for x, y in points) + "])"


LEDGE = poly((0, 0), (16, 0), (16, 5), (0, 5))
KEEP_SHAPES = {
    "slope_up": poly((0, 16), (16, 0), (16, 16)),
    "slope_down": poly((0, 0), (16, 16), (0, 16)),
    "gentle_up_low": poly((0, 16), (16, 8), (16, 16)),
    "gentle_up_high": poly((0, 8), (16, 0), (16, 16), (0, 16)),
    "gentle_down_high": poly((0, 0), (16, 8), (16, 16), (0, 16)),
    "gentle_down_low": poly((0, 8), (16, 16), (0, 16)),
    "half_left": poly((0, 8), (16, 8), (16, 16), (0, 16)),
    "half_mid": poly((0, 8), (16, 8), (16, 16), (0, 16)),
    "half_right": poly((0, 8), (16, 8), (16, 16), (0, 16)),
}


def keep_entry(name, i):
    extra = []
    if name.startswith(("ground_", "deep_", "dusk_")) or name.endswith("_base") and "slope" in name + "slope" and name != "pillar_base":
        extra.append("shape: Full")
        extra.append('tags: ["solid", "earth"]')
        if name == "ground_stone":
            extra.append("weight: 0.12")
    elif name in KEEP_SHAPES:
        extra.append(f"shape: {KEEP_SHAPES[name]}")
        extra.append('tags: ["solid", "earth"]')
    elif name.startswith("ledge_"):
        extra.append(f"shape: {LEDGE}, one_way: true")
        extra.append('tags: ["ledge"]')
    elif name.startswith("brick_") or name == "merlon":
        extra.append("shape: Full")
        if name == "brick_moss":
            extra.append("friction: 0.2")
        if name in ("brick_moss", "brick_crack"):
            extra.append("weight: 0.1")
        extra.append('tags: ["solid", "stone"]')
    elif name == "spikes":
        extra.append('tags: ["hazard"]')
    for kind, secs in (("torch", 0.12), ("flag", 0.16)):
        if name == f"{kind}_0":
            frames = ", ".join(f"(tile: {KEEP[f'{kind}_{k}']}, secs: {secs})" for k in range(4))
            extra.append(f"frames: [{frames}]")
    return extra


def dungeon_entry(name, i):
    extra = []
    if name.startswith("top_") or name.startswith("face") or name == "void":
        extra.append("shape: Full")
        extra.append('tags: ["wall"]')
        if name == "face_torch_0":
            frames = ", ".join(f"(tile: {DUNGEON[f'face_torch_{k}']}, secs: 0.12)" for k in range(4))
            extra.append(f"frames: [{frames}]")
    elif name.startswith("water_") and len(name) > 7:
        extra.append('cost: {"walk": 2.0}')
        extra.append('tags: ["shore"]')
    elif name.startswith("water"):
        extra.append("shape: Full")
        extra.append('tags: ["water"]')
        if name == "water":
            frames = ", ".join(f"(tile: {DUNGEON['water' + (f'_{k}' if k else '')]}, secs: 0.25)" for k in range(4))
            extra.append(f"frames: [{frames}]")
    elif name.startswith("mud"):
        full = name in ("mud", "mud_2")
        extra.append('cost: {"walk": 4.0}' if full else 'cost: {"walk": 2.5}')
        extra.append('tags: ["mud"]')
        if name == "mud_2":
            extra.append("weight: 0.4")
    elif name.startswith("floor_") and name[-1].isdigit() and len(name) == 7:
        extra.append('tags: ["floor"]')
        extra.append(f"weight: {[1.0, 0.5, 0.4, 0.6, 0.4, 0.1][int(name[-1])]}")
    elif name in ("pot", "chest") or name.startswith("table") or name.startswith("throne"):
        extra.append("shape: " + poly((1, 4), (15, 4), (15, 15), (1, 15)))
        extra.append('tags: ["furniture"]')
    elif name == "pillar_01":
        extra.append("shape: " + poly((1, 6), (15, 6), (15, 15), (1, 15)))
        extra.append('tags: ["wall"]')
    return extra


def tileset(path, image, intro, table, columns, sections, entry, terrains):
    out = [line for line in intro]
    out += ["(", f'    image: "{image}",', "    tile_size: (16, 16),", "    margin: 0,", "    spacing: 0,", "    tiles: {"]
    for name, i in table.items():
        if name in sections:
            out.append(f"        // {sections[name]}")
        parts = [f"at: ({(i - 1) % columns}, {(i - 1) // columns})", f'name: "{name}"'] + entry(name, i)
        out.append(f"        {i}: ({', '.join(parts)}),")
    out += ["    },", "    terrains: ["]
    for note, name, mode, tiles in terrains:
        out += [f"        // {note}", "        (", f'            name: "{name}",', f"            mode: {mode},", "            tiles: {"]
        out += [f'                {i}: "{label}",' for i, label in tiles]
        out += ["            },", "        ),"]
    out += ["    ],", ")"]
    write(path, "\n".join(out) + "\n")


def tilesets():
    ground = [
        (i, ",".join("ground" if c == "1" else "_" for c in name[7:]))
        for name, i in KEEP.items()
        if name.startswith("ground_") and name[7:].isdigit()
    ]
    ground.append((KEEP["ground_stone"], ",".join(["ground"] * 8)))
    brick = [
        (i, ",".join("brick" if c == "1" else "_" for c in name[6:]))
        for name, i in KEEP.items()
        if name.startswith("brick_") and name[6:].isdigit()
    ]
    brick += [(KEEP[n], "brick,brick,brick,brick") for n in ("brick_moss", "brick_crack")]
    tileset(
        "tilesets/keep.ron",
        "keep.png",
        [
            "// The courtyard and the keep, seen from the side.",
            "//",
            "// A tile is `id: (at: (column, row), …)`; levels store the id, so ids never change when the image grows.",
            "// No `shape` means nothing of it is solid; a polygon is the solid part, in pixels from the tile's top left corner.",
        ],
        KEEP,
        tiles_keep.COLUMNS,
        {
            "ground_00000000": "Earth with grass on top. The digits are its eight neighbors clockwise from the top: 1 is earth, 0 is not.",
            "ground_stone": "The inside again, with a stone; the random brush takes it now and then.",
            "slope_up": "Slopes: 45 degrees in one tile, 22.5 in two. The `_base` tiles go under them and continue the grass.",
            "half_left": "Half as high.",
            "ledge_left": "Ledges: solid only from above, so one can jump up through them.",
            "brick_0000": "Walls of the keep. The digits say where the wall goes on: top, right, bottom, left.",
            "back_0": "Behind: walls one walks in front of, and what hangs on them.",
            "torch_0": "The first tile of an animation names its frames; put this one in levels.",
            "bush": "In front and beside: plants, furniture, dangers.",
            "arch_00": "Pieces larger than a tile are named by column and row.",
            "dusk_0": "Earth far below, and other late comers: the image grew downward.",
            "glow_00": "Torch light on a back wall.",
            "oak_00": "Trees.",
            "sky_0": "The sky, from the zenith down, and what is far away.",
        },
        keep_entry,
        [
            ("Paint with this and every tile finds its edges and corners: clockwise from the top, `_` is anything else.", "ground", "Mixed", ground),
            ("top, right, bottom, left", "brick", "Edges", brick),
        ],
    )
    top = [
        (i, ",".join("wall" if c == "1" else "_" for c in name[4:]))
        for name, i in DUNGEON.items()
        if name.startswith("top_")
    ]

    def corners(kind):
        out = [
            (i, ",".join(kind if c == "1" else "_" for c in name[len(kind) + 1 :]))
            for name, i in DUNGEON.items()
            if name.startswith(kind + "_") and len(name) == len(kind) + 5
        ]
        out.append((DUNGEON[kind], ",".join([kind] * 4)))
        if kind == "mud":
            out.append((DUNGEON["mud_2"], ",".join([kind] * 4)))
        return out

    tileset(
        "tilesets/dungeon.ron",
        "dungeon.png",
        [
            "// The dungeon, seen from above.",
            "//",
            "// `cost` says what a step onto a tile costs an agent of a kind (component Agent, field kind), in steps on plain floor.",
            "// Paths go around mud when that is cheaper: try `levelwright path sample_data dungeon 632,592 830,640`.",
        ],
        DUNGEON,
        tiles_dungeon.COLUMNS,
        {
            "top_00000000": "Tops of walls, by their eight neighbors clockwise from the top.",
            "floor_0": "Floors. Weights say how often the random brush takes each.",
            "floor_shade": "Floor in the shadow of a wall: light comes from the top left.",
            "face": "Fronts of walls: they stand above the floor they face.",
            "mud_1000": "Mud is slow. The digits are corners: top left, top right, bottom right, bottom left.",
            "mud": "All mud.",
            "water_1000": "Water: its shore can be waded, the deep cannot.",
            "water": "Deep water moves.",
            "glow_00": "Torch light on the floor.",
            "rug_00": "A rug of nine pieces, then furniture.",
        },
        dungeon_entry,
        [
            ("Tops of walls.", "wall", "Mixed", top),
            ("top left, top right, bottom right, bottom left", "mud", "Corners", corners("mud")),
            ("the same for water", "water", "Corners", corners("water")),
        ],
    )


# --- writing levels -----------------------------------------------------------------------------------------------


def runs(row):
    """Four or more alike are counted: `5*7` is five cells of tile 7."""
    out = []
    while row:
        n = next((i for i, token in enumerate(row) if token != row[0]), len(row))
        out += [f"{n}*{row[0]}"] if n >= 4 else row[:n]
        row = row[n:]
    return out


class Grid:
    def __init__(self, w, h, left=0):
        self.w, self.h, self.left = w, h, left
        self.cells = {}

    def put(self, x, y, token):
        if self.left <= x < self.w and 0 <= y < self.h:
            if token is None:
                self.cells.pop((x, y), None)
            else:
                self.cells[x, y] = str(token)

    def get(self, x, y):
        return self.cells.get((x, y))

    def rect(self, x0, y0, x1, y1, token):
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                self.put(x, y, token)

    def block(self, table, name, x, y, columns, rows):
        for r in range(rows):
            for c in range(columns):
                self.put(x + c, y + r, table[f"{name}_{c}{r}"])

    def text(self, indent):
        pad = " " * indent
        out = [f"{pad}chunks: {{"]
        for cy in range((self.h + 31) // 32):
            for cx in range(self.left // 32, (self.w + 31) // 32):
                rows = []
                for y in range(32):
                    row = [self.cells.get((cx * 32 + x, cy * 32 + y), ".") for x in range(32)]
                    while row and row[-1] == ".":
                        row.pop()
                    rows.append(" ".join(runs(row)))
                while rows and not rows[-1]:
                    rows.pop()
                if not rows:
                    continue
                out.append(f"{pad}    ({cx}, {cy}): [")
                out += [f'{pad}        "{row}",' for row in rows]
                out.append(f"{pad}    ],")
        out.append(f"{pad}}},")
        return out


def tiles_layer(name, tileset, grid, note, **props):
    out = [f"        // {note}", "        Tiles(", f'            name: "{name}",', f'            tileset: "{tileset}",']
    out += [f"            {key}: {value}," for key, value in props.items()]
    return out + grid.text(12) + ["        ),"]


class Actors:
    def __init__(self, ids):
        self.ids = ids
        self.lines = []
        self.names = {}

    def note(self, text):
        self.lines.append(f"                // {text}")

    def add(self, name, x, y, more="", label=None, rotation=None):
        """`more` is further fields as RON."""
        i = self.ids.of(f"{name} {x} {y}")
        if label:
            self.names[label] = i
        turn = f", rotation: {f(rotation)}" if rotation else ""
        tail = f", {more}" if more else ""
        self.lines.append(f'                "{i}": (def: "{name}", at: ({f(x)}, {f(y)}){turn}{tail}),')
        return i


def entities_layer(name, actors):
    return ["        Entities(", f'            name: "{name}",', "            entities: {"] + actors.lines + ["            },", "        ),"]


def waypoints_layer(name, note, routes, ids, auto=False):
    """`routes`: lists of (x, y) or (x, y, tags), each a chain of hand-made links."""
    out = [f"        // {note}", "        Waypoints(", f'            name: "{name}",']
    if not auto:
        out.append("            auto_link: false,")
    nodes, links = [], []
    for chain in routes:
        last = None
        for point in chain:
            i = ids.of(f"{name} {point}")
            tags = f', tags: ["{point[2]}"]' if len(point) > 2 else ""
            nodes.append(f'                "{i}": (at: ({f(point[0])}, {f(point[1])}){tags}),')
            if last:
                links.append(f'                (from: "{last}", to: "{i}", cost: None, one_way: false, by: Hand),')
            last = i
    out += ["            nodes: {"] + nodes + ["            },"]
    out += ["            links: ["] + (links if not auto else []) + ["            ],", "        ),"]
    return out


# --- the courtyard ------------------------------------------------------------------------------------------------

W, H = 128, 32


def courtyard():
    earth = set()
    slopes = {}
    back, deco, ground, front = Grid(W, H), Grid(W, H), Grid(W, H), Grid(W, H)
    k = KEEP

    def fill(x0, x1, top, bottom=H - 1):
        for x in range(x0, x1 + 1):
            for y in range(top, bottom + 1):
                earth.add((x, y))

    def carve(x0, y0, x1, y1):
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                earth.discard((x, y))

    def slope(x, y, kind):
        slopes[x, y] = kind

    # The meadow: a cliff at the western end, a gentle rise.
    fill(0, 1, 17)
    fill(2, 9, 25)
    slope(10, 24, "gentle_up_low"), slope(11, 24, "gentle_up_high")
    fill(10, 11, 25)
    fill(12, 25, 24)
    # A pit of three.
    fill(26, 28, 28)
    # The hill with the stone ball.
    fill(29, 31, 24)
    for i in range(3):
        slope(32 + i, 23 - i, "slope_up")
        fill(32 + i, 32 + i, 24 - i)
    fill(35, 39, 21)
    for i in range(3):
        slope(40 + 2 * i, 21 + i, "gentle_down_high"), slope(41 + 2 * i, 21 + i, "gentle_down_low")
        fill(40 + 2 * i, 41 + 2 * i, 22 + i)
    fill(46, 49, 24)
    # The chasm.
    fill(50, 59, 30)
    # The high hill, with a cave through it.
    fill(60, 81, 24)
    fill(64, 81, 14)
    slope(66, 13, "slope_up"), fill(67, 71, 13), slope(72, 13, "gentle_down_high"), slope(73, 13, "gentle_down_low")
    carve(64, 20, 81, 23)
    carve(66, 19, 74, 19)
    carve(68, 18, 72, 18)
    for i in range(3):
        slope(65 + i, 24 + i, "slope_down")
        earth.discard((65 + i, 24 + i))
        carve(66 + i, 24, 80, 24 + i)
    carve(68, 24, 75, 26)
    for i in range(3):
        carve(76 + i, 24, 79, 26 - i)
    fill(76, 80, 27)
    for i in range(3):
        slope(76 + i, 26 - i, "slope_up")
        fill(77 + i, 81, 26 - i)
    # The yard and under the keep.
    fill(82, 127, 24)
    fill(126, 127, 24)

    solid = set(earth) | set(slopes)

    def is_earth(x, y):
        return (min(max(x, 0), W - 1), min(max(y, 0), H - 1)) in solid

    for (x, y), kind in slopes.items():
        ground.put(x, y, k[kind])
    for x, y in sorted(earth):
        above = slopes.get((x, y - 1))
        if above and "high" not in above:
            ground.put(x, y, k[above + "_base"])
            continue
        mask = reduce_mask([is_earth(x + dx, y + dy) for dx, dy in AROUND])
        name = "ground_" + "".join("1" if m else "0" for m in mask)
        if all(mask):
            depth = round(min((dx * dx + dy * dy) ** 0.5 for dx in range(-6, 7) for dy in range(-6, 7) if not is_earth(x + dx, y + dy) or max(abs(dx), abs(dy)) == 6) + (noise(x // 3, y, 33) - 128) / 300)
            r = noise(x, y, 5)
            if depth <= 2:
                name = "ground_stone" if r < 22 else name
            elif depth == 3:
                name = "dusk_0" if r < 128 else "dusk_1"
            else:
                name = "deep_bone" if r < 6 else "deep_gem" if r > 250 else "deep_0" if r < 50 else "deep_1" if r < 120 else "deep_2"
        ground.put(x, y, k[name])

    # The keep's stonework.
    brick = set()

    def wall(x0, y0, x1, y1):
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                brick.add((x, y))

    def hole(x0, y0, x1, y1):
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                brick.discard((x, y))

    wall(92, 3, 93, 20)  # gate tower
    wall(92, 24, 125, 24)  # ground floor
    wall(94, 17, 122, 17)  # first floor
    wall(94, 10, 125, 10)  # throne floor
    wall(94, 3, 122, 3)  # roof
    wall(123, 3, 123, 6)  # over the treasure door
    wall(123, 11, 125, 24)  # eastern wall
    wall(123, 10, 127, 10)  # balcony
    wall(126, 11, 127, 11)
    hole(119, 17, 122, 17)
    hole(95, 10, 98, 10)
    wall(111, 9, 121, 9)  # the dais
    for x, y in sorted(brick):
        mask = [(min(x + dx, W - 1) if dx > 0 else x + dx, y + dy) in brick or (x + dx, y + dy) in solid for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        name = "brick_" + "".join("1" if m else "0" for m in mask)
        if all(mask):
            n = noise(x, y, 9)
            name = "brick_moss" if n < 14 and y > 12 else "brick_crack" if n > 240 else name
        ground.put(x, y, k[name])
    for x in range(92, 124, 2):
        ground.put(x, 2, k["merlon"])

    def ledge(x, y, n):
        for i in range(n):
            name = "ledge_left" if i == 0 else "ledge_right" if i == n - 1 else "ledge_mid"
            ground.put(x + i, y, k[name])

    # Ledges: two tiles apart, well within a jump of three.
    ledge(15, 22, 3), ledge(19, 20, 4), ledge(14, 18, 3)
    ledge(26, 26, 2)
    ledge(50, 28, 2), ledge(58, 28, 2), ledge(50, 26, 2), ledge(58, 26, 2)
    ledge(60, 22, 3), ledge(61, 20, 3), ledge(60, 18, 3), ledge(61, 16, 3)
    ledge(82, 17, 3), ledge(83, 20, 3)
    ledge(119, 22, 2), ledge(121, 20, 2), ledge(119, 18, 2)
    ledge(97, 15, 3), ledge(94, 13, 3), ledge(96, 11, 3)
    ledge(104, 21, 3), ledge(107, 14, 3)
    # Stepping stones half a tile high.
    ground.put(5, 24, k["half_left"]), ground.put(6, 24, k["half_mid"]), ground.put(7, 24, k["half_right"])
    # Spikes.
    for x in range(26, 29):
        front.put(x, 27, k["spikes"])
    for x in range(52, 58):
        front.put(x, 29, k["spikes"])
    for x in range(70, 73):
        front.put(x, 26, k["spikes"])

    # Back walls: inside the keep, in the cave, under the gate.
    for y in range(4, 24):
        for x in range(94, 123):
            n = noise(x, y, 3)
            back.put(x, y, k["back_2"] if n < 20 else k["back_1"] if n < 110 else k["back_0"])
    for y in (21, 22, 23):
        for x in (92, 93):
            back.put(x, y, k["back_0"])
    for y in (7, 8, 9):
        back.put(123, y, k["back_0"])
    for x in range(62, 83):
        for y in range(16, 28):
            inside = 64 <= x <= 81 and (x, y) not in earth and y >= 18
            if inside:
                back.put(x, y, k["back_cave_0" if noise(x, y, 2) < 170 else "back_cave_1"])
    # The sides of pits.
    for x0, x1, y0, y1 in ((26, 28, 24, 27), (50, 59, 24, 29)):
        back.rect(x0, y0, x1, y1, k["back_earth"])
    # Windows, banners, torches.
    for x, y in [(x, 20) for x in (97, 103, 109, 115)] + [(x, 13) for x in (99, 103, 110, 117)] + [(x, 6) for x in (99, 104, 111, 121)]:
        for c in range(5):
            for r in range(4):
                if back.get(x - 2 + c, y - 1 + r):
                    back.put(x - 2 + c, y - 1 + r, k[f"glow_{c}{r}"])
    for x in (100, 106, 112, 118):
        deco.put(x, 20, k["window"])
    for x in (101, 105, 113, 116):
        deco.put(x, 13, k["window_lit"] if x in (105, 113) else k["window"])
    for x in (101, 106):
        deco.put(x, 6, k["window"])
    for x in (109, 113, 119):
        deco.put(x, 5, k["banner_top"]), deco.put(x, 6, k["banner_bottom"])
    for x in (97, 103, 109, 115):
        deco.put(x, 20, k["torch_0"])
    for x in (99, 103, 110, 117):
        deco.put(x, 13, k["torch_0"])
    for x in (99, 104, 111, 121):
        deco.put(x, 6, k["torch_0"])
    deco.block(k, "arch", 115, 6, 3, 3)
    for x in (98, 110):
        deco.put(x, 18, k["pillar_top"])
        for y in (19, 20, 21, 22):
            deco.put(x, y, k["pillar_mid"])
        deco.put(x, 23, k["pillar_base"])
    deco.put(114, 16, k["shelf"]), deco.put(115, 16, k["shelf"]), deco.put(115, 15, k["shelf"])
    deco.put(112, 16, k["barrel"]), deco.put(117, 16, k["crates"])
    for y in (4, 5):
        deco.put(107, y, k["chain"])
    deco.put(101, 23, k["barrel"]), deco.put(102, 23, k["barrel"])
    for x, y in ((67, 20), (71, 18), (76, 20), (79, 20)):
        deco.put(x, y, k["roots"])
    for x, y in ((68, 26), (75, 26)):
        deco.put(x, y, k["mushroom"])
    deco.put(74, 26, k["skull"])
    deco.put(66, 22, k["torch_0"]), deco.put(78, 21, k["torch_0"])
    for x in (92, 108, 122):
        deco.put(x, 1, k["flag_0"])
    for x, y in ((92, 8), (92, 14), (125, 14), (125, 19)):
        ground.put(x, y, k["brick_window"])
    deco.put(83, 23, k["hay"]), deco.put(3, 24, k["hay"])
    # Trees.
    back.block(k, "oak", 14, 18, 6, 6)
    back.block(k, "oak", 75, 8, 6, 6)
    for x, y in ((3, 24), (23, 23), (46, 23), (70, 12), (88, 23)):
        back.block(k, "pine", x, y - 4, 3, 5)
    # Plants stand where there is grass below and air above.
    deco.put(8, 24, k["sign"])
    deco.put(48, 23, k["sign"])
    for x in range(2, 92):
        for y in range(4, 27):
            if ground.get(x, y) is None and (x, y + 1) in earth and (x, y + 1) not in slopes and (x, y) not in slopes:
                if (back.get(x, y) and y > 17 and 62 < x < 83) or deco.get(x, y) or front.get(x, y) or not is_earth(x - 1, y + 1) or not is_earth(x + 1, y + 1):
                    continue
                n = noise(x, y, 12)
                name = "tuft" if n < 60 else "flowers" if n < 86 else "tuft_2" if n < 120 else "bush" if n < 140 else None
                if name:
                    deco.put(x, y, k[name])
    for x, y in ((13, 23), (36, 20), (60, 23), (68, 12), (89, 23)):
        front.put(x, y, k["bush_left"]), front.put(x + 1, y, k["bush_right"])
    for x in (30, 31, 46, 47):
        deco.put(x, 23, k["fence"])

    # The sky and what is far away.
    sky = Grid(W, H)
    # Layers that lag behind the camera start two chunks west of the level, so that its left edge is never bare.
    clouds, far, woods = (Grid(W, H, -64) for _ in range(3))
    bands = [0] * 5 + [1] + [2] * 6 + [3] + [4] * 5 + [5] + [6] * 13
    for y in range(H):
        sky.rect(0, y, W - 1, y, k[f"sky_{bands[y]}"])
    clouds.block(k, "sun", 22, 4, 2, 2)
    for x, y in ((-58, 3), (-40, 6), (-22, 4), (6, 5), (34, 3), (52, 7), (74, 4), (96, 6), (112, 2)):
        clouds.block(k, "cloud", x, y, 4, 2)
    for x, y in ((-50, 9), (-30, 10), (-9, 8), (16, 9), (28, 11), (44, 9), (64, 10), (86, 11), (104, 10), (122, 8)):
        clouds.block(k, "wisp", x, y, 2, 1)
    for x in range(-64, W, 8):
        far.block(k, "far_hill", x, 19, 8, 2)
    far.rect(-64, 21, W - 1, 22, k["far_fill"])
    far.block(k, "far_keep", 58, 16, 3, 4)
    for x in range(-64, W, 8):
        for c in range(8):
            for r in range(2):
                woods.put(x + c, 22 + r, k[f"near_hill_{c}{r}"])
    far.rect(-64, 23, W - 1, 23, k["far_fill"])
    woods.rect(-64, 24, W - 1, H - 1, k["near_fill"])

    # --- who is there
    ids = Ids(20261120)
    a = Actors(ids)
    floor = lambda row, half: row * 16 - half

    a.note("The squire starts in the meadow.")
    a.add("player", 4.5 * 16, floor(25, 9), label="player")
    a.note("Coins show the way up the ledges.")
    for x, y in ((16.5, 21), (20, 19), (21.5, 19), (15, 17), (16, 17)):
        a.add("coin", x * 16, y * 16 + 6)
    a.note("Over the pit, and what is in it.")
    for x, y in ((26.3, 21.2), (27.5, 20.6), (28.7, 21.2)):
        a.add("coin", x * 16, y * 16 + 8)
    a.add("hazard", 27.5 * 16, 27.6 * 16, "set: (Collider: (shape: Box((46.0, 10.0))))")
    a.note("The stone waits for a push; the goblins below it do not know.")
    a.add("ball", 39.2 * 16, floor(21, 7.5), label="ball")
    a.add("goblin", 43.5 * 16, floor(23, 9), label="goblin_hill")
    a.add("fast_goblin", 48 * 16, floor(24, 9), "set: (Health: (max: 6.0))", label="runner")
    a.note("The platform goes back and forth over the chasm.")
    a.add("moving_platform", 53 * 16, 24.5 * 16, label="platform")
    a.add("hazard", 55 * 16, 29.6 * 16, "set: (Collider: (shape: Box((94.0, 10.0))))")
    for x in (53, 55, 57):
        a.add("coin", x * 16, 21.5 * 16)
    a.note("Up the cliff, or through the cave?")
    a.add("bell", 63.5 * 16, 13.4 * 16, label="bell")
    a.add("goblin", 69 * 16, floor(13, 9), label="goblin_top")
    a.add("bomb_goblin", 78 * 16, floor(14, 9), label="bomber")
    for x in (68, 69, 70, 76, 77):
        a.add("coin", (x + 0.5) * 16, (12 if x < 72 else 13) * 16 + 4)
    for x, y in ((68, 20), (69, 21), (70.5, 20.4), (71.5, 21.6), (72.5, 20.2), (73.5, 21.2), (70, 22.3), (74.5, 20.8)):
        a.add("bat", x * 16, y * 16)
    a.add("roost", 70.5 * 16, 18.6 * 16)
    a.add("hazard", 71.5 * 16, 26.6 * 16, "set: (Collider: (shape: Box((46.0, 10.0))))")
    a.add("potion", 75.5 * 16, 26.5 * 16, label="potion")
    for x in (69, 73.5):
        a.add("coin", x * 16, 24.4 * 16)
    a.note("The yard: a stack of crates, a plate, the gate. A crate on the plate keeps the gate open.")
    for x, y in ((85.5, 23), (86.5, 23), (87.5, 23), (86, 22), (87, 22), (86.5, 21)):
        a.add("crate", x * 16, y * 16 + 8.2, label=f"crate_{x}_{y}")
    a.add("pressure_plate", 89.5 * 16, 23.5 * 16, label="plate")
    a.add("door", 92.5 * 16, 22.5 * 16, label="gate")
    a.note("The long hall and its guard.")
    a.add("sentry", 114 * 16, floor(24, 9), label="sentry")
    a.add("crate", 104.5 * 16, 23.5 * 16)
    a.add("crate", 107.5 * 16, 23.5 * 16)
    for x in (104.5, 105.5, 106.5):
        a.add("coin", x * 16, 20.4 * 16)
    a.note("Upstairs: the portal, and powder.")
    a.add("spawner", 105 * 16, 16 * 16, label="portal")
    a.add("powder_keg", 114.5 * 16, floor(17, 8), label="keg")
    a.add("powder_keg", 115.5 * 16, floor(17, 8))
    a.add("goblin", 111 * 16, floor(17, 9), "append: (Loot: (items: [\"map\"]))", label="goblin_upstairs")
    a.add("potion", 118.5 * 16, 16.5 * 16)
    for x in (107.5, 108.5, 109.5):
        a.add("coin", x * 16, 13.4 * 16)
    a.note("The throne.")
    a.add("chief", 116.5 * 16, floor(9, 13), label="chief")
    a.add("goblin", 108 * 16, floor(10, 9), "remove: [\"Shield\"]", label="page")
    a.note("Behind the last door.")
    a.add("door", 123.5 * 16, 8.5 * 16, "set: (Lock: (metal: Gold), Hinge: ())", label="treasury")
    for x, y in ((124.5, 9), (125.5, 9), (126.5, 9), (127.3, 9), (125, 8), (126, 8), (127, 8), (125.5, 7), (126.5, 7), (126, 6)):
        a.add("coin", x * 16, y * 16 + 6)
    for x, y in ((12.5, 24), (84.5, 24)):
        a.add("torch", x * 16, y * 16)

    half = 9
    patrol = [
        [(668, 341), (716, 365)],
        [(45.5 * 16, floor(24, half) - 4), (49.2 * 16, floor(24, half))],
        [(67.5 * 16, floor(13, half)), (71.0 * 16, floor(13, half))],
        [(75.0 * 16, floor(14, half)), (80.5 * 16, floor(14, half))],
        [(107.0 * 16, floor(17, half)), (112.5 * 16, floor(17, half))],
        [(100.0 * 16, floor(10, half)), (109.5 * 16, floor(10, half))],
    ]
    lines = [
        "// The first level, seen from the side: a meadow, a hill, a chasm, a cave, the yard and the keep.",
        "//",
        "// A layer is Tiles, Entities or Waypoints; the first is drawn first. Tiles come in chunks of 32 by 32 cells, one string a",
        "// row: tile ids of the layer's tileset, `.` for nothing, `h`, `v`, `d` after an id mirror it.",
        "(",
        f"    size: ({W}, {H}),",
        "    tile_size: (16, 16),",
        "    layers: [",
    ]
    lines += tiles_layer("sky", "keep", sky, "The same everywhere, so it may stay where it is.", locked="true", collide="false")
    lines += tiles_layer("clouds", "keep", clouds, "Far away: a layer with parallax 0.3 moves less than a third as fast as the world.", locked="true", parallax="(0.3, 1.0)", collide="false")
    lines += tiles_layer("hills", "keep", far, "Hills: less than half as fast.", locked="true", parallax="(0.4, 1.0)", collide="false")
    lines += tiles_layer("woods", "keep", woods, "Woods before the hills.", locked="true", parallax="(0.6, 1.0)", collide="false")
    lines += tiles_layer("walls", "keep", back, "Walls one walks in front of.", collide="false")
    lines += tiles_layer("furnishing", "keep", deco, "What hangs on them and grows before them.", collide="false")
    lines += tiles_layer("ground", "keep", ground, "What one stands on.")
    lines += entities_layer("actors", a)
    lines += tiles_layer("front", "keep", front, "Drawn over everyone.", collide="false")
    lines += waypoints_layer("patrol", "Rounds of the goblins: pairs, linked by hand.", patrol, ids)
    lines += waypoints_layer("sentries", "The guard's beat.", [[(109.0 * 16, floor(24, half)), (118.0 * 16, floor(24, half))]], ids)
    lines += waypoints_layer("platforms", "Where the platform turns.", [[(51.5 * 16, 24.5 * 16), (58.5 * 16, 24.5 * 16)]], ids)
    lines += ["    ],", ")"]
    write("levels/courtyard.ron", "\n".join(lines) + "\n")
    return a.names


# --- the dungeon --------------------------------------------------------------------------------------------------


def dungeon():
    n = 64
    k = DUNGEON
    floor, walls, decor, front = Grid(n, n), Grid(n, n), Grid(n, n), Grid(n, n)
    open_ = set()

    def room(x0, y0, x1, y1):
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                open_.add((x, y))

    def block(x0, y0, x1, y1):
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                open_.discard((x, y))

    room(4, 53, 13, 60)  # the stairs down
    room(14, 56, 19, 57)
    room(20, 50, 32, 60)  # guards
    room(33, 55, 39, 56)
    room(40, 52, 51, 60)  # stores
    room(44, 46, 45, 51)
    room(36, 34, 57, 45)  # mud
    block(36, 34, 37, 36), block(53, 34, 55, 35), block(52, 44, 57, 45), block(56, 42, 57, 43), block(36, 44, 37, 45), block(36, 37, 36, 37)
    room(22, 46, 23, 49)
    room(5, 32, 25, 45)  # cistern
    room(26, 38, 31, 39)
    room(30, 31, 31, 39)
    room(38, 31, 39, 34)
    room(26, 20, 41, 30)  # hall of pillars
    room(9, 27, 10, 31)
    room(4, 15, 17, 26)  # prison
    block(4, 19, 7, 20), block(13, 19, 17, 20)
    block(8, 15, 8, 18), block(12, 15, 12, 18)
    room(8, 17, 8, 17), room(12, 17, 12, 17)
    room(42, 24, 49, 25)
    room(50, 18, 60, 28)  # vault
    room(33, 15, 34, 19)
    room(56, 29, 57, 36)  # a back way
    room(52, 57, 53, 58)
    room(54, 49, 60, 60)  # crypt
    room(22, 4, 45, 14)  # the chief's
    room(46, 9, 50, 10)
    room(51, 4, 60, 13)  # treasure

    def wall_at(x, y):
        return (x, y) not in open_

    def face_at(x, y):
        return wall_at(x, y) and not wall_at(x, y + 1)

    def top_at(x, y):
        return wall_at(x, y) and not face_at(x, y)

    for y in range(n):
        for x in range(n):
            if not wall_at(x, y):
                continue
            if face_at(x, y):
                left, right = face_at(x - 1, y) or top_at(x - 1, y), face_at(x + 1, y) or top_at(x + 1, y)
                name = "face" if left and right else "face_left" if right else "face_right" if left else "face_both"
                if name == "face":
                    r = noise(x, y, 4)
                    name = "face_crack" if r < 22 else "face_moss" if r < 44 and y > 28 else "face_drain" if r < 52 and y > 30 else name
                walls.put(x, y, k[name])
                continue
            mask = reduce_mask([top_at(x + dx, y + dy) for dx, dy in AROUND])
            name = "top_" + "".join("1" if m else "0" for m in mask)
            walls.put(x, y, k[name])
    for x, y in sorted(open_):
        above, left = face_at(x, y - 1), wall_at(x - 1, y) and not face_at(x - 1, y)
        r = noise(x, y, 6)
        if above and left:
            name = "floor_shade_corner"
        elif above:
            name = "floor_shade" if r < 150 else "floor_shade_2"
        elif left:
            name = "floor_shade_left"
        else:
            name = "floor_" + ("0" if r < 60 else "1" if r < 105 else "2" if r < 145 else "3" if r < 205 else "4" if r < 245 else "5")
            if 30 < y < 47 and x < 26 and noise(x, y, 8) < 50:
                name = "moss"
        floor.put(x, y, k[name])

    def patch(kind, blobs):
        corner = set()
        for x in range(n + 1):
            for y in range(n + 1):
                if any(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1 for cx, cy, rx, ry in blobs):
                    if all(c in open_ for c in ((x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1))):
                        corner.add((x, y))
        for x, y in sorted(open_):
            mask = tuple(int(c in corner) for c in ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)))
            if not any(mask):
                continue
            name = kind + "_" + "".join(map(str, mask)) if not all(mask) else kind
            if name == "mud" and noise(x, y, 15) < 70:
                name = "mud_2"
            floor.put(x, y, k[name])

    patch("mud", [(42.5, 40, 4.2, 2.8), (48, 39, 3.4, 3.6), (40, 37, 2.2, 1.4), (50.5, 42.4, 2.2, 1.6)])
    patch("mud", [(30.9, 36, 0.6, 1.6)])
    patch("water", [(15, 38.5, 6.4, 4.2)])
    # A dry way through the cistern.
    for y in range(33, 44):
        for x in (15, 16):
            floor.put(x, y, str(k["threshold"]) + "d")  # turned: the planks lie across

    # Walls get their lights and colors.
    def on_face(x, y, name):
        if face_at(x, y):
            walls.put(x, y, k[name])
        else:
            print("no face at", x, y, name)

    for x, y in ((6, 52), (11, 52), (25, 49), (30, 49), (42, 51), (49, 51), (7, 31), (14, 31), (20, 31), (42, 33), (49, 33), (29, 19), (38, 19), (53, 17), (57, 17), (25, 3), (31, 3), (36, 3), (42, 3), (53, 3), (58, 3), (10, 14), (55, 48), (59, 48)):
        on_face(x, y, "face_torch_0")
    for x, y in ((28, 3), (39, 3), (31, 19), (36, 19)):
        on_face(x, y, "face_banner")
    for x, y in ((33, 3), (34, 3), (55, 17), (28, 49), (57, 48)):
        on_face(x, y, "face_shield")
    for x, y in ((5, 14), (15, 14), (5, 20), (15, 20)):
        on_face(x, y, "face_bars")
    for (x, y), token in list(walls.cells.items()):
        if token == str(k["face_torch_0"]):
            for c in range(3):
                for r in range(2):
                    if (x - 1 + c, y + 1 + r) in open_ and floor.get(x - 1 + c, y + 1 + r) != str(k["threshold"]) + "d" and (c == 1 or (x - 1 + c, y) not in open_):
                        floor.put(x - 1 + c, y + 1 + r, k[f"glow_{c}{r}"])
    # Furniture.
    decor.put(5, 53, k["stairs"]), decor.put(6, 53, k["stairs"])
    decor.put(8, 59, k["bones"]), decor.put(12, 54, k["rubble"]), decor.put(4, 60, k["pot"]), decor.put(5, 60, k["pot"])
    for x, y in ((24, 54), (24, 57), (28, 54)):
        decor.put(x, y, k["table_left"]), decor.put(x + 1, y, k["table_right"])
    for x, y in ((40, 53), (41, 53), (40, 54), (50, 59), (51, 59), (51, 60), (47, 60)):
        decor.put(x, y, k["pot"])
    for x, y in ((5, 17), (14, 16), (5, 24), (15, 23), (40, 35), (22, 33)):
        decor.put(x, y, k["bones"])
    for x, y in ((55, 51), (58, 54), (55, 57), (58, 57)):
        decor.put(x, y, k["bones"])
    for x, y in ((12, 25), (20, 44), (38, 44), (52, 37), (30, 24), (52, 26)):
        decor.put(x, y, k["rubble"])
    for x, y in ((4, 15), (20, 50), (51, 4), (4, 21), (26, 20)):
        decor.put(x, y, k["cobweb"])
    for x, y in ((17, 15), (60, 4), (45, 4)):
        decor.put(x, y, str(k["cobweb"]) + "h")
    for x, y in ((28, 22), (39, 22), (28, 26), (39, 26), (26, 7), (26, 11), (41, 7), (41, 11)):
        decor.put(x, y, k["pillar_00"]), decor.put(x, y + 1, k["pillar_01"])
    # A rug leads from the door to the throne.
    for y in range(6, 15):
        for i, x in enumerate((32, 33, 34, 35)):
            col = 0 if i == 0 else 2 if i == 3 else 1
            row = 0 if y == 6 else 2 if y == 14 else 1
            decor.put(x, y, k[f"rug_{col}{row}"])
    decor.block(k, "throne", 33, 4, 2, 2)
    decor.put(31, 4, k["candles"]), decor.put(36, 4, k["candles"])
    for x, y in ((53, 5), (55, 5), (57, 5), (59, 8)):
        decor.put(x, y, k["chest"])
    for i in range(3):
        for j in range(3):
            decor.put(54 + i, 8 + j, k[f"rug_{i}{j}"])
    decor.put(58, 27, k["grate"]), decor.put(48, 44, k["grate"])

    ids = Ids(19711205)
    a = Actors(ids)
    at = lambda v: v * 16 + 8
    round_feet = "set: (Collider: (shape: Circle(5.0), offset: (0.0, 4.0)))"
    a.note("The squire comes down the stairs. From above the feet are what bumps into things.")
    a.add("player", at(7), at(55), round_feet, label="player")
    a.add("torch", at(4), at(56))
    a.note("Guards.")
    a.add("goblin", at(23), at(59), label="guard_1")
    a.add("goblin", at(30), at(52), label="guard_2")
    a.add("fast_goblin", at(31), at(58), "scale: (Walker: (speed: 0.9))", label="guard_3")
    for x, y in ((22, 52), (26, 52), (27, 58)):
        a.add("coin", at(x), at(y))
    a.note("Stores: do not hit the red ones.")
    for x, y in ((42, 58), (43, 58), (42, 59), (48, 54), (49, 54)):
        a.add("crate", at(x), at(y))
    for x, y in ((49, 57), (50, 57), (46, 59)):
        a.add("powder_keg", at(x), at(y))
    a.add("bomb_goblin", at(47), at(56), label="storeman")
    a.add("potion", at(51), at(53))
    a.note("Doors.")
    door = lambda x, y, more="", label=None: a.add("oak_door", (x + 1) * 16, y * 16, more, label)
    door(22, 48, label="door_cistern")
    door(44, 50, label="door_mud")
    door(9, 30, label="door_prison")
    door(38, 33, label="door_south")
    door(33, 18, "set: (Lock: (metal: Gold))", label="door_chief")
    a.note("The mud: goblins go around, bats do not care.")
    a.add("goblin", at(39), at(42), label="mudder")
    a.add("roost", at(46), 34.6 * 16)
    a.add("roost", at(57), 49.6 * 16)
    for x, y in ((44, 37), (45, 38), (46, 36), (47, 38), (48, 37)):
        a.add("bat", at(x), at(y))
    for x, y in ((42, 40), (43, 40), (48, 39)):
        a.add("coin", at(x), at(y))
    a.note("The cistern and the prison.")
    a.add("goblin", at(8), at(43), label="cistern")
    a.add("potion", at(6), at(33))
    a.add("goblin", at(10), at(18), label="jailer")
    a.add("bell", at(9), at(22), label="bell")
    for x, y in ((5, 16), (15, 17), (5, 25)):
        a.add("coin", at(x), at(y))
    a.note("The hall of pillars.")
    a.add("fast_goblin", at(30), at(28), label="runner")
    a.add("goblin", at(37), at(24), label="pillars")
    a.add("ball", at(34), at(27), label="ball")
    a.note("The vault: the key, and who guards it.")
    a.add("sentry", at(57), at(24), label="sentry")
    a.add("key", at(59), at(20), label="key")
    a.add("crate", at(52), at(22))
    a.add("crate", at(53), at(22))
    a.note("The crypt.")
    for x, y in ((56, 51), (57, 52), (58, 51)):
        a.add("bat", at(x), at(y))
    a.add("potion", at(59), at(59))
    a.add("fast_goblin", at(56), at(56), label="digger")
    a.note("The chief. The plate in his hall lifts the gate to the treasure; so does a crate on it.")
    a.add("chief", at(33) + 8, at(7), label="chief")
    a.add("goblin", at(27), at(9), label="left")
    a.add("goblin", at(40), at(9), label="right")
    a.add("spawner", at(23), at(6), "set: (Portal: (left: 2))", label="portal")
    a.add("crate", at(42), at(14))
    a.add("pressure_plate", at(44), at(12), label="plate")
    a.add("door", at(47), at(9), label="gate")
    for x, y in ((52, 11), (53, 11), (58, 11), (58, 12), (59, 12), (54, 12), (56, 12)):
        a.add("coin", at(x), at(y))

    patrol = [
        [(at(22), at(59)), (at(31), at(59)), (at(31), at(52)), (at(22), at(52))],
        [(at(39), at(36)), (at(52), at(38)), (at(51), at(43)), (at(39), at(43))],
        [(at(7), at(44)), (at(23), at(44)), (at(23), at(33)), (at(7), at(33))],
        [(at(10), at(16)), (at(10), at(25))],
        [(at(27), at(24)), (at(40), at(24)), (at(40), at(29)), (at(27), at(29))],
        [(at(24), at(9)), (at(43), at(9)), (at(43), at(13)), (at(24), at(13))],
        [(at(47), at(57)), (at(47), at(53))],
        [(at(55), at(59)), (at(55), at(50)), (at(59), at(50))],
    ]
    lines = [
        "// The second level, seen from above: find the key in the vault, open the chief's hall, then his treasure.",
        "//",
        "// Mud is dear to walk on (tilesets/dungeon.ron), so goblins go around it when the way is not much longer.",
        "(",
        f"    size: ({n}, {n}),",
        "    tile_size: (16, 16),",
        "    view: TopDown, // no gravity, eight-way walking",
        "    layers: [",
    ]
    lines += tiles_layer("floor", "dungeon", floor, "Floors, mud and water.")
    lines += tiles_layer("walls", "dungeon", walls, "Walls: a top and a face.")
    lines += tiles_layer("decor", "dungeon", decor, "Furniture; tables, pots and pillars are in the way.")
    lines += entities_layer("actors", a)
    lines += waypoints_layer("patrol", "Rounds of the guards.", patrol, ids)
    lines += waypoints_layer("sentries", "The vault's guard.", [[(at(52), at(25)), (at(58), at(25))]], ids)
    lines += waypoints_layer("ways", "A graph over the rooms: nodes that see each other link by themselves.", [[(at(x), at(y)) for x, y in ((8, 57), (16, 56), (22, 56), (22, 51), (36, 55), (42, 56), (44, 53), (44, 44), (41, 43), (38, 35), (38, 31), (22, 44), (24, 38), (30, 38), (30, 30), (9, 33), (24, 33), (9, 27), (10, 22), (51, 57), (57, 55), (56, 38), (56, 27), (33, 25), (41, 24), (51, 24), (33, 20), (33, 14), (44, 9), (52, 9))]], ids, auto=True)
    lines += ["    ],", ")"]
    write("levels/dungeon.ron", "\n".join(lines) + "\n")
    return a.names


if __name__ == "__main__":
    tilesets()
    print("courtyard", courtyard())
    print("dungeon", dungeon())
