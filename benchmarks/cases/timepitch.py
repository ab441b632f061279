"""One stereo file slower and faster at the same pitch, and a train of clicks through each tool: what becomes of attacks."""

import json

from harness.case import Case, script
from harness.tool import FFMPEG, Tool, measure

TEMPOS = (0.5, 0.8, 1.25)


class TimePitch(Case):
    name = "timepitch"
    title = "one stereo float WAV at 0.5, 0.8 and 1.25 times its tempo, into a float WAV"
    seconds, quick_seconds = 300, 20
    unit = "ns per stereo frame of the input"

    def make(self, folder, seconds):
        script("sounds.py", self.name, folder, seconds)
        for tempo in TEMPOS:
            for unit in ("timePitch", "newTimePitch"):
                for source in ("source", "clicks"):
                    nodes = [
                        {"id": "in", "unit": "filePlayer", "file": f"{source}.wav"},
                        {"id": "stretch", "unit": unit, "set": {"rate": tempo}},
                        {"id": "out", "unit": "genericOutput"},
                    ]
                    connections = ["in -> stretch", "stretch -> out"]
                    graph = {"version": 1, "sampleRate": "input", "nodes": nodes, "connections": connections}
                    (folder / f"{source}-{unit}-{tempo}.json").write_text(json.dumps(graph))

    def tools(self, folder, aubench, seconds):
        source = folder / "source.wav"
        for tempo in TEMPOS:
            ours = f"aubench, newTimePitch, {tempo}"

            def line(name, needs, package, argv):
                beside = () if name.startswith("aubench") else (ours,)
                return Tool(f"{name}, {tempo}", needs, package, argv, beside=beside, scale=1e9 / (seconds * 48000))

            for unit in ("newTimePitch", "timePitch"):
                graph = folder / f"source-{unit}-{tempo}.json"
                words = ["-o", "{out}", "--no-tail", "--encoding", "float32", "--quiet", "--threads", 1]
                yield line(f"aubench, {unit}", aubench, "make", [aubench, "render", graph, *words])
            yield line("sox tempo", "sox", "apt: sox", ["sox", source, "-e", "float", "-b", 32, "{out}", "tempo", tempo])
            chain = ["-filter_threads", 1, "-i", source, "-af", f"atempo={tempo}", "-c:a", "pcm_f32le", "{out}"]
            yield line("ffmpeg atempo", "ffmpeg", "apt: ffmpeg", [*FFMPEG, *chain])
            for name, words in (("rubberband", []), ("rubberband -3", ["-3"])):
                argv = ["rubberband", "-q", *words, "-T", tempo, source, "{out}"]
                yield line(name, "rubberband", "apt: rubberband-cli", argv)

    def check(self, folder, tools):
        """The clicks through the same command."""
        for tool in tools:
            argv = [word.replace("source", "clicks") for word in tool.placed_argv()]
            measure(argv, folder / "log.txt")
            tempo = tool.name.split(", ")[-1]
            tool.check |= json.loads(script("checks.py", self.name, folder, tool.output, tempo))

    def wrong(self, tools, seconds):
        for tool in tools:
            if tool.is_ours() and tool.check and not tool.check["is_as_long"]:
                yield f"{tool.name} wrote a file of another length than its tempo says"

    def columns(self, line, seconds):
        check = line.get("check")
        if not check:
            return {}
        return {
            "onsets, ms": f"{check['late']:+.1f} ± {check['spread']:.1f}",
            "lost": f"{check['lost']:.0%}",
            "doubled": f"{check['doubled']:.0%}",
            "before": f"{check['before']:.1%}",
            "behind": f"{check['behind']:.1%}",
        }

    def notes(self, result):
        yield (
            "Clicks of 5 ms, four a second: when their attacks come beside where the tempo puts them (mean and standard "
            "deviation), how many are missing or come again, and the mean part of the energy before an attack and 25 ms behind it."
        )
