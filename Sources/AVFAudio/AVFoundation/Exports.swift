// `import AVFoundation`, for programs that use its sound only.

@_exported import AVFAudio
