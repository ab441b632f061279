// The functions of a node that the C interface calls. On the render thread, but for `attach`.

extension RenderNode {
  /// Makes the node one of a C host. Call before anything renders it.
  ///
  /// - Parameters:
  ///   - host: must stay as long as the node renders, and so must the feed.
  ///   - ringFrames: for how many frames a flag of silence must have come in before it may go out again; nil: it never
  ///     goes out.
  package func attach(_ host: HostMemory, feed: InputFeed, ringFrames: Int64?) {
    state.pointee.host = HostPart(
      state: host.state, feed: .passUnretained(feed), ringFrames: ringFrames ?? -1,
      readAhead: readAhead.map { .passUnretained($0) })
  }

  /// Makes the next slice a new one, with the parameter values that hold now, and reads the files that it plays.
  package func beginSlice(frames: Int) {
    forgetClock()
    latch()
    state.readAhead(frames: frames)
  }

  /// Flags the output of the present slice as silent where its inputs were, and everything has rung out.
  ///
  /// - Returns: the output.
  package func passSilence(output bus: Int, frames: Int) -> BusBuffer {
    if let host = state.pointee.host.state { state.passSilence(host, frames: frames) }
    return output(bus)
  }
}
