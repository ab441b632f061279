"""What can notice a mutant: the cases of the shipped suites, and the suites of the unit tests."""

import dataclasses
import json
import pathlib
import re
import sys

from . import process

# Bad cases by what `aubench verify` says of them.
_CASE_RESULTS = {"failed": "check", "unblessed": "check", "error": "error", "crashed": "crash", "timedOut": "timeout"}
_GOOD = ("passed", "skipped")
# Not run: these build programs and packages of others, which takes minutes, or look at the sources alone.
_LEFT_OUT = (
    "ClientTests.BuildWhenStaleTests", "ClientTests.InstallationTests", "ClientTests.SwiftClientTests",
    "AudioCoreTests.ArchitectureTests", "AudioCoreTests.DesignPagesTests", "AudioCoreTests.RepositoryTests",
    "VerificationTests.DocumentationExampleTests",
)


@dataclasses.dataclass
class Result:
    """What a judge said: `passed`, or `check`, `error`, `crash`, `timeout` with what failed."""

    verdict: str
    seconds: float
    what: str = ""


class Verify:
    """The cases of the suites, by `aubench verify`. A judge is a case."""

    name = "verify"

    def __init__(self, copy, program=None):
        self.copy = pathlib.Path(copy)
        self.program = str(program or self.copy / ".build/release/aubench")
        self.suites = sorted(str(path.relative_to(self.copy)) for path in (self.copy / "fixtures/suites").glob("*.json"))
        done = process.run([self.program, "verify", *self.suites, "--list", "--json"], self.copy)
        try:
            self.suite_of = {case["id"]: case["suite"] for case in json.loads(done.output)["cases"]}
        except (ValueError, KeyError):
            sys.exit(f"{self.program} lists no cases: {done.errors[-2000:]}")

    def judges(self):
        """The ids of all cases."""
        return list(self.suite_of)

    def run(self, cases, mutant=0, reached=None, seconds=600):
        """Runs some cases."""
        suites = sorted({self.suite_of[case] for case in cases})
        named = [word for case in cases for word in ("--case", case)]
        done = process.run(
            [self.program, "verify", *suites, *named, "--json", "--jobs", "1", "--artifacts", "{scratch}/artifacts"],
            self.copy, mutant, reached, seconds)
        if done.code is None:
            return Result("timeout", done.seconds, f"no answer in {seconds:.0f} s")
        try:
            bad = [case for case in json.loads(done.output)["cases"] if case["verdict"] not in _GOOD]
        except (ValueError, KeyError, TypeError):
            bad = None
        if done.code == 0 and bad == []:
            return Result("passed", done.seconds)
        if not bad:
            verdict = "crash" if done.code < 0 or done.code > 128 else "error"
            return Result(verdict, done.seconds, f"code {done.code}: {' '.join(done.errors.split())[-200:]}")
        checks = [check["id"] for check in bad[0].get("checks", []) if check["verdict"] not in _GOOD]
        return Result(
            _CASE_RESULTS.get(bad[0]["verdict"], "error"), done.seconds, f"{bad[0]['id']}: {', '.join(checks) or bad[0]['verdict']}")


class Tests:
    """The unit tests. A judge is a suite of them."""

    name = "tests"

    def __init__(self, copy, program=None):
        self.copy = pathlib.Path(copy)
        self.program = str(program or self.copy / ".build/release/aubenchPackageTests.xctest")
        # Tests that fail in the copy without a mutant, by suite: found by `cover`.
        self.skipped = {}
        done = process.run([self.program, "--testing-library", "swift-testing", "--list-tests"], self.copy)
        self.tests_of = {}
        for line in done.output.splitlines():
            suite, separator, _ = line.partition("/")
            if separator and "." in suite and not suite.startswith(_LEFT_OUT):
                self.tests_of.setdefault(suite, []).append(line.strip())
        if not self.tests_of:
            sys.exit(f"{self.program} lists no tests: {done.errors[-2000:]}")

    def judges(self):
        """The names of all suites: Target.Suite."""
        return list(self.tests_of)

    def command(self, patterns, skipped=()):
        """What runs the tests whose ids match one of the patterns."""
        command = [self.program, "--testing-library", "swift-testing"]
        for pattern in patterns:
            command += ["--filter", pattern]
        for pattern in skipped:
            command += ["--skip", pattern]
        return command

    def run(self, suites, mutant=0, reached=None, seconds=600):
        """Runs some suites, without the tests that are skipped."""
        skipped = [pattern(test) for suite in suites for test in self.skipped.get(suite, [])]
        command = self.command([f"^{re.escape(suite)}/" for suite in suites], skipped)
        return self._result(command, mutant, reached, seconds)

    def run_test(self, test, seconds):
        """Runs one test without a mutant."""
        return self._result(self.command([pattern(test)]), 0, None, seconds)

    def _result(self, command, mutant, reached, seconds):
        done = process.run(command, self.copy, mutant, reached, seconds)
        if done.code is None:
            return Result("timeout", done.seconds, f"no answer in {seconds:.0f} s")
        text = re.sub("\x1b\\[[0-9;]*m", "", done.output + done.errors)
        if done.code == 0:
            ran = re.findall(r"Test run with (\d+) test", text)
            isEmpty = not ran or ran[-1] == "0"
            return Result("error" if isEmpty else "passed", done.seconds, "no test ran" if isEmpty else "")
        failed = re.findall(r"^. Test (.*?) (?:recorded an issue|failed)", text, re.MULTILINE)
        verdict = "crash" if done.code < 0 or done.code > 128 else "check"
        return Result(verdict, done.seconds, "; ".join(dict.fromkeys(failed))[:300] or f"code {done.code}: {text[-200:]}")


def pattern(test):
    """The pattern of one test's id, as `--filter` takes it."""
    return "^" + re.escape(test) + "(/|$)"
