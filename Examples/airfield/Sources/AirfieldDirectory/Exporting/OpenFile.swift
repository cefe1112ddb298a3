import Fieldstone
import Foundation

/// An open file, by the calls of the system; it is closed with its last owner.
final class OpenFile {
  /// What a call of the system failed with.
  struct Failure: DescribedError {
    let code: Int32

    var message: String { String(cString: strerror(code)) }
  }

  private let descriptor: Int32

  init(_ path: String, _ flags: Int32) throws(Failure) {
    descriptor = open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Failure(code: errno) }
  }

  /// Opens a file that may not be there; nil where it is not.
  static func ifThere(_ path: String, _ flags: Int32) throws(Failure) -> OpenFile? {
    do {
      return try OpenFile(path, flags)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  deinit {
    close(descriptor)
  }

  /// What the system knows of it.
  var status: stat {
    get throws(Failure) {
      var status = stat()
      try Self.check(fstat(descriptor, &status))
      return status
    }
  }

  /// What the system knows of the file at a path, or of where a link there leads; nil for none.
  static func status(of path: String) throws(Failure) -> stat? {
    var status = stat()
    guard stat(path, &status) != 0 else { return status }
    guard errno == ENOENT else { throw Failure(code: errno) }
    return nil
  }

  /// Keeps others out until it is closed; false where somebody else does.
  func lock() throws(Failure) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw Failure(code: errno) }
    return false
  }

  /// Cuts it off behind so many bytes.
  func truncate(to length: Int) throws(Failure) {
    try Self.check(ftruncate(descriptor, off_t(length)))
  }

  func setMode(_ mode: mode_t) throws(Failure) {
    try Self.check(fchmod(descriptor, mode))
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let (rest, place) = (bytes[done...], off_t(offset + done))
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place) }
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// Returns once it is on the disk.
  func synchronize() throws(Failure) {
    try Self.check(fsync(descriptor))
  }

  private static func check(_ result: Int32) throws(Failure) {
    guard result == 0 else { throw Failure(code: errno) }
  }
}
