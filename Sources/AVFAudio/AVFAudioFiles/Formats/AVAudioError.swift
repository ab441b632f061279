// Errors of the classes: an OSStatus with the engine's text.

import AudioCore
import Foundation

/// The domain of errors of files and converters, as programs see it on Apple's systems.
package let errorDomain = "com.apple.coreaudio.avfaudio"

extension NSError {
  /// - Parameters:
  ///   - text: the error, with place and advice; nil where the status says it all.
  ///   - domain: that of the class.
  package convenience init(_ status: AudioStatus, _ text: String? = nil, domain: String = errorDomain) {
    self.init(
      domain: domain, code: Int(status.rawValue),
      userInfo: [NSLocalizedDescriptionKey: text ?? status.description])
  }
}
