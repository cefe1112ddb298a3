import FieldstoneCore
public import FieldstoneFields
public import FieldstoneLoading

/// Which of its views a screen shows. (Seed: Mold's stateful view controllers.)
///
/// It is a pure function of what is known: ``init(_:)``.
public enum ScreenState: Sendable {
  /// Nothing was asked for yet; the seed's starting view.
  case initial
  /// The first values are on their way, and nothing is shown yet.
  ///
  /// Only a ``LoadingTiming`` with a delay leads here: until it is over, a screen that has shown
  /// nothing before stays blank.
  case blank
  /// The first values are on their way.
  case loading
  /// There is something to show, and over it, perhaps, that it is being refreshed or could not be.
  case primary(ScreenOverlay)
  /// It was loaded, and there is nothing in it.
  case noResults
  /// There is nothing to show, because of an error; it can be tried again.
  case retry(any Error)

  /// The state for what is known.
  ///
  /// | there is | under way | failed | at rest |
  /// | --- | --- | --- | --- |
  /// | something | `primary(.refreshing)` | `primary(.failed)` | `primary(.none)` |
  /// | nothing in it | `loading` | `retry` | `noResults` |
  /// | nothing known | `loading` | `retry` | `initial` |
  public init(_ known: ScreenKnowledge) {
    switch known.content {
    case .some:
      self = .primary(known.isLoading ? .refreshing : known.error.map { .failed($0) } ?? .none)
    case .empty, .unknown:
      if known.isLoading {
        self = .loading
      } else if let error = known.error {
        self = .retry(error)
      } else {
        self = known.content == .empty ? .noResults : .initial
      }
    }
  }
}

/// What lies over the primary view of a screen.
public enum ScreenOverlay: Sendable {
  /// Nothing.
  case none
  /// That newer values are on their way.
  case refreshing
  /// That newer values could not be loaded; those that are shown stay.
  case failed(any Error)
}

/// The views of a screen, without what they tell: five, and the blank before the first of them.
public enum ScreenView: String, Sendable, Hashable, Codable, CaseIterable {
  /// What is there before anything was asked for.
  case initial
  /// Nothing, as long as the first load is too short to speak of.
  case blank
  /// That the first values are on their way.
  case loading
  /// The values themselves.
  case primary
  /// That there are none.
  case noResults
  /// The error, and a way to try again.
  case retry
}

extension ScreenState {
  /// Which view it shows.
  public var view: ScreenView {
    switch self {
    case .initial: .initial
    case .blank: .blank
    case .loading: .loading
    case .primary: .primary
    case .noResults: .noResults
    case .retry: .retry
    }
  }

  /// The error that it shows, as its view or over it.
  public var error: (any Error)? {
    switch self {
    case .retry(let error), .primary(.failed(let error)): error
    default: nil
    }
  }

  /// Whether something is on its way, whatever is shown meanwhile.
  public var isBusy: Bool {
    switch self {
    case .blank, .loading, .primary(.refreshing): true
    default: false
    }
  }

  /// Whether it is shown in the same way as another; errors are never taken for the same.
  func looksLike(_ other: ScreenState) -> Bool {
    switch (self, other) {
    case (.initial, .initial), (.blank, .blank), (.loading, .loading), (.noResults, .noResults),
      (.primary(.none), .primary(.none)), (.primary(.refreshing), .primary(.refreshing)):
      true
    default: false
    }
  }
}

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

/// What a screen with a form shows, as a pure function of what is known.
public enum FormScreenState: Sendable {
  /// The form is there to be filled in.
  case editing
  /// It is being submitted: fields are shown and can't be submitted again.
  case submitting
  /// It was submitted.
  case submitted
  /// It was not submitted; what is wrong is shown at the fields, and the error besides.
  case failed(any Error)

  /// The state for what a form is doing and how it was submitted last.
  ///
  /// | the form is | failed | otherwise |
  /// | --- | --- | --- |
  /// | edited | `failed` | `editing` |
  /// | validated or sent | `submitting` | `submitting` |
  /// | submitted | `submitted` | `submitted` |
  ///
  /// - Parameters:
  ///   - phase: what the form is doing.
  ///   - error: why the last submit failed; nil once the form was edited.
  public init(_ phase: FormPhase, error: (any Error)? = nil) {
    switch phase {
    case .validating, .submitting: self = .submitting
    case .submitted: self = .submitted
    case .editing: self = error.map { .failed($0) } ?? .editing
    }
  }
}

extension FormScreenState {
  /// Why it was not submitted, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// Whether it is being submitted.
  public var isBusy: Bool {
    if case .submitting = self { true } else { false }
  }
}
