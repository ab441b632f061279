"""Runs a program within limits of time, memory and file size, and leaves nothing of it behind."""

import ctypes
import dataclasses
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time

# Bytes. A mutant may ask for anything.
MEMORY = 8 << 30
FILE = 4 << 30
_OUTPUT = 1 << 24
_C = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


@dataclasses.dataclass
class Run:
    """How a run of a program ended. `code` is negative for a signal; none where the time was up."""

    code: int | None
    output: str
    errors: str
    seconds: float


def run(command, folder, mutant=0, reached=None, seconds=600):
    """Runs a command in a folder, with a mutant switched on, in temporary and working space of its own."""
    scratch = tempfile.mkdtemp(prefix="mutant-")
    values = dict(os.environ, AUBENCH_MUTANT=str(mutant), TMPDIR=scratch, NO_COLOR="1")
    values.pop("AUBENCH_MUTATION_REACHED", None)
    if reached:
        values["AUBENCH_MUTATION_REACHED"] = str(reached)
    output, errors = pathlib.Path(scratch) / "stdout", pathlib.Path(scratch) / "stderr"
    began = time.monotonic()
    try:
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(
                [word.replace("{scratch}", scratch) for word in command], cwd=folder, env=values, stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, start_new_session=True, preexec_fn=_limit)
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                # Whatever is left of it: its group has its number.
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        return Run(code, _text(output), _text(errors), time.monotonic() - began)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _limit():
    # A mutant that goes on for ever must not outlive this program, however that ends.
    _C.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _text(path):
    with path.open("rb") as file:
        return file.read(_OUTPUT).decode(errors="replace")
