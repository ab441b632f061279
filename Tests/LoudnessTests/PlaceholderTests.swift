import Loudness
import Testing
