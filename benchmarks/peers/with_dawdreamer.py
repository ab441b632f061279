"""The work of the benchmarks in DawDreamer.

    with_dawdreamer.py mix GRAPH.json OUT.wav          the stem mix: a Faust program of ten filters and two levels for each stem
    with_dawdreamer.py eq GRAPH.json OUT.wav           a Faust program of all filters
    with_dawdreamer.py serve IN.wav                    chains of Faust programs of one effect, as `harness/tool.py` asks

It renders from memory to memory, so that soundfile reads and writes. The coefficients are the Cookbook's; Faust computes in
single precision, which is its default.
"""

import json
import sys
from pathlib import Path

import dawdreamer
import numpy as np
import soundfile
from cases.units import EFFECTS
from serving import serve

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))
import cookbook  # noqa: E402

BLOCK, RATE = 4096, 48000


BIQUAD = "biquad(b0, b1, b2, a1, a2) = fir : + ~ iir with { fir(x) = b0 * x + b1 * x' + b2 * x''; iir(y) = 0 - a1 * y - a2 * y'; };"


def program(sections, left=1, right=1):
    """In Faust: the filters of both channels, and a level for each."""
    calls = []
    for b0, b1, b2, a0, a1, a2 in sections:
        calls.append("biquad({})".format(", ".join(f"{x / a0:.17f}" for x in (b0, b1, b2, a1, a2))))
    return f"{BIQUAD}\nequalizer = {' : '.join(calls)};\nprocess = equalizer * {left:.9f}, equalizer * {right:.9f};"


def sections_of(bands):
    return [cookbook.band(RATE, **band) for band in bands]


def playback(engine, name, path):
    return engine.make_playback_processor(name, np.ascontiguousarray(soundfile.read(path, dtype="float32")[0].T))


def faust(engine, name, code):
    processor = engine.make_faust_processor(name)
    processor.set_dsp_string(code)
    processor.compile()
    return processor


def write(engine, graph, frames, out, subtype):
    engine.load_graph(graph)
    engine.render(frames / RATE)
    soundfile.write(out, engine.get_audio().T, RATE, subtype)


def mix(graph_path, out):
    folder, document = Path(graph_path).parent, json.loads(Path(graph_path).read_text())
    nodes = document["nodes"]
    files = [folder / node["file"] for node in nodes if node["unit"] == "filePlayer"]
    equalizers = [node["bands"] for node in nodes if node["unit"] == "nBandEQ"]
    levels = next(node["set"] for node in nodes if node["unit"] == "multichannelMixer")
    engine, graph = dawdreamer.RenderEngine(RATE, BLOCK), []
    for k, (path, bands) in enumerate(zip(files, equalizers)):
        volume, pan = levels[f"volume@input:{k}"], levels[f"pan@input:{k}"]
        graph.append((playback(engine, f"in{k}", path), []))
        code = program(sections_of(bands), volume * (1 - max(pan, 0)), volume * (1 + min(pan, 0)))
        graph.append((faust(engine, f"eq{k}", code), [f"in{k}"]))
    graph.append((engine.make_add_processor("mix", [1.0] * len(files)), [f"eq{k}" for k in range(len(files))]))
    write(engine, graph, soundfile.info(files[0]).frames, out, "PCM_24")


def eq(graph_path, out):
    nodes = {node["id"]: node for node in json.loads(Path(graph_path).read_text())["nodes"]}
    path, engine = Path(graph_path).parent / nodes["in"]["file"], dawdreamer.RenderEngine(RATE, BLOCK)
    graph = [(playback(engine, "in", path), []), (faust(engine, "eq", program(sections_of(nodes["eq"]["bands"]))), ["in"])]
    write(engine, graph, soundfile.info(path).frames, out, "FLOAT")


def effect(engine, unit, name):
    """A new processor of one copy."""
    what = EFFECTS[unit]
    if "gain" in what:
        return engine.make_add_processor(name, [what["gain"]])
    sections = sections_of(what["bands"]) if "bands" in what else [cookbook.unit(RATE, unit, **what["set"])]
    return faust(engine, name, program(sections))


def chain(sound, unit, copies, frames):
    """A new engine: one keeps what it has loaded before."""
    engine = dawdreamer.RenderEngine(RATE, frames)
    graph, last = [(engine.make_playback_processor("in", sound), [])], "in"
    for k in range(copies):
        graph.append((effect(engine, unit, f"effect{k}"), [last]))
        last = f"effect{k}"
    engine.load_graph(graph)

    def run():
        engine.render(sound.shape[1] / RATE)
        return engine.get_audio()

    return run


if __name__ == "__main__":
    work, *words = sys.argv[1:]
    {"mix": mix, "eq": eq, "serve": lambda path: serve(path, chain)}[work](*words)
