"""What moves: heroes, goblins, machines, things (`sprites/*.png`). Figures are put together from a head, a body and legs,
so a walk is a few small pictures and an offset. Everyone looks to the right; the program mirrors."""

from pixels import CLEAR, Img, art, noise

# --- the player ---------------------------------------------------------------------------------------------------

PLAYER_HEAD = """
...kkkkk......
..kTTTSSk.....
.kTSSSSkkkkk..
.kSSkkk5544kk.
.kSk.k5443332k
.kRk.k44333321k
..k..k43333221k
.....k32kkkkkk.
.....k2ksssssk.
.....k21skssks.
.....k21ssssrk.
......kk1srrk..
"""
PLAYER_SCARF_A = """
......kkkkkkk.
.kkkkkTTTTTSk.
kTTTTSSSSSSRk.
.kkSSRkkkkkk..
...kkk........
"""
PLAYER_SCARF_B = """
..kk..kkkkkkk.
.kTTkkTTTTTSk.
.kSTTTSSSSSRk.
..kkRRkkkkkk..
....kk........
"""
PLAYER_BODY = """
.kBlBBBbk.
kslBBBbbk.
kskUYUYkk.
.kkBBBbbk.
..kkkkkk..
"""
PLAYER_BODY_SWING = """
.kBlBBBbkk
.kkslBbbsk
.kkUsUYkk.
..kBBBbbk.
..kkkkkk..
"""
PLAYER_BODY_JUMP = """
kskBBBbksk
kslBBBbbsk
.kkUYUYkk.
..kBBBbbk.
..kkkkkk..
"""
PLAYER_LEGS = {
    "stand": """
..kek.kek.
..kek.kek.
..krek.krek
..kkkk.kkkk
""",
    "run_0": """
...kekkek..
..kekkkeek.
.krek..krek
.kkkk..kkkk
""",
    "run_1": """
...keeek...
...kekek...
...kekrek..
...krekkk..
""",
    "run_2": """
...kekkek..
.kkek.kkek.
krek...krek
kkk....kkkk
""",
    "run_3": """
...keeek...
..krekek...
..kkkkek...
....krek...
""",
    "jump": """
..kekkkeek.
.krek.krek.
.kkk..kkk..
...........
""",
    "fall": """
..kek.keek.
..kek..krek
.krek..kkk.
.kkkk......
""",
}


def player_frame(legs, body=PLAYER_BODY, scarf=PLAYER_SCARF_A, bob=0):
    out = Img(24, 24)
    base = 17
    out.blit(art(PLAYER_LEGS[legs]), 7, base)
    out.blit(art(body), 6, 13 + bob)
    out.blit(art(scarf), 3, 10 + bob)
    out.blit(art(PLAYER_HEAD), 5, 0 + bob)
    return out


def player():
    """idle 0-1, run 2-5, jump 6, fall 7, hurt 8, dash 9."""
    idle = [player_frame("stand"), player_frame("stand", scarf=PLAYER_SCARF_B, bob=1)]
    run = [
        player_frame("run_0", PLAYER_BODY_SWING, PLAYER_SCARF_A, 1),
        player_frame("run_1", PLAYER_BODY, PLAYER_SCARF_B, 0),
        player_frame("run_2", PLAYER_BODY, PLAYER_SCARF_A, 1),
        player_frame("run_3", PLAYER_BODY_SWING, PLAYER_SCARF_B, 0),
    ]
    jump = player_frame("jump", PLAYER_BODY_JUMP, PLAYER_SCARF_A, 0)
    fall = player_frame("fall", PLAYER_BODY_JUMP, PLAYER_SCARF_B, 0)
    hurt = player_frame("fall", PLAYER_BODY_JUMP, PLAYER_SCARF_B, 1).swap(
        {"3": "5", "2": "4", "B": "l", "b": "B", "e": "r", "1": "3"}
    )
    dash = Img(24, 24).blit(player_frame("run_2", PLAYER_BODY_JUMP, PLAYER_SCARF_A, 1), 1, 0)
    for y, x, n in ((8, 0, 3), (15, 0, 5), (19, 1, 4)):
        dash.rect(x, y, n, 1, "L")
    return idle + run + [jump, fall, hurt, dash]


# --- goblins ------------------------------------------------------------------------------------------------------

