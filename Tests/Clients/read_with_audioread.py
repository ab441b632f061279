"""As read_with_ctypes.py, by audioread's own Core Audio back end: FILE...; LD_LIBRARY_PATH says where the libraries are."""

import os
import sys
import zlib

from audioread import macca

for path in sys.argv[1:]:
    try:
        file = macca.ExtAudioFile(path)
    except Exception as error:
        print(os.path.basename(path), error)
        continue
    total = crc = 0
    for block in file:
        crc = zlib.crc32(block, crc)
        total += len(block) // (2 * file.channels)
    print(os.path.basename(path), file.channels, file.samplerate, file.nframes, total, crc)
    file.close()
