"""Each kind of mutant makes of a Swift snippet what it should."""

import unittest

from mutation import mutant, swift


def found(text):
    """(kind, original, mutated) of all mutants of a snippet."""
    source = text.encode()
    mutants = swift.mutants("Sources/G/M/File.swift", source)
    mutant.name(mutants, source)
    return [(one.kind, one.original, one.mutated) for one in mutants]


def of(kind, text):
    """(original, mutated) of the mutants of one kind."""
    return {(original, mutated) for name, original, mutated in found(text) if name == kind}


class SwiftTests(unittest.TestCase):
    def test_conditions(self):
        for text in ("if a < b { f() }", "guard a < b else { return }"):
            self.assertEqual(
                of("condition", f"func g() {{ {text} }}"), {("a < b", "!(a < b)"), ("a < b", "false"), ("a < b", "true")})
        self.assertEqual(of("condition", "let x = a ? b : c"), {("a", "!(a)"), ("a", "false"), ("a", "true")})
        # A loop that never ends says little.
        self.assertEqual(of("condition", "func g() { while a { f() } }"), {("a", "!(a)"), ("a", "false")})

    def test_memory_that_is_set_aside(self):
        self.assertEqual(found("func g() { list.reserveCapacity(2 * count) }"), [])

    def test_bindings(self):
        self.assertEqual(of("condition", "func g() { if let a = b { f() } }"), {("", "never: let a = b")})
        self.assertEqual(of("condition", "func g() { if case .a = b { f() } }"), {("", "never: case .a = b")})

    def test_clauses(self):
        self.assertEqual(
            {original for original, _ in of("condition", "func g() { if a, let b = c, !d { f() } }")}, {"a", "", "!d"})

    def test_comparisons(self):
        self.assertEqual(of("comparison", "let x = a < b"), {("a < b", "a <= b")})
        self.assertEqual(of("comparison", "let x = a == b"), {("a == b", "a != b")})

    def test_precedence(self):
        # The grammar takes `1 || z` for an operand of `==`.
        self.assertEqual(of("comparison", "let x = a == 1 || z"), {("a == 1", "a != 1")})
        self.assertEqual(of("logic", "let x = a == 1 || z"), {("a == 1 || z", "a == 1 && z")})
        self.assertEqual(
            of("arithmetic", "let x = a - b * c - d"),
            {("a - b * c", "a + b * c"), ("b * c", "b / c"), ("a - b * c - d", "a - b * c + d")})
        # A sign is for what is next to it, a call for the last operand.
        self.assertEqual(of("arithmetic", "let x = -a + b"), {("-a + b", "-a - b")})
        self.assertEqual(of("sign", "let x = -a + b"), {("-a", "a")})
        self.assertEqual(of("arithmetic", "let x = a - b.c()"), {("a - b.c()", "a + b.c()")})
        self.assertEqual(of("sign", "let x = -a.b(c)"), {("-a.b(c)", "a.b(c)")})

    def test_operators_that_are_not_known(self):
        self.assertEqual(of("arithmetic", "let x = a + b <> c"), set())

    def test_constants(self):
        self.assertEqual(of("constant", "let x = 5"), {("5", "6"), ("5", "4")})
        self.assertEqual(of("constant", "let x = 0.5"), {("0.5", "0.5 + 1"), ("0.5", "0.5 * 1.01")})
        self.assertEqual(of("constant", "let x = true"), {("true", "false")})
        self.assertEqual(of("constant", "let x = a.0"), set())

    def test_ranges(self):
        self.assertEqual(of("range", "func g() { for i in 0..<n { f(i) } }"), {("0..<n", "0...n")})
        self.assertEqual(of("range", "let x = a[0...n]"), {("0...n", "0..<n")})

    def test_dropped(self):
        text = "func g() { reset(); x = 1; try f(2); while a { if b { continue }; h() } }"
        self.assertEqual(of("dropped reset", text), {("reset()", "")})
        self.assertEqual(of("dropped call", text), {("try f(2)", ""), ("h()", "")})
        self.assertEqual(of("dropped assignment", text), {("x = 1", "")})
        self.assertEqual(of("dropped exit", text), {("continue", "")})
        # The only statement is the result; a guard has to leave.
        self.assertEqual(of("dropped call", "func g() -> Int { f(2) }"), set())
        self.assertEqual(of("dropped call", "let x = a.map { f($0) }"), set())
        self.assertEqual(of("dropped exit", "func g() { guard a else { return }; f() }"), set())

    def test_swapped(self):
        self.assertEqual(of("swapped arguments", "let x = f(a, to: b)"), {("f(a, to: b)", "f(b, to: a)")})
        self.assertEqual(of("channel", "let x = gains.left"), {("gains.left", "gains.right")})
        self.assertEqual(of("limit", "let x = min(a, b)"), {("min(a, b)", "max(a, b)")})
        self.assertEqual(of("swapped arguments", "let x = min(a, b)"), set())

    def test_returns(self):
        self.assertEqual(of("return value", "func g() -> Int { let y = 2; return y }"), {("y", "0")})
        self.assertEqual(of("return value", "func g() -> Bool { a.b }"), {("a.b", "true"), ("a.b", "false")})
        self.assertEqual(of("return value", "func g() -> Int? { a.b }"), {("a.b", "nil")})
        self.assertEqual(of("early return", "func g() { a(); b() }"), {("func g()", "return at once")})
        self.assertEqual(of("default", "let x = a ?? b"), {("a ?? b", "b")})

    def test_what_is_left_alone(self):
        for text in (
                'let x = "a \\(b + 1)"', "func g() { precondition(a < 1) }",
                "var description: String { f(1 + 2) }", "enum E { case a = 1 }", "class A { deinit { a = 1 + 2 } }",
                'func g() { throw BenchError(.input, "a", at: 1 + 2) }'):
            self.assertEqual(found(text), [], text)

    def test_ids_outlive_edits_elsewhere(self):
        def ids(text):
            source = text.encode()
            mutants = swift.mutants("Sources/G/M/File.swift", source)
            mutant.name(mutants, source)
            return [one.id for one in mutants]
        self.assertEqual(ids("let x = 5\nlet y = a < b"), ids("// Moved.\n\nlet x = 5\n\nlet y = a < b"))
        same = ids("f(1)\nf(1)")
        self.assertEqual(len(same), len(set(same)))


if __name__ == "__main__":
    unittest.main()
