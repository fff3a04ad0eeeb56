"""The courtyard's tiles (`tilesets/keep.png`): ground that knows its eight neighbors, slopes, the keep's stonework, what
stands and grows in front of it, and the sky behind. Names and places here are what `tilesets/keep.ron` was made from."""

import math

from pixels import CLEAR, Img, Tiles, art, dither, noise

T = 16
COLUMNS = 16

# --- ground -------------------------------------------------------------------------------------------------------

# Light and dark clods of the earth; it repeats every tile.
CLODS = """
.....++.........
....+++-....+...
.....--....++-..
............--..
..+.............
.++-......++....
..--.....+++-...
..........--....
.....+..........
....++-......+..
.....--.....++-.
.............--.
.++.............
+++-....++......
.---....+-...+..
.............-..
""".strip().split("\n")
DRIPS = [1, 2, 1, 0, 1, 1, 3, 2, 1, 0, 0, 1, 2, 1, 0, 0]
EARTH = "qwert"


def clod(x, y):
    return {"+": 1, "-": -1}.get(CLODS[y % T][x % T], 0)


def ground(solid):
    """One tile of earth with grass wherever the sky is above. `solid(x, y)` answers for -16..32 both ways."""
    out = Img(T, T)

    def run(x, y, dx, dy, most=15):
        for i in range(1, most):
            if not solid(x + dx * i, y + dy * i):
                return i
        return most

    for y in range(T):
        for x in range(T):
            if not solid(x, y):
                continue
            up, down, left, right = run(x, y, 0, -1), run(x, y, 0, 1), run(x, y, -1, 0), run(x, y, 1, 0)
            near = 13.0
            for yy in range(y - 12, y + 13):
                for xx in range(x - 12, x + 13):
                    if not solid(xx, yy):
                        near = min(near, math.hypot(xx - x, yy - y))
            blades = 4 + DRIPS[x % T]
            if up <= blades:
                key = "g" if up == 1 else "c" if up < blades else "x"
                if up == 2 and (x * 5 + 3) % 7 < 4:
                    key = "g"
                if up == blades - 1 and DRIPS[x % T] < 2:
                    key = "x"
                if right == 1 and up > 1:
                    key = "z"
                elif left == 1 and up > 2:
                    key = "x"
            elif up == blades + 1:
                key = "q"
            else:
                shade = 1
                if near < 7 or (near < 10 and dither(x, y, 0.5)):
                    shade = 2
                shade += clod(x, y)
                if left == 2:
                    shade = 3
                elif left == 3 and dither(x, y, 0.5):
                    shade = 3
                if right == 2 or down == 2:
                    shade = 1
                if right == 1 or down == 1 or left == 1:
                    shade = 0
                key = EARTH[max(0, min(4, shade))]
            out.put(x, y, key)
    return out


# The eight neighbors clockwise from the north, as in a `Mixed` terrain.
AROUND = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def blob_masks():
    """The 47 neighborhoods that can look different: a corner counts only between two present sides."""
    seen = []
    for bits in range(256):
        mask = reduce_mask([bool(bits >> i & 1) for i in range(8)])
        if mask not in seen:
            seen.append(mask)
    return sorted(seen, key=lambda m: (sum(m[i] for i in (0, 2, 4, 6)), sum(m), m))


def reduce_mask(mask):
    mask = list(mask)
    for i in (1, 3, 5, 7):
        mask[i] = mask[i] and mask[i - 1] and mask[(i + 1) % 8]
    return tuple(mask)


def blob_solid(mask, depth=None):
    cells = {(0, 0): True}
    for (dx, dy), on in zip(AROUND, mask):
        cells[(dx, dy)] = on

    def solid(x, y):
        cx, cy = x // T, y // T
        if not cells.get((cx, cy), True):
            return False
        if (cx, cy) == (0, 0):
            # Outer corners lose a few pixels.
            for sx, sy, px in ((-1, -1, (0, 0)), (1, -1, (15, 0)), (-1, 1, (0, 15)), (1, 1, (15, 15))):
                if not cells[(sx, 0)] and not cells[(0, sy)]:
                    ex, ey = abs(x - px[0]), abs(y - px[1])
                    if ex + ey < (1 if sy < 0 else 2):
                        return False
        return True

    return solid


def slope_solid(height):
    """Solid under `height(x)` pixels from the tile's top, for any x; everything below is solid."""
    return lambda x, y: y >= height(x)


# --- stonework ----------------------------------------------------------------------------------------------------

COURSES = [(0, (0, 9)), (8, (5, 14))]  # top of the course, joints


def brick_shade(x, y, key=0):
    """0 mortar, 1 shadow, 2 face, 3 light."""
    top, joints = COURSES[0] if y % T < 8 else COURSES[1]
    row = y % T - top
    xx = x % T
    if row == 7:
        return 0
    start = max([j for j in joints if j <= xx], default=joints[-1] - T)
    end = min([j for j in joints if j > xx], default=joints[0] + T)
    if xx == end - 1:
        return 0
    if row == 0 or (xx == start and row < 6):
        return 3 if row == 0 and xx < end - 2 else 2
    if row == 6 or xx == end - 2:
        return 1
    grain = noise(x % T, y % T, key)
    return 1 if grain < 18 else 3 if grain > 246 else 2


