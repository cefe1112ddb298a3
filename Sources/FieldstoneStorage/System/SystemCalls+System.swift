import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SystemCalls {
  /// The calls of this system.
  package static let system = SystemCalls(
    open: { (folder, name, flags, mode) throws(SystemError) in
      try checked(openat(folder, name, flags, mode_t(truncatingIfNeeded: mode)))
    },
    close: { (file) throws(SystemError) in
      try done(systemClose(file))
    },
    read: { (file, buffer) throws(SystemError) in
      try checked(systemRead(file, buffer.baseAddress, buffer.count))
    },
    write: { (file, bytes) throws(SystemError) in
      try checked(systemWrite(file, bytes.baseAddress, bytes.count))
    },
    sync: { (file) throws(SystemError) in try syncThoroughly(file) },
    syncFolder: { (folder) throws(SystemError) in try syncThoroughly(folder) },
    rename: { (folder, from, to) throws(SystemError) in
      try done(renameat(folder, from, folder, to))
    },
    link: { (folder, from, to) throws(SystemError) in
      try done(linkat(folder, from, folder, to, 0))
    },
    remove: { (folder, name) throws(SystemError) in
      try done(unlinkat(folder, name, 0))
    },
    makeFolder: { (path, mode) throws(SystemError) in
      try done(mkdir(path, mode_t(truncatingIfNeeded: mode)))
    },
    status: { (file) throws(SystemError) in
      var found = stat()
      try done(fstat(file, &found))
      return FileStatus(found)
    },
    statusOfName: { (folder, name) throws(SystemError) in
      var found = stat()
      try done(fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW))
      return FileStatus(found)
    },
    readLink: { (path) throws(SystemError) in try linkTarget(path) },
    changeMode: { (file, mode) throws(SystemError) in
      try done(fchmod(file, mode_t(truncatingIfNeeded: mode)))
    },
    changeOwner: { (file, owner, group) throws(SystemError) in
      try done(fchown(file, owner, group))
    },
    tryLock: { (file) throws(SystemError) in
      try done(flock(file, LOCK_EX | LOCK_NB))
    },
    unlock: { (file) throws(SystemError) in try done(flock(file, LOCK_UN)) },
    list: { (path) throws(SystemError) in try namesInFolder(path) })
}

// A closure with the name of a function hides that function.
private let systemClose = close
private let systemRead = read
private let systemWrite = write

private func done(_ result: Int32) throws(SystemError) {
  if result != 0 { throw .last }
}

private func checked<Number: SignedInteger>(_ result: Number) throws(SystemError) -> Number {
  if result < 0 { throw .last }
  return result
}

/// Syncs a file, including the drive's cache if the system has a call for it.
private func syncThoroughly(_ file: Int32) throws(SystemError) {
  #if canImport(Darwin)
    // Darwin's fsync does not include the drive's cache. Some file systems lack F_FULLFSYNC.
    if fcntl(file, F_FULLFSYNC) == 0 { return }
    let failure = SystemError.last
    guard [ENOTSUP, EINVAL, ENOTTY].contains(failure.number) else { throw failure }
  #endif
  try done(fsync(file))
}

private func linkTarget(_ path: String) throws(SystemError) -> String {
  var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
  let count = buffer.withUnsafeMutableBytes { bytes in
    bytes.withMemoryRebound(to: CChar.self) { characters in
      characters.baseAddress.map { readlink(path, $0, characters.count) } ?? -1
    }
  }
  let length = try checked(count)
  return String(decoding: buffer[..<length], as: UTF8.self)
}

private func namesInFolder(_ path: String) throws(SystemError) -> [String] {
  guard let folder = opendir(path) else { throw .last }
  defer { closedir(folder) }
  var names: [String] = []
  while true {
    // Both the end and a failure return nil; only errno distinguishes them.
    errno = 0
    guard let entry = readdir(folder) else {
      if errno != 0 { throw .last }
      return names
    }
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
        String(cString: $0)
      }
    }
    names.append(name)
  }
}

extension FileStatus {
  fileprivate init(_ found: stat) {
    let kind: Kind =
      switch found.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      default: .other
      }
    self.init(
      kind: kind,
      device: UInt64(truncatingIfNeeded: found.st_dev),
      number: UInt64(truncatingIfNeeded: found.st_ino),
      mode: UInt32(truncatingIfNeeded: found.st_mode & 0o7777),
      owner: found.st_uid, group: found.st_gid, size: Int(found.st_size))
  }
}

/// The mark that excludes a file from the backups of Apple's systems; other systems have none.
enum BackupMark {
  @Sendable static func isSet(_ path: String) -> Bool {
    #if canImport(Darwin)
      let values = try? URL(filePath: path, directoryHint: .notDirectory)
        .resourceValues(forKeys: [.isExcludedFromBackupKey])
      return values?.isExcludedFromBackup ?? false
    #else
      return false
    #endif
  }

  @Sendable static func set(_ path: String) {
    #if canImport(Darwin)
      var url = URL(filePath: path, directoryHint: .notDirectory)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? url.setResourceValues(values)
    #endif
  }
}
