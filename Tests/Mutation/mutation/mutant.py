"""What a mutant is, and its lasting id."""

import dataclasses
import hashlib

# Stands for the number of the mutant in the text that is put around a place.
NUMBER = "\0"
# True in a run of this mutant.
SWITCH = f"aubench_mutant({NUMBER})"


@dataclasses.dataclass
class Mutant:
    """One change of one place, as text that is put before and after the place.

    `start` and `end` are the bytes of the place. Where they are the same, `before` is put there.
    """

    path: str
    start: int
    end: int
    kind: str
    before: str
    after: str
    # What stands there, what the mutant does instead: for people.
    original: str
    mutated: str
    line: int = 0
    id: str = ""

    @property
    def module(self):
        """The target that the file belongs to."""
        return self.path.split("/")[2]


def name(mutants, source):
    """Gives each mutant of a file its line and its id.

    The id is made of the file, the kind, the text of the line and of the change, so it outlives edits elsewhere in the
    file; equal ones are counted.
    """
    lines, seen = source.split(b"\n"), {}
    for mutant in sorted(mutants, key=lambda one: (one.start, one.end, one.kind, one.mutated)):
        mutant.line = source.count(b"\n", 0, mutant.start) + 1
        line = lines[mutant.line - 1].strip().decode()
        key = "\0".join([mutant.path, mutant.kind, line, mutant.original, mutant.mutated])
        seen[key] = seen.get(key, 0) + 1
        mutant.id = hashlib.sha256(f"{key}\0{seen[key]}".encode()).hexdigest()[:12]
