#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension StatefulViewController {
    /// What the views of a screen say where they are not replaced.
    public struct Texts: Sendable, Hashable {
      /// The title of the initial view.
      public var initial: String
      /// The message of the initial view; empty for none.
      public var initialMessage: String
      /// What the button of the initial view says, which loads.
      public var initialButton: String
      /// What the loading view says.
      public var loading: String
      /// The title of the view without results.
      public var noResults: String
      /// The message of the view without results; empty for none.
      public var noResultsMessage: String
      /// What stands before an error.
      public var retry: String
      /// What the buttons say that try again.
      public var retryButton: String
      /// What lies over the values while they are refreshed.
      public var refreshing: String

      /// Makes the texts of some words; those of the process unless given.
      public init(_ words: ScreenTexts = .current) {
        initial = words.initial
        initialMessage = ""
        initialButton = words.load
        loading = words.loading
        noResults = words.noResults
        noResultsMessage = ""
        retry = words.failure
        retryButton = words.tryAgain
        refreshing = words.refreshing
      }

      /// What is said of an error where there is room for one text only.
      func sentence(for error: any Error) -> String { "\(retry) \(error.localizedDescription)" }
    }
  }
#endif
