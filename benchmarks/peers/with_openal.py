"""OpenAL Soft through its loopback device, which needs no sound card: a response for each place of a source, one behind the other.

    with_openal.py ears HEIGHT OUT.wav                for headphones (HRTF) around the head
    with_openal.py distances CURVE RANGE OUT.wav      ahead, for headphones, at several distances
    with_openal.py speakers CHANNELS OUT.wav          among two loudspeakers, four, or six
    with_openal.py version
"""

import ctypes
import ctypes.util
import math
import os
import sys

import numpy as np
import soundfile
from cases.spatial import AROUND, DISTANCES, EARS, FRAMES, PEAK, RANGES, RATE

CHANNELS, TYPE, FREQUENCY, HRTF, LIMITER = 0x1990, 0x1991, 0x1007, 0x1992, 0x199A
FLOAT, LAYOUTS = 0x1406, {2: 0x1501, 4: 0x1503, 6: 0x1504}
MONO_FLOAT, BUFFER, POSITION, VERSION, HRTF_STATUS = 0x10010, 0x1009, 0x1004, 0xB002, 0x1993
REFERENCE, ROLLOFF, MAXIMUM = 0x1020, 0x1021, 0x1023
MODELS = {"inverse": 0xD002, "linear": 0xD004, "exponential": 0xD006}  # all clamped


class Loopback:
    """A context; `response` plays an impulse at a place."""

    def __init__(self, channels, headphones):
        os.environ |= {"ALSOFT_DRIVERS": "null", "ALSOFT_LOGLEVEL": "0"}
        self.library, self.channels = ctypes.CDLL(ctypes.util.find_library("openal")), channels
        self.library.alcGetProcAddress.restype = ctypes.c_void_p
        open_device = self.function("alcLoopbackOpenDeviceSOFT", ctypes.c_void_p, ctypes.c_char_p)
        self.render_samples = self.function("alcRenderSamplesSOFT", None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
        self.device = ctypes.c_void_p(open_device(None))
        wanted = {CHANNELS: LAYOUTS[channels], TYPE: FLOAT, FREQUENCY: RATE, HRTF: headphones, LIMITER: 0}
        words = [number for pair in wanted.items() for number in pair] + [0]
        self.library.alcCreateContext.restype = ctypes.c_void_p
        context = self.library.alcCreateContext(self.device, (ctypes.c_int * len(words))(*map(int, words)))
        self.library.alcMakeContextCurrent(ctypes.c_void_p(context))
        status = ctypes.c_int()
        self.library.alcGetIntegerv(self.device, HRTF_STATUS, 1, ctypes.byref(status))
        if status.value != headphones:
            sys.exit(f"OpenAL's HRTF status is {status.value}")
        self.buffer, impulse = ctypes.c_uint(), np.zeros(FRAMES, np.float32)
        impulse[0] = PEAK
        self.library.alGenBuffers(1, ctypes.byref(self.buffer))
        self.library.alBufferData(self.buffer, MONO_FLOAT, ctypes.c_void_p(impulse.ctypes.data), impulse.nbytes, RATE)

    def function(self, name, *types):
        return ctypes.CFUNCTYPE(*types)(self.library.alcGetProcAddress(None, name.encode()))

    def version(self):
        self.library.alGetString.restype = ctypes.c_char_p
        return self.library.alGetString(VERSION).decode()

    def render(self):
        sound = np.zeros((FRAMES, self.channels), np.float32)
        self.render_samples(self.device, sound.ctypes.data, FRAMES)
        return sound

    def response(self, azimuth, elevation, distance=1, limits=()):
        """`limits` are values of the source, by their numbers. OpenAL's listener looks along -z."""
        azimuth, elevation, source = math.radians(azimuth), math.radians(elevation), ctypes.c_uint()
        place = (math.sin(azimuth) * math.cos(elevation), math.sin(elevation), -math.cos(azimuth) * math.cos(elevation))
        self.library.alGenSources(1, ctypes.byref(source))
        self.library.alSourcei(source, BUFFER, self.buffer)
        self.library.alSource3f(source, POSITION, *(ctypes.c_float(distance * part) for part in place))
        for number, value in limits:
            self.library.alSourcef(source, number, ctypes.c_float(value))
        self.library.alSourcePlay(source)
        sound = self.render()
        self.library.alSourceStop(source)
        self.library.alDeleteSources(1, ctypes.byref(source))
        self.render()  # what is left of it
        if error := self.library.alGetError():
            sys.exit(f"OpenAL's error {error:#x}")
        return sound


def ears(height):
    loopback = Loopback(2, True)
    return [loopback.response(*direction) for direction in EARS[height]]


def distances(curve, limits):
    """The rolloff that makes OpenAL's law that of the same name."""
    reference, maximum, attenuation = RANGES[limits]
    most = 10 ** (attenuation / 20)
    rolloff = {
        "inverse": (most - 1) * reference / (maximum - reference),
        "linear": 1 - 1 / most,
        "exponential": math.log(most) / math.log(maximum / reference),
    }[curve]
    loopback = Loopback(2, True)
    loopback.library.alDistanceModel(MODELS[curve])
    values = [(REFERENCE, reference), (MAXIMUM, maximum), (ROLLOFF, rolloff)]
    return [loopback.response(0, 0, distance, values) for distance in DISTANCES]


def speakers(channels):
    loopback = Loopback(int(channels), False)
    return [loopback.response(*direction) for direction in AROUND]


if __name__ == "__main__":
    work, *words = sys.argv[1:]
    if work == "version":
        if ctypes.util.find_library("openal"):
            print(Loopback(2, False).version())
    else:
        *words, out = words
        sound = {"ears": ears, "distances": distances, "speakers": speakers}[work](*words)
        soundfile.write(out, np.concatenate(sound), RATE, "FLOAT")
