"""What can be timed: a process, one more effect in a chain, or a program that times itself when asked.

Standard library only, as all that `run` imports: a child's peak memory is never read lower than its parent's.
"""

import ctypes.util
import functools
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

FFMPEG = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error"]
PEERS = Path(__file__).resolve().parent.parent / "peers"


def peer(library, *words):
    """A command of `peers/with_LIBRARY.py`."""
    return [sys.executable, PEERS / f"with_{library}.py", *words]


def ffmpeg(source, filters):
    """A command of FFmpeg that filters a file in float, on one thread."""
    chain = ["-filter_threads", 1, "-i", source, "-af", f"aformat=sample_fmts=fltp,{filters}"]
    return [*FFMPEG, *chain, "-c:a", "pcm_f32le", "{out}"]


@functools.cache
def filters_of_ffmpeg():
    if shutil.which("ffmpeg") is None:
        return set()
    listed = subprocess.run(["ffmpeg", "-hide_banner", "-filters"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return {words[1] for line in listed.stdout.splitlines() if len(words := line.split()) > 2}


def measure(argv, log, accepted=(0,)):
    """Wall and CPU seconds (children included), and the peak MiB of the largest process."""
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 1, str(log), write, 0o600), (os.POSIX_SPAWN_DUP2, 1, 2)]
    actions.append((os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0))
    argv = [str(word) for word in argv]
    start = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if (code := os.waitstatus_to_exitcode(status)) not in accepted:
        sys.exit(f"{' '.join(argv)[:500]}\nfailed ({code}):\n{log.read_text()[-2000:]}")
    return {"time": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024}


@dataclass
class Tool:
    """A process. `needs` is an executable, a file, `python:MODULE`, `library:NAME` or `ffmpeg:FILTER`; `package` is what installs it;
    `{out}` in `argv` is the output: a file, or a folder where `suffix` is empty. `beside` names the lines of ours that a peer is
    compared with, and `target` is how many times as long as the first of these it should take."""

    name: str
    needs: str
    package: str
    argv: list = None
    suffix: str = ".wav"
    beside: tuple = ()
    target: float = None
    is_bound: bool = False  # not a peer but what bounds ours
    scale: float = 1  # a second in the case's unit
    output: Path = None
    runs: list = field(default_factory=list)  # of {"time": in the case's unit}, of processes with "cpu" in seconds, "peak" in MiB
    check: dict = field(default_factory=dict)

    def is_ours(self):
        return self.name.startswith("aubench")

    def is_missing(self):
        if self.needs.startswith("python:"):
            return importlib.util.find_spec(self.needs.removeprefix("python:")) is None
        if self.needs.startswith("library:"):
            return ctypes.util.find_library(self.needs.removeprefix("library:")) is None
        if self.needs.startswith("ffmpeg:"):
            return self.needs.removeprefix("ffmpeg:") not in filters_of_ffmpeg()
        return shutil.which(self.needs) is None and not Path(self.needs).is_file()

    def place(self, folder):
        self.output = folder / (re.sub(r"\W+", "-", self.name) + self.suffix)
        return self

    def placed_argv(self):
        return [str(word).replace("{out}", str(self.output)) for word in self.argv]

    def warm_up(self, log):
        """Makes the output that is checked."""
        self.once(log)

    def once(self, log):
        """One run, with the output as before the first: a file is absent, a folder is there and empty."""
        self.remove_output()
        if not self.suffix:
            self.output.mkdir()
        run = measure(self.placed_argv(), log)
        if not (any(self.output.iterdir()) if self.output.is_dir() else self.output.exists()):
            sys.exit(f"{self.name} wrote nothing:\n{log.read_text()[-2000:]}")
        return run | {"time": run["time"] * self.scale}

    def remove_output(self):
        """What is removed before the system writes it to the disk costs the next tool nothing."""
        if self.output and self.output.is_dir():
            shutil.rmtree(self.output)
        elif self.output:
            self.output.unlink(missing_ok=True)

    def result(self):
        keys = ("name", "beside", "target", "is_bound", "runs", "check")
        return {key: value for key in keys if (value := getattr(self, key))}


@dataclass
class Chain(Tool):
    """What one more effect in a chain takes: a chain of `copies` less a chain of one. `command` makes the arguments of so many
    copies; `argv` is one copy that writes."""

    copies: int = 11
    command: callable = None

    def warm_up(self, log):
        if self.argv:
            measure(self.placed_argv(), log)

    def seconds(self, copies, log):
        return measure(self.command(copies), log)["time"]

    def once(self, log):
        one, many = self.seconds(1, log), self.seconds(self.copies, log)
        return {"time": (many - one) / (self.copies - 1) * self.scale}


class Server:
    """A program that answers each line of its input with one line: seconds that it took."""

    def __init__(self, argv):
        self.argv, self.process = [str(word) for word in argv], None

    def ask(self, question=""):
        if not self.process:
            self.process = subprocess.Popen(self.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        print(question, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{' '.join(self.argv)} ended at: {question}")
        return float(answer)

    def close(self):
        """What it says at the end of its input."""
        rest = self.process.communicate()[0] if self.process else ""
        self.process = None
        return rest


@dataclass
class Asked(Tool):
    server: Server = None
    question: str = ""

    def once(self, log):
        return {"time": self.server.ask(self.question) * self.scale}


@dataclass
class AskedChain(Chain):
    """A chain in a server, which is asked `EFFECT COPIES FRAMES`, and for the output to be checked `EFFECT FILE`."""

    server: Server = None
    effect: str = ""
    frames: int = 512

    def warm_up(self, log):
        if self.output:
            self.server.ask(f"{self.effect} {self.output}")

    def seconds(self, copies, log):
        return self.server.ask(f"{self.effect} {copies} {self.frames}")
