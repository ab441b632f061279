"""The responses of the head that libmysofa brings, as they are in its SOFA file: with_h5py.py HEIGHT OUT.wav"""

import sys

import numpy as np
import soundfile
from cases.spatial import EARS, FRAMES, PEAK, RATE
from spatial_laws import measured

if __name__ == "__main__":
    height, out = sys.argv[1:]
    directions = EARS[height]
    sound = np.zeros((len(directions), FRAMES, 2))
    for place, (response, _) in zip(sound, measured(directions)):
        place[: len(response)] = PEAK * response
    soundfile.write(out, sound.reshape(-1, 2), RATE, "FLOAT")
