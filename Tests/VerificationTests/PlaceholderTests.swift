import Verification
import Testing
