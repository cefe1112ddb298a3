import Foundation

/// Says to other processes that somebody waits for the import of a file.
///
/// While an import waits for its parts no process has it. One that imports another file gives an
/// unfinished import up, and must tell one that was stopped from one that is between two parts. The hold is
/// a lock on the file itself, which ends with the process however that ends.
struct SourceHold {
  private let descriptor: Int32

  /// Holds a file that several may hold; without effect where it can't be opened.
  init(_ source: ImportSource) {
    descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
  }

  /// Lets go of it; to be called once.
  func release() {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether anybody holds a file.
  static func isHeld(_ source: ImportSource) -> Bool {
    let descriptor = open(source.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
