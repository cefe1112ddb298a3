import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Replaces the content of a file, so that a reader sees the whole old or the whole new content.
///
/// If it throws, the old content is in place, and no file is left behind. The caller holds the
/// lock.
struct AtomicWrite {
  let folder: OpenFolder
  let name: String
  let names: FileNames
  let lock: FileLock
  let durability: FileDurability
  let ownership: FileOwnership
  var isExcludedFromBackup = false

  private var calls: SystemCalls { folder.calls }
  private var path: String { folder.path + "/" + name }

  /// The largest number of names to try if another file has the name already.
  private static let mostNames = 8
  private static let newMode: UInt32 = 0o600

  /// Writes the data to a temporary file and renames it.
  ///
  /// - Parameters:
  ///   - isReplacing: whether there is an old file.
  ///   - model: the file whose mode and owner the new file takes.
  func write(
    _ data: Data, isReplacing: Bool, like model: FileStatus?
  ) throws(FileStoreError) {
    let (file, temporary) = try make()
    do throws(FileStoreError) {
      do throws(FileStoreError) {
        if let model { try takeAttributes(of: model, for: file) }
        // The backup mark belongs to the file, not to its name, so the new file needs it, too.
        if isExcludedFromBackup || isReplacing && calls.isExcludedFromBackup(path) {
          calls.excludeFromBackup(folder.path + "/" + temporary)
        }
        try fill(file, with: data)
        if durability == .durable {
          try at(.sync, path) { () throws(SystemError) in try calls.sync(file) }
        }
      } catch {
        try? calls.close(file)
        throw error
      }
      try close(file)
      try replace(with: temporary, hasOld: isReplacing)
    } catch {
      folder.removeIfPossible(temporary)
      throw error
    }
  }

  private func make() throws(FileStoreError) -> (file: Int32, name: String) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    var attempt = 1
    while true {
      let temporary = temporaryName(lock.number, attempt)
      let taken = attempt < Self.mostNames ? [EEXIST] : []
      let file = try at(.open, path, nilFor: taken) { () throws(SystemError) in
        try calls.open(folder.file, temporary, flags, Self.newMode)
      }
      if let file { return (file, temporary) }
      attempt += 1
    }
  }

  /// The name for an attempt: at first the one that a sweep finds without listing the folder.
  ///
  /// If a killed writer has left that one, any other name will do.
  private func temporaryName(_ token: UInt64, _ attempt: Int) -> String {
    names.temporary(attempt == 1 ? token : .random(in: .min ... .max))
  }

  private func takeAttributes(of old: FileStatus, for file: Int32) throws(FileStoreError) {
    let new = try at(.attributes, path) { () throws(SystemError) in try calls.status(file) }
    if new.owner != old.owner || new.group != old.group {
      let kept: Void? = try at(.attributes, path, nilFor: [EPERM]) { () throws(SystemError) in
        try calls.changeOwner(file, old.owner, old.group)
      }
      if kept == nil, ownership == .kept {
        throw FileStoreError(.owner, path: path, errorNumber: EPERM)
      }
    }
    // The mode is set last, because a change of owner clears bits of it.
    if new.mode != old.mode {
      try at(.attributes, path) { () throws(SystemError) in try calls.changeMode(file, old.mode) }
    }
  }

  private func fill(_ file: Int32, with data: Data) throws(FileStoreError) {
    var written = 0
    while written < data.count {
      let start = written
      let count = try at(.write, path) { () throws(SystemError) -> Int in
        try data.withUnsafeBytes { bytes in
          Result<Int, SystemError> { () throws(SystemError) in
            try calls.write(file, UnsafeRawBufferPointer(rebasing: bytes[start...]))
          }
        }.get()
      }
      // A write of zero bytes without an error must not repeat endlessly.
      guard count > 0 else { throw FileStoreError(.write, path, SystemError(EIO)) }
      written += count
    }
  }

  /// Closes the file; some network file systems report only here that they are full.
  private func close(_ file: Int32) throws(FileStoreError) {
    do throws(SystemError) {
      try calls.close(file)
    } catch {
      // The file is closed even after EINTR: a second close might close another file.
      guard error.number == EINTR else { throw FileStoreError(.write, path, error) }
    }
  }

  private func replace(with temporary: String, hasOld: Bool) throws(FileStoreError) {
    guard durability == .durable else { return try rename(temporary) }
    // A second name keeps the old file until the names are on the medium. If syncing them fails,
    // the old file is renamed back.
    let second = hasOld ? try keepOld() : nil
    do throws(FileStoreError) {
      try rename(temporary)
    } catch {
      if let second { folder.removeIfPossible(second) }
      throw error
    }
    do throws(FileStoreError) {
      try folder.sync()
    } catch {
      if let second {
        try? folder.rename(second, to: name)
      } else if !hasOld {
        folder.removeIfPossible(name)
      }
      throw error
    }
    if let second { folder.removeIfPossible(second) }
  }

  private func rename(_ temporary: String) throws(FileStoreError) {
    try at(.rename, path) { () throws(SystemError) in
      try calls.rename(folder.file, temporary, name)
    }
  }

  /// Links the old file to a second name; nil if the file system has no hard links.
  private func keepOld() throws(FileStoreError) -> String? {
    let unable = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL]
    var attempt = 1
    while true {
      let second = temporaryName(~lock.number, attempt)
      do throws(FileStoreError) {
        let linked: Void? = try at(.keep, path, nilFor: unable) { () throws(SystemError) in
          try calls.link(folder.file, name, second)
        }
        return linked.map { second }
      } catch {
        guard error.errorNumber == EEXIST, attempt < Self.mostNames else { throw error }
        attempt += 1
      }
    }
  }
}
