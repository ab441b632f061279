"""Welch spectra."""

from pathlib import Path

from harness.case import Case
from harness.tool import Asked, Server, peer

TARGET = 20  # times scipy, on two cores
BLOCK = 1 << 20
ONE, TWO = "aubench, 1 thread", "aubench, 2 threads"
LIMIT = 1e-9  # of a bin's power, from scipy in float64


class Welch(Case):
    name = "welch"
    title = "the Welch spectrum of stereo white noise at 48 kHz, in memory: Hann, 4096, half overlapping, no detrending"
    seconds, quick_seconds = 600, 60
    bytes_per_second = 384_000
    headlines = (ONE, TWO)

    def tools(self, folder, aubench, seconds):
        noise, frames = folder / "noise.f32", round(seconds * 48000)
        program = Path(aubench).with_name("welch-speed")
        for threads, name in ((1, ONE), (2, TWO)):
            server = Server([program, noise, 2, frames, BLOCK, threads])
            yield Asked(name, str(program), "swift build -c release --product welch-speed", server=server)
        for kind in ("float64", "float32"):
            server = Server(peer("scipy", "welch", noise, 2, frames, kind))
            yield Asked(f"scipy, {kind}, 1 core", "python:scipy", "pip: scipy", server=server, beside=(TWO, ONE), target=TARGET)

    def check(self, folder, tools):
        pass  # the spectra are compared at the end, when the programs print them

    def run(self, folder, tools, rounds):
        super().run(folder, tools, rounds)
        powers = {tool.name: [float(word) for word in tool.server.close().split()] for tool in tools}
        truth = powers.get("scipy, float64, 1 core")
        for tool in tools if truth else ():
            tool.check["difference"] = max(abs(a / b - 1) for a, b in zip(powers[tool.name], truth))

    def wrong(self, tools, seconds):
        for tool in tools:
            if tool.is_ours() and tool.check.get("difference", 0) > LIMIT:
                yield f"{tool.name} differs from scipy by {tool.check['difference']:.1e} of a bin's power, limit {LIMIT:g}"

    def columns(self, line, seconds):
        check = line.get("check", {})
        return {"largest difference of a bin's power": f"{check['difference']:.1e}"} if "difference" in check else {}
