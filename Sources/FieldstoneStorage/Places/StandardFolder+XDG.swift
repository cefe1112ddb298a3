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
