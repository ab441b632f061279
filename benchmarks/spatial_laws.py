"""The laws of the spatial mixer's page in numpy, and how far from them a render is. Called by `checks.py` and by `run`.

    spatial_laws.py remix     the two arguments of SoX's remix: a gain of each channel of channels.wav, by equal power
"""

import json
import sys
from pathlib import Path

import numpy as np
import soundfile

from cases.spatial import (
    AROUND, DISTANCES, DRAWN, EARS, FEW, FRAMES, OCTAVES, PEAK, RANGES, SOFA, SPEAKERS, height_of, rate_of, source_of,
)  # fmt: skip

RADIUS, SPEED = 0.0875, 343.0  # metres, and a second
FFT = 16384
TOP = 20000  # of the highest octave, Hz
FINER = 16  # times the rate, for the cross-correlation
LONGEST = 0.0012  # seconds between two ears


def decibels(power):
    return 10 * np.log10(np.maximum(power, 1e-300))


# Two ears.


def lateral(direction):
    azimuth, elevation = np.radians(direction)
    return np.clip(np.sin(azimuth) * np.cos(elevation), -1, 1)


def woodworth(direction):
    """What the left ear is later than the right one, µs."""
    angle = np.arcsin(lateral(direction))
    return RADIUS / SPEED * (angle + np.sin(angle)) * 1e6


def bins(rate):
    return np.fft.rfftfreq(FFT, 1 / rate)


def ears_of_sphere(direction, rate, with_way=True):
    """Spectra at the left and the right ear, without any discrete time."""
    spectra, seconds, hertz = [], RADIUS / SPEED, bins(rate)
    for cosine in (-lateral(direction), lateral(direction)):
        angle = np.arccos(cosine)
        way = -seconds * np.cos(angle) if angle <= np.pi / 2 else seconds * (angle - np.pi / 2)
        alpha = 1.05 + 0.95 * np.cos(angle * 180 / 150)
        s = 1j * np.pi * hertz * seconds  # ω/2ω₀
        spectra.append((1 + alpha * s) / (1 + s) * np.exp(-2j * np.pi * hertz * way * with_way) / np.sqrt(2))
    return np.array(spectra)


def spectra_of(path, count):
    sound = soundfile.read(path, frames=count * FRAMES)[0] / PEAK
    sound = np.concatenate([sound, np.zeros((count * FRAMES - len(sound), 2))])
    return np.fft.rfft(sound.reshape(count, FRAMES, 2), FFT, axis=1).transpose(0, 2, 1)


def itd(spectra, rate):
    left, right = spectra
    finer = np.fft.irfft(left * np.conj(right) / (1 + (bins(rate) / 1500) ** 8), FFT * FINER)
    reach = round(LONGEST * rate * FINER)
    around = np.concatenate([finer[-reach:], finer[: reach + 1]])
    peak = int(np.argmax(around[1:-1])) + 1
    before, at, after = around[peak - 1 : peak + 2]
    return (peak + (before - after) / (before - 2 * at + after) / 2 - reach) / (rate * FINER) * 1e6


def octave_levels(spectra, rate):
    """By octave and ear, dB."""
    powers, hertz = abs(spectra) ** 2, bins(rate)
    bands = [(hertz >= octave / np.sqrt(2)) & (hertz < min(octave * np.sqrt(2), TOP)) for octave in OCTAVES]
    return decibels(np.array([powers[:, band].mean(axis=1) for band in bands]))


def pink_power(spectra, rate):
    """Of both ears together, from pink noise of power 1 between 100 Hz and 10 kHz."""
    hertz = bins(rate)
    band = (hertz >= 100) & (hertz < 10000)
    return np.sum(abs(spectra[:, band]) ** 2 / hertz[band]) / np.sum(1 / hertz[band])


def measured(directions):
    """Of each direction the nearest measured response, frames by ears, and how many degrees away it is."""
    import h5py

    with h5py.File(SOFA) as file:
        places, responses = file["SourcePosition"][:], file["Data.IR"][:]
    vectors = vectors_of(-places[:, 0], places[:, 1])
    for azimuth, elevation in directions:
        cosines = vectors @ vectors_of(azimuth, elevation)
        nearest = int(np.argmax(cosines))
        yield responses[nearest].T, float(np.degrees(np.arccos(min(1, cosines[nearest]))))


