"""The work of the benchmarks in pedalboard.

    with_pedalboard.py mix GRAPH.json OUT.wav THREADS          the stem mix: threads share the stems of a block, numpy mixes
    with_pedalboard.py batch GRAPH.json IN OUT BITS THREADS    threads share the files: pedalboard works outside the interpreter's
                                                               lock, and processes are no faster. Files are converted while they
                                                               are read, as pedalboard's guide does it, in its own quality: the
                                                               equalizer runs at 48 kHz. Converting behind it takes as long
    with_pedalboard.py rate IN.wav OUT.wav BITS
    with_pedalboard.py eq GRAPH.json OUT.wav
    with_pedalboard.py effect NAME IN.wav OUT.wav              one of `cases/effects.py`, as pedalboard has it
    with_pedalboard.py same NAME IN.wav OUT.wav                one of the equalizers of `cases/same.py`
    with_pedalboard.py speed RATE IN.wav OUT.wav               so many times as fast, by its conversion of rates
    with_pedalboard.py serve IN.wav                            chains of effects, as `harness/tool.py` asks
"""

import json
import math
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
from cases.effects import GAIN
from cases.same import EQUALIZERS
from cases.units import EFFECTS
from pedalboard import (
    Bitcrush, Compressor, Delay, Distortion, Gain, HighShelfFilter, Limiter, LowShelfFilter, PeakFilter, Pedalboard, Reverb,
)  # fmt: skip
from pedalboard.io import AudioFile
from serving import serve

BLOCK, RATE = 65536, 48000


def peak(band):
    """Q is the Cookbook's for a bandwidth in octaves, so that the filter is the same."""
    w0 = 2 * math.pi * band["frequency"] / RATE
    q = 1 / (2 * math.sinh(math.log(2) / 2 * band["bandwidth"] * w0 / math.sin(w0)))
    return PeakFilter(band["frequency"], band["gain"], q)


def nodes_of(graph_path):
    return json.loads(Path(graph_path).read_text())["nodes"]


def mix(graph_path, out, threads):
    nodes = nodes_of(graph_path)
    files = [AudioFile(str(Path(graph_path).parent / n["file"])) for n in nodes if n["unit"] == "filePlayer"]
    boards = [Pedalboard([peak(b) for b in n["bands"]]) for n in nodes if n["unit"] == "nBandEQ"]
    levels = next(n["set"] for n in nodes if n["unit"] == "multichannelMixer")
    gains = []
    for k in range(len(files)):
        volume, pan = levels[f"volume@input:{k}"], levels[f"pan@input:{k}"]
        gains.append(np.array([[volume * (1 - max(pan, 0))], [volume * (1 + min(pan, 0))]], np.float32))

    def stem(k):
        return boards[k](files[k].read(BLOCK), RATE, buffer_size=BLOCK, reset=False) * gains[k]

    threads = int(threads)
    with ThreadPool(threads) as pool, AudioFile(out, "w", RATE, 2, bit_depth=24) as sink:
        run = pool.map if threads > 1 else map
        for _ in range(0, files[0].frames, BLOCK):
            sink.write(sum(run(stem, range(len(files)))))


def batch(graph_path, sounds, out, bits, threads):
    nodes = {node["id"]: node for node in nodes_of(graph_path)}
    gain = 20 * math.log10(nodes["mix"]["set"]["volume@output:0"])

    def make(path):
        board = Pedalboard([*map(peak, nodes["eq"]["bands"]), Gain(gain)])
        with AudioFile(str(path)).resampled_to(RATE) as source:
            sound = board(source.read(source.frames), RATE)
        with AudioFile(str(Path(out) / path.name), "w", RATE, 2, bit_depth=int(bits)) as sink:
            sink.write(sound)

    with ThreadPool(int(threads)) as pool:
        pool.map(make, sorted(Path(sounds).iterdir()), chunksize=1)


def rate(path, out, bits):
    with AudioFile(path).resampled_to(RATE) as source, AudioFile(out, "w", RATE, 2, bit_depth=int(bits)) as sink:
        while source.tell() < source.frames:
            sink.write(source.read(BLOCK))


def through(plugins, path, out):
    board = Pedalboard(plugins)
    with AudioFile(str(path)) as source, AudioFile(out, "w", RATE, 2, bit_depth=32) as sink:
        while source.tell() < source.frames:
            sink.write(board(source.read(BLOCK), RATE, buffer_size=BLOCK, reset=False))


def eq(graph_path, out):
    nodes = {node["id"]: node for node in nodes_of(graph_path)}
    through([peak(band) for band in nodes["eq"]["bands"]], Path(graph_path).parent / nodes["in"]["file"], out)


def effect(name, path, out):
    plugins = {
        "echo": lambda: [Delay(0.3, feedback=0, mix=0.5)],
        "reverb": lambda: [Reverb()],
        "compressor": lambda: [Compressor(-20, ratio=4, attack_ms=1, release_ms=50)],
        "limiter": lambda: [Gain(GAIN), Limiter(0, release_ms=24)],
        "clip": lambda: [Distortion(12)],
        "all of a distortion": lambda: [Delay(0.14, feedback=0.5, mix=0.4), Bitcrush(6), Distortion(12)],
    }
    through(plugins[name](), path, out)


def same(name, path, out):
    through([section(band) for band in EQUALIZERS[name]], path, out)


def section(band):
    """A band of `nBandEQ`: a bell, or a shelf of slope 1."""
    if kind := {"lowShelf": LowShelfFilter, "highShelf": HighShelfFilter}.get(band["type"]):
        return kind(band["frequency"], band["gain"], math.sqrt(0.5))
    return peak(band)


def speed(times, path, out):
    with AudioFile(path).resampled_to(RATE / float(times)) as source, AudioFile(out, "w", RATE, 2, bit_depth=32) as sink:
        while source.tell() < source.frames:
            sink.write(source.read(BLOCK))


def effects(unit):
    """New effects of one copy."""
    effect = EFFECTS[unit]
    if "gain" in effect:
        return [Gain(20 * math.log10(effect["gain"]))]
    if "delay" in effect:
        return [Delay(effect["delay"] / RATE, feedback=0, mix=1)]
    if "bands" in effect:
        return [peak(band) for band in effect["bands"]]
    values = effect["set"]
    if unit == "parametricEQ":
        return [PeakFilter(values["centerFrequency"], values["gain"], values["q"])]
    kind = {"lowShelfFilter": LowShelfFilter, "highShelfFilter": HighShelfFilter}[unit]
    return [kind(values["cutoffFrequency"], values["gain"], math.sqrt(0.5))]


def chain(sound, unit, copies, frames):
    board = Pedalboard([effect for _ in range(copies) for effect in effects(unit)])
    return lambda: board(sound, RATE, buffer_size=frames)


WORKS = {
    "mix": mix, "batch": batch, "rate": rate, "eq": eq, "effect": effect, "same": same, "speed": speed,
    "serve": lambda path: serve(path, chain),
}  # fmt: skip

if __name__ == "__main__":
    work, *words = sys.argv[1:]
    WORKS[work](*words)
