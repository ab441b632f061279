"""What each of our units costs, and the same effect elsewhere."""

import json
from dataclasses import dataclass
from pathlib import Path

from harness.case import Case
from harness.tool import FFMPEG, AskedChain, Chain, Server, Tool, measure, peer

FRAMES = 512  # of a slice
BENCH_SECONDS = 1  # of `aubench bench`, which ends sooner where its figures are certain
LEVEL, DELAY = 0.7, 1000
BANDS = [{"type": "parametric", "frequency": 31.25 * 2**k, "bandwidth": 1, "gain": (-1) ** k * 4} for k in range(10)]
# What a unit does: `set` are its parameters in a graph file, `bands` its bands, `gain` or `delay` all that it does. The words of
# SoX and FFmpeg follow; the Python libraries' are in `peers/`, by the names here.
EFFECTS = {
    "parametricEQ": {"set": {"centerFrequency": 1000, "q": 1, "gain": 6}},
    "lowPassFilter": {"set": {"cutoffFrequency": 1000, "resonance": 0}},
    "highPassFilter": {"set": {"cutoffFrequency": 1000, "resonance": 0}},
    "bandPassFilter": {"set": {"centerFrequency": 1000, "bandwidth": 1200}},
    "lowShelfFilter": {"set": {"cutoffFrequency": 100, "gain": 6}},
    "highShelfFilter": {"set": {"cutoffFrequency": 10000, "gain": 6}},
    "nBandEQ": {"bands": BANDS},
    "multichannelMixer": {"set": {"volume@input:0": LEVEL}, "gain": LEVEL},
    "sampleDelay": {"set": {"delayFrames": DELAY}, "delay": DELAY},
}
SOX = {
    "parametricEQ": "equalizer 1000 1q 6",
    "lowPassFilter": "lowpass -2 1000 1q",
    "highPassFilter": "highpass -2 1000 1q",
    "bandPassFilter": "bandpass 1000 1o",
    "lowShelfFilter": "bass 6 100 1s",
    "highShelfFilter": "treble 6 10000 1s",
    "nBandEQ": " ".join(f"equalizer {b['frequency']} 1o {b['gain']}" for b in BANDS),
    "multichannelMixer": f"vol {LEVEL}",
    "sampleDelay": f"delay {DELAY}s {DELAY}s",
}
FFMPEG_FILTERS = {
    "parametricEQ": "equalizer=f=1000:width_type=q:w=1:g=6",
    "lowPassFilter": "lowpass=f=1000:width_type=q:w=1",
    "highPassFilter": "highpass=f=1000:width_type=q:w=1",
    "bandPassFilter": "bandpass=f=1000:width_type=o:w=1",
    "lowShelfFilter": "bass=f=100:width_type=q:w=0.5:g=6",  # a slope of 1 is another one there
    "highShelfFilter": "treble=f=10000:width_type=q:w=0.5:g=6",
    "nBandEQ": ",".join(f"equalizer=f={b['frequency']}:width_type=o:w=1:g={b['gain']}" for b in BANDS),
    "multichannelMixer": f"volume={LEVEL}",
    "sampleDelay": f"adelay={DELAY}S|{DELAY}S",
}
FILTERS = {"parametricEQ", "lowPassFilter", "highPassFilter", "bandPassFilter", "lowShelfFilter", "highShelfFilter", "nBandEQ"}
PYTHON_UNITS = {
    "pedalboard": {"parametricEQ", "lowShelfFilter", "highShelfFilter", "nBandEQ", "multichannelMixer", "sampleDelay"},
    "dawdreamer": {*FILTERS, "multichannelMixer"},
    "scipy": FILTERS,
}
# No peer is timed beside these: others have no such node, or `rate` and `eq` have it.
ALONE = {
    "iPodEQ, Rock": ("unit", {"unit": "iPodEQ", "preset": "Rock"}),
    "formatConverter, 48 to 44.1 kHz, best": ("unit", {"unit": "formatConverter", "format": {"sampleRate": 44100}}),
    "filePlayer": ("noise", {}),
    "genericOutput": ("out", {}),
}


