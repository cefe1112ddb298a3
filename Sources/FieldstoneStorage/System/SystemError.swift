#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The number that a system call left in `errno`.
package struct SystemError: Error, Hashable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// The number that the call just made on this thread left.
  static var last: SystemError { SystemError(errno) }
}

/// Makes a system call again for as long as a signal interrupts it.
func uninterrupted<Result>(
  _ call: () throws(SystemError) -> Result
) throws(SystemError) -> Result {
  while true {
    do throws(SystemError) {
      return try call()
    } catch {
      guard error.number == EINTR else { throw error }
    }
  }
}
