"""Writes RESULTS.md and its plots from the results of all cases: the newest of each, `results/CASE.json`."""

import json
from statistics import median

from cases import CASES
from harness.figures import groups, name_beside, peers, ratios, spread, times
from harness.headline import write_headline
from harness.plot import chart

HEAD = """\
# aubench beside other tools

Written by `make bench`. [README.md](README.md) says what each case is and how to read it.

A ratio is a tool's time over aubench's in the same round: 9 means that aubench was nine times as fast. Median (min..max) over
the rounds; a range that includes 1 is a tie. In the plots a bar to the right of 1 is a tool that takes longer than aubench, one to the
left a faster one; grey is no tool but a bound; the thin line is the range.
"""


def write_report(folder):
    """Below `folder`: RESULTS.md, and a plot beside each result."""
    results = [json.loads(path.read_text()) for name in CASES if (path := folder / "results" / f"{name}.json").exists()]
    summary = [row for result in results for row in summary_rows(result)]
    parts = [HEAD]
    if summary:
        parts += ["## In short\n", "![the nearest peers](results/summary.svg)\n", markdown(list(summary_table(summary)))]
        bars = [(f"{row['ours']}: {row['peer']}", row["ratios"]) for row in summary]
        title = "Times as long as aubench: the nearest peers, and those with a target"
        write_plot(folder, "summary", title, list(by_case(summary, bars)))
    for result in results:
        parts += section(folder, result)
    parts += ["## Versions\n", markdown(list(version_table(results)))]
    (folder / "RESULTS.md").write_text("\n".join(parts))
    write_headline(folder / "results")


def markdown(rows):
    """Rows are dictionaries of cells; columns are in the order in which they come up."""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    lines = [heads, ["---"] * len(heads), *([row.get(head, "") for head in heads] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def write_plot(folder, name, title, rows):
    (folder / "results" / f"{name}.svg").write_text(chart(title, rows))


# The summary.


def summary_rows(result):
    """Of each headline the nearest peer, and those with a target."""
    case = CASES[result["case"]]
    for base, lines in groups(result["lines"]) if case.is_timed else ():
        lines = [line for line in peers(lines) if base and ratios(line, base)]
        if not base or not lines or case.headlines and base["name"] not in case.headlines:
            continue
        counted = [line for line in lines if case.counts(line, base)] or lines
        nearest = min(counted, key=lambda line: median(ratios(line, base)))
        for line in lines:
            target = line.get("target") if line["beside"][0] == base["name"] else None
            if line is nearest or target:
                row = {"case": result["case"], "ours": base["name"].removeprefix("aubench, "), "peer": name_beside(line, base)}
                row |= {"ratios": ratios(line, base), "target": target, "counts": case.counts(line, base)}
                yield row | {"is_short": result["seconds"] < case.seconds}


def summary_table(rows):
    for row in rows:
        verdict = ""
        if row["target"]:
            is_met = median(row["ratios"]) >= row["target"]
            verdict = f"{row['target']:g}: " + ("for longer sounds" if row["is_short"] else "met" if is_met else "missed")
        if not row["counts"]:
            verdict += "; aubench's conversion is not as good"
        yield {
            "case": f"[{row['case']}](#{row['case']})", "aubench": row["ours"], "peer": row["peer"],
            "times as long": spread(row["ratios"]), "target": verdict.removeprefix("; "),
        }  # fmt: skip


def by_case(summary, bars):
    """The bars under a heading for each case."""
    last = None
    for row, bar in zip(summary, bars):
        if row["case"] != last:
            yield row["case"], None
        last = row["case"]
        yield bar


# A case.


def section(folder, result):
    case = CASES[result["case"]]
    rounds = max(len(line["runs"]) for line in result["lines"])
    length = f" {result['seconds']:g} s of sound, {rounds} round{'s'[: rounds > 1]}." if case.is_timed else ""
    yield f"## {case.name}\n"
    yield f"{case.title[0].upper()}{case.title[1:]}.{length}\n"
    yield (
        f"{result['cpu']}, {result['cores']} cores, {result['isa']}, kernel {result['kernel']}; {result['date']}, revision "
        f"{result['revision']}; load before {result['load before']:g}.\n"
    )
    rows = list(plot_rows(result)) if case.is_timed else []
    if any(row[1] for row in rows):
        write_plot(folder, case.name, f"{case.name}: times as long as aubench", rows)
        yield f"![{case.name}](results/{case.name}.svg)\n"
    if picture := case.picture(result):
        (folder / "results" / f"{case.name}.svg").write_text(picture)
        yield f"![{case.name}](results/{case.name}.svg)\n"
    tables = list(case.tables(result))
    for heading, rows in tables:
        if rows:
            yield f"{heading}:\n"
            yield markdown(rows)
    if not tables:
        yield markdown(list(table(case, result)))
    for note in case.notes(result):
        yield f"{note}\n"
    for text in result["skipped"]:
        yield f"Skipped: {text}.\n"
    for text in result["wrong"]:
        yield f"Wrong: {text}.\n"


def plot_rows(result):
    for base, lines in groups(result["lines"]):
        if base and lines:
            yield base["name"], None
            for line in lines:
                if found := ratios(line, base):
                    yield name_beside(line, base), found, line.get("is_bound", False)


def table(case, result):
    for base, lines in groups(result["lines"]):
        if base:
            yield {"tool": f"**{base['name']}**", **({"ratio": "1"} if case.is_timed else {}), **cells(case, base, result)}
        for line in lines:
            ratio = {"ratio": spread(ratios(line, base)) if base else ""} if case.is_timed else {}
            yield {"tool": name_beside(line, base), **ratio, **cells(case, line, result)}


def cells(case, line, result):
    if not case.is_timed:
        return case.columns(line, result["seconds"])
    found = {case.unit: spread(times(line))}
    if "cpu" in line["runs"][0]:
        found["cpu s"] = spread([run["cpu"] for run in line["runs"]])
        found["peak MiB"] = f"{max(result['peak floor'], *(run['peak'] for run in line['runs'])):.0f}"
    if case.unit == "s":
        found["× realtime"] = f"{result['seconds'] / median(times(line)):.0f}"
    check = line.get("check", {})
    if "residual" in check:
        found["residual dB"] = "exact" if check["residual"] < -300 else f"{check['residual']:.1f}"
        surplus = check.get("frames", 0) - round(result["seconds"] * case.output_rate)
        if "frames" in check and "files" not in check and surplus:
            found["residual dB"] += f" ({surplus:+} frames)"
    return found | case.columns(line, result["seconds"])


def version_table(results):
    """Each tool's version; where cases were run with different ones, with the names of these."""
    found = {}  # tool: {version: [case]}
    for result in results:
        for tool, version in result["versions"].items():
            found.setdefault(tool, {}).setdefault(version, []).append(result["case"])
    for tool, versions in found.items():
        texts = versions if len(versions) == 1 else [f"{version} ({', '.join(cases)})" for version, cases in versions.items()]
        yield {"tool": tool, "version": "; ".join(texts)}
