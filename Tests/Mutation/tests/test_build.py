"""Errors of the compiler find the mutants that they are about."""

import unittest

from mutation import build, schemata, swift

TEXT = """\
func g() {
  let a: Int
  a = f(1)
  let b = h(a, 2)
}
func other() { f(3) }
"""


def guilty(line, column_of, *wanted):
    """Which of the wanted mutants (kind, mutated) an error is about, that is told of at a word of a line."""
    mutants = swift.mutants("Sources/G/M/F.swift", TEXT.encode())
    chosen = [next(one for one in mutants if (one.kind, one.mutated) == pair) for pair in wanted]
    numbered = dict(enumerate(chosen, 1))
    written = {"Sources/G/M/F.swift": schemata.write("Sources/G/M/F.swift", TEXT.encode(), list(numbered.items()))}
    column = written["Sources/G/M/F.swift"].text.decode().splitlines()[line - 1].index(column_of) + 1
    return set(build._guilty(written, [("Sources/G/M/F.swift", line, column, "error")], numbered))


class BuildTests(unittest.TestCase):
    def test_the_innermost_around_the_place(self):
        self.assertEqual(guilty(4, "(3)", ("swapped arguments", "h(2, a)"), ("constant", "3")), {2})

    def test_what_an_outer_one_repeats_is_its_own(self):
        self.assertEqual(guilty(4, "h(2, a)", ("swapped arguments", "h(2, a)"), ("constant", "3")), {1})

    def test_the_line(self):
        self.assertEqual(guilty(4, "let b", ("swapped arguments", "h(2, a)"), ("constant", "4")), {1})

    def test_what_is_left_out_of_the_function(self):
        self.assertEqual(guilty(5, "}", ("dropped assignment", ""), ("constant", "3"), ("constant", "4")), {1})


if __name__ == "__main__":
    unittest.main()
