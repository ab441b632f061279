#!/usr/bin/env python3
"""Whether each tool did the same work, as JSON: an object for each output. Called by `run`.

    checks.py CASE FOLDER OUT...   the output's frames, and its residual from float64 in dB, over the first 5 s; in `batch`, where an
                                   output is a folder, that of the worst file; in `rate` and `batch` what `bands` says besides
    checks.py quality FOLDER OUT...   of each output what its name says that it is: see `notes` of the case
    checks.py spatial FOLDER OUT...   the same, by the names in lines.json
    checks.py timepitch FOLDER OUT TEMPO    what became of the clicks that a tool played at another tempo
    checks.py same FOLDER OUT...   of each output, in a folder of its work's name, the residual from the work in float64, and frames too
                                   many; of graphic equalizers how far off they are at the centres; of levels the gain
    checks.py bands OUT...         how a converter passed the sines of tones/: OUT is a file, or a folder with one
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import firwin, resample_poly, sosfilt
from scipy.special import erfc

from cases.files import LIBSNDFILE
from cases.quality import CLIP_TONES, MOVES, RAMP
from cases.same import EQUALIZERS, FACTOR, GENERATORS, GRAPHIC, HERTZ, LEVELS, MATRIX, SPEEDS, WAYS, decibels, probe_of
from cases.units import EFFECTS
from sounds import CLICK_FRAMES, IMAGE_TONES, PASS_TONES, ROOT, TONE_PEAK, TONE_SECONDS, TONES
from spatial_laws import check_spatial  # noqa: F401, one of the checks by name

sys.path.insert(0, str(ROOT / "Scripts"))
import cookbook  # noqa: E402
import reference_render  # noqa: E402

SECONDS = 5


def to_48000(source):
    """From 44.1 kHz, in float64, flat to 18 kHz."""
    low_pass = firwin(2 * 160 * 200 + 1, 20500, window=("kaiser", 14), fs=160 * 44100)
    return resample_poly(source, 160, 147, axis=0, window=low_pass)


def residual(path, truth, edge=0):
    """In dB, relative to the sound; `edge` frames at either end do not count."""
    sound = soundfile.read(path, frames=len(truth), always_2d=True)[0]
    n = min(len(sound), len(truth)) - edge
    error = np.sqrt(np.mean((sound[edge:n] - truth[edge:n]) ** 2) / np.mean(truth[edge:n] ** 2))
    return reference_render.decibels(error)


def compared(path, truth, edge=0):
    return {"frames": soundfile.info(path).frames, "residual": residual(path, truth, edge)}


def rendered(graph, source):
    frames = min(soundfile.info(source).frames, SECONDS * 48000)
    return reference_render.Graph(graph, frames).render()


def check_stems(folder, outputs):
    truth = rendered(folder / "graph.json", folder / "stem00.wav")
    return {out: compared(out, truth) for out in outputs}


def check_eq(folder, outputs):
    answers = {}
    for graph in folder.glob("bands*.json"):
        truth = rendered(graph, folder / "source.wav")
        count = graph.stem.removeprefix("bands")
        answers |= {out: compared(out, truth) for out in outputs if out.endswith(f"-{count}-bands.wav")}
    return answers


def check_files(folder, outputs):
    """Outputs are named after their conversion: `sox-24-bit-to-float.wav`."""
    answers = {}
    for encoding, name in LIBSNDFILE.items():
        truth = soundfile.read(folder / f"source-{name}.wav", frames=SECONDS * 48000)[0]
        answers |= {out: compared(out, truth) for out in outputs if f"-{encoding.replace(' ', '-')}-to-" in out}
    return answers


def check_rate(folder, outputs):
    source = soundfile.read(folder / "source.wav", frames=(SECONDS + 1) * 44100)[0]
    truth = to_48000(source)[: SECONDS * 48000]
    return {out: compared(out, truth, edge=4800) for out in outputs}  # a file that was cut short there is not a converter's fault


def check_batch(folder, outputs):
    """Every file's length; the residual of one in 25."""
    graph, names = reference_render.Graph(folder / "graph.json"), sorted(path.name for path in (folder / "in").iterdir())
    answers = {}
    for out in outputs:
        lengths = [soundfile.info(path).frames for path in sorted(Path(out).iterdir())]
        answers[out] = {"files": len(lengths), "frames": sum(lengths), "residual": -np.inf}
    for name in names[::25]:
        graph.nodes["in"]["file"] = f"in/{name}"
        truth = to_48000(graph.render())
        for out in outputs:
            answers[out]["residual"] = max(answers[out]["residual"], residual(Path(out) / name, truth, edge=480))
    return answers


