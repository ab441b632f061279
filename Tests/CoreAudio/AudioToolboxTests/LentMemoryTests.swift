import AudioToolbox
import Foundation
import Glibc
import TestSupport
import Testing

/// The frames of a unit through a connection are its own memory: it stays until the call that pulled it has ended.
@Suite("Units that end while others have their frames")
struct LentMemoryTests {
  enum End: String, CaseIterable, Codable { case dispose, uninitialize }

  /// `mallopt(M_PERTURB, 0xA5)`, which the module of the C library has not. AddressSanitizer has a heap of its own, and
  /// reports who reads what was freed.
  private static func overwriteWhatIsFreed() throws {
    guard dlsym(nil, "__asan_init") == nil else { return }
    let address = try #require(dlsym(nil, "mallopt"))
    #expect(unsafeBitCast(address, to: (@convention(c) (Int32, Int32) -> Int32).self)(-6, 0xA5) == 1)
  }

  /// A mixer has frames of a connected unit when a callback of its ends that unit; then it adds both up.
  @Test(
    "Their frames are what they were, whoever ends them in the middle of the call",
    arguments: End.allCases, [false, true])
  func frames(end: End, isElsewhere: Bool) async {
    await #expect(processExitsWith: .success) { [end, isElsewhere] in
      try Self.overwriteWhatIsFreed()
      let lender = try RenderHost(.mixer)
      lender.signal = { _ in 0.5 }
      let head = try OpenedUnit(.mixer)
      let second = GraphSource(1)
      let connection = AudioUnitConnection(sourceAudioUnit: lender.unit, sourceOutputNumber: 0, destInputNumber: 0)
      expectNoError(head.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, to: connection))
      expectNoError(head.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 1, to: second.callback))
      expectNoError(AudioUnitInitialize(head.unit))
      let handle = UInt(bitPattern: lender.unit)
      @Sendable func endLender() {
        guard let unit = AudioUnit(bitPattern: handle) else { return }
        #expect((end == .dispose ? AudioComponentInstanceDispose(unit) : AudioUnitUninitialize(unit)) == noErr)
      }
      second.onPull = { _ in
        guard isElsewhere else { return endLender() }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          endLender()
          isDone.signal()
        }
        isDone.wait()
      }
      let (status, signal) = renderSlice(head.unit, at: 0, frames: 512)
      expectNoError(status)
      #expect(signal == second.signal(0..<512).map { $0.map { 0.5 + $0 } })
      second.onPull = nil
      // The unit is gone; or it renders no more.
      #expect(
        renderSlice(head.unit, at: 512, frames: 512).status
          == (end == .dispose ? kAudioUnitErr_NoConnection : kAudioUnitErr_Uninitialized))
    }
  }
}
