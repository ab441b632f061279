"""One stereo file through an equalizer of many bands."""

from harness.case import Case
from harness.tool import FFMPEG, Tool, peer

BAND_COUNTS = (10, 31)


def bands_of(count):
    """Evenly spread over the octaves from 20 Hz to 20 kHz, in turn raised and lowered."""
    octaves = 10 / (count - 1)
    return [
        {"frequency": round(20 * 2 ** (k * octaves), 2), "bandwidth": round(octaves, 4), "gain": (-1) ** k * (2 + k % 5)}
        for k in range(count)
    ]


class Equalizer(Case):
    name = "eq"
    title = "one stereo float WAV through 10 and 31 peaking filters, into a float WAV"
    seconds, quick_seconds = 600, 30
    unit = "ns per sample and biquad"
    headlines = ("aubench, 10 bands", "aubench, 31 bands", "aubench, one more band")
    residual_limit = {"": -120}

    def tools(self, folder, aubench, seconds):
        source = folder / "source.wav"
        for count in BAND_COUNTS:
            bands, graph, ours = bands_of(count), folder / f"bands{count}.json", f"aubench, {count} bands"

            def line(name, needs, package, argv):
                beside = () if name == "aubench" else (ours,)
                scale = 1e9 / (seconds * 48000 * 2 * count)
                return Tool(f"{name}, {count} bands", needs, package, argv, beside=beside, scale=scale)

            render = [aubench, "render", graph, "-o", "{out}", "--no-tail", "--encoding", "float32", "--quiet", "--threads", 1]
            yield line("aubench", aubench, "make", render)
            effects = [word for b in bands for word in ("equalizer", b["frequency"], f"{b['bandwidth']}o", b["gain"])]
            yield line("sox", "sox", "apt: sox", ["sox", source, "-e", "float", "-b", 32, "{out}", *effects])
            chain = ",".join(f"equalizer=f={b['frequency']}:width_type=o:w={b['bandwidth']}:g={b['gain']}" for b in bands)
            chain = f"aformat=sample_fmts=fltp,{chain}"
            command = [*FFMPEG, "-filter_threads", 1, "-i", source, "-af", chain, "-c:a", "pcm_f32le", "{out}"]
            yield line("ffmpeg", "ffmpeg", "apt: ffmpeg", command)
            chain = [f"-el:singlePara,{b['gain']},{b['frequency']},{b['bandwidth']}" for b in bands]
            command = ["ecasound", "-q", "-x", "-b:4096", "-f:f32_le,2,48000", "-a:1", f"-i:{source}", *chain, "-a:1", "-o:{out}"]
            yield line("ecasound, singlePara", "ecasound", "apt: ecasound swh-plugins", command)
            for library in ("pedalboard", "dawdreamer", "scipy"):
                yield line(library, f"python:{library}", f"pip: {library}", peer(library, "eq", graph, "{out}"))

    def run(self, folder, tools, rounds):
        super().run(folder, tools, rounds)
        tools += list(one_more_band(tools))


def one_more_band(tools):
    """A tool's two lines, one less the other: without start, reading and writing."""
    few, many = BAND_COUNTS
    lines = {tool.name: tool for tool in tools}
    for name, short in lines.items():
        long = lines.get(name.replace(f"{few} bands", f"{many} bands"))
        if name.endswith(f"{few} bands") and long:
            line = Tool(name.replace(f"{few} bands", "one more band"), short.needs, short.package)
            line.beside = () if line.is_ours() else ("aubench, one more band",)
            line.runs = [{"time": (many * b["time"] - few * a["time"]) / (many - few)} for a, b in zip(short.runs, long.runs)]
            yield line