def check_units(folder, outputs):
    """Each output is named after its unit."""
    source = soundfile.read(folder / "noise.wav", frames=SECONDS * 48000)[0]
    return {out: {"residual": residual(out, effected(Path(out).parent.name, source))} for out in outputs}


def check_same(folder, outputs):
    answers = {}
    for out in outputs:
        path, work = Path(out), Path(out).parent.name
        path = next(path.iterdir()) if path.is_dir() else path
        probe = soundfile.read(folder / f"{probe_of(work)}.wav")[0]
        if work in GENERATORS:
            frames = json.loads((folder / f"{work}, source.json").read_text())["nodes"][0]["frames"]
            tone = FACTOR * np.sin(2 * np.pi * HERTZ * np.arange(SECONDS * 48000) / 48000)[:, None]
            found = {"residual": residual(path, tone[:frames])} if work == "tone" else {}
            answers[out] = {"surplus": soundfile.info(path).frames - frames, **found}
            continue
        if work in LEVELS:
            sound = soundfile.read(path)[0]
            n = min(len(sound), len(probe))
            factor = np.sum(sound[:n] * probe[:n]) / np.sum(probe[:n] ** 2)
            truth, found = probe * factor, {"gain": reference_render.decibels(factor)}
        else:
            truth, found = same_work(work, probe), {}
        if work in GRAPHIC:
            found = {"centres": off_at_centres(EQUALIZERS[work], soundfile.read(path)[0][:, 0])}
        found["residual"] = residual(path, truth, edge=4800 if work in SPEEDS else 0)
        answers[out] = {"surplus": soundfile.info(path).frames - len(truth), **found}
    return answers


def same_work(work, sound):
    if work in EQUALIZERS:
        sections = [cookbook.band(48000, **band) for band in EQUALIZERS[work]]
        return sosfilt(reference_render.sos(sections), sound, axis=0)
    if work in SPEEDS:
        up, down = Fraction(1 / SPEEDS[work]).limit_denominator(100).as_integer_ratio()
        low_pass = firwin(2 * 400 * up + 1, 12000, window=("kaiser", 14), fs=up * 48000)
        return resample_poly(sound, up, down, axis=0, window=low_pass)
    if work == "splitter and merger":
        return np.concatenate([sound, sound], axis=1)
    return sound @ np.array(MATRIX) if work == "matrix" else sound * (1 if work == "merger" else sum(WAYS))


def off_at_centres(bands, response):
    time = np.arange(len(response)) / 48000
    gains = [4 * abs(np.sum(response * np.exp(-2j * np.pi * band["frequency"] * time))) for band in bands]
    return max(abs(reference_render.decibels(gain) - decibels(bands, band["frequency"])) for gain, band in zip(gains, bands))


