"""Who is asked, in which order, and what is kept."""

import pathlib
import tempfile
import types
import unittest

from mutation import judges, judging, sample


class Kind:
    """Judges that notice what they are told to."""

    def __init__(self, name, seconds, noticing, broken=()):
        self.name, self.all, self.noticing, self.broken, self.asked = name, seconds, noticing, broken, []

    def judges(self):
        return list(self.all)

    def run(self, group, mutant=0, seconds=0, reached=None):
        self.asked.append((mutant, *group))
        for one in group:
            if one in self.broken or mutant and one in self.noticing:
                return judges.Result("check", 1, f"{one}: wrong")
        return judges.Result("passed", 1)


class Coverage:
    def __init__(self, reaching, seconds):
        self.of, self.times = reaching, seconds

    def reaching(self, kind, mutant_id):
        return self.of[kind.name]

    def seconds(self, kind, judge):
        return self.times[judge]


def court(folder, verify, tests, reaching):
    coverage = Coverage(reaching, {**verify.all, **tests.all})
    return judging.Court(verify, tests, coverage, judging.Results(pathlib.Path(folder) / "r.jsonl"), "tree")


MUTANT = types.SimpleNamespace(id="m", path="Sources/G/A/B.swift", line=3, kind="constant")


class JudgingTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_cheapest_first_and_the_first_failure_ends_it(self):
        verify = Kind("verify", {"slow": 9, "quick": 0.1, "other": 3}, {"quick", "slow"})
        one = court(self.folder, verify, Kind("tests", {}, set()), {"verify": ["slow", "quick"]})
        row = one.judge(7, MUTANT, "judged", False)
        self.assertEqual((row["verdict"], row["by"], row["judge"]), ("check", "verify", "quick"))
        self.assertEqual(verify.asked, [(7, "quick")])

    def test_unit_tests_are_asked_about_what_the_cases_let_pass(self):
        verify = Kind("verify", {"a": 1}, set())
        tests = Kind("tests", {"t": 1}, {"t"})
        row = court(self.folder, verify, tests, {"verify": ["a"], "tests": ["t"]}).judge(7, MUTANT, "judged", True)
        self.assertEqual((row["verdict"], row["by"]), ("check", "tests"))
        self.assertEqual(verify.asked, [(7, "a")])

    def test_what_one_kind_has_passed_goes_to_the_other_for_judges_too(self):
        verify = Kind("verify", {"a": 1}, set())
        tests = Kind("tests", {"t": 1}, {"t"})
        row = court(self.folder, verify, tests, {"verify": ["a"], "tests": ["t"]}).judge(7, MUTANT, "judges", True)
        self.assertEqual((row["verdict"], row["by"], verify.asked), ("check", "tests", [(7, "a")]))

    def test_results_outlive_the_run(self):
        tests = Kind("tests", {"t": 1}, set())
        first = court(self.folder, Kind("verify", {}, set()), tests, {"verify": [], "tests": ["t"]})
        self.assertTrue(first.needs(MUTANT, True, False))
        first.judge(7, MUTANT, "judges", True)
        with (pathlib.Path(self.folder) / "r.jsonl").open("a") as file:
            file.write('{"id": "half')
        again = court(self.folder, Kind("verify", {}, set()), tests, {"verify": [], "tests": ["t"]})
        self.assertFalse(again.needs(MUTANT, True, False))

    def test_a_judge_that_fails_without_the_mutant_says_nothing(self):
        verify = Kind("verify", {"a": 1}, set(), broken={"a"})
        one = court(self.folder, verify, Kind("tests", {}, set()), {"verify": ["a"]})
        verdicts = [one.judge(7, MUTANT, "judged", False)["verdict"] for _ in range(10)]
        self.assertEqual(verdicts, ["check"] * 9 + ["unsure"])


class ResultsTests(unittest.TestCase):
    def test_what_was_caught_is_kept_beside_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            first = judging.Results(place / "r.jsonl", place / "caught/1.tsv")
            one = {"id": "a", "file": "f.swift", "line": 3, "kind": "sign", "group": "judged", "tree": "t"}
            first.add(one | {"verdict": "check", "by": "verify", "judge": "suite/case"})
            first.add(one | {"id": "b", "verdict": "survived"})
            first.add(one | {"id": "c", "verdict": "unsure", "by": "tests", "judge": "T"})
            first.keep()
            again = judging.Results(place / "other.jsonl", place / "caught/1.tsv")
            self.assertEqual(list(again.rows), ["a"])
            self.assertEqual((again.rows["a"]["by"], again.rows["a"]["line"]), ("verify", 3))
            # What is newer counts.
            again.add(one | {"verdict": "survived"})
            self.assertEqual(judging.Results(place / "other.jsonl", place / "caught/1.tsv").rows["a"]["verdict"], "survived")


class SampleTests(unittest.TestCase):
    def test_a_sample_is_the_seed_s(self):
        every = [types.SimpleNamespace(id=str(number)) for number in range(100)]
        first = sample.draw(every, "1", 10, {})
        self.assertEqual(first, sample.draw(list(reversed(every)), "1", 10, {}))
        self.assertNotEqual(first, sample.draw(every, "2", 10, {}))
        self.assertEqual(sample.draw(every, "1", 10, {first[0].id})[:9], first[1:])
        second = sample.draw(every, "1 second", 10, {}, {one.id for one in first})
        self.assertFalse({one.id for one in first} & {one.id for one in second})


if __name__ == "__main__":
    unittest.main()
