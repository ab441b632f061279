"""Which files are mutated, and in which group."""

import pathlib

from . import c, mutant, swift

# Judged by `aubench verify` and the shipped suites alone, and then by the unit tests.
JUDGED = ["AudioUnits", "DSPKernels", "CKernels", "RenderGraph", "SampleRate", "SoundFile", "BatchRender"]
# What judges them.
JUDGES = ["GraphMeasurement", "Measurement", "Spectrum", "Loudness", "Verification", "AudioToolbox"]
GROUPS = {"judged": JUDGED, "judges": JUDGES}


def group(module):
    """`judged` or `judges`."""
    return "judged" if module in JUDGED else "judges"


def sources(root, modules):
    """The files of modules, in order, relative to the package."""
    result = []
    for module in modules:
        for path in sorted((pathlib.Path(root) / "Sources" / module).rglob("*")):
            if path.suffix in (".swift", ".c") or path.suffix == ".h" and module == "CKernels":
                result.append(str(path.relative_to(root)))
    return result


def mutants(root, path):
    """The mutants of one file, with ids."""
    source = (pathlib.Path(root) / path).read_bytes()
    found = (swift if path.endswith(".swift") else c).mutants(path, source)
    mutant.name(found, source)
    return found


def all_mutants(root):
    """The mutants of each group."""
    return {
        name: [one for path in sources(root, modules) for one in mutants(root, path)] for name, modules in GROUPS.items()}
