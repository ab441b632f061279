"""Runs each mutant until something notices it."""

import concurrent.futures
import json
import pathlib
import threading

# A judge may take so many times as long as without a mutant, and at least so many seconds.
_FACTOR, _LEAST = 10, 20
# Of this many mutants that were noticed, one is held against a run without it: a judge that fails then says nothing.
_CONTROL = 10
# Columns of the table of what was caught.
_CAUGHT = ["id", "file", "line", "kind", "group", "verdict", "by", "judge"]


class Results:
    """What became of each mutant: one line of JSON each, the last one of an id counts.

    A table that is kept with the sources may be given beside: what caught a mutant when somebody last wrote it, where nothing newer is
    known.
    """

    def __init__(self, path, kept=None):
        self.path = pathlib.Path(path)
        self.kept = kept and pathlib.Path(kept)
        self.lock = threading.Lock()
        self.rows = {}
        if self.kept and self.kept.is_file():
            for line in self.kept.read_text().splitlines()[1:]:
                row = dict(zip(_CAUGHT, line.split("\t")))
                row |= {"line": int(row["line"]), "tree": "", "asked": [row["by"]], "reachedBy": {}, "seconds": 0.0, "what": row["judge"]}
                self.rows[row["id"]] = row
        if self.path.is_file():
            for line in self.path.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    # The line that was being written when a run was stopped.
                    continue
                self.rows[row["id"]] = row

    def keep(self):
        """Writes the table of what was caught."""
        caught = [row for row in self.rows.values() if row.get("by") and row["verdict"] != "unsure"]
        lines = ["\t".join(str(row[key]) for key in _CAUGHT) for row in caught]
        self.kept.parent.mkdir(exist_ok=True)
        self.kept.write_text("\n".join(["\t".join(_CAUGHT), *sorted(lines)]) + "\n")

    def add(self, row):
        with self.lock:
            self.rows[row["id"]] = row
            with self.path.open("a") as file:
                file.write(json.dumps(row) + "\n")


class Court:
    """All that is needed to judge a mutant."""

    def __init__(self, verify, tests, coverage, results, fingerprint, versions=None, patience=None):
        self.verify, self.tests, self.coverage, self.results = verify, tests, coverage, results
        self.fingerprint = fingerprint
        # Of a judge, what its answer depends on beside the mutant; and seconds of judges that a mutant is worth.
        self.versions = versions or (lambda kind, judge: fingerprint)
        self.patience = patience
        self.lock = threading.Lock()
        # How often each judge noticed a mutant of a file, and in all.
        self.notices = {}
        self.judged = 0
        for row in results.rows.values():
            if row.get("judge"):
                self._count(row["judge"], row["file"])

    def _count(self, judge, file):
        with self.lock:
            for key in ((judge, file), (judge, "")):
                self.notices[key] = self.notices.get(key, 0) + 1

    def needs(self, mutant, with_tests, keeps_caught):
        """Whether a mutant is still to be judged, with what is already known of it."""
        row = self.results.rows.get(mutant.id)
        if row is None or row["verdict"] == "unsure":
            return True
        if row["verdict"] != "survived":
            return row["tree"] != self.fingerprint and not keeps_caught
        if row.get("isUnfinished") or "verify" not in row["asked"]:
            return True
        return row["tree"] != self.fingerprint or with_tests and "tests" not in row["asked"]

    def judge(self, number, mutant, group, with_tests):
        """Finds out what notices a mutant of a group: the cases first, then the unit tests."""
        kinds = [self.verify] + ([self.tests] if with_tests else [])
        former = self.results.rows.get(mutant.id, {})
        row = {
            "id": mutant.id, "file": mutant.path, "line": mutant.line, "kind": mutant.kind, "group": group,
            "tree": self.fingerprint, "verdict": "survived", "asked": [], "reachedBy": {}, "seconds": 0.0,
            "passed": dict(former.get("passed", {}))}
        for kind in kinds:
            reaching = self.coverage.reaching(kind, mutant.id)
            row["asked"].append(kind.name)
            row["reachedBy"][kind.name] = reaching
            # Those that have been asked before, and passed, would again.
            left = [one for one in reaching if row["passed"].get(one) != self.versions(kind, one)]
            found = self._ask(kind, number, mutant, self._ordered(kind, left, mutant.path))
            row["passed"].update((one, self.versions(kind, one)) for one in found["passed"])
            if found["verdict"] == "passed" and len(found["passed"]) < len(left):
                row["isUnfinished"] = True
            row["seconds"] = round(row["seconds"] + found["seconds"], 2)
            if found["verdict"] != "passed":
                row.update(verdict=found["verdict"], by=kind.name, judge=found["judge"], what=found["what"])
                if found.get("control"):
                    row["control"] = found["control"]
                self._count(found["judge"], mutant.path)
                break
        self.results.add(row)
        return row

    def _ordered(self, kind, judges, file):
        """Cheapest and likeliest first: by what a judge, and the others of its suite, have noticed before."""
        def suite(judge):
            return judge.partition("/")[0]
        noticed, size = {}, {}
        for judge in kind.judges():
            size[suite(judge)] = size.get(suite(judge), 0) + 1
            noticed[suite(judge)] = noticed.get(suite(judge), 0) + self.notices.get((judge, ""), 0)

        def worth(judge):
            share = noticed[suite(judge)] / size[suite(judge)]
            likely = 0.02 + 0.2 * share + self.notices.get((judge, file), 0) + 0.1 * self.notices.get((judge, ""), 0)
            return likely / (0.3 + self.coverage.seconds(kind, judge))
        return sorted(judges, key=worth, reverse=True)

    def _ask(self, kind, number, mutant, judges):
        """Asks judges in groups that grow, until one does not pass or patience is at its end."""
        seconds, position, most, passed = 0.0, 0, 0.5, []
        while position < len(judges) and (self.patience is None or seconds < self.patience):
            group, expected = [], 0.0
            while position < len(judges) and (not group or expected + self.coverage.seconds(kind, judges[position]) <= most):
                expected += self.coverage.seconds(kind, judges[position])
                group.append(judges[position])
                position += 1
            limit = max(_LEAST, _FACTOR * expected)
            result = kind.run(group, mutant=number, seconds=limit)
            seconds += result.seconds
            if result.verdict != "passed":
                found = {"verdict": result.verdict, "judge": _named(result.what, group), "what": result.what, "seconds": seconds,
                         "passed": passed}
                with self.lock:
                    self.judged += 1
                    isControlled = self.judged % _CONTROL == 0 or result.verdict == "timeout"
                if isControlled:
                    found["control"] = kind.run(group, seconds=limit).verdict
                    if found["control"] != "passed":
                        found["verdict"] = "unsure"
                return found
            passed += group
            most *= 2
        return {"verdict": "passed", "seconds": seconds, "passed": passed}


def _named(what, group):
    """The judge that a result names."""
    return next((judge for judge in group if what.startswith(judge + ":")), group[0])


def judge_all(court, todo, with_tests, jobs, report):
    """Judges pairs of a number and a mutant."""
    from . import modules
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {
            pool.submit(court.judge, number, one, modules.group(one.module), with_tests): one for number, one in todo}
        try:
            for done, ended in enumerate(concurrent.futures.as_completed(waiting), 1):
                row, one = ended.result(), waiting[ended]
                how = f"{row['verdict']} ({row.get('what', '')[:80]})" if row.get("by") else row["verdict"]
                report(f"{done} of {len(todo)}: {one.path}:{one.line} {one.kind}: {how}, {row['seconds']:.0f} s")
        except KeyboardInterrupt:
            for one in waiting:
                one.cancel()
            raise
