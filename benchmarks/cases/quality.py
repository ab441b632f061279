"""How clean effects are: what a moving parameter, a clip and a limiter leave that should not be there, and how reverbs decay. Nothing is
timed."""

import json

from harness.case import Case, script
from harness.tool import FFMPEG, Tool

RATE = 48000
RAMP = (RATE, 3 * RATE)  # frames between which a parameter moves
# By parameter: the unit, what is set, what moves from where to where. The sound is a sine of 1 kHz; `quiet` is one at -60 dBFS.
MOVES = {
    "mixer volume": ("multichannelMixer", {}, "volume@input:0", 0.05, 1, "tone"),
    "low-pass cutoff": ("lowPassFilter", {"cutoffFrequency": 500, "resonance": 0}, "cutoffFrequency", 500, 8000, "tone"),
    "parametric EQ gain": ("parametricEQ", {"centerFrequency": 1000, "q": 1}, "gain", -18, 18, "tone"),
    "delay mix": ("delay", {"delayTime": 0.1, "feedback": 0}, "wetDryMix", 0, 100, "tone"),
    "compressor gain": ("dynamicsProcessor", {"threshold": 0}, "overallGain", -20, 20, "quiet"),
    "distortion gain": ("distortion", {"delayMix": 0, "decimationMix": 0, "finalMix": 100}, "softClipGain", -20, 0, "quiet"),
    "distortion mix": ("distortion", {"delayMix": 0, "decimationMix": 0, "softClipGain": -20}, "finalMix", 0, 100, "quiet"),
}
SLOPE = "(t-1)/2"
MOVED_BY_PEERS = {
    ("sox", "mixer volume"): ["fade", "t", "3"],
    ("ffmpeg", "mixer volume"): f"volume=volume='0.05+0.95*clip({SLOPE},0,1)':eval=frame:precision=float",
}
CLIP_TONES = (997, 5003, 9001)
CLIP_GAIN = 12  # dB
CLIPS = {
    "sox, overdrive": ("sox", ["overdrive", str(CLIP_GAIN), "0"]),
    "ffmpeg, asoftclip": ("ffmpeg", f"volume={CLIP_GAIN}dB:precision=float,asoftclip=type=cubic"),
    "ffmpeg, asoftclip, 8 times the rate": ("ffmpeg", f"volume={CLIP_GAIN}dB:precision=float,asoftclip=type=cubic:oversample=8"),
}
LOUD = ("white noise", "noise to 0.4 of the rate", "square", "music")
LIMIT_GAIN = 12  # dB
LIMITERS = {
    "sox, gain -l": ("sox", ["gain", "-l", str(LIMIT_GAIN)]),
    "ffmpeg, alimiter": ("ffmpeg", f"alimiter=level_in={10 ** (LIMIT_GAIN / 20):.5f}:limit=1:attack=12:release=24:level=0"),
}
ROOMS = (
    "Small Room", "Medium Room", "Large Room", "Medium Hall", "Large Hall", "Plate", "Medium Chamber", "Large Chamber", "Cathedral",
    "Large Room 2", "Medium Hall 2", "Medium Hall 3", "Large Hall 2",
)  # fmt: skip
REVERBERANCE = (10, 50, 90)
LIMITS = {  # dB, of our own lines: above these something is broken
    "moves": -70, "clip": -55, "true peak": 1.5,
}  # fmt: skip


def file_name(name):
    return name.replace(" ", "-")


