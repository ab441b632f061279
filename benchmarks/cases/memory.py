"""The peak memory of a long render."""

from harness.case import Case
from harness.tool import Tool

LIMIT = 64  # MiB


class Memory(Case):
    name = "memory"
    title = f"a long render of one looping file: its peak memory must stay below {LIMIT} MiB"
    seconds, quick_seconds = 10800, 600
    bytes_per_second = 180_000

    def tools(self, folder, aubench, seconds):
        render = [aubench, "render", folder / "graph.json", "-o", "{out}", "--seconds", f"{seconds:g}"]
        yield Tool("aubench", aubench, "make", [*render, "--encoding", "pcm16", "--quiet"])

    def run(self, folder, tools, rounds):
        for tool in tools:
            tool.runs.append(tool.once(folder / "log.txt"))

    def wrong(self, tools, seconds):
        for tool in tools:
            if (peak := tool.runs[0]["peak"]) >= LIMIT:
                yield f"peak {peak:.1f} MiB in a render of {seconds:g} s, limit {LIMIT}"
