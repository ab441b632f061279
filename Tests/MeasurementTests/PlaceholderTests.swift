import Measurement
import Testing
