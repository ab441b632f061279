"""The second-order sections of the Audio EQ Cookbook (Robert Bristow-Johnson), by the names of the graph file.

Written from the Cookbook's text and from this project's definitions, apart from the Swift code, so that each can be held
to the other. A section is (b0, b1, b2, a0, a1, a2), not normalised. Every function takes `m`, the module that does the
mathematics (`math` for float64, `mpmath` for more), and `make`, what is made of a shape, w0, alpha and gain.
"""

import math

CENTRES = [32, 64, 125, 250, 500, 1000, 2000, 4000, 8000, 16000]

# The project's curves for the iPod EQ, in preset order from 1; preset 0 is Disabled. Gains in dB at CENTRES.
IPOD_CURVES = {
    "Acoustic": [5, 4.9, 3.95, 1.05, 2.15, 1.75, 3.5, 4.1, 3.55, 2.15],
    "Bass Booster": [5.5, 4.25, 3.5, 2.5, 1.25, 0, 0, 0, 0, 0],
    "Bass Reducer": [-5.5, -4.25, -3.5, -2.5, -1.25, 0, 0, 0, 0, 0],
    "Classical": [4.75, 3.75, 3, 2.5, -1.5, -1.5, 0, 2.25, 3.25, 3.75],
    "Dance": [3.57, 6.55, 4.99, 0, 1.92, 3.65, 5.15, 4.54, 3.59, 0],
    "Deep": [4.95, 3.55, 1.75, 1, 2.85, 2.5, 1.45, -2.15, -3.55, -4.6],
    "Electronic": [4.25, 3.8, 1.2, 0, -2.15, 2.25, 0.85, 1.25, 3.95, 4.8],
    "Flat": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "Hip-Hop": [5, 4.25, 1.5, 3, -1, -1, 1.5, -0.5, 2, 3],
    "Jazz": [4, 3, 1.5, 2.25, -1.5, -1.5, 0, 1.5, 3, 3.75],
    "Latin": [4.5, 3, 0, 0, -1.5, -1.5, -1.5, 0, 3, 4.5],
    "Loudness": [6, 4, 0, 0, -2, 0, -1, -5, 5, 1],
    "Lounge": [-3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1],
    "Piano": [3, 2, 0, 2.5, 3, 1.5, 3.5, 4.5, 3, 3.5],
    "Pop": [-1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5],
    "R&B": [2.62, 6.92, 5.65, 1.33, -2.19, -1.5, 2.32, 2.65, 3, 3.75],
    "Rock": [5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5],
    "Small Speakers": [5.5, 4.25, 3.5, 2.5, 1.25, 0, -1.25, -2.5, -3.5, -4.25],
    "Spoken Word": [-3.46, -0.47, 0, 0.69, 3.46, 4.61, 4.84, 4.28, 2.54, 0],
    "Treble Booster": [0, 0, 0, 0, 0, 1.25, 2.5, 3.5, 4.25, 5.5],
    "Treble Reducer": [0, 0, 0, 0, 0, -1.25, -2.5, -3.5, -4.25, -5.5],
    "Vocal Booster": [-1.5, -3, -3, 1.5, 3.75, 3.75, 3, 1.5, 0, -1.5],
}


def section(shape, w0, alpha, gain, m):
    c = m.cos(w0)
    if shape == "lowPass":
        return (1 - c) / 2, 1 - c, (1 - c) / 2, 1 + alpha, -2 * c, 1 - alpha
    if shape == "highPass":
        return (1 + c) / 2, -(1 + c), (1 + c) / 2, 1 + alpha, -2 * c, 1 - alpha
    if shape == "bandPass":
        return alpha, 0, -alpha, 1 + alpha, -2 * c, 1 - alpha
    if shape == "notch":
        return 1, -2 * c, 1, 1 + alpha, -2 * c, 1 - alpha
    a = m.exp(m.log(10) * gain / 40)
    if shape == "peaking":
        return 1 + alpha * a, -2 * c, 1 - alpha * a, 1 + alpha / a, -2 * c, 1 - alpha / a
    side = {"lowShelf": 1, "highShelf": -1}[shape]  # a high shelf is a low shelf with z turned to -z
    up, down, root = a + 1, a - 1, 2 * m.sqrt(a) * alpha
    c *= side
    return (
        a * (up - down * c + root), side * 2 * a * (down - up * c), a * (up - down * c - root),
        up + down * c + root, side * -2 * (down + up * c), up + down * c - root,
    )


def clamped_w0(frequency, rate, m):
    return 2 * m.pi * min(frequency, 0.49 * rate) / rate


def alpha_of_bandwidth(w0, octaves, m):
    return m.sin(w0) * m.sinh(m.log(2) / 2 * octaves * w0 / m.sin(w0))


def alpha_of_q(w0, q, m):
    return m.sin(w0) / (2 * q)


def q_of_bandwidth(octaves, m):
    return 1 / (2 * m.sinh(m.log(2) / 2 * octaves))


# Band type of the N-band EQ, in index order: shape, and what its alpha comes from.
BAND_TYPES = {
    "parametric": ("peaking", "bandwidth"),
    "lowPass": ("lowPass", "butterworth"),
    "highPass": ("highPass", "butterworth"),
    "resonantLowPass": ("lowPass", "resonance"),
    "resonantHighPass": ("highPass", "resonance"),
    "bandPass": ("bandPass", "bandwidth"),
    "bandStop": ("notch", "bandwidth"),
    "lowShelf": ("lowShelf", "butterworth"),
    "highShelf": ("highShelf", "butterworth"),
    "resonantLowShelf": ("lowShelf", "resonance"),
    "resonantHighShelf": ("highShelf", "resonance"),
}


def band(rate, type="parametric", frequency=1000, bandwidth=0.5, gain=0, m=math, make=section):
    """One band of `nBandEQ`. A shelf of slope 1 has alpha = sin(w0) / √2, which is that of Q = 1 / √2."""
    shape, source = BAND_TYPES[type]
    w0 = clamped_w0(frequency, rate, m)
    alpha = {
        "bandwidth": lambda: alpha_of_bandwidth(w0, bandwidth, m),
        "butterworth": lambda: m.sin(w0) / m.sqrt(2),
        "resonance": lambda: alpha_of_q(w0, q_of_bandwidth(bandwidth, m), m),
    }[source]()
    return make(shape, w0, alpha, gain, m)


def unit(rate, name, m=math, make=section, **p):
    """The single section of a filter unit, from its parameters by their names in the graph file."""
    frequency = p["cutoffFrequency"] if "cutoffFrequency" in p else p["centerFrequency"]
    w0 = clamped_w0(frequency, rate, m)
    if name in ("lowPassFilter", "highPassFilter"):
        alpha = alpha_of_q(w0, m.exp(m.log(10) * p["resonance"] / 20), m)
    elif name == "bandPassFilter":
        alpha = alpha_of_bandwidth(w0, p["bandwidth"] / 1200, m)
    elif name == "parametricEQ":
        alpha = alpha_of_q(w0, p["q"], m)
    else:
        alpha = m.sin(w0) / m.sqrt(2)
    shape = {"parametricEQ": "peaking"}.get(name, name.removesuffix("Filter"))
    return make(shape, w0, alpha, p.get("gain", 0), m)


def ipod_eq(rate, preset, m=math, make=section):
    """The sections of an iPod EQ preset: peaking, one octave; a centre at or above 0.45 × rate is left out."""
    gains = IPOD_CURVES.get(preset, [])
    return [band(rate, "parametric", f, 1, g, m, make) for f, g in zip(CENTRES, gains) if f < 0.45 * rate]