GOBLIN_HEAD = """
......kkkkkkk.......
kk..kkgggggcck...kkk
kggkkgggggccccckkgck
.kgcckccggccggcckcxk
..kxcckkkccckkkkcxk.
...kkcccIkkcIkckkk..
....kccccccxccck....
....kxccxxcxccxk....
....kxxkIkkIkkk.....
.....kkxxccxxk......
"""
GOBLIN_BODY = """
...kkkkkkk...
..kgkreewkgk.
.kgckreewkcck
.kckkeewwkkck
.kgkYUYYYRkgk
..k.kkkkkk.k.
"""
GOBLIN_BODY_SWING = """
...kkkkkkk...
..kgkreewkgk.
..kgkreewkck.
...kkeewwgk..
....kYUYYkk..
....kkkkkk...
"""
GOBLIN_ARM_UP = """
......kk....
kk...k54k...
kek..k54k...
.kek.k43k...
"""
GOBLIN_LEGS = {
    "stand": """
.kxk.kxk.
.kck.kck.
kcgkkcgk.
kkkkkkkk.
""",
    "walk_0": """
.kxkkxk..
kckk.kck.
kgk..kcgk
kkk..kkkk
""",
    "walk_1": """
..kxxk...
..kckck..
..kcgkk..
..kkkk...
""",
    "walk_2": """
.kxkkxk..
.kck.kck.
kcgk.kgck
kkkk.kkkk
""",
    "walk_3": """
..kxxk...
.kckck...
.kkkcgk..
...kkkk..
""",
}
CLUB = """
.kkk.
ktrek
ktrek
krewk
.kek.
.kek.
.kwk.
..k..
"""
CLUB_LOW = """
......kkk.
kkkkkktrek
kreeeerrek
kkkkkkeewk
......kkk.
"""


def goblin_frame(legs, body=GOBLIN_BODY, bob=0, club="rest", lean=0):
    out = Img(24, 24)
    out.blit(art(GOBLIN_LEGS[legs]), 8, 17)
    if club == "rest":
        out.blit(art(CLUB), 18, 9 + bob)
    if club == "up":
        out.blit(art(CLUB), 18, 3 + bob)
    out.blit(art(body), 6 + lean, 12 + bob)
    out.blit(art(GOBLIN_HEAD), 2 + lean, 4 + bob)
    if club == "rest":
        out.put(18, 15 + bob, "g")
        out.put(19, 15 + bob, "c")
    if club == "hit":
        out.blit(art(CLUB_LOW), 14, 14 + bob)
    return out


def goblin():
    """idle 0-1, walk 2-5, attack 6-8, hurt 9."""
    idle = [goblin_frame("stand"), goblin_frame("stand", bob=1)]
    walk = [
        goblin_frame("walk_0", bob=1),
        goblin_frame("walk_1", GOBLIN_BODY_SWING),
        goblin_frame("walk_2", bob=1),
        goblin_frame("walk_3", GOBLIN_BODY_SWING),
    ]
    attack = [
        goblin_frame("stand", club="up", lean=-1),
        goblin_frame("walk_0", GOBLIN_BODY_SWING, club="hit", lean=1, bob=1),
        goblin_frame("walk_0", GOBLIN_BODY_SWING, club="hit", lean=2, bob=2),
    ]
    hurt = goblin_frame("walk_2", bob=1).swap({"c": "g", "g": "I", "x": "c", "e": "r", "w": "e"})
    return idle + walk + attack + [hurt]


HEADBAND = """
.kkkkkkkkkk
SSTTTTTTTSk
RkSSSSSSSRk
"""
BAND_TAIL_A = """
kkk..
kTSkk
.kSTS
..kkk
"""
BAND_TAIL_B = """
..kk.
.kTSk
kTSTS
.kkkk
"""


def fast_goblin():
    """The goblin's frames, paler, with a red headband whose ends fly."""
    out = []
    for i, frame in enumerate(goblin()):
        pale = frame.swap({"g": "U", "c": "g", "x": "c", "e": "2", "r": "3", "w": "1"})
        top = next(y for y in range(24) if "k" in pale.px[y][6:15])
        bob = top - 4
        lean = {6: -1, 7: 1, 8: 2}.get(i, 0)
        pale.blit(art(HEADBAND), 5 + lean, 5 + bob)
        pale.blit(art(BAND_TAIL_A if i % 2 else BAND_TAIL_B), 1 + lean, 4 + bob)
        out.append(pale)
    return out


BOMB = """
....kU
...ek.
..kkk.
.k221k
k23211k
k22111k
k21111k
.k111k
..kkk.
"""


