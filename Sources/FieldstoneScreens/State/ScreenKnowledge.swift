import FieldstoneCore
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

  /// What a list tells.
  ///
  /// It is loaded, or known to be empty, once a page has come. Its edges count only as long as there
  /// are no items: then the first page may have been asked for there.
  @MainActor
  public init<Item, Cursor>(_ list: PaginatedList<Item, Cursor>) {
    let refresh = list.refreshState
    guard list.items.isEmpty else {
      self.init(content: .some, isLoading: refresh.isLoading, error: refresh.error)
      return
    }
    let edges = [list.appendState, list.prependState]
    self.init(
      content: list.hasLoaded ? .empty : .unknown,
      isLoading: refresh.isLoading || edges.contains(where: \.isLoading),
      error: refresh.error ?? edges.lazy.compactMap(\.error).first)
  }
}

extension ScreenKnowledge {
  /// Takes how a load ended; one that was cancelled leaves what is known as it was.
  mutating func end(with outcome: Outcome<Content>) {
    isLoading = false
    switch outcome {
    case .success(let content):
      self.content = content
      error = nil
    case .failure(let error): self.error = error
    case .cancelled: break
    }
  }
}
