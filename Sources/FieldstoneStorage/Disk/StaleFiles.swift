/// The temporary files that writers left behind which were killed.
enum StaleFiles {
  /// Removes them, unless a writer is at work just now.
  ///
  /// Every writer holds the lock for as long as it has temporary files; so while we hold it, each
  /// that is there has no live writer. Where no lock file is, there was no writer.
  static func sweep(beside place: FilePlace, with calls: SystemCalls) throws(FileStoreError) {
    guard let folder = try OpenFolder.open(place.folder, with: calls) else { return }
    defer { folder.close() }
    let names = FileNames(of: place.name)
    guard let lock = try FileLock.tryOnce(names.lock, in: folder, mode: nil) else { return }
    defer { try? calls.close(lock.file) }
    let listed = try at(.folder, place.folder) { () throws(SystemError) in
      try calls.list(place.folder)
    }
    for name in listed where names.isTemporary(name) {
      guard let status = try folder.status(of: name), status.kind == .file else { continue }
      folder.removeIfPossible(name)
    }
  }
}
