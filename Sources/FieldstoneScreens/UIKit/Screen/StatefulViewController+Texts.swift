#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension StatefulViewController {
    /// What the views of a screen say where they are not replaced.
    public struct Texts: Sendable, Hashable {
      /// The title of the initial view.
      public var initial = "Nothing here yet."
      /// The message of the initial view; empty for none.
      public var initialMessage = ""
      /// What the button of the initial view says, which loads.
      public var initialButton = "Load"
      /// What the loading view says.
      public var loading = "Loading…"
      /// The title of the view without results.
      public var noResults = "No results."
      /// The message of the view without results; empty for none.
      public var noResultsMessage = ""
      /// What stands before an error.
      public var retry = "That did not work."
      /// What the buttons say that try again.
      public var retryButton = "Try again"
      /// What lies over the values while they are refreshed.
      public var refreshing = "Refreshing…"

      /// The texts in English.
      public init() {}

      /// What is said of an error where there is room for one text only.
      func sentence(for error: any Error) -> String { "\(retry) \(error.localizedDescription)" }
    }
  }
#endif
