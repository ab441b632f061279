"""The command lines that `run` times: each case as the same work in each tool's own words."""

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Two processes of ours that share nothing: what the machine's processors gain at most. Half of their time is to be compared.
PAIR = "two of aubench, 1 thread each"
BY_HAND = "C by hand"
FFMPEG = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error"]


@dataclass
class Tool:
    """`needs` is an executable or `python:MODULE`; `package` is what installs it; `{out}` in `argv` is the output: a file, or a
    folder where `suffix` is empty. `beside` names the line of ours that a peer of `batch` is compared with, whose conversion must be as
    good where there is a `target`: how many times as long the peer should take."""

    name: str
    needs: str
    package: str
    argv: list
    suffix: str = ".wav"
    beside: str = None
    target: float = None
    output: Path = None
    runs: list = field(default_factory=list)  # of {"wall": s, "cpu": s, "peak": MiB}
    check: dict = field(default_factory=dict)

    def placed(self, folder):
        self.output = folder / (re.sub(r"\W+", "-", self.name) + self.suffix)
        self.argv = [str(a).replace("{out}", str(self.output)) for a in self.argv]
        return self

    def clear(self):
        """As before the first run; a folder is there and empty."""
        if self.suffix:
            self.output.unlink(missing_ok=True)
        else:
            shutil.rmtree(self.output, ignore_errors=True)
            self.output.mkdir()

    def has_output(self):
        return any(self.output.iterdir()) if self.output.is_dir() else self.output.exists()

    def is_ours(self):
        return self.name.startswith("aubench")

    def is_peer(self):
        """Neither ours nor what bounds ours."""
        return not self.is_ours() and not self.name.startswith(BY_HAND) and self.name != PAIR

    def is_missing(self):
        if self.needs.startswith("python:"):
            return importlib.util.find_spec(self.needs.removeprefix("python:")) is None
        return shutil.which(self.needs) is None


def limit(folder, name, *options):
    """A program of `limits/`, compiled for this machine; where it cannot be, one that is missing."""
    program = str(folder / f"{name}-limit")
    compile = ["clang", "-O3", "-march=native", *options, HERE / "limits" / f"{name}.c", "-o", program, "-lsndfile", "-lm"]
    if shutil.which("clang"):
        subprocess.run(compile, check=True)
    return program


