// `import AVFAudio` gives the engine and its nodes, formats, buffers, files and converters, and the names of Core Audio's C headers.

@_exported import AVFAudioFiles
@_exported import AudioUnitV3
