import FieldstoneCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lock that all writers of a file share, within this process and across processes.
///
/// It is a system lock on a separate file beside the data file. The system releases it when the
/// process ends, even by a crash.
struct FileLock {
  let file: Int32
  /// The system's number of the lock file; while the lock is held, no other lock has it.
  var number: UInt64 = 0

  private static let firstNap = Duration.milliseconds(1)
  private static let longestNap = Duration.milliseconds(16)

  /// The attributes of a new lock file.
  struct Attributes {
    var mode: UInt32
    /// Its group, or nil for the one that the system gives it.
    var group: UInt32?
  }

  /// Takes the lock if it is free; nil if it is held, or if `attributes` is nil and there is no lock
  /// file.
  static func tryOnce(
    _ name: String, in folder: OpenFolder, making attributes: Attributes?
  ) throws(FileStoreError) -> FileLock? {
    let (calls, path) = (folder.calls, folder.path + "/" + name)
    while true {
      let found = try at(.lock, path, nilFor: [ENOENT]) { () throws(SystemError) in
        try calls.open(folder.file, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0)
      }
      var opened = found
      if opened == nil {
        guard let attributes else { return nil }
        opened = try make(name, in: folder, attributes)
      }
      // Another process has made one meanwhile.
      guard let file = opened else { continue }
      var isHeld = false
      defer { if !isHeld { FileLock(file: file).release(with: calls) } }
      let locked: Void? = try at(.lock, path, nilFor: [EWOULDBLOCK]) { () throws(SystemError) in
        try calls.tryLock(file)
      }
      if locked == nil { return nil }
      // If another process has removed the file, this lock protects nothing.
      let held = try at(.lock, path) { () throws(SystemError) in try calls.status(file) }
      let named = try? calls.statusOfName(folder.file, name)
      if let named, named.isSameFile(as: held) {
        isHeld = true
        return FileLock(file: file, number: held.number)
      }
    }
  }

  /// Releases the lock.
  ///
  /// To close the file is not enough: a process that is being started holds this one's open files until
  /// it has become its program, and with them the lock.
  func release(with calls: SystemCalls) {
    try? calls.unlock(file)
    try? calls.close(file)
  }

  /// Makes the lock file; nil if there is one.
  ///
  /// The mode is set once more, because the system takes the process's mask from that of a new
  /// file. Only a new file is changed: an existing one may be a link to a foreign file.
  private static func make(
    _ name: String, in folder: OpenFolder, _ attributes: Attributes
  ) throws(FileStoreError) -> Int32? {
    let calls = folder.calls
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT | O_EXCL
    let file = try at(.lock, folder.path + "/" + name, nilFor: [EEXIST]) {
      () throws(SystemError) in
      try calls.open(folder.file, name, flags, attributes.mode)
    }
    guard let file, let status = try? calls.status(file) else { return file }
    // A user who is no member of the group can't give the file to it.
    if let group = attributes.group, group != status.group {
      try? calls.changeOwner(file, status.owner, group)
    }
    if status.mode & 0o777 != attributes.mode { try? calls.changeMode(file, attributes.mode) }
    return file
  }

  /// Takes the lock; waits while another writer holds it.
  ///
  /// - Throws: ``FileStoreError``; `CancellationError` if the task is cancelled while it waits.
  static func take(
    _ name: String, in folder: OpenFolder, making attributes: Attributes, for path: String,
    within limit: Duration,
    time: TimeSource
  ) async throws -> FileLock {
    if let lock = try tryOnce(name, in: folder, making: attributes) { return lock }
    let deadline = time.uptime + limit
    var nap = DoublingDelay(first: firstNap, longest: longestNap)
    while true {
      let remaining = deadline - time.uptime
      guard remaining > .zero else { throw FileStoreError(.lockTimedOut, path: path) }
      try await time.sleep(for: min(nap.next(), remaining))
      if let lock = try tryOnce(name, in: folder, making: attributes) { return lock }
    }
  }
}
