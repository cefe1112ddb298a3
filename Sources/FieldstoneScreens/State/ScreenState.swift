public import FieldstoneCore
public import FieldstoneForms
public import FieldstoneLoading

/// The state of a screen, which selects its view. (Seed: Mold's stateful view controllers.)
///
/// It is a pure function of the load status: ``init(_:)``.
public enum ScreenState: Sendable {
  /// No load has started; the seed's starting view.
  case initial
  /// The first load is running, within the delay of the ``LoadingTiming``.
  case blank
  /// The first load is running.
  case loading
  /// The content is shown, with an overlay during a refresh and after one that failed.
  case primary(ScreenOverlay)
  /// The content was loaded and is empty.
  case noResults
  /// The load failed, and there is no content.
  case retry(any Error)

  /// Makes the state for a load status.
  ///
  /// | content | loading | failed | idle |
  /// | --- | --- | --- | --- |
  /// | `some` | `primary(.refreshing)` | `primary(.failed)` | `primary(.none)` |
  /// | `empty` | `loading` | `retry` | `noResults` |
  /// | `unknown` | `loading` | `retry` | `initial` |
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

/// The overlay over the content of a screen.
public enum ScreenOverlay: Sendable {
  /// No overlay.
  case none
  /// The content is being refreshed.
  case refreshing
  /// The refresh failed; the content stays.
  case failed(any Error)
}

/// The views of a screen: five, and the blank one during the delay of a first load.
public enum ScreenView: String, Sendable, Hashable, Codable, CaseIterable {
  /// The view before the first load.
  case initial
  /// An empty view during the delay of a first load.
  case blank
  /// The view during the first load.
  case loading
  /// The content.
  case primary
  /// The view for empty content.
  case noResults
  /// The view of an error, with a way to try again.
  case retry
}

extension ScreenState {
  /// The view of the state.
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

  /// The error of the retry view or of the overlay, otherwise nil.
  public var error: (any Error)? {
    switch self {
    case .retry(let error), .primary(.failed(let error)): error
    default: nil
    }
  }

  /// True while a load or a refresh is running.
  public var isBusy: Bool {
    switch self {
    case .blank, .loading, .primary(.refreshing): true
    default: false
    }
  }

  /// True for a state with the same look; errors never count as equal.
  func looksLike(_ other: ScreenState) -> Bool {
    switch (self, other) {
    case (.initial, .initial), (.blank, .blank), (.loading, .loading), (.noResults, .noResults),
      (.primary(.none), .primary(.none)), (.primary(.refreshing), .primary(.refreshing)):
      true
    default: false
    }
  }
}

/// The load status of a screen's content.
public struct ScreenKnowledge: Sendable {
  /// A kind of content.
  public enum Content: Sendable, Hashable, CaseIterable {
    /// No load has succeeded yet.
    case unknown
    /// The content was loaded and is empty.
    case empty
    /// There is content.
    case some
  }

  /// The kind of the present content.
  public var content: Content

  /// True while a load is running.
  public var isLoading: Bool

  /// The error of the last load, if it failed.
  public var error: (any Error)?

  /// The number of the load that failed with the error, for a source that also changes for other
  /// reasons; nil for others.
  package var failure: Int?

  /// Makes a load status.
  public init(content: Content = .unknown, isLoading: Bool = false, error: (any Error)? = nil) {
    self.content = content
    self.isLoading = isLoading
    self.error = error
  }

  /// Makes the load status of an integrator.
  ///
  /// - Parameters:
  ///   - phase: the phase of the integrator.
  ///   - isEmpty: true for a value without content.
  public init<Value>(_ phase: LoadPhase<Value>, isEmpty: (Value) -> Bool) {
    self.init(
      content: phase.value.map { isEmpty($0) ? .empty : .some } ?? .unknown,
      isLoading: phase.isLoading, error: phase.error)
  }

  /// Makes the load status of a list.
  ///
  /// The content is known after the first page. Loads at the edges count only while there are no
  /// items, as one of them may load the first page.
  @MainActor
  public init<Item, Cursor>(_ list: PaginatedList<Item, Cursor>) {
    let refresh = list.refreshState
    guard list.items.isEmpty else {
      self.init(content: .some, isLoading: refresh.isLoading, error: refresh.error)
      failure = list.refreshFailureLoad
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
  /// Ends a load; a cancelled one changes neither content nor error.
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

/// The state of a screen with a form, a pure function of the form's phase and its last error.
public enum FormScreenState: Sendable {
  /// The form can be edited.
  case editing
  /// The form is being submitted, and can't be submitted again meanwhile.
  case submitting
  /// The form was submitted.
  case submitted
  /// The submit failed; the fields show their issues.
  case failed(any Error)

  /// Makes the state for a form's phase and the error of its last submit.
  ///
  /// | phase | with an error | without |
  /// | --- | --- | --- |
  /// | editing | `failed` | `editing` |
  /// | validating or submitting | `submitting` | `submitting` |
  /// | submitted | `submitted` | `submitted` |
  ///
  /// - Parameters:
  ///   - phase: the phase of the form.
  ///   - error: the error of the last submit; nil once the form was edited.
  public init(_ phase: FormPhase, error: (any Error)? = nil) {
    switch phase {
    case .validating, .submitting: self = .submitting
    case .submitted: self = .submitted
    case .editing: self = error.map { .failed($0) } ?? .editing
    }
  }
}

extension FormScreenState {
  /// The error of the last submit, otherwise nil.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// True while the form is being submitted.
  public var isBusy: Bool {
    if case .submitting = self { true } else { false }
  }
}
