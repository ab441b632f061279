"""What all cases have in common: their sound, their rounds, and what is wrong with our own lines."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def script(name, *arguments):
    """What one of the scripts beside `run` that may import numpy prints."""
    command = [sys.executable, str(HERE / name), *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write_chain(path, source, node):
    """A graph file: a file through one unit, at the file's rate."""
    nodes = [{"id": "in", "unit": "filePlayer", "file": source}, {"id": "unit", **node}, {"id": "out", "unit": "genericOutput"}]
    path.write_text(json.dumps({"version": 1, "sampleRate": "input", "nodes": nodes, "connections": ["in -> unit", "unit -> out"]}))


class Case:
    """A subclass says what is measured and yields its tools; the report asks it for its columns and notes."""

    name = ""
    title = ""
    seconds = 0  # of sound
    quick_seconds = 0
    bytes_per_second = 3_000_000
    is_timed = True  # else the report has no times
    in_memory = True  # else in the usual place for temporary files
    output_rate = 48000
    unit = "s"
    headlines = ()  # our lines at the top of RESULTS.md; all of them if empty
    residual_limit = {}  # dB, of our own lines, by a word of their name; "" is all others

    def tools(self, folder, aubench, seconds):
        """The tools of all lines; what they work on is in the folder."""
        raise NotImplementedError

    def place(self, folder, tool):
        """The tool, told where its output goes."""
        return tool.place(folder)

    def make(self, folder, seconds):
        script("sounds.py", self.name, folder, seconds)

    def check(self, folder, tools):
        """Fills each tool's `check`, after the warm-up."""
        found = json.loads(script("checks.py", self.name, folder, *(tool.output for tool in tools)))
        for tool in tools:
            tool.check |= found[str(tool.output)]

    def run(self, folder, tools, rounds):
        """A warm-up whose output is checked, then the rounds, every tool in turn in each."""
        log = folder / "log.txt"
        for tool in tools:
            print(f"{self.name}: {tool.name}, warm-up", file=sys.stderr)
            tool.warm_up(log)
        self.check(folder, tools)
        for tool in tools:
            tool.remove_output()
        os.sync()  # the writing of the warm-up's gigabytes would take a core from the first round
        for number in range(rounds):
            for tool in tools:
                print(f"{self.name}: {tool.name}, round {number + 1} of {rounds}", file=sys.stderr)
                tool.runs.append(tool.once(log))
                tool.remove_output()

    def wrong(self, tools, seconds):
        """What is wrong with our own renders; peers are only reported."""
        expected = round(seconds * self.output_rate)
        for tool in tools:
            if not tool.is_ours() or not tool.check:
                continue
            limit = next(limit for word, limit in self.residual_limit.items() if word in tool.name)
            if tool.check["residual"] > limit:
                yield f"{tool.name} is {tool.check['residual']:.1f} dB from the reference, limit {limit}"
            if tool.check.get("frames", expected) != expected:
                yield f"{tool.name} wrote {tool.check['frames']} frames, expected {expected}"

    # For the report, from the lines of a result: dictionaries, as `Tool.result` makes them.

    def columns(self, line, seconds):
        """Further columns of a line: {heading: text}."""
        return {}

    def counts(self, peer, ours):
        """Whether ours is as good as the peer, so that its time may be compared."""
        return True

    def notes(self, result):
        """Lines of text below the table."""
        return ()

    def tables(self, result):
        """Tables in place of the one that has a row for each line: (heading, rows), rows as dictionaries of cells."""
        return ()

    def picture(self, result):
        """An SVG file in place of the chart of ratios; None where there is nothing to draw."""
        return None
