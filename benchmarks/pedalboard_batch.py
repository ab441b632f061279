#!/usr/bin/env python3
"""Many files in pedalboard: pedalboard_batch.py GRAPH.json IN OUT BITS THREADS. A peer of the benchmark.

Each file of the folder IN is read converted to 48 kHz, as pedalboard's own guide does it and in its own quality, goes through the
equalizer and a gain, and is written into the folder OUT. The equalizer so runs at 48 kHz; converting behind it takes as long.
Threads share the files: pedalboard works outside the interpreter's lock, and processes are no faster.
"""

import json
import math
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path

from pedalboard import Gain, Pedalboard
from pedalboard.io import AudioFile

from pedalboard_mix import peak

RATE = 48000


def main(graph_path, sounds, out, bits, threads):
    nodes = {node["id"]: node for node in json.loads(Path(graph_path).read_text())["nodes"]}
    gain = 20 * math.log10(nodes["mix"]["set"]["volume@output:0"])

    def make(path):
        board = Pedalboard([*(peak(band, RATE) for band in nodes["eq"]["bands"]), Gain(gain)])
        with AudioFile(str(path)).resampled_to(RATE) as source:
            sound = board(source.read(source.frames), RATE)
        with AudioFile(str(Path(out) / path.name), "w", RATE, 2, bit_depth=bits) as sink:
            sink.write(sound)

    with ThreadPool(threads) as pool:
        pool.map(make, sorted(Path(sounds).iterdir()), chunksize=1)


main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
