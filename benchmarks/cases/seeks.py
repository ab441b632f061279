"""A tenth of a second from far within a file."""

import json
from pathlib import Path

from harness.case import Case
from harness.figures import spread, times
from harness.tool import Asked, Server, peer

KINDS = ("wav", "flac", "mp3", "ogg", "opus")
NEEDS = {"soundfile": ("python:soundfile", "pip: soundfile"), "ffmpeg": ("ffmpeg", "apt: ffmpeg")}
FRAMES = 4800


class Seeks(Case):
    name = "seeks"
    title = "opening a stereo 48 kHz file, going to nine tenths of it and reading a tenth of a second"
    seconds, quick_seconds = 600, 60
    bytes_per_second = 900_000
    unit = "ms"
    headlines = ("none",)

    def lengths(self, seconds):
        return sorted({round(seconds / 60), round(seconds / 10), round(seconds)})

    def tools(self, folder, aubench, seconds):
        library = Path(aubench).with_name("libAudioToolbox.so")
        self.servers = {tool: Server(peer("soundfile", library)) for tool in ("aubench", *NEEDS)}
        for kind in KINDS:
            for length in self.lengths(seconds):
                ours, file = f"aubench, {kind} of {length} s", folder / f"{length}.{kind}"
                for tool, server in self.servers.items():
                    needs, package = NEEDS.get(tool, (str(library), "make library"))
                    question = f"{tool} {file} {length * 48000 * 9 // 10} {FRAMES}"
                    beside = () if tool == "aubench" else (ours,)
                    yield Asked(f"{tool}{ours.removeprefix('aubench')}", needs, package, beside=beside, scale=1000, server=server, question=question)

    def check(self, folder, tools):
        pass  # the samples are compared at the end

    def run(self, folder, tools, rounds):
        super().run(folder, tools, rounds)
        same = {question: line for server in self.servers.values() if server.process for question, line in json.loads(server.close()).items()}
        for tool in tools:
            tool.check["frames that differ"] = same[tool.question]

    def wrong(self, tools, seconds):
        for tool in tools:
            if tool.is_ours() and tool.check["frames that differ"]:
                yield f"{tool.name}: {tool.check['frames that differ']} frames are not those of a decode from the beginning"

    def tables(self, result):
        rows = {}
        for line in result["lines"]:
            tool, file = line["name"].split(", ")
            differ = line["check"]["frames that differ"]
            rows.setdefault(file, {"file": file})[f"{tool}, ms"] = spread(times(line)) + (f", {differ} frames differ" if differ else "")
        yield "Milliseconds to 4800 frames at nine tenths of a file, and how many of them are not those of the same tool's decode from the beginning", list(rows.values())
