import AudioCore
import Glibc
import Testing

@Suite("A wait for another thread")
struct BoundedWaitTests {
  @Test("lasts a second, also where a signal ends every sleep early")
  func signals() async {
    await #expect(processExitsWith: .success) {
      signal(SIGALRM) { _ in }
      ualarm(20, 20)
      let start = ContinuousClock.now
      var wait = BoundedWait()
      while wait.pause() {}
      #expect(ContinuousClock.now - start >= .seconds(1))
      let goesOn = wait.pause()
      #expect(!goesOn)
    }
  }
}
