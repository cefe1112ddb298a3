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