@dataclass
class UnitBench(Tool):
    """A node of a graph that `aubench bench` renders. `argv` renders it once, for the check."""

    graph: Path = None
    node: str = "unit"

    def warm_up(self, log):
        if self.argv:
            measure(self.placed_argv(), log)

    def once(self, log):
        """Uncertain figures (7) are taken as well: the rounds show how uncertain."""
        measure([self.needs, "bench", self.graph, "--slice", FRAMES, "--seconds", BENCH_SECONDS, "--json"], log, accepted=(0, 7))
        nodes = json.loads(log.read_text().partition("\n}")[0] + "\n}")["cases"][0]["nodes"]
        return {"time": next(node["nanosecondsPerFrame"]["median"] for node in nodes if node["name"] == self.node)}


class Units(Case):
    name = "units"
    title = f"stereo noise at 48 kHz through one unit, in slices of {FRAMES} frames"
    seconds, quick_seconds = 60, 20
    bytes_per_second = 700_000
    unit = "ns per frame"
    headlines = ("aubench, parametricEQ", "aubench, nBandEQ", "aubench, multichannelMixer", "aubench, sampleDelay")
    residual_limit = {"": -120}

    def tools(self, folder, aubench, seconds):
        per_frame = 1e9 / (seconds * 48000)
        servers = {
            library: Server(peer(library, "serve", folder / "noise.wav")) for library in ("pedalboard", "dawdreamer", "scipy")
        }
        for unit, effect in EFFECTS.items():
            (folder / unit).mkdir()
            node = {"unit": unit, **{key: effect[key] for key in ("set", "bands") if key in effect}}
            yield bench(f"aubench, {unit}", aubench, folder, node)
            yield from processes(unit, folder / "noise.wav", per_frame)
            for library, server in servers.items():
                if unit in PYTHON_UNITS[library]:
                    yield AskedChain(
                        f"{library}, {unit}", f"python:{library}", f"pip: {library}", beside=(f"aubench, {unit}",),
                        scale=per_frame, copies=copies_of(unit), server=server, effect=unit, frames=FRAMES,
                    )  # fmt: skip
        for name, (counted, node) in ALONE.items():
            yield bench(f"aubench, {name}", aubench, folder, node, counted, is_checked=False)

    def place(self, folder, tool):
        """Outputs are in a folder of their unit's name, by which the check knows them."""
        return tool.place(folder / tool.name.split(", ")[1])

    def check(self, folder, tools):
        super().check(folder, [tool for tool in tools if tool.output and tool.output.exists()])


def copies_of(unit):
    """The length of the chain."""
    return 3 if "bands" in EFFECTS[unit] else 21


def bench(name, aubench, folder, node, counted="unit", is_checked=True):
    """A graph of noise and the unit, if there is one besides."""
    nodes = [{"id": "noise", "unit": "filePlayer", "file": "noise.wav", "loops": -1}]
    nodes += [{"id": "unit", **node}] if node else []
    chain = ["noise -> unit", "unit -> out"] if node else ["noise -> out"]
    nodes += [{"id": "out", "unit": "genericOutput"} | ({"format": node["format"]} if "format" in node else {})]
    graph = folder / f"{name}.json"
    graph.write_text(json.dumps({"version": 1, "sampleRate": 48000, "nodes": nodes, "connections": chain}))
    argv = [aubench, "render", graph, "-o", "{out}", "--seconds", 5, "--encoding", "float32", "--quiet"] if is_checked else None
    return UnitBench(name, aubench, "make", argv, graph=graph, node=counted)


def processes(unit, noise, scale):
    """SoX and FFmpeg: processes that write nothing, with a chain of copies."""

    def sox(copies, out=("-n",)):
        return ["sox", "-D", "--buffer", 2 * FRAMES, noise, *out, *(SOX[unit].split() * copies)]

    def ffmpeg(copies, out=("-f", "null", "-")):
        filters = ",".join([f"asetnsamples=n={FRAMES}:p=0", "aformat=sample_fmts=fltp", *[FFMPEG_FILTERS[unit]] * copies])
        return [*FFMPEG, "-threads", 1, "-filter_threads", 1, "-i", noise, "-af", filters, *out]

    for name, command, out in (
        ("sox", sox, ["-e", "float", "-b", 32, "{out}"]), ("ffmpeg", ffmpeg, ["-c:a", "pcm_f32le", "{out}"]),
    ):  # fmt: skip
        yield Chain(
            f"{name}, {unit}", name, f"apt: {name}", command(1, out), beside=(f"aubench, {unit}",),
            scale=scale, copies=copies_of(unit), command=command,
        )  # fmt: skip
