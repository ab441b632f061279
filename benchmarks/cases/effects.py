"""One stereo file through an echo, a reverb, a compressor, a limiter, a clip and a distortion, and a mono one beside a head: each tool's
own, of the same kind. They do not sound alike, so only their lengths could be compared; what ours sound like is held by the tests and
the suites."""

import subprocess
from pathlib import Path

from harness.case import Case, script, write_chain
from harness.lsp import LIBRARY, PACKAGE, lsp
from harness.tool import FFMPEG, Tool, ffmpeg, filters_of_ffmpeg, peer

GAIN = 18  # dB, into the limiter: the source's peak is at -12
FACTOR = 10 ** (GAIN / 20)
UNITS = {
    "echo": {"unit": "delay", "set": {"delayTime": 0.3, "feedback": 0}},
    "reverb": {"unit": "reverb"},
    "compressor": {"unit": "dynamicsProcessor"},
    "limiter": {"unit": "peakLimiter", "set": {"preGain": GAIN}},
    "clip": {"unit": "distortion", "set": {"delayMix": 0, "decimationMix": 0, "polynomialMix": 0, "softClipGain": 12, "finalMix": 100}},
    "all of a distortion": {"unit": "distortion", "preset": "Multi Everything Is Broken"},
}
SOX = {
    "echo": "echo 0.7 0.7 300 0.5",
    "reverb": "reverb",
    "compressor": "compand 0.001,0.05 -20,-20,0,-15",
    "limiter": f"gain -l {GAIN}",
    "clip": "overdrive 12 0",
    "all of a distortion": "echo 0.7 0.7 140 0.5 overdrive 12 0 tremolo 73 60",
}
SOX_AHEAD = {"limiter": f"compand 0.001,0.024 -80,{GAIN - 80},{-GAIN},0,0,0 0 0 0.012"}  # as ours; `gain -l` is a curve without memory
CLIP = "volume=12dB:precision=float,asoftclip=type=cubic"
FFMPEG_FILTERS = {
    "echo": "aecho=0.7:0.7:300:0.5",
    "compressor": "acompressor=threshold=0.1:ratio=4:attack=1:release=50",
    "limiter": f"alimiter=level_in={FACTOR:.4f}:limit=1:attack=12:release=24:level=0",
    "clip": CLIP,
    "all of a distortion": f"aecho=0.7:0.7:140:0.5,acrusher=bits=6:samples=8:mix=0.8,tremolo=f=73:d=0.6,{CLIP}",
}
FFMPEG_OVERSAMPLED = {"clip": FFMPEG_FILTERS["clip"] + ":oversample=8"}  # as ours
LSP = {
    "echo": lsp("comp_delay_stereo", {1: 2, 7: 300, 8: 0.7, 9: 0.7}),
    "compressor": lsp("compressor_stereo", {17: 0.1, 18: 1, 20: 50, 21: 4}),
    "limiter": lsp("limiter_stereo", {1: FACTOR, 4: 0, 11: 12, 12: 12, 13: 20}),
}
# Where a head hears the mono file, 30° to the right. The SOFA file is that which ours reads; FFmpeg works at its rate.
HEAD, HEAD_RATE, AZIMUTH = "/usr/share/libmysofa/default.sofa", 44100, 30
ALGORITHMS = ("hrtf", "hrtfHighQuality", "sphericalHead")


