#!/usr/bin/env python3
"""The sound that the benchmarks work on, and the check that every tool did the same work. Called by `run`.

    material.py stems FOLDER SECONDS       16 stereo 24-bit stems at 48 kHz and graph.json
    material.py rate  FOLDER SECONDS       source.wav, stereo 16-bit 44.1 kHz, nothing above 18 kHz
    material.py files FOLDER SECONDS       source.wav, stereo 24-bit 48 kHz
    material.py memory FOLDER SECONDS      graph.json: one looping file through an equalizer
    material.py check CASE FOLDER OUT...   JSON: each output's frames, and its residual in dB over the first 5 s
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
    """A loop of 30 s, cut above 18 kHz around its own circle, so that any good converter keeps all of it."""
    whole = stem(list(recordings(44100)), 0, 30 * 44100)
    spectrum = np.fft.rfft(whole, axis=0)
    hertz = np.fft.rfftfreq(len(whole), 1 / 44100)[:, None]
    cut = np.fft.irfft(spectrum * (0.5 + 0.5 * np.cos(np.pi * np.clip(hertz / 1000 - 17, 0, 1))), len(whole), axis=0)
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


def write_graph(folder, rate, nodes, connections):
    graph = {"version": 1, "sampleRate": rate, "maximumFramesPerSlice": 4096, "nodes": nodes, "connections": connections}
    (folder / "graph.json").write_text(json.dumps(graph, indent=1))


def reference(case, folder):
    """What comes out, in float64, for the first seconds."""
    if case == "stems":
        available = soundfile.info(folder / "stem00.wav").frames
        return reference_render.Graph(folder / "graph.json", min(available, CHECKED_SECONDS * 48000)).render()
    if case == "files":
        return soundfile.read(folder / "source.wav", frames=CHECKED_SECONDS * 48000)[0]
    source, rate = soundfile.read(folder / "source.wav", frames=(CHECKED_SECONDS + 1) * 44100)
    low_pass = firwin(2 * 160 * 200 + 1, 20500, window=("kaiser", 14), fs=160 * rate)
    return resample_poly(source, 160, 147, axis=0, window=low_pass)[: CHECKED_SECONDS * 48000]


def check(case, folder, outputs):
    truth, answers = reference(case, folder), {}
    for path in outputs:
        sound = soundfile.read(path, frames=len(truth), always_2d=True)[0]
        edge = 4800 if case == "rate" else 0  # a file that was cut short there is not a converter's fault
        n = min(len(sound), len(truth)) - edge
        error = np.sqrt(np.mean((sound[edge:n] - truth[edge:n]) ** 2) / np.mean(truth[edge:n] ** 2))
        answers[path] = {"frames": soundfile.info(path).frames, "residual": reference_render.decibels(error)}
    print(json.dumps(answers))


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "check":
        check(rest[0], Path(rest[1]), rest[2:])
    else:
        globals()[f"make_{command}"](Path(rest[0]), float(rest[1]))
