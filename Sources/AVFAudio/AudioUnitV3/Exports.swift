// AUAudioUnit and its parameter tree: on Apple's systems parts of AudioToolbox, here they come with AVFAudio.

@_exported import AVFAudioFiles
