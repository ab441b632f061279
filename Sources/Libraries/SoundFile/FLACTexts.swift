import AudioCore

/// Texts and loudspeakers by the metadata blocks of a FLAC file, of which no frame need be there.
package struct FLACTexts {
  package let metadata: SoundFileMetadata
  /// Nil where the number of channels has no usual loudspeakers.
  package let layout: ChannelLayout?

  /// - Parameter blocks: the file from its first byte on, at least to the end of its metadata blocks.
  package init(_ blocks: any ByteStorage, channelCount: Int) {
    let comments = FLACDecoder(SoundFileIO(blocks))?.comments ?? []
    metadata = SoundFileMetadata(comments: comments)
    layout = StatedLayout(flacComments: comments, channelCount: channelCount).layout
  }
}
