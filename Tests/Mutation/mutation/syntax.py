"""Swift and C as trees."""

import re

import tree_sitter
import tree_sitter_c
import tree_sitter_swift

_SWIFT = tree_sitter.Parser(tree_sitter.Language(tree_sitter_swift.language()))
_C = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))


def swift(source):
    """The root node of a Swift source (bytes)."""
    return _SWIFT.parse(source).root_node


def c(source):
    """The root node of a C source (bytes).

    `NAME(x)`, with which the kernels' templates name what they define, is read as one word of the same length.
    """
    return _C.parse(re.sub(rb"\bNAME\((\w+)\)", rb"NAME_\1_", source)).root_node


def children(node):
    """The children that are no comments."""
    return [child for child in node.children if child.type not in ("comment", "multiline_comment")]


def ancestors(node):
    """What a node lies in, from inside to outside."""
    node = node.parent
    while node is not None:
        yield node
        node = node.parent


def damaged(node):
    """Whether the grammar did not understand something in here."""
    return node.has_error


def shown(source, start, end, most=90):
    """A piece of source on one line, for people."""
    words = " ".join(source[start:end].decode(errors="replace").split())
    return words if len(words) <= most else words[: most - 1] + "…"
