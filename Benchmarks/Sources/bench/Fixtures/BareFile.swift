import Foundation

/// The system calls of a durable atomic write, with bytes that are encoded already.
final class BareFile {
  private let folder: BenchmarkFolder
  private let path: String
  private let temporary: String
  private let bytes: Data

  init() throws {
    folder = try BenchmarkFolder()
    path = folder.file.path()
    temporary = path + ".temporary"
    bytes = try JSONEncoder().encode(SavedRecord())
    try save()
  }

  func save() throws {
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count == bytes.count, sync(file), close(file) == 0, rename(temporary, path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    let directory = open(folder.url.path(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard sync(directory), close(directory) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  func saveWithFoundation() throws {
    try bytes.write(to: folder.file, options: .atomic)
  }

  private func sync(_ file: Int32) -> Bool {
    #if canImport(Darwin)
      fcntl(file, F_FULLFSYNC) == 0
    #else
      fsync(file) == 0
    #endif
  }
}
