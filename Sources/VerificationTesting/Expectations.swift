import AudioCore
import BatchRender
import Testing
import Verification
