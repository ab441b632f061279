"""The text of a file with its mutants in it, each behind the switch.

Mutants nest: what one puts around a place may lie in what another puts around a larger one. Where a mutant repeats its
place, it repeats it as it is in the original: one mutant is on at a time.
"""

import dataclasses
import re

from .mutant import NUMBER

# The header that declares the switch, and the module of it.
MODULE = "CMutation"

_MARK = re.compile("\x01([0-9]+)\x02|\x03([0-9]+)\x02")


@dataclasses.dataclass
class Written:
    """A file with mutants in it."""

    text: bytes
    # (line, column) where each mutant begins and ends in that text, by number; both from 1.
    places: dict
    # Numbers that could not be written: they overlap others.
    refused: list


def write(path, source, numbered):
    """The text of a file (`source`: bytes) with mutants in it, given as pairs of a number and a mutant."""
    accepted, refused = _nested(numbered)
    # What is to be put at each byte: what ends there first, inner before outer; then what begins there, outer first.
    order = {number: index for index, (number, _) in enumerate(accepted)}
    ends, begins = {}, {}
    for number, one in accepted:
        begins.setdefault(one.start, []).append(number)
        if one.end > one.start:
            ends.setdefault(one.end, []).append(number)
    by_number = dict(accepted)
    pieces, position = [], 0
    for at in sorted({*begins, *ends}):
        pieces.append(source[position:at].decode())
        position = at
        for number in sorted(ends.get(at, []), key=lambda one: -order[one]):
            pieces.append(f"{_text(by_number[number].after, number)}\x03{number}\x02")
        for number in sorted(begins.get(at, []), key=lambda one: order[one]):
            one = by_number[number]
            pieces.append(f"\x01{number}\x02{_text(one.before, number)}")
            if one.start == one.end:
                pieces.append(f"\x03{number}\x02")
    pieces.append(source[position:].decode())
    text = _head(path) + "".join(pieces)
    return Written(*_places(text), refused)


def _text(pattern, number):
    return pattern.replace(NUMBER, str(number))


def _head(path):
    # On the first line, so that every other line keeps its number as far as mutants have one line each.
    return f"import {MODULE}; " if path.endswith(".swift") else f'#include "{MODULE}.h"\n'


def _nested(numbered):
    """The mutants from outside to inside, without those that overlap others."""
    ordered = sorted(numbered, key=lambda pair: (pair[1].start, pair[1].start != pair[1].end, -pair[1].end))
    accepted, refused, open_ends = [], [], []
    for number, one in ordered:
        while open_ends and open_ends[-1] <= one.start:
            open_ends.pop()
        if open_ends and one.end > open_ends[-1]:
            refused.append(number)
            continue
        accepted.append((number, one))
        if one.end > one.start:
            open_ends.append(one.end)
    return accepted, refused


def _places(marked):
    pieces, places, position, line, column = [], {}, 0, 1, 1
    for mark in _MARK.finditer(marked):
        piece = marked[position:mark.start()]
        pieces.append(piece)
        breaks = piece.count("\n")
        line += breaks
        # Columns are counted in bytes, as compilers do.
        column = len(piece[piece.rfind("\n") + 1:].encode()) + (1 if breaks else column)
        if mark.group(1):
            places[int(mark.group(1))] = [(line, column), None]
        else:
            places[int(mark.group(2))][1] = (line, column)
        position = mark.end()
    pieces.append(marked[position:])
    return "".join(pieces).encode(), {number: tuple(place) for number, place in places.items()}
