#if canImport(Glibc)
  import Glibc
#endif

/// Memory that is free and still the process's.
enum FreeMemory {
  /// Gives free memory back to the system; takes some milliseconds.
  ///
  /// The allocator of Linux retains the memory that many connections had. Its function is not among
  /// those that Swift imports, and other C libraries do not have it.
  static func giveBack() {
    #if canImport(Glibc)
      guard let trim = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
    #endif
  }
}
