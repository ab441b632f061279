import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits

extension ComponentRegistry {
  /// Every unit of this package that a graph file can name.
  package static let ofGraphFiles = ComponentRegistry(builtIn.components + scriptedOutputs.components)

  private static let ownComponents = Locked<[Component]>([])

  /// Units of the program's own, in the order in which they were registered.
  package static var registered: ComponentRegistry { ComponentRegistry(ownComponents.withLock { $0 }) }

  /// All units that graph files of this process can name.
  public static var known: ComponentRegistry { ComponentRegistry(ofGraphFiles.components + registered.components) }

  /// Makes a unit of the program's own known in this process: to graph files and suites, to `VerificationTesting`, and
  /// to programs of the C interface. For the life of the process.
  ///
  /// - Throws: `.usage` where its short name or its codes are those of another unit. The same unit again is no error.
  public static func register(_ component: Component) throws(BenchError) {
    let taken: Component? = ownComponents.withLock { own in
      let all = builtIn.components + devices.components + own
      let same = all.first { $0.description == component.description || $0.shortName == component.shortName }
      if same == nil { own.append(component) }
      return same
    }
    guard let taken, taken.description != component.description || taken.name != component.name else { return }
    throw BenchError(
      .usage, at: "unit \(component.shortName) (\(component.description))",
      "its name or its codes are those of \(taken.shortName) (\(taken.description))", advice: "choose others")
  }
}
