import AirfieldDirectory
import Fieldstone

/// The nightly export with faults that somebody has switched on.
///
/// An export that is under way goes on all the same: only the pages can't reach it.
struct FaultyExports: NightlyExporting {
  let base: any NightlyExporting
  let faults: FaultSwitches
  let time: TimeSource

  func changes() -> AsyncStream<Void> { base.changes() }

  func status() async throws -> NightlyStatus? {
    try await faults.reach(by: time)
    return try await base.status()
  }

  func pause() async throws {
    try await faults.reach(by: time)
    try await base.pause()
  }

  func resume() async throws {
    try await faults.reach(by: time)
    try await base.resume()
  }

  func runNow() async throws {
    try await faults.reach(by: time)
    try await base.runNow()
  }

  func cancel() async throws {
    try await faults.reach(by: time)
    try await base.cancel()
  }
}
