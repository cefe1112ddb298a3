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
