import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes of a file with its status.
struct FileReading {
  let bytes: Data
  let status: FileStatus

  /// Reads a file to its end; nil if there is none.
  static func read(
    _ place: FilePlace, limit: Int, with calls: SystemCalls
  ) throws(FileStoreError) -> FileReading? {
    // Without O_NONBLOCK, opening a named pipe would block until a process opens it to write.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    let opened = try at(.open, place.path, nilFor: [ENOENT]) { () throws(SystemError) in
      try calls.open(AT_FDCWD, place.path, flags, 0)
    }
    guard let file = opened else { return nil }
    defer { try? calls.close(file) }
    let status = try at(.read, place.path) { () throws(SystemError) in try calls.status(file) }
    guard status.kind == .file else { throw FileStoreError(.notAFile, path: place.path) }
    guard status.size <= limit else {
      throw FileStoreError(.tooLarge(limit: limit), path: place.path)
    }
    let bytes = try read(file, expecting: status.size, limit: limit, of: place, with: calls)
    return FileReading(bytes: bytes, status: status)
  }

  private static func read(
    _ file: Int32, expecting size: Int, limit: Int, of place: FilePlace, with calls: SystemCalls
  ) throws(FileStoreError) -> Data {
    var bytes = Data(count: size)
    var count = 0
    while true {
      // The file may be larger than its size says; only an empty read is the end.
      if count == bytes.count { bytes.count += max(4_096, min(size, 1 << 20)) }
      let start = count
      let more = try at(.read, place.path) { () throws(SystemError) -> Int in
        try bytes.withUnsafeMutableBytes { buffer in
          Result<Int, SystemError> { () throws(SystemError) in
            try calls.read(file, UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
          }
        }.get()
      }
      if more == 0 { return bytes.prefix(count) }
      count += more
      // A file may grow while it is read, and special files have no size.
      guard count <= limit else {
        throw FileStoreError(.tooLarge(limit: limit), path: place.path)
      }
    }
  }
}
