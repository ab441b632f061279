// The names of Core Audio's C headers come with the classes, as on the systems they come from.

@_exported import CAudioToolbox
@_exported import CoreAudioStreams
@_exported import Foundation
