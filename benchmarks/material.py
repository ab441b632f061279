#!/usr/bin/env python3
"""The sound that the benchmarks work on, and the check that every tool did the same work. Called by `run`.

    material.py stems FOLDER SECONDS       16 stereo 24-bit stems at 48 kHz and graph.json
    material.py rate  FOLDER SECONDS       source.wav, stereo 16-bit 44.1 kHz, nothing above 18 kHz
    material.py files FOLDER SECONDS       source.wav, stereo 24-bit 48 kHz
    material.py memory FOLDER SECONDS      graph.json: one looping file through an equalizer
    material.py batch FOLDER SECONDS       in/: stereo 16-bit files of 5 s at 44.1 kHz; tones/: sines; graph.json for the files,
                                           neutral.json for the sines
    material.py check CASE FOLDER OUT...   JSON: each output's frames, and its residual in dB over the first 5 s; in `batch`, where an
                                           output is a folder, that of the worst file
    material.py bands FOLDER...            JSON: how each folder's converter passed the sines
"""

import json
import sys
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import firwin, resample_poly

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))
import reference_render  # noqa: E402

STEMS, BANDS, CHECKED_SECONDS = 16, 10, 5
# Of `batch`. Whole numbers of hertz: in a second of the output all of a tone is in one bin of the FFT, and so is each of its images.
PASS_TONES = [*(round(20 * 900 ** (k / 30)) for k in range(31)), *range(18100, 20001, 100)]
IMAGE_TONES = range(1000, 20001, 500)
TONE_SECONDS, TONE_PEAK = 2, 0.5


def recordings(rate):
    """The fixtures, stereo, at one rate."""
    for path in sorted((ROOT / "fixtures" / "audio").glob("*.flac")):
        data, own = soundfile.read(path, always_2d=True)
        data = np.broadcast_to(data, (len(data), 2))
        yield data if own == rate else resample_poly(data, rate, own, axis=0)


def loop(data, frames, start):
    return np.take(data, np.arange(start, start + frames), axis=0, mode="wrap")


def stem(sources, k, frames):
    """Two recordings in loops of different length and a little noise: never silent, no denormals, no two alike."""
    first, second = sources[k % len(sources)], sources[(3 * k + 1) % len(sources)]
    sound = loop(first, frames, 7919 * k) + 0.5 * loop(second, frames, 104729 * k)
    sound += np.random.default_rng(k).normal(0, 5e-4, sound.shape)
    return sound * (0.25 / abs(sound).max())


def rolled_off(whole, rate):
    """Nothing above 18 kHz, around its own circle, so that any good converter keeps all of it."""
    spectrum = np.fft.rfft(whole, axis=0)
    hertz = np.fft.rfftfreq(len(whole), 1 / rate)[:, None]
    return np.fft.irfft(spectrum * (0.5 + 0.5 * np.cos(np.pi * np.clip(hertz / 1000 - 17, 0, 1))), len(whole), axis=0)


def make_stems(folder, seconds):
    sources = list(recordings(48000))
    nodes, connections, levels = [], [], {}
    for k in range(STEMS):
        soundfile.write(folder / f"stem{k:02}.wav", stem(sources, k, round(seconds * 48000)), 48000, "PCM_24")
        bands = [
            {"type": "parametric", "frequency": 31.25 * 2**b, "bandwidth": 1,
             "gain": (-1) ** (b + k) * (3 + (k * BANDS + b) * 7 % 13 / 4)}
            for b in range(BANDS)
        ]  # fmt: skip
        nodes += [{"id": f"stem{k}", "unit": "filePlayer", "file": f"stem{k:02}.wav"}]
        nodes += [{"id": f"eq{k}", "unit": "nBandEQ", "bands": bands}]
        connections += [f"stem{k} -> eq{k}", f"eq{k} -> mix:{k}"]
        levels |= {f"volume@input:{k}": 0.3 + k / 64, f"pan@input:{k}": round(k / 8 - 0.9375, 4)}
    nodes += [{"id": "mix", "unit": "multichannelMixer", "set": levels}, {"id": "out", "unit": "genericOutput"}]
    write_graph(folder, 48000, nodes, connections + ["mix -> out"])


def make_rate(folder, seconds):
    """A loop of 30 s."""
    cut = rolled_off(stem(list(recordings(44100)), 0, 30 * 44100), 44100)
    soundfile.write(folder / "source.wav", loop(2 * cut, round(seconds * 44100), 0), 44100, "PCM_16")


def make_files(folder, seconds):
    soundfile.write(folder / "source.wav", stem(list(recordings(48000)), 0, round(seconds * 48000)), 48000, "PCM_24")


