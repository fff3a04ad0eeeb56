"""The dungeon's tiles (`tilesets/dungeon.png`), seen from above: flagstones, walls with a top and a face, mud and water
with soft edges, and furniture. Names and places here are what `tilesets/dungeon.ron` was made from."""

import math

from pixels import Img, Tiles, art, dither, noise
from tiles_keep import FLAMES, T, TORCH_BASE, brick_shade, blob_masks, AROUND

COLUMNS = 16

SLABS = [
    # Slabs of one tile: (x, y, w, h) each; a dark joint runs along the right and the bottom.
    [(0, 0, 16, 16)],
    [(0, 0, 9, 8), (9, 0, 7, 8), (0, 8, 6, 8), (6, 8, 10, 8)],
    [(0, 0, 8, 16), (8, 0, 8, 9), (8, 9, 8, 7)],
    [(0, 0, 16, 8), (0, 8, 16, 8)],
    [(0, 0, 16, 9), (0, 9, 9, 7), (9, 9, 7, 7)],
    [(0, 0, 16, 16)],
]


def floor(kind):
    out = Img(T, T, "2")
    for i, (x, y, w, h) in enumerate(SLABS[kind]):
        tone = noise(i, kind, 11)
        for yy in range(y, y + h):
            for xx in range(x, x + w):
                key = "2"
                if tone < 90 and dither(xx, yy, 0.25):
                    key = "1"
                grain = noise(xx, yy, kind)
                if grain < 5:
                    key = "1"
                elif grain > 251:
                    key = "3"
                if xx == x + w - 1 or yy == y + h - 1:
                    key = "1"
                elif (yy == y or xx == x) and noise(xx // 3, yy // 3, kind + 5) < 150:
                    key = "3"
                out.put(xx, yy, key)
        out.put(x + w - 1, y + h - 1, "n")
        out.put(x + w - 1, y, "1")
    if kind == 5:
        for x, y in ((3, 2), (4, 3), (5, 4), (5, 5), (6, 6), (7, 7), (8, 7), (9, 8), (9, 9), (10, 10), (8, 5), (9, 4), (10, 3), (6, 8), (5, 9)):
            out.put(x, y, "n")
            if out.get(x + 1, y + 1) == "2":
                out.put(x + 1, y + 1, "3")
    return out


def shadowed(img, top=False, left=False):
    """The floor just below a wall's face, or right of a wall: darker by one step, dithered at the rim."""
    down = {"3": "2", "2": "1", "1": "n", "n": "n"}
    out = img.copy()
    for y in range(T):
        for x in range(T):
            d = min(y if top else 99, x if left else 99)
            if d < 4 or (d < 7 and dither(x, y, 0.5)):
                out.put(x, y, down.get(out.get(x, y), out.get(x, y)))
    return out


def wall_top(mask):
    """The top of a wall: nearly black, with a lit rim toward whatever is not wall."""
    cells = {(0, 0): True}
    for (dx, dy), on in zip(AROUND, mask):
        cells[(dx, dy)] = on
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            rim = 99
            side = None
            for (dx, dy), on in cells.items():
                if on:
                    continue
                ex = 0 if dx == 0 else (15 - x if dx > 0 else x)
                ey = 0 if dy == 0 else (15 - y if dy > 0 else y)
                d = max(ex, ey)
                if d < rim:
                    rim, side = d, (dx, dy)
            key = "n"
            if (x * 7 + y * 3) % 16 == 5 and noise(x, y, 8) < 60:
                key = "1"
            if rim == 0:
                key = "k"
            elif rim == 1:
                key = "3" if side[0] < 0 or side[1] < 0 else "2"
            elif rim == 2:
                key = "2" if side[0] < 0 or side[1] < 0 else "1"
            elif rim == 3:
                key = "1"
            elif rim == 4 and dither(x, y, 0.5):
                key = "1"
            out.put(x, y, key)
    return out


def face(left=True, right=True, key=0):
    """The front of a wall: lit bricks, a cap above, darkness at the foot."""
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            shade = brick_shade(x, y, key)
            k = "1234"[shade]
            if y < 2:
                k = "5" if y == 0 and (x // 4) % 3 else "4"
            elif y == 2:
                k = "1"
            elif y >= 13:
                k = {"4": "3", "3": "2", "2": "1", "1": "n"}[k] if y < 15 or k != "1" else "n"
            if y == 15:
                k = "k"
            if not left and x == 0 or not right and x == 15:
                k = "k"
            elif not left and x == 1 and y > 2:
                k = "4"
            elif not right and x >= 14 and y > 2:
                k = "1"
            out.put(x, y, k)
    return out


def corner_field(mask, x, y):
    """How far inside a patch with these corners (tl, tr, br, bl) a pixel lies; above 0.5 is inside."""
    u, v = (x + 0.5) / T, (y + 0.5) / T
    tl, tr, br, bl = mask
    value = tl * (1 - u) * (1 - v) + tr * u * (1 - v) + br * u * v + bl * (1 - u) * v
    # The wobble vanishes on the tile's border, so neighbors meet.
    border = min(u, v, 1 - u, 1 - v) * 4
    return value + (noise(x, y, 21) / 255 - 0.5) * 0.14 * min(border, 1)


def mud(mask, base, key=0):
    out = base.copy()
    for y in range(T):
        for x in range(T):
            f = corner_field(mask, x, y)
            if f < 0.44:
                continue
            if f < 0.5:
                out.put(x, y, "q")
                continue
            if f < 0.58:
                out.put(x, y, "e" if dither(x, y, 0.6) else "w")
                continue
            n = noise(x // 2 + y // 3, y // 2, 3 + key)
            k = "w"
            if n < 60:
                k = "q" if dither(x, y, 0.7) else "w"
            elif n > 225:
                k = "e"
            if (x, y) in PUDDLE[key % 2]:
                k = "r" if f > 0.7 else k
            out.put(x, y, k)
    return out


WAVES = [(1, 2, 6, 0), (9, 5, 5, 2), (4, 9, 5, 3), (12, 12, 6, 1)]
PUDDLE = [{(4, 5), (5, 5), (6, 5), (3, 6), (11, 11), (12, 11), (10, 12)}, {(9, 3), (10, 3), (8, 4), (4, 10), (5, 10), (6, 10), (3, 11)}]


def water(mask, base, frame=0):
    out = base.copy()
    for y in range(T):
        for x in range(T):
            f = corner_field(mask, x, y)
            if f < 0.42:
                continue
            if f < 0.47:
                out.put(x, y, "3")
                continue
            if f < 0.52:
                out.put(x, y, "k")
                continue
            if f < 0.58:
                out.put(x, y, "b" if f < 0.56 else "l")
                continue
            k = "B"
            if f < 0.7 and dither(x, y, 0.5):
                k = "b"
            for wx, wy, n, phase in WAVES:
                # Each wave is a short stroke that grows, glints and fades over the four frames.
                age = (frame + phase) % 4
                size = (n - 2, n, n - 1, 0)[age]
                if y == wy and (x - wx) % T < size:
                    k = "L" if age == 1 and 0 < (x - wx) % T < n - 2 else "l"
                if y == (wy + 1) % T and size and (x - wx - 1) % T < size:
                    k = "b"
            out.put(x, y, k)
    return out


def rug(col, row):
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            dx = x if col == 0 else 15 - x if col == 2 else 99
            dy = y if row == 0 else 15 - y if row == 2 else 99
            d = min(dx, dy)
            k = "S"
            diamond = abs(x - 7.5) + abs(y - 7.5)
            if col == 1 and row == 1 or d > 8:
                if diamond < 2:
                    k = "U"
                elif diamond < 4:
                    k = "R"
                elif 6 < diamond < 8:
                    k = "T"
            if d == 0:
                k = "k" if (x + y) % 3 else "Y"
            elif d == 1:
                k = "U" if x < 8 and y < 8 else "Y"
            elif d == 2:
                k = "Y"
            elif d == 3:
                k = "R"
            elif d == 4 and (x + y) % 2:
                k = "T"
            out.put(x, y, k)
    return out


STAIRS = """
kkkkkkkkkkkkkkkk
k44444444444443k
k33333333333332k
kkkkkkkkkkkkkkkk
k33333333333332k
k22222222222222k
kkkkkkkkkkkkkkkk
k22222222222221k
k22222222222221k
kkkkkkkkkkkkkkkk
k11111111111111k
k1111111111111nk
kkkkkkkkkkkkkkkk
knnnnnnnnnnnnnnk
knnnnnnnnnnnnnnk
kkkkkkkkkkkkkkkk
"""
RUBBLE = """
................
................
................
..........kkk...
...kk....k443k..
..k54k..k43321k.
.k4332k.k33211k.
.k3221k..kkkkk..
..kkkk..........
......kkkk......
..kk.k5443k.kk..
.k43kk44332k42k.
.k21k443322kkk..
..kk.k32211k....
......kkkkk..k..
................
"""
BONES = """
................
................
................
....kk....kk....
...k54k..k54k...
....k55kk54k....
.....k5554k.....
......k54k......
.....k5445k.....
....k54kk44k....
...k54k..k43k...
....kk....kk....
.........kkkk...
........k5554k..
........k5k5k3k.
........kk45k4k.
"""
POT = """
................
................
.....kkkkkk.....
....ktrrrrek....
....kkkkkkkk....
.....ktrrek.....
....ktrrrrek....
...ktrtrrrrek...
..ktrtrrrrreek..
..kTkTkTkTkTSk..
..ktrtrrrrreek..
..ktrrrrrreeek..
...krrrrreeek...
....keeeeeek....
.....kkkkkk.....
................
"""
CHEST = """
................
................
..kkkkkkkkkkkk..
.ktrrUrrrrUreek.
ktrrrUrrrrUreewk
kreeeYeeeeYeewwk
kkkkkkkUUkkkkkkk
kUYYYYkUYkYYYYRk
kkkkkkkYRkkkkkkk
krrreYekkeYeewwk
krreeYeeeeYeewwk
kreeeYeeeeYewwwk
kreeeYeeeeYewwwk
keeewYwwwwYwwwqk
kkkkkkkkkkkkkkkk
................
"""
GRATE = """
................
.kkkkkkkkkkkkkk.
k33333333333332k
k3kk3kk33kk3kk2k
k3kk3kk33kk3kk2k
k33333333333332k
k3kk3kk33kk3kk2k
k3kk3kk33kk3kk2k
k3kk3kk33kk3kk2k
k3kk3kk33kk3kk2k
k33333333333332k
k3kk3kk33kk3kk2k
k3kk3kk33kk3kk2k
k22222222222221k
.kkkkkkkkkkkkkk.
................
"""
TABLE_LEFT = """
................
................
..kkkkkkkkkkkkkk
.kttttttttttttrt
kttrrrtrrrrrrrrr
ktrrrrrrrtrrrrrr
ktrrk55krrrrrrrr
ktrk5445krrtrrrr
ktrk4433krrrrrrr
ktrrkkkkrrrrrrrr
kreeeeeeeeeeeeee
kkkkkkkkkkkkkkkk
kwekqqqqqqqqqqqq
kwekkkkkkkkkkkkk
kwwk............
.kk.............
"""
TABLE_RIGHT = """
................
................
kkkkkkkkkkkkkk..
trttttttttttrrk.
rrrrrrrrrkrrrrek
rrrrrtrrkUkrrrek
rrrrrrrkUIUkrrek
rrrrtrrkYUYkrrek
rrrrrrrrk5krrrek
rrrrrrrrk4krreek
eeeeeeeekkkeeewk
kkkkkkkkkkkkkkkk
qqqqqqqqqqqqkewk
kkkkkkkkkkkkkewk
............kwwk
.............kk.
"""
COBWEB = """
5555555555555555
5.3..4..3..3..3.
54.3..3..3..3...
5.43.3..3..3....
5..43.33.3......
5.3.43..3.......
5..3.34.........
54..3..4........
5.3.3...........
5..3............
53.3............
5.3.............
53..............
5...............
5...............
5...............
"""
CANDLE = """
................
................
................
.......U........
......YIY.......
.......I........
......k5k.......
......k54k......
......k54k..U...
...T..k54k.YIY..
..YIY.k44k..I...
...I..k54k.k5k..
..k5kk444kk44k..
..k544444444k...
...kkkkkkkkkk...
................
"""

THRONE = """
......kkkkkkkkkkkkkkkkkkkk......
.....kUUYkkkkkkkkkkkkkkUYYk.....
.....kUIYkTSSSSSSSSSSRkUYRk.....
......kkkTSSSSSUUSSSSSRkkk......
.....k43kTSSSSUUYYSSSSRk32k.....
.....k43kTSSSSUYYYSSSSRk32k.....
.....k43kTSSSSSYYSSSSSRk32k.....
.....k43kTSUSSSSSSSSYSRk32k.....
.....k43kTSSSSSSSSSSSSRk32k.....
.....k43kTSSSSUSSYSSSSRk32k.....
.....k43kTSSSSSSSSSSSSRk32k.....
.....k43kTSUSSSSSSSSYSRk32k.....
.....k43kTSSSSSSSSSSSRRk32k.....
....kkkkkTSSSSSSSSSSRRRkkkkk....
...k5443kRRRRRRRRRRRRRRk4432k...
...k4333kkkkkkkkkkkkkkkk3321k...
...k4k43kTTSSSSSSSSSSRRk32k1k...
...kkk43kTSSSSSSSSSSSRRk32kkk...
.....k43kSSSSSSSSSSSRRRk32k.....
.....k43kRRRRRRRRRRRRRRk32k.....
.....k33kkkkkkkkkkkkkkkk22k.....
.....k32k44433333333222k21k.....
.....k32k33332222222211k21k.....
.....k32k3UU32222222YY1k21k.....
.....k22k3UY32222222YR1k11k.....
.....k21k33222222221111k11k.....
....kkkkkkkkkkkkkkkkkkkkkkkk....
....k5444433333333333222211k....
....k3333222222222221111111k....
....kkkkkkkkkkkkkkkkkkkkkkkk....
................................
................................
"""

PILLAR = """
................
....kkkkkkkk....
..kk55444433kk..
.k554444443332k.
k55444444433332k
k54444444443332k
k44444444433322k
k43444443333322k
k33333333333221k
.k333333332221k.
..kk33222221kk..
..k4kkkkkkkk1k..
..k4433332221k..
..k4433332221k..
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
.kk4343323221kk.
.k444333322211k.
k55443333322221k
k43333322222211k
k33222222221111k
kkkkkkkkkkkkkkkk
................
................
"""


def dungeon():
    tiles = Tiles(COLUMNS)

    for mask in blob_masks():
        tiles.add("top_" + "".join("1" if m else "0" for m in mask), wall_top(mask))
    tiles.add("void", Img(T, T, "k"))
    # Floors.
    for kind in range(6):
        tiles.add(f"floor_{kind}", floor(kind))
    tiles.add("floor_shade", shadowed(floor(3), top=True))
    tiles.add("floor_shade_2", shadowed(floor(1), top=True))
    tiles.add("floor_shade_left", shadowed(floor(2), left=True))
    tiles.add("floor_shade_corner", shadowed(floor(4), top=True, left=True))
    tiles.add("threshold", threshold())
    tiles.add("stairs", art(STAIRS))
    tiles.add("grate", floor(0).blit(art(GRATE), 0, 0))
    tiles.add("moss", mossy(floor(1)))
    tiles.skip_row()
    # Faces of walls.
    tiles.add("face", face())
    tiles.add("face_left", face(left=False))
    tiles.add("face_right", face(right=False))
    tiles.add("face_both", face(left=False, right=False))
    tiles.add("face_crack", cracked(face(key=2)))
    tiles.add("face_drain", drain(face()))
    for i, flame in enumerate(FLAMES):
        tiles.add(f"face_torch_{i}", face().blit(art(TORCH_BASE).blit(art(flame), 0, 0), 0, 0))
    tiles.add("face_banner", banner(face()))
    tiles.add("face_shield", shield(face()))
    tiles.add("face_bars", bars(face()))
    tiles.add("face_moss", mossy(face(), 4, {"4": "c", "3": "x", "2": "x", "1": "z"}))
    tiles.skip_row()
    # Mud and water by their corners: top left, top right, bottom right, bottom left.
    base = floor(3)
    for kind, draw in (("mud", mud), ("water", water)):
        for bits in range(1, 15):
            mask = tuple(bits >> i & 1 for i in range(4))
            tiles.add(f"{kind}_" + "".join(str(m) for m in mask), draw(mask, base))
        if kind == "mud":
            tiles.add("mud", mud((1, 1, 1, 1), base))
            tiles.add("mud_2", mud((1, 1, 1, 1), base, 1))
        else:
            for frame in range(4):
                tiles.add(f"water_{frame}" if frame else "water", water((1, 1, 1, 1), base, frame))
    tiles.skip_row()
    for row in range(3):
        for col in range(3):
            tiles.add(f"rug_{col}{row}", rug(col, row))
    tiles.add("rubble", art(RUBBLE))
    tiles.add("bones", art(BONES))
    tiles.add("pot", art(POT))
    tiles.add("chest", art(CHEST))
    tiles.add("cobweb", art(COBWEB))
    tiles.add("candles", art(CANDLE))
    tiles.skip_row()
    tiles.add("table_left", art(TABLE_LEFT))
    tiles.add("table_right", art(TABLE_RIGHT))
    tiles.add_block("throne", art(THRONE), 2, 2)
    tiles.add_block("pillar", art(PILLAR), 1, 2)
    # Torch light on the floor below a wall.
    pool = floor_glow()
    tiles.add_block("glow", pool, 3, 2)
    tiles.skip_row()
    return tiles


def floor_glow():
    """48x32: what a torch on the wall above the middle lights."""
    out = Img(48, 32)
    for i, kind in enumerate((1, 3, 4, 2, 0, 1)):
        out.blit(floor(kind), (i % 3) * T, (i // 3) * T)
    up = {"n": "1", "1": "2", "2": "3", "3": "4"}
    warm = {"n": "q", "1": "e", "2": "r", "3": "t"}
    for y in range(32):
        for x in range(48):
            d = math.hypot((x - 24) * 0.9, (y + 5) * 1.15)
            key = out.get(x, y)
            if d < 13 and dither(x, y, 0.5 - d / 40):
                key = warm[key]
            elif d < 19 or (d < 30 and dither(x, y, (30 - d) / 12)):
                key = up[key]
            out.put(x, y, key)
    return out


def threshold():
    out = Img(T, T)
    for y in range(T):
        for x in range(T):
            k = "ew"[(x // 4) % 2] if y % 8 else "q"
            if x % 4 == 3:
                k = "q"
            elif x % 4 == 0 and y % 8 != 0:
                k = "r" if noise(x, y // 3, 2) < 120 else "e"
            out.put(x, y, k)
    for x in (1, 13):
        for y in (3, 11):
            out.put(x, y, "4")
            out.put(x, y + 1, "1")
    return out


def mossy(img, top=0, ramp=None):
    ramp = ramp or {"4": "x", "3": "x", "2": "z", "1": "z"}
    out = img.copy()
    for y in range(T):
        for x in range(T):
            n = noise(x // 2, y // 2, 31) - (abs(x - 8) + abs(y - 9)) * 9
            if n > 70 and y >= top:
                out.put(x, y, ramp.get(out.get(x, y), "z"))
    return out


def cracked(img):
    out = img.copy()
    for x, y in ((9, 3), (8, 4), (8, 5), (7, 6), (6, 7), (7, 8), (7, 9), (6, 10), (5, 11), (5, 12), (8, 8), (9, 9), (10, 9), (5, 6)):
        out.put(x, y, "n")
        if out.get(x + 1, y + 1) in "23":
            out.put(x + 1, y + 1, "4")
    return out


def drain(img):
    out = img.copy()
    out.disc(8, 10, 5, "k")
    out.disc(8, 10, 4, "n")
    for x in (5, 7, 9, 11):
        for y in range(6, 15):
            if out.get(x, y) == "n":
                out.put(x, y, "2")
    for y in range(13, 16):
        for x in (7, 8):
            out.put(x, y, "c" if x == 7 else "x")
    return out


def banner(img):
    return img.copy().blit(
        art(
            """
.kkkkkkkkkkkk.
kUYYYYYYYYYYRk
.kkkkkkkkkkkk.
.kTSSSSSSSSRk.
.kTSSkkkkSSRk.
.kTSkUUUYkSRk.
.kTSkkUkYkSRk.
.kTSSkUYkSSRk.
.kTSSkkkkSSRk.
.kTSSSSSSRSRk.
.kTSkRSSkRRRk.
.kTk.kRk.kRRk.
..k...k...kk..
"""
        ),
        1,
        3,
    )


def shield(img):
    return img.copy().blit(
        art(
            """
..kkkkkkkk..
.k5lLBBBB3k.
k5lLlB4BBB2k
k4lLBB4BBb2k
k4lBB444Bb2k
k44444444b2k
k3BBBB4bbb2k
.kBBBB4bbbk.
.k3BBB4bb1k.
..k3BB4b1k..
...k33b1k...
....kkkk....
"""
        ),
        2,
        3,
    )


def bars(img):
    out = img.copy()
    out.rect(2, 4, 12, 11, "k")
    out.rect(3, 5, 10, 10, "n")
    for x in (4, 7, 10):
        out.rect(x, 5, 1, 10, "3")
        out.rect(x + 1, 5, 1, 10, "1")
    out.rect(3, 9, 10, 1, "2")
    return out
