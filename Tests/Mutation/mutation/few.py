"""A few mutants in minutes: compiled into what is built already.

Some modules are compiled anew with mutants in them, by the commands that the last release build wrote down, and program and tests
are linked with their objects in place of those that are there. Each suite runs once without a mutant, which shows what it reaches;
then each mutant runs on the suites that reach it, shortest first, until one notices it, and otherwise on those tests of its module
that have the name of its file.
"""

import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from . import build, judges, modules, package, sample, schemata

# Others' code is inlined from the modules below these, where a mutant would stay as it was.
MODULES = ["SoundFile", "BuiltInUnits", "RenderGraph", "BatchRender"]
PRODUCTS = ["aubench", "aubenchPackageTests.xctest"]
# Held texts of programs, by programs that are not linked here.
LEFT_OUT = ("sessions", "hosts")
# Nothing is begun later than so long after the mutants are compiled: a busy machine judges fewer of them.
SECONDS = 240
UNJUDGED = "unjudged"
# Of a compiler's command: what takes a value, and what does not.
_WITH_VALUE = {"-output-file-map", "-emit-module-path", "-index-store-path"}
_ALONE = {"-parseable-output", "-serialize-diagnostics", "-emit-dependencies", "-warnings-as-errors"}


def run(root, folder, seed, count, jobs, refused):
    """Draws, compiles and judges; answers the exit code."""
    began = time.monotonic()
    place = folder / "few"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    commands = Commands(root)
    every = [one for path in modules.sources(root, MODULES) for one in modules.mutants(root, path)]
    numbered = _compile(root, place, commands, every, seed, count, refused)
    print(f"{len(numbered)} of {len(every)} mutants of {', '.join(MODULES)}: compiled in {time.monotonic() - began:.0f} s", flush=True)
    court = Court(root, place, jobs)
    judged = [kind for kind in court.judge(numbered) if kind != UNJUDGED]
    caught = [kind for kind in judged if kind]
    if len(judged) < len(numbered):
        print(f"not judged for want of time: {len(numbered) - len(judged)}")
    suites = sum(kind == "verify" for kind in caught)
    print(
        f"{len(caught)} of {len(judged)} noticed, {suites} of them by the suites, in {time.monotonic() - began:.0f} s; seed {seed}")
    # The score of a dozen says little, and does not decide. Judges that notice nothing at all are broken: where two in five are
    # noticed, as these few judges do, none of twelve is once in 460 samples.
    if caught or len(judged) < 12:
        return 0
    print("nothing is noticed: see Tests/Mutation/README.md", file=sys.stderr)
    return 1


class Commands:
    """The commands of the last release build."""

    def __init__(self, root):
        path = root / ".build/release.yaml"
        if not path.is_file():
            sys.exit("nothing is built: make build-tests")
        self.text = path.read_text()

    def compile(self, module):
        """The compiler's words, without its sources and outputs; and sources that were derived."""
        found = re.search(
            rf'  "C\.{module}-[^"]*\.module":\n    tool: shell\n    inputs: (\[.*?\])\n.*?    args: (\[.*?\])\n', self.text, re.DOTALL)
        inputs, words = json.loads(found[1]), iter(json.loads(found[2]))
        kept = []
        for word in words:
            if word in _WITH_VALUE:
                next(words)
            elif word not in _ALONE and not word.startswith("@"):
                kept.append(word)
        return kept, [path for path in inputs if path.endswith(".swift") and "/.build/" in path]

    def link(self, product):
        """The linker's words, the file that lists its objects, and where the program goes."""
        found = re.search(rf'description: "Linking \./([^"]*/release/{product})"\n    args: (\[.*?\])\n', self.text)
        words = json.loads(found[2])
        return words, next(word[1:] for word in words if word.startswith("@")), found[1]


def _compile(root, place, commands, every, seed, count, refused):
    """Writes, compiles and links until the compiler takes it; answers the mutants by number."""
    switch = place / schemata.MODULE
    switch.mkdir()
    (switch / "CMutation.h").write_text(package._HEADER)
    (switch / "CMutation.c").write_text(package._SOURCE)
    (switch / "module.modulemap").write_text('module CMutation { header "CMutation.h" export * }\n')
    objects = {schemata.MODULE: [switch / "CMutation.o"]}
    subprocess.run(["clang", "-O2", "-fPIC", "-c", "CMutation.c", "-o", "CMutation.o"], cwd=switch, check=True)
    done, numbers = {}, {}
    while True:
        numbered = {}
        for one in sample.draw(every, seed, count, refused):
            numbered[numbers.setdefault(one.id, len(numbers) + 1)] = one
        guilty = {}
        for module in sorted({one.module for one in numbered.values()}):
            wanted = {number: one for number, one in numbered.items() if one.module == module}
            if done.get(module) == set(wanted):
                continue
            made, found = _compile_module(root, place, commands, module, wanted)
            guilty.update(found)
            if not found:
                done[module], objects[module] = set(wanted), made
        if not guilty:
            break
        for number, message in guilty.items():
            refused.add(numbered[number].id, message)
    for product in PRODUCTS:
        _link(root, place, commands, product, objects)
    return numbered


