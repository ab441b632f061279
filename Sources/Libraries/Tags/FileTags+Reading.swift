// Finds the tags of a file that anybody may have made: by its content, whatever it is called, and within bounds,
// whatever its lengths say. TagLib is given the texts and pictures that are found; it does not read the file.

import AudioCore
import Glibc
import SoundFile

extension FileTags {
  /// The tags of a file; none where it has none, is no sound file, or cannot be read.
  ///
  /// FLAC, Ogg Vorbis and Opus have Vorbis comments, MP3 an ID3 tag in front, WAV, RF64 and AIFF an ID3 chunk, CAF texts. The
  /// `INFO` list of a WAV file and the text chunks of AIFF are in ``SoundFileInfo/metadata``. Tags that are damaged are
  /// read as far as they go. Pictures of more than 64 MiB are left out.
  public init(path: String) {
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      self.init()
      return
    }
    let storage = DescriptorStorage(owning: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self.init()
      return
    }
    self.init(storage)
  }

  /// As ``init(path:)``, of an open file, which stays open.
  package init(descriptor: Int32) { self.init(DescriptorStorage(borrowing: descriptor)) }

  package init(_ storage: any ByteStorage) {
    self.init()
    if storage.bytes(at: 0, count: 4).map({ $0.elementsEqual("caff".utf8) }) ?? false {
      texts = CAFTexts.read(storage)
      return
    }
    guard let found = FoundTags(storage), let list = TagList() else { return }
    switch found {
    case .comments(let blocks, let pictures):
      blocks.forEach(list.addComments)
      pictures.forEach(list.addPicture)
      // An ID3 tag in front of FLAC counts where FLAC itself says nothing.
      if list.tags.isEmpty, let tag = ID3Frames(storage, at: 0)?.tag { list.addID3(tag) }
    case .id3(let offset):
      guard let tag = ID3Frames(storage, at: offset)?.tag else { return }
      list.addID3(tag)
    }
    self = list.tags
  }
}

/// The place of the tags in a file.
private enum FoundTags {
  case comments([[UInt8]], pictures: [[UInt8]])
  /// From an offset on.
  case id3(Int64)

  /// Nil where there are none: then nothing but the beginnings of chunks and blocks has been read.
  init?(_ storage: any ByteStorage) {
    guard let start = storage.bytes(at: 0, count: 4) else { return nil }
    switch String(decoding: start, as: UTF8.self) {
    case "RIFF", "RIFX", "RF64", "BW64", "FORM":
      guard let layout = ContainerLayout(storage),
        let chunk = layout.chunks(Self.id3).first ?? layout.chunks(Self.lowerCaseID3).first
      else { return nil }
      self = .id3(chunk.contentOffset)
    case "fLaC":
      self.init(FLACBlocks(storage, from: 0))
    case "OggS":
      guard let comments = OggComments(storage)?.comments else { return nil }
      self = .comments([comments], pictures: [])
    default:
      guard start.starts(with: "ID3".utf8) else { return nil }
      // Some programs put an ID3 tag in front of FLAC too; what FLAC itself has counts there.
      let offset = MPEGFrameHeader.start(of: storage)
      if storage.bytes(at: offset, count: 4).map({ $0.elementsEqual("fLaC".utf8) }) ?? false {
        let blocks = FLACBlocks(storage, from: offset)
        self = .comments(blocks.comments, pictures: blocks.pictures)
      } else {
        self = .id3(0)
      }
    }
  }

  private init?(_ flac: FLACBlocks) {
    if flac.comments.isEmpty && flac.pictures.isEmpty { return nil }
    self = .comments(flac.comments, pictures: flac.pictures)
  }

  private static let id3: UInt32 = 0x4944_3320
  private static let lowerCaseID3: UInt32 = 0x6964_3320
}
