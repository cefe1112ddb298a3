import Fieldstone
import Synchronization

/// The faults as work off the main actor reads them.
public final class FaultSwitches: Sendable {
  private let state = Mutex(Faults())

  /// Makes switches that are all off.
  public init() {}

  /// What is switched on.
  public var faults: Faults {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension FaultSwitches {
  /// Waits as long as answers are held back.
  func holdBack(by time: TimeSource) async throws {
    let latency = faults.latency
    if latency > .zero { try await time.sleep(for: latency) }
  }

  /// Waits as long as answers are held back, and then reaches the directory, unless offline.
  func reach(by time: TimeSource) async throws {
    try await holdBack(by: time)
    if faults.isOffline { throw FaultError.offline }
  }
}
