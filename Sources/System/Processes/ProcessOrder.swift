import AudioCore
import CProcess
import Glibc

/// The settings for starting a process. All processes are started with it.
package struct ProcessOrder {
  /// The program, found on the path, and its arguments.
  package var words: [String]
  /// Variables in place of this process's own; those without a value are not passed on.
  package var environment: [String: String?] = [:]
  /// The working folder; nil: this process's.
  package var folder: String?
  /// The descriptors that become its 0, 1, 2 ...; -1 is /dev/null.
  package var descriptors: [Int32]
  /// Bytes of address space, and of each file that it writes; 0 is no limit.
  package var memoryBytes: UInt64 = 0
  package var fileBytes: UInt64 = 0
  /// True when a supervisor ends all that it starts. That takes a copy of this process, so do not use it in hosts that
  /// may be rendering.
  package var isSupervised = false

  package init(_ words: [String], descriptors: [Int32]) {
    self.words = words
    self.descriptors = descriptors
  }

  /// Starts the process. Answers the number of the system's error too, or 0.
  package func start() -> (handle: process_handle, failure: Int32) {
    let words = words.map { ByteText.withCString($0) { strdup($0) } } + [nil]
    let variables = variables
    let place = folder.flatMap { ByteText.withCString($0) { strdup($0) } }
    defer {
      for text in words + variables { free(text) }
      free(place)
    }
    return words.withUnsafeBufferPointer { words in
      variables.withUnsafeBufferPointer { variables in
        descriptors.withUnsafeBufferPointer { descriptors in
          var order = process_order()
          order.words = words.baseAddress
          order.environment = variables.baseAddress
          order.folder = UnsafePointer(place)
          order.descriptors = descriptors.baseAddress
          order.descriptor_count = Int32(descriptors.count)
          order.memory_limit = memoryBytes
          order.file_limit = fileBytes
          order.is_supervised = isSupervised ? 1 : 0
          var handle = process_handle()
          let failure = process_start(&order, &handle)
          return (handle, failure)
        }
      }
    }
  }

  /// `NAME=VALUE`, with a null pointer behind the last.
  private var variables: [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      let name = String(cString: variable).prefix { $0 != "=" }
      if environment[String(name)] == nil { variables.append(strdup(variable)) }
      next += 1
    }
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      if let value { variables.append(strdup("\(name)=\(value)")) }
    }
    return variables + [nil]
  }
}
