"""Which mutants a C file has: those inside of functions."""

import re

from . import syntax
from .mutant import NUMBER, SWITCH, Mutant

_OTHER = {
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "&&": "||",
    "||": "&&", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
}
_KIND = {
    **dict.fromkeys(["&&", "||"], "logic"),
    **dict.fromkeys(["==", "!=", "<", "<=", ">", ">="], "comparison"),
}
_OTHER_ASSIGNMENT = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<="}
_SKIPPED = {
    "string_literal", "char_literal", "attribute_specifier", "type_descriptor", "array_declarator", "preproc_def",
    "preproc_function_def", "preproc_call", "preproc_include", "case_statement_value", "type_definition",
    "struct_specifier", "enum_specifier", "ERROR", "initializer_list", "sizeof_expression",
}
# The order of their arguments makes no difference.
_SYMMETRIC = re.compile(rb"min|max|_mm\d*_(or|and|xor|add|mul|cmpeq|cmpord)_\w+")


def mutants(path, source):
    """All mutants of a file: `path` in the package, `source` as bytes."""
    finder = _Finder(path, source)
    finder.visit(syntax.c(source), False)
    return finder.result


class _Finder:
    def __init__(self, path, source):
        self.path, self.source, self.result = path, source, []

    def _put(self, kind, node, before, after, mutated):
        start, end = node.start_byte, node.end_byte
        self.result.append(
            Mutant(self.path, start, end, kind, before, after, syntax.shown(self.source, start, end), mutated))

    def _replace(self, kind, node, text):
        self._put(kind, node, f"({SWITCH} ? ({text}) : (", "))", " ".join(text.split()))

    def _text(self, start, end):
        return self.source[start:end].decode()

    def visit(self, node, inside):
        if node.type in _SKIPPED or node.type == "declaration" and node.text.startswith(b"static"):
            return
        inside = inside or node.type == "compound_statement"
        if inside:
            method = getattr(self, "_" + node.type, None)
            if method is not None:
                method(node)
        for child in node.children:
            if node.type == "case_statement" and child == node.child_by_field_name("value"):
                continue
            self.visit(child, inside)

    def _binary_expression(self, node):
        operator = node.child_by_field_name("operator")
        text = operator.text.decode()
        if text in _OTHER:
            mutated = self._text(node.start_byte, operator.start_byte) + _OTHER[text] + (
                self._text(operator.end_byte, node.end_byte))
            self._replace(_KIND.get(text, "arithmetic"), node, mutated)

    def _unary_expression(self, node):
        if node.child_by_field_name("operator").text in (b"-", b"~"):
            self._replace("sign", node, node.child_by_field_name("argument").text.decode())

    def _number_literal(self, node):
        text = node.text.decode()
        plain = text.rstrip("uUlLfF") if not text.startswith("0x") else text.rstrip("uUlL")
        if any(sign in plain for sign in ".eE") and not plain.startswith("0x"):
            self._replace("constant", node, f"{text} + 1")
            if float(plain) != 0:
                self._replace("constant", node, f"{text} * 1.01")
        elif "p" not in plain and len(plain) <= 6:
            self._replace("constant", node, f"{text} + 1")
            self._replace("constant", node, f"{text} - 1")

    def _condition(self, node, loops=False):
        if node is None:
            return
        if node.type == "parenthesized_expression":
            node = node.children[1]
        text = syntax.shown(self.source, node.start_byte, node.end_byte)
        self._put("condition", node, f"aubench_flip({NUMBER}, ", ")", f"!({text})")
        self._put("condition", node, f"aubench_false({NUMBER}, ", ")", "false")
        if not loops:
            self._put("condition", node, f"aubench_true({NUMBER}, ", ")", "true")

    def _if_statement(self, node):
        self._condition(node.child_by_field_name("condition"))

    def _conditional_expression(self, node):
        self._condition(node.child_by_field_name("condition"))

    def _while_statement(self, node):
        self._condition(node.child_by_field_name("condition"), loops=True)

    def _for_statement(self, node):
        condition = node.child_by_field_name("condition")
        if condition is not None:
            self._put("condition", condition, f"aubench_false({NUMBER}, ", ")", "false")

    def _expression_statement(self, node):
        inner = node.children[0]
        if inner.type == "call_expression":
            self._put("dropped call", node, f"if (!{SWITCH}) {{ ", " }", "")
        elif inner.type in ("assignment_expression", "update_expression"):
            self._put("dropped assignment", node, f"if (!{SWITCH}) {{ ", " }", "")

    def _continue_statement(self, node):
        self._put("dropped exit", node, f"if (!{SWITCH}) {{ ", " }", "")

    def _assignment_expression(self, node):
        operator = node.child_by_field_name("operator")
        other = _OTHER_ASSIGNMENT.get(operator.text.decode())
        if other and node.parent.type == "expression_statement":
            mutated = self._text(node.start_byte, operator.start_byte) + other + self._text(operator.end_byte, node.end_byte)
            self._replace("arithmetic", node, mutated)

    def _return_statement(self, node):
        parts = syntax.children(node)
        if len(parts) == 3 and parts[1].text != b"0":
            self._replace("return value", parts[1], "0")

    def _call_expression(self, node):
        arguments = [part for part in node.child_by_field_name("arguments").children if part.is_named]
        for first, second in zip(arguments, arguments[1:]):
            if first.text == second.text or _SYMMETRIC.fullmatch(node.child_by_field_name("function").text):
                continue
            mutated = (
                self._text(node.start_byte, first.start_byte) + second.text.decode()
                + self._text(first.end_byte, second.start_byte) + first.text.decode()
                + self._text(second.end_byte, node.end_byte))
            self._replace("swapped arguments", node, mutated)
