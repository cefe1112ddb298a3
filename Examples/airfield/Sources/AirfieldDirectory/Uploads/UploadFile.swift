import Crypto
import Foundation

/// A file that is being taken in, piece by piece, to the disk.
public actor UploadFile {
  private let folder: UploadFolder
  private let name: String
  private let part: String
  private var descriptor: Int32
  private var checksum = SHA256()
  private var size = 0

  init(folder: UploadFolder, name: String, part: String, descriptor: Int32) {
    self.folder = folder
    self.name = name
    self.part = part
    self.descriptor = descriptor
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(part)
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``UploadError``; the file is gone then.
  public func write(_ bytes: [UInt8]) throws {
    guard descriptor >= 0 else { return }
    guard size + bytes.count <= folder.limit else {
      discard()
      throw UploadError.tooLarge(limit: folder.limit)
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failed() }
      rest = rest.dropFirst(written)
    }
    checksum.update(data: bytes)
    size += bytes.count
  }

  /// Ends it: from here on the file is kept under the name of its content.
  ///
  /// A file of that content that is there already stays as it is, so that an import of it which was
  /// cancelled can go on.
  ///
  /// - Throws: ``UploadError``; the file is gone then.
  public func finish() throws -> UploadedFile {
    guard descriptor >= 0 else {
      throw UploadError.cannotWrite(path: folder.path, reason: "it was given up")
    }
    let path = folder.path + "/" + contentName + ".csv"
    folder.hold(path)
    do {
      guard fsync(descriptor) == 0 else { throw failed() }
      if isThere(path) { unlink(part) } else if rename(part, path) != 0 { throw failed() }
      try syncFolder()
    } catch {
      folder.release(path)
      throw error
    }
    close(descriptor)
    descriptor = -1
    return UploadedFile(name: name, path: path, size: size)
  }

  /// Gives it up; nothing of it stays.
  ///
  /// A no-op once it has ended.
  public func discard() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(part)
    descriptor = -1
  }

  /// The checksum of all that came, as 64 hexadecimal digits.
  private var contentName: String {
    checksum.finalize().map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }

  private func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && Int(status.st_size) == size
  }

  /// Without it the name could be gone after a loss of power, and with it an import that has begun.
  private func syncFolder() throws {
    let directory = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { throw failed() }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw failed() }
  }

  private func failed() -> UploadError {
    let error = folder.failure()
    discard()
    return error
  }
}
