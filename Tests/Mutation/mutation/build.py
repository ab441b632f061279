"""Compiles the copy, without the mutants that the compiler refuses."""

import contextlib
import fcntl
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

from . import package, syntax

_ERROR = re.compile(r"^(/[^:\n]+):(\d+):(\d+): error: (.*)$", re.MULTILINE)
# A mutant must not cost the type checker minutes: what it makes of a long expression is refused.
_PATIENCE = ["-Xfrontend", "-solver-expression-time-threshold=15"]
_BUILD = ["swift", "build", "-c", "release", *(word for flag in _PATIENCE for word in ("-Xswiftc", flag))]
# The library that tests of C programs link: as in the Makefile.
_WITH_TESTS = [
    [*_BUILD, "--build-tests"],
    [*_BUILD, "--product", "AudioToolbox", "-Xlinker", "-soname=libAudioToolbox.so"],
]
_WITHOUT_TESTS = [[*_BUILD, "--product", product] for product in ("aubench", "aubench-scan", "suite-host", "engine-programs")]
_FUNCTIONS = {"function_declaration", "init_declaration", "computed_property", "property_declaration", "function_definition"}


class Refused:
    """The mutants that the compiler has refused before, by id, and why: kept in a file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.reasons = json.loads(self.path.read_text()) if self.path.is_file() else {}

    def __contains__(self, mutant_id):
        return mutant_id in self.reasons

    def add(self, mutant_id, reason):
        self.reasons[mutant_id] = reason
        self.path.write_text(json.dumps(self.reasons, indent=1, sort_keys=True))


def build(root, copy, choose, refused, with_tests, lock=None):
    """Writes and compiles the copy until the compiler takes it.

    `choose` answers the mutants to try, without those that are refused; it is asked again after each refusal. Answers
    them by number.
    """
    with _held(lock):
        return _build(root, copy, choose, refused, _WITH_TESTS if with_tests else _WITHOUT_TESTS)


@contextlib.contextmanager
def _held(path):
    if path is None:
        yield
        return
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _build(root, copy, choose, refused, commands):
    numbers, rounds = {}, 0
    (pathlib.Path(copy).parent / "build.log").unlink(missing_ok=True)
    while True:
        numbered = {}
        for one in choose():
            numbers.setdefault(one.id, len(numbers) + 1)
            numbered[numbers[one.id]] = one
        if max(numbered, default=0) >= package.MOST:
            sys.exit(f"at most {package.MOST - 1} mutants can be compiled at once")
        written = package.write(root, copy, numbered)
        overlapping = [(path, number) for path, one in written.items() for number in one.refused]
        for _, number in overlapping:
            refused.add(numbered[number].id, "overlaps another mutant")
        if overlapping:
            continue
        rounds += 1
        began = time.monotonic()
        errors = _check(copy, written)
        guilty = _guilty(written, errors, numbered)
        if not guilty:
            # Modules that were built before may lack what the sources have got since: SwiftPM builds them in their order.
            errors = _compile(copy, commands)
            guilty = _guilty(written, errors, numbered)
        print(f"build {rounds}: {len(numbered)} mutants, {time.monotonic() - began:.0f} s, "
              f"{'done' if not errors else f'{len(errors)} errors'}", flush=True)
        if not errors:
            return numbered
        if not guilty:
            sys.exit("the copy does not compile, and no mutant is near the errors:\n" + "\n".join(
                f"{path}:{line}:{column}: {message}" for path, line, column, message in errors[:20]))
        for number, message in guilty.items():
            refused.add(numbered[number].id, message)


def _check(copy, written):
    """What the compilers say of the mutated files; nothing where they have taken the same ones before."""
    texts = json.dumps(sorted((path, hashlib.sha256(one.text).hexdigest()) for path, one in written.items()))
    known = pathlib.Path(copy).parent / "checked"
    digest = hashlib.sha256(texts.encode()).hexdigest()
    if known.is_file() and known.read_text() == digest:
        return []
    errors = _check_c(copy, written) or _check_swift(copy, written)
    if not errors:
        known.write_text(digest)
    return errors


def _check_c(copy, written):
    """What the C compiler says of all C files at once, in a second: SwiftPM ends at the first that does not compile."""
    folders = {pathlib.Path(copy, *path.split("/")[:3]) for path in written if not path.endswith(".swift")}
    output = ""
    for folder in sorted(folders):
        for file in sorted(folder.rglob("*.c")):
            done = subprocess.run(
                ["clang", "-std=gnu17", "-fsyntax-only", "-ferror-limit=0", "-fno-color-diagnostics", "-w",
                 "-I", str(folder / "include"), "-I", str(pathlib.Path(copy, "Sources", "Engine", package.schemata.MODULE, "include")),
                 str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            output += done.stdout
    return _errors(copy, output)


def _check_swift(copy, written):
    """What the Swift compiler says of all mutated modules, each against the others as they were built before, in seconds.

    SwiftPM ends at the first module that does not compile.
    """
    copy = pathlib.Path(copy)
    built = copy / ".build/release"
    modules = built / "Modules"
    maps = [
        *copy.glob("Sources/*/*/module.modulemap"), *copy.glob("Sources/*/*/include/module.modulemap"),
        *built.glob("*.build/module.modulemap")]
    flags = [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    # A header of one folder includes others of it as if it were the system's.
    flags += [word for path in copy.glob("Sources/*/*/include") for word in ("-Xcc", f"-I{path}")]
    output = ""
    for module in sorted({path.split("/")[2] for path in written if path.endswith(".swift")}):
        if not (modules / f"{module}.swiftmodule").exists():
            continue
        files = sorted(str(path) for path in copy.glob(f"Sources/*/{module}/**/*.swift"))
        done = subprocess.run(
            ["swiftc", "-emit-sil", "-Onone", "-wmo", "-o", "/dev/null", "-parse-as-library", "-module-name", module,
             "-package-name", copy.name, "-swift-version", "6", "-suppress-warnings", *_PATIENCE, "-I", str(modules), *flags, *files],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output += done.stdout
    return _errors(copy, output)


def _errors(copy, output):
    found = set()
    for path, line, column, message in _ERROR.findall(output):
        if pathlib.Path(path).is_relative_to(copy):
            found.add((str(pathlib.Path(path).relative_to(copy)), int(line), int(column), message))
    return sorted(found)


def _compile(copy, commands):
    """The errors as (path, line, column, message); none: all is built."""
    for command in commands:
        done = subprocess.run(command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        with (pathlib.Path(copy).parent / "build.log").open("a") as log:
            log.write(done.stdout)
        if done.returncode == 0:
            continue
        found = _errors(copy, done.stdout)
        if not found:
            sys.exit(done.stdout[-4000:] + f"\n{' '.join(command)} failed")
        return found
    return []


def _guilty(written, errors, numbered):
    """Which mutants the errors are about: number → message."""
    guilty = {}
    for path, line, column, message in errors:
        if path not in written:
            continue
        places, at = written[path].places, (line, column)
        around = [(begin, end, number) for number, (begin, end) in places.items() if begin <= at <= end]
        if around:
            # The innermost: what lies around it repeats the place as it was.
            guilty[max(around, key=lambda one: (one[0], (-one[1][0], -one[1][1])))[2]] = message
            continue
        near = [number for number, (begin, end) in places.items() if begin[0] <= line <= end[0]]
        # What is not set or not returned is told of at another line of the function.
        for first, last in [] if near else _functions(written[path].text, path, line):
            near = [number for number, (begin, end) in places.items() if first <= begin[0] <= last]
            dropped = [number for number in near if numbered[number].kind.startswith("dropped")]
            near = dropped or near
            if near:
                break
        for number in near:
            guilty[number] = message
    return guilty


def _functions(text, path, line):
    """The first and the last lines of what a line lies in, from inside to outside; last the whole file."""
    found = [(1, text.count(b"\n") + 1)]

    def visit(node):
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        if first <= line <= last:
            if node.type in _FUNCTIONS:
                found.append((first, last))
            for child in node.children:
                visit(child)

    visit((syntax.swift if path.endswith(".swift") else syntax.c)(text))
    return reversed(found)
