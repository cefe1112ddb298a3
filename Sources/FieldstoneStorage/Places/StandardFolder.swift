public import Foundation

/// The system's folders for the files of a program.
///
/// | folder | Apple platforms | Linux (XDG variable, default) |
/// | --- | --- | --- |
/// | ``documents`` | Documents | `XDG_DOCUMENTS_DIR`, `Documents` in the home |
/// | ``applicationSupport`` | Library/Application Support | `XDG_DATA_HOME`, `.local/share` |
/// | ``configuration`` | Library/Application Support | `XDG_CONFIG_HOME`, `.config` |
/// | ``state`` | Library/Application Support | `XDG_STATE_HOME`, `.local/state` |
/// | ``caches`` | Library/Caches | `XDG_CACHE_HOME`, `.cache` |
/// | ``temporary`` | the temporary folder | `TMPDIR`, the system's |
///
/// tvOS has only ``caches`` and ``temporary``: an app can keep no other files there.
public enum StandardFolder: Sendable, Hashable, CaseIterable {
  #if !os(tvOS)
    /// The user's documents.
    case documents
    /// Files that the program must keep.
    case applicationSupport
    /// The user's settings.
    case configuration
    /// Files that the program keeps between runs, without backups.
    ///
    /// A store in this folder excludes its file from the backups of Apple's systems.
    case state
  #endif
  /// Files that can be made again; the system may remove them.
  case caches
  /// Files that may be gone at the next start.
  case temporary

  /// The URL of the folder, or of a program's own folder in it; it need not exist.
  ///
  /// - Parameter application: the name of the program's folder, such as its bundle identifier. Nil
  ///   gives the folder itself, for example in a sandbox, where each program has its own.
  /// - Throws: ``FileStoreError/Code/noStandardFolder`` if the system has no such folder;
  ///   ``FileStoreError/Code/notAFile`` if the name is empty, begins with a slash, or contains `..`
  ///   as a part or a NUL character.
  public func url(application: String? = nil) throws(FileStoreError) -> URL {
    let folder = try systemURL()
    guard let application else { return folder }
    return try folder.appending(name: application, directoryHint: .isDirectory)
  }

  /// Whether backups exclude files in the folder.
  package var isLeftOutOfBackups: Bool {
    #if os(tvOS)
      false
    #else
      self == .state
    #endif
  }

  private func systemURL() throws(FileStoreError) -> URL {
    #if canImport(Darwin)
      let directory: FileManager.SearchPathDirectory? =
        switch self {
        #if !os(tvOS)
          case .documents: .documentDirectory
          case .applicationSupport, .configuration, .state: .applicationSupportDirectory
        #endif
        case .caches: .cachesDirectory
        case .temporary: nil
        }
      guard let directory else { return FileManager.default.temporaryDirectory }
      guard let url = FileManager.default.urls(for: directory, in: .userDomainMask).first else {
        throw FileStoreError(.noStandardFolder, path: "\(self)")
      }
      return url
    #else
      let path = baseDirectory(in: ProcessInfo.processInfo.environment)
      if let path { return URL(filePath: path, directoryHint: .isDirectory) }
      if self == .temporary { return FileManager.default.temporaryDirectory }
      throw FileStoreError(.noStandardFolder, path: "\(self)")
    #endif
  }
}

extension URL {
  /// The URL of a file or a folder within this folder, at any depth.
  fileprivate func appending(
    name: String, directoryHint: DirectoryHint
  ) throws(FileStoreError) -> URL {
    guard !name.isAbsolutePath, !name.pathParts.contains(".."),
      FilePlace(path: "/" + name) != nil
    else { throw FileStoreError(.notAFile, at: .name, path: name) }
    return appending(path: name, directoryHint: directoryHint)
  }
}

extension FileStore {
  /// Makes a store for a file in one of the system's folders.
  ///
  /// - Parameters:
  ///   - name: the name of the file, or a path within the folder.
  ///   - folder: the folder.
  ///   - application: the name of the program's own folder within it.
  ///   - codec: the format of the value; JSON by default.
  ///   - schema: the version of the content, with a checksum; none by default.
  ///   - options: the options of the store. In ``StandardFolder/state`` backups always exclude the
  ///     file.
  /// - Throws: ``FileStoreError/Code/noStandardFolder`` if the system has no such folder;
  ///   ``FileStoreError/Code/notAFile`` if a name is empty, begins with a slash, or contains `..` as
  ///   a part or a NUL character.
  public convenience init(
    _ name: String, in folder: StandardFolder, application: String? = nil,
    as codec: FileCodec<Value> = .json, schema: FileSchema? = nil,
    options: FileStoreOptions = FileStoreOptions()
  ) throws(FileStoreError) {
    var options = options
    if folder.isLeftOutOfBackups { options.isExcludedFromBackup = true }
    let folder = try folder.url(application: application)
    self.init(
      at: try folder.appending(name: name, directoryHint: .notDirectory), as: codec,
      schema: schema, options: options)
  }
}

#if !os(tvOS)
  extension StandardFolder {
    /// The folder by the XDG base directory specification; nil if the environment has none.
    ///
    /// As in the specification, a relative path counts as unset.
    func baseDirectory(in environment: [String: String]) -> String? {
      if let path = environment[variable], path.isAbsolutePath { return path }
      guard let place = placeInHome, let home = environment["HOME"], home.isAbsolutePath else {
        return nil
      }
      return (home == "/" ? "" : home) + "/" + place
    }

    private var variable: String {
      switch self {
      case .documents: "XDG_DOCUMENTS_DIR"
      case .applicationSupport: "XDG_DATA_HOME"
      case .configuration: "XDG_CONFIG_HOME"
      case .state: "XDG_STATE_HOME"
      case .caches: "XDG_CACHE_HOME"
      case .temporary: "TMPDIR"
      }
    }

    private var placeInHome: String? {
      switch self {
      case .documents: "Documents"
      case .applicationSupport: ".local/share"
      case .configuration: ".config"
      case .state: ".local/state"
      case .caches: ".cache"
      case .temporary: nil
      }
    }
  }
#endif
