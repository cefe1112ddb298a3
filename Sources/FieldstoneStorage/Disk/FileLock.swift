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

  private static let firstNap = Duration.milliseconds(1)
  private static let longestNap = Duration.milliseconds(16)

  /// Takes the lock if it is free; nil if it is held, or if `mode` is nil and there is no lock
  /// file.
  static func tryOnce(
    _ name: String, in folder: OpenFolder, mode: UInt32?
  ) throws(FileStoreError) -> FileLock? {
    let (calls, path) = (folder.calls, folder.path + "/" + name)
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (mode == nil ? 0 : O_CREAT)
    while true {
      let missing = mode == nil ? [ENOENT] : []
      let opened = try at(.lock, path, nilFor: missing) { () throws(SystemError) in
        try calls.open(folder.file, name, flags, mode ?? 0)
      }
      guard let file = opened else { return nil }
      var isHeld = false
      defer { if !isHeld { try? calls.close(file) } }
      let locked: Void? = try at(.lock, path, nilFor: [EWOULDBLOCK]) { () throws(SystemError) in
        try calls.tryLock(file)
      }
      if locked == nil { return nil }
      // If another process has removed the file, this lock protects nothing.
      let held = try at(.lock, path) { () throws(SystemError) in try calls.status(file) }
      let named = try? calls.statusOfName(folder.file, name)
      if let named, named.isSameFile(as: held) {
        isHeld = true
        return FileLock(file: file)
      }
    }
  }

  /// Takes the lock; waits while another writer holds it.
  ///
  /// - Throws: ``FileStoreError``; `CancellationError` if the task is cancelled while it waits.
  static func take(
    _ name: String, in folder: OpenFolder, mode: UInt32, for path: String, within limit: Duration,
    time: TimeSource
  ) async throws -> FileLock {
    if let lock = try tryOnce(name, in: folder, mode: mode) { return lock }
    let deadline = time.uptime + limit
    var nap = DoublingDelay(first: firstNap, longest: longestNap)
    while true {
      let remaining = deadline - time.uptime
      guard remaining > .zero else { throw FileStoreError(.lockTimedOut, path: path) }
      try await time.sleep(for: min(nap.next(), remaining))
      if let lock = try tryOnce(name, in: folder, mode: mode) { return lock }
    }
  }
}
