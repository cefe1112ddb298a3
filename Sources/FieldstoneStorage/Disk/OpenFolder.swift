#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open folder: names are looked up in it even after its path has changed.
///
/// It is a class, because its system calls are large to copy.
final class OpenFolder: Sendable {
  let file: Int32
  let path: String
  let calls: SystemCalls

  private init(file: Int32, path: String, calls: SystemCalls) {
    self.file = file
    self.path = path
    self.calls = calls
  }

  /// The mode of new folders: for their owner only, like the files in them.
  private static let newMode: UInt32 = 0o700

  /// Opens a folder; nil if it does not exist.
  static func open(
    _ path: String, with calls: SystemCalls
  ) throws(FileStoreError) -> OpenFolder? {
    let file = try at(.folder, path, nilFor: [ENOENT]) { () throws(SystemError) in
      try calls.open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    return file.map { OpenFolder(file: $0, path: path, calls: calls) }
  }

  /// Opens a folder, and makes it and its parents if they are missing.
  static func openOrMake(
    _ path: String, durability: FileDurability, with calls: SystemCalls
  ) throws(FileStoreError) -> OpenFolder {
    if let folder = try open(path, with: calls) { return folder }
    let parent = "/" + path.pathParts.dropLast().joined(separator: "/")
    let above = try openOrMake(parent, durability: durability, with: calls)
    defer { above.close() }
    // Another process may have made it meanwhile.
    _ = try at(.folder, path, nilFor: [EEXIST]) { () throws(SystemError) in
      try calls.makeFolder(path, newMode)
    }
    if durability == .durable { try above.sync() }
    guard let folder = try open(path, with: calls) else {
      throw FileStoreError(.folder, path, SystemError(ENOENT))
    }
    return folder
  }

  func close() {
    try? calls.close(file)
  }

  /// The status of a name, without following a link; nil if no file has that name.
  func status(of name: String) throws(FileStoreError) -> FileStatus? {
    try at(.find, path + "/" + name, nilFor: [ENOENT]) { () throws(SystemError) in
      try calls.statusOfName(file, name)
    }
  }

  /// Whether a name is that of a file that can wait under it; a link counts, a folder does not.
  func hasFile(_ name: String) throws(FileStoreError) -> Bool {
    try status(of: name).map { $0.kind != .folder } ?? false
  }

  func sync() throws(FileStoreError) {
    try at(.syncFolder, path) { () throws(SystemError) in try calls.syncFolder(file) }
  }

  func rename(_ from: String, to: String) throws(FileStoreError) {
    try at(.rename, path + "/" + from) { () throws(SystemError) in
      try calls.rename(file, from, to)
    }
  }

  /// Removes a file that is no longer needed; if that fails, a later sweep removes it.
  func removeIfPossible(_ name: String) {
    try? uninterrupted { () throws(SystemError) in try calls.remove(file, name) }
  }
}
