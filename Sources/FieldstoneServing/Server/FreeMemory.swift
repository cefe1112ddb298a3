#if canImport(Glibc)
  import Glibc
#endif

/// Free memory that the process has not returned to the system.
enum FreeMemory {
  /// Returns free memory to the system; takes some milliseconds.
  ///
  /// Linux's allocator retains the memory that many connections used. Swift does not import the
  /// function that returns it, and other C libraries lack it.
  static func giveBack() {
    #if canImport(Glibc)
      guard let trim = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
    #endif
  }
}
