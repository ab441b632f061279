import AudioCore
import Hardware

/// An object that plays or records, and stops when its session is deactivated.
protocol SessionClient: AnyObject {
  /// The session is inactive. Called without a lock.
  func sessionWasDeactivated()
}

/// The engines and the shared device that have run on a hardware.
final class SessionClients: Sendable {
  private struct Entry {
    weak var client: (any SessionClient)?
  }
  private let entries = Locked<[Entry]>([])

  private init() {}

  /// Those of a hardware.
  static func of(_ hardware: SimulatedHardware) -> SessionClients { hardware.companion { _ in SessionClients() } }

  /// Notes one that runs from now on.
  func add(_ client: any SessionClient) {
    entries.withLock { entries in
      entries.removeAll { $0.client == nil }
      if !entries.contains(where: { $0.client === client }) { entries.append(Entry(client: client)) }
    }
  }

  /// Has all stop.
  func deactivate() { for client in entries.withLock({ $0.compactMap(\.client) }) { client.sessionWasDeactivated() } }
}

extension AVAudioEngine: SessionClient {
  func sessionWasDeactivated() { if isRunning, !isInManualRenderingMode { pause() } }
}

extension SharedDevice: SessionClient {
  func sessionWasDeactivated() { pauseAll() }
}
