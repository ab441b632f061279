"""Reads sound files through ExtAudioFile and CoreFoundation, loaded by path: LIBRARY-FOLDER FILE...

For each file a line: name, channels, rate, frames as the file states them, frames read as 16 bit, CRC-32 of these.
"""

import ctypes
import os
import sys
import zlib

folder, *paths = sys.argv[1:]
toolbox = ctypes.CDLL(os.path.join(folder, "libAudioToolbox.so"))
foundation = ctypes.CDLL(os.path.join(folder, "libCoreFoundation.so"))
foundation.CFURLCreateFromFileSystemRepresentation.restype = ctypes.c_void_p
foundation.CFURLCreateFromFileSystemRepresentation.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_bool]
foundation.CFRelease.argtypes = [ctypes.c_void_p]
toolbox.ExtAudioFileOpenURL.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
toolbox.ExtAudioFileGetProperty.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]
toolbox.ExtAudioFileSetProperty.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p]
toolbox.ExtAudioFileRead.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
toolbox.ExtAudioFileDispose.argtypes = [ctypes.c_void_p]


def code(text):
    return int.from_bytes(text.encode(), "big")


def check(status):
    if status != 0:
        raise OSError(f"status {status}")


class Description(ctypes.Structure):
    _fields_ = [("rate", ctypes.c_double)] + [
        (name, ctypes.c_uint)
        for name in ["format", "flags", "packetBytes", "packetFrames", "frameBytes", "channels", "bits", "reserved"]
    ]


class Buffer(ctypes.Structure):
    _fields_ = [("channels", ctypes.c_uint), ("size", ctypes.c_uint), ("data", ctypes.c_void_p)]


class BufferList(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("buffers", Buffer * 1)]


for path in paths:
    name = os.fsencode(path)
    url = foundation.CFURLCreateFromFileSystemRepresentation(0, name, len(name), False)
    file = ctypes.c_void_p()
    status = toolbox.ExtAudioFileOpenURL(url, ctypes.byref(file))
    foundation.CFRelease(url)
    if status != 0:
        print(os.path.basename(path), "status", status)
        continue
    description = Description()
    size = ctypes.c_uint(ctypes.sizeof(description))
    check(toolbox.ExtAudioFileGetProperty(file, code("ffmt"), ctypes.byref(size), ctypes.byref(description)))
    length = ctypes.c_int64()
    size = ctypes.c_uint(8)
    check(toolbox.ExtAudioFileGetProperty(file, code("#frm"), ctypes.byref(size), ctypes.byref(length)))
    width = 2 * description.channels
    client = Description(description.rate, code("lpcm"), 0xC, width, 1, width, description.channels, 16, 0)
    check(toolbox.ExtAudioFileSetProperty(file, code("cfmt"), ctypes.sizeof(client), ctypes.byref(client)))
    total = crc = 0
    memory = ctypes.create_string_buffer(1000 * width)
    while True:
        frames = ctypes.c_uint(1000)
        buffers = BufferList(1, (Buffer * 1)(Buffer(client.channels, len(memory), ctypes.addressof(memory))))
        check(toolbox.ExtAudioFileRead(file, ctypes.byref(frames), ctypes.byref(buffers)))
        if frames.value == 0:
            break
        crc = zlib.crc32(memory.raw[: frames.value * width], crc)
        total += frames.value
    check(toolbox.ExtAudioFileDispose(file))
    print(os.path.basename(path), description.channels, int(description.rate), length.value, total, crc)