def bomb_goblin():
    """The goblin's frames with a bomb on its back and soot on its face."""
    out = []
    for i, frame in enumerate(goblin()):
        top = next(y for y in range(24) if "k" in frame.px[y][6:15])
        sooty = frame.swap({"r": "S", "e": "R", "w": "R"})
        bomb = art(BOMB)
        if i % 2:
            bomb.put(5, 0, "T")
            bomb.put(4, 0, "Y")
        sooty.under(bomb, 3, top + 6)
        out.append(sooty)
    return out


CHIEF_HEAD = """
.......k..k..k.......
......kUkkUkkUk......
......kUYkUYkYk......
......kUUYUYYRk......
kk...kkSUYYSYBkk...kk
kgkkkkkkkkkkkkkkkkkgk
kggckkggggggcccckkgck
.kgcckgggggccccckkcxk
.kxxckkkkgccckkkkcxk.
..kxcckIkkccIkkcccxk.
...kkccIIcccIIccckk..
....kccccccxxcccck...
....kxccxxxxxxccxk...
....kxkIkkkkkkIkxk...
.....kxIxxccxxIxk....
......kkkxxxxkkk.....
"""
CHIEF_BODY = """
....kkkkkkkkkkkk....
..kkPP5I5I5I5Ppkkk..
.kggkPPP555PPpkgcck.
kgcckprreeewwpkcccxk
kgckkprreeewwppkkcxk
kcxkpprreeewwppkkcck
kgck.kYUUUYYYRkk.kgk
.kk.kpreUIYewppk.kk.
....kppeeYwwpppk....
"""
CHIEF_LEGS = {
    "stand": """
.kxxk..kxxk.
.kcck..kcck.
kcggkkkcggk.
kkkkk.kkkkk.
""",
    "walk_0": """
.kxxk.kxxk..
kccxk.kxcck.
kggk...kcggk
kkkk...kkkkk
""",
    "walk_1": """
...kxxxk....
...kcckck...
...kcggkk...
...kkkkk....
""",
    "walk_3": """
...kxxxk....
..kckcck....
..kkkcggk...
....kkkkk...
""",
}
MACE = """
..kkkkk..
.k5k4k3k.
kk43332kk
k5433221k
kk33221kk
.k3k2k1k.
..kkkkk..
...kek...
...kek...
...kek...
...kwk...
...kwk...
....k....
"""


def chief_frame(legs, bob=0, mace="rest", lean=0):
    out = Img(32, 32)
    out.blit(art(CHIEF_LEGS[legs]), 10, 25)
    if mace == "rest":
        out.blit(art(MACE), 23, 9 + bob)
    elif mace == "up":
        out.blit(art(MACE), 22, 1)
    out.blit(art(CHIEF_BODY), 5 + lean, 17 + bob)
    out.blit(art(CHIEF_HEAD), 5 + lean, 3 + bob)
    if mace == "hit":
        flat = Img(13, 9)
        source = art(MACE)
        for y in range(source.h):
            for x in range(source.w):
                flat.put(12 - y, x, source.get(x, y))
        out.blit(flat, 19, 20)
    return out


def chief():
    """idle 0-1, walk 2-5, windup 6, attack 7-8, hurt 9."""
    idle = [chief_frame("stand"), chief_frame("stand", bob=1)]
    walk = [chief_frame("walk_0", 1), chief_frame("walk_1"), chief_frame("walk_0", 1), chief_frame("walk_3")]
    attack = [
        chief_frame("stand", mace="up", lean=-1),
        chief_frame("walk_0", 1, mace="hit", lean=1),
        chief_frame("walk_0", 2, mace="hit", lean=2),
    ]
    hurt = chief_frame("walk_0", 2).swap({"c": "g", "g": "I", "x": "c", "P": "I", "p": "P"})
    return idle + walk + attack + [hurt]


# --- the sentry, its rocket ---------------------------------------------------------------------------------------

