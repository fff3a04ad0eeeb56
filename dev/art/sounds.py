#!/usr/bin/env python3
"""Makes every sound of the sample game, Goblin Keep: `python3 dev/art/sounds.py` writes the same bytes each time. All are
computed here, from sines and noise, and are no one else's."""

import math
import os
import random
import struct
import wave

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sample_data")
RATE = 16000


def coin():
    """Two short notes, the second a fourth higher, with one overtone."""
    def at(t):
        pitch, since = (988.0, t) if t < 0.06 else (1319.0, t - 0.06)
        turn = 2 * math.pi * pitch * t
        return (math.sin(turn) + 0.3 * math.sin(2 * turn)) * math.exp(-since * 9) * 0.5
    return [at(i / RATE) for i in range(int(0.4 * RATE))]


def bell():
    """Partials of a small bell, higher ones dying away sooner."""
    partials = [(1.0, 0.5, 4.0), (2.0, 0.35, 5.0), (2.4, 0.3, 6.0), (3.0, 0.2, 8.0), (4.5, 0.12, 12.0)]
    def at(t):
        ring = sum(loud * math.sin(2 * math.pi * 440 * of * t) * math.exp(-t * fade) for of, loud, fade in partials)
        return ring * min(1.0, t * 400) * 0.6
    return [at(i / RATE) for i in range(int(0.6 * RATE))]


def boom():
    """Noise that gets duller, over a falling rumble."""
    noise, low, turn, out = random.Random(7), 0.0, 0.0, []
    for i in range(int(0.6 * RATE)):
        t = i / RATE
        low += (noise.uniform(-1, 1) - low) * (0.5 * math.exp(-t * 6) + 0.03)
        turn += 2 * math.pi * (90 * math.exp(-t * 4) + 30) / RATE
        out.append((low + math.sin(turn) * 0.4) * math.exp(-t * 5))
    return out


def save(name, samples):
    """Write 16 bit mono; the last hundredth of a second goes to silence, so that it ends without a click."""
    n = len(samples)
    faded = [x * min(1.0, (n - i) / (0.01 * RATE)) for i, x in enumerate(samples)]
    with wave.open(os.path.join(ROOT, "sounds", name + ".wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", round(max(-1.0, min(1.0, x)) * 32000)) for x in faded))


def main():
    os.makedirs(os.path.join(ROOT, "sounds"), exist_ok=True)
    for make in (coin, bell, boom):
        save(make.__name__, make())


if __name__ == "__main__":
    main()
