"""The conversion of the sample rate, in every quality."""

from harness.case import Case
from harness.conversion import check_bands, conversion_columns, worse_conversions, worse_than
from harness.limits import BY_HAND, limit
from harness.tool import FFMPEG, Tool, peer

QUALITIES = ("mastering", "minimum-phase", "best", "medium", "fast", "linear", "zero-order-hold")


def ours(quality, threads=1):
    return f"aubench, {quality}, {threads} thread{'s'[: threads > 1]}"


class Rate(Case):
    name = "rate"
    title = "stereo 44.1 kHz 16-bit to 48 kHz 24-bit, in every quality"
    seconds, quick_seconds = 600, 10
    headlines = tuple(ours(quality) for quality in ("mastering", "best", "medium", "fast"))
    # The source ends at 18 kHz, just beyond what `fast` passes; a minimum-phase filter shifts phases on purpose.
    residual_limit = {"minimum-phase": -10, "fast": -60, "linear": -30, "zero-order-hold": -15, "": -75}

    def tools(self, folder, aubench, seconds):
        return lines(folder, folder / "source.wav", aubench)

    def check(self, folder, tools):
        super().check(folder, tools)
        check_bands(folder, tools, lines(folder, folder / "tones" / "tones.wav", tools[0].needs, is_float=True))

    def columns(self, line, seconds):
        return conversion_columns(line)

    def counts(self, peer, ours):
        return not any(worse_than(peer["check"], ours["check"]))

    def notes(self, result):
        yield from worse_conversions(result["lines"])


def lines(folder, source, aubench, is_float=False):
    """Each peer beside the fastest of our qualities whose pass band and images are as good, libsamplerate's beside the same
    filters of ours. `is_float` is for sines, so that 24 bits hide nothing."""
    bits = 32 if is_float else 24
    for quality, threads in [(quality, 1) for quality in QUALITIES] + [("mastering", 2), ("best", 2)]:
        convert = [aubench, "convert", source, "{out}", "--rate", 48000, "--quality", quality, "--quiet", "--threads", threads]
        yield Tool(ours(quality, threads), aubench, "make", [*convert, "--encoding", "float32" if is_float else "pcm24"])

    yield limit(f"{BY_HAND}, as many taps as best", folder, "rate", [source, "{out}"], ours("best"), "-ffast-math")
    encoding = ["-e", "float", "-b", 32] if is_float else ["-b", 24]
    for options, quality in ((["-v"], "mastering"), (["-v", "-M"], "minimum-phase"), (["-h"], "best"), (["-m"], "best")):
        argv = ["sox", "-D", source, *encoding, "{out}", "rate", *options, 48000]
        yield Tool(f"sox, rate {' '.join(options)}", "sox", "apt: sox", argv, beside=(ours(quality),))

    encoding = ["-c:a", "pcm_f32le"] if is_float else ["-c:a", "pcm_s24le"]
    for name, how, quality in (
        ("soxr, 28 bits", "soxr:precision=28", "mastering"), ("soxr", "soxr", "best"), ("swr", "swr", "best"),
    ):  # fmt: skip
        resample = f"aresample=48000:resampler={how}:out_sample_fmt={'flt' if is_float else 's32'}"
        argv = [*FFMPEG, "-i", source, "-af", resample, *encoding, "{out}"]
        yield Tool(f"ffmpeg, {name}", "ffmpeg", "apt: ffmpeg", argv, beside=(ours(quality),))

    for converter, quality in enumerate(("best", "medium", "fast", "zero-order-hold", "linear")):  # it keeps the source's 16 bits
        argv = ["sndfile-resample", "-to", 48000, "-c", converter, source, "{out}"]
        yield Tool(f"sndfile-resample -c {converter}", "sndfile-resample", "apt: sndfile-tools", argv, beside=(ours(quality),))

    for name, library in (("scipy, resample_poly", "scipy"), ("pedalboard", "pedalboard")):
        argv = peer(library, "rate", source, "{out}", bits)
        yield Tool(name, f"python:{library}", f"pip: {library}", argv, beside=(ours("best"),))
