"""Systematic mutation: what the suites and the unit tests notice.

Every place of the sources where a condition, a number, an operator, a statement, a range or the order of arguments can be
changed is a mutant. A random sample of them is compiled into a copy of the package (build/mutation/copy), each behind
one switch; each is then run until something notices it. The judged modules (AudioUnits, DSPKernels, CKernels,
RenderGraph, SampleRate, SoundFile, BatchRender, HRTF, TimeStretch) are held to `aubench verify` with the shipped
suites, and what survives to the unit tests; so are the judges (Measurement, Spectrum, Loudness, Verification,
AudioToolbox). A run that is stopped goes on where it was when it is started again. Results: build/mutation/report.md
and report.json.
"""

import argparse
import fnmatch
import hashlib
import json
import pathlib
import sys
import time

from . import build, cover, few, judges, judging, modules, report, sample

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "build/mutation"
FIRST = {"judged": 400, "judges": 200, "hardware": 100}


def arguments():
    parser = argparse.ArgumentParser(
        prog="Scripts/mutation-score", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="what the sample is drawn from (default: %(default)s)")
    parser.add_argument("--group", choices=list(FIRST), help="only these (default: all)")
    parser.add_argument(
        "--files", nargs="+", metavar="PATTERN", help="draw the sample from these alone, such as 'Sources/Engine/BuiltInUnits/Spatial/*'")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="so many mutants of each group (default: 400 judged, 200 judges, 100 hardware)")
    parser.add_argument(
        "--second", action="store_true", help="a fresh sample: 100 judged, 50 judges, none of the first sample")
    parser.add_argument(
        "--few", type=int, metavar="N", help="N mutants of the engine in some minutes: no copy, no coverage, judged by the suites alone")
    parser.add_argument("--verify-only", action="store_true", help="ask the suites only, not the unit tests")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="runs at a time (default: %(default)s)")
    parser.add_argument("--minutes", type=float, help="stop after so long; the next run goes on")
    parser.add_argument(
        "--keep-caught", action="store_true",
        help="do not judge again what was caught before sources, suites or tests have changed")
    parser.add_argument(
        "--patience", type=float, metavar="SECONDS",
        help="ask judges of a mutant only for so long, likely ones first; a later run goes on with the rest")
    parser.add_argument("--fresh", action="store_true", help="forget the results of this sample")
    parser.add_argument("--mutant", nargs="+", default=[], metavar="ID", help="judge these of the sample, whatever is known of them")
    parser.add_argument("--list", action="store_true", help="print the sample and end")
    parser.add_argument("--report", action="store_true", help="write the report of what is known and end")
    parser.add_argument("--keep-table", action="store_true", help="write Tests/Mutation/caught/SEED.tsv of what is known, and end")
    parser.add_argument("--lock", metavar="FILE", help="hold a lock on this file while the copy is built")
    return parser.parse_args()


def main():
    options = arguments()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if options.few:
        return few.run(ROOT, FOLDER, options.seed, options.few, options.jobs, build.Refused(FOLDER / "refused.json"))
    name = f"{options.seed}{'-second' if options.second else ''}"
    every = {
        group: [one for one in ones if not options.files or any(fnmatch.fnmatch(one.path, each) for each in options.files)]
        for group, ones in modules.all_mutants(ROOT).items()}
    totals = {group: len(ones) for group, ones in every.items()}
    print("mutants in the sources: " + ", ".join(f"{group} {count}" for group, count in totals.items()), flush=True)
    refused = build.Refused(FOLDER / "refused.json")

    def choose():
        chosen = []
        for group, ones in every.items():
            first = sample.draw(ones, options.seed, (not options.second and options.sample) or FIRST[group], refused)
            if options.second:
                count = options.sample or sample.SECOND[group]
                first = sample.draw(ones, f"{options.seed} second", count, refused, {one.id for one in first})
            chosen += first
        return chosen

    if options.list:
        for one in choose():
            print(f"{one.id}  {one.path}:{one.line}  {one.kind}: {one.original} -> {one.mutated}")
        return
    results_path = FOLDER / f"results-{name}.jsonl"
    if options.fresh:
        results_path.unlink(missing_ok=True)
    # What others have found counts only where that is asked for: a score must not be made of it unawares.
    kept = ROOT / f"Tests/Mutation/caught/{name}.tsv" if options.keep_caught or options.keep_table else None
    results = judging.Results(results_path, kept)
    if options.keep_table:
        return results.keep()
    claimed = report.equivalents(ROOT / "Tests/Mutation/equivalent.tsv")

    def conclude(numbered):
        wanted = {
            number: one for number, one in numbered.items()
            if options.group in (None, modules.group(one.module))}
        summary = report.write(
            FOLDER, f"Mutation, sample {name}", ROOT, wanted, results, claimed, totals, len(refused.reasons),
            not options.verify_only)
        print("\n" + "\n".join(summary) + f"\n{(FOLDER / 'report.md').relative_to(ROOT)}")

    if options.report:
        return conclude(dict(enumerate(choose(), 1)))
    numbered = build.build(ROOT, FOLDER / "copy", choose, refused, not options.verify_only, options.lock)
    tree = fingerprint(numbered)
    verify = judges.Verify(FOLDER / "copy")
    tests = None if options.verify_only else judges.Tests(FOLDER / "copy")
    coverage = cover.Coverage(FOLDER / f"coverage-{name}.json", contents("Sources") + ids(numbered))
    version = versions()
    until = time.monotonic() + 60 * options.minutes if options.minutes else None

    def tell(words):
        print(words, flush=True)
        if until and time.monotonic() > until:
            raise KeyboardInterrupt

    try:
        coverage.measure(verify, numbered, options.jobs, tell, version)
        if not options.verify_only:
            coverage.measure(tests, numbered, options.jobs, tell, version)
        court = judging.Court(
            verify, tests, coverage, results, tree, version, options.patience)
        todo = [
            (number, one) for number, one in numbered.items()
            if options.group in (None, modules.group(one.module))
            and (one.id in options.mutant if options.mutant else court.needs(
                one, not options.verify_only, options.keep_caught))]
        if options.mutant:
            for _, one in todo:
                results.rows.pop(one.id, None)
        print(f"to judge: {len(todo)} of {len(numbered)}", flush=True)
        judging.judge_all(court, todo, not options.verify_only, options.jobs, tell)
    except KeyboardInterrupt:
        print("stopped; the next run goes on from here", flush=True)
    conclude(numbered)


def fingerprint(numbered):
    """Of all that is judged or judges."""
    return contents("Sources", "Tests", "fixtures")


def versions():
    """What the answer of a judge depends on beside the mutant: of a case the sources, its suite, and what lies beside that."""
    sources, whole, known = contents("Sources"), contents("Sources", "Tests", "fixtures"), {}

    def version(kind, judge):
        if kind.name != "verify":
            return whole
        suite = pathlib.Path(kind.suite_of[judge])
        if suite not in known:
            shared = ["fixtures/audio", "fixtures/golden", "fixtures/suites/graphs"]
            own = [str(suite), str(suite.with_suffix(""))] + (["Tests/Hosts"] if suite.stem == "hosts" else [])
            known[suite] = sources + contents(*shared, *own)
        return known[suite]
    return version


def contents(*names):
    """Of all files in some folders, and of some files."""
    digest = hashlib.sha256()
    for name in names:
        place = ROOT / name
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.is_file() and "Tests/Mutation" not in str(path) and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def ids(numbered):
    """Of the mutants that are compiled, and of their numbers."""
    pairs = sorted((number, one.id) for number, one in numbered.items())
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
