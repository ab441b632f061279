"""The programs of `limits/`: the same work in C without any generality, compiled for this machine."""

import shutil
import subprocess

from harness.case import HERE
from harness.tool import Tool

BY_HAND = "C by hand"


def limit(name, folder, source, arguments, beside, *options):
    """The tool; where there is no compiler, one that is missing."""
    program = str(folder / f"{source}-limit")
    argv = ["clang", "-O3", "-march=native", *options, HERE / "limits" / f"{source}.c", "-o", program, "-lsndfile", "-lm"]
    if shutil.which("clang"):
        subprocess.run(argv, check=True)
    package = "the toolchain's clang, apt: libsndfile1-dev"
    return Tool(name, program, package, [program, *arguments], beside=(beside,), is_bound=True)
