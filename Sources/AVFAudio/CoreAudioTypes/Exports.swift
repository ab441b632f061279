// `import CoreAudioTypes`, for programs of AVFAudio that name the types of Core Audio's C headers by it.

@_exported import CAudioToolbox
@_exported import CoreAudioStreams
