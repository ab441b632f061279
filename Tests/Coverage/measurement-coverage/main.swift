import Dispatch
import Foundation
import RandomDevices

// Measures random devices whose answers are known, and tells how often the truth lay within what the readings said.
//
//     measurement-coverage [--devices 200] [--seed HEX] [--family linear,…] [--misses 20] [--details FILE]
//
// Exits with 1 if a kind of reading does not keep the promise of docs/measuring.md.

var (devices, seed, misses) = (200, UInt64(1), 20)
var details: String?
var families = CoverageFamilies.all + CoverageFamilies.late + CoverageFamilies.odd
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  guard let value = words.popFirst() else {
    FileHandle.standardError.write(Data("\(word) wants a value\n".utf8))
    exit(2)
  }
  switch word {
  case "--devices": devices = Int(value) ?? devices
  case "--seed": seed = UInt64(value.prefix(15), radix: 16) ?? seed
  case "--misses": misses = Int(value) ?? misses
  case "--details": details = value
  case "--family": families = families.filter { value.split(separator: ",").contains(Substring($0.name)) }
  default:
    FileHandle.standardError.write(Data("unknown: \(word)\n".utf8))
    exit(2)
  }
}

var whole = CoverageTally()
for family in families {
  let lock = NSLock()
  nonisolated(unsafe) var tally = CoverageTally()
  let (count, seed) = (devices, seed)
  DispatchQueue.concurrentPerform(iterations: count) { number in
    let known = family.draw(seed, number)
    var one = CoverageTally()
    do { one.add(known, try family.measure(known), of: family) } catch {
      FileHandle.standardError.write(Data("\(known.description): \(error)\n".utf8))
    }
    lock.withLock { tally.add(one) }
  }
  whole.add(tally)
}
print(whole.table)
for miss in whole.misses.prefix(misses) {
  print("outside: \(miss.reading); the truth is \(miss.truth); \(miss.device)")
}
if let details { try whole.details.joined(separator: "\n").write(toFile: details, atomically: true, encoding: .utf8) }
for shortfall in whole.shortfalls { print("not held: \(shortfall)") }
exit(whole.shortfalls.isEmpty ? 0 : 1)
