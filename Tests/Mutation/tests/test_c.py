"""Each kind of mutant makes of a C snippet what it should."""

import unittest

from mutation import c


def of(kind, statements):
    """(original, mutated) of the mutants of one kind, in a function of these statements."""
    source = f"#define A 3\nstatic const int table[] = {{1, 2}};\nvoid NAME(run)(int a) {{ {statements} }}\n".encode()
    return {(one.original, one.mutated) for one in c.mutants("Sources/G/M/file.c", source) if one.kind == kind}


class CTests(unittest.TestCase):
    def test_conditions(self):
        self.assertEqual(
            of("condition", "if (a < b) f();"), {("a < b", "!(a < b)"), ("a < b", "false"), ("a < b", "true")})
        self.assertEqual(of("condition", "for (;a < b;) f();"), {("a < b", "false")})

    def test_operators(self):
        self.assertEqual(of("arithmetic", "x = a - b * c;"), {("a - b * c", "a + b * c"), ("b * c", "b / c")})
        self.assertEqual(of("comparison", "x = a >= b;"), {("a >= b", "a > b")})
        self.assertEqual(of("logic", "x = a && b;"), {("a && b", "a || b")})
        self.assertEqual(of("sign", "x = -a;"), {("-a", "a")})
        self.assertEqual(of("arithmetic", "x += a;"), {("x += a", "x -= a")})

    def test_constants_inside_of_functions_only(self):
        self.assertEqual(of("constant", "x = 5;"), {("5", "5 + 1"), ("5", "5 - 1")})
        self.assertEqual(of("constant", "x = 0.5f;"), {("0.5f", "0.5f + 1"), ("0.5f", "0.5f * 1.01")})
        self.assertEqual(of("constant", "static const int x = 5;"), set())

    def test_statements(self):
        self.assertEqual(of("dropped call", "f(a);"), {("f(a);", "")})
        self.assertEqual(of("dropped assignment", "x = a;"), {("x = a;", "")})
        self.assertEqual(of("return value", "return a;"), {("a", "0")})
        self.assertEqual(of("swapped arguments", "f(a, b);"), {("f(a, b)", "f(b, a)")})
        self.assertEqual(of("swapped arguments", "x = _mm256_or_si256(a, b);"), set())
        self.assertEqual(of("swapped arguments", "x = _mm_sub_ps(a, b);"), {("_mm_sub_ps(a, b)", "_mm_sub_ps(b, a)")})


if __name__ == "__main__":
    unittest.main()