def bricks(mask, key=0, ramp="1234"):
    """A block of wall; `mask` says which of north, east, south, west go on."""
    out = Img(T, T)
    n, e, s, w = mask
    for y in range(T):
        for x in range(T):
            shade = brick_shade(x, y, key)
            if not n:
                if y == 0:
                    shade = 5
                elif y < 4:
                    shade = 4 if y == 1 else 3
                    if x % 8 == 7 and y > 0:
                        shade = 1
                elif y == 4:
                    shade = 0
            if not w and x == 0 or not e and x == 15 or not s and y == 15:
                shade = -1
            elif not w and x == 1 and y != 4:
                shade = max(shade, 4 if not n and y < 4 else 3)
            elif not e and x == 14:
                shade = min(shade, 1)
            elif not s and y == 14:
                shade = min(shade, 0)
            out.put(x, y, "n" if shade < 0 else (ramp + "45")[shade])
    if not n and not w:
        out.put(0, 0, CLEAR)
    if not n and not e:
        out.put(15, 0, CLEAR)
    return out


def back_bricks(key=0, light=0):
    """The wall behind: the same courses, two shades and little contrast, so what moves stands out."""
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            shade = brick_shade(x, y, key)
            brick = noise((x + (3 if y < 8 else 11)) // 9, y // 8, key + 40)
            pick = "n" if shade == 0 else "1"
            if shade == 3 and (brick > 90 or light):
                pick = "2" if x % 2 == 0 or light else "1"
            if shade == 1 and dither(x, y, 0.5):
                pick = "n"
            out.put(x, y, pick)
    return out


def back_cave(key=0):
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            up = clod(x + 5 * key, y + 7 * key)
            out.put(x, y, "q" if up > 0 else "k" if up < 0 else "n")
    return out


def back_earth():
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            out.put(x, y, "w" if clod(x + 3, y + 5) > 0 else "n" if clod(x + 3, y + 5) < 0 else "q")
    return out


# --- things drawn by hand -----------------------------------------------------------------------------------------

LEDGE_MID = """
kkkkkkkkkkkkkkkk
ttttttttttttttrt
rrrtrrrrrtrrrrre
eerreeeerreeeewe
wwwwwwwwwwwwwwww
kkkkkkkkkkkkkkkk
"""

LEDGE_LEFT = """
.kkkkkkkkkkkkkkk
kttttttttttttttt
ktrrtrrrrrtrrrrr
kreerreeeerreeee
kwwwwwwwwwwwwwww
.kkkkkkkkkkkkkkk
...kreewk.......
...krewk........
...kewk.........
...kwk..........
....k...........
"""

BUSH_SMALL = """
................
................
................
................
................
................
.....kkkk.......
...kkggcgkk.....
..kgggcggcck.k..
.kggcggcgcckkgk.
.kgcgcccgccxcggk
kgggcgccccxcggck
kgccgcxccxccgcxk
kcxcccxxcxxccxzk
kxzxcxzxxzxcxzxk
kzxzxzxzxzxzxzzk
"""

TUFT = """
................
................
................
................
................
................
................
................
................
................
......g.........
..g...g..g...g..
..cg.gc.gc..g...
.g.c.gc.c.g.gc..
.c.cgcxccgc.cx.g
xcxcxcxcxcxcxcxc
"""

FLOWERS = """
................
................
................
................
................
................
................
....T...........
...TUT......P...
....T......PIP..
....x...s...P...
.g..x..sUs..x...
.cg.xg..s..gx..g
.gc.cx..x.gcx.gc
gc.gcxg.xgcxxcgx
xcxcxxcxcxcxxxcx
"""

MUSHROOM = """
................
................
................
................
................
................
................
......kkkk......
....kkSTTIkk....
...kSTITSSSTk...
..kSSSSSSSISRk..
..kRSISRSSRRRk..
...kkkttttkkk...
.....ktttek.....
..g..ktttek..g..
xcxcxkrrekxcxcxc
"""

FENCE = """
................
................
..k..........k..
.ktk........ktk.
kttrk......kttrk
ktrek......ktrek
ktrekkkkkkkktrek
ktretttttttttrek
ktrerrrrrrrrtrek
ktrekkkkkkkktrek
ktrek......ktrek
ktrekkkkkkkktrek
ktretttttttttrek
ktrerrrrrrrrtrek
ktrekkkkkkkktrek
kteek......kteek
"""

SPIKES = """
................
................
................
................
................
................
.......k........
...k...5k...k...
...5k.k54k..5k..
..k54k.54k.k54k.
..k54k.543kk54k.
..k543k543k.543k
.k5433k5432k5432
.k5432k5432k5432
k11111111111111k
kkkkkkkkkkkkkkkk
"""

BARREL = """
................
................
....kkkkkkkk....
...kttrrrreek...
..kktttrrreekk..
..k2333333221k..
..ktrtrrereewk..
.kttrtrrereewwk.
.kttrtrrereewwk.
.kttrtrrereewwk.
.k23333332221nk.
.kttrtrrereewwk.
..ktrtrrereewk..
..k2333333221k..
..kktrrrreewkk..
...kkkkkkkkkk...
"""

CRATE = """
kkkkkkkkkkkkkkkk
kttttttttttttrek
ktrrrrrrrrrrrewk
ktrkkkkkkkkkkewk
ktrkreeeeewkkewk
ktrkereeewkrkewk
ktrkeereewkreewk
ktrkeeerekreeewk
ktrkeeewkreeeewk
ktrkeewkreweeewk
ktrkewkreeeweewk
ktrkwkreeeeewewk
ktrkkkkkkkkkkewk
ktreeeeeeeeeeewk
krewwwwwwwwwwwwk
kkkkkkkkkkkkkkkk
"""

SIGN = """
................
................
................
.kkkkkkkkkkkk...
kttttttttttttk..
ktrrrrrrkrrrrrk.
ktrkkkkkkkrrrerk
ktrrrrrrkrrrrek.
kreeeeeeeeeeek..
.kkkkkekkkkkk...
.....kek........
.....kek........
.....kek........
..g..kek...g....
.gc..kwk..gc.g..
xcxcxkwkxcxcxcxc
"""

SKULL = """
................
................
................
................
................
................
................
................
................
.....kkkkkk.....
....k555554k....
...k55555443k...
...k5kk5kk43k...
...k5kk5kk43k...
....k45k443k....
....k4k4k3k.....
"""

WINDOW = """
.....111111.....
...1122222211...
..122kkkkkk221..
..12kBBklBBk21..
.122kBlklBBk221.
.12kkBlklBBkk21.
.12kBBlkBBBbk21.
.12kkkkkkkkkk21.
.12kBlBklBBbk21.
.12kBlBklBBbk21.
.12kBBBklBbbk21.
.12kBBBkBBbbk21.
.12kkkkkkkkkk21.
.13344444444331.
.12222222222221.
..111111111111..
"""

BANNER_TOP = """
................
..kkkkkkkkkkkk..
.kUYYYYYYYYYYRk.
..kkkkkkkkkkkk..
..kTSSSSSSSSRk..
..kTSSSSSSSSRk..
..kTSSUUUUSSRk..
..kTSUYUUYUSRk..
..kTSUkUUkUSRk..
..kTSUUYYUUSRk..
..kTSSUUUUSSRk..
..kTSSUkkUSSRk..
..kTSSSUUSSSRk..
..kTSSSSSSSSRk..
..kTSSSSSSSSRk..
..kTSUUUUUUSRk..
"""
BANNER_BOTTOM = """
..kTSSYYYYSSRk..
..kTSSSSSSSSRk..
..kTSSSSSSSSRk..
..kTSSSSSSSSRk..
..kTSSSSSSSSRk..
..kTSSSSSSSRRk..
..kTSSRRRSSRRk..
..kTSRkkkRSRRk..
..kTRk...kRRRk..
..kRk.....kRRk..
..kk.......kkk..
................
................
................
................
................
"""

TORCH_BASE = """
................
................
................
................
................
................
................
................
....kkkkkkkk....
....k32Y2Y1k....
.....k2221k.....
......krek......
......krek......
.....kk2wkk.....
......kekk......
.......k........
"""
FLAMES = [
    """
................
.......k........
.......T........
......kT........
......TYT.......
.....TYYT.......
.....TYUYT......
....TYUIUYT.....
.....YIIIY......
""",
    """
........k.......
................
........T.......
.......TT.......
......TYT.......
......TYYT......
.....TYUYT......
....TYUIUYT.....
.....YIIIY......
""",
    """
................
......T.........
................
......TT........
......TYT.......
.....TYYT.......
.....TYUYYT.....
....TYUIUUT.....
.....YIIIY......
""",
    """
................
................
.......T........
......TT........
.....TYTT.......
.....TYYYT......
....TYUUYT......
....TYUIUYT.....
.....YIIIY......
""",
]

LADDER = """
.kek........kek.
.krk........krk.
.krkkkkkkkkkkrk.
.krttttttttttrk.
.kreeeeeeeeeerk.
.krkkkkkkkkkkrk.
.krk........krk.
.krk........krk.
.kek........kek.
.krk........krk.
.krkkkkkkkkkkrk.
.krttttttttttrk.
.kreeeeeeeeeerk.
.krkkkkkkkkkkrk.
.krk........krk.
.krk........krk.
"""

SHELF = """
kkkkkkkkkkkkkkkk
kweeeeeeeeeeeewk
kwkkkkkkkkkkkkwk
kwkTkBlk..kUYkwk
kwkSkBBkPkkYYkwk
kwkSkbBkPpkYYkwk
kwkRkbBkppkYekwk
kweeeeeeeeeeeewk
kwkkkkkkkkkkkkwk
kwkgckTk5kkkkkwk
kwkcxkSk4kUkLkwk
kwkcxkSk4kYklkwk
kwkxxkRk3kYkBkwk
kweeeeeeeeeeeewk
kwkkkkkkkkkkkkwk
kkkkkkkkkkkkkkkk
"""

CHAIN = """
......k22k......
......2..2......
......2..2......
......k22k......
.......33.......
.......33.......
......k22k......
......2..2......
......2..2......
......k22k......
.......33.......
.......33.......
......k22k......
......2..2......
......k22k......
.......33.......
"""

ROOTS = """
.w..we...w..ew..
.w..w....w..w...
.ww.w...ww..we..
..w.we..w....w..
..w..w..w...ww..
..e..w.we...w...
.....w.w....e...
.....e.w........
.......e........
................
................
................
................
................
................
................
"""

PILLAR_TOP = """
kkkkkkkkkkkkkkkk
k54444444444332k
k54443333333321k
kkkkkkkkkkkkkkkk
.kk4333333322kk.
..k4333333221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
"""
PILLAR_MID = "\n".join(["..k4343323221k.."] * 16)
PILLAR_BASE = """
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4343323221k..
..k4333333221k..
.kkkkkkkkkkkkkk.
.k544433333221k.
kkkkkkkkkkkkkkkk
k54444444333321k
kkkkkkkkkkkkkkkk
"""

GATE_BARS = """
k3k..k3k..k3k..k
k3k..k3k..k3k..k
k4k..k4k..k4k..k
k3kkkk3kkkk3kkkk
k43333433334333k
k22222222222222k
k3kkkk3kkkk3kkkk
k3k..k3k..k3k..k
k4k..k4k..k4k..k
k3k..k3k..k3k..k
k3k..k3k..k3k..k
k3kkkk3kkkk3kkkk
k43333433334333k
k22222222222222k
k3kkkk3kkkk3kkkk
k3k..k3k..k3k..k
"""


def sky(kind):
    """Bands from the zenith to the horizon, dithered into each other; `kind` 0 is the top."""
    ramp = ["B", "l", "L", "I"]
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            if kind % 2 == 0:
                out.put(x, y, ramp[min(kind // 2, 3)])
            else:
                share = (y + 0.5) / T
                low, high = ramp[kind // 2], ramp[min(kind // 2 + 1, 3)]
                out.put(x, y, high if dither(x, y, share) else low)
    return out


def clouds():
    """A cloud of 4x2 tiles and one of 2x1."""
    big = Img(64, 32)
    puffs = [(16, 21, 9), (27, 14, 11), (40, 17, 10), (50, 22, 8), (33, 22, 10), (9, 24, 6), (56, 25, 5)]
    for cx, cy, r in puffs:
        big.disc(cx, cy, r, "L")
    for cx, cy, r in puffs:
        big.disc(cx - 1.5, cy - 2, r - 2.5, "5")
    for cx, cy, r in puffs:
        big.disc(cx - 2.5, cy - 3, r - 4.5, "I")
    big.rect(0, 28, 64, 4, CLEAR)
    small = Img(32, 16)
    puffs = [(9, 11, 5), (17, 8, 6.5), (24, 11, 5)]
    for cx, cy, r in puffs:
        small.disc(cx, cy, r, "L")
    for cx, cy, r in puffs:
        small.disc(cx - 1, cy - 1.5, r - 2, "5")
    small.rect(0, 14, 32, 2, CLEAR)
    return big, small


def hills():
    """Far hills, 8 tiles wide and 2 high; both ends meet. And near ones with woods."""
    far, near = Img(128, 32), Img(128, 32)
    for x in range(128):
        a = x / 128 * 2 * math.pi
        top = 12 + 7 * math.sin(a) + 4 * math.sin(2 * a + 1) + 2 * math.sin(5 * a + 2)
        slope = 7 * math.cos(a) + 8 * math.cos(2 * a + 1) + 10 * math.cos(5 * a + 2)
        for y in range(32):
            depth = y - top
            if depth < 0:
                continue
            lit = slope < 0
            key = "l" if depth < 1.5 or (lit and depth < 7 and dither(x, y, 0.6 - depth / 14)) else "B"
            if y > 16 and dither(x, y, min(0.82, (y - 16) / 18)):
                key = "l"
            far.put(x, y, key)
        top = 15 + 4 * math.sin(a + 2.4) + 3 * math.sin(3 * a) + abs(math.sin(11 * a)) * -3 + (noise(x // 2, 3) % 3)
        for y in range(32):
            depth = y - top
            if depth < 0:
                continue
            key = "c" if depth < 1.2 else "x"
            if 1.2 <= depth < 6 and noise(x // 2, y // 2, 9) < 90 - depth * 10:
                key = "c"
            if depth > 4 and dither(x, y, min(0.7, (y - 14) / 26)):
                key = "z"
            near.put(x, y, key)
    return far, near


def far_keep():
    """The keep on the horizon: 3x4 tiles, in the colors of distance."""
    out = Img(48, 64)

    def tower(x, top, w, base=64, roof=False):
        for y in range(top, base):
            for xx in range(x, x + w):
                side = (xx - x) / w
                key = "l" if side < 0.3 else "B"
                if side > 0.7 and dither(xx, y, 0.6):
                    key = "b"
                out.put(xx, y, key)
        if roof:
            for i in range(w // 2 + 3):
                for xx in range(x + w // 2 - i, x + w // 2 + i):
                    out.put(xx, top - (w // 2 + 3) + i, "P" if xx < x + w // 2 - i // 3 else "p")
        else:
            for xx in range(x - 1, x + w + 1):
                if (xx - x) % 4 < 2:
                    out.put(xx, top - 2, "l")
                    out.put(xx, top - 1, "l")
                out.put(xx, top, "l" if xx < x + w // 2 else "B")
                out.put(xx, top + 1, "b")

    tower(6, 34, 36)
    tower(16, 18, 14)
    tower(3, 26, 9, roof=True)
    tower(37, 28, 8, roof=True)
    for x, y in ((20, 26), (25, 26), (22, 38), (30, 44), (13, 44), (7, 34), (40, 36)):
        out.rect(x, y, 2, 4, "b")
        out.put(x, y, "U")
        out.put(x, y + 1, "Y")
    out.line(23, 6, 23, 16, "b")
    out.rect(24, 6, 6, 4, "S")
    out.put(29, 7, CLEAR)
    out.put(29, 8, CLEAR)
    return out


def fill_tile(base, dots, share):
    out = Img(T, T, base)
    for y in range(T):
        for x in range(T):
            if dither(x, y, share):
                out.put(x, y, dots)
    return out


def archway():
    """A 3x3-tile doorway of dressed stone in a back wall."""
    out = Img(48, 48)
    for y in range(48):
        for x in range(48):
            dx, dy = x + 0.5 - 24, y + 0.5 - 22
            r = math.hypot(dx, dy) if dy < 0 else abs(dx)
            if r < 16:
                out.put(x, y, "k" if r > 14.6 or y < 12 or dither(x, y, 0.7 - (y - 10) / 60) else "n")
            elif r < 22:
                if dy < 0:
                    part = int((math.atan2(dy, dx) + math.pi) / math.pi * 9)
                    frac = (math.atan2(dy, dx) + math.pi) / math.pi * 9 % 1
                    joint = frac < 0.14
                else:
                    part = y // 9
                    joint = y % 9 == 8
                key = "n" if joint or r < 16.8 or r > 21.2 else "323"[part % 3]
                if not joint and 17 < r < 18.2 and dx > 0 or (not joint and 20 < r < 21.2 and dx < 0):
                    key = "4"
                out.put(x, y, key)
    return out


def sun():
    out = Img(32, 32)
    out.disc(16, 16, 15, "L")
    for y in range(32):
        for x in range(32):
            if out.get(x, y) == "L" and not dither(x, y, 0.5):
                out.put(x, y, CLEAR)
    out.disc(16, 16, 12, "I")
    out.disc(17, 17, 10.5, "U")
    out.disc(15.5, 15.5, 10, "I")
    return out


def keep():
    """All tiles in order, with ids from 1."""
    tiles = Tiles(COLUMNS)

    # Ground: 47 neighborhoods, then a second look for the inside.
    for mask in blob_masks():
        tiles.add("ground_" + "".join("1" if m else "0" for m in mask), ground(blob_solid(mask)))
    inside = ground(blob_solid((True,) * 8))
    stone = inside.copy()
    stone.blit(art("..kkkkk..\n.k44332k.\nk4333322k\nk3332221k\n.k22211k.\n..kkkkk.."), 4, 5)
    tiles.add("ground_stone", stone)
    # Slopes: the tile with the surface, then the one under it.
    slopes = {
        "slope_up": lambda x: 15 - x,
        "slope_down": lambda x: x,
        "gentle_up_low": lambda x: 15 - x // 2,
        "gentle_up_high": lambda x: 7 - x // 2,
        "gentle_down_high": lambda x: x // 2,
        "gentle_down_low": lambda x: 8 + x // 2,
    }
    for name, height in slopes.items():
        tiles.add(name, ground(slope_solid(height)))
    for name, height in slopes.items():
        if "high" not in name:
            tiles.add(name + "_base", ground(lambda x, y, h=height: y >= h(x) - T))
    half = lambda x, y: y >= 8
    tiles.add("half_left", ground(lambda x, y: y >= 8 and x >= 0 and not (x == 0 and y == 8)))
    tiles.add("half_mid", ground(half))
    tiles.add("half_right", ground(lambda x, y: y >= 8 and x < 16 and not (x == 15 and y == 8)))
    ledge = art(LEDGE_LEFT)
    tiles.add("ledge_left", ledge)
    tiles.add("ledge_mid", art(LEDGE_MID))
    tiles.add("ledge_right", ledge.flip_h())
    # The keep's walls: which of north, east, south, west go on.
    for bits in range(16):
        mask = tuple(bool(bits >> i & 1) for i in range(4))
        tiles.add("brick_" + "".join("1" if m else "0" for m in mask), bricks(mask, 3))
    # Back walls and what hangs on them.
    for i in range(3):
        tiles.add(f"back_{i}", back_bricks(i, light=i == 2))
    tiles.add("back_cave_0", back_cave(0))
    tiles.add("back_cave_1", back_cave(1))
    tiles.add("back_earth", back_earth())
    base = back_bricks(0)
    tiles.add("window", base.copy().blit(art(WINDOW), 0, 0))
    tiles.add("window_lit", base.copy().blit(art(WINDOW).swap({"B": "Y", "l": "I", "b": "Y"}), 0, 0))
    tiles.add("banner_top", art(BANNER_TOP))
    tiles.add("banner_bottom", art(BANNER_BOTTOM))
    for i, flame in enumerate(FLAMES):
        tiles.add(f"torch_{i}", art(TORCH_BASE).blit(art(flame), 0, 0))
    tiles.add("chain", art(CHAIN))
    tiles.add("shelf", art(SHELF))
    # In front: plants, furniture, dangers.
    bush = art(BUSH_SMALL)
    wide = Img(32, 16).blit(bush.flip_h().swap({"g": "c", "c": "x", "x": "z"}), 14, -1).blit(bush, 2, 0)
    tiles.add("bush", bush)
    tiles.add("bush_left", wide.crop(0, 0, 16, 16))
    tiles.add("bush_right", wide.crop(16, 0, 16, 16))
    tiles.add("tuft", art(TUFT))
    tiles.add("tuft_2", art(TUFT).flip_h())
    tiles.add("flowers", art(FLOWERS))
    tiles.add("mushroom", art(MUSHROOM))
    tiles.add("fence", art(FENCE))
    tiles.add("sign", art(SIGN))
    tiles.add("skull", art(SKULL))
    tiles.add("spikes", art(SPIKES))
    tiles.add("barrel", art(BARREL))
    tiles.add("crates", art(CRATE).swap({"t": "r", "r": "e", "e": "w", "w": "q"}))
    tiles.add("ladder", art(LADDER))
    tiles.add("gate_bars", art(GATE_BARS))
    tiles.add("roots", art(ROOTS))
    # A row for the doorway, pillars and the crown of the walls.
    arch = archway()
    tiles.add_block("arch", arch, 3, 3)
    tiles.add("pillar_top", art(PILLAR_TOP).swap({"5": "4", "4": "3", "3": "2", "2": "1", "1": "n"}))
    tiles.add("pillar_mid", art(PILLAR_MID).swap({"5": "4", "4": "3", "3": "2", "2": "1", "1": "n"}))
    tiles.add("pillar_base", art(PILLAR_BASE).swap({"5": "4", "4": "3", "3": "2", "2": "1", "1": "n"}))
    tiles.add("merlon", merlon())
    tiles.add("brick_moss", moss(bricks((True,) * 4, 3)))
    tiles.add("brick_crack", crack(bricks((True,) * 4, 3)))
    tiles.skip_row()
    # Sky.
    for kind in range(7):
        tiles.add(f"sky_{kind}", sky(kind))
    big, small = clouds()
    tiles.add_block("wisp", small, 2, 1)
    tiles.skip_row()
    far, near = hills()
    tiles.add_block("far_hill", far, 8, 2)
    tiles.add_block("near_hill", near, 8, 2)
    tiles.add("far_fill", fill_tile("l", "B", 0.18))
    tiles.add("near_fill", fill_tile("z", "x", 0.3))
    tiles.skip_row()
    tiles.add_block("cloud", big, 4, 2)
    tiles.add_block("sun", sun(), 2, 2)
    tiles.add_block("far_keep", far_keep(), 3, 4)
    tiles.skip_row()
    # Deep earth, from which one sees how thick the ground is.
    tiles.add("dusk_0", deep_earth(0, 0.5))
    tiles.add("dusk_1", deep_earth(1, 0.5))
    tiles.add("deep_0", deep_earth(0, 0.0))
    tiles.add("deep_1", deep_earth(1, 0.0))
    tiles.add("deep_2", deep_earth(2, 0.0))
    bones = deep_earth(2, 0.0)
    bones.blit(art("..rr.....rr.\n.rttr...rttr\n..rtttttttr.\n.rttr...rttr\n..rr.....rr.").swap({"t": "e", "r": "w"}), 2, 5)
    tiles.add("deep_bone", bones)
    gem = deep_earth(0, 0.0)
    gem.blit(art("..kk...\n.kLlk..\nkLlBk..\nklBBkkk\n.kBkLlk\n..kklBk\n....kk."), 5, 5)
    tiles.add("deep_gem", gem)
    for i in range(4):
        tiles.add(f"flag_{i}", flag(i))
    tiles.add("brick_window", outer_window())
    tiles.add("hay", art(HAY))
    tiles.skip_row()
    tiles.add_block("glow", torch_glow(), 5, 4)
    tiles.skip_row()
    tiles.add_block("oak", oak(), 6, 6)
    tiles.add_block("pine", pine(), 3, 5)
    # What the squire climbs, swims in and is carried by.
    tiles.add("ladder_top", art(LADDER).blit(art(LADDER_PLANK), 0, 0))
    for i in range(4):
        tiles.add(f"water_top_{i}", pool(i, surface=True))
    for i in range(4):
        tiles.add(f"water_{i}", pool(i, surface=False))
    for i in range(4):
        tiles.add(f"belt_right_{i}", belt(i))
    for i in range(4):
        tiles.add(f"belt_left_{i}", belt(i).flip_h())
    tiles.skip_row()
    return tiles


LADDER_PLANK = """
kkkkkkkkkkkkkkkk
kttttttttttttttk
krrrtrrrrrtrrrrk
keerreeeerreeeek
kkkkkkkkkkkkkkkk
"""


def pool(frame, surface):
    """Water that one looks into from the side; its surface rolls by in four frames. Levels lay it over who swims, half
    transparent."""
    out = Img(T, T)
    for x in range(T):
        top = 3 + round(math.sin((x - frame * 4) * math.tau / T)) if surface else 0
        for y in range(top, T):
            key = "B"
            if surface and y == top:
                key = "L"
            elif surface and y == top + 1:
                key = "l" if (x - frame * 4) % T < 11 else "L"
            elif surface and y < top + 4 and dither(x, y, 0.5):
                key = "l"
            out.put(x, y, key)
    # Glints that drift and fade, no two alike in a row.
    for gx, gy, n, phase in ((2, 9, 5, 0), (9, 13, 4, 2)) if surface else ((1, 3, 4, 1), (8, 7, 5, 3), (4, 12, 4, 0)):
        age = (frame + phase) % 4
        for i in range((n - 2, n, n - 1, 0)[age]):
            out.put((gx + i + age) % T, gy, "l")
    return out


def belt(frame):
    """A conveyor to the right: arrows on leather that move by two pixels a frame, over rollers in an iron frame."""
    out = Img(T, T, "1")
    out.rect(0, 0, T, 1, "k")
    out.rect(0, 1, T, 1, "e")
    out.rect(0, 2, T, 2, "w")
    for x in (0, 8):
        for y, dx in ((1, 0), (2, 1), (3, 0)):
            for i in range(2):
                out.put((x + frame * 2 + dx + i) % T, y, "U" if y == 1 else "Y")
    out.rect(0, 4, T, 1, "k")
    for cx in (3, 11):
        out.disc(cx + 0.5, 7.5, 3, "k")
        out.disc(cx + 0.5, 7.5, 2, "3")
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[frame]
        out.put(cx + (1 if dx > 0 else 0) + min(dx, 0), 7 + (1 if dy > 0 else 0) + min(dy, 0), "5")
    out.rect(0, 11, T, 1, "k")
    out.rect(0, 12, T, 1, "3")
    out.rect(0, 13, T, 2, "2")
    for x in (1, 9):
        out.put(x + 2, 13, "4")
        out.put(x + 2, 14, "k")
    out.rect(0, 15, T, 1, "k")
    return out


HAY = """
................
................
....kkkkkkkk....
..kkUUYUUYUYkk..
.kUUYUUYUYUYYYk.
.kUYUIUUYUUYYek.
kUUIUUYUUYUYYYek
kUYUUIUYUUYUYeYk
kkSSSSSSSSSRRRkk
kYUYUUYUYYUYYeek
kUUYUYUUYUYYYYek
kUYUUYUYUYUYeYek
kYUYUYUYYUYeYeek
kUYYUYYYeYYYeeek
.kYeYYeYYeYeeek.
..kkkkkkkkkkkk..
"""


def deep_earth(kind, light):
    """Earth far below; `light` is the share of the brighter earth dithered in."""
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            up = clod(x + 5 * kind, y + 9 * kind) if noise((x + 5 * kind) % T // 5, (y + 9 * kind) % T // 4, 60 + kind) < 120 else 0
            base = "w" if light and dither(x, y, light) else "q"
            key = base
            if up > 0:
                key = "w" if base == "q" else "e"
            elif up < 0:
                key = "n" if base == "q" else "q"
            out.put(x, y, key)
    return out


def flag(frame):
    out = Img(T, T)
    for y in range(16):
        out.put(2, y, "k")
        out.put(3, y, "4" if y % 5 else "2")
        out.put(4, y, "k")
    out.rect(2, 0, 3, 2, "U")
    out.put(4, 1, "Y")
    for x in range(5, 16):
        wave = round(math.sin((x - 5) * 0.62 - frame * math.tau / 4) * (x - 4) / 7)
        top, bottom = 2 + wave, 9 + wave - (1 if x > 13 else 0)
        lit = math.cos((x - 5) * 0.62 - frame * math.tau / 4)
        for y in range(top, bottom + 1):
            key = "T" if lit > 0.35 else "S" if lit > -0.5 else "R"
            if y in (top, bottom) or x == 15:
                key = "k"
            elif 4 < y - wave < 7 and 8 <= x <= 11:
                key = "U"
            out.put(x, y, key)
    return out


def outer_window():
    """A slit in the outer wall, with light behind."""
    out = bricks((True,) * 4, 3)
    out.rect(5, 2, 6, 12, "1")
    out.rect(6, 1, 4, 1, "1")
    out.rect(6, 3, 4, 10, "k")
    for y in range(4, 12):
        out.put(7, y, "Y")
        out.put(8, y, "U" if y % 3 else "Y")
    out.rect(4, 13, 8, 1, "4")
    out.rect(4, 14, 8, 1, "1")
    return out


def torch_glow():
    """Back wall around a torch: 5x4 tiles, the flame two tiles down in the middle. The light falls off in three steps."""
    out = Img(80, 64)
    tile = back_bricks(0)
    for y in range(64):
        for x in range(80):
            key = tile.get(x % T, y % T)
            d = math.hypot(x - 40, (y - 22) * 1.05)
            joint = key == "n"
            if d < 11:
                key = "w" if joint else "r" if key == "2" else "e"
            elif d < 18 or (d < 22 and dither(x, y, 0.5)):
                key = "q" if joint else "e" if key == "2" and dither(x, y, 0.5) else "w"
            elif d < 30 or (d < 36 and dither(x, y, (36 - d) / 8)):
                key = "n" if joint else "2" if key == "2" or dither(x, y, 0.25) else "1" if dither(x, y, 0.5) else "w" if d < 26 and dither(x + 1, y, 0.4) else "1"
            out.put(x, y, key)
    return out


def leaves(out, puffs, ramp="zxcg"):
    """A crown of round tufts; later ones stand in front. Each is lit from the top left and speckled with leaves."""
    for i, (cx, cy, r) in enumerate(puffs):
        for y in range(int(cy - r - 2), int(cy + r + 3)):
            for x in range(int(cx - r - 2), int(cx + r + 3)):
                dx, dy = x + 0.5 - cx, y + 0.5 - cy
                wobble = (noise(x // 2, y // 2, 70 + i) - 128) / 128 * 1.4
                d = math.hypot(dx, dy) + wobble
                if d > r + 0.8:
                    continue
                if d > r - 0.4:
                    if out.get(x, y) == CLEAR:
                        out.put(x, y, "k")
                    elif dx + dy > 0:
                        out.put(x, y, "z")
                    continue
                light = -(dx + 1.4 * dy) / r + (noise(x // 2, (y + x) // 2, 71) - 128) / 210
                shade = 3 if light > 1.05 else 2 if light > 0.15 else 1 if light > -0.85 else 0
                out.put(x, y, ramp[shade])


def oak():
    """96x96: stands on its bottom row."""
    out = Img(96, 96)
    # Trunk and boughs.
    for y in range(40, 96):
        half = 6 + max(0, y - 84) * 0.7 + max(0, 56 - y) * 0.15
        mid = 47 + 2 * math.sin(y / 11)
        for x in range(96):
            d = (x - mid) / half
            if abs(d) > 1:
                continue
            bark = noise(x // 2 + (y // 7), y // 6, 80)
            key = "e" if d < -0.35 else "w" if d < 0.45 else "q"
            if bark < 60:
                key = {"e": "w", "w": "q", "q": "q"}[key]
            elif bark > 205 and d < 0.2:
                key = {"e": "r", "w": "e", "q": "w"}[key]
            if abs(d) > 1 - 1.2 / half:
                key = "k"
            out.put(x, y, key)
    for x0, y0, x1, y1 in ((44, 58, 26, 44), (50, 56, 70, 42), (46, 66, 62, 56)):
        for w, key in ((3, "k"), (2, "w"), (1, "e")):
            for o in range(-w, w + 1):
                out.line(x0, y0 + o, x1, y1 + o // 2, key if o < w else "k")
    out.disc(47, 74, 3.5, "k")
    out.disc(47.5, 74.5, 2.2, "q")
    crown = [(18, 42, 11), (78, 42, 12), (60, 47, 11), (34, 46, 12), (48, 40, 13), (14, 32, 10), (82, 30, 10), (28, 28, 14), (66, 27, 14), (47, 24, 15), (36, 15, 11), (58, 14, 11), (47, 30, 10), (22, 36, 8), (72, 37, 8)]
    leaves(out, crown)
    return out


def pine():
    """48x80: stands on its bottom row."""
    out = Img(48, 80)
    for y in range(64, 80):
        for x in range(20, 28):
            out.put(x, y, "k" if x in (20, 27) else "e" if x < 23 else "w" if x < 25 else "q")
    for top, bottom, wide in ((36, 70, 22), (20, 50, 17), (3, 30, 12)):
        for y in range(top, bottom):
            t = (y - top) / (bottom - top)
            half = 1 + wide * t + ((y // 3) % 2) * 1.5
            if y >= bottom - 3:
                half -= (y - bottom + 3) * 1.5
            for x in range(48):
                d = x + 0.5 - 24
                if abs(d) > half:
                    continue
                droop = noise(x // 2, y // 3, 90)
                light = -d / max(half, 1) - t * 0.5 + (droop - 128) / 260
                key = "c" if light > 0.45 else "x" if light > -0.35 else "z"
                if abs(d) > half - 1.2 or y >= bottom - 2 and droop < 150:
                    key = "k"
                out.put(x, y, key)
    return out


def merlon():
    """The teeth on top of a wall: solid stone, cut corners."""
    out = Img(T, T)
    out.rect(2, 3, 12, 13, "3")
    out.frame(2, 3, 12, 13, "n")
    out.rect(1, 2, 14, 3, "4")
    out.frame(1, 1, 14, 4, "n")
    out.rect(2, 2, 12, 1, "5")
    for y in range(5, 16):
        out.put(3, y, "4")
        out.put(12, y, "2")
        out.put(11, y, "2" if dither(11, y, 0.5) else "3")
    out.rect(3, 10, 10, 1, "1")
    out.rect(3, 11, 9, 1, "4")
    out.put(7, 5, "1")
    for y in range(5, 10):
        out.put(7, y, "1")
    for y in range(11, 16):
        out.put(10, y, "1")
    return out


def moss(img):
    out = img.copy()
    for y in range(T):
        for x in range(T):
            if noise(x // 2, y // 2, 77) < 150 - 14 * abs(y - 5) and 0 < y < 14:
                out.put(x, y, {"4": "g", "3": "c", "2": "x", "1": "z"}.get(out.get(x, y), "x"))
    return out


def crack(img):
    out = img.copy()
    for x, y in ((4, 1), (5, 2), (5, 3), (6, 4), (7, 5), (7, 6), (8, 7), (7, 8), (8, 9), (9, 10), (9, 11), (10, 12), (6, 6), (5, 7), (9, 6)):
        out.put(x, y, "n")
        if out.get(x - 1, y) != "n":
            out.put(x - 1, y, "4")
    return out
