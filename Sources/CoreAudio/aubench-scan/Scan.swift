// Looks at one third-party component, for a process that is not to suffer from it. Not for people: a host starts it
// with a pipe as descriptor 3 and reads what it says there. It ends when the host closes the other end of descriptor 0,
// or is no more.

import AudioToolbox
import CProcess
import Glibc

@main struct Scan {
  static func main() {
    guard let examination = ComponentExamination.ofCommandLine else {
      let text = "aubench-scan is started by aubench and libAudioToolbox, to look at one component\n"
      _ = write(2, text, text.utf8.count)
      exit(2)
    }
    // The component runs in a process of its own; this one ends all that comes of it.
    process_supervise(0)
    guard open("/dev/null", O_RDWR) == 0 else { _exit(1) }
    examination.run()
    // Exit handlers of the component are not run.
    _exit(0)
  }
}
