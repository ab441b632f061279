"""Which mutants a Swift file has."""

from . import chains, syntax
from .mutant import NUMBER, SWITCH, Mutant

# Not looked into: what is no program, what only people read, what ends the program on a broken promise of its own.
_SKIPPED = {
    "import_declaration", "attribute", "modifiers", "user_type", "type_annotation", "tuple_type", "array_type",
    "optional_type", "function_type", "inheritance_specifier", "type_arguments", "type_parameters", "type_constraints",
    "line_string_literal", "multi_line_string_literal", "raw_string_literal", "regex_literal", "key_path_expression",
    "enum_entry", "deinit_declaration", "directive", "throws_clause", "availability_condition", "ERROR",
}
_SKIPPED_CALLS = {
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "BenchError", "print", "#available",
    "reserveCapacity",
}
# Dropping these is not seen in what a program does: memory that is freed or set aside.
_UNSEEN_CALLS = {
    "deallocate", "deinitialize", "free", "reserveCapacity", "withExtendedLifetime", "defer", "init", "yield",
}
# The order of their arguments makes no difference.
_SYMMETRIC = {"min", "max", "hypot", "swap"}
_SKIPPED_PROPERTIES = {"description", "debugDescription", "errorDescription"}
_SKIPPED_FUNCTIONS = {"hash"}

_OTHER = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "&+": ["&-"], "&-": ["&+"], "&*": ["&+"],
    "<<": [">>"], ">>": ["<<"], "&<<": ["&>>"], "&>>": ["&<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="], "===": ["!=="], "!==": ["==="],
    "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"],
}
_KIND = {
    **dict.fromkeys(["&&", "||"], "logic"),
    **dict.fromkeys(["==", "!=", "===", "!==", "<", "<=", ">", ">="], "comparison"),
}
_OTHER_ASSIGNMENT = {
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "*=", "&+=": "&-=", "&-=": "&+=", "|=": "&=", "&=": "|=",
    "^=": "|=", "<<=": ">>=", ">>=": "<<=",
}
_NUMBERS = {"Int", "Int64", "Int32", "UInt32", "UInt64", "Double", "Float", "UInt8", "Int16", "UInt16", "UInt", "OSStatus"}


def mutants(path, source):
    """All mutants of a file: `path` in the package, `source` as bytes."""
    return _Finder(path, source).found()