def check_timepitch(folder, outputs):
    """Attacks: around where the tempo puts each click, the first place near the loudest stretch of 2 ms."""
    sound, tempo = soundfile.read(outputs[0], always_2d=True)[0][:, 0], float(str(outputs[1]))
    expected = len(soundfile.read(folder / "clicks.wav")[0]) / tempo
    reach, late, before, behind, lost = int(0.08 * 48000), [], [], [], 0
    starts = [int(start / tempo) for start in range(CLICK_FRAMES, 8 * 48000 - 2 * CLICK_FRAMES, CLICK_FRAMES)]
    for start in starts:
        part = sound[start - reach : start + reach] ** 2
        level = np.convolve(part, np.ones(96), "same")
        if part.sum() < 5:
            lost += 1
            continue
        onset = int(np.argmax(level > 0.1 * level.max()))
        late.append((onset - reach) / 48)
        before.append(part[: max(0, onset - 48)].sum() / part.sum())
        behind.append(part[onset + 1200 :].sum() / part.sum())
    return {
        "is_as_long": abs(len(sound) - expected) < 2,
        "late": float(np.mean(late)),
        "spread": float(np.std(late)),
        "lost": lost / len(starts),
        "doubled": float(np.mean(np.array(behind) > 0.1)),
        "before": float(np.mean(before)),
        "behind": float(np.mean(behind)),
    }


def effected(unit, source):
    effect = EFFECTS[unit]
    if "gain" in effect:
        return source * effect["gain"]
    if "delay" in effect:
        return np.concatenate([np.zeros((effect["delay"], 2)), source])[: len(source)]
    if "bands" in effect:
        sections = [cookbook.band(48000, **band) for band in effect["bands"]]
    else:
        sections = [cookbook.unit(48000, unit, **effect["set"])]
    return sosfilt(reference_render.sos(sections), source, axis=0)


def beside(sound, hertz=1000, width=200):
    """The strongest part of the middle of the ramp that lies more than `width` Hz from the tone, against the tone, dB."""
    middle = sound[RAMP[0] + 4800 : RAMP[1] - 4800]
    spectrum = abs(np.fft.rfft(middle * np.blackman(len(middle)) ** 2))
    frequencies = np.fft.rfftfreq(len(middle), 1 / 48000)
    near = abs(frequencies - hertz) <= width
    return reference_render.decibels(spectrum[~near & (frequencies > 20)].max() / spectrum[near].max())


def at_each_frame(move, source):
    """The law of a move in float64, its parameter computed for each frame; None where it is not written here."""
    unit, values, parameter, low, high, _ = MOVES[move]
    place = np.clip((np.arange(len(source)) - RAMP[0]) / (RAMP[1] - RAMP[0]), 0, 1)
    course = low + (high - low) * place
    if unit == "multichannelMixer":
        return source * course
    if unit == "delay":
        late = np.concatenate([np.zeros(4800), source])[: len(source)]
        return source * np.cos(course * np.pi / 200) + late * np.sin(course * np.pi / 200)
    if unit == "dynamicsProcessor" or parameter == "softClipGain":
        return source * 10 ** (course / 20)
    if unit == "distortion":
        late = np.concatenate([np.zeros(84), source])[: len(source)]
        return late * (1 - course / 100 + course / 1000)
    if unit in ("lowPassFilter", "parametricEQ"):
        out, (one, other) = np.empty(len(source)), (0.0, 0.0)
        for n, x in enumerate(source.tolist()):
            if n == 0 or course[n] != course[n - 1]:
                b0, b1, b2, a0, a1, a2 = cookbook.unit(48000, unit, **values | {parameter: course[n]})
                b0, b1, b2, a1, a2 = b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0
            out[n] = y = b0 * x + one
            one, other = b1 * x - a1 * y + other, b2 * x - a2 * y
        return out


def aliases(sound, hertz):
    """All up to 20 kHz that is no harmonic, against the tone, dB."""
    spectrum = abs(np.fft.rfft(sound[48000:96000])) ** 2
    harmonics = np.arange(hertz, 24000, hertz)
    tone = spectrum[hertz]
    spectrum[[0, *harmonics]] = 0
    return reference_render.decibels(np.sqrt(spectrum[20:20001].sum() / tone))


def true_peak(sound):
    finer = resample_poly(sound, 16, 1, window=firwin(16 * 400 + 1, 0.9995 / 16, window=("kaiser", 6)))
    return reference_render.decibels(abs(finer[16 * 4800 : -16 * 4800]).max())


