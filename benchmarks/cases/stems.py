"""The stem mix."""

import json
import shlex
from statistics import median

from harness.case import Case
from harness.figures import ratios, short, spread, times
from harness.limits import BY_HAND, limit
from harness.tool import FFMPEG, Tool, peer

# Two processes of ours that share nothing: what the machine's processors gain at most. Half of their time is to be compared.
PAIR = "two processes of aubench, 1 thread each"
ONE, TWO = "aubench, 1 thread", "aubench, 2 threads"


class Stems(Case):
    name = "stems"
    title = "16 stereo 24-bit stems, each through 10 peaking filters and a level for each channel, into one 24-bit mix"
    seconds, quick_seconds = 120, 5
    bytes_per_second = 34 * 288_000
    headlines = (ONE, TWO)
    residual_limit = {"": -120}

    def tools(self, folder, aubench, seconds):
        graph = json.loads((folder / "graph.json").read_text())
        equalizers = [node["bands"] for node in graph["nodes"] if node["unit"] == "nBandEQ"]
        levels = next(node["set"] for node in graph["nodes"] if node["unit"] == "multichannelMixer")
        inputs = []  # (file, bands, left gain, right gain)
        for k, bands in enumerate(equalizers):
            volume, pan = levels[f"volume@input:{k}"], levels[f"pan@input:{k}"]
            inputs.append((folder / f"stem{k:02}.wav", bands, volume * (1 - max(pan, 0)), volume * (1 + min(pan, 0))))
        yield from ours(folder, aubench)
        yield by_hand(folder, inputs)
        yield sox(inputs)
        yield ffmpeg(inputs)
        yield ecasound(inputs)
        for threads, beside in ((1, ONE), (2, TWO)):
            argv = peer("pedalboard", "mix", folder / "graph.json", "{out}", threads)
            name = f"pedalboard, {threads} thread{'s'[: threads > 1]}"
            yield Tool(name, "python:pedalboard", "pip: pedalboard", argv, beside=(beside,))
        argv = peer("dawdreamer", "mix", folder / "graph.json", "{out}")
        yield Tool("dawdreamer, Faust", "python:dawdreamer", "pip: dawdreamer", argv, beside=(ONE,))

    def columns(self, line, seconds):
        return {"ns per sample and biquad": short(median(times(line)) * 1e9 / (seconds * 48000 * 2 * 16 * 10))}

    def notes(self, result):
        lines = {line["name"]: line for line in result["lines"]}
        if ONE in lines and TWO in lines:
            yield f"A second thread makes aubench {spread(ratios(lines[ONE], lines[TWO]))} times as fast."
        if ONE in lines and PAIR in lines:
            gains = [2 * ratio for ratio in ratios(lines[ONE], lines[PAIR])]
            yield f"Two processes that share nothing do {spread(gains)} times as much as one."


def ours(folder, aubench):
    render = [aubench, "render", folder / "graph.json", "-o", "{out}", "--no-tail", "--encoding", "pcm24", "--quiet", "--threads"]
    yield Tool(ONE, aubench, "make", [*render, 1])
    yield Tool(TWO, aubench, "make", [*render, 2])
    once = " ".join(shlex.quote(str(word)) for word in [*render, 1])
    pair = f"{once.replace('{out}', '{out}.other.wav')} & {once}; wait"
    yield Tool(PAIR, aubench, "make", ["sh", "-c", pair], beside=(TWO,), is_bound=True)


def by_hand(folder, inputs):
    plan = folder / "plan.txt"
    with open(plan, "w") as lines:
        for file, bands, left, right in inputs:
            numbers = [left, right, *(b[key] for b in bands for key in ("frequency", "bandwidth", "gain"))]
            print(file, *numbers, file=lines)
    return limit(f"{BY_HAND}, 1 thread", folder, "stems", [plan, "{out}"], ONE, "-ffp-contract=off")


def sox(inputs):
    words = []
    for file, bands, left, right in inputs:
        effects = " ".join(f"equalizer {b['frequency']} {b['bandwidth']}o {b['gain']}" for b in bands)
        words += ["-v", 1, f"|sox -D {shlex.quote(str(file))} -p {effects} remix 1v{left} 2v{right}"]
    return Tool("sox, 17 processes", "sox", "apt: sox", ["sox", "-D", "-m", *words, "-b", 24, "{out}"], beside=(TWO,))


def ffmpeg(inputs):
    chains, files = [], []
    for k, (file, bands, left, right) in enumerate(inputs):
        effects = ",".join(f"equalizer=f={b['frequency']}:width_type=o:w={b['bandwidth']}:g={b['gain']}" for b in bands)
        chains.append(f"[{k}:a]aformat=sample_fmts=fltp,{effects},pan=stereo|c0={left}*c0|c1={right}*c1[s{k}]")
        files += ["-i", file]
    labels = "".join(f"[s{k}]" for k in range(len(inputs)))
    chains.append(f"{labels}amix=inputs={len(inputs)}:normalize=0[out]")
    mix = [*files, "-filter_complex", ";".join(chains), "-map", "[out]", "-c:a", "pcm_s24le", "{out}"]
    argv = [*FFMPEG, "-filter_complex_threads", 1, *mix]  # more are slower
    return Tool("ffmpeg, 1 filter thread", "ffmpeg", "apt: ffmpeg", argv, beside=(ONE, TWO))


def ecasound(inputs):
    chains = []
    for k, (file, bands, left, right) in enumerate(inputs):
        chains += [f"-a:{k + 1}", f"-i:{file}"]
        chains += [f"-el:singlePara,{b['gain']},{b['frequency']},{b['bandwidth']}" for b in bands]
        chains += [f"-eac:{100 * left},1", f"-eac:{100 * right},2"]
    argv = ["ecasound", "-q", "-x", "-b:4096", "-z:mixmode,sum", "-f:s24_le,2,48000", *chains, "-a:all", "-o:{out}"]
    return Tool("ecasound, singlePara", "ecasound", "apt: ecasound swh-plugins", argv, beside=(ONE,))