def vectors_of(azimuth, elevation):
    azimuth, elevation = np.radians(azimuth), np.radians(elevation)
    return np.stack([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)], axis=-1)


def summary(values):
    values = abs(np.asarray(values))
    return [float(np.median(values)), float(np.max(values))]


def series(times, levels):
    """For the picture and the table over azimuth."""
    found = {"ITD": [round(float(time), 2) for time in times]}
    for octave in DRAWN:
        for ear, name in enumerate(("left", "right")):
            found[f"{name} {octave}"] = [round(float(level), 2) for level in levels[:, OCTAVES.index(octave), ear]]
    return found


def check_ears(found):
    """`found` has the name of each output."""
    spectra, fronts, answers = {}, {}, {}
    for out, name in found.items():
        spectra[name] = spectra_of(out, len(EARS[height_of(name)]))
        if height_of(name) == "at ear level":
            fronts[source_of(name)] = pink_power(spectra[name][EARS["at ear level"].index((0, 0))], rate_of(name))
    for out, name in found.items():
        height, source, rate = height_of(name), source_of(name), rate_of(name)
        own = spectra[name] if name.startswith("aubench") else spectra[name] / np.sqrt(fronts.get(source, 1))
        times, levels = heard(own, rate)
        law = np.array([woodworth(direction) for direction in EARS[height]])
        answer = answers[out] = {"Woodworth µs": summary(times - law)}
        if height == "at ear level":
            answer["series"], answer["Woodworth"] = series(times, levels), [round(float(time), 2) for time in law]
        truth, own_rate, away = None, rate, 0.0
        file = f"SOFA file, {height.removesuffix(', 48 kHz').removesuffix(', 96 kHz')}"
        if source == "sphericalHead":
            truth = np.array([ears_of_sphere(direction, rate) for direction in EARS[height]])
        elif source != "SOFA file" and file in spectra:
            truth, own_rate = spectra[file] / np.sqrt(fronts.get("SOFA file", 1)), rate_of(file)
            away = max(away for _, away in measured(EARS[height]))
        if truth is None:
            continue
        true_times, true_levels = heard(truth, own_rate)
        differences = (levels - true_levels)[:, :, 1] - (levels - true_levels)[:, :, 0]
        answer |= {
            "ITD µs": summary(times - true_times), "ILD dB": summary(differences), "away °": away,
            "level of an ear dB": summary(levels - true_levels),
            "ILD by octave": {octave: float(worst) for octave, worst in zip(OCTAVES, abs(differences).max(axis=0))},
        }  # fmt: skip
        if source == "sphericalHead":
            ways = [way_of(one, direction, rate) for one, direction in zip(own, EARS[height])]
            answer["ways µs"] = float(abs(np.array(ways) - law).max())
            if "series" in answer:
                answer["law"] = series(true_times, true_levels)
    return answers


def heard(spectra, rate):
    """Of each direction the time between the ears, and levels by octave and ear."""
    return np.array([itd(one, rate) for one in spectra]), np.array([octave_levels(one, rate) for one in spectra])


def way_of(spectra, direction, rate):
    """The way to the left ear less that to the right one, µs: the slope of the phase that the shadow leaves."""
    left, right = spectra / ears_of_sphere(direction, rate, with_way=False)
    hertz = bins(rate)
    low = (hertz > 100) & (hertz < 1500)
    phase = np.unwrap(np.angle(left * np.conj(right))[low])
    return float(-np.polyfit(2 * np.pi * hertz[low], phase, 1)[0] * 1e6)


# Distance.


def distance_gain(distance, curve, reference, maximum, attenuation):
    least = 10 ** (-attenuation / 20)
    distance = min(max(distance, reference), maximum)
    part = (distance - reference) / (maximum - reference)
    if curve == "inverse":
        return 1 / (1 + (1 / least - 1) * part)
    if curve == "exponential":
        return (distance / reference) ** -(np.log(1 / least) / np.log(maximum / reference))
    return least**part if curve == "power" else 1 - (1 - least) * part


