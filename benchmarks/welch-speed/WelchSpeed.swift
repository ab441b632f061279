// How long a Welch spectrum takes: `benchmarks/run --only welch` runs this beside scipy, on the same samples.

import AudioCore
import Glibc
import Spectrum

/// Reads planar float32 samples into memory, then makes their spectrum once for each line of standard input and prints the
/// seconds that took. At the end of input it prints the first channel's powers, one a line.
@main
struct WelchSpeed {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let channels = Int(arguments[2]), let frames = Int(arguments[3]),
      let block = Int(arguments[4]), let threads = Int(arguments[5]), channels > 0, frames > 0, block > 0, threads > 0
    else {
      print("usage: welch-speed FILE CHANNELS FRAMES BLOCK THREADS")
      exit(64)
    }
    let samples = PlanarBuffer(channelCount: channels, frameCapacity: frames)
    guard let file = fopen(arguments[1], "rb"),
      (0..<channels).allSatisfy({ fread(samples[$0].start(of: frames), 4, frames, file) == frames })
    else {
      perror(arguments[1])
      exit(66)
    }
    fclose(file)

    var powers: [Double] = []
    let addresses = PlaneAddresses<Float>(channelCount: channels)
    while readLine() != nil {
      let start = now()
      let welch = WelchSpectrum(sampleRate: 48_000, channelCount: channels, threads: threads)
      var done = 0
      while done < frames {
        let count = min(block, frames - done)
        welch.add(addresses.planes(samples.planes, from: done), frames: count)
        done += count
      }
      powers = welch.powers(channel: 0)
      print(now() - start)
      fflush(nil)
    }
    for power in powers { print(power) }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
