import FieldstoneCore
import Foundation

extension FileEngine {
  func resolve(_ resolution: FileResolution) async throws -> FileContents<Value> {
    switch resolution {
    case .startOver: try await startOver()
    case .tryAgain: try await putBack()
    }
    return await load()
  }

  /// Whether there is a file; one that can't be read is there, too.
  func exists() throws(FileStoreError) -> Bool {
    let place = try currentPlace()
    guard let folder = try OpenFolder.open(place.folder, with: calls) else { return false }
    defer { folder.close() }
    return try folder.status(of: place.name) != nil
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
  }

  private func putBack() async throws {
    guard let held = try await acquireIfThere() else { return }
    defer { held.release() }
    // What is in the place by now stays there.
    guard try held.folder.hasFile(held.names.setAside),
      try held.folder.status(of: held.place.name) == nil
    else { return }
    try held.move(held.names.setAside, to: held.place.name, durability: options.durability)
  }

  private func keep(
    _ name: String, as kind: FileNames.Kept, in held: HeldFile
  ) throws(FileStoreError) {
    let kept = try held.freeName { held.names.kept(kind, number: $0) }
    try held.move(name, to: kept, durability: options.durability)
  }

  private func acquireIfThere() async throws -> HeldFile? {
    do {
      return try await acquire(makingFolder: false)
    } catch let error as FileStoreError where error.code == .missing {
      return nil
    }
  }
}
