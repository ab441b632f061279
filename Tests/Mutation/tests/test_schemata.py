"""The switch leaves what is there as it is, and nests."""

import unittest

from mutation import schemata, swift

HEAD = "import CMutation; "


def written(text, *wanted):
    """A snippet with the mutants (kind, mutated) in it, numbered from 1."""
    source = text.encode()
    mutants = swift.mutants("Sources/G/M/File.swift", source)
    chosen = [next(one for one in mutants if (one.kind, one.mutated) == pair) for pair in wanted]
    return schemata.write("Sources/G/M/File.swift", source, list(enumerate(chosen, 1)))


class SchemataTests(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(written("let x = a < b").text.decode(), HEAD + "let x = a < b")

    def test_expression(self):
        one = written("let x = a < b", ("comparison", "a <= b"))
        self.assertEqual(one.text.decode(), HEAD + "let x = (aubench_mutant(1) ? (a <= b) : (a < b))")

    def test_nested_mutants_repeat_the_original(self):
        one = written("let x = a < 5", ("constant", "6"), ("comparison", "a <= 5"))
        self.assertEqual(
            one.text.decode(),
            HEAD + "let x = (aubench_mutant(2) ? (a <= 5) : (a < (aubench_mutant(1) ? (6) : (5))))")

    def test_two_at_one_place(self):
        one = written("let x = 5", ("constant", "6"), ("constant", "4"))
        self.assertEqual(
            one.text.decode(), HEAD + "let x = (aubench_mutant(1) ? (6) : ((aubench_mutant(2) ? (4) : (5))))")

    def test_statement_and_condition(self):
        one = written("func g() { if a { f(1) } }", ("dropped call", ""), ("condition", "!(a)"), ("constant", "2"))
        self.assertEqual(
            one.text.decode(),
            HEAD + "func g() { if aubench_flip(2, a) { if !aubench_mutant(1) { f((aubench_mutant(3) ? (2) : (1))) } } }")

    def test_binding_and_early_return(self):
        one = written(
            "func g() { if let a = b { f() }; h() }", ("condition", "never: let a = b"), ("early return", "return at once"))
        self.assertEqual(
            one.text.decode(),
            HEAD + "func g() { if aubench_mutant(2) { return }; if !aubench_mutant(1), let a = b { f() }; h() }")

    def test_places(self):
        one = written("let y = 1\nlet x = 5", ("constant", "6"))
        self.assertEqual(one.places, {1: ((2, 9), (2, 9 + len("(aubench_mutant(1) ? (6) : (5))")))})

    def test_range(self):
        one = written("let x = a[0..<n - 1]", ("range", "0...n - 1"))
        self.assertEqual(one.text.decode(), HEAD + "let x = a[0..<((n - 1) + (aubench_mutant(1) ? 1 : 0))]")


if __name__ == "__main__":
    unittest.main()
