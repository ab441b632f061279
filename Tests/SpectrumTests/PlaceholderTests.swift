import Spectrum
import Testing
