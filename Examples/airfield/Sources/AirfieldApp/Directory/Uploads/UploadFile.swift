import Crypto
import Fieldstone
import Foundation

/// A file that is being taken in, piece by piece, to the disk.
actor UploadFile {
  private let folder: UploadFolder
  private let name: String
  private let part: String

  /// The file under the name that it has until it is whole; nil once it has ended.
  private var file: OpenFile?
  private var checksum = SHA256()
  private var size = 0

  /// - Parameters:
  ///   - part: the path of the file until then.
  ///   - file: the file, empty and shared.
  init(folder: UploadFolder, name: String, part: String, file: OpenFile) {
    self.folder = folder
    self.name = name
    self.part = part
    self.file = file
  }

  deinit {
    if file != nil { unlink(part) }
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``UploadError``; the file is gone then.
  func write(_ bytes: [UInt8]) throws {
    guard let file else { return }
    guard size + bytes.count <= folder.limit else {
      discard()
      throw UploadError.tooLarge(limit: folder.limit)
    }
    try telling { () throws(OpenFile.Failure) in try file.write(bytes, at: size) }
    checksum.update(data: bytes)
    size += bytes.count
  }

  /// Ends it: from here on the file is kept under the name of its content.
  ///
  /// A file of that content that is there already stays as it is, so that an import of it which was
  /// cancelled can go on.
  ///
  /// - Throws: ``UploadError``; the file is gone then.
  func finish() throws -> UploadedFile {
    guard let file else {
      throw UploadError.cannotWrite(path: folder.path, reason: "it was given up")
    }
    let path = folder.path + "/" + contentName + ".csv"
    var kept = file
    try telling { () throws(OpenFile.Failure) in
      try file.synchronize()
      if let same = try same(path) {
        unlink(part)
        kept = same
      } else if rename(part, path) != 0 {
        throw OpenFile.Failure(code: errno)
      }
      // Without it the name could be gone after a loss of power, and with it an import that has begun.
      try OpenFile(folder.path, O_RDONLY).synchronize()
    }
    self.file = nil
    return UploadedFile(name: name, path: path, size: size, file: kept)
  }

  /// Gives it up; nothing of it stays.
  ///
  /// A no-op once it has ended.
  func discard() {
    guard file != nil else { return }
    unlink(part)
    file = nil
  }

  /// The checksum of all that came, as 64 hexadecimal digits.
  private var contentName: String {
    checksum.finalize().map { String(format: "%02x", $0) }.joined()
  }

  /// The whole file of a path, held; nil where there is none, or it is being swept.
  private func same(_ path: String) throws(OpenFile.Failure) -> OpenFile? {
    guard let file = try? OpenFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK), try file.tryShare()
    else { return nil }
    let status = try file.status
    guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size else { return nil }
    return try file.isStill(at: path) ? file : nil
  }

  private func telling(_ body: () throws(OpenFile.Failure) -> Void) throws {
    do {
      try body()
    } catch {
      discard()
      throw folder.failure(error)
    }
  }
}

struct UploadedFile: Sendable {
  let name: String

  /// The path under which it is kept; its content names it.
  let path: String
  let size: Int

  /// Keeps it from being swept before its import has begun.
  fileprivate let file: OpenFile

  /// Lets it be swept once its import has ended, or will not begin.
  func release() { file.unlock() }
}

/// What a file is called by whoever gives it, made fit to be shown; it never becomes a path.
enum UploadName {
  /// The last part of what may be a path of any system: on one line and not long.
  static func shown(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
    var text = String(String.UnicodeScalarView(scalars))
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text.isEmpty || text.allSatisfy { $0 == "." } ? "a file" : String(text.prefix(100))
  }
}

enum UploadError: DescribedError, Equatable {
  case tooLarge(limit: Int)
  case busy
  case cannotWrite(path: String, reason: String)

  var message: String {
    switch self {
    case .tooLarge(let limit):
      "The file is larger than \(Self.size(limit)). Split it and import the parts, or use "
        + "airfield import, which takes files of any size."
    case .busy:
      "Another import is under way. Wait until it has ended, or cancel it, then import this file."
    case .cannotWrite(let path, let reason):
      "The file could not be kept in \(path): \(reason). Make room there, then import it again."
    }
  }

  /// A number of bytes as people say it; one that is no whole number of megabytes as it is.
  static func size(_ bytes: Int) -> String {
    let megabyte = 1 << 20
    return bytes >= megabyte && bytes.isMultiple(of: megabyte)
      ? "\(bytes / megabyte) MB" : "\(bytes) bytes"
  }
}
