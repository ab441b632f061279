"""What every tool should do in the same way, so that it can be held to float64: equalizers of several bands, tape speeds, a tone, matrices,
channels side by side, one gain for a whole sound. Noise cannot be held to anything, but is timed here too."""

import cmath
import math

from harness.case import Case, script
from harness.lsp import LIBRARY, PACKAGE, lsp
from harness.tool import FFMPEG, Tool, ffmpeg, measure, peer

RATE = 48000
SOX_OUT = ["-e", "float", "-b", 32, "{out}"]


def bells(count):
    """The sections of a graphic equalizer: what it asks of each centre comes of these and of their neighbours."""
    step, first = (1, -5) if count == 10 else (1 / 3, -17)
    return [
        {"type": "parametric", "frequency": 1000 * 2 ** ((first + k) * step), "bandwidth": step, "gain": (-1) ** (k // 3) * (2 + k % 3)}
        for k in range(count)
    ]


def decibels(bands, hertz):
    """What bells do to a frequency together."""
    z, total = cmath.exp(-2j * math.pi * hertz / RATE), 0
    for band in bands:
        w0, a = 2 * math.pi * band["frequency"] / RATE, 10 ** (band["gain"] / 40)
        alpha, c = math.sin(w0) * math.sinh(math.log(2) / 2 * band["bandwidth"] * w0 / math.sin(w0)), 2 * math.cos(w0)
        up, down = (1 + alpha * a, 1 - alpha * a), (1 + alpha / a, 1 - alpha / a)
        total += 20 * math.log10(abs((up[0] - c * z + up[1] * z * z) / (down[0] - c * z + down[1] * z * z)))
    return total


GRAPHIC = {"graphic EQ of 10 bands": 10, "graphic EQ of 31 bands": 31}
EQUALIZERS = {
    **{work: bells(count) for work, count in GRAPHIC.items()},
    "multiband filter": [
        {"type": "lowShelf", "frequency": 100, "gain": 4},
        {"type": "parametric", "frequency": 300, "bandwidth": 1, "gain": -3},
        {"type": "parametric", "frequency": 1000, "bandwidth": 1, "gain": 5},
        {"type": "parametric", "frequency": 4000, "bandwidth": 2, "gain": -4},
        {"type": "highShelf", "frequency": 10000, "gain": 3},
    ],
}
LSP_GRAPHIC = {  # number of bands: plugin, the control that is the first one's gain (each fourth is one), frequencies
    10: ("graph_equalizer_x16_stereo", 15, [16 * 10 ** (k / 5) for k in range(16)]),
    31: ("graph_equalizer_x32_stereo", 16, [16 * 10 ** (k / 10) for k in range(32)]),
}
LSP_TYPES = {"parametric": 1, "lowShelf": 5, "highShelf": 3}
SPEEDS = {f"speed of {times:g}": times for times in (1.1, 0.5, 2)}
HERTZ, PEAK, NOISE_LEVEL = 997, -12, -20
FACTOR, NOISE_FACTOR = 10 ** (PEAK / 20), 10 ** (NOISE_LEVEL / 20)
GENERATORS = {
    "tone": {"unit": "toneGenerator", "set": {"frequency": HERTZ, "level": PEAK}},
    "white noise": {"unit": "noiseGenerator", "set": {"level": NOISE_LEVEL, "color": 0}},
    "pink noise": {"unit": "noiseGenerator", "set": {"level": NOISE_LEVEL, "color": 1}},
}
MATRIX = ((0.8, 0.2), (0.3, 0.7))  # of each input channel
WAYS = (0.4, 0.3, 0.2, 0.05)  # levels at which what was split is mixed again
LOUDNESS, CEILING = -14, -1
LEVELS = {"loudness": {"mode": 0, "level": LOUDNESS, "ceiling": CEILING}, "peak": {"mode": 1, "level": CEILING}}
WORKS = (*EQUALIZERS, *SPEEDS, *GENERATORS, "matrix", "merger", "splitter and merger", "multiSplitter and mixer", *LEVELS)


class Same(Case):
    name = "same"
    title = "equalizers of several bands, tape speeds, generators, matrices and levels: a stereo float WAV, into a float WAV"
    seconds, quick_seconds = 300, 10
    unit = "ns per frame"
    residual_limit = {"1.1": -60, "": -120}  # a rate of 1.1 is a little more in single precision

    def make(self, folder, seconds):
        script("sounds.py", self.name, folder, seconds)
        for work in WORKS:
            (folder / work).mkdir()

    def place(self, folder, tool):
        """Outputs are in a folder of their work's name, by which the check knows them."""
        return tool.place(folder / work_of(tool))

    def tools(self, folder, aubench, seconds):
        for work in WORKS:

            def line(name, needs, package, argv, **further):
                beside = () if name == "aubench" else (f"aubench, {work}",)
                return Tool(f"{name}, {work}", needs, package, argv, beside=beside, scale=1e9 / (seconds * RATE), **further)

            words = ["-o", "{out}", "--no-tail", "--encoding", "float32", "--quiet", "--threads", 1]
            yield line("aubench", aubench, "make", [aubench, "render", folder / f"{work}, source.json", *words])
            for works, peers_of in ((EQUALIZERS, equalizers), (SPEEDS, speeds), (GENERATORS, generators), (LEVELS, levels)):
                if work in works:
                    yield from peers_of(work, folder / "source.wav", line, seconds)
            yield from channels(work, folder, line)

    def check(self, folder, tools):
        """Of the same commands with a short sound that shows what they do; of a generator's output as it is."""
        for tool in tools:
            if work_of(tool) not in GENERATORS:
                tool.remove_output()
                if not tool.suffix:
                    tool.output.mkdir()
                measure([word.replace("source", probe_of(work_of(tool))) for word in tool.placed_argv()], folder / "log.txt")
        super().check(folder, tools)

    def wrong(self, tools, seconds):
        for tool in tools:
            if tool.is_ours() and "residual" in tool.check:
                limit = next(limit for word, limit in self.residual_limit.items() if word in tool.name)
                if tool.check["residual"] > limit:
                    yield f"{tool.name} is {tool.check['residual']:.1f} dB from the reference, limit {limit}"
                if tool.check["surplus"]:
                    yield f"{tool.name} wrote {tool.check['surplus']:+} frames too many"

    def columns(self, line, seconds):
        check, found = line.get("check", {}), {}
        if check.get("surplus"):
            text = f"{check['residual']:.1f} " if "residual" in check else ""
            found["residual dB"] = f"{text}({check['surplus']:+} frames)"
        if "centres" in check:
            found["off at the centres, dB"] = f"{check['centres']:.2f}"
        if "gain" in check:
            found["gain, dB"] = f"{check['gain']:.2f}"
        return found


def work_of(tool):
    return tool.name.split(", ")[-1]


def probe_of(work):
    """What the check plays in place of `source`."""
    return "impulse" if work in EQUALIZERS else "smooth"


def sox(source, *effects):
    return ["sox", source, *SOX_OUT, *effects]


def equalizers(work, source, line, seconds):
    """Chains get the sections themselves, as ours has to find them; graphic equalizers what these do at each centre."""
    bands = EQUALIZERS[work]
    words = {"lowShelf": "bass {gain} {frequency} 1s", "highShelf": "treble {gain} {frequency} 1s"}
    chain = " ".join(words.get(b["type"], "equalizer {frequency} {bandwidth}o {gain}").format(**b) for b in bands)
    yield line("sox", "sox", "apt: sox", sox(source, *chain.split()))
    shelf, bell = "=f={frequency}:width_type=q:w=0.5:g={gain}", "equalizer=f={frequency}:width_type=o:w={bandwidth}:g={gain}"
    words = {"lowShelf": "bass" + shelf, "highShelf": "treble" + shelf}  # of slope 1
    chain = ",".join(words.get(b["type"], bell).format(**b) for b in bands)
    yield line("ffmpeg", "ffmpeg", "apt: ffmpeg", ffmpeg(source, chain))
    yield line("pedalboard", "python:pedalboard", "pip: pedalboard", peer("pedalboard", "same", work, source, "{out}"))
    if work not in GRAPHIC:
        controls = {}
        for k, band in enumerate(bands):
            controls |= {13 + 9 * k: LSP_TYPES[band["type"]], 18 + 9 * k: band["frequency"], 19 + 9 * k: 10 ** (band["gain"] / 20)}
        yield line("lsp", str(LIBRARY), PACKAGE, ffmpeg(source, lsp("para_equalizer_x16_stereo", controls)))
        return
    centres = [(band["frequency"], decibels(bands, band["frequency"])) for band in bands]
    entries = ";".join(f"entry({hertz:.2f},{gain:.3f})" for hertz, gain in centres)
    delay = 0.02 if GRAPHIC[work] == 10 else 0.2  # seconds, without which it is more than 1 dB off at the lowest centres
    filters = f"firequalizer=delay={delay}:gain_entry='{entries}'"
    yield line("ffmpeg firequalizer", "ffmpeg", "apt: ffmpeg", ffmpeg(source, filters))
    plugin, first, frequencies = LSP_GRAPHIC[GRAPHIC[work]]
    gains = {first + 4 * k: 10 ** (between(centres, hertz) / 20) for k, hertz in enumerate(frequencies)}
    yield line("lsp", str(LIBRARY), PACKAGE, ffmpeg(source, lsp(plugin, gains)))


def between(centres, hertz):
    """The gain that the centres around a frequency have there, in straight lines over octaves."""
    low = max((centre for centre in centres if centre[0] <= hertz), default=centres[0])
    high = min((centre for centre in centres if centre[0] > hertz), default=centres[-1])
    part = math.log(hertz / low[0]) / math.log(high[0] / low[0]) if high[0] > low[0] else 0
    return low[1] + min(max(part, 0), 1) * (high[1] - low[1])


def speeds(work, source, line, seconds):
    times = SPEEDS[work]
    yield line("sox", "sox", "apt: sox", sox(source, "speed", times))
    for name, words in (("ffmpeg", ""), ("ffmpeg with soxr", ":resampler=soxr")):
        filters = f"asetrate={RATE * times:g},aresample={RATE}{words}"
        yield line(name, "ffmpeg", "apt: ffmpeg", ffmpeg(source, filters))
    yield line("pedalboard", "python:pedalboard", "pip: pedalboard", peer("pedalboard", "speed", times, source, "{out}"))


def generators(work, source, line, seconds):
    """Mono. FFmpeg's `sine` works in 16 bits and has a level of its own."""
    words = {"tone": ["sine", HERTZ, "vol", FACTOR]}.get(work, [work.replace(" ", ""), "vol", NOISE_FACTOR])
    yield line("sox", "sox", "apt: sox", ["sox", "-n", "-r", RATE, "-c", 1, *SOX_OUT, "synth", seconds, *words])
    color = work.split()[0]
    sources = {"ffmpeg": f"anoisesrc=r={RATE}:d={seconds}:c={color}:a={NOISE_FACTOR:.5f}"}
    if work == "tone":
        sine, expression = f"sine={HERTZ}:r={RATE}:d={seconds}", f"{FACTOR:.9f}*sin(2*PI*{HERTZ}*t)"
        sources = {"ffmpeg sine": f"{sine},aformat=sample_fmts=fltp,volume={8 * FACTOR:.9f}"}
        sources["ffmpeg aevalsrc"] = f"aevalsrc='{expression}':s={RATE}:d={seconds}"
    for name, filters in sources.items():
        yield line(name, "ffmpeg", "apt: ffmpeg", [*FFMPEG, "-f", "lavfi", "-i", filters, "-c:a", "pcm_f32le", "{out}"])
    controls = {9: 2, 10: NOISE_FACTOR, 21: int(color == "pink")}
    plugin = lsp("oscillator_mono", {1: HERTZ, 2: FACTOR, 6: 2, 7: 0}) if work == "tone" else lsp("noise_generator_x1", controls)
    silence = ["-f", "lavfi", "-i", f"anullsrc=r={RATE}:cl=mono:d={seconds}", "-af", plugin]
    yield line("lsp", str(LIBRARY), PACKAGE, [*FFMPEG, *silence, "-c:a", "pcm_f32le", "{out}"])


def levels(work, source, line, seconds):
    """SoX, and ffmpeg-normalize for a peak, measure samples' peaks; ours and FFmpeg's loudnorm true peaks, bs1770gain none."""
    words = ["-f", "-c:a", "pcm_f32le", "-ar", RATE]
    if work == "peak":
        yield line("sox", "sox", "apt: sox", ["sox", "--temp", source.parent, source, *SOX_OUT, "norm", CEILING])
        words += ["-nt", "peak", "-t", CEILING]
    else:
        filters = f"loudnorm=I={LOUDNESS}:TP={CEILING},aresample={RATE}"
        yield line("ffmpeg loudnorm in one pass", "ffmpeg", "apt: ffmpeg", ffmpeg(source, filters))
        words += ["-t", LOUDNESS, "-tp", CEILING]
        argv = ["bs1770gain", "-i", "-a", "--norm", LOUDNESS, "--suffix", "wav", "--codec", "pcm_f32le", "-o", "{out}", source]
        yield line("bs1770gain", "bs1770gain", "apt: bs1770gain", argv, suffix="")
    argv = ["ffmpeg-normalize", source, "-o", "{out}", *words]
    yield line("ffmpeg-normalize", "ffmpeg-normalize", "pip: ffmpeg-normalize", argv)


def channels(work, folder, line):
    source, left, right = (folder / f"{name}.wav" for name in ("source", "source-left", "source-right"))

    def ffmpeg_graph(graph, *inputs):
        words = [word for path in inputs for word in ("-i", path)]
        argv = [*FFMPEG, "-filter_complex_threads", 1, *words, "-filter_complex", graph, "-c:a", "pcm_f32le", "{out}"]
        return line("ffmpeg", "ffmpeg", "apt: ffmpeg", argv)

    if work == "matrix":
        (a, b), (c, d) = MATRIX
        yield line("sox", "sox", "apt: sox", sox(source, "remix", f"1v{a},2v{c}", f"1v{b},2v{d}"))
        yield line("ffmpeg", "ffmpeg", "apt: ffmpeg", ffmpeg(source, f"pan=stereo|c0={a}*c0+{c}*c1|c1={b}*c0+{d}*c1"))
    elif work == "merger":
        yield line("sox", "sox", "apt: sox", ["sox", "-M", left, right, *SOX_OUT])
        yield ffmpeg_graph("[0:a][1:a]amerge", left, right)
    elif work == "splitter and merger":
        yield line("sox", "sox", "apt: sox", sox(source, "remix", 1, 2, 1, 2))
        yield ffmpeg_graph("asplit[a][b];[a][b]amerge", source)
    elif work == "multiSplitter and mixer":
        outputs, weights = "".join(f"[{k}]" for k in range(len(WAYS))), " ".join(map(str, WAYS))
        mixed = f"amix=inputs={len(WAYS)}:normalize=0:weights='{weights}'"
        yield ffmpeg_graph(f"asplit={len(WAYS)}{outputs};{outputs}{mixed}", source)
