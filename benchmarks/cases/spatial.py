"""What the 3D mixer does: times and levels at two ears over azimuth, level over distance, gains of loudspeakers, each beside its law, the
measured head and other tools. Nothing is timed."""

import json
from pathlib import Path

from harness.case import Case, script
from harness.plot import polar
from harness.tool import FFMPEG, Tool, peer

RATE = 44100  # that of the measured head, which then needs no conversion
OTHER_RATES = {"at ear level, 48 kHz": 48000, "at ear level, 96 kHz": 96000}
FRAMES, FEW = 2048, 64  # that a response has in a file of them: of ears, of all else
PEAK = 0.5  # of an impulse
SOFA = Path("/usr/share/libmysofa/default.sofa")
# Directions are azimuth (to the right) and elevation, in degrees. Every 6° is where the head was measured at ±30°.
EARS = {
    "at ear level": [(azimuth, 0) for azimuth in range(-170, 181, 10)],
    "30° above": [(azimuth, 30) for azimuth in range(-170, 181, 10)],
    "30° above, every 6°": [(azimuth, 30) for azimuth in range(-174, 181, 6)],
    "60° above": [(azimuth, 60) for azimuth in range(-170, 181, 10)],
    "30° below": [(azimuth, -30) for azimuth in range(-170, 181, 10)],
    "30° below, every 6°": [(azimuth, -30) for azimuth in range(-174, 181, 6)],
}
EARS |= {height: EARS["at ear level"] for height in OTHER_RATES}
BY_SOFALIZER = ("at ear level", "30° above")  # it takes 0.2 s for a direction
HEADS = ("sphericalHead", "hrtf", "hrtfHighQuality")
OCTAVES = (125, 250, 500, 1000, 2000, 4000, 8000, 16000)
DRAWN = (500, 2000, 8000)
DISTANCES = (0.5, 1, 2, 3, 5, 10, 20, 50, 100)
RANGES = {"1 m to 10 km, 80 dB": (1, 10000, 80), "2 m to 50 m, 40 dB": (2, 50, 40)}
CURVES = ("inverse", "exponential", "power", "linear")
CURVES_OF_OPENAL = ("inverse", "exponential", "linear")
AROUND = [(azimuth, 0) for azimuth in range(-175, 181, 5)]
AROUND += [(azimuth, elevation) for elevation in (-30, 30, 60) for azimuth in range(-170, 181, 10)]
# Azimuths of the loudspeakers that the mixer's page names, by the number of channels; None has no direction.
SPEAKERS = {
    2: (-30, 30),
    4: (-45, 45, -135, 135),
    5: (-30, 30, -110, 110, 0),
    6: (-30, 30, 0, None, -110, 110),
}
PANNERS = [("equalPowerPanning", 2)]
PANNERS += [("vectorBasedPanning", channels) for channels in (4, 5, 6)]
PANNERS += [("soundField", channels) for channels in (2, 4, 5, 6)]
COMPARED = {"ITD µs": "a time in µs", "ILD dB": "a level between the ears in dB", "level of an ear dB": "an ear's level in dB"}
LIMITS = {  # of our own lines: above these something is broken. At two ears: µs, dB between the ears, dB of an ear
    "sphericalHead": (0.5, 1.5, 1.5),
    "hrtf": (1, 3, 5),
    "hrtfHighQuality": (0.1, 0.1, 0.25),
    "between": (10, 6, 6),  # where the head was not measured, or not on the grid of 5°
    "distance": 0.001, "gain": 1e-5, "power": 0.001, "speakers": 2,
}  # fmt: skip


def file_name(name):
    return name.replace(" ", "-").replace("°", "").replace(",", "")


def source_of(name):
    """`hrtf` of `aubench, hrtf, at ear level`; of peers their own name."""
    first, second = name.split(", ")[:2]
    return second if first == "aubench" else first


