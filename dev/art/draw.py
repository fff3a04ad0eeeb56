#!/usr/bin/env python3
"""Draws every picture of the sample game, Goblin Keep: `python3 dev/art/draw.py` writes the same bytes each time.
The palette is in pixels.py, the tiles in tiles_keep.py and tiles_dungeon.py, what moves in actors.py."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from pixels import sheet  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sample_data")


def main():
    import actors
    import tiles_dungeon
    import tiles_keep

    tiles_keep.keep().sheet().save(os.path.join(ROOT, "tilesets/keep.png"))
    tiles_dungeon.dungeon().sheet().save(os.path.join(ROOT, "tilesets/dungeon.png"))
    for name, (draw, columns) in actors.SHEETS.items():
        sheet(draw(), columns).save(os.path.join(ROOT, "sprites", name + ".png"))


if __name__ == "__main__":
    main()