class Quality(Case):
    name = "quality"
    title = "effects at 48 kHz: what moving parameters, clipping and limiting leave that should not be there, and how reverbs decay"
    seconds, quick_seconds = 4, 4
    is_timed = False

    def make(self, folder, seconds):
        script("sounds.py", "quality", folder, seconds)
        for move, (unit, values, parameter, low, high, sound) in MOVES.items():
            ramp = [{"parameter": parameter, "points": [[RAMP[0], low], [RAMP[1], high]]}]
            self.graph(folder, f"move {move}", f"{sound}.wav", {"unit": unit, "set": values, "ramp": ramp})
        stages = {stage: 0 for stage in ("delayMix", "decimationMix", "polynomialMix")}
        clip = {"unit": "distortion", "set": {**stages, "softClipGain": CLIP_GAIN, "finalMix": 100}}
        for hertz in CLIP_TONES:
            self.graph(folder, f"clip {hertz}", f"clip-{hertz}.wav", clip)
        for sound in LOUD:
            for name, more in (("samples", {}), ("true peaks", {"truePeak": True})):
                node = {"unit": "peakLimiter", "set": {"preGain": LIMIT_GAIN}, **more}
                self.graph(folder, f"limit {name} {sound}", f"{file_name(sound)}.wav", node)
        for room in ROOMS:
            self.graph(folder, f"room {room}", "impulse.wav", {"unit": "reverb", "preset": room})

    def graph(self, folder, name, source, node):
        nodes = [
            {"id": "in", "unit": "filePlayer", "file": source},
            {"id": "effect", **node},
            {"id": "out", "unit": "genericOutput"},
        ]
        graph = {"version": 1, "sampleRate": RATE, "nodes": nodes, "connections": ["in -> effect", "effect -> out"]}
        (folder / f"{file_name(name)}.json").write_text(json.dumps(graph))

    def tools(self, folder, aubench, seconds):
        def ours(name, graph):
            words = [aubench, "render", folder / f"{file_name(graph)}.json", "-o", "{out}", "--no-tail", "--encoding", "float32"]
            return Tool(f"aubench, {name}", aubench, "make", [*words, "--quiet"])

        def peer(tool, name, source, words, beside):
            source = folder / f"{file_name(source)}.wav"
            if tool == "sox":
                argv = ["sox", source, "-e", "float", "-b", 32, "{out}", *words]
            else:
                argv = [*FFMPEG, "-i", source, "-af", f"aformat=sample_fmts=fltp,{words}", "-c:a", "pcm_f32le", "{out}"]
            return Tool(name, tool, f"apt: {tool}", argv, beside=(f"aubench, {beside}",))

        for move in MOVES:
            yield ours(f"move: {move}", f"move {move}")
            for (tool, moved), words in MOVED_BY_PEERS.items():
                if moved == move:
                    yield peer(tool, f"{tool}, move: {move}", MOVES[move][-1], words, f"move: {move}")
        for hertz in CLIP_TONES:
            yield ours(f"clip: {hertz} Hz", f"clip {hertz}")
            for name, (tool, words) in CLIPS.items():
                yield peer(tool, f"{name}, clip: {hertz} Hz", f"clip {hertz}", words, f"clip: {hertz} Hz")
        for sound in LOUD:
            first = f"limit: {sound}, samples"
            yield ours(first, f"limit samples {sound}")
            yield ours(f"limit: {sound}, true peaks", f"limit true peaks {sound}")
            for name, (tool, words) in LIMITERS.items():
                yield peer(tool, f"{name}, limit: {sound}, samples", sound, words, first)
        for room in ROOMS:
            yield ours(f"reverb: {room}", f"room {room}")
        for reverberance in REVERBERANCE:
            name = f"sox, reverb: reverberance {reverberance}"
            words = ["reverb", "-w", str(reverberance)]
            yield peer("sox", name, "impulse", words, f"reverb: {ROOMS[0]}")

    def run(self, folder, tools, rounds):
        for tool in tools:
            tool.runs.append(tool.once(folder / "log.txt"))
        self.check(folder, tools)

    def wrong(self, tools, seconds):
        for tool in tools:
            if not tool.is_ours():
                continue
            check = tool.check
            if check.get("beside dB", -999) > LIMITS["moves"]:
                yield f"{tool.name}: {check['beside dB']:.1f} dB beside the tone, limit {LIMITS['moves']}"
            if check.get("alias dB", -999) > LIMITS["clip"]:
                yield f"{tool.name}: aliases of {check['alias dB']:.1f} dB, limit {LIMITS['clip']}"
            if check.get("peak dBFS", -999) > 1e-3:
                yield f"{tool.name}: a sample at {check['peak dBFS']:.2f} dBFS"
            if "true peaks" in tool.name and check["true peak dBTP"] > LIMITS["true peak"]:
                yield f"{tool.name}: {check['true peak dBTP']:.2f} dBTP, limit {LIMITS['true peak']}"

    def columns(self, line, seconds):
        check = line.get("check", {})
        return {key: f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}" for key, value in check.items() if value is not None}

    def notes(self, result):
        yield (
            "`beside`: the strongest part more than 200 Hz from the tone while the parameter moves, against the tone; `at each frame` is the "
            "same of the law computed in float64 with the parameter anew at each frame. `alias`: all up to 20 kHz that is no harmonic of a full-scale sine "
            "12 dB into the clip, against the tone. `true peak` at 16 times the rate. `T20`, `T30`: reverberation times (Schroeder, ISO 3382) of "
            "an impulse. `density`: when the echo density (Abel and Huang 2006, 20 ms) first reaches that of noise."
        )
