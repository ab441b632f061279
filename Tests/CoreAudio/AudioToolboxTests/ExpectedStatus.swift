import AudioToolbox
import Testing

// Functions in place of `#expect(call == status)`: the macro is expanded and type-checked at each place where it
// stands, and these calls are a quarter of all that this target expects.

/// Expects a call of the C interface to answer a status.
func expectStatus(_ wanted: OSStatus, _ status: OSStatus, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(status == wanted, sourceLocation: sourceLocation)
}

/// Expects a call of the C interface to succeed.
func expectNoError(_ status: OSStatus, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(status == noErr, sourceLocation: sourceLocation)
}
