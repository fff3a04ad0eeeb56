"""Pixels for Goblin Keep: the palette, a small canvas and a PNG writer. Standard library only; no randomness but `noise`,
which is a function of its arguments, so the images come out the same on every machine."""

import struct
import zlib

# One palette for the whole game. Light comes from the top left; every ramp runs from shadow to light.
PALETTE = {
    "k": "#17121f",  # ink: outlines
    "n": "#2a2140",  # night: cave and keep interiors
    "1": "#3b3b58", "2": "#585e7e", "3": "#7f89a3", "4": "#adb8c6", "5": "#e1e8e6",  # stone and steel
    "q": "#3a2231", "w": "#5f3742", "e": "#8a544b", "r": "#b67f56", "t": "#dfb57d",  # earth, wood, leather
    "z": "#1c4242", "x": "#2d704a", "c": "#5aa545", "g": "#a6d452",  # grass and goblins
    "R": "#6e1c3a", "S": "#b93440", "T": "#ee6f4d",  # red
    "Y": "#e89a35", "U": "#ffd65f", "I": "#fff5c4",  # gold and fire
    "b": "#24396a", "B": "#3172b0", "l": "#63bde2", "L": "#c2ecf1",  # water, sky, the player's tunic
    "p": "#5b3180", "P": "#a955b8",  # magic and royalty
    "s": "#f4c096",  # skin
}


def _rgba(text):
    return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5)) + (255,)


COLORS = {key: _rgba(value) for key, value in PALETTE.items()}
CLEAR = "."


def noise(x, y, key=0):
    """A whole number 0..255 that depends on nothing but its arguments."""
    h = (x * 374761393 + y * 668265263 + key * 2246822519) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    return (h ^ (h >> 16)) & 0xFF


BAYER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))


def dither(x, y, share):
    """True on about `share` (0..1) of the pixels, in an ordered 4x4 pattern."""
    return (BAYER[y % 4][x % 4] + 0.5) / 16.0 < share


class Img:
    """A picture of palette keys; `.` is clear."""

    def __init__(self, w, h, fill=CLEAR):
        self.w, self.h = w, h
        self.px = [[fill] * w for _ in range(h)]

    def get(self, x, y):
        return self.px[y][x] if 0 <= x < self.w and 0 <= y < self.h else CLEAR

    def put(self, x, y, key):
        if 0 <= x < self.w and 0 <= y < self.h:
            self.px[y][x] = key

    def rect(self, x, y, w, h, key):
        for yy in range(y, y + h):
            for xx in range(x, x + w):
                self.put(xx, yy, key)
        return self

    def frame(self, x, y, w, h, key):
        for xx in range(x, x + w):
            self.put(xx, y, key)
            self.put(xx, y + h - 1, key)
        for yy in range(y, y + h):
            self.put(x, yy, key)
            self.put(x + w - 1, yy, key)
        return self

    def line(self, x0, y0, x1, y1, key):
        n = max(abs(x1 - x0), abs(y1 - y0), 1)
        for i in range(n + 1):
            self.put(round(x0 + (x1 - x0) * i / n), round(y0 + (y1 - y0) * i / n), key)
        return self

    def disc(self, cx, cy, r, key):
        for y in range(self.h):
            for x in range(self.w):
                if (x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2 <= r * r:
                    self.put(x, y, key)
        return self

    def blit(self, other, x, y):
        for yy in range(other.h):
            for xx in range(other.w):
                if other.px[yy][xx] != CLEAR:
                    self.put(x + xx, y + yy, other.px[yy][xx])
        return self

    def under(self, other, x, y):
        """Like `blit`, but only where this picture is still clear."""
        for yy in range(other.h):
            for xx in range(other.w):
                if other.px[yy][xx] != CLEAR and self.get(x + xx, y + yy) == CLEAR:
                    self.put(x + xx, y + yy, other.px[yy][xx])
        return self

    def copy(self):
        out = Img(self.w, self.h)
        out.px = [row[:] for row in self.px]
        return out

    def flip_h(self):
        out = self.copy()
        out.px = [row[::-1] for row in self.px]
        return out

    def flip_v(self):
        out = self.copy()
        out.px = self.px[::-1]
        return out

    def crop(self, x, y, w, h):
        out = Img(w, h)
        for yy in range(h):
            for xx in range(w):
                out.px[yy][xx] = self.get(x + xx, y + yy)
        return out

    def swap(self, table):
        """The same picture with other colors: {"old": "new"}."""
        out = self.copy()
        out.px = [[table.get(key, key) for key in row] for row in self.px]
        return out

    def outlined(self, key="k"):
        """With a one-pixel outline around everything that is not clear."""
        out = self.copy()
        for y in range(self.h):
            for x in range(self.w):
                if self.px[y][x] == CLEAR and any(
                    self.get(x + dx, y + dy) != CLEAR for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                ):
                    out.px[y][x] = key
        return out

    def save(self, path):
        raw = bytearray()
        for row in self.px:
            raw.append(0)
            for key in row:
                raw += bytes(COLORS[key]) if key != CLEAR else b"\0\0\0\0"

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
            file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", self.w, self.h, 8, 6, 0, 0, 0)))
            file.write(chunk(b"IDAT", zlib.compress(bytes(raw), 9)))
            file.write(chunk(b"IEND", b""))


def art(text, w=None):
    """A picture from rows of palette keys."""
    rows = [row for row in text.strip("\n").split("\n")]
    width = w or max(len(row) for row in rows)
    out = Img(width, len(rows))
    for y, row in enumerate(rows):
        for x, key in enumerate(row):
            if key not in (CLEAR, " "):
                if key not in COLORS:
                    raise ValueError(f"row {y} of a picture: {key!r} is not in the palette: {row}")
                out.put(x, y, key)
    return out


def sheet(frames, columns=None):
    """Equal frames side by side, row by row."""
    columns = columns or len(frames)
    w, h = frames[0].w, frames[0].h
    rows = (len(frames) + columns - 1) // columns
    out = Img(w * columns, h * rows)
    for i, frame in enumerate(frames):
        out.blit(frame, (i % columns) * w, (i // columns) * h)
    return out


class Tiles:
    """Tiles in order, row by row, each with a name; a place may be left free."""

    def __init__(self, columns, side=16):
        self.columns, self.side = columns, side
        self.named = []

    def add(self, name, img):
        self.named.append((name, img))

    def add_block(self, name, img, columns, rows):
        """Add a picture of several tiles, cut into them row by row."""
        side = self.side
        for r in range(rows):
            for c in range(columns):
                self.add(f"{name}_{c}{r}", img.crop(c * side, r * side, side, side))

    def skip_row(self):
        """Leave the rest of the row free."""
        while len(self.named) % self.columns:
            self.add(None, Img(self.side, self.side))

    def sheet(self):
        """One picture of all rows, the last of them filled up."""
        self.skip_row()
        return sheet([img for _, img in self.named], self.columns)
