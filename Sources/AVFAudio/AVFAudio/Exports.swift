// `import AVFAudio` gives the formats, buffers, files and converters, and the names of Core Audio's C headers.

@_exported import AVFAudioFiles
