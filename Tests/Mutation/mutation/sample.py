"""Which of all mutants a run tries."""

import hashlib

# A fresh sample has so many of each group.
SECOND = {"judged": 100, "judges": 50, "hardware": 25}


def order(mutants, seed):
    """All mutants in an order that only the seed and each one's id decide: the first N are a random sample of N.

    Where sources are edited, the mutants of other places keep their order.
    """
    return sorted(mutants, key=lambda one: hashlib.sha256(f"{seed} {one.id}".encode()).digest())


def draw(mutants, seed, count, refused, spared=()):
    """The first `count` mutants of the order that the compiler has not refused and that are not spared."""
    result = []
    for one in order(mutants, seed):
        if len(result) == count:
            break
        if one.id not in refused and one.id not in spared:
            result.append(one)
    return result
