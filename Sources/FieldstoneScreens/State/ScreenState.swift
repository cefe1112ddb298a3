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
