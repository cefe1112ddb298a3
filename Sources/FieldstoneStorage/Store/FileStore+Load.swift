import Foundation

extension FileStore {
  /// Reads the file.
  ///
  /// It creates no file. A corrupt one is moved to a name beside it, under the lock of all writers,
  /// and stays known as corrupt until ``resolve(_:)``, also to other processes and after a restart;
  /// where it can't be moved it stays in place.
  public func load() async -> FileContents<Value> {
    await perform { await $0.load() }
  }

  /// The value of the file, or a default where there is no file.
  ///
  /// Only a file that is missing has the default taken; it is not written.
  ///
  /// - Throws: an error that says why there is no value, when the file is there and corrupt,
  ///   unreadable or newer.
  public func value(
    default fallback: @autoclosure () -> Value
  ) async throws(FileStoreError) -> Value {
    switch await load() {
    case .missing: return fallback()
    case .value(let value): return value
    case .corrupt(let file): throw file.reason
    case .unreadable(let error): throw error
    case .newer(let schema):
      throw FileStoreError(.newer(schema: schema), path: url.path(percentEncoded: false))
    }
  }

  /// Whether there is a file, of whatever content.
  ///
  /// - Throws: when that can't be known, as when the folder may not be searched.
  public func exists() async throws(FileStoreError) -> Bool {
    try await perform { engine in
      Result<Bool, FileStoreError> { () throws(FileStoreError) in try engine.exists() }
    }.get()
  }

  /// Resolves what keeps saves from being made: a file that is corrupt, unreadable or newer.
  ///
  /// A no-op where nothing is in the way.
  ///
  /// - Returns: what is there now.
  /// - Throws: when a file could not be moved; nothing has changed then.
  @discardableResult
  public func resolve(
    _ resolution: FileResolution
  ) async throws(FileStoreError) -> FileContents<Value> {
    try await attempt { try await $0.resolve(resolution) }
  }

  /// Puts work that may fail into the line and waits for it.
  func attempt<Success: Sendable>(
    _ work: @escaping @Sendable (isolated FileEngine<Value>) async throws -> Success
  ) async throws(FileStoreError) -> Success {
    let result: Result<Success, FileStoreError> = await perform { engine in
      do {
        return .success(try await work(engine))
      } catch {
        return .failure(engine.fileStoreError(error))
      }
    }
    return try result.get()
  }
}