def make_memory(folder, seconds):
    drums = ROOT / "fixtures" / "audio" / "drums.flac"
    (folder / "drums.flac").write_bytes(drums.read_bytes())
    plays = -(-seconds * 44100 // soundfile.info(drums).frames)
    nodes = [
        {"id": "drums", "unit": "filePlayer", "file": "drums.flac", "loops": int(plays) - 1},
        {"id": "eq", "unit": "iPodEQ", "preset": "Rock"},
        {"id": "out", "unit": "genericOutput"},
    ]
    write_graph(folder, 44100, nodes, ["drums -> eq", "eq -> out"])


def make_batch(folder, seconds):
    (folder / "in").mkdir()
    (folder / "tones").mkdir()
    sources = list(recordings(44100))
    for k in range(round(seconds / CHECKED_SECONDS)):
        sound = 3 * rolled_off(stem(sources, k, CHECKED_SECONDS * 44100), 44100)
        soundfile.write(folder / "in" / f"{k:03}.wav", sound, 44100, "PCM_16")
    for hertz in sorted({*PASS_TONES, *IMAGE_TONES}):
        tone = TONE_PEAK * np.sin(2 * np.pi * hertz / 44100 * np.arange(TONE_SECONDS * 44100))
        soundfile.write(folder / "tones" / f"{hertz:05}.wav", np.stack([tone, tone], axis=1), 44100, "FLOAT")
    for name, sounds, gains, volume in (("graph", "in/000", (-3, 2, -2), 0.7), ("neutral", "tones/01000", (0, 0, 0), 1)):
        bands = [
            {"type": "parametric", "frequency": f, "bandwidth": 1, "gain": gain} for f, gain in zip((200, 1000, 5000), gains)
        ]
        nodes = [
            {"id": "in", "unit": "filePlayer", "file": f"{sounds}.wav"},
            {"id": "eq", "unit": "nBandEQ", "bands": bands},
            {"id": "mix", "unit": "multichannelMixer", "set": {"volume@output:0": volume}},
            {"id": "out", "unit": "genericOutput", "format": {"sampleRate": 48000}},
        ]
        write_graph(folder, 44100, nodes, ["in -> eq", "eq -> mix", "mix -> out"], f"{name}.json")


def write_graph(folder, rate, nodes, connections, name="graph.json"):
    graph = {"version": 1, "sampleRate": rate, "maximumFramesPerSlice": 4096, "nodes": nodes, "connections": connections}
    (folder / name).write_text(json.dumps(graph, indent=1))


def to_48000(source):
    """From 44.1 kHz, in float64, flat to 18 kHz."""
    low_pass = firwin(2 * 160 * 200 + 1, 20500, window=("kaiser", 14), fs=160 * 44100)
    return resample_poly(source, 160, 147, axis=0, window=low_pass)


def reference(case, folder):
    """What comes out, in float64, for the first seconds."""
    if case == "stems":
        available = soundfile.info(folder / "stem00.wav").frames
        return reference_render.Graph(folder / "graph.json", min(available, CHECKED_SECONDS * 48000)).render()
    if case == "files":
        return soundfile.read(folder / "source.wav", frames=CHECKED_SECONDS * 48000)[0]
    source = soundfile.read(folder / "source.wav", frames=(CHECKED_SECONDS + 1) * 44100)[0]
    return to_48000(source)[: CHECKED_SECONDS * 48000]


def residual(path, truth, edge):
    """In dB, relative to the sound; `edge` frames at either end do not count."""
    sound = soundfile.read(path, frames=len(truth), always_2d=True)[0]
    n = min(len(sound), len(truth)) - edge
    error = np.sqrt(np.mean((sound[edge:n] - truth[edge:n]) ** 2) / np.mean(truth[edge:n] ** 2))
    return reference_render.decibels(error)


def check(case, folder, outputs):
    if case == "batch":
        return check_batch(folder, outputs)
    edge = 4800 if case == "rate" else 0  # a file that was cut short there is not a converter's fault
    truth = reference(case, folder)
    return {path: {"frames": soundfile.info(path).frames, "residual": residual(path, truth, edge)} for path in outputs}


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
            answers[out]["residual"] = max(answers[out]["residual"], residual(Path(out) / name, truth, 480))
    return answers


def bands(outputs):
    """Of each folder of converted sines: the largest deviation of one from 20 Hz to 20 kHz from its level; the highest image of
    one from 1 to 20 kHz, relative to it; and everything that is not the sine, of the worst of these. All in dB."""
    return {out: bands_of(Path(out)) for out in outputs}


def bands_of(folder):
    levels, images, rests = {}, {}, {}
    for path in sorted(folder.iterdir()):
        hertz = int(path.stem)
        sound = soundfile.read(path, always_2d=True)[0][:, 0]
        middle = sound[24000:72000]  # a second, so that bin n of its spectrum is n Hz
        spectrum = abs(np.fft.rfft(middle)) / 24000
        levels[hertz] = reference_render.decibels(spectrum[hertz] / TONE_PEAK)
        if hertz in IMAGE_TONES:
            places = [abs(k * 44100 + sign * hertz) % 48000 for k in range(1, 161) for sign in (-1, 1)]
            places = {min(place, 48000 - place) for place in places} - {hertz}
            images[hertz] = reference_render.decibels(max(spectrum[place] for place in places) / spectrum[hertz])
            rest = np.delete(spectrum, hertz)
            rests[hertz] = reference_render.decibels(np.sqrt(np.sum(rest**2)) / spectrum[hertz])
    passed = max(PASS_TONES, key=lambda hertz: abs(levels[hertz]))
    imaged = max(images, key=images.get)
    return {
        "pass dB": levels[passed], "pass Hz": passed, "image dB": images[imaged], "image Hz": imaged, "rest dB": max(rests.values()),
    }  # fmt: skip


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "check":
        print(json.dumps(check(rest[0], Path(rest[1]), rest[2:])))
    elif command == "bands":
        print(json.dumps(bands(rest)))
    else:
        globals()[f"make_{command}"](Path(rest[0]), float(rest[1]))
