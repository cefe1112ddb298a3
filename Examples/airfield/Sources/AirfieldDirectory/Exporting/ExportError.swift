public import Fieldstone

/// What keeps an export from being made at all.
public enum ExportError: DescribedError, Equatable, Codable {
  /// No country has this code.
  case unknownCountry(String)

  /// This is no address that pages can be posted to.
  case badAddress(String)

  /// What is at this path is a folder, or can only be one.
  case folder(path: String)

  /// What is at this path is the database that is to be exported.
  case database(path: String)

  /// What is at this path is no ordinary file.
  case notAFile(path: String)

  /// There is a file at this path already, and nobody said that it may go.
  case exists(path: String)

  /// The folder that the file is to be in is not there.
  case missingFolder(path: String)

  /// The file can't be written.
  case unwritable(path: String, reason: String)

  /// The unfinished file was removed or changed, twice.
  case disturbed(path: String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .unknownCountry(let code):
      "no country has the code “\(code)”; give the two letters of one, such as IS, or none for all"
    case .badAddress(let text):
      "“\(text)” is no address to post to; give one that begins with http:// or https:// and a host"
    case .folder(let path): "“\(path)” is a folder; give the name of a file in it"
    case .database(let path): "\(path) is the database itself; give another name"
    case .notAFile(let path): "\(path) is not a file; give another name"
    case .exists(let path):
      "there is a file \(path) already; give another name, or --replace to put the export in its place"
    case .missingFolder(let path): "there is no folder \(path); make it first"
    case .unwritable(let path, let reason):
      "cannot write \(path): \(reason); give another name, or see to its folder"
    case .disturbed(let path):
      "the unfinished export beside \(path) was removed twice; is another export writing it?"
    }
  }
}
