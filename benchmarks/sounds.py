#!/usr/bin/env python3
"""Makes the sound that a case works on, and its graphs: sounds.py CASE FOLDER SECONDS. Called by `run`.

    stems    16 stereo 24-bit stems at 48 kHz; graph.json
    shared   4 stems as in stems; graph.json
    rate     source.wav, stereo 16-bit 44.1 kHz, nothing above 18 kHz; tones/
    files    source-pcm16.wav, source-pcm24.wav, source-float32.wav, stereo 48 kHz
    eq       source.wav, stereo float 48 kHz; a graph for each number of bands
    effects  source.wav as for eq; mono.wav at 44.1 kHz
    same     source.wav as for eq, impulse.wav, smooth.wav (nothing above 9 kHz), the channels of these; graphs of all works
    batch    in/: stereo 16-bit files of 5 s at 44.1 kHz; graph.json for these; tones/; neutral.json for it
    memory   graph.json: one looping file through an equalizer
    welch    noise.f32: two channels of white noise, one after the other
    units    noise.wav, stereo float 48 kHz
    nodes    the same
    quality  tone.wav, quiet.wav, clip-HZ.wav: sines; white-noise.wav and so on: what a limiter gets; impulse.wav
    spatial  impulse-RATE.wav, short.wav: an impulse, mono; channels.wav: one in each channel, one after the other

tones/ has one file of sines at 44.1 kHz, one after another: what a conversion does to them tells its pass band and images.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from cases.eq import BAND_COUNTS, bands_of
from cases.quality import CLIP_TONES, LOUD, file_name
from cases.same import EQUALIZERS, GENERATORS, GRAPHIC, LEVELS, MATRIX, SPEEDS, WAYS, WORKS, decibels, probe_of
from cases.spatial import AROUND, FEW, FRAMES, OTHER_RATES, PEAK
from cases.spatial import RATE as SPATIAL_RATE

ROOT = Path(__file__).resolve().parent.parent
STEMS, BANDS, BATCH_FILE_SECONDS = 16, 10, 5
# Whole numbers of hertz: in a second of the output all of a tone is in one bin of the FFT, and so is each of its images.
PASS_TONES = [*(round(20 * 900 ** (k / 30)) for k in range(31)), *range(18100, 20001, 100)]
IMAGE_TONES = range(1000, 20001, 500)
TONES = sorted({*PASS_TONES, *IMAGE_TONES})
TONE_SECONDS, TONE_PEAK = 1.25, 0.5

CLICK_FRAMES = 12000


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


def rolled_off(whole, rate, highest=18):
    """Nothing above 18 kHz, around its own circle, so that any good converter keeps all of it."""
    spectrum = np.fft.rfft(whole, axis=0)
    hertz = np.fft.rfftfreq(len(whole), 1 / rate)[:, None]
    return np.fft.irfft(spectrum * (0.5 + 0.5 * np.cos(np.pi * np.clip(hertz / 1000 - highest + 1, 0, 1))), len(whole), axis=0)


def write_graph(folder, rate, nodes, connections, name="graph.json"):
    graph = {"version": 1, "sampleRate": rate, "maximumFramesPerSlice": 4096, "nodes": nodes, "connections": connections}
    (folder / name).write_text(json.dumps(graph, indent=1))


def make_stems(folder, seconds, stems=STEMS, band_count=BANDS):
    sources = list(recordings(48000))
    nodes, connections, levels = [], [], {}
    for k in range(stems):
        soundfile.write(folder / f"stem{k:02}.wav", stem(sources, k, round(seconds * 48000)), 48000, "PCM_24")
        bands = [
            {"type": "parametric", "frequency": 31.25 * 2**b, "bandwidth": 1,
             "gain": (-1) ** (b + k) * (3 + (k * BANDS + b) * 7 % 13 / 4)}
            for b in range(band_count)
        ]  # fmt: skip
        nodes += [{"id": f"stem{k}", "unit": "filePlayer", "file": f"stem{k:02}.wav"}]
        nodes += [{"id": f"eq{k}", "unit": "nBandEQ", "bands": bands}]
        connections += [f"stem{k} -> eq{k}", f"eq{k} -> mix:{k}"]
        levels |= {f"volume@input:{k}": 0.3 + k / 64, f"pan@input:{k}": round(k / 8 - 0.9375, 4)}
    nodes += [{"id": "mix", "unit": "multichannelMixer", "set": levels}, {"id": "out", "unit": "genericOutput"}]
    write_graph(folder, 48000, nodes, connections + ["mix -> out"])


def make_shared(folder, seconds):
    """Loops of half a minute."""
    length = min(seconds, 30)
    make_stems(folder, length, 4, 5)
    graph = json.loads((folder / "graph.json").read_text())
    for node in graph["nodes"]:
        if node["unit"] == "filePlayer":
            node["loops"] = math.ceil(seconds / length)
    (folder / "graph.json").write_text(json.dumps(graph, indent=1))


def make_tones(folder):
    folder.mkdir()
    time = np.arange(round(TONE_SECONDS * 44100)) / 44100
    sines = np.concatenate([TONE_PEAK * np.sin(2 * np.pi * hertz * time) for hertz in TONES])
    soundfile.write(folder / "tones.wav", np.stack([sines, sines], axis=1), 44100, "FLOAT")


def make_rate(folder, seconds):
    """A loop of 30 s."""
    cut = rolled_off(stem(list(recordings(44100)), 0, 30 * 44100), 44100)
    soundfile.write(folder / "source.wav", loop(2 * cut, round(seconds * 44100), 0), 44100, "PCM_16")
    make_tones(folder / "tones")


def make_files(folder, seconds):
    sound = stem(list(recordings(48000)), 0, round(seconds * 48000))
    for name, subtype in (("pcm16", "PCM_16"), ("pcm24", "PCM_24"), ("float32", "FLOAT")):
        soundfile.write(folder / f"source-{name}.wav", sound, 48000, subtype)


def make_eq(folder, seconds):
    soundfile.write(folder / "source.wav", stem(list(recordings(48000)), 0, round(seconds * 48000)), 48000, "FLOAT")
    for count in BAND_COUNTS:
        nodes = [
            {"id": "in", "unit": "filePlayer", "file": "source.wav"},
            {"id": "eq", "unit": "nBandEQ", "bands": [{"type": "parametric", **band} for band in bands_of(count)]},
            {"id": "out", "unit": "genericOutput"},
        ]
        write_graph(folder, 48000, nodes, ["in -> eq", "eq -> out"], f"bands{count}.json")


def make_effects(folder, seconds):
    soundfile.write(folder / "source.wav", stem(list(recordings(48000)), 0, round(seconds * 48000)), 48000, "FLOAT")
    soundfile.write(folder / "mono.wav", stem(list(recordings(44100)), 0, round(seconds * 44100))[:, 0], 44100, "FLOAT")


def make_same(folder, seconds):
    impulse = np.zeros((2 * 48000, 2))
    impulse[24000] = 0.25  # so that no gain takes it beyond 1, where SoX clips
    source = stem(list(recordings(48000)), 0, round(seconds * 48000))
    smooth = rolled_off(source[: 10 * 48000], 48000, highest=9)
    for name, sound in (("source", source), ("smooth", smooth), ("impulse", impulse)):
        soundfile.write(folder / f"{name}.wav", sound, 48000, "FLOAT")
        for channel, side in enumerate(("left", "right")):
            soundfile.write(folder / f"{name}-{side}.wav", sound[:, channel], 48000, "FLOAT")
    for work in WORKS:
        for name in ("source", probe_of(work)):
            nodes, connections = same_graph(work, name, round(seconds * 48000))
            write_graph(folder, 48000, [*nodes, {"id": "out", "unit": "genericOutput"}], connections, f"{work}, {name}.json")


def same_graph(work, name, frames):
    player = {"id": "in", "unit": "filePlayer", "file": f"{name}.wav"}
    if work == "merger":
        sides = [{"id": side, "unit": "filePlayer", "file": f"{name}-{side}.wav"} for side in ("left", "right")]
        return [*sides, {"id": "unit", "unit": "merger"}], ["left -> unit:0", "right -> unit:1", "unit -> out"]
    if work == "splitter and merger":
        nodes = [player, {"id": "unit", "unit": "splitter"}, {"id": "merger", "unit": "merger"}]
        return nodes, ["in -> unit", "unit:0 -> merger:0", "unit:1 -> merger:1", "merger -> out"]
    if work == "multiSplitter and mixer":
        mixer = {"unit": "multichannelMixer", "set": {f"volume@input:{k}": level for k, level in enumerate(WAYS)}}
        nodes = [player, {"id": "unit", "unit": "multiSplitter"}, {"id": "mixer", **mixer}]
        return nodes, ["in -> unit", *(f"unit:{k} -> mixer:{k}" for k in range(len(WAYS))), "mixer -> out"]
    if work in GENERATORS:
        return [{"id": "unit", **GENERATORS[work], "frames": frames, "format": {"channels": 1}}], ["unit -> out"]
    return [player, {"id": "unit", **same_unit(work)}], ["in -> unit", "unit -> out"]


def same_unit(work):
    if work in SPEEDS:
        return {"unit": "varispeed", "set": {"playbackRate": SPEEDS[work]}}
    if work in LEVELS:
        return {"unit": "normalizer", "set": LEVELS[work]}
    if work == "matrix":
        return {"unit": "matrixMixer", "matrix": MATRIX}
    bands = EQUALIZERS[work]
    if work in GRAPHIC:
        gains = {f"gain{k}": decibels(bands, band["frequency"]) for k, band in enumerate(bands)}
        return {"unit": "graphicEQ", "set": {"numberOfBands": int(len(bands) == 31), **gains}}
    low, *middle, high = bands
    values = {"lowFrequency": low["frequency"], "lowGain": low["gain"], "highFrequency": high["frequency"], "highGain": high["gain"]}
    for k, band in enumerate(middle, 1):
        values |= {f"centerFrequency{k}": band["frequency"], f"centerGain{k}": band["gain"], f"bandwidth{k}": band["bandwidth"]}
    return {"unit": "multibandFilter", "set": values}


def make_timepitch(folder, seconds):
    soundfile.write(folder / "source.wav", stem(list(recordings(48000)), 0, round(seconds * 48000)), 48000, "FLOAT")
    # Bursts of noise that decay by 60 dB in 35 ms, on every quarter of a second.
    clicks, random = np.zeros((8 * 48000, 2)), np.random.default_rng(5)
    for start in range(CLICK_FRAMES, len(clicks) - CLICK_FRAMES, CLICK_FRAMES):
        clicks[start : start + 2400] = 0.5 * (random.normal(size=2400) * np.exp(-np.arange(2400) / 240))[:, None]
    soundfile.write(folder / "clicks.wav", clicks, 48000, "FLOAT")


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
    sources = list(recordings(44100))
    for k in range(round(seconds / BATCH_FILE_SECONDS)):
        sound = 3 * rolled_off(stem(sources, k, BATCH_FILE_SECONDS * 44100), 44100)
        soundfile.write(folder / "in" / f"{k:03}.wav", sound, 44100, "PCM_16")
    make_tones(folder / "tones")
    for name, sounds, gains, volume in (("graph", "in/000", (-3, 2, -2), 0.7), ("neutral", "tones/tones", (0, 0, 0), 1)):
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


def noise(seconds):
    return (np.random.default_rng(1).standard_normal((2, round(seconds * 48000))) * 0.1).astype(np.float32)


def make_seeks(folder, seconds):
    sound = stem(list(recordings(48000)), 0, round(seconds * 48000))
    for length in {round(seconds / 60), round(seconds / 10), round(seconds)}:
        part = sound[: length * 48000]
        for kind, words in {"wav": ["WAV", "PCM_24"], "flac": ["FLAC", "PCM_24"], "mp3": ["MP3"], "ogg": ["OGG", "VORBIS"], "opus": ["OGG", "OPUS"]}.items():
            with soundfile.SoundFile(folder / f"{length}.{kind}", "w", 48000, 2, format=words[0], subtype=(words[1:] or [None])[0]) as file:
                # libsndfile's Vorbis takes no more at once.
                for start in range(0, len(part), 48000):
                    file.write(part[start : start + 48000])


def make_welch(folder, seconds):
    noise(seconds).tofile(folder / "noise.f32")


def make_units(folder, seconds):
    soundfile.write(folder / "noise.wav", noise(seconds).T, 48000, "FLOAT")
    soundfile.write(folder / "noise24.wav", noise(seconds).T, 48000, "PCM_24")


make_nodes = make_units


def make_quality(folder, seconds):
    time = np.arange(round(seconds * 48000)) / 48000
    random = np.random.default_rng(3)

    def write(name, sound):
        soundfile.write(folder / f"{file_name(name)}.wav", sound.astype(np.float32), 48000, "FLOAT")

    tone = np.sin(2 * np.pi * 1000 * time)
    write("tone", 0.5 * tone)
    write("quiet", 0.001 * tone)
    for hertz in CLIP_TONES:
        write(f"clip-{hertz}", np.sin(2 * np.pi * hertz * time))
    noise = random.uniform(-1, 1, len(time))
    spectrum = np.fft.rfft(noise)
    spectrum[np.fft.rfftfreq(len(time)) > 0.4] = 0
    narrow = np.fft.irfft(spectrum, len(time))
    square = np.sign(np.sin(2 * np.pi * 997 * time + 0.1))
    music = stem(list(recordings(48000)), 0, len(time))[:, 0]
    for name, sound in zip(LOUD, (noise, narrow / abs(narrow).max(), square, music / abs(music).max())):
        write(name, sound)
    impulse = np.zeros(14 * 48000)
    impulse[0] = 1
    write("impulse", np.stack([impulse, 0 * impulse], axis=1))


def make_spatial(folder, seconds):
    sounds = [(f"impulse-{rate}", FRAMES, rate) for rate in (SPATIAL_RATE, *OTHER_RATES.values())]
    for name, frames, rate in [*sounds, ("short", FEW, SPATIAL_RATE)]:
        impulse = np.zeros(frames, np.float32)
        impulse[0] = PEAK
        soundfile.write(folder / f"{name}.wav", impulse, rate, "FLOAT")
    channels = np.zeros((len(AROUND) * FEW, len(AROUND)), np.float32)
    channels[np.arange(len(AROUND)) * FEW, np.arange(len(AROUND))] = PEAK
    soundfile.write(folder / "channels.wav", channels, SPATIAL_RATE, "FLOAT")


if __name__ == "__main__":
    globals()[f"make_{sys.argv[1]}"](Path(sys.argv[2]), float(sys.argv[3]))