def sentry_frame(eye, color="T", barrel=0, tread=0, recoil=0):
    out = Img(24, 24)
    body = Img(24, 24)
    # Head: a helmet of steel with a dark slit.
    body.blit(
        art(
            """
.....kkkkkkkk....
...kk55444433kk..
..k555444433332k.
.k55444433333221k
.k44kkkkkkkkkk21k
.k4knnnnnnnnnnk1k
.k4knnnnnnnnnnk1k
.k3knnnnnnnnnnk1k
.k33kkkkkkkkkk21k
..k3333332222211k
..kkkkkkkkkkkkkk.
..k34332222221k..
.kUk3k3k2k2k1kYk.
.kYk3k3k2k2k1kRk.
.kYk3332222221Rk.
..kkkkkkkkkkkkk..
"""
        ),
        3,
        1,
    )
    lens = {"T": ("I", "T", "S"), "U": ("I", "U", "Y"), "l": ("I", "l", "B")}[color]
    for i, key in ((0, lens[1]), (1, lens[0]), (2, lens[1])):
        for y in range(3):
            body.put(7 + eye + i, 6 + y, key if y != 2 else lens[2])
    out.blit(body, -recoil, 0)
    # The launcher.
    if barrel:
        out.blit(art("kkkkkkk\nk54443k\nk3kkkkk\nk22111k\nkkkkkkk"), 15 - recoil, 12)
    # Treads.
    out.blit(art("..kkkkkkkkkkkkkk..\n.k2111111111111nk.\nk2k3k1k3k1k3k1k3nk\nk1kkkkkkkkkkkkkknk\n.kkkkkkkkkkkkkkkk."), 3, 16)
    for x in range(5, 19):
        if (x + tread) % 4 < 2:
            out.put(x, 17, "3")
        if (x - tread) % 4 < 2:
            out.put(x, 19, "2")
    return out


def sentry():
    """idle 0-1, scan 2-5, aim 6, fire 7-8, hurt 9."""
    idle = [sentry_frame(5, "l"), sentry_frame(5, "l", tread=2)]
    scan = [sentry_frame(e, "U", tread=t) for e, t in ((1, 0), (4, 1), (7, 2), (4, 3))]
    aim = [sentry_frame(6, "T", barrel=1)]
    fire = [sentry_frame(6, "T", barrel=1, recoil=2), sentry_frame(6, "T", barrel=1, recoil=1)]
    fire[0].blit(art("..T..\n.TYT.\nTYUIU\n.TYT.\n..T.."), 19, 12)
    fire[1].blit(art("4..\n.34\n4.."), 21, 12)
    hurt = [sentry_frame(5, "T").swap({"3": "5", "2": "4", "1": "3"})]
    return idle + scan + aim + fire + hurt


