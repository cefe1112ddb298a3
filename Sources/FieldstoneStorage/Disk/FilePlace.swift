#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file by its folder and its name there.
struct FilePlace: Sendable, Equatable {
  /// The whole path of the folder, without a slash at its end.
  let folder: String
  let name: String

  /// Takes a path apart; nil where it is not whole or names no file.
  init?(path: String) {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    let parts = path.split(separator: "/")
    guard let name = parts.last, name != ".", name != ".." else { return nil }
    self.folder = "/" + parts.dropLast().joined(separator: "/")
    self.name = String(name)
  }

  var path: String { pathBeside(name) }

  /// The path of another name in the same folder.
  func pathBeside(_ name: String) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }
}

extension FilePlace {
  /// How many links lead on before they are taken for a circle, as on Linux.
  private static let mostLinks = 40

  /// Where the content lies, once all symbolic links have been followed.
  func following(
    _ policy: SymbolicLinkPolicy, with calls: SystemCalls
  ) throws(FileStoreError) -> FilePlace {
    if policy == .replace { return self }
    var place = self
    for _ in 0..<Self.mostLinks {
      guard let target = try place.linkTarget(with: calls) else { return place }
      if policy == .refuse { throw FileStoreError(.notAFile, path: path) }
      let path = target.hasPrefix("/") ? target : place.pathBeside(target)
      guard let next = FilePlace(path: path) else {
        throw FileStoreError(.notAFile, path: path)
      }
      place = next
    }
    throw FileStoreError(.find, path, SystemError(ELOOP))
  }

  private func linkTarget(with calls: SystemCalls) throws(FileStoreError) -> String? {
    do throws(SystemError) {
      return try uninterrupted { () throws(SystemError) in try calls.readLink(path) }
    } catch {
      // No link, or nothing there yet. What else may be wrong shows when the file is opened.
      if [EINVAL, ENOENT, ENOTDIR].contains(error.number) { return nil }
      throw FileStoreError(.find, path, error)
    }
  }
}
