/// A gate at which tasks wait until the test opens it permanently.
///
/// ```swift
/// let gate = Gate()
/// let provider = { await gate.wait() }
/// let call = Task { await provider() }
/// await gate.arrivals(atLeast: 1)  // the work is under way
/// gate.open()
/// ```
public final class Gate: Sendable {
  private let state = Watched(false)
  /// Apart from the state: an arrival changes nothing for those that wait.
  private let arrivals = Watched(0)

  /// Makes a closed gate.
  public init() {}

  /// Whether the gate is open.
  public var isOpen: Bool { state.value }

  /// The number of tasks that have reached the gate, including those that passed it.
  public var arrivalCount: Int { arrivals.value }

  /// Opens the gate; a no-op if it is open.
  public func open() {
    state.update { $0 = true }
  }

  /// Waits for the gate, even if the task is cancelled.
  public func wait() async {
    arrivals.update { $0 += 1 }
    await state.wait { $0 }
  }

  /// Waits for the gate or for the cancellation of the task.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the gate opens.
  public func waitUnlessCancelled() async throws {
    arrivals.update { $0 += 1 }
    try await state.waitUnlessCancelled { $0 }
  }

  /// Waits until this many tasks have reached the gate, or the task is cancelled.
  public func arrivals(atLeast count: Int) async {
    try? await arrivals.waitUnlessCancelled { $0 >= count }
  }
}
