#!/usr/bin/env python3
"""Renders a graph file in float64 with numpy and scipy, all at once in memory: the answer to hold `aubench render` to.

Usage: Scripts/reference_render.py GRAPH.json [OUT.wav]     prints frames, peak and RMS; OUT is 32-bit float
       Scripts/reference_render.py GRAPH.json --table COUNT OUT.tsv     COUNT frames, evenly spread, in float64
Knows filePlayer (at the graph's rate), nBandEQ, iPodEQ, multichannelMixer (stereo out) and genericOutput. The length is
the end of the last file. Swift rounds to float32 between units, so expect it about 140 dB below, not equal.
"""

import json
import sys
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import sosfilt

import cookbook


def sos(sections):
    return np.array([[x / s[3] for x in s] for s in sections]).reshape(-1, 6)


class Graph:
    def __init__(self, path, frames=None):
        self.folder = Path(path).parent
        document = json.loads(Path(path).read_text())
        self.rate = document["sampleRate"]
        self.nodes = {node["id"]: node for node in document["nodes"]}
        self.inputs = {}  # (node, bus) -> node
        for connection in document["connections"]:
            source, sink = (end.strip().partition(":") for end in connection.split("->"))
            self.inputs[sink[0], int(sink[2] or 0)] = source[0]
        self.frames = frames or max(self.end(n) for n in document["nodes"] if n["unit"] == "filePlayer")

    def end(self, node):
        frames = soundfile.info(self.folder / node["file"]).frames
        return node.get("start", 0) + frames * (node.get("loops", 0) + 1)

    def render(self):
        output = next(id for id, node in self.nodes.items() if node["unit"] == "genericOutput")
        return self.pull(self.inputs[output, 0])

    def pull(self, id):
        node = self.nodes[id]
        return getattr(self, node["unit"])(node)

    def filePlayer(self, node):
        data, rate = soundfile.read(self.folder / node["file"], frames=self.frames, always_2d=True)
        assert rate == self.rate, f"{node['id']}: the file has {rate} Hz, the graph {self.rate}"
        start, plays = node.get("start", 0), node.get("loops", 0) + 1
        out = np.zeros((self.frames, data.shape[1]))
        whole = np.tile(data, (min(plays, -(-self.frames // len(data))), 1))[: max(0, self.frames - start)]
        out[start : start + len(whole)] = whole
        return out

    def nBandEQ(self, node):
        bands = [{k: v for k, v in b.items() if k != "bypass"} for b in node.get("bands", []) if not b.get("bypass")]
        return self.filtered(node, [cookbook.band(self.rate, **b) for b in bands]) * 10 ** (node.get("globalGain", 0) / 20)

    def iPodEQ(self, node):
        return self.filtered(node, cookbook.ipod_eq(self.rate, node.get("preset", "Disabled")))

    def filtered(self, node, sections):
        data = self.pull(self.inputs[node["id"], 0])
        return sosfilt(sos(sections), data, axis=0) if sections else data

    def multichannelMixer(self, node):
        out = np.zeros((self.frames, 2))
        for (sink, bus), source in sorted(self.inputs.items()):
            if sink != node["id"] or not self.parameter(node, f"enable@input:{bus}", 1).any():
                continue
            data, pan = self.pull(source), self.parameter(node, f"pan@input:{bus}", 0)
            if data.shape[1] == 1:
                law = np.cos(np.pi / 4 * (1 + pan)), np.sin(np.pi / 4 * (1 + pan))
            else:
                law = 1 - np.maximum(pan, 0), 1 + np.minimum(pan, 0)
            out += self.parameter(node, f"volume@input:{bus}", 1)[:, None] * np.stack(law, axis=1) * data
        return out * self.parameter(node, "volume@output:0", 1)[:, None]

    def parameter(self, node, name, default):
        """The value of a parameter at every frame."""
        for ramp in node.get("ramp", []):
            if ramp["parameter"] == name:
                return np.interp(np.arange(self.frames), *zip(*ramp["points"]))
        return np.full(self.frames, float(node.get("set", {}).get(name, default)))


def decibels(x):
    return 20 * np.log10(max(float(x), 1e-30))


if __name__ == "__main__":
    graph = Graph(sys.argv[1])
    sound = graph.render()
    print(f"{len(sound)} frames, {len(sound) / graph.rate:.3f} s, {sound.shape[1]} channels")
    print(f"peak {decibels(abs(sound).max()):.2f} dBFS, RMS {decibels(sound.std()):.2f} dBFS")
    if sys.argv[2:3] == ["--table"]:
        count = int(sys.argv[3])
        rows = [(i * 2 + 1) * len(sound) // (2 * count) for i in range(count)]
        lines = [f"# {Path(sys.argv[1]).name}: {len(sound)} frames; frame and its channels, float64, by Scripts/reference_render.py"]
        lines += ["\t".join([str(row)] + [repr(float(x)) for x in sound[row]]) for row in rows]
        Path(sys.argv[4]).write_text("\n".join(lines) + "\n")
    elif len(sys.argv) > 2:
        soundfile.write(sys.argv[2], sound, graph.rate, "FLOAT")
