import Fieldstone

/// What keeps an export from being made at all.
enum ExportError: DescribedError, Equatable, Codable {
  case unknownCountry(String)
  case badAddress(String)
  case folder(path: String)
  case database(path: String)
  case notAFile(path: String)
  case exists(path: String)
  case missingFolder(path: String)
  case unwritable(path: String, reason: String)

  /// The unfinished file was removed or changed, twice.
  case disturbed(path: String)

  var message: String {
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