def stems(folder, aubench):
    """16 stereo stems, each through ten peaking filters and a level for each channel, into one 24-bit mix."""
    graph = json.loads((folder / "graph.json").read_text())
    equalizers = [node["bands"] for node in graph["nodes"] if node["unit"] == "nBandEQ"]
    levels = next(node["set"] for node in graph["nodes"] if node["unit"] == "multichannelMixer")
    inputs = []  # (file, bands, left gain, right gain)
    for k, bands in enumerate(equalizers):
        volume, pan = levels[f"volume@input:{k}"], levels[f"pan@input:{k}"]
        inputs.append((folder / f"stem{k:02}.wav", bands, volume * (1 - max(pan, 0)), volume * (1 + min(pan, 0))))

    render = [aubench, "render", folder / "graph.json", "-o", "{out}", "--no-tail", "--encoding", "pcm24", "--quiet", "--threads"]
    yield Tool("aubench, 1 thread", aubench, "make", [*render, 1])
    yield Tool("aubench, 2 threads", aubench, "make", [*render, 2])
    once = " ".join(shlex.quote(str(word)) for word in [*render, 1])
    pair = f"{once.replace('{out}', '{out}.other.wav')} & {once}; wait"
    yield Tool(PAIR, aubench, "make", ["sh", "-c", pair])

    plan = folder / "plan.txt"
    with open(plan, "w") as lines:
        for file, bands, left, right in inputs:
            numbers = [left, right, *(b[key] for b in bands for key in ("frequency", "bandwidth", "gain"))]
            print(file, *numbers, file=lines)
    program = limit(folder, "stems", "-ffp-contract=off")
    yield Tool(f"{BY_HAND}, 1 thread", program, "the toolchain's clang, apt: libsndfile1-dev", [program, plan, "{out}"])

    sox = []
    for file, bands, left, right in inputs:
        effects = " ".join(f"equalizer {b['frequency']} {b['bandwidth']}o {b['gain']}" for b in bands)
        sox += ["-v", 1, f"|sox -D {shlex.quote(str(file))} -p {effects} remix 1v{left} 2v{right}"]
    yield Tool("sox, 17 processes", "sox", "apt: sox", ["sox", "-D", "-m", *sox, "-b", 24, "{out}"])

    chains, files = [], []
    for k, (file, bands, left, right) in enumerate(inputs):
        effects = ",".join(f"equalizer=f={b['frequency']}:width_type=o:w={b['bandwidth']}:g={b['gain']}" for b in bands)
        chains.append(f"[{k}:a]aformat=sample_fmts=fltp,{effects},pan=stereo|c0={left}*c0|c1={right}*c1[s{k}]")
        files += ["-i", file]
    labels = "".join(f"[s{k}]" for k in range(len(inputs)))
    chains.append(f"{labels}amix=inputs={len(inputs)}:normalize=0[out]")
    mix = [*files, "-filter_complex", ";".join(chains), "-map", "[out]", "-c:a", "pcm_s24le", "{out}"]
    for name, count in (("1", [1]), ("2", [2]), ("default", [])):
        threads = ["-filter_complex_threads", *count] if count else []
        yield Tool(f"ffmpeg, filter threads: {name}", "ffmpeg", "apt: ffmpeg", [*FFMPEG, *threads, *mix])

    chains = []
    for k, (file, bands, left, right) in enumerate(inputs):
        chains += [f"-a:{k + 1}", f"-i:{file}"]
        chains += [f"-el:singlePara,{b['gain']},{b['frequency']},{b['bandwidth']}" for b in bands]
        chains += [f"-eac:{100 * left},1", f"-eac:{100 * right},2"]
    options = ["-q", "-x", "-b:4096", "-z:mixmode,sum", "-f:s24_le,2,48000"]
    yield Tool(
        "ecasound, singlePara", "ecasound", "apt: ecasound swh-plugins", ["ecasound", *options, *chains, "-a:all", "-o:{out}"]
    )

    board = [sys.executable, HERE / "pedalboard_mix.py", folder / "graph.json", "{out}"]
    yield Tool("pedalboard, 1 thread", "python:pedalboard", "pip: pedalboard", [*board, 1])
    yield Tool("pedalboard, 2 threads", "python:pedalboard", "pip: pedalboard", [*board, 2])


def rate(folder, aubench):
    """Stereo 44.1 kHz 16-bit to 48 kHz 24-bit."""
    source = folder / "source.wav"
    for quality, threads in (("best", 1), ("best", 2), ("medium", 1), ("mastering", 1), ("mastering", 2)):
        convert = [aubench, "convert", source, "{out}", "--rate", 48000, "--quality", quality, "--encoding", "pcm24"]
        name = f"aubench, {quality}, {threads} thread{'s' if threads > 1 else ''}"
        yield Tool(name, aubench, "make", [*convert, "--quiet", "--threads", threads])
    program = limit(folder, "rate", "-ffast-math")
    yield Tool(f"{BY_HAND}, as many taps as best", program, "the toolchain's clang, apt: libsndfile1-dev", [program, source, "{out}"])
    yield Tool("sox, rate -v", "sox", "apt: sox", ["sox", "-D", source, "-b", 24, "{out}", "rate", "-v", 48000])
    for name, how in (("swr", "resampler=swr"), ("soxr 28 bit", "resampler=soxr:precision=28")):
        resample = ["-af", f"aresample=48000:{how}:out_sample_fmt=s32", "-c:a", "pcm_s24le", "{out}"]
        yield Tool(f"ffmpeg, {name}", "ffmpeg", "apt: ffmpeg", [*FFMPEG, "-i", source, *resample])
    for name, converter in (("medium", 1), ("best", 0)):  # it keeps the source's 16 bits
        resample = ["sndfile-resample", "-to", 48000, "-c", converter, source, "{out}"]
        yield Tool(f"sndfile-resample, {name}", "sndfile-resample", "apt: sndfile-tools", resample)


