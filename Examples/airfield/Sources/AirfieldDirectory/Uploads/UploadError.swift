public import Fieldstone

/// What keeps a file from being taken in.
public enum UploadError: DescribedError, Equatable {
  /// The file has more bytes than may be taken in.
  case tooLarge(limit: Int)

  /// Another file is being taken in or imported.
  case busy

  /// The folder for files can't be written.
  case cannotWrite(path: String, reason: String)

  /// The file given can't be read.
  case cannotRead(path: String, reason: String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .tooLarge(let limit):
      "The file is larger than \(Self.size(limit)). Split it and import the parts, or use "
        + "airfield import, which takes files of any size."
    case .busy:
      "Another import is under way. Wait until it has ended, or cancel it, then import this file."
    case .cannotWrite(let path, let reason):
      "The file could not be kept in \(path): \(reason). Make room there, then import it again."
    case .cannotRead(let path, let reason):
      "\(path) can’t be read: \(reason). Choose it again."
    }
  }

  /// A number of bytes as people say it; one that is no whole number of megabytes as it is.
  static func size(_ bytes: Int) -> String {
    let megabyte = 1 << 20
    return bytes >= megabyte && bytes.isMultiple(of: megabyte)
      ? "\(bytes / megabyte) MB" : "\(bytes) bytes"
  }
}
