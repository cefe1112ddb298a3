import FieldstoneCore
import Foundation

extension FileEngine {
  /// Reads, changes and writes while the lock keeps all other writers away.
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
