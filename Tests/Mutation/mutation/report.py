"""What came out: Markdown for people, JSON for programs."""

import json
import math
import pathlib

from . import modules

_CAUGHT = ("check", "error", "crash", "timeout")
# Wanted: of the judged by the suites alone, of both with the unit tests; claimed equivalents at most.
WANTED_BY_VERIFY, WANTED, MOST_EQUIVALENTS = 0.80, 0.95, 0.05


def equivalents(path):
    """The mutants that are claimed to change nothing: id → (file, reason)."""
    path, result = pathlib.Path(path), {}
    for line in path.read_text().splitlines() if path.is_file() else []:
        if line and not line.startswith("#"):
            identifier, file, reason = line.split("\t")
            result[identifier] = (file, reason)
    return result


class Tally:
    """Counts of some mutants."""

    def __init__(self):
        self.mutants = self.verify = self.tests = self.equivalent = self.survived = 0
        self.unreached = self.unsure = self.waiting = 0
        self.how = dict.fromkeys(_CAUGHT, 0)

    def add(self, row, claimed):
        self.mutants += 1
        if row is None:
            self.waiting += 1
        elif row["verdict"] in _CAUGHT:
            self.how[row["verdict"]] += 1
            if row["by"] == "verify":
                self.verify += 1
            else:
                self.tests += 1
        elif claimed:
            self.equivalent += 1
        elif row["verdict"] == "unsure":
            self.unsure += 1
        else:
            self.survived += 1
            self.unreached += not any(row["reachedBy"].values())

    @property
    def counted(self):
        return self.mutants - self.equivalent - self.waiting

    def row(self, name):
        return (f"| {name} | {self.mutants} | {self.verify} | {self.tests} | {self.survived} | {self.unreached} | "
                f"{self.equivalent} | {self.how['check']} | {self.how['error']} | {self.how['crash']} | "
                f"{self.how['timeout']} | {self.unsure} | {self.waiting} |")


_HEAD = ("| {} | mutants | caught by verify | by unit tests | survived | of these not reached | equivalent | by a check | "
         "by an error | crash | timeout | unsure | not yet judged |\n|" + " --- |" * 13)


def share(part, whole):
    """A share with the 95 % interval of Wilson's score."""
    if whole == 0:
        return "none"
    z, p = 1.96, part / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return f"{part} of {whole} ({100 * p:.1f} %, 95 % interval {100 * (middle - half):.0f} to {100 * (middle + half):.0f} %)"


def write(folder, title, root, numbered, results, claimed, totals, refused, with_tests):
    """Writes FOLDER/report.md and report.json, and answers the summary's lines."""
    rows = {one.id: results.rows.get(one.id) for one in numbered.values()}
    groups = {}
    for one in numbered.values():
        groups.setdefault(modules.group(one.module), []).append(one)
    lines, scores, summary = [f"# {title}", ""], {}, []
    for name, mutants in groups.items():
        whole = _tally(mutants, rows, claimed)
        summary.append(f"{name}: {len(mutants)} mutants, {whole.waiting} not yet judged")
        if name == "judged":
            summary.append(f"  caught by `aubench verify` alone: {share(whole.verify, whole.counted)}; wanted: 80 %")
        if with_tests:
            summary.append(f"  caught in all: {share(whole.verify + whole.tests, whole.counted)}; wanted: 95 %")
        over = whole.equivalent > MOST_EQUIVALENTS * len(mutants)
        summary.append(
            f"  claimed to be equivalent: {whole.equivalent} of {len(mutants)}" + ("; MORE THAN 5 %" if over else ""))
        scores[name] = {
            "mutants": len(mutants), "caughtByVerify": whole.verify, "caughtByTests": whole.tests,
            "equivalent": whole.equivalent, "survived": whole.survived, "notReached": whole.unreached,
            "unsure": whole.unsure, "notJudged": whole.waiting, "how": whole.how, "ofAll": totals[name]}
    controls = [row for row in rows.values() if row and row.get("control")]
    alarms = [row for row in controls if row["control"] != "passed"]
    summary.append(f"runs of a catching judge again without the mutant: {len(controls)}, of which {len(alarms)} failed as well")
    lines += summary + ["", "All there are: " + "; ".join(f"{name}: {count}" for name, count in totals.items()) + (
        f". Refused by the compiler so far: {refused}."), ""]
    for name, mutants in groups.items():
        lines += [f"## {name}", "", _HEAD.format("module")]
        lines += _table(mutants, rows, claimed, lambda one: one.module)
        lines += ["", _HEAD.format("kind")]
        lines += _table(mutants, rows, claimed, lambda one: one.kind)
        lines += ["", "### Survivors", ""]
        survivors = [
            one for one in mutants if rows[one.id] and rows[one.id]["verdict"] in ("survived", "unsure") and one.id not in claimed]
        for one in sorted(survivors, key=lambda one: (one.path, one.start)):
            lines += _survivor(one, rows[one.id], root)
        lines.append("")
    folder = pathlib.Path(folder)
    (folder / "report.md").write_text("\n".join(lines) + "\n")
    (folder / "report.json").write_text(json.dumps({
        "title": title, "scores": scores, "controls": len(controls), "falseAlarms": len(alarms),
        "mutants": [
            {"id": one.id, "file": one.path, "line": one.line, "kind": one.kind, "original": one.original,
             "mutated": one.mutated, "equivalent": claimed.get(one.id, (None, None))[1], **_shown(rows[one.id])}
            for one in numbered.values()]}, indent=1) + "\n")
    return summary


def _shown(row):
    keys = ("verdict", "by", "judge", "what", "reachedBy", "seconds", "control")
    return {key: row[key] for key in keys if key in row} if row else {"verdict": "not judged"}


def _tally(mutants, rows, claimed):
    tally = Tally()
    for one in mutants:
        tally.add(rows[one.id], one.id in claimed)
    return tally


def _table(mutants, rows, claimed, key):
    names = {}
    for one in mutants:
        names.setdefault(key(one), []).append(one)
    return [_tally(ones, rows, claimed).row(name) for name, ones in sorted(names.items())] + [
        _tally(mutants, rows, claimed).row("all")]


def _survivor(one, row, root):
    source = (pathlib.Path(root) / one.path).read_bytes()
    begin = source.rfind(b"\n", 0, one.start) + 1
    end = source.find(b"\n", one.end)
    lines = source[begin:end].decode().splitlines()
    shown = lines if len(lines) <= 4 else [*lines[:3], "…"]
    reached = [f"{kind}: {', '.join(judges[:6])}{f' and {len(judges) - 6} more' if len(judges) > 6 else ''}"
               for kind, judges in row["reachedBy"].items() if judges] or ["nothing"]
    change = f"`{one.original}` → `{one.mutated}`" if one.mutated else f"`{one.original}` left out"
    change = change if one.original else f"`{one.mutated}`"
    return [
        f"- `{one.path}:{one.line}` {one.kind}, id `{one.id}`: {change}. Reached by {'; '.join(reached)}"
        + (" (unsure: fails without it as well)" if row["verdict"] == "unsure" else ""),
        "  ```", *("  " + line for line in shown), "  ```"]
