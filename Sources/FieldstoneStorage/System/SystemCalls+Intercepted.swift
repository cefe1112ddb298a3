extension SystemCalls {
  /// The names of the calls.
  package enum Name: String, Sendable, CaseIterable {
    case open, close, read, write, sync, syncFolder, rename, link, remove, makeFolder, status
    case statusOfName, readLink, changeMode, changeOwner, tryLock, list
  }

  /// The same calls, with something that happens before each and may fail in its place.
  package func intercepted(
    by before: @escaping @Sendable (Name) throws(SystemError) -> Void
  ) -> SystemCalls {
    let base = self
    return SystemCalls(
      open: { (folder, name, flags, mode) throws(SystemError) in
        try before(.open)
        return try base.open(folder, name, flags, mode)
      },
      close: { (file) throws(SystemError) in
        // A file is closed in any case, as the system does it.
        do throws(SystemError) {
          try before(.close)
        } catch {
          try? base.close(file)
          throw error
        }
        try base.close(file)
      },
      read: { (file, buffer) throws(SystemError) in
        try before(.read)
        return try base.read(file, buffer)
      },
      write: { (file, bytes) throws(SystemError) in
        try before(.write)
        return try base.write(file, bytes)
      },
      sync: { (file) throws(SystemError) in
        try before(.sync)
        try base.sync(file)
      },
      syncFolder: { (folder) throws(SystemError) in
        try before(.syncFolder)
        try base.syncFolder(folder)
      },
      rename: { (folder, from, to) throws(SystemError) in
        try before(.rename)
        try base.rename(folder, from, to)
      },
      link: { (folder, from, to) throws(SystemError) in
        try before(.link)
        try base.link(folder, from, to)
      },
      remove: { (folder, name) throws(SystemError) in
        try before(.remove)
        try base.remove(folder, name)
      },
      makeFolder: { (path, mode) throws(SystemError) in
        try before(.makeFolder)
        try base.makeFolder(path, mode)
      },
      status: { (file) throws(SystemError) in
        try before(.status)
        return try base.status(file)
      },
      statusOfName: { (folder, name) throws(SystemError) in
        try before(.statusOfName)
        return try base.statusOfName(folder, name)
      },
      readLink: { (path) throws(SystemError) in
        try before(.readLink)
        return try base.readLink(path)
      },
      changeMode: { (file, mode) throws(SystemError) in
        try before(.changeMode)
        try base.changeMode(file, mode)
      },
      changeOwner: { (file, owner, group) throws(SystemError) in
        try before(.changeOwner)
        try base.changeOwner(file, owner, group)
      },
      tryLock: { (file) throws(SystemError) in
        try before(.tryLock)
        try base.tryLock(file)
      },
      list: { (path) throws(SystemError) in
        try before(.list)
        return try base.list(path)
      }, isExcludedFromBackup: base.isExcludedFromBackup,
      excludeFromBackup: base.excludeFromBackup)
  }
}
