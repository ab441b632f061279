// The end of a process that uses a class against its documentation, where Apple's raises an exception. Nothing that comes
// from a file, a rate or a scenario ends here: those are errors.

/// Ends the process with the condition in its text where it does not hold.
@inline(__always)
package func require(_ condition: Bool, _ text: @autoclosure () -> String) {
  if !condition { misuse(text()) }
}

/// Ends the process with the condition that does not hold.
package func misuse(_ condition: String) -> Never {
  fatalError("com.apple.coreaudio.avfaudio: required condition is false: \(condition)")
}
