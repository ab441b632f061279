import AudioCore
import CEBUR128
