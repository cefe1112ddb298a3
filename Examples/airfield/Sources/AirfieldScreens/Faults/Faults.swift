/// What is made to go wrong, so that every state of a screen can be seen.
public struct Faults: Sendable, Equatable {
  /// How long each answer is held back.
  public var latency: Duration = .zero

  /// Whether the next pages of lists fail.
  public var failsNextPage = false

  /// Whether saving fails.
  public var failsSave = false

  /// Whether searches find nothing.
  public var findsNothing = false

  /// Whether nothing can be reached.
  public var isOffline = false

  /// Makes none.
  public init() {}

  /// Whether anything is made to go wrong.
  public var isAny: Bool { self != Faults() }
}
