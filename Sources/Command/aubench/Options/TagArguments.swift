import AudioCore
import SoundFile
import Tags

extension CommandOption {
  static let tag = CommandOption(
    "tag", value: "NAME=TEXT", completion: .words { TagArguments.names.map { "\($0)=" } },
    isRepeatable: true,
    "set a tag of the output: title, artist, album, date or any other name, as ALBUMARTIST or ISRC. An empty text takes the "
      + "tag away")
  static let cover = file(
    "cover",
    "set the front cover of the output, a PNG or JPEG file; none takes all pictures away (./none for a file of that name)"
  )
}

/// Tags and a cover that are set by options.
enum TagArguments {
  static let options: [CommandOption] = [.tag, .cover]

  /// Names of tags that are offered; any other does as well.
  static let names =
    SoundFileMetadata.Field.allCases.map(\.rawValue)
    + ["albumartist", "composer", "discnumber", "isrc", "lyrics", "performer"]

  static let help = HelpSection(
    title: "Tags and pictures",
    text:
      "FLAC, Ogg, MP3, WAV and AIFF keep tags of any name, and pictures; FLAC pictures of up to 16 MB. CAF keeps "
      + "tags of any name and no picture. The other kinds, RF64 "
      + "and WAV files beyond 4 GiB among them, keep those of the ten names that libsndfile writes there ("
      + SoundFileMetadata.Field.allCases.map(\.rawValue).joined(separator: ", ")
      + "), and no picture. Markers, instruments, bext, iXML and other chunks are kept by WAV, RF64, Wave64, AIFF, CAF and FLAC, "
      + "at the new rate and cut with the sound. What a file does not keep is named in the report. Replay gain and other tags that were measured "
      + "stay behind where the sound is another, and so do those that say how the input was encoded.")

  static func changes(_ arguments: Arguments) throws(BenchError) -> TagChanges {
    var changes = TagChanges()
    for text in arguments.all(.tag) {
      guard let (name, value) = Arguments.pair(text), !name.isEmpty else {
        throw Arguments.error(.tag, "\"\(text)\" is not of the form NAME=TEXT", advice: "write --tag title='A song'")
      }
      guard TagNames.isValid(name) else {
        throw Arguments.error(
          .tag, "\"\(name)\" is not the name of a tag", advice: "use letters of English, digits and signs")
      }
      guard SoundFileMetadata.Field(propertyName: name) != nil || SoundTags.isUTF8(value) else {
        throw Arguments.error(.tag, "the text of \(name) is not UTF-8", advice: "write it in the encoding UTF-8")
      }
      changes[name] = value
    }
    switch arguments[.cover] {
    case nil: break
    case "none": changes.cover = .removed
    case let path?: changes.cover = .replaced(try TagPicture(frontCover: path))
    }
    return changes
  }
}
