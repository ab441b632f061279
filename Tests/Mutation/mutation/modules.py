"""Which files are mutated, and in which group."""

import pathlib

from . import c, mutant, swift

# Judged by `aubench verify` and the shipped suites alone, and then by the unit tests.
JUDGED = ["AudioEngine", "BuiltInUnits", "DSPKernels", "CKernels", "RenderGraph", "SampleRate", "SoundFile", "BatchRender", "HRTF", "TimeStretch"]
# What judges them.
JUDGES = ["GraphMeasurement", "Measurement", "Spectrum", "Loudness", "Verification", "AudioToolbox"]
# The simulated hardware, and what is written down of calls: a suite with scenarios reaches some of it.
HARDWARE = ["DeviceUnits", "Hardware", "VoiceProcessing", "Transcripts"]
GROUPS = {"judged": JUDGED, "judges": JUDGES, "hardware": HARDWARE}


def group(module):
    """`judged`, `judges` or `hardware`."""
    return next((name for name, modules in GROUPS.items() if module in modules), "judges")


def sources(root, modules):
    """The files of modules, in order, relative to the package."""
    result = []
    for module in modules:
        for path in sorted(file for folder in pathlib.Path(root).glob(f"Sources/*/{module}") for file in folder.rglob("*")):
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
