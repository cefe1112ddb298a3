import FieldstoneDurable
import Foundation

/// A file to be imported as it was found: one that was written since is another.
struct ImportSource: Sendable, Equatable, Codable {
  let path: String

  /// What whoever gave the file calls it; nil where that is its path.
  let name: String?
  let size: Int
  let modified: Date

  init(path: String, name: String? = nil) throws {
    self.name = name
    let url = URL(filePath: path).standardizedFileURL
    self.path = url.path
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path)
    // A link that can't be followed is found itself, or nothing is.
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
    let type = attributes?[.type] as? FileAttributeType
    if isLink, type == nil || type == .typeSymbolicLink {
      throw ImportError.brokenLink(path: name ?? path)
    }
    guard let attributes else { throw ImportError.missing(path: name ?? path) }
    guard type == .typeRegular else { throw ImportError.notAFile(path: name ?? path) }
    size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    modified = attributes[.modificationDate] as? Date ?? .distantPast
  }

  /// What the file is called where something is said of it.
  var title: String { name ?? path }

  /// Names an import of this file after so many of its path that are over.
  ///
  /// Two that ask for the same import at once get one. The version is in it because older code can't go
  /// on with what newer code began.
  func key(after imports: Int) -> String {
    "\(AirportImport.flowVersion)-\(path)-\(size)-\(modified.timeIntervalSince1970)-\(imports)"
  }
}

extension ImportSource {
  /// Says to other processes that somebody waits for the import of the file, as long as what is given
  /// back is kept; several may.
  ///
  /// While an import waits for its parts no process has it. One that imports another file gives an
  /// unfinished import up, and must tell one that was stopped from one that is between two parts. The hold
  /// is a lock on the file itself, which ends with the process however that ends. A file that can't be
  /// opened is not held.
  func hold() -> OpenFile? {
    let file = try? OpenFile(path, O_RDONLY)
    try? file?.share()
    return file
  }

  /// Whether anybody holds the file.
  var isHeld: Bool { (try? OpenFile(path, O_RDONLY).lock()) == false }
}
