import Fieldstone
import FieldstoneDurable
import Foundation

/// A file beside its target, which takes the target's place once it is whole.
struct PartialFile: Sendable, Equatable, Codable {
  /// The path that it will have.
  let target: String

  /// The path that it has until then.
  let path: String

  /// Which file that is: another one at the same path is none of ours.
  private let number: UInt64

  /// Looks at the target, and makes the file with a header in it.
  ///
  /// What an export to the same target left unfinished is removed.
  init(target: String, run: RunID, header: String, database: String) throws {
    let url = URL(filePath: target)
    let folder = url.deletingLastPathComponent().path
    self.target = target
    let names = (before: ".\(url.lastPathComponent).", after: ".part")
    path = folder + "/" + names.before + run.description + names.after
    do {
      try Self.look(at: target, in: folder, database: database)
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
  ///
  /// - Throws: ``PartialFileLost``.
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
  /// - Throws: ``PartialFileLost``.
  func finish(length: Int) throws {
    try telling { () throws in
      let there = try OpenFile.status(of: target)
      if let file = try open(length: length) {
        if let there { try file.setMode(there.st_mode & 0o777) }
        try file.synchronize()
        guard rename(path, target) == 0 else { throw OpenFile.Failure(code: errno) }
      } else if there.map({ UInt64($0.st_ino) }) != number
        || there.map({ Int($0.st_size) }) != length
      {
        throw PartialFileLost()
      }
      let folder = URL(filePath: target).deletingLastPathComponent().path
      try OpenFile(folder, O_RDONLY).synchronize()
    }
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

  private static func look(at target: String, in folder: String, database: String) throws {
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