def rocket():
    """fly 0-1, explode 2-5. It points to the right."""
    out = []
    body = """
................
................
................
................
.......kkk......
......kRSk......
....kkkkkkkkk...
....k544433TTk..
....k4433322SRk.
....k332221SRk..
....kkkkkkkkk...
......kRSk......
.......kkk......
................
................
................
"""
    for flame in ("...T\nTYUI\n...T", ".TTY\nYUII\n.TTY"):
        frame = art(body)
        frame.blit(art(flame), 0, 7)
        out.append(frame)
    for i, r in enumerate((3, 6, 7.5, 7.5)):
        frame = Img(16, 16)
        if i < 3:
            frame.disc(8, 8, r, "T")
            frame.disc(8, 8, r * 0.72, "Y" if i < 2 else "U")
            frame.disc(7.5, 7.5, r * 0.45, "I" if i < 2 else ".")
        if i >= 2:
            for y in range(16):
                for x in range(16):
                    d = ((x - 7.5) ** 2 + (y - 7.5) ** 2) ** 0.5
                    if i == 2 and d < 4.5:
                        frame.put(x, y, "3" if noise(x, y) < 140 else CLEAR)
                    if i == 3 and d < 7.5:
                        frame.put(x, y, ("2" if d < 5 else "3") if noise(x // 2, y // 2, 5) < 120 else CLEAR)
        if i in (0, 1):
            for y in range(16):
                for x in range(16):
                    if frame.get(x, y) == "T" and noise(x, y, i) < 60:
                        frame.put(x, y, "S")
        out.append(frame)
    return out


# --- bat ----------------------------------------------------------------------------------------------------------

BATS = [
    """
................
.kk..........kk.
.kpkk......kkpk.
kpPppkk..kkppPpk
kpPPppkkkkppPPpk
.kpPPpPkkPpPPpk.
.kpkpPPPPPPpkpk.
..k.kPUPPUPk.k..
....kpPPPPpk....
.....kI55Ik.....
......kppk......
.......kk.......
................
................
................
................
""",
    """
................
................
................
................
......k..k......
.kkkkkPkkPkkkkk.
kpPPPpPPPPpPPPpk
kpPppPPPPPPppPpk
kpkkpPUPPUPpkkpk
.k..kpPPPPpk..k.
.....kI55Ik.....
......kppk......
.......kk.......
................
................
................
""",
    """
................
................
................
......k..k......
.....kPkkPk.....
....kpPPPPpk....
..kkpPPPPPPpkk..
.kpPpPUPPUPpPpk.
kpPPkpPPPPpkPPpk
kpPpkkI55IkkpPpk
kpPk..kppk..kPpk
kpk....kk....kpk
.k............k.
................
................
................
""",
]


def bat():
    """flap 0-3, hang 4."""
    a, b, c = (art(text) for text in BATS)
    hang = art(
        """
......kkkk......
......k22k......
.....kkPPkk.....
....kpPkkPpk....
....kpPPPPpk....
...kpPpPPpPpk...
...kpPpPPpPpk...
...kpPpPPpPpk...
...kpPPPPPPpk...
...kppPkkPppk...
....kpkppkpk....
.....kPppPk.....
......k..k......
................
................
................
"""
    )
    return [a, b, c, b.copy(), hang]


# --- things -------------------------------------------------------------------------------------------------------


def crate():
    import tiles_keep

    whole = art(tiles_keep.CRATE)
    broken = whole.copy()
    for x, y in ((3, 1), (4, 2), (5, 3), (5, 4), (6, 5), (10, 8), (11, 9), (11, 10), (12, 11), (13, 12), (6, 6), (9, 8)):
        broken.put(x, y, "k")
    return [whole, broken]


def keg():
    import tiles_keep

    out = art(tiles_keep.BARREL).swap({"t": "T", "r": "S", "e": "R", "w": "R"})
    out.blit(art(".kkkk.\nkIIIIk\nkIkkIk\nkIkkIk\nkIIIIk\n.kIIk.\n..kk.."), 5, 6)
    lit = out.copy()
    out.blit(art("e\nk"), 9, 2)
    lit.blit(art(".U.\nUIT\n.e."), 8, 0)
    return [out, lit]


def ball():
    """A mossy stone ball; its marks show how it turns."""
    out = Img(16, 16)
    out.disc(8, 8, 7.6, "k")
    out.disc(8, 8, 6.6, "2")
    out.disc(7.3, 7.3, 5.6, "3")
    out.disc(6.6, 6.4, 3.6, "4")
    out.disc(5.8, 5.6, 1.6, "5")
    for x, y, key in ((9, 4, "2"), (10, 5, "2"), (10, 6, "1"), (5, 10, "2"), (6, 11, "1"), (7, 11, "1"), (11, 9, "1"), (12, 9, "1"), (11, 10, "1")):
        out.put(x, y, key)
    for x, y in ((4, 11), (5, 12), (6, 12), (3, 9), (3, 10), (4, 10)):
        out.put(x, y, "x")
    for x, y in ((4, 10), (5, 11)):
        out.put(x, y, "c")
    return [out]


def plate():
    """up 0, down 1."""
    up = art("..kkkkkkkkkkkk..\n.kTTTTSSSSSSRRk.\n.kSSSSSRRRRRRRk.\nkkkkkkkkkkkkkkkk\nk44433333322221k\nk22222111111111k\nkkkkkkkkkkkkkkkk")
    down = art(".kkkkkkkkkkkkkk.\n.kSSSSRRRRRRRRk.\nkkkkkkkkkkkkkkkk\nk44433333322221k\nk22222111111111k\nkkkkkkkkkkkkkkkk")
    return [Img(16, 16).blit(up, 0, 9), Img(16, 16).blit(down, 0, 10)]


def coin():
    """spin 0-5."""
    widths = [10, 8, 4, 2, 4, 8]
    out = []
    for i, w in enumerate(widths):
        frame = Img(16, 16)
        for y in range(12):
            # A disc squeezed to width w.
            dy = (y + 0.5 - 6) / 6
            half = (1 - dy * dy) ** 0.5 * (w / 2 + 1)
            for x in range(16):
                if abs(x + 0.5 - 8) <= half:
                    frame.put(x, y + 2, "k")
        inner = Img(16, 16)
        for y in range(10):
            dy = (y + 0.5 - 5) / 5
            half = (1 - dy * dy) ** 0.5 * w / 2
            for x in range(16):
                dx = x + 0.5 - 8
                if abs(dx) <= half:
                    edge = dx / max(half, 0.5)
                    key = "U" if edge < 0.25 else "Y"
                    if edge < -0.55 or (dy < -0.6 and edge < 0.4):
                        key = "I"
                    if edge > 0.7 or dy > 0.75:
                        key = "R" if dy > 0.3 else "Y"
                    inner.put(x, y + 3, key)
        frame.blit(inner, 0, 0)
        if w >= 8:
            for y in range(6, 10):
                frame.put(8, y, "Y")
                frame.put(7, y, "I" if i < 3 else "Y")
        if i == 3:
            for y in range(4, 12):
                frame.put(7, y, "I")
                frame.put(8, y, "U")
        out.append(frame)
    return out


def key():
    """shine 0-1."""
    plain = art(
        """
................
................
................
................
...kkkk.........
..kUUUYk........
.kUYkkYYk.......
.kUk..kYkkkkkkk.
.kUk..kUUUUUUUYk
.kYk..kYYYYYYYRk
.kYYkkYRkkkYkYkk
..kYYYRk..kYkYk.
...kkkk...kRkRk.
...........k.k..
................
................
"""
    )
    shine = plain.copy()
    for x, y in ((4, 5), (3, 6), (9, 8), (2, 7)):
        shine.put(x, y, "I")
    return [plain, shine]


def potion():
    """bubble 0-1."""
    a = art(
        """
................
................
......kkkk......
......ktrk......
.....kkkkkk.....
......k5Lk......
......kLlk......
.....kL..lk.....
....kL....lk....
...k5SSSSSSlk...
...kLTSTSSSRk...
...kTSSSSSSRk...
...kTSSSTSRRk...
....kSSSSRRk....
.....kkkkkk.....
................
"""
    )
    b = a.copy()
    for x, y, k in ((6, 10, "S"), (8, 12, "S"), (8, 10, "T"), (6, 12, "I"), (5, 10, "S"), (7, 8, "T")):
        b.put(x, y, k)
    return [a, b]


def door():
    """closed 0, opening 1-2, open 3: 16x48, a portcullis that goes up."""
    import tiles_keep

    bars = art(tiles_keep.GATE_BARS)
    out = []
    for lift in (0, 14, 28, 40):
        frame = Img(16, 48)
        tall = Img(16, 64)
        for i in range(4):
            tall.blit(bars, 0, i * 16)
        tall.rect(0, 44, 16, 4, CLEAR)
        for x, key in ((0, "k"), (1, "3"), (2, "k"), (5, "k"), (6, "3"), (7, "k"), (10, "k"), (11, "3"), (12, "k"), (15, "k")):
            tall.put(x, 44, key)
        for x in (1, 6, 11):
            tall.put(x, 45, "2")
            tall.put(x, 46, "1")
        tall.rect(0, 48, 16, 16, CLEAR)
        for y in range(48):
            for x in range(16):
                if y + lift < 47:
                    frame.put(x, y, tall.get(x, y + lift))
        frame.rect(0, 0, 16, 4, "2").frame(0, 0, 16, 4, "k")
        frame.rect(1, 1, 14, 1, "4")
        out.append(frame)
    return out


def dungeon_door():
    """closed 0, opening 1, open 2: 32x32, two leaves of oak under a lintel."""
    out = []
    for wide in (14, 7, 3):
        frame = Img(32, 32)
        frame.rect(0, 0, 32, 32, "k")
        frame.rect(1, 1, 30, 30, "n")
        for side in (0, 1):
            for y in range(3, 32):
                for x in range(wide):
                    plank = x * 14 // max(wide, 1) // 5
                    key = "reew"[min(plank + (1 if side else 0), 3)]
                    if x == 0 or x == wide - 1:
                        key = "k"
                    elif (x * 14 // wide) % 5 == 4:
                        key = "q"
                    elif y in (7, 8, 22, 23):
                        key = "3" if y in (7, 22) else "1"
                    frame.put((2 + x) if side == 0 else (29 - x), y, key)
        if wide == 14:
            for x in (13, 18):
                frame.put(x, 15, "U")
                frame.put(x, 16, "Y")
                frame.put(x, 17, "R")
        frame.rect(0, 0, 32, 3, "4")
        frame.rect(0, 2, 32, 1, "1")
        frame.frame(0, 0, 32, 4, "k")
        for x in (0, 1):
            frame.rect(x, 0, 1, 32, "k" if x == 0 else "3")
            frame.rect(31 - x, 0, 1, 32, "k" if x == 0 else "2")
        out.append(frame)
    return out


def platform():
    """48x16: oak planks on iron, with a rune that glows."""
    out = Img(48, 16)
    import tiles_keep

    out.blit(art(tiles_keep.LEDGE_LEFT).crop(0, 0, 16, 6), 0, 0)
    out.blit(art(tiles_keep.LEDGE_MID), 16, 0)
    out.blit(art(tiles_keep.LEDGE_LEFT).crop(0, 0, 16, 6).flip_h(), 32, 0)
    for x in (4, 41):
        out.rect(x, 0, 3, 6, "2").frame(x - 1, 0, 5, 7, "k")
        out.put(x, 1, "4")
        out.put(x, 2, "3")
    under = art(".k1111111111111111111111k.\n..k21111PPLLPP1111111nk...\n...kk1111pPPp111111nkk....\n.....kkkkkkkkkkkkkkk......")
    out.blit(under, 11, 6)
    glow = out.copy()
    for x, y in ((21, 7), (22, 7), (19, 7), (20, 7), (23, 7), (24, 7)):
        glow.put(x, y, "L")
    return [out, glow]


def portal():
    """swirl 0-3: 32x32, where the spawner lets them in."""
    import math

    out = []
    for f in range(4):
        frame = Img(32, 32)
        for y in range(32):
            for x in range(32):
                dx, dy = (x + 0.5 - 16) / 11.5, (y + 0.5 - 16.5) / 14.5
                r = math.hypot(dx, dy)
                if r > 0.985:
                    continue
                a = math.atan2(dy, dx)
                if r > 0.9:
                    key = "k"
                elif r > 0.72:
                    stone = int((a + math.pi) / math.tau * 14)
                    frac = (a + math.pi) / math.tau * 14 % 1
                    key = "n" if frac < 0.16 else "4" if dx + dy < -0.5 else "3" if dx + dy < 0.5 else "2"
                    if stone == (f * 3) % 14 and r < 0.84 and frac > 0.3:
                        key = "L"
                elif r > 0.66:
                    key = "k"
                else:
                    swirl = (a / math.tau * 2 - r * 2.2 + f / 4) % 1
                    key = "p" if swirl < 0.45 else "P" if swirl < 0.8 else "L" if r < 0.5 else "P"
                    if r < 0.12:
                        key = "I"
                    elif swirl < 0.2:
                        key = "n"
                frame.put(x, y, key)
        out.append(frame)
    return out


def torch():
    """burn 0-3."""
    import tiles_keep

    return [art(tiles_keep.TORCH_BASE).blit(art(flame), 0, 0) for flame in tiles_keep.FLAMES]


def bell():
    """still 0, ring 1-2."""
    still = art(
        """
.......kk.......
......kekk......
......kkkk......
.....kUUYYk.....
....kUIUYYYk....
....kUIUYYRk....
....kUIUYYRk....
...kUUUUYYYRk...
...kUIUUYYYRk...
..kUUUUUYYYYRk..
..kYYYYYYRRRRk..
...kkkkkkkkkk...
......kUYk......
.......kk.......
................
................
"""
    )
    out = [still]
    for lean in (-1, 1):
        frame = Img(16, 16)
        for y in range(16):
            shift = lean * (y // 5)
            for x in range(16):
                if still.get(x, y) != CLEAR:
                    frame.put(x + shift, y, still.get(x, y))
        out.append(frame)
    return out


def sign():
    """A board that tells something."""
    import tiles_keep

    return [art(tiles_keep.SIGN)]


SHEETS = {
    "player": (player, 10),
    "goblin": (goblin, 10),
    "fast_goblin": (fast_goblin, 10),
    "bomb_goblin": (bomb_goblin, 10),
    "chief": (chief, 10),
    "sentry": (sentry, 10),
    "rocket": (rocket, 6),
    "bat": (bat, 5),
    "crate": (crate, 2),
    "keg": (keg, 2),
    "ball": (ball, 1),
    "plate": (plate, 2),
    "coin": (coin, 6),
    "key": (key, 2),
    "potion": (potion, 2),
    "door": (door, 4),
    "dungeon_door": (dungeon_door, 3),
    "platform": (platform, 1),
    "portal": (portal, 4),
    "torch": (torch, 4),
    "bell": (bell, 3),
    "sign": (sign, 1),
}
