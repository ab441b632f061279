"""Which judges reach which mutants, and how long each takes: one run of each with no mutant on."""

import concurrent.futures
import json
import os
import pathlib
import tempfile

# Seconds that a judge may take without a mutant.
_LIMIT = 900


class Coverage:
    """What each judge reached, kept in a file and worked out anew where the copy has changed."""

    def __init__(self, path, fingerprint):
        self.path = pathlib.Path(path)
        self.fingerprint = fingerprint
        # Judge → {"seconds", "reached": ids, "skipped": tests}; of those that cannot be used {"unusable": why}.
        self.rows = {}
        if self.path.is_file():
            stored = json.loads(self.path.read_text())
            if stored.get("fingerprint") == fingerprint:
                self.rows = stored["rows"]

    def measure(self, kind, numbered, jobs, report, version=lambda kind, judge: ""):
        """Runs the judges of a kind that are not known yet in their present version."""
        missing = [
            judge for judge in kind.judges()
            if self.rows.get(f"{kind.name} {judge}", {}).get("version") != version(kind, judge)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            waiting = {pool.submit(_cover, kind, judge, numbered): judge for judge in missing}
            for done, ended in enumerate(concurrent.futures.as_completed(waiting), 1):
                judge = waiting[ended]
                row = self.rows[f"{kind.name} {judge}"] = dict(ended.result(), version=version(kind, judge))
                words = row.get("unusable") or f"{row['seconds']:.1f} s, reaches {len(row['reached'])}"
                report(f"cover {done} of {len(missing)}: {judge}: {words}")
                self._keep()
        if hasattr(kind, "skipped"):
            kind.skipped = {
                judge: self.rows[f"{kind.name} {judge}"].get("skipped", []) for judge in kind.judges()}

    def _keep(self):
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps({"fingerprint": self.fingerprint, "rows": self.rows}, indent=1))
        os.replace(beside, self.path)

    def seconds(self, kind, judge):
        """How long a judge takes."""
        return self.rows[f"{kind.name} {judge}"]["seconds"]

    def reaching(self, kind, mutant_id):
        """The judges of a kind that come to a mutant's place."""
        return [
            judge for judge in kind.judges()
            if mutant_id in self.rows.get(f"{kind.name} {judge}", {}).get("reached", ())]


def _cover(kind, judge, numbered):
    with tempfile.TemporaryDirectory(prefix="mutation-cover-") as folder:
        reached = pathlib.Path(folder) / "reached"
        result = kind.run([judge], reached=reached, seconds=_LIMIT)
        skipped = []
        if result.verdict != "passed" and hasattr(kind, "run_test") and result.verdict != "timeout":
            # What fails in the copy for reasons of its own cannot judge.
            skipped = [test for test in kind.tests_of[judge] if kind.run_test(test, _LIMIT).verdict != "passed"]
            if not skipped or len(skipped) == len(kind.tests_of[judge]):
                return {"unusable": f"{result.verdict}: {result.what}"}
            kind.skipped[judge] = skipped
            reached.unlink(missing_ok=True)
            result = kind.run([judge], reached=reached, seconds=_LIMIT)
        if result.verdict != "passed":
            return {"unusable": f"{result.verdict}: {result.what}"}
        bits = reached.read_bytes() if reached.is_file() else b""
        ids = sorted(one.id for number, one in numbered.items() if number < len(bits) and bits[number])
        return {"seconds": round(result.seconds, 3), "reached": ids, "skipped": skipped}
