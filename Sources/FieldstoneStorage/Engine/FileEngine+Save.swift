import FieldstoneCore
import Foundation

extension FileEngine {
  func save(_ value: Value, as data: Data, onConflict policy: FileConflictPolicy?) async throws {
    let held = try await acquire()
    defer { held.release() }
    let reading = try examine(held, policy: policy ?? options.onConflict)
    try replace(with: data, value: value, replacing: reading, in: held)
  }

  func delete() async throws {
    guard let held = try await acquireIfThere() else { return }
    defer { held.release() }
    let names = held.names
    let wasSetAside = try held.folder.hasFile(names.setAside)
    if wasSetAside { try keep(names.setAside, as: .corrupt, in: held) }
    guard let status = try held.folder.status(of: held.place.name) else {
      noteMissing(by: wasSetAside ? .here : .elsewhere)
      return
    }
    let isReplaced = status.kind == .symbolicLink && options.symbolicLinks == .replace
    guard status.kind == .file || isReplaced else {
      throw FileStoreError(.notAFile, path: held.place.path)
    }
    try at(.remove, held.place.path) { () throws(SystemError) in
      try calls.remove(held.folder.file, held.place.name)
    }
    known = Known(digest: .missing(isSetAside: false))
    tell(FileChange(origin: .here, contents: .missing))
    if options.durability == .durable { try held.folder.sync() }
  }

  /// Reads the present file, and throws if it may not be replaced.
  private func examine(
    _ held: HeldFile, policy: FileConflictPolicy
  ) throws(FileStoreError) -> FileReading? {
    let reading = try read(held.place)
    if let reading, let known, known.digest == ContentDigest(reading.bytes) {
      if let refusal = known.refusal { throw refusal }
      return reading
    }
    let found =
      if let reading { found(reading, at: held.place) } else { try found(nothingAt: held.place) }
    let isNews = known.map { $0.digest != found.known.digest } ?? (reading != nil)
    take(found)
    if let refusal = found.known.refusal { throw refusal }
    if isNews, policy == .reload {
      throw FileStoreError(.changedElsewhere, path: held.place.path)
    }
    return reading
  }

  /// The bytes of a value, within the size limit.
  func encode(_ value: Value) throws(FileStoreError) -> Data {
    let path = try place.get().path
    let data = try format.encode(value, path: path)
    guard data.count <= options.sizeLimit else {
      throw FileStoreError(.tooLarge(limit: options.sizeLimit), path: path)
    }
    return data
  }

  /// Writes the data; a file with an older version of the schema is backed up first.
  func replace(
    with data: Data, value: Value, replacing old: FileReading?, in held: HeldFile
  ) throws(FileStoreError) {
    let schema = format.schema?.version
    if let old, let schema, let version = known?.schema, version < schema {
      try keepBackup(of: old, schema: version, in: held)
    }
    try write(data, as: held.place.name, replacing: old?.status, in: held)
    known = Known(digest: ContentDigest(data), schema: schema)
    tell(FileChange(origin: .here, contents: .value(value)))
  }

  private func keepBackup(
    of old: FileReading, schema: Int, in held: HeldFile
  ) throws(FileStoreError) {
    let names = held.names
    var number = 1
    while let status = try held.folder.status(of: names.backup(schema: schema, number: number)) {
      // An earlier, failed save may have made this backup already.
      let name = names.backup(schema: schema, number: number)
      if status.kind == .file, let place = FilePlace(path: held.place.pathBeside(name)),
        try read(place)?.bytes == old.bytes
      {
        return
      }
      number += 1
    }
    try write(
      old.bytes, as: names.backup(schema: schema, number: number), replacing: nil, like: old.status,
      in: held)
  }

  private func write(
    _ data: Data, as name: String, replacing old: FileStatus?, like model: FileStatus? = nil,
    in held: HeldFile
  ) throws(FileStoreError) {
    let write = AtomicWrite(
      folder: held.folder, name: name, names: held.names, lock: held.lock,
      durability: options.durability, ownership: options.ownership,
      isExcludedFromBackup: options.isExcludedFromBackup)
    try write.write(data, isReplacing: old != nil, like: old ?? model)
  }
}

extension FileEngine {
  /// Reads, changes and writes the value under the lock of all writers.
  func update<Result: Sendable>(
    default fallback: (@Sendable () -> Value)?, timeout: Duration?,
    _ change: @Sendable (inout Value) throws -> Result
  ) async throws -> Result {
    let held = try await acquire(within: timeout)
    defer { held.release() }
    let reading = try read(held.place)
    let found =
      if let reading { found(reading, at: held.place) } else { try found(nothingAt: held.place) }
    take(found)
    if let refusal = found.known.refusal { throw refusal }
    guard var value = found.contents.value ?? fallback?() else {
      throw FileStoreError(.missing, path: held.place.path)
    }
    let result = try change(&value)
    let data = try encode(value)
    try replace(with: data, value: value, replacing: reading, in: held)
    return result
  }
}
