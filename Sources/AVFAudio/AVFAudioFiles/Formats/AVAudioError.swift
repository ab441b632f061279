// Errors of the classes: an OSStatus with the engine's text.

import AudioCore
import Foundation

/// The domain of errors of files and converters, as programs see it on Apple's systems.
package let errorDomain = "com.apple.coreaudio.avfaudio"

extension NSError {
  /// - Parameter text: the error, with place and advice; nil where the status says it all.
  package convenience init(_ status: AudioStatus, _ text: String? = nil) {
    self.init(
      domain: errorDomain, code: Int(status.rawValue),
      userInfo: [NSLocalizedDescriptionKey: text ?? status.description])
  }
}