class _Finder:
    def __init__(self, path, source):
        self.path, self.source, self.result = path, source, []

    def found(self):
        self._visit(syntax.swift(self.source))
        return self.result

    # What is made of a place.

    def _text(self, start, end):
        return self.source[start:end].decode()

    def _put(self, kind, start, end, before, after, mutated):
        self.result.append(
            Mutant(self.path, start, end, kind, before, after, syntax.shown(self.source, start, end), mutated))

    def _replace(self, kind, start, end, text):
        """Another expression."""
        # `try` stands left of what it is for, in parentheses of its own.
        self._put(kind, start, end, f"({SWITCH} ? ({text}) : (", "))", " ".join(text.split()))

    def _condition(self, start, end, loops=False):
        text = syntax.shown(self.source, start, end)
        self._put("condition", start, end, f"aubench_flip({NUMBER}, ", ")", f"!({text})")
        self._put("condition", start, end, f"aubench_false({NUMBER}, ", ")", "false")
        if not loops:
            self._put("condition", start, end, f"aubench_true({NUMBER}, ", ")", "true")

    # The tree.

    def _visit(self, node):
        if node.type in _SKIPPED:
            return
        if chains.is_chain(node):
            return self._chain(node)
        method = getattr(self, "_" + node.type, None)
        if method is not None and method(node) is False:
            return
        self._visitAll(node)

    def _visitAll(self, node):
        for child in node.children:
            self._visit(child)

    def _chain(self, node):
        for operation in chains.operations(node):
            start, end = operation.start, operation.end
            left, right = self._text(start, operation.operator_start), self._text(operation.operator_end, end)
            for other in _OTHER.get(operation.operator, []):
                self._replace(_KIND.get(operation.operator, "arithmetic"), start, end, left + other + right)
            if operation.operator == "??":
                self._replace("default", start, end, right.strip())
            elif operation.operator == "?:":
                self._ternary(operation)
            elif operation.operator in ("..<", "..."):
                self._range(operation)
        for operand in chains.operands(node):
            if len(operand.nodes) > 1 and operand.nodes[0].type == "-":
                self._replace("sign", operand.start, operand.end, self._text(operand.start + 1, operand.end))
            for part in operand.nodes:
                self._visit(part)

    def _ternary(self, operation):
        self._condition(operation.start, self._trimmed(operation.start, operation.operator_start))

    def _trimmed(self, start, end):
        """Where the text before `end` ends, without white space."""
        while end > start and self.source[end - 1:end].isspace():
            end -= 1
        return end

    def _range(self, operation):
        start, end = operation.operator_end, operation.end
        text = syntax.shown(self.source, operation.start, operation.end)
        closed = operation.operator == "..."
        change = f"{'-' if closed else '+'} ({SWITCH} ? 1 : 0)"
        while self.source[start:start + 1].isspace():
            start += 1
        mutated = text.replace("...", "..<", 1) if closed else text.replace("..<", "...", 1)
        self.result.append(Mutant(self.path, start, end, "range", "((", f") {change})", text, mutated))

    def _if_statement(self, node):
        self._conditions(node, {"if"}, {"{"})

    def _guard_statement(self, node):
        self._conditions(node, {"guard"}, {"else"})

    def _while_statement(self, node):
        self._conditions(node, {"while"}, {"{"}, loops=True)

    def _repeat_while_statement(self, node):
        parts = syntax.children(node)
        at = [index for index, part in enumerate(parts) if part.type == "while"]
        if at and at[-1] + 1 < len(parts):
            self._put(
                "condition", parts[at[-1] + 1].start_byte, parts[-1].end_byte, f"aubench_false({NUMBER}, ", ")", "false")

    def _conditions(self, node, first, last, loops=False):
        """The clauses of a statement, between commas."""
        clause, began = [], False
        for part in syntax.children(node):
            if part.type in first and not began:
                began = True
            elif part.type in last or (part.type == "," and began):
                self._clause(clause, loops)
                clause = []
                if part.type in last:
                    break
            elif began:
                clause.append(part)

    def _clause(self, clause, loops):
        if not clause or clause[0].type in ("availability_condition", "boolean_literal") or "#" in clause[0].type:
            return
        start, end = clause[0].start_byte, clause[-1].end_byte
        text = self.source[start:end]
        if clause[0].type in ("value_binding_pattern", "case") or text.startswith((b"let ", b"var ", b"case ")):
            # A binding that never succeeds.
            self._put("condition", start, start, f"!{SWITCH}, ", "", "never: " + syntax.shown(self.source, start, end))
        else:
            self._condition(start, end, loops)

    def _where_clause(self, node):
        self._where(syntax.children(node)[1:])

    def _switch_entry(self, node):
        parts = syntax.children(node)
        for index, part in enumerate(parts):
            if part.type == "where_keyword":
                self._where(parts[index + 1:index + 2])

    def _where(self, parts):
        if parts and "type" not in parts[0].type and "constraint" not in parts[0].type:
            self._condition(parts[0].start_byte, parts[-1].end_byte)

    def _statements(self, node):
        parts = syntax.children(node)
        isAlone = len(parts) == 1
        for part in parts:
            self._statement(part, isAlone)

    def _statement(self, part, isAlone):
        start, end = part.start_byte, part.end_byte
        text = self._text(start, end)
        if part.type in ("call_expression", "try_expression"):
            name = self._called(part)
            if name in _SKIPPED_CALLS or name in _UNSEEN_CALLS or name is None or isAlone and _isValue(part):
                return
            isReset = any(word in name.lower() for word in ("reset", "clear", "removeall", "zero"))
            self._drop("dropped reset" if isReset else "dropped call", start, end, text)
        elif part.type == "assignment" or part.type == "infix_expression" and self._assignment(part):
            if not _isIn(part, {"init_declaration"}):
                self._drop("dropped assignment", start, end, text)
            operator = part.child_by_field_name("operator") or part.child_by_field_name("op")
            other = operator and _OTHER_ASSIGNMENT.get(operator.text.decode())
            if other:
                mutated = self._text(start, operator.start_byte) + other + self._text(operator.end_byte, end)
                self._put(
                    "arithmetic", start, end, f"if {SWITCH} {{ {mutated} }} else {{ ", " }", " ".join(mutated.split()))
        elif part.type == "control_transfer_statement":
            word = text.split()[0]
            if word in ("continue", "break", "throw") or word == "return":
                inGuard = _parent(part, 2, "guard_statement")
                isLast = _parent(part, 2, "function_body", "computed_property", "lambda_literal", "init_declaration")
                isOnlyBreak = word == "break" and isAlone and _parent(part, 2, "switch_entry")
                if not (inGuard or isLast or isOnlyBreak):
                    self._drop("dropped exit", start, end, text)

    def _assignment(self, node):
        operator = node.child_by_field_name("op")
        text = operator.text.decode() if operator else ""
        return text.endswith("=") and text not in ("==", "!=", "<=", ">=", "===", "!==", "~=", ".==", ".!=", ".<=", ".>=")

    def _drop(self, kind, start, end, text):
        self._put(kind, start, end, f"if !{SWITCH} {{ ", " }", "")

    def _called(self, node):
        """The last word of what is called; none where it cannot be told."""
        while node.type in ("try_expression", "await_expression"):
            parts = syntax.children(node)
            if not parts:
                return None
            node = parts[-1]
        if node.type != "call_expression" or self.source[node.end_byte - 1:node.end_byte] == b"]":
            return None
        text = self.source[node.start_byte:syntax.children(node)[-1].start_byte].decode()
        words = "".join(one if one.isalnum() or one in "_#" else " " for one in text).split()
        return words[-1] if words else None

    def _call_expression(self, node):
        if self._called(node) in _SKIPPED_CALLS:
            return False
        parts = syntax.children(node)
        suffix = parts[-1]
        arguments = [part for part in suffix.children if part.type == "value_arguments"]
        if not arguments or arguments[0].children[0].type != "(":
            return
        values = [part for part in arguments[0].children if part.type == "value_argument"]
        name = self._called(node)
        isStatement = node.parent is not None and node.parent.type == "statements"
        for first, second in zip(values, values[1:]):
            if name in _SYMMETRIC:
                break
            one, other = _value(first), _value(second)
            if one is None or other is None or not _alike(one, other) or one.text == other.text:
                continue
            mutated = (
                self._text(node.start_byte, one.start_byte) + other.text.decode()
                + self._text(one.end_byte, other.start_byte) + one.text.decode()
                + self._text(other.end_byte, node.end_byte))
            if isStatement:
                self._put(
                    "swapped arguments", node.start_byte, node.end_byte, f"if {SWITCH} {{ {mutated} }} else {{ ", " }",
                    " ".join(mutated.split()))
            else:
                self._replace("swapped arguments", node.start_byte, node.end_byte, mutated)
        if name in ("min", "max") and parts[0].type == "simple_identifier" and len(values) >= 2:
            mutated = ("max" if name == "min" else "min") + self._text(parts[0].end_byte, node.end_byte)
            self._replace("limit", node.start_byte, node.end_byte, mutated)

    def _navigation_suffix(self, node):
        word = node.text.decode()
        other = {".left": ".right", ".right": ".left"}.get(word)
        whole = node.parent
        if other and whole is not None and not _isIn(whole, {"directly_assignable_expression"}):
            self._replace("channel", whole.start_byte, whole.end_byte, self._text(whole.start_byte, node.start_byte) + other)
        return False

    def _prefix_expression(self, node):
        parts = syntax.children(node)
        sign = parts[0].text.decode()
        if sign == "." or sign == "&":
            return sign != "."
        if sign in ("-", "~"):
            # What follows belongs to the operand: -a.b(c).
            whole = node
            while whole.parent is not None and whole.parent.type in ("call_expression", "navigation_expression") and (
                    whole.parent.start_byte == node.start_byte):
                whole = whole.parent
            self._replace("sign", whole.start_byte, whole.end_byte, self._text(parts[0].end_byte, whole.end_byte))

    def _integer_literal(self, node):
        text = node.text.decode()
        if _parent(node, 1, "navigation_suffix", "value_argument_label") or text.startswith("0x") and len(text) > 6:
            return
        value = int(text.replace("_", ""), 0) if not text.startswith("0") or not text.isdigit() else int(text)
        for other in (value + 1, value - 1):
            self._replace("constant", node.start_byte, node.end_byte, str(other))

    _hex_literal = _integer_literal

    def _real_literal(self, node):
        text = node.text.decode()
        if "0x" in text:
            return
        self._replace("constant", node.start_byte, node.end_byte, f"{text} + 1")
        if float(text.replace("_", "")) != 0:
            self._replace("constant", node.start_byte, node.end_byte, f"{text} * 1.01")

    def _boolean_literal(self, node):
        text = node.text.decode()
        if _parent(node, 1, "while_statement"):
            return
        self._replace("constant", node.start_byte, node.end_byte, "false" if text == "true" else "true")

    def _control_transfer_statement(self, node):
        parts = syntax.children(node)
        if parts and parts[0].type == "throw_keyword":
            return False
        if len(parts) == 2 and parts[0].type == "return":
            self._returned(node, parts[1])

    def _function_declaration(self, node):
        name = node.child_by_field_name("name")
        if name is not None and name.text.decode() in _SKIPPED_FUNCTIONS:
            return False
        body = node.child_by_field_name("body")
        if body is None:
            return False
        statements = [part for part in body.children if part.type == "statements"]
        if not statements:
            return
        if self._returnType(node) is None:
            if len(syntax.children(statements[0])) > 1:
                at = statements[0].start_byte
                signature = syntax.shown(self.source, node.start_byte, body.start_byte)
                self.result.append(
                    Mutant(self.path, at, at, "early return", f"if {SWITCH} {{ return }}; ", "", signature, "return at once"))
        else:
            alone = syntax.children(statements[0])
            if len(alone) == 1 and alone[0].type not in (
                    "control_transfer_statement", "if_statement", "switch_statement", "call_expression"):
                self._returned(node, alone[0], node)

    def _returnType(self, function):
        parts = function.children
        for index, part in enumerate(parts):
            if part.type == "->":
                return parts[index + 1].text.decode()
        return None

    def _returned(self, node, value, function=None):
        """Another result than the one that was worked out."""
        if function is None:
            for outer in syntax.ancestors(node):
                if outer.type in ("lambda_literal", "computed_property", "init_declaration", "getter_specifier"):
                    return
                if outer.type == "function_declaration":
                    function = outer
                    break
        if function is None:
            return
        kind, text = self._returnType(function) or "", value.text.decode()
        others = []
        if kind in _NUMBERS:
            others = ["0"]
        elif kind == "Bool":
            others = ["true", "false"]
        elif kind.endswith("?"):
            others = ["nil"]
        elif kind.startswith("[") and ":" not in kind:
            others = ["[]"]
        for other in others:
            if text not in (other, "true", "false", "0", "noErr", "nil", "[]"):
                self._replace("return value", value.start_byte, value.end_byte, other)

    def _property_declaration(self, node):
        name = node.child_by_field_name("name")
        if name is not None and name.text.decode() in _SKIPPED_PROPERTIES:
            return False


