import AudioCore

/// Functions that are called for every slice.
extension Unit {
  /// Registers a function that is called for every slice; returns what ``removeRenderNotify(_:)`` takes.
  public func addRenderNotify(
    _ body: @escaping (_ phase: RenderNotify.Phase, _ sampleTime: Int64, _ frames: Int, _ output: BusBuffer?) -> Void
  ) -> Int {
    nextNotifyToken += 1
    notifies.append(RenderNotify(body: body, token: nextNotifyToken))
    node?.notifies = notifies
    return nextNotifyToken
  }

  /// Lets go of a function that ``addRenderNotify(_:)`` has registered, by the token that it returned; any other does
  /// nothing.
  public func removeRenderNotify(_ token: Int) {
    notifies.removeAll { $0.token == token }
    node?.notifies = notifies
  }

  package var hasRenderNotifies: Bool { !notifies.isEmpty }
}
