import Fieldstone
import FieldstoneDurable
import Foundation

/// A file beside its target, which takes the target's place once it is whole.
struct PartialFile: Sendable, Equatable, Codable {
  let target: String

  /// The path that it has until then.
  let path: String

  /// Which file that is: another one at the same path is none of ours.
  private let number: UInt64

  /// Looks at the target, and makes the file with a header in it.
  ///
  /// What an export to the same target left unfinished is removed.
  init(
    target: String, run: RunID, header: String, database: String, replacing isReplaced: Bool
  ) throws {
    let url = URL(filePath: target)
    let folder = url.deletingLastPathComponent().path
    self.target = target
    let names = (before: ".\(url.lastPathComponent).", after: ".part")
    path = folder + "/" + names.before + run.description + names.after
    do {
      try Self.look(at: target, in: folder, database: database, replacing: isReplaced)
      Self.removeOthers(than: run, names, in: folder)
      let file = try OpenFile(path, O_RDWR | O_CREAT | O_TRUNC)
      number = UInt64(try file.status.st_ino)
      try file.write(Array(header.utf8), at: 0)
      try file.synchronize()
      try OpenFile(folder, O_RDONLY).synchronize()
    } catch let failure as OpenFile.Failure {
      throw ExportError.unwritable(path: target, reason: failure.message)
    }
  }

  /// Writes a page behind those that are good, and returns how many bytes are good then.
  ///
  /// What stands there of an attempt that came to no checkpoint is cut off. It returns once all of
  /// it is on the disk, so that no checkpoint tells of more than there is.
  func write(_ bytes: [UInt8], at length: Int) throws -> Int {
    try telling { () throws in
      guard let file = try open(length: length) else { throw PartialFileLost() }
      try file.write(bytes, at: length)
      try file.synchronize()
    }
    return length + bytes.count
  }

  /// Puts the file in the target's place, with the target's permissions where there was one; a no-op
  /// when that is done already.
  ///
  /// - Throws: ``ExportError/exists(path:)`` where there is a file that is not to be replaced; this one
  ///   is gone then.
  func finish(length: Int, replacing isReplaced: Bool) throws {
    try telling { () throws in
      if let file = try open(length: length) {
        if let there = try OpenFile.status(of: target) { try file.setMode(there.st_mode & 0o777) }
        try file.synchronize()
        if !isReplaced, try isTaken(), try !isInPlace(length: length) {
          unlink(path)
          throw ExportError.exists(path: target)
        }
        guard rename(path, target) == 0 else { throw OpenFile.Failure(code: errno) }
        // Where both are the same file, renaming leaves both.
        unlink(path)
      } else if try !isInPlace(length: length) {
        throw PartialFileLost()
      }
      let folder = URL(filePath: target).deletingLastPathComponent().path
      try OpenFile(folder, O_RDONLY).synchronize()
    }
  }

  /// Gives the file the target's name, too; true where there is a file of that name.
  private func isTaken() throws -> Bool {
    guard link(path, target) != 0 else { return false }
    // Some file systems know no links.
    return try errno == EEXIST || OpenFile.status(of: target) != nil
  }

  /// Whether it is in the target's place, with so many bytes.
  func isInPlace(length: Int) throws -> Bool {
    guard let there = try OpenFile.status(of: target) else { return false }
    return UInt64(there.st_ino) == number && Int(there.st_size) == length
  }

  /// The file, with so many bytes in it and nobody else writing it; nil where it is gone.
  private func open(length: Int) throws -> OpenFile? {
    guard let file = try OpenFile.ifThere(path, O_RDWR) else { return nil }
    guard try file.lock() else {
      throw MessageError("another process is writing \(path); end that one")
    }
    let status = try file.status
    guard UInt64(status.st_ino) == number, status.st_size >= length else { throw PartialFileLost() }
    try file.truncate(to: length)
    return file
  }

  private func telling(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as OpenFile.Failure {
      throw MessageError("cannot write \(target): \(failure.message)", underlying: failure)
    }
  }

  private static func look(
    at target: String, in folder: String, database: String, replacing isReplaced: Bool
  ) throws {
    guard try OpenFile.status(of: folder) != nil else {
      throw ExportError.missingFolder(path: folder)
    }
    guard let there = try OpenFile.status(of: target) else { return }
    switch there.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw ExportError.folder(path: target)
    default: throw ExportError.notAFile(path: target)
    }
    if let own = try OpenFile.status(of: database), own.st_ino == there.st_ino,
      own.st_dev == there.st_dev
    {
      throw ExportError.database(path: target)
    }
    guard isReplaced else { throw ExportError.exists(path: target) }
    // Renaming would ask only for the folder's permission.
    guard access(target, W_OK) == 0 else { throw OpenFile.Failure(code: errno) }
  }

  private static func removeOthers(
    than run: RunID, _ names: (before: String, after: String), in folder: String
  ) {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for entry in entries where entry.hasPrefix(names.before) && entry.hasSuffix(names.after) {
      let other = RunID(String(entry.dropFirst(names.before.count).dropLast(names.after.count)))
      guard let other, other != run else { continue }
      try? FileManager.default.removeItem(atPath: folder + "/" + entry)
    }
  }
}

/// What was written of an export is no longer there, or no longer what it was.
struct PartialFileLost: Error {}

/// An open file, by the calls of the system; it is closed with its last owner.
final class OpenFile: Sendable {
  struct Failure: DescribedError {
    let code: Int32

    var message: String { String(cString: strerror(code)) }
  }

  private let descriptor: Int32

  init(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws(Failure) {
    descriptor = open(path, flags | O_CLOEXEC, mode)
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

  var status: stat {
    get throws(Failure) {
      var status = stat()
      try Self.check(fstat(descriptor, &status))
      return status
    }
  }

  /// Whether a path still leads to it.
  func isStill(at path: String) throws(Failure) -> Bool {
    let (there, own) = (try Self.status(of: path), try status)
    return there.map { $0.st_ino == own.st_ino && $0.st_dev == own.st_dev } ?? false
  }

  /// What the system knows of the file at a path, or of where a link there leads; nil for none.
  static func status(of path: String) throws(Failure) -> stat? {
    var status = stat()
    guard stat(path, &status) != 0 else { return status }
    guard errno == ENOENT else { throw Failure(code: errno) }
    return nil
  }

  /// Keeps those out who want it for themselves, until it is closed; waits where somebody does.
  func share() throws(Failure) {
    while flock(descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else { throw Failure(code: errno) }
    }
  }

  /// Does so at once, or not at all: false where somebody has it for himself.
  func tryShare() throws(Failure) -> Bool {
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw Failure(code: errno) }
    return false
  }

  /// Keeps others out until it is closed; false where somebody else does.
  func lock() throws(Failure) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw Failure(code: errno) }
    return false
  }

  /// Lets others have it, also before it is closed.
  func unlock() { _ = flock(descriptor, LOCK_UN) }

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

  func synchronize() throws(Failure) {
    try Self.check(fsync(descriptor))
  }

  private static func check(_ result: Int32) throws(Failure) {
    guard result == 0 else { throw Failure(code: errno) }
  }
}
