#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that a file store makes, each once: nothing is retried or interpreted here.
///
/// Tests put their own in the place of one of them, to fail at that step.
package struct SystemCalls: Sendable {
  /// Opens a file, its name relative to an open folder unless it is a whole path.
  package var open:
    @Sendable (_ folder: Int32, _ name: String, _ flags: Int32, _ mode: UInt32) throws(SystemError)
      -> Int32
  package var close: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// Gives how many bytes it has read; zero at the end of the file.
  package var read:
    @Sendable (_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  /// Gives how many bytes it has written, which may be fewer than it was given.
  package var write:
    @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
  /// Has a file's content reach the medium.
  var sync: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// Has a folder's names reach the medium.
  var syncFolder: @Sendable (_ folder: Int32) throws(SystemError) -> Void
  package var rename:
    @Sendable (_ folder: Int32, _ from: String, _ to: String) throws(SystemError) -> Void
  /// Gives a file a second name.
  package var link:
    @Sendable (_ folder: Int32, _ from: String, _ to: String) throws(SystemError) -> Void
  var remove: @Sendable (_ folder: Int32, _ name: String) throws(SystemError) -> Void
  var makeFolder: @Sendable (_ path: String, _ mode: UInt32) throws(SystemError) -> Void
  package var status: @Sendable (_ file: Int32) throws(SystemError) -> FileStatus
  /// The status of a name, of the link itself where it is one.
  var statusOfName: @Sendable (_ folder: Int32, _ name: String) throws(SystemError) -> FileStatus
  /// Where a symbolic link points; fails with `EINVAL` where the path is none.
  var readLink: @Sendable (_ path: String) throws(SystemError) -> String
  var changeMode: @Sendable (_ file: Int32, _ mode: UInt32) throws(SystemError) -> Void
  package var changeOwner:
    @Sendable (_ file: Int32, _ owner: UInt32, _ group: UInt32) throws(SystemError) -> Void
  /// Takes the lock of an open file for itself alone, or fails with `EWOULDBLOCK`.
  package var tryLock: @Sendable (_ file: Int32) throws(SystemError) -> Void
  /// The names in a folder.
  var list: @Sendable (_ path: String) throws(SystemError) -> [String]
  /// Whether a file is left out of backups.
  package var isExcludedFromBackup: @Sendable (_ path: String) -> Bool = BackupMark.isSet
  /// Leaves a file out of backups, where the system and its file system can.
  package var excludeFromBackup: @Sendable (_ path: String) -> Void = BackupMark.set
}

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

/// What the system knows about a file besides its content.
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

  /// Whether two readings are of one file, whatever its name.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && number == other.number
  }
}

extension SystemCalls {
  /// The names of the calls.
  package enum Name: String, Sendable, CaseIterable {
    case open, close, read, write, sync, syncFolder, rename, link, remove, makeFolder, status
    case statusOfName, readLink, changeMode, changeOwner, tryLock, list
  }

  /// The same calls, with something that happens before each and may fail in its place.
  package func intercepted(
    by before: @escaping @Sendable (Name) throws(SystemError) -> Void
  ) -> SystemCalls {
    let base = self
    return SystemCalls(
      open: { (folder, name, flags, mode) throws(SystemError) in
        try before(.open)
        return try base.open(folder, name, flags, mode)
      },
      close: { (file) throws(SystemError) in
        // A file is closed in any case, as the system does it.
        do throws(SystemError) {
          try before(.close)
        } catch {
          try? base.close(file)
          throw error
        }
        try base.close(file)
      },
      read: { (file, buffer) throws(SystemError) in
        try before(.read)
        return try base.read(file, buffer)
      },
      write: { (file, bytes) throws(SystemError) in
        try before(.write)
        return try base.write(file, bytes)
      },
      sync: { (file) throws(SystemError) in
        try before(.sync)
        try base.sync(file)
      },
      syncFolder: { (folder) throws(SystemError) in
        try before(.syncFolder)
        try base.syncFolder(folder)
      },
      rename: { (folder, from, to) throws(SystemError) in
        try before(.rename)
        try base.rename(folder, from, to)
      },
      link: { (folder, from, to) throws(SystemError) in
        try before(.link)
        try base.link(folder, from, to)
      },
      remove: { (folder, name) throws(SystemError) in
        try before(.remove)
        try base.remove(folder, name)
      },
      makeFolder: { (path, mode) throws(SystemError) in
        try before(.makeFolder)
        try base.makeFolder(path, mode)
      },
      status: { (file) throws(SystemError) in
        try before(.status)
        return try base.status(file)
      },
      statusOfName: { (folder, name) throws(SystemError) in
        try before(.statusOfName)
        return try base.statusOfName(folder, name)
      },
      readLink: { (path) throws(SystemError) in
        try before(.readLink)
        return try base.readLink(path)
      },
      changeMode: { (file, mode) throws(SystemError) in
        try before(.changeMode)
        try base.changeMode(file, mode)
      },
      changeOwner: { (file, owner, group) throws(SystemError) in
        try before(.changeOwner)
        try base.changeOwner(file, owner, group)
      },
      tryLock: { (file) throws(SystemError) in
        try before(.tryLock)
        try base.tryLock(file)
      },
      list: { (path) throws(SystemError) in
        try before(.list)
        return try base.list(path)
      }, isExcludedFromBackup: base.isExcludedFromBackup,
      excludeFromBackup: base.excludeFromBackup)
  }
}
