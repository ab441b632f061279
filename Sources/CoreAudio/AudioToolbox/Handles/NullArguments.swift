// What the header promises, a C program may leave out all the same. Not inlined: what is declared as never null would be
// taken for granted otherwise.

import AudioCore

/// Whether a pointer that the header promises is missing.
@inline(never)
func isNull(_ pointer: some _Pointer) -> Bool { Int(bitPattern: pointer) == 0 }
@inline(never)
func isNull(_ pointer: OpaquePointer) -> Bool { Int(bitPattern: pointer) == 0 }

/// -50 where one of the pointers that the header promises is missing.
func require<each P: _Pointer>(_ pointer: repeat each P) throws(AudioStatus) {
  for pointer in repeat each pointer { if isNull(pointer) { throw .parameterError } }
}

/// Whether a function that the header promises is missing.
@inline(never)
func isMissing<Function>(_ function: Function) -> Bool { functionAddress(function) == 0 }

/// Where a program's function lies: functions are compared by that.
func functionAddress<Function>(_ function: Function) -> UInt { unsafeBitCast(function, to: UInt.self) }
