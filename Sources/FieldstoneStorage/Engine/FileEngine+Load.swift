import FieldstoneCore
import Foundation

extension FileEngine {
  func load() async -> FileContents<Value> {
    var found = look()
    if case .corrupt(let file) = found.contents, file.setAside == nil {
      found = await setAside(found)
    }
    take(found)
    return found.contents
  }

  /// Checks for a change by another writer, without moving files.
  func check() {
    let found: Found<Value>
    if let known {
      // The value is decoded only after a change.
      guard let news = lookForNews(since: known) else { return }
      found = news
    } else {
      found = look()
    }
    take(found)
  }

  /// Reads the file without changing anything.
  func look() -> Found<Value> {
    do throws(FileStoreError) {
      let place = try currentPlace()
      guard let reading = try read(place) else {
        return try found(nothingAt: place)
      }
      return found(reading, at: place)
    } catch {
      return found(failing: error)
    }
  }

  private func lookForNews(since known: Known) -> Found<Value>? {
    let place: FilePlace
    let reading: FileReading?
    do throws(FileStoreError) {
      place = try currentPlace()
      reading = try read(place)
    } catch {
      let found = found(failing: error)
      return found.known.digest == known.digest ? nil : found
    }
    guard let reading else {
      let found = look()
      return found.known.digest == known.digest ? nil : found
    }
    if ContentDigest(reading.bytes) == known.digest { return nil }
    return found(reading, at: place)
  }

  func found(_ reading: FileReading, at place: FilePlace) -> Found<Value> {
    let (contents, schema) = format.decode(reading.bytes, path: place.path)
    let refusal = refusal(of: contents, path: place.path)
    let known = Known(
      digest: ContentDigest(reading.bytes), refusal: refusal, schema: schema)
    return Found(contents: contents, known: known, reading: reading)
  }

  /// The result if the file is missing; a corrupt file may wait beside its place.
  func found(nothingAt place: FilePlace) throws(FileStoreError) -> Found<Value> {
    let name = FileNames(of: place.name).setAside
    let isSetAside: Bool
    if let folder = try OpenFolder.open(place.folder, with: calls) {
      defer { folder.close() }
      isSetAside = try folder.hasFile(name)
    } else {
      isSetAside = false
    }
    let digest = ContentDigest.missing(isSetAside: isSetAside)
    guard isSetAside else {
      return Found(contents: .missing, known: Known(digest: digest))
    }
    let reason = FileStoreError(.corrupt, path: place.pathBeside(name))
    let file = CorruptFile(
      reason: reason, setAside: URL(filePath: place.pathBeside(name), directoryHint: .notDirectory))
    return Found(contents: .corrupt(file), known: Known(digest: digest, refusal: reason))
  }

  private func found(failing error: FileStoreError) -> Found<Value> {
    let digest = ContentDigest.unreadable(error.code, errorNumber: error.errorNumber)
    return Found(contents: .unreadable(error), known: Known(digest: digest, refusal: error))
  }

  private func refusal(of contents: FileContents<Value>, path: String) -> FileStoreError? {
    switch contents {
    case .missing, .value: nil
    case .corrupt(let file): file.reason
    case .unreadable(let error): error
    case .newer(let schema): FileStoreError(.newer(schema: schema), path: path)
    }
  }

  /// Moves a corrupt file beside its place, unless it has changed meanwhile.
  private func setAside(_ found: Found<Value>) async -> Found<Value> {
    // A file that can't be moved stays in place, and saves still throw.
    guard let held = try? await acquire(makingFolder: false) else { return found }
    defer { held.release() }
    var again = look()
    guard case .corrupt(let file) = again.contents, file.setAside == nil else { return again }
    do {
      let name = held.names.setAside
      // The last one waits: it is the file that is reported. Under a folder's name none can wait, so
      // the file stays in place, where saves are refused, too.
      if try held.folder.hasFile(name) { try keep(name, as: .corrupt, in: held) }
      guard try held.folder.status(of: name) == nil else { return again }
      try held.move(held.place.name, to: name, durability: options.durability)
      let path = held.place.pathBeside(name)
      let reason = FileStoreError(
        .corrupt, path: path, underlying: file.reason.underlyingErrors)
      again.contents = .corrupt(
        CorruptFile(reason: reason, setAside: URL(filePath: path, directoryHint: .notDirectory)))
      again.known = Known(digest: .missing(isSetAside: true), refusal: reason)
      return again
    } catch {
      return again
    }
  }
}

extension FileEngine {
  func resolve(_ resolution: FileResolution) async throws -> FileContents<Value> {
    switch resolution {
    case .startOver: try await startOver()
    case .tryAgain: try await putBack()
    }
    return await load()
  }

  /// Whether the file exists, even if it can't be read or was set aside.
  func exists() throws(FileStoreError) -> Bool {
    let place = try currentPlace()
    guard let folder = try OpenFolder.open(place.folder, with: calls) else { return false }
    defer { folder.close() }
    if try folder.status(of: place.name) != nil { return true }
    return try folder.hasFile(FileNames(of: place.name).setAside)
  }

  private func startOver() async throws {
    guard let held = try await acquireIfThere() else { return }
    defer { held.release() }
    let names = held.names
    let kind: FileNames.Kept? =
      switch look().contents {
      case .missing, .value: nil
      case .corrupt: .corrupt
      case .unreadable: .unreadable
      case .newer: .newer
      }
    if let kind, try held.folder.status(of: held.place.name) != nil {
      try keep(held.place.name, as: kind, in: held)
    }
    if try held.folder.hasFile(names.setAside) {
      try keep(names.setAside, as: .corrupt, in: held)
    }
    if try held.folder.status(of: held.place.name) == nil { noteMissing(by: .here) }
  }

  private func putBack() async throws {
    guard let held = try await acquireIfThere() else { return }
    defer { held.release() }
    // A file that is in place meanwhile stays there.
    guard try held.folder.hasFile(held.names.setAside),
      try held.folder.status(of: held.place.name) == nil
    else { return }
    try held.move(held.names.setAside, to: held.place.name, durability: options.durability)
  }

  func keep(
    _ name: String, as kind: FileNames.Kept, in held: HeldFile
  ) throws(FileStoreError) {
    let kept = try held.freeName { held.names.kept(kind, number: $0) }
    try held.move(name, to: kept, durability: options.durability)
  }

  /// Takes the lock; nil if the folder is missing.
  func acquireIfThere() async throws -> HeldFile? {
    do {
      return try await acquire(makingFolder: false)
    } catch let error as FileStoreError where error.code == .missing {
      return nil
    }
  }
}
