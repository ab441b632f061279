// From the edit side to the render side, where only the newest counts.

import AudioCore
import Synchronization

/// The newest parcel of those that the edit side has sent, as the render side has it.
///
/// The render side takes a newer one over between two slices, and returns the former one to be freed on the edit side:
/// neither side waits, and the render side frees nothing. A parcel that was sent and never taken over is freed by the
/// next `send`.
public final class Mailbox: @unchecked Sendable {
  /// The parcel that the render side works with. For the render side, and for a caller that knows that nothing renders.
  public private(set) var present: Unmanaged<Parcel>
  /// A reference on its way in; 0: none.
  private let incoming = Atomic<UInt>(0)
  private let retired = ParcelQueue()

  /// - Parameter first: the first ``present`` parcel; it is retained.
  public init(_ first: Parcel) { present = .passRetained(first) }

  deinit {
    present.release()
    Self.release(incoming.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Sends a parcel, which holds from the moment at which the render side takes it over. Edit side, any thread.
  public func send(_ parcel: Parcel) {
    collect()
    let bits = UInt(bitPattern: Unmanaged.passRetained(parcel).toOpaque())
    Self.release(incoming.exchange(bits, ordering: .acquiringAndReleasing))
  }

  /// Frees what the render side has returned. Edit side, any thread.
  public func collect() {
    if !retired.isEmpty { _ = retired.takeAll() }
  }

  /// Takes over what was sent last. Render side.
  ///
  /// - Returns: true when ``present`` is another one now.
  public func adopt() -> Bool {
    guard incoming.load(ordering: .relaxed) != 0 else { return false }
    let bits = incoming.exchange(0, ordering: .acquiringAndReleasing)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return false }
    retired.put(present)
    present = .fromOpaque(pointer)
    return true
  }

  private static func release(_ bits: UInt) {
    if let pointer = UnsafeRawPointer(bitPattern: bits) { Unmanaged<Parcel>.fromOpaque(pointer).release() }
  }
}