def _link(root, place, commands, product, objects):
    """Links a product with these objects in place of those of their modules."""
    words, listed, program = commands.link(product)
    kept = [
        line for line in pathlib.Path(listed).read_text().splitlines()
        if not any(f"/{module}.build/" in line for module in objects)]
    (place / "objects").write_text("\n".join(kept + [str(path) for made in objects.values() for path in made]) + "\n")
    words = [f"@{place / 'objects'}" if word.startswith("@") else word for word in words]
    words = [str(place / product) if word.endswith(program) else word for word in words]
    linked = subprocess.run(words, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if linked.returncode:
        sys.exit(linked.stdout[-4000:])


def _compile_module(root, place, commands, module, wanted):
    """The module's objects with these mutants in it; or which of them the compiler refuses, and why."""
    by_path = {}
    for number, one in wanted.items():
        by_path.setdefault(one.path, []).append((number, one))
    written = {path: schemata.write(path, (root / path).read_bytes(), pairs) for path, pairs in by_path.items()}
    overlapping = {number: "overlaps another mutant" for one in written.values() for number in one.refused}
    if overlapping:
        return [], overlapping
    words, sources = commands.compile(module)
    for path in modules.sources(root, [module]):
        if path in written:
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(written[path].text)
        sources.append(str((place if path in written else root) / path))
    output = place / f"{module}.objects"
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    compiled = subprocess.run(
        [*words, "-suppress-warnings", *build._PATIENCE, "-emit-module-path", str(output / f"{module}.swiftmodule"),
         "-Xcc", f"-fmodule-map-file={place / schemata.MODULE / 'module.modulemap'}", *sources],
        cwd=output, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if compiled.returncode == 0:
        return sorted(output.glob("*.o")), {}
    found = build._guilty(written, build._errors(place, compiled.stdout), wanted)
    if not found:
        sys.exit(f"{module} does not compile, and no mutant is near the errors:\n{compiled.stdout[-4000:]}")
    return [], found


class Court:
    """Which suites and tests reach and notice a mutant."""

    def __init__(self, root, place, jobs):
        self.jobs, self.place, self.until = jobs, place, time.monotonic() + SECONDS
        self.verify = judges.Verify(root, place / PRODUCTS[0])
        self.tests = judges.Tests(root, place / PRODUCTS[1])
        self.cases = {}
        for case, suite in self.verify.suite_of.items():
            if pathlib.Path(suite).stem not in LEFT_OUT:
                self.cases.setdefault(suite, []).append(case)

    def judge(self, numbered):
        """The kind of judges that has noticed each mutant, or none; prints those that none has."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            plain = dict(zip(self.cases, pool.map(lambda suite: self._reach(self.verify, self.cases[suite]), self.cases)))
            for suite, (result, _) in plain.items():
                if result.verdict != "passed":
                    print(f"left out, as it does not pass without a mutant: {suite}: {result.what}")
            usable = sorted((suite for suite in plain if plain[suite][0].verdict == "passed"), key=lambda one: plain[one][0].seconds)

            def noticed(number):
                one = numbered[number]
                reaching = [suite for suite in usable if number in plain[suite][1]]
                for suite in reaching:
                    if time.monotonic() > self.until:
                        return UNJUDGED
                    if self._fails(self.verify, self.cases[suite], number, plain[suite][0]):
                        return "verify"
                if time.monotonic() > self.until:
                    return UNJUDGED
                tests = self._tests(one)
                result, reached = self._reach(self.tests, tests)
                if result.verdict == "passed" and number in reached and self._fails(self.tests, tests, number, result):
                    return "tests"
                asked = [pathlib.Path(suite).stem for suite in reaching] + tests
                print(
                    f"{one.id}  {one.path}:{one.line}  {one.kind}: {one.original} -> {one.mutated}: not noticed by "
                    + ", ".join(asked), flush=True)
                return None

            return list(pool.map(noticed, numbered))

    def _fails(self, kind, names, number, plain):
        return kind.run(names, number, seconds=max(20, 10 * plain.seconds)).verdict != "passed"

    def _tests(self, one):
        """The suites of unit tests of the module that begin with the first word of the file's name; all where none does."""
        def word(name):
            return (re.match("[A-Z]+[a-z0-9]*", name) or [""])[0]

        suites = [suite for suite in self.tests.tests_of if suite.startswith(f"{one.module}Tests.")]
        return [suite for suite in suites if word(suite.split(".")[1]) == word(pathlib.Path(one.path).stem)] or suites

    def _reach(self, kind, names):
        """How judges do without a mutant, and the numbers of the mutants that they come to."""
        with tempfile.NamedTemporaryFile(dir=self.place) as record:
            result = kind.run(names, reached=record.name)
            return result, {number for number, byte in enumerate(record.read()) if byte}
