"""One stereo file through an echo, a reverb, a compressor, a limiter and a clip: each tool's own, of the same kind. They do not sound alike, so only
their lengths could be compared; what ours sound like is held by the tests and the suites."""

import json

from harness.case import Case, script
from harness.tool import FFMPEG, Tool

UNITS = {
    "echo": {"unit": "delay", "set": {"delayTime": 0.3, "feedback": 0}},
    "reverb": {"unit": "reverb"},
    "compressor": {"unit": "dynamicsProcessor"},
    "limiter": {"unit": "peakLimiter", "set": {"preGain": 12}},
    "clip": {"unit": "distortion", "set": {"delayMix": 0, "decimationMix": 0, "polynomialMix": 0, "softClipGain": 12, "finalMix": 100}},
    "all of a distortion": {"unit": "distortion", "preset": "Multi Everything Is Broken"},
}
SOX = {
    "echo": "echo 0.7 0.7 300 0.5",
    "reverb": "reverb",
    "compressor": "compand 0.001,0.05 -20,-20,0,-15",
    "clip": "overdrive 12 0",
}
FFMPEG_FILTERS = {
    "echo": "aecho=0.7:0.7:300:0.5",
    "compressor": "acompressor=threshold=0.1:ratio=4:attack=1:release=50",
    "limiter": "alimiter=level_in=4:limit=1:attack=12:release=24:level=0",
    "clip": "volume=12dB:precision=float,asoftclip=type=cubic",
}
FFMPEG_OVERSAMPLED = {"clip": FFMPEG_FILTERS["clip"] + ":oversample=8"}  # as ours


class Effects(Case):
    name = "effects"
    title = "one stereo float WAV through an echo, a reverb, a compressor, a limiter and a soft clip, into a float WAV"
    seconds, quick_seconds = 600, 30
    unit = "ns per stereo frame"

    def make(self, folder, seconds):
        script("sounds.py", "eq", folder, seconds)
        for effect, node in UNITS.items():
            nodes = [
                {"id": "in", "unit": "filePlayer", "file": "source.wav"},
                {"id": "effect", **node},
                {"id": "out", "unit": "genericOutput"},
            ]
            graph = {"version": 1, "sampleRate": "input", "nodes": nodes, "connections": ["in -> effect", "effect -> out"]}
            (folder / f"{effect}.json").write_text(json.dumps(graph))

    def check(self, folder, tools):
        """There is nothing to compare with: no two tools have the same effect."""

    def tools(self, folder, aubench, seconds):
        source = folder / "source.wav"
        for effect in UNITS:
            ours = f"aubench, {effect}"

            def line(name, needs, package, argv):
                beside = () if name == "aubench" else (ours,)
                return Tool(f"{name}, {effect}", needs, package, argv, beside=beside, scale=1e9 / (seconds * 48000))

            render = [aubench, "render", folder / f"{effect}.json", "-o", "{out}", "--no-tail", "--encoding", "float32"]
            yield line("aubench", aubench, "make", [*render, "--quiet", "--threads", 1])
            if effect in SOX:
                words = SOX[effect].split()
                yield line("sox", "sox", "apt: sox", ["sox", source, "-e", "float", "-b", 32, "{out}", *words])
            for name, filters in (("ffmpeg", FFMPEG_FILTERS), ("ffmpeg at 8 times the rate", FFMPEG_OVERSAMPLED)):
                if effect in filters:
                    chain = f"aformat=sample_fmts=fltp,{filters[effect]}"
                    command = [*FFMPEG, "-filter_threads", 1, "-i", source, "-af", chain, "-c:a", "pcm_f32le", "{out}"]
                    yield line(name, "ffmpeg", "apt: ffmpeg", command)
