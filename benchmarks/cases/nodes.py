"""What a node costs in each slice, whatever it does."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness.case import Case
from harness.tool import FFMPEG, AskedChain, Chain, Server, Tool, peer

SLICES = (64, 512, 4096)
KIND = "filter in bypass"  # of those that `node-cost` prints
ONCE_MEASURED = (
    "Measured once, on 2026-11-21 on an AMD EPYC (Zen 4), with programs written for it and compiled for that machine; nanoseconds at "
    "64, 512 and 4096 frames, a gain in each node: JUCE 8.0.12 AudioProcessorGraph, chain of 1000: 54.8, 160, 1096; miniaudio 0.11.25 "
    "node graph, chain of 1000: 78.8, 179, 2957. There is no program of theirs to run."
)


@dataclass
class NodeCost(Tool):
    """A node at one length of slice, from a program that prints all lengths: `printed` is shared, and has what was not yet asked for."""

    frames: int = 0
    printed: dict = None

    def warm_up(self, log):
        pass  # the program measures often enough and prints the best

    def once(self, log):
        if self.frames not in self.printed:
            command = [self.needs, *map(str, SLICES)]
            output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            row = next(line for line in output.splitlines() if line.startswith(KIND))
            self.printed |= zip(SLICES, map(float, row.removeprefix(KIND).split()))
        return {"time": self.printed.pop(self.frames)}


class Nodes(Case):
    name = "nodes"
    title = (
        "a node in each slice in which nothing changes, stereo, one thread, as the difference of a long chain and a chain of one: in "
        "aubench a filter in bypass, elsewhere what costs least: in FFmpeg `anull`, in the others a gain"
    )
    seconds, quick_seconds = 20, 5
    bytes_per_second = 700_000
    unit = "ns per node and slice"

    def tools(self, folder, aubench, seconds):
        program, noise = Path(aubench).with_name("node-cost"), folder / "noise.wav"
        servers = {library: Server(peer(library, "serve", noise)) for library in ("pedalboard", "dawdreamer")}
        printed = {}
        for frames in SLICES:
            ours = f"aubench, {frames} frames"
            per_slice = 1e9 * frames / (seconds * 48000)
            package = "swift build -c release --product node-cost"
            yield NodeCost(ours, str(program), package, frames=frames, printed=printed)

            def ffmpeg(copies, frames=frames):
                filters = ",".join([f"asetnsamples=n={frames}:p=0", "aformat=sample_fmts=fltp", *["anull"] * copies])
                return [*FFMPEG, "-threads", 1, "-filter_threads", 1, "-i", noise, "-af", filters, "-f", "null", "-"]

            def sox(copies, frames=frames):
                return ["sox", "-D", "--buffer", 2 * frames, noise, "-n", *["vol", 0.999] * copies]

            for name, command, copies in (("ffmpeg", ffmpeg, 201), ("sox", sox, 51)):
                yield Chain(
                    f"{name}, {frames} frames", name, f"apt: {name}", beside=(ours,),
                    scale=per_slice, copies=copies, command=command,
                )  # fmt: skip
            for library, server in servers.items():
                yield AskedChain(
                    f"{library}, {frames} frames", f"python:{library}", f"pip: {library}", beside=(ours,),
                    scale=per_slice, copies=51, server=server, effect="multichannelMixer", frames=frames,
                )  # fmt: skip

    def place(self, folder, tool):
        return tool  # nothing is written

    def check(self, folder, tools):
        pass

    def notes(self, result):
        yield ONCE_MEASURED
