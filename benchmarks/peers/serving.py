"""What the peers of `units` and `nodes` have in common: they hold a sound in memory and time chains of effects on it."""

import sys
import time

import numpy as np
import soundfile


def serve(path, chain, kind=np.float32):
    """Answers a line `EFFECT COPIES FRAMES` with the seconds of one pass, `EFFECT FILE` by writing one copy's output.
    `chain(sound, effect, copies, frames)` prepares a pass, once; the sound has a row for each channel."""
    sound = np.ascontiguousarray(soundfile.read(path)[0].T.astype(kind))
    chains = {}
    for line in sys.stdin:
        effect, what, *frames = line.rstrip("\n").split(" ", 2)
        if frames:
            if line not in chains:
                chains[line] = chain(sound, effect, int(what), int(frames[0]))
            start = time.perf_counter()
            chains[line]()
            print(time.perf_counter() - start, flush=True)
        else:
            soundfile.write(what, chain(sound, effect, 1, 512)().T, 48000, "FLOAT")
            print(0, flush=True)
