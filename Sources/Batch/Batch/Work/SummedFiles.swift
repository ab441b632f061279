import AudioCore
import BatchRender
import SoundFile
import Tags

/// Several files as one: their frames added, in the order of the files. Shorter files are silent at their end.
final class SummedFiles: FrameSource {
  let info: SoundFileInfo
  private(set) var position: Int64 = 0
  private let readers: [SoundFileReader]
  private var buffer: PlanarBuffer

  /// - Throws: `.input` for a file that cannot be read, or has another rate or number of channels than the first.
  init(_ paths: [String], allowsTruncated: Bool, nonFinite: NonFinitePolicy) throws(BenchError) {
    var readers: [SoundFileReader] = []
    for path in paths {
      let reader = try SoundFileReader(path: path, allowTruncated: allowsTruncated)
      reader.nonFinitePolicy = nonFinite
      if let first = readers.first?.info {
        guard reader.info.sampleRate == first.sampleRate, reader.info.channelCount == first.channelCount else {
          throw BenchError(
            .input, at: path,
            "it has \(NumberText.short(reader.info.sampleRate)) Hz and \(NumberText.count(reader.info.channelCount, "channel")), where "
              + "\(first.path), to which it is to be added, has \(NumberText.short(first.sampleRate)) Hz and "
              + "\(first.channelCount)", advice: "convert them to one rate and number of channels first")
        }
      }
      readers.append(reader)
    }
    self.readers = readers
    info = readers[0].info.summed(with: readers.dropFirst().map(\.info))
    buffer = PlanarBuffer(channelCount: info.channelCount, frameCapacity: 8192)
  }

  let exactBits: Int? = nil
  var nonFiniteFiles: [NonFiniteFile] { readers.flatMap(\.nonFiniteFiles) }

  /// Those that all files have.
  var tags: SoundTags {
    let all = readers.map { SoundTags(of: $0.info) }
    return all.dropFirst().reduce(all[0]) { $0.common(with: $1) }.ofAnotherSound
  }

  func read(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) -> Int {
    let count = Int(min(Int64(frames), info.frameCount - position))
    var done = 0
    while done < count {
      let step = min(count - done, buffer.frameCapacity)
      for channel in 0..<info.channelCount {
        (planes[channel] + offset + done).update(repeating: 0, count: step)
      }
      for reader in readers {
        let got = try reader.read(into: buffer.planes, frames: step)
        for channel in 0..<info.channelCount {
          let (sum, more) = (planes[channel] + offset + done, buffer[channel])
          for frame in 0..<got { sum[frame] += more[frame] }
        }
      }
      done += step
    }
    position += Int64(count)
    return count
  }
}
