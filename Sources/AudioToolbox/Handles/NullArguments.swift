// What the header promises, a C program may leave out all the same. Not inlined: what is declared as never null would be
// taken for granted otherwise.

/// Whether a pointer that the header promises is missing.
@inline(never)
func isNull<T>(_ pointer: UnsafePointer<T>) -> Bool { Int(bitPattern: pointer) == 0 }
@inline(never)
func isNull<T>(_ pointer: UnsafeMutablePointer<T>) -> Bool { Int(bitPattern: pointer) == 0 }
@inline(never)
func isNull(_ pointer: UnsafeRawPointer) -> Bool { Int(bitPattern: pointer) == 0 }
@inline(never)
func isNull(_ pointer: UnsafeMutableRawPointer) -> Bool { Int(bitPattern: pointer) == 0 }
@inline(never)
func isNull(_ pointer: OpaquePointer) -> Bool { Int(bitPattern: pointer) == 0 }

/// Whether a function that the header promises is missing.
@inline(never)
func isMissing<Function>(_ function: Function) -> Bool { functionAddress(function) == 0 }

/// Where a program's function lies: functions are compared by that.
func functionAddress<Function>(_ function: Function) -> UInt { unsafeBitCast(function, to: UInt.self) }