def files(folder, aubench):
    """24-bit WAV to 32-bit float WAV."""
    source = folder / "source.wav"
    yield Tool("aubench", aubench, "make", [aubench, "convert", source, "{out}", "--encoding", "float32"])
    yield Tool("sox", "sox", "apt: sox", ["sox", source, "-e", "float", "-b", 32, "{out}"])
    yield Tool("ffmpeg", "ffmpeg", "apt: ffmpeg", [*FFMPEG, "-i", source, "-c:a", "pcm_f32le", "{out}"])
    convert = ["sndfile-convert", "-float32", source, "{out}"]
    yield Tool("sndfile-convert", "sndfile-convert", "apt: sndfile-programs", convert)


def memory(folder, aubench, seconds):
    """A long render of one looping file: only its peak memory is read."""
    render = [aubench, "render", folder / "graph.json", "-o", "{out}", "--seconds", f"{seconds:g}"]
    yield Tool("aubench", aubench, "make", [*render, "--encoding", "pcm16", "--quiet"])


def batch(folder, aubench, graph="graph.json", sounds="in", is_float=False):
    """Files of 5 s, stereo 44.1 kHz 16-bit: three peaking filters, a gain, to 48 kHz, 16-bit without dither; two cores."""
    nodes = {node["id"]: node for node in json.loads((folder / graph).read_text())["nodes"]}
    bands, volume = nodes["eq"]["bands"], nodes["mix"]["set"]["volume@output:0"]
    sounds = folder / sounds

    def for_each(*command, at_once="-I{}"):
        """A process for each file, two at a time."""
        line = f"ls {shlex.quote(str(sounds))} | xargs -P 2 {at_once} {shlex.join(map(str, command))}"
        return ["sh", "-c", line]

    render = [aubench, "render", folder / graph, "--input", f"in={sounds}/*.wav", "-o", "{out}/{name}.wav", "--no-tail", "--quiet"]
    render += ["--encoding", "float32" if is_float else "pcm16", "--threads", 2, "--quality"]
    for quality in ("best", "mastering"):
        yield Tool(f"aubench, {quality}", aubench, "make", [*render, quality], "")

    effects = [word for b in bands for word in ("equalizer", b["frequency"], f"{b['bandwidth']}o", b["gain"])]
    encoding = ["-e", "float", "-b", 32] if is_float else ["-b", 16]
    for quality, ours, target in (("-h", "aubench, best", 3.5), ("-v", "aubench, mastering", None)):
        command = for_each("sox", "-D", sounds / "{}", *encoding, "{out}/{}", *effects, "vol", volume, "rate", quality, 48000)
        yield Tool(f"sox, rate {quality}", "sox", "apt: sox", command, "", ours, target)

    effects = ",".join(f"equalizer=f={b['frequency']}:width_type=o:w={b['bandwidth']}:g={b['gain']}" for b in bands)
    chain = f"aformat=sample_fmts=fltp,{effects},volume={volume},aresample=48000"
    encoding, quiet = ["-c:a", "pcm_f32le" if is_float else "pcm_s16le"], [*FFMPEG, "-filter_threads", 1]
    for name, how in (("swr", ""), ("soxr", ":resampler=soxr")):
        source = [*quiet, "-threads", 1, "-i", sounds / "{}"]
        command = for_each(*source, "-af", chain + how, *encoding, "{out}/{}")
        yield Tool(f"ffmpeg, {name}", "ffmpeg", "apt: ffmpeg", command, "", "aubench, best", 10)
    one = f"-threads 1 -i {shlex.quote(str(sounds))}/$file -map $k:a -af {shlex.quote(chain)} {' '.join(encoding)} {{out}}/$file"
    script = f'k=0; n=$#; while [ $k -lt $n ]; do file=$1; shift; set -- "$@" {one}; k=$((k + 1)); done'
    command = for_each("sh", "-c", f'{script}; exec {shlex.join(map(str, quiet))} "$@"', "sh", at_once="-n 25")
    yield Tool("ffmpeg, swr, 25 files a process", "ffmpeg", "apt: ffmpeg", command, "", "aubench, best")

    command = [sys.executable, HERE / "pedalboard_batch.py", folder / graph, sounds, "{out}", 32 if is_float else 16, 2]
    yield Tool("pedalboard, 2 threads", "python:pedalboard", "pip: pedalboard", command, "", "aubench, best", 15)
