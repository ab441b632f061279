"""What a result says of where it was measured, and how it was."""

import datetime
import importlib.metadata
import os
import platform
import re
import resource
import subprocess
from pathlib import Path

from harness.lsp import LIBRARY
from harness.tool import peer


def version(argv):
    try:
        text = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        line = next(line for line in text.splitlines() if re.search(r"\d+\.\d+", line))
        return " ".join(line.split(" Copyright")[0].split())
    except (OSError, StopIteration):
        return None


def versions(aubench):
    found = {
        "aubench": aubench and version([aubench, "--version"]),
        "sox": version(["sox", "--version"]),
        "ffmpeg": version(["ffmpeg", "-version"]),
        "ecasound": version(["ecasound", "--version"]),
        "sndfile-resample": version(["sndfile-resample", "--version"]),
        "lsp": LIBRARY.is_file() and LIBRARY.stem.removeprefix("lsp-plugins-ladspa-"),
        "bs1770gain": (version(["bs1770gain", "--version"]) or "").strip(","),
        "openal": version(peer("openal", "version")),
        "python": platform.python_version(),
    }
    for module in ("pedalboard", "dawdreamer", "ffmpeg-normalize", "numpy", "scipy", "soundfile", "h5py"):
        try:
            found[module] = importlib.metadata.version(module)
        except importlib.metadata.PackageNotFoundError:
            found[module] = None
    return {name: re.sub(rf"^{name}:? (version )?", "", text) for name, text in found.items() if text}


def revision():
    """Of this tree; with `+` where something in it is not committed that the program is built of."""
    git = ["git", "-C", str(Path(__file__).resolve().parents[2])]
    done = subprocess.run([*git, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "Sources", "Package.swift"], stderr=subprocess.DEVNULL).returncode
    return done.stdout.strip() + "+" * changed if done.returncode == 0 else None


def load():
    return round(os.getloadavg()[0], 2)


def machine(aubench):
    """`aubench` is a path, or None. The peak floor is what a child's peak memory cannot be read below."""
    cpu = Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", cpu, re.M).group(1).split()) if "flags" in cpu else set()
    levels = [("x86-64-v4", "avx512vl"), ("x86-64-v3", "avx2"), ("x86-64-v2", "sse4_2")]
    name = re.search(r"^model name\s*:\s*(.*)$", cpu, re.M)
    return {
        "date": datetime.date.today().isoformat(),
        "revision": revision(),
        "cpu": name.group(1) if name else platform.machine(),
        "cores": os.cpu_count(),
        "isa": next((level for level, flag in levels if flag in flags), platform.machine()),
        "kernel": platform.release().partition("-")[0],
        "peak floor": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "versions": versions(aubench),
    }
