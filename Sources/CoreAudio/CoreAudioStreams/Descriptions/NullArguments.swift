// Arguments that the header declares as never null may be null in a C program. The checks are not inlined, as the
// compiler would assume them to be true.

import AudioCore

/// True when a pointer that the header requires is missing.
@inline(never)
package func isNull(_ pointer: some _Pointer) -> Bool { Int(bitPattern: pointer) == 0 }
@inline(never)
package func isNull(_ pointer: OpaquePointer) -> Bool { Int(bitPattern: pointer) == 0 }

/// -50 where one of the pointers that the header promises is missing.
package func require<each P: _Pointer>(_ pointer: repeat each P) throws(AudioStatus) {
  for pointer in repeat each pointer { if isNull(pointer) { throw .parameterError } }
}

/// True when a function that the header requires is missing.
@inline(never)
package func isMissing<Function>(_ function: Function) -> Bool { functionAddress(function) == 0 }

/// The address of a program's function: functions are compared by that.
package func functionAddress<Function>(_ function: Function) -> UInt { unsafeBitCast(function, to: UInt.self) }