def check_distance(out, name):
    """Ours as they are; a peer's against what is nearest."""
    _, curve, limits = name.split(", ", 2)
    frames = FEW if name.startswith("aubench") else FRAMES
    sound = soundfile.read(out, frames=frames * len(DISTANCES))[0] / PEAK
    levels = np.array([decibels(np.sum(sound[k * frames : (k + 1) * frames] ** 2)) for k in range(len(DISTANCES))])
    levels -= 0 if name.startswith("aubench") else levels[0]
    law = [2 * decibels(distance_gain(distance, curve, *RANGES[limits])) for distance in DISTANCES]
    return {"levels dB": [float(level) for level in levels], "distance dB": float(abs(levels - law).max())}


# Loudspeakers.


def equal_power(direction):
    angle = np.pi / 4 * (1 + np.degrees(np.arcsin(lateral(direction))) / 90)
    return np.cos(angle), np.sin(angle)


def vector_based(azimuth, speakers):
    """Of all pairs of neighbours that one whose gains are both positive: the inverse of their vectors times that of the source."""
    places = sorted((place, channel) for channel, place in enumerate(speakers) if place is not None)
    gains = np.zeros(len(speakers))
    for (one, first), (other, second) in zip(places, places[1:] + places[:1]):
        if abs((other - one) % 360) == 180:
            continue
        pair = np.array([vectors_of(one, 0)[:2], vectors_of(other, 0)[:2]]).T
        found = np.linalg.solve(pair, vectors_of(azimuth, 0)[:2])
        if (found > -1e-9).all():
            gains[[first, second]] = np.maximum(found, 0) / np.linalg.norm(found)
            return gains
    raise ValueError(f"no loudspeakers beside {azimuth}°")


def sound_field(direction, speakers):
    """Those of two loudspeakers look to the sides."""
    places = [-90, 90] if len(speakers) == 2 else speakers
    source = vectors_of(*direction)
    gains = np.array([0 if place is None else (1 + vectors_of(place, 0) @ source) / 2 for place in places])
    return gains / np.linalg.norm(gains)


def check_speakers(out, name):
    words = name.split(", ")
    channels = int(words[-1].split()[0])
    source, speakers = source_of(name), SPEAKERS[channels]
    frames = FRAMES if source == "openal" else FEW
    sound = soundfile.read(out, frames=frames * len(AROUND), always_2d=True)[0] / PEAK
    gains = np.array([sound[k * frames : (k + 1) * frames].sum(axis=0) for k in range(len(AROUND))])
    powers = decibels((gains**2).sum(axis=1))
    level = np.array([elevation == 0 for _, elevation in AROUND])
    answer = {"power dB": [float(powers.min()), float(powers.max())]}
    answer["at once"] = int((abs(gains[level]) > 0.01).sum(axis=1).max())
    if source in ("equalPowerPanning", "sox remix"):
        law = np.array([equal_power(direction) for direction in AROUND])
    elif source == "soundField":
        law = np.array([sound_field(direction, speakers) for direction in AROUND])
    elif source == "vectorBasedPanning":
        law = np.array([vector_based(azimuth, speakers) for azimuth, elevation in AROUND if elevation == 0])
        vectors = np.array([[0, 0] if place is None else vectors_of(place, 0)[:2] for place in speakers])
        sums = gains[level] @ vectors
        turns = np.degrees(np.arctan2(sums[:, 1], sums[:, 0])) - [azimuth for azimuth, elevation in AROUND if elevation == 0]
        answer["direction °"] = float(abs((turns + 180) % 360 - 180).max())
    else:
        return answer
    return answer | {"gain": float(abs(gains[: len(law)] - law).max())}


def check_spatial(folder, outputs):
    names = json.loads((Path(folder) / "lines.json").read_text())
    answers = check_ears({out: names[out] for out in outputs if height_of(names[out])})
    for out in outputs:
        if out not in answers:
            answers[out] = (check_speakers if names[out].endswith("channels") else check_distance)(out, names[out])
    return answers


if __name__ == "__main__" and sys.argv[1:] == ["remix"]:
    for ear in (0, 1):
        print(",".join(f"{k + 1}v{equal_power(direction)[ear]:.9f}" for k, direction in enumerate(AROUND)))