class Effects(Case):
    name = "effects"
    title = "one float WAV through an echo, a reverb, a compressor, a limiter, a clip, a distortion and beside a head, into a float WAV"
    seconds, quick_seconds = 600, 30
    unit = "ns per frame"

    def make(self, folder, seconds):
        script("sounds.py", "effects", folder, seconds)
        for effect, node in UNITS.items():
            write_chain(folder / f"{effect}.json", "source.wav", node)
        for algorithm in ALGORITHMS:
            node = {"unit": "spatialMixer", "algorithm": algorithm, "set": {"azimuth@input:0": AZIMUTH, "distance@input:0": 1}}
            write_chain(folder / f"{algorithm}.json", "mono.wav", node)
        make_responses(folder)

    def check(self, folder, tools):
        """There is nothing to compare with: no two tools have the same effect."""

    def tools(self, folder, aubench, seconds):
        source, scale = folder / "source.wav", 1e9 / (seconds * 48000)
        for effect in UNITS:
            yield ours(effect, aubench, folder, scale)

            def line(name, needs, package, argv):
                return Tool(f"{name}, {effect}", needs, package, argv, beside=(f"aubench, {effect}",), scale=scale)

            for name, words in (("sox", SOX), ("sox compand", SOX_AHEAD)):
                if effect in words:
                    command = ["sox", source, "-e", "float", "-b", 32, "{out}", *words[effect].split()]
                    yield line(name, "sox", "apt: sox", command)
            for name, filters in (("ffmpeg", FFMPEG_FILTERS), ("ffmpeg at 8 times the rate", FFMPEG_OVERSAMPLED)):
                if effect in filters:
                    yield line(name, "ffmpeg", "apt: ffmpeg", ffmpeg(source, filters[effect]))
            if effect in LSP:
                yield line("lsp", str(LIBRARY), PACKAGE, ffmpeg(source, LSP[effect]))
            command = peer("pedalboard", "effect", effect, source, "{out}")
            yield line("pedalboard", "python:pedalboard", "pip: pedalboard", command)
        yield from beside_a_head(folder, aubench, seconds)


def ours(name, aubench, folder, scale, needs=None, package="make"):
    words = ["-o", "{out}", "--no-tail", "--encoding", "float32", "--quiet", "--threads", 1]
    argv = [aubench, "render", folder / f"{name}.json", *words]
    return Tool(f"aubench, {name}", needs or aubench, package, argv, scale=scale)


def beside_a_head(folder, aubench, seconds):
    """FFmpeg convolves with what it takes from the SOFA file itself (`sofalizer`), or with the same two responses from a file."""
    mono, scale = folder / "mono.wav", 1e9 / (seconds * HEAD_RATE)
    for algorithm in ALGORITHMS:
        needs = ("library:mysofa", "apt: libmysofa1") if "hrtf" in algorithm else ()
        yield ours(algorithm, aubench, folder, scale, *needs)
    beside = tuple(f"aubench, {algorithm}" for algorithm in ALGORITHMS)
    responses, package = folder / "hrir.wav", "apt: ffmpeg, built with libmysofa"
    yield Tool("ffmpeg sofalizer", str(responses), package, ffmpeg(mono, sofalizer("freq")), beside=beside, scale=scale)
    for name, filters in (
        ("headphone", "[0:a][1:a]headphone=map=FC"), ("afir", "[0:a]pan=stereo|c0=c0|c1=c0[a];[a][1:a]afir=gtype=none"),
    ):  # fmt: skip
        inputs = ["-filter_complex_threads", 1, "-i", mono, "-i", responses, "-filter_complex", filters]
        command = [*FFMPEG, *inputs, "-c:a", "pcm_f32le", "{out}"]
        yield Tool(f"ffmpeg {name}", str(responses), package, command, beside=beside, scale=scale)


def sofalizer(kind):
    return f"sofalizer=sofa={HEAD}:type={kind}:rotation={-AZIMUTH}:framesize=4096"


def make_responses(folder):
    """The two responses as a file, where FFmpeg and the SOFA file are there."""
    if "sofalizer" in filters_of_ffmpeg() and Path(HEAD).exists():
        impulse = ["-f", "lavfi", "-i", f"aevalsrc=eq(n\\,0):s={HEAD_RATE}:d=0.02"]
        filters = ["-af", f"{sofalizer('time')},atrim=end_sample=512"]
        subprocess.run([*FFMPEG, *impulse, *filters, "-c:a", "pcm_f32le", folder / "hrir.wav"], check=True)
