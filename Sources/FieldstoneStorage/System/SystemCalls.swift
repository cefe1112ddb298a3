#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls of a file store, each made once: nothing here is retried or interpreted.
///
/// Tests replace a call to make that step fail.
package struct SystemCalls: Sendable {
  /// Opens a file by its absolute path, or by its name relative to an open folder.
  package var open:
    @Sendable (_ folder: Int32, _ name: String, _ flags: Int32, _ mode: UInt32) throws(SystemError)
      -> Int32
  package var close: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// Returns the number of bytes read; zero at the end of the file.
  package var read:
    @Sendable (_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// Returns the number of bytes written, which may be fewer than requested.
  package var write:
    @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
  /// Writes a file's content to the medium.
  var sync: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// Writes a folder's names to the medium.
  var syncFolder: @Sendable (_ folder: Int32) throws(SystemError) -> Void
  package var rename:
    @Sendable (_ folder: Int32, _ from: String, _ to: String) throws(SystemError) -> Void
  /// Links a file to a second name.
  package var link:
    @Sendable (_ folder: Int32, _ from: String, _ to: String) throws(SystemError) -> Void
  var remove: @Sendable (_ folder: Int32, _ name: String) throws(SystemError) -> Void
  var makeFolder: @Sendable (_ path: String, _ mode: UInt32) throws(SystemError) -> Void
  package var status: @Sendable (_ file: Int32) throws(SystemError) -> FileStatus
  /// The status of a name; for a link, that of the link itself.
  var statusOfName: @Sendable (_ folder: Int32, _ name: String) throws(SystemError) -> FileStatus
  /// The target of a symbolic link; fails with `EINVAL` for another file.
  var readLink: @Sendable (_ path: String) throws(SystemError) -> String
  var changeMode: @Sendable (_ file: Int32, _ mode: UInt32) throws(SystemError) -> Void
  package var changeOwner:
    @Sendable (_ file: Int32, _ owner: UInt32, _ group: UInt32) throws(SystemError) -> Void
  /// Takes an exclusive lock on an open file, or fails with `EWOULDBLOCK`.
  package var tryLock: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// Releases the lock, also where another process has got the open file.
  var unlock: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// The names in a folder.
  var list: @Sendable (_ path: String) throws(SystemError) -> [String]
  /// Whether backups exclude a file.
  package var isExcludedFromBackup: @Sendable (_ path: String) -> Bool = BackupMark.isSet
  /// Excludes a file from backups, if the system and its file system support it.
  package var excludeFromBackup: @Sendable (_ path: String) -> Void = BackupMark.set
}

/// The `errno` of a failed system call.
package struct SystemError: Error, Hashable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// The `errno` of the last call on this thread.
  static var last: SystemError { SystemError(errno) }
}

/// Repeats a system call while a signal interrupts it.
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

/// The status of a file.
package struct FileStatus: Sendable, Equatable {
  enum Kind: Sendable {
    case file
    case folder
    case symbolicLink
    case other
  }

  var kind: Kind
  var device: UInt64
  var number: UInt64
  /// The twelve permission bits.
  var mode: UInt32
  package var owner: UInt32
  var group: UInt32
  package var size: Int

  /// Whether both are of the same file, possibly under two names.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && number == other.number
  }
}

extension SystemCalls {
  /// The names of the calls.
  package enum Name: String, Sendable, CaseIterable {
    case open, close, read, write, sync, syncFolder, rename, link, remove, makeFolder, status
    case statusOfName, readLink, changeMode, changeOwner, tryLock, unlock, list
  }

  /// The same calls, with a closure before each, which may throw to replace the call.
  package func intercepted(
    by before: @escaping @Sendable (Name) throws(SystemError) -> Void
  ) -> SystemCalls {
    func hooked<each Argument, Result>(
      _ name: Name,
      _ call: @escaping @Sendable (repeat each Argument) throws(SystemError) -> Result
    ) -> @Sendable (repeat each Argument) throws(SystemError) -> Result {
      { (argument: repeat each Argument) throws(SystemError) in
        try before(name)
        return try call(repeat each argument)
      }
    }
    var calls = self
    calls.open = hooked(.open, open)
    calls.close = { [close] (file) throws(SystemError) in
      // The file is closed even if this throws, as the system does it.
      do throws(SystemError) {
        try before(.close)
      } catch {
        try? close(file)
        throw error
      }
      try close(file)
    }
    calls.read = hooked(.read, read)
    calls.write = hooked(.write, write)
    calls.sync = hooked(.sync, sync)
    calls.syncFolder = hooked(.syncFolder, syncFolder)
    calls.rename = hooked(.rename, rename)
    calls.link = hooked(.link, link)
    calls.remove = hooked(.remove, remove)
    calls.makeFolder = hooked(.makeFolder, makeFolder)
    calls.status = hooked(.status, status)
    calls.statusOfName = hooked(.statusOfName, statusOfName)
    calls.readLink = hooked(.readLink, readLink)
    calls.changeMode = hooked(.changeMode, changeMode)
    calls.changeOwner = hooked(.changeOwner, changeOwner)
    calls.tryLock = hooked(.tryLock, tryLock)
    calls.unlock = hooked(.unlock, unlock)
    calls.list = hooked(.list, list)
    return calls
  }
}
