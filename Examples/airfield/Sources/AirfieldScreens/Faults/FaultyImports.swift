import AirfieldDirectory
import Fieldstone

/// Imports with faults that somebody has switched on.
///
/// An import that is under way goes on all the same: it is at work where the data is, and only
/// the pages can't reach it.
struct FaultyImports: AirportImports {
  let base: any AirportImports
  let faults: FaultSwitches
  let time: TimeSource

  var limit: Int { base.limit }

  func receive(name: String) throws -> UploadFile {
    let faults = faults.faults
    if faults.isOffline { throw FaultError.offline }
    // A file that was not kept can't be imported.
    if faults.failsSave { throw FaultError.save }
    return try base.receive(name: name)
  }

  func begin(_ file: UploadedFile) async throws {
    // The file is here; who has gone away meanwhile takes nothing back.
    try? await faults.holdBack(by: time)
    try await base.begin(file)
  }

  func preview(_ file: UploadedFile) async throws -> ImportPreview {
    try await faults.reach(by: time)
    return try await base.preview(file)
  }

  func discard(_ file: UploadedFile) async { await base.discard(file) }

  func changes() -> AsyncStream<Void> { base.changes() }

  func status() async throws -> ImportStatus? {
    try await faults.reach(by: time)
    return try await base.status()
  }

  func cancel() async throws {
    try await faults.reach(by: time)
    try await base.cancel()
  }

  func resume() async throws {
    try await faults.reach(by: time)
    try await base.resume()
  }

  func giveUp() async throws {
    try await faults.reach(by: time)
    try await base.giveUp()
  }

  func rejectsText() async throws -> String? {
    try await faults.reach(by: time)
    return try await base.rejectsText()
  }
}