def decay(sound):
    """T20 and T30 in seconds: straight lines through the energy that is left, from -5 to -25 and to -35 dB."""
    left = np.cumsum(np.sum(sound**2, axis=1)[::-1])[::-1]
    level = 10 * np.log10(np.maximum(left, 1e-300) / left[0])
    answers = {}
    for name, end in (("T20 s", -25), ("T30 s", -35)):
        part = np.arange(np.argmax(level < -5), np.argmax(level < end))
        answers[name] = -60 / np.polyfit(part / 48000, level[part], 1)[0]
    return answers


def density(sound, window=960):
    """When the share of samples beyond the deviation, in a window, first is that of Gaussian noise: milliseconds."""
    weights = np.hanning(window + 2)[1:-1]
    weights /= weights.sum()
    for start in range(0, len(sound) - window, 24):
        part = sound[start : start + window]
        deviation = np.sqrt(np.sum(weights * part**2))
        if deviation > 0 and np.sum(weights * (abs(part) > deviation)) >= erfc(1 / np.sqrt(2)):
            return (start + window / 2) / 48
    return None


def check_quality(folder, outputs):
    answers = {}
    for out in outputs:
        name, sound = Path(out).stem, soundfile.read(out, always_2d=True)[0]
        if "-move-" in name:
            move = next(move for move in MOVES if name.endswith(move.replace(" ", "-").replace("_", "-")))
            answers[out] = {"beside dB": beside(sound[:, 0])}
            ideal = at_each_frame(move, soundfile.read(folder / f"{MOVES[move][-1]}.wav")[0])
            if name.startswith("aubench") and ideal is not None:
                answers[out]["at each frame dB"] = beside(ideal)
        elif "-clip-" in name:
            hertz = next(hertz for hertz in CLIP_TONES if f"-{hertz}-Hz" in name)
            answers[out] = {"alias dB": aliases(sound[:, 0], hertz)}
        elif "-limit-" in name:
            peak = reference_render.decibels(abs(sound[4800:-4800]).max())
            answers[out] = {"peak dBFS": peak, "true peak dBTP": true_peak(sound[:, 0])}
        else:
            answers[out] = decay(sound) | {"density ms": density(sound[:, 0])}
    return answers


def bands_of(path):
    """The largest deviation of a sine from 20 Hz to 20 kHz from its level; the highest image of one from 1 to 20 kHz, relative to
    it; and everything that is not the sine, of the worst of these. All in dB."""
    path = next(path.iterdir()) if path.is_dir() else path
    sound = soundfile.read(path, always_2d=True)[0][:, 0]
    levels, images, rests = {}, {}, {}
    for k, hertz in enumerate(TONES):
        start = round((k * TONE_SECONDS + (TONE_SECONDS - 1) / 2) * 48000)
        middle = sound[start : start + 48000]  # a second, so that bin n of its spectrum is n Hz
        spectrum = abs(np.fft.rfft(middle)) / 24000
        levels[hertz] = reference_render.decibels(spectrum[hertz] / TONE_PEAK)
        if hertz in IMAGE_TONES:
            places = [abs(k * 44100 + sign * hertz) % 48000 for k in range(1, 161) for sign in (-1, 1)]
            places = {min(place, 48000 - place) for place in places} - {hertz}
            images[hertz] = reference_render.decibels(max(spectrum[place] for place in places) / spectrum[hertz])
            rests[hertz] = reference_render.decibels(np.sqrt(np.sum(np.delete(spectrum, hertz) ** 2)) / spectrum[hertz])
    passed = max(PASS_TONES, key=lambda hertz: abs(levels[hertz]))
    imaged = max(images, key=images.get)
    return {
        "pass dB": levels[passed], "pass Hz": passed, "image dB": images[imaged], "image Hz": imaged, "rest dB": max(rests.values()),
    }  # fmt: skip


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "bands":
        answers = {out: bands_of(Path(out)) for out in rest}
    else:
        answers = globals()[f"check_{command}"](Path(rest[0]), rest[1:])
    print(json.dumps(answers))