def height_of(name):
    """Which of EARS a line has; None of another."""
    height = name.split(", ", 2 if name.startswith("aubench") else 1)[-1]
    return height if height in EARS else None


def rate_of(name):
    return OTHER_RATES.get(height_of(name), RATE)


class Spatial(Case):
    name = "spatial"
    title = "the 3D mixer: times and levels at two ears over azimuth, level over distance, gains of loudspeakers"
    seconds, quick_seconds = 1, 1
    bytes_per_second = 60_000_000
    is_timed = False

    def make(self, folder, seconds):
        script("sounds.py", self.name, folder, seconds)
        for head in HEADS:
            for height, directions in EARS.items():
                rate = OTHER_RATES.get(height, RATE)
                self.graph(folder, f"{head} {height}", f"impulse-{rate}", FRAMES, directions, {"algorithm": head}, rate=rate)
        ahead = [(0, 0)] * len(DISTANCES)
        for curve in CURVES:
            for name, (reference, maximum, decibels) in RANGES.items():
                distances = {"reference": reference, "maximum": maximum, "attenuation": decibels}
                keys = {"attenuationCurve": curve, "distances": distances}
                self.graph(folder, f"{curve} {name}", "short", FEW, ahead, keys, DISTANCES)
        for panner, channels in PANNERS:
            keys = {"algorithm": panner, "format": {"channels": channels}}
            self.graph(folder, f"{panner} {channels} channels", "short", FEW, AROUND, keys)

    def graph(self, folder, name, sound, frames, directions, keys, distances=None, rate=RATE):
        """An input for each direction, and an impulse for each input, one after the other."""
        nodes, values = [], {}
        for k, (azimuth, elevation) in enumerate(directions):
            nodes.append({"id": f"in{k}", "unit": "filePlayer", "file": f"{sound}.wav", "start": k * frames})
            values |= {f"azimuth@input:{k}": azimuth, f"elevation@input:{k}": elevation}
            values[f"distance@input:{k}"] = distances[k] if distances else 1
        connections = [f"in{k} -> scene:{k}" for k in range(len(directions))] + ["scene -> out"]
        nodes += [{"id": "scene", "unit": "spatialMixer", **keys, "set": values}, {"id": "out", "unit": "genericOutput"}]
        graph = {"version": 1, "sampleRate": rate, "nodes": nodes, "connections": connections}
        (folder / f"{file_name(name)}.json").write_text(json.dumps(graph))

    def tools(self, folder, aubench, seconds):
        def ours(name, graph, needs=aubench, package="make"):
            words = [aubench, "render", folder / f"{file_name(graph)}.json", "-o", "{out}", "--no-tail", "--encoding", "float32"]
            return Tool(f"aubench, {name}", needs, package, [*words, "--quiet"])

        def openal(name, words, beside):
            argv = peer("openal", *words, "{out}")
            return Tool(f"openal, {name}", "library:openal", "apt: libopenal1", argv, beside=(f"aubench, {beside}",))

        def from_file(name, needs, package, argv, beside):
            needs, package = (needs, package) if SOFA.exists() else (str(SOFA), "apt: libmysofa1")
            return Tool(name, needs, package, argv, beside=(beside,))

        for height, directions in EARS.items():
            beside = f"aubench, hrtfHighQuality, {height}"
            if "every" not in height:
                yield ours(f"sphericalHead, {height}", f"sphericalHead {height}")
            for head in ("hrtf", "hrtfHighQuality"):
                yield ours(f"{head}, {height}", f"{head} {height}", "library:mysofa", "apt: libmysofa1")
            if height in OTHER_RATES:
                continue
            argv = peer("h5py", height, "{out}")
            yield from_file(f"SOFA file, {height}", "python:h5py", "pip: h5py", argv, beside)
            if height in BY_SOFALIZER:
                argv = self.sofalizer(folder, directions)
                package = "apt: ffmpeg, built with libmysofa"
                yield from_file(f"ffmpeg sofalizer, {height}", "ffmpeg:sofalizer", package, argv, beside)
            if "every" not in height:
                yield openal(height, ["ears", height], f"hrtfHighQuality, {height}")
        for curve in CURVES:
            for name in RANGES:
                yield ours(f"{curve}, {name}", f"{curve} {name}")
                if curve in CURVES_OF_OPENAL:
                    yield openal(f"{curve}, {name}", ["distances", curve, name], f"{curve}, {name}")
        for panner, channels in PANNERS:
            name = f"{panner}, {channels} channels"
            yield ours(name, f"{panner} {channels} channels")
            if panner == "equalPowerPanning":
                argv = ["sox", "-D", folder / "channels.wav", "-e", "float", "-b", 32, "{out}"]
                argv += ["remix", *script("spatial_laws.py", "remix").split()]
                yield Tool(f"sox remix, {channels} channels", "sox", "apt: sox", argv, beside=(f"aubench, {name}",))
            if panner != "soundField" and channels != 5:  # five channels are none of OpenAL's outputs
                yield openal(f"{channels} channels", ["speakers", channels], name)

    def sofalizer(self, folder, directions):
        """All directions in one process, one behind the other. It looks the place of a single channel up under the first name, FL."""
        count = len(directions)
        parts = [f"[0:a]aformat=sample_fmts=fltp:channel_layouts=mono,asplit={count}" + "".join(f"[i{k}]" for k in range(count))]
        for k, (azimuth, elevation) in enumerate(directions):
            place = f"sofa={SOFA}:type=time:radius=1.4:speakers=FL {-azimuth % 360} {elevation}"
            parts.append(f"[i{k}]sofalizer={place}[o{k}]")
        parts.append("".join(f"[o{k}]" for k in range(count)) + f"concat=n={count}:v=0:a=1[out]")
        words = ["-i", folder / f"impulse-{RATE}.wav", "-filter_complex", ";".join(parts), "-map", "[out]", "-c:a", "pcm_f32le", "{out}"]
        return [*FFMPEG, *words]

    def run(self, folder, tools, rounds):
        for tool in tools:
            tool.runs.append(tool.once(folder / "log.txt"))
        self.check(folder, tools)

    def check(self, folder, tools):
        (folder / "lines.json").write_text(json.dumps({str(tool.output): tool.name for tool in tools}))
        super().check(folder, tools)

    def wrong(self, tools, seconds):
        for tool in tools:
            if not tool.is_ours():
                continue
            check, name = tool.check, tool.name
            if "ITD µs" in check:
                source = source_of(name)
                on_grid = source == "sphericalHead" or check["away °"] < 0.01 and "every" not in name
                limits = LIMITS[source if on_grid else "between"]
                for (key, text), limit in zip(COMPARED.items(), limits):
                    if check[key][1] > limit:
                        yield f"{name}: {text} is {check[key][1]:.2f} from what it should be, limit {limit}"
            if check.get("distance dB", 0) > LIMITS["distance"]:
                yield f"{name}: {check['distance dB']:.4f} dB from the law"
            if check.get("gain", 0) > LIMITS["gain"]:
                yield f"{name}: a gain is {check['gain']:.2g} from the law"
            if max(map(abs, check.get("power dB", [0]))) > LIMITS["power"]:
                yield f"{name}: together the loudspeakers have {check['power dB']} dB"
            if "vectorBased" in name and check["at once"] > LIMITS["speakers"]:
                yield f"{name}: {check['at once']} loudspeakers at once"

    # The report.

    def tables(self, result):
        lines = result["lines"]
        ears = [line for line in lines if height_of(line["name"])]
        yield "Times and levels at two ears: the median and the worst deviation of all directions", [self.ears_row(line) for line in ears]
        octaves = [line for line in ears if "ILD by octave" in line["check"]]
        yield "The worst deviation of the level difference, dB, by octave", [self.octave_row(line) for line in octaves]
        level = [line for line in ears if "series" in line["check"]]
        if level:
            yield "Time differences at ear level, µs", list(self.azimuth_rows(level, ["ITD"]))
            title = f"Level differences at ear level, dB, in the octaves of {', '.join(map(str, DRAWN))} Hz"
            yield title, list(self.azimuth_rows(level, DRAWN))
        yield "Level over distance, dB", [self.distance_row(line) for line in lines if "levels dB" in line["check"]]
        yield "Loudspeakers", [self.speaker_row(line) for line in lines if "power dB" in line["check"]]

    def ears_row(self, line):
        check = line["check"]
        row = {"tool": bold(line["name"]), "against": ""} | {key: "" for key in COMPARED}
        if "ITD µs" in check:
            away = f", {check['away °']:.1f}° away at most" if check["away °"] > 0.01 else ""
            row["against"] = "closed form" if source_of(line["name"]) == "sphericalHead" else f"SOFA file{away}"
            row |= {key: pair(check[key]) for key in COMPARED}
        return row | {"ITD from Woodworth's µs": pair(check["Woodworth µs"], 0)}

    def octave_row(self, line):
        octaves = line["check"]["ILD by octave"]
        return {"tool": bold(line["name"])} | {f"{key} Hz": fixed(value, 2) for key, value in octaves.items()}

    def azimuth_rows(self, lines, keys):
        """Of every third direction; of the sphere its closed form too."""
        columns = {}
        for line in lines:
            source = source_of(line["name"])
            if "law" in line["check"]:
                columns["closed form of the sphere"] = line["check"]["law"]
            columns[f"**{source}**" if source in HEADS else source] = line["check"]["series"]
        if keys == ["ITD"]:
            woodworth = next(line["check"]["Woodworth"] for line in lines)
            columns = {"Woodworth": {"ITD": woodworth}} | columns
        for k, (azimuth, _) in enumerate(EARS["at ear level"]):
            if azimuth % 30 == 0:
                row = {"azimuth": f"{azimuth}°"}
                for head, series in columns.items():
                    values = [series["ITD"][k]] if keys == ["ITD"] else [series[f"right {b}"][k] - series[f"left {b}"][k] for b in keys]
                    row[head] = " / ".join(fixed(value, 1) for value in values)
                yield row

    def distance_row(self, line):
        check = line["check"]
        row = {"tool": bold(line["name"])} | {f"{d:g} m": fixed(level, 2) for d, level in zip(DISTANCES, check["levels dB"])}
        return row | {"worst, from the law": f"{check['distance dB']:.1e}"}

    def speaker_row(self, line):
        check = line["check"]
        low, high = check["power dB"]
        row = {"tool": bold(line["name"]), "power together dB": f"{fixed(low, 3)}..{fixed(high, 3)}"}
        row["at once, at ear level"] = str(check["at once"])
        row["gains from the law"] = f"{check['gain']:.1e}" if "gain" in check else ""
        row["vectors' sum from the source"] = f"{check['direction °']:.1e}°" if "direction °" in check else ""
        return row

    def picture(self, result):
        """Each ear's level over azimuth, a row of circles for each head; dots are what it is compared with."""
        found = {source_of(line["name"]): line["check"] for line in result["lines"] if "series" in line.get("check", {})}
        references = {"sphericalHead": found.get("sphericalHead", {}).get("law")}
        references |= {name: found.get("SOFA file", {}).get("series") for name in ("hrtf", "hrtfHighQuality", "openal")}
        names = {"sphericalHead": "sphericalHead; dots: closed form", "hrtfHighQuality": "hrtfHighQuality; dots: SOFA file"}
        names["openal"] = "OpenAL Soft; dots: SOFA file"
        rows = []
        for source, label in names.items():
            if source not in found:
                continue
            panels, dots = [], references[source]
            for octave in DRAWN:
                curves = [relative(found[source]["series"][f"{ear} {octave}"]) for ear in ("left", "right")]
                marks = [relative(dots[f"{ear} {octave}"]) for ear in ("left", "right")] if dots else []
                panels.append((f"{octave} Hz", curves, marks))
            rows.append((label if dots else label.partition(";")[0], panels))
        azimuths = [azimuth for azimuth, _ in EARS["at ear level"]]
        return polar("Level at each ear over azimuth, dB against the front, in octaves", azimuths, rows) if rows else None

    def notes(self, result):
        yield (
            "A graph has an input of the mixer for each direction, 1 m away, each with an impulse of its own, at 44.1 kHz, the rate of the "
            "measured head. ITD: by how much sound reaches the left ear later than the right one, from the peak of the cross-correlation of both "
            "responses below 1.5 kHz (a zero-phase low pass of eighth order) at 16 times the rate. ILD: by how much the right ear has more, in "
            "octaves from 125 Hz to 8 kHz and from 11.3 to 20 kHz. Cells are the median over directions and octaves and, in brackets, the worst, "
            "of the deviations' absolute values. The mixer's levels of an ear are taken as they are, those of the others against the power "
            "that both ears together get of pink noise from the front, 100 Hz to 10 kHz."
        )
        yield (
            "`closed form`: Woodworth's ways and the shadow of Brown and Duda, as the mixer's page has them, computed in the frequency domain "
            "in float64; what differs at high frequencies is the filter's bilinear transform. Woodworth's formula alone, (a/c)(θ + sin θ), holds for "
            "high frequencies: below 1.5 kHz the shadow filter adds to the difference in time, as a head does, so that every line lies off it."
        )
        yield from self.sphere_notes(result)
        yield (
            f"`SOFA file` is `{SOFA}` (KEMAR, MIT 1994), read with h5py: of each direction the nearest measured one. At ear level and 60° above "
            "that is the direction itself, and on the mixer's grid of 5°. At ±30° the head was measured every 6°: the lines `every 6°` ask for "
            "these directions, most of which lie between the mixer's grid points. `hrtf` keeps 2.9 ms of each response, which changes its low "
            "frequencies. At 48 and 96 kHz the mixer is compared with the same file. sofalizer plays the nearest measured response, and shows "
            "that h5py and libmysofa read the same; it converts a sound of another rate to that of the file."
        )
        yield (
            "OpenAL Soft, through its loopback device, plays a data set of its own: by the grid in its file the same measurements, but equalized to "
            "the diffuse field, of minimum phase, 32 taps long, and delayed by whole frames of 22.7 µs. Its level of an ear differs from the file's "
            "for the first reason, its ITD for the second and the last."
        )
        yield (
            "Over distance OpenAL's rolloff is set so that its law is that of the mixer's reference, maximum and attenuation; it has no counterpart of "
            "`power`. Loudspeakers: the power of all together over azimuth at elevations of -30°, 0°, 30° and 60°, and how many sound (by more than "
            "a hundredth) at ear level. OpenAL decodes them from Ambisonics, which is another law. SoX and FFmpeg have no law of panning: "
            "`sox remix` mixes with gains by cos and sin that were computed for it, and so checks the mixing alone. SoX has no spatializer to "
            "compare with either: its `earwax` is for sound that is stereo already."
        )

    def sphere_notes(self, result):
        ways = [line["check"]["ways µs"] for line in result["lines"] if "ways µs" in line.get("check", {})]
        if ways:
            yield f"The ways alone, from the phase below 1.5 kHz without the shadow's, differ from Woodworth's by {max(ways):.2f} µs at most."


def relative(levels):
    """Against the front."""
    front = levels[EARS["at ear level"].index((0, 0))]
    return [level - front for level in levels]


def pair(values, digits=2):
    return "{} ({})".format(*(fixed(value, digits) for value in values))


def fixed(value, digits):
    """Without a minus in front of zero."""
    return f"{round(value, digits) + 0:.{digits}f}"


def bold(name):
    return f"**{name}**" if name.startswith("aubench") else name
