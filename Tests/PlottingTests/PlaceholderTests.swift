import Plotting
import Testing
