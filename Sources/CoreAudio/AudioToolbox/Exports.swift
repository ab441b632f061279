// `import AudioToolbox` gives the names of the C headers too, as on the systems they come from.

@_exported import CAudioToolbox
@_exported import CoreAudioStreams
