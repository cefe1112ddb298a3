#if canImport(SwiftUI)
  public import SwiftUI

  /// That something is on its way, in words.
  public struct ScreenProgress: View {
    private let title: LocalizedStringKey

    /// Makes a progress view of unknown length.
    ///
    /// - Parameter title: what is under way.
    public init(_ title: LocalizedStringKey = "Loading…") {
      self.title = title
    }

    /// The progress view.
    public var body: some View {
      ProgressView(title)
        .accessibilityAddTraits(.updatesFrequently)
    }
  }
#endif
