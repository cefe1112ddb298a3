/// A file whose lock is held, with the open folder that it is in.
struct HeldFile {
  let place: FilePlace
  let folder: OpenFolder
  let lock: FileLock

  var names: FileNames { FileNames(of: place.name) }

  func release() {
    try? folder.calls.close(lock.file)
    folder.close()
  }

  /// The first name of a row that nothing has.
  func freeName(_ name: (Int) -> String) throws(FileStoreError) -> String {
    var number = 1
    while try folder.status(of: name(number)) != nil { number += 1 }
    return name(number)
  }

  /// Gives a file another name, one that is free; in a durable store it has it for good.
  func move(_ from: String, to: String, durability: FileDurability) throws(FileStoreError) {
    try folder.rename(from, to: to)
    if durability == .durable { try folder.sync() }
  }
}

extension FileEngine {
  /// Takes the lock, and waits while others hold it.
  ///
  /// - Throws: ``FileStoreError``; `CancellationError` when the task is cancelled while it waits.
  func acquire(makingFolder: Bool = true, within limit: Duration? = nil) async throws -> HeldFile {
    let place = try currentPlace()
    let folder =
      makingFolder
      ? try OpenFolder.openOrMake(place.folder, durability: options.durability, with: calls)
      : try OpenFolder.open(place.folder, with: calls)
    guard let folder else { throw FileStoreError(.missing, path: place.path) }
    do {
      let names = FileNames(of: place.name)
      let lock = try await FileLock.take(
        names.lock, in: folder, mode: try lockMode(place, in: folder), for: place.path,
        within: limit ?? options.lockTimeout, time: time)
      return HeldFile(place: place, folder: folder, lock: lock)
    } catch {
      folder.close()
      throw error
    }
  }

  /// A user with the right to write the file may lock it: a new lock file has the rights of the
  /// file.
  private func lockMode(_ place: FilePlace, in folder: OpenFolder) throws -> UInt32 {
    guard let status = try folder.status(of: place.name), status.kind == .file else { return 0o600 }
    return status.mode & 0o666 | 0o600
  }
}
