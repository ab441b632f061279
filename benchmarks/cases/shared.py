"""A mix on one and on two threads while other programs work: nobody should have to say `--threads 1` on a machine that is shared."""

import subprocess
import sys
from contextlib import contextmanager
from statistics import median

from harness.case import Case
from harness.figures import ratios, spread
from harness.tool import Tool

BUSY, SLICES = (0, 1, 2, 4), (1, 64, 512, 4096)
PAIRS_A_ROUND = 3  # 15 in a full run
SHORTER = {1: 24}  # slices of one frame take so much longer
MEDIAN_LIMIT, WORST_LIMIT = 1.1, 1.3


class Shared(Case):
    name = "shared"
    title = (
        "4 stereo 24-bit stems, each through 5 peaking filters, into one mix, on one thread and on two, beside programs that keep "
        "a core busy each"
    )
    seconds, quick_seconds = 480, 30
    bytes_per_second = 3 * 288_000
    headlines = ("none",)

    def tools(self, folder, aubench, seconds):
        for busy in BUSY:
            for frames in SLICES:
                length = seconds / SHORTER.get(frames, 1)
                render = [aubench, "render", folder / "graph.json", "-o", "{out}", "--seconds", f"{length:g}", "--slice", frames]
                render += ["--encoding", "pcm24", "--quiet", "--threads"]
                one = name_of(1, frames, busy)
                yield Tool(one, aubench, "make", [*render, 1])
                yield Tool(name_of(2, frames, busy), aubench, "make", [*render, 2], beside=(one,))

    def run(self, folder, tools, rounds):
        """Pairs, of which every other one begins with two threads, so that neither is always behind the other."""
        log, tools = folder / "log.txt", {tool.name: tool for tool in tools}
        for busy in BUSY:
            for frames in SLICES:
                pair = [tools[name_of(threads, frames, busy)] for threads in (1, 2)]
                print(f"{self.name}: {pair[1].name}", file=sys.stderr)
                for tool in pair:
                    tool.warm_up(log)
                pair[1].check["same"] = pair[0].output.read_bytes() == pair[1].output.read_bytes()
                with busy_processes(busy):
                    for number in range(PAIRS_A_ROUND * rounds):
                        for tool in pair if number % 2 == 0 else reversed(pair):
                            tool.runs.append(tool.once(log))
                            tool.remove_output()

    def wrong(self, tools, seconds):
        tools = {tool.name: tool for tool in tools}
        for two in tools.values():
            if not two.beside:
                continue
            found = ratios({"runs": two.runs}, {"runs": tools[two.beside[0]].runs})
            if not two.check["same"]:
                yield f"{two.name}: other samples than on one thread"
            if median(found) > MEDIAN_LIMIT or max(found) > WORST_LIMIT:
                limits = f"median {MEDIAN_LIMIT}, worst {WORST_LIMIT}"
                yield f"{two.name}: {spread(found)} times as long as one thread, limits: {limits}"

    def tables(self, result):
        lines = {line["name"]: line for line in result["lines"]}
        rows = []
        for frames in SLICES:
            row = {"frames of a slice": str(frames)}
            for busy in BUSY:
                one, two = (lines[name_of(threads, frames, busy)] for threads in (1, 2))
                row[f"{busy} busy"] = spread(ratios(two, one))
            rows.append(row)
        yield "Times as long on two threads as on one", rows


def name_of(threads, frames, busy):
    return f"aubench, {threads} thread{'s'[: threads > 1]}, slices of {frames}, {busy} busy"


@contextmanager
def busy_processes(count):
    """Other programs, each of which would have a core for itself."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()
