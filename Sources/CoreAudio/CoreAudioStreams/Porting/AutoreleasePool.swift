/// Runs `body`. On Apple's systems objects of Objective-C that it leaves are released behind it; on Linux there are none.
@inlinable @inline(__always)
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }
