public import FieldstoneLoading

/// What is known of that which a screen shows.
public struct ScreenKnowledge: Sendable {
  /// What there is to show.
  public enum Content: Sendable, Hashable, CaseIterable {
    /// Nothing was loaded yet.
    case unknown
    /// It was loaded, and there is nothing in it.
    case empty
    /// There is something to show.
    case some
  }

  /// What there is to show.
  public var content: Content

  /// Whether something is on its way.
  public var isLoading: Bool

  /// Why the last load failed, if it did.
  public var error: (any Error)?

  /// Makes what is known.
  public init(content: Content = .unknown, isLoading: Bool = false, error: (any Error)? = nil) {
    self.content = content
    self.isLoading = isLoading
    self.error = error
  }

  /// What the phase of an integrator tells.
  ///
  /// - Parameters:
  ///   - phase: where the loading stands.
  ///   - isEmpty: whether there is nothing in a value.
  public init<Value>(_ phase: LoadPhase<Value>, isEmpty: (Value) -> Bool) {
    self.init(
      content: phase.value.map { isEmpty($0) ? .empty : .some } ?? .unknown,
      isLoading: phase.isLoading, error: phase.error)
  }
}
