#!/usr/bin/env python3
"""The stem mix in pedalboard: pedalboard_mix.py GRAPH.json OUT.wav THREADS. A peer of the benchmark, in blocks.

Each stem is a Pedalboard of ten PeakFilters; threads share the stems of a block; numpy mixes. Q is the Cookbook's for a
bandwidth of one octave, so that the filter is the same.
"""

import json
import math
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path

import numpy as np
from pedalboard import PeakFilter, Pedalboard
from pedalboard.io import AudioFile

BLOCK = 65536


def peak(band, rate):
    w0 = 2 * math.pi * band["frequency"] / rate
    q = 1 / (2 * math.sinh(math.log(2) / 2 * band["bandwidth"] * w0 / math.sin(w0)))
    return PeakFilter(band["frequency"], band["gain"], q)


def main(graph_path, out, threads):
    graph = json.loads(Path(graph_path).read_text())
    rate, nodes = graph["sampleRate"], graph["nodes"]
    files = [AudioFile(str(Path(graph_path).parent / n["file"])) for n in nodes if n["unit"] == "filePlayer"]
    boards = [Pedalboard([peak(b, rate) for b in n["bands"]]) for n in nodes if n["unit"] == "nBandEQ"]
    levels = next(n["set"] for n in nodes if n["unit"] == "multichannelMixer")
    gains = []
    for k in range(len(files)):
        volume, pan = levels[f"volume@input:{k}"], levels[f"pan@input:{k}"]
        gains.append(np.array([[volume * (1 - max(pan, 0))], [volume * (1 + min(pan, 0))]], np.float32))

    def stem(k):
        return boards[k](files[k].read(BLOCK), rate, buffer_size=BLOCK, reset=False) * gains[k]

    with ThreadPool(threads) as pool, AudioFile(out, "w", rate, 2, bit_depth=24) as sink:
        run = pool.map if threads > 1 else map
        for _ in range(0, files[0].frames, BLOCK):
            sink.write(sum(run(stem, range(len(files)))))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
