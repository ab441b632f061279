"""What `rate` and `batch` say of a conversion besides its time: its pass band and its images, from `checks.py bands`."""

import json

from harness.case import script

PASS_MARGIN, IMAGE_MARGIN = 0.01, 1  # dB


def check_bands(folder, tools, neutral):
    """Adds to each tool's check what the tool of its name among `neutral`, which works on sines, lets through."""
    (folder / "bands").mkdir()
    by_name = {tool.name: tool.place(folder / "bands") for tool in neutral}
    for tool in tools:
        by_name[tool.name].once(folder / "log.txt")
    found = json.loads(script("checks.py", "bands", *(by_name[tool.name].output for tool in tools)))
    for tool in tools:
        tool.check |= found[str(by_name[tool.name].output)]


def conversion_columns(line):
    check = line.get("check", {})
    if "pass dB" not in check:
        return {}
    return {
        "pass band dB": f"{abs(check['pass dB']):.4f} at {check['pass Hz']} Hz",
        "image dB": f"{check['image dB']:.1f} of {check['image Hz']} Hz",
        "all but the tone dB": f"{check['rest dB']:.1f}",
    }


def worse_conversions(lines):
    """Where a peer's conversion is better than that of the line of ours whose time it is compared with."""
    ours = {line["name"]: line["check"] for line in lines if not line.get("beside")}
    for peer in lines:
        for name in peer.get("beside", ()):
            if name in ours and not peer.get("is_bound") and (worse := list(worse_than(peer["check"], ours[name]))):
                yield f"{name} is not as good as {peer['name']}: {', '.join(worse)}."


def worse_than(peer, ours):
    """What differs by less than the margins is as good."""
    mine, theirs = abs(ours["pass dB"]), abs(peer["pass dB"])
    if mine > theirs + PASS_MARGIN:
        yield f"pass band {mine:.4f} dB, {theirs:.4f} dB"
    if ours["image dB"] > peer["image dB"] + IMAGE_MARGIN:
        yield f"images {ours['image dB']:.1f} dB, {peer['image dB']:.1f} dB"
