"""The work of the benchmarks in scipy, whole sounds at once: its fastest way.

    with_scipy.py rate IN.wav OUT.wav BITS
    with_scipy.py eq GRAPH.json OUT.wav
    with_scipy.py serve IN.wav                               chains of effects, as `harness/tool.py` asks
    with_scipy.py welch NOISE.f32 CHANNELS FRAMES KIND       a spectrum for each line of input, as `welch-speed`; KIND is float32 or float64
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import soundfile
from cases.units import EFFECTS
from scipy import signal
from serving import serve

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))
import cookbook  # noqa: E402

RATE = 48000


def normalised(sections):
    sections = np.array(sections)
    return sections / sections[:, 3:4]


def rate(path, out, bits):
    sound, own = soundfile.read(path)
    soundfile.write(out, signal.resample_poly(sound, RATE, own, axis=0), RATE, {"24": "PCM_24", "32": "FLOAT"}[bits])


def eq(graph_path, out):
    nodes = {node["id"]: node for node in json.loads(Path(graph_path).read_text())["nodes"]}
    sound = soundfile.read(Path(graph_path).parent / nodes["in"]["file"])[0]
    sections = normalised([cookbook.band(RATE, **band) for band in nodes["eq"]["bands"]])
    soundfile.write(out, signal.sosfilt(sections, sound, axis=0), RATE, "FLOAT")


def chain(sound, unit, copies, frames):
    effect = EFFECTS[unit]
    bands = [cookbook.band(RATE, **band) for band in effect.get("bands", ())]
    sections = normalised(bands or [cookbook.unit(RATE, unit, **effect["set"])])

    def run():
        """A pass for each copy: a single pass through all would be another work."""
        filtered = sound
        for _ in range(copies):
            filtered = signal.sosfilt(sections, filtered)
        return filtered

    return run


def welch(path, channels, frames, kind):
    noise = np.fromfile(path, np.float32).reshape(int(channels), int(frames)).astype(kind)
    powers = []
    for _ in sys.stdin:
        start = time.perf_counter()
        powers = signal.welch(noise, RATE, nperseg=4096, detrend=False, scaling="spectrum")[1]
        print(time.perf_counter() - start, flush=True)
    print("\n".join(repr(float(power)) for power in powers[0]))


if __name__ == "__main__":
    work, *words = sys.argv[1:]
    {"rate": rate, "eq": eq, "serve": lambda path: serve(path, chain, np.float64), "welch": welch}[work](*words)
