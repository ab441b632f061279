"""Answers a line `aubench|soundfile|ffmpeg FILE FRAME COUNT` with the seconds from a closed file to so many frames from a place on. At the end of
its input it prints for each line how many of these frames are not those of a decode from the beginning by the same tool.

aubench is asked through the C interface (libAudioToolbox.so), FFmpeg as a process, with its start.
"""

import ctypes
import json
import subprocess
import sys
import time

RATE = 48000


class Description(ctypes.Structure):
    _fields_ = [("rate", ctypes.c_double)] + [(name, ctypes.c_uint32) for name in "id flags packet frames frame channels bits reserved".split()]


class Buffers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("count", "gap", "channels", "bytes")] + [("data", ctypes.c_void_p)]


class Extended:
    def __init__(self, library):
        self.call = ctypes.CDLL(library)
        self.call.CFURLCreateFromFileSystemRepresentation.restype = ctypes.c_void_p
        self.client = Description(RATE, int.from_bytes(b"lpcm", "big"), 9, 8, 1, 8, 2, 32, 0)

    def read(self, path, frame, count):
        call, file, frames = self.call, ctypes.c_void_p(), ctypes.c_uint32(count)
        room = ctypes.create_string_buffer(8 * count)
        name = path.encode()
        url = ctypes.c_void_p(call.CFURLCreateFromFileSystemRepresentation(None, name, ctypes.c_long(len(name)), False))
        buffers = Buffers(1, 0, 2, 8 * count, ctypes.addressof(room))
        wrong = call.ExtAudioFileOpenURL(url, ctypes.byref(file))
        wrong = wrong or call.ExtAudioFileSetProperty(file, int.from_bytes(b"cfmt", "big"), 40, ctypes.byref(self.client))
        wrong = wrong or call.ExtAudioFileSeek(file, ctypes.c_int64(frame))
        wrong = wrong or call.ExtAudioFileRead(file, ctypes.byref(frames), ctypes.byref(buffers))
        call.ExtAudioFileDispose(file)
        call.CFRelease(url)
        if wrong or frame and frames.value != count:
            sys.exit(f"{path}: {wrong}, {frames.value} frames")
        return room.raw[: 8 * frames.value]


def with_soundfile(path, frame, count):
    import soundfile

    with soundfile.SoundFile(path) as file:
        file.seek(frame)
        return file.read(count, dtype="float32").tobytes()


def with_ffmpeg(path, frame, count):
    place = ["-ss", f"{frame / RATE}"] if frame else []
    words = ["ffmpeg", "-nostdin", "-loglevel", "error", *place, "-i", path, "-t", f"{count / RATE}", "-f", "f32le", "-"]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout


def differing(one, other):
    count = max(len(one), len(other)) // 8
    return sum(one[at : at + 8] != other[at : at + 8] for at in range(0, 8 * count, 8))


def main():
    tools = {"soundfile": with_soundfile, "ffmpeg": with_ffmpeg}
    found = {}
    for line in sys.stdin:
        tool, path, frame, count = line.split()
        if tool == "aubench" and tool not in tools:
            tools[tool] = Extended(sys.argv[1]).read
        start = time.perf_counter()
        found[line.strip()] = tools[tool](path, int(frame), int(count))
        print(time.perf_counter() - start, flush=True)
    for line, window in found.items():
        tool, path, frame, count = line.split()
        whole = tools[tool](path, 0, int(frame) + int(count))
        found[line] = differing(window, whole[8 * int(frame) : 8 * (int(frame) + int(count))])
    print(json.dumps(found))


main()
