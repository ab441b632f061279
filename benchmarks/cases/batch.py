"""Many files through one chain, on two cores."""

import json
import shlex

from harness.case import Case
from harness.conversion import check_bands, conversion_columns, worse_conversions, worse_than
from harness.tool import FFMPEG, Tool, peer

FILE_SECONDS = 5
BEST, MASTERING = "aubench, best", "aubench, mastering"
MEMORY_LIMIT = 64  # MiB


class Batch(Case):
    name = "batch"
    title = (
        f"stereo 44.1 kHz 16-bit files of {FILE_SECONDS} s, each through three peaking filters and a gain, to 48 kHz 16-bit, without "
        "dither, on two cores"
    )
    seconds, quick_seconds = 2500, 100
    headlines = (BEST, MASTERING)
    residual_limit = {"": -65}

    def tools(self, folder, aubench, seconds):
        return lines(folder, aubench)

    def check(self, folder, tools):
        """Besides, sines take the same command lines, the equalizer at 0 dB, the gain at 1, in and out in float."""
        super().check(folder, tools)
        check_bands(folder, tools, lines(folder, tools[0].needs, graph="neutral.json", sounds="tones", is_float=True))

    def wrong(self, tools, seconds):
        yield from super().wrong(tools, seconds)
        for tool in tools:
            if tool.is_ours() and (peak := max(run["peak"] for run in tool.runs)) >= MEMORY_LIMIT:
                yield f"{tool.name}: peak {peak:.1f} MiB, limit {MEMORY_LIMIT}"
        yield from worse_conversions([tool.result() for tool in tools if tool.is_ours() or tool.target])

    def columns(self, line, seconds):
        return {"frames of a file": f"{line['check']['frames'] / line['check']['files']:g}", **conversion_columns(line)}

    def counts(self, peer, ours):
        return not any(worse_than(peer["check"], ours["check"]))

    def notes(self, result):
        yield from worse_conversions(result["lines"])


def lines(folder, aubench, graph="graph.json", sounds="in", is_float=False):
    nodes = {node["id"]: node for node in json.loads((folder / graph).read_text())["nodes"]}
    bands, volume = nodes["eq"]["bands"], nodes["mix"]["set"]["volume@output:0"]
    sounds = folder / sounds

    def for_each(*command, at_once="-I{}"):
        """A process for each file, two at a time."""
        line = f"ls {shlex.quote(str(sounds))} | xargs -P 2 {at_once} {shlex.join(map(str, command))}"
        return ["sh", "-c", line]

    render = [aubench, "render", folder / graph, "--input", f"in={sounds}/*.wav", "-o", "{out}/{name}.wav", "--no-tail", "--quiet"]
    render += ["--encoding", "float32" if is_float else "pcm16", "--threads", 2, "--quality"]
    for name, quality in ((BEST, "best"), (MASTERING, "mastering")):
        yield Tool(name, aubench, "make", [*render, quality], "")

    effects = [word for b in bands for word in ("equalizer", b["frequency"], f"{b['bandwidth']}o", b["gain"])]
    encoding = ["-e", "float", "-b", 32] if is_float else ["-b", 16]
    for quality, ours, target in (("-h", BEST, 3.5), ("-v", MASTERING, None)):
        command = for_each("sox", "-D", sounds / "{}", *encoding, "{out}/{}", *effects, "vol", volume, "rate", quality, 48000)
        yield Tool(f"sox, rate {quality}", "sox", "apt: sox", command, "", (ours,), target)

    effects = ",".join(f"equalizer=f={b['frequency']}:width_type=o:w={b['bandwidth']}:g={b['gain']}" for b in bands)
    chain = f"aformat=sample_fmts=fltp,{effects},volume={volume},aresample=48000"
    encoding, quiet = ["-c:a", "pcm_f32le" if is_float else "pcm_s16le"], [*FFMPEG, "-filter_threads", 1]
    for name, how in (("swr", ""), ("soxr", ":resampler=soxr")):
        command = for_each(*quiet, "-threads", 1, "-i", sounds / "{}", "-af", chain + how, *encoding, "{out}/{}")
        yield Tool(f"ffmpeg, {name}", "ffmpeg", "apt: ffmpeg", command, "", (BEST,), 10)
    one = f"-threads 1 -i {shlex.quote(str(sounds))}/$file -map $k:a -af {shlex.quote(chain)} {' '.join(encoding)} {{out}}/$file"
    loop = f'k=0; n=$#; while [ $k -lt $n ]; do file=$1; shift; set -- "$@" {one}; k=$((k + 1)); done'
    command = for_each("sh", "-c", f'{loop}; exec {shlex.join(map(str, quiet))} "$@"', "sh", at_once="-n 25")
    yield Tool("ffmpeg, swr, 25 files a process", "ffmpeg", "apt: ffmpeg", command, "", (BEST,))

    command = peer("pedalboard", "batch", folder / graph, sounds, "{out}", 32 if is_float else 16, 2)
    yield Tool("pedalboard, 2 threads", "python:pedalboard", "pip: pedalboard", command, "", (BEST,), 15)
