"""Operators by Swift's precedence.

The grammar has operators and operands in the right order, but not always the right one of them at the top. A chain is
therefore read from left to right and put together anew.
"""

import dataclasses

from . import syntax

# The nodes that a chain is made of.
TYPES = {
    "comparison_expression", "equality_expression", "conjunction_expression", "disjunction_expression",
    "additive_expression", "multiplicative_expression", "bitwise_operation", "infix_expression", "range_expression",
    "nil_coalescing_expression", "ternary_expression", "as_expression", "check_expression",
}

_LEVELS = [
    ("<<", ">>", "&<<", "&>>"),
    ("*", "/", "%", "&*", "&"),
    ("+", "-", "&+", "&-", "|", "^"),
    ("..<", "..."),
    ("as", "as?", "as!", "is"),
    ("??",),
    ("<", "<=", ">", ">=", "==", "!=", "===", "!==", "~="),
    ("&&",),
    ("||",),
    ("?:",),
]
_STRENGTH = {operator: len(_LEVELS) - level for level, row in enumerate(_LEVELS) for operator in row}
_RIGHT = {"??", "?:"}


@dataclasses.dataclass
class Operation:
    """An operator with both its operands. Bytes; `start` to `end` is all of it."""

    operator: str
    start: int
    operator_start: int
    operator_end: int
    end: int


@dataclasses.dataclass
class Operand:
    """What stands between two operators, and the nodes that it is made of."""

    start: int
    end: int
    nodes: list


def is_chain(node):
    """Whether a node is a chain.

    The grammar takes a call for one of all that is left of it, as in `a + b.c()`, and a sign for one of all that is
    right of it, as in `-a + b`.
    """
    if node.type == "prefix_expression":
        return is_chain(node.children[-1])
    if node.type in ("call_expression", "navigation_expression") and node.child_count:
        return is_chain(node.children[0])
    return node.type in TYPES


def operands(node):
    """The parts of a chain that are no operators."""
    return [item for item in _flat(node) if isinstance(item, Operand)]


def operations(node):
    """The operations of a chain, or none where one of its operators is not known."""
    items, result = _flat(node), []
    operators = [item for item in items if isinstance(item, tuple)]
    if any(operator[0] not in _STRENGTH for operator in operators):
        return []
    # Of a ternary condition, what lies between its signs is no part of the chain.
    items = [
        item for item in items
        if isinstance(item, tuple) or not any(start < item.start < end for _, start, end in operators)]
    position = 0

    def climb(weakest):
        nonlocal position
        start, end = items[position].start, items[position].end
        position += 1
        while position < len(items):
            operator, at, after = items[position]
            strength = _STRENGTH[operator]
            if strength < weakest:
                break
            position += 1
            _, end = climb(strength if operator in _RIGHT else strength + 1)
            result.append(Operation(operator, start, at, after, end))
        return start, end

    climb(0)
    return result


def _flat(node):
    """Operands, and operators as (text, start, end), in the order of the source."""
    if not is_chain(node):
        return [_operand(node)]
    parts = syntax.children(node)
    if node.type not in TYPES:
        if node.type == "prefix_expression":
            items = _flat(parts[-1])
            items[0] = Operand(node.start_byte, items[0].end, parts[:1] + items[0].nodes)
            return items
        # A call of the last operand.
        items = _flat(parts[0])
        items[-1] = Operand(items[-1].start, node.end_byte, items[-1].nodes + parts[1:])
        return items
    if node.type == "ternary_expression" and len(parts) == 5:
        condition, mark, middle, colon, other = parts
        return [*_flat(condition), ("?:", mark.start_byte, colon.end_byte), _operand(middle), *_flat(other)]
    if len(parts) == 3:
        left, operator, right = parts
        text = operator.text.decode()
        if text in "<>" and left.end_byte == operator.start_byte:
            # The brackets of a generic type, which the grammar takes for comparisons now and then.
            text = "generic"
        isType = node.type in ("as_expression", "check_expression")
        return [
            *_flat(left), (text, operator.start_byte, operator.end_byte), *([_operand(right)] if isType else _flat(right))]
    # Something that is not known here: one operand.
    return [Operand(node.start_byte, node.end_byte, node.children)]


def _operand(node):
    return Operand(node.start_byte, node.end_byte, [node])
