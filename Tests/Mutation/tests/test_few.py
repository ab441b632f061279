"""A few mutants: who is asked, and the commands of the last build."""

import pathlib
import tempfile
import types
import unittest

from mutation import few, judges

BUILD = '''commands:
  "C.Filters-x86_64-unknown-linux-gnu-release.module":
    tool: shell
    inputs: ["/p/Sources/Engine/Filters/A.swift","/p/.build/x/release/Filters.build/DerivedSources/embedded.swift"]
    outputs: ["/p/.build/x/release/Filters.build/A.swift.o"]
    description: "Compiling Swift Module 'Filters'"
    args: ["swiftc","-module-name","Filters","-output-file-map","/p/map.json","-O","-warnings-as-errors","@/p/sources","-I","/p/Modules"]

  "C.tool-x86_64-unknown-linux-gnu-release.exe":
    tool: shell
    description: "Linking ./.build/x/release/tool"
    args: ["swiftc","-o","/p/.build/x/release/tool","@/p/tool.product/Objects.LinkFileList"]
'''
MUTANT = types.SimpleNamespace(
    id="m", path="Sources/G/Filters/LowPass+Law.swift", module="Filters", line=3, kind="constant", original="1", mutated="2")


class Kind:
    """Judges that reach and notice mutants as they are told to."""

    def __init__(self, name, of, reached, noticing=()):
        self.name, self.suite_of, self.tests_of, self.reached, self.noticing, self.asked = name, of, of, reached, noticing, []

    def run(self, names, mutant=0, reached=None, seconds=0):
        self.asked.append((mutant, *names))
        if reached and any(name in self.reached for name in names):
            pathlib.Path(reached).write_bytes(b"\0\0\1")
        bad = mutant and any(name in self.noticing for name in names)
        return judges.Result("check" if bad else "passed", 1)


class FewTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def court(self, verify, tests):
        court = object.__new__(few.Court)
        court.jobs, court.place, court.verify, court.tests, court.until = 1, self.folder, verify, tests, float("inf")
        court.cases = {"a.json": ["a/1"], "b.json": ["b/1"]}
        return court

    def test_only_suites_that_reach_a_mutant_are_asked(self):
        verify = Kind("verify", {}, {"b/1"}, {"a/1", "b/1"})
        tests = Kind("tests", {}, set())
        self.assertEqual(self.court(verify, tests).judge({2: MUTANT}), ["verify"])
        self.assertEqual(verify.asked, [(0, "a/1"), (0, "b/1"), (2, "b/1")])
        self.assertEqual(tests.asked, [])

    def test_then_the_tests_of_the_module_with_the_name_of_the_file(self):
        suites = {"FiltersTests.LowPassTests": [], "FiltersTests.HighPassTests": [], "OtherTests.LowPassTests": []}
        tests = Kind("tests", suites, set(suites), {"FiltersTests.LowPassTests"})
        self.assertEqual(self.court(Kind("verify", {}, set()), tests).judge({2: MUTANT}), ["tests"])
        self.assertEqual(tests.asked, [(0, "FiltersTests.LowPassTests"), (2, "FiltersTests.LowPassTests")])
        del suites["FiltersTests.LowPassTests"]
        self.assertEqual(self.court(Kind("verify", {}, set()), tests)._tests(MUTANT), ["FiltersTests.HighPassTests"])

    def test_nothing_is_begun_when_the_time_is_up(self):
        verify = Kind("verify", {}, {"a/1"}, {"a/1"})
        court = self.court(verify, Kind("tests", {}, set()))
        court.until = 0
        self.assertEqual(court.judge({2: MUTANT}), [few.UNJUDGED])
        self.assertEqual(verify.asked, [(0, "a/1"), (0, "b/1")])

    def test_commands_without_what_goes_into_the_build(self):
        (self.folder / ".build").mkdir()
        (self.folder / ".build/release.yaml").write_text(BUILD)
        commands = few.Commands(self.folder)
        self.assertEqual(
            commands.compile("Filters"), (
                ["swiftc", "-module-name", "Filters", "-O", "-I", "/p/Modules"],
                ["/p/.build/x/release/Filters.build/DerivedSources/embedded.swift"]))
        self.assertEqual(commands.link("tool")[1:], ("/p/tool.product/Objects.LinkFileList", ".build/x/release/tool"))


if __name__ == "__main__":
    unittest.main()
