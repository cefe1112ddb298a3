public import Foundation

/// The folders that a system has for the files of a program.
///
/// | folder | Apple platforms | Linux (XDG, with what it is unless set) |
/// | --- | --- | --- |
/// | ``documents`` | Documents | `XDG_DOCUMENTS_DIR`, `Documents` in the home |
/// | ``applicationSupport`` | Library/Application Support | `XDG_DATA_HOME`, `.local/share` |
/// | ``configuration`` | Library/Application Support | `XDG_CONFIG_HOME`, `.config` |
/// | ``state`` | Library/Application Support | `XDG_STATE_HOME`, `.local/state` |
/// | ``caches`` | Library/Caches | `XDG_CACHE_HOME`, `.cache` |
/// | ``temporary`` | the temporary folder | `TMPDIR`, the system's |
///
/// On tvOS only ``caches`` and ``temporary`` are there: an app can keep nothing else in files.
public enum StandardFolder: String, Sendable, Hashable, CaseIterable {
  #if !os(tvOS)
    /// What the user made and looks for.
    case documents
    /// What the program needs to keep.
    case applicationSupport
    /// What the user has set.
    case configuration
    /// What is worth keeping from run to run and is not worth a backup.
    ///
    /// A store in it leaves its file out of the backups of Apple's systems.
    case state
  #endif
  /// What can be made again, and may be removed by the system.
  case caches
  /// What may be gone with the next start.
  case temporary

  /// The folder, or a program's own within it; it need not exist.
  ///
  /// - Parameter application: the name of the program's folder, as its bundle identifier; without
  ///   one it is the folder that all programs share, which is right where each has its own anyway.
  /// - Throws: ``FileStoreError/Code/noStandardFolder`` where the system names none.
  public func url(application: String? = nil) throws(FileStoreError) -> URL {
    var folder = try systemURL()
    if let application { folder.append(path: application, directoryHint: .isDirectory) }
    return folder
  }

  /// Whether what is in it is not worth a backup.
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
        throw FileStoreError(.noStandardFolder, path: rawValue)
      }
      return url
    #else
      let path = baseDirectory(in: ProcessInfo.processInfo.environment)
      if let path { return URL(filePath: path, directoryHint: .isDirectory) }
      if self == .temporary { return FileManager.default.temporaryDirectory }
      throw FileStoreError(.noStandardFolder, path: rawValue)
    #endif
  }
}

extension FileStore {
  /// Makes a store for a file in one of the system's folders.
  ///
  /// - Parameters:
  ///   - name: the name of the file, or a path within the folder.
  ///   - folder: the folder.
  ///   - application: the name of the program's own folder within it.
  ///   - codec: how the value is written.
  ///   - schema: the version of what is written, with a checksum; none unless given.
  ///   - options: how the store writes; in ``StandardFolder/state`` it leaves the file out of
  ///     backups in any case.
  /// - Throws: ``FileStoreError/Code/noStandardFolder`` where the system names none.
  public convenience init(
    _ name: String, in folder: StandardFolder, application: String? = nil,
    as codec: FileCodec<Value> = .json, schema: FileSchema? = nil,
    options: FileStoreOptions = FileStoreOptions()
  ) throws(FileStoreError) {
    var options = options
    if folder.isLeftOutOfBackups { options.isExcludedFromBackup = true }
    let folder = try folder.url(application: application)
    self.init(
      at: folder.appending(path: name, directoryHint: .notDirectory), as: codec, schema: schema,
      options: options)
  }
}

#if !os(tvOS)
  extension StandardFolder {
    /// The folder by the XDG base directory specification; nil where the environment does not tell.
    ///
    /// A path that is not whole counts as not set, as the specification has it.
    func baseDirectory(in environment: [String: String]) -> String? {
      if let path = environment[variable], path.hasPrefix("/") { return path }
      guard let place = placeInHome, let home = environment["HOME"], home.hasPrefix("/") else {
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
