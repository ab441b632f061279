/// True in release builds: without optimization Swift itself allocates, and no count of allocations holds.
public let isRelease: Bool = {
  #if DEBUG
    false
  #else
    true
  #endif
}()