def _value(argument):
    return argument.child_by_field_name("value")


_LITERALS = {"integer_literal": "number", "real_literal": "number", "hex_literal": "number", "boolean_literal": "truth"}


def _alike(one, other):
    """Whether two arguments may have the same type: otherwise they need not be tried."""
    kinds = []
    for node in (one, other):
        if node.type in ("lambda_literal", "line_string_literal", "array_literal", "prefix_expression", "nil_literal"):
            return False
        kinds.append(_LITERALS.get(node.type, "any"))
    return "truth" not in kinds and not (kinds == ["number", "number"] and one.text == other.text)


def _parent(node, steps, *types):
    for _ in range(steps):
        node = node.parent
        if node is None:
            return False
        if node.type in types:
            return True
    return False


def _isIn(node, types):
    for outer in syntax.ancestors(node):
        if outer.type in types:
            return True
        if outer.type == "statements":
            if types == {"init_declaration"}:
                continue
            return False
        if outer.type in ("function_declaration", "class_declaration"):
            return False
    return False


def _isValue(statement):
    """Whether the only statement of a body is its value."""
    body = statement.parent.parent
    if body is None:
        return False
    if body.type in ("computed_property", "lambda_literal"):
        return True
    if body.type == "function_body":
        return any(part.type == "->" for part in body.parent.children)
    return False
