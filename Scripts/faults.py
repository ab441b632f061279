"""What the scripts about planted faults share: the list, the graphs of the suites, the program that contains them."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "Tests/Mutation/faults.tsv"
GRAPHS = ROOT / "fixtures/suites/graphs"
SCRATCH = ".build/faults"
PROGRAM = ROOT / SCRATCH / "release/aubench"


class Fault:
    """One row of the list."""

    def __init__(self, line):
        self.id, self.area, nodes, self.shows, self.what, self.where = line.split("\t")
        self.nodes = nodes.split(",")


def listed(wanted=()):
    """The faults of the list, or those of them that are wanted, by id or by area."""
    lines = [line for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    faults = [Fault(line) for line in lines[1:]]
    unknown = set(wanted) - {fault.id for fault in faults} - {fault.area for fault in faults}
    if unknown:
        sys.exit(f"{LIST.name} has no {', '.join(sorted(unknown))}")
    return [fault for fault in faults if not wanted or fault.id in wanted or fault.area in wanted]


def graphs():
    """The graph files of the suites: path and content."""
    return [(path, json.loads(path.read_text())) for path in sorted(GRAPHS.glob("*.json"))]


def units_by_node():
    """The kinds of unit of each node name in the graphs."""
    units = {}
    for _, graph in graphs():
        for node in graph["nodes"]:
            units.setdefault(node["id"], set()).add(node["unit"])
    return units


def environment(fault=None):
    """The environment of a run with one fault, or with none."""
    values = {key: value for key, value in os.environ.items() if key != "AUBENCH_FAULT"}
    if fault:
        values["AUBENCH_FAULT"] = fault
    return values


def build():
    """Builds the program with the faults in it, apart from every other build."""
    values = dict(environment(), AUBENCH_PLANTED_FAULTS="1")
    command = ["swift", "build", "-c", "release", "--scratch-path", SCRATCH, "--product", "aubench"]
    done = subprocess.run(command, cwd=ROOT, env=values, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout + f"{' '.join(command)} failed")


def check(program):
    """Ends the script where the program has no faults in it: it would pass everything."""
    if not pathlib.Path(program).is_file():
        sys.exit(f"{program}: there is no such program; leave --no-build out")
    answer = subprocess.run(
        [program, "--version"], env=environment("none"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if "no such planted fault" not in answer.stdout:
        sys.exit(f"{program} was built without planted faults: AUBENCH_PLANTED_FAULTS=1 swift build")
