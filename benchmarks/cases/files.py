"""WAV in, WAV out in another encoding."""

from harness.case import Case
from harness.tool import FFMPEG, Tool

# Encoding in and out, and each tool's words for the one that comes out.
CONVERSIONS = (("24 bit", "float"), ("float", "24 bit"), ("16 bit", "24 bit"), ("24 bit", "16 bit"))
LIBSNDFILE = {"float": "float32", "24 bit": "pcm24", "16 bit": "pcm16"}  # ours too
SOX = {"float": ["-e", "float", "-b", 32], "24 bit": ["-b", 24], "16 bit": ["-b", 16]}
FFMPEG_CODECS = {"float": "pcm_f32le", "24 bit": "pcm_s24le", "16 bit": "pcm_s16le"}
TARGET = 2  # times SoX


class Files(Case):
    name = "files"
    title = "stereo 48 kHz WAV into WAV of another encoding, without dither"
    seconds, quick_seconds = 600, 60
    bytes_per_second = 1_600_000 * 4
    in_memory = False  # what a file system in memory does with a file takes longer than the conversion
    residual_limit = {"to 16 bit": -70, "float to 24 bit": -120, "": -200}

    def tools(self, folder, aubench, seconds):
        for read, written in CONVERSIONS:
            source, conversion = folder / f"source-{LIBSNDFILE[read]}.wav", f"{read} to {written}"
            ours = f"aubench, {conversion}"
            convert = [aubench, "convert", source, "{out}", "--encoding", LIBSNDFILE[written], "--quiet"]
            yield Tool(ours, aubench, "make", convert)
            argv = ["sox", "-D", source, *SOX[written], "{out}"]
            yield Tool(f"sox, {conversion}", "sox", "apt: sox", argv, beside=(ours,), target=TARGET)
            argv = [*FFMPEG, "-i", source, "-c:a", FFMPEG_CODECS[written], "{out}"]
            yield Tool(f"ffmpeg, {conversion}", "ffmpeg", "apt: ffmpeg", argv, beside=(ours,))
            argv = ["sndfile-convert", f"-{LIBSNDFILE[written]}", source, "{out}"]
            yield Tool(f"sndfile-convert, {conversion}", "sndfile-convert", "apt: sndfile-programs", argv, beside=(ours,))
            copied = folder / f"source-{LIBSNDFILE[written]}.wav"
            argv = ["dd", f"if={copied}", "of={out}", "bs=256k", "status=none"]
            yield Tool(f"dd copying the output, {conversion}", "dd", "apt: coreutils", argv, beside=(ours,), is_bound=True)
