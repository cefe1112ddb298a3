#if canImport(SwiftUI)
  public import SwiftUI

  /// That something is on its way, in words.
  public struct ScreenProgress: View {
    private let title: Text

    /// Makes a progress view of unknown length.
    ///
    /// - Parameter title: what is under way; the word of ``ScreenTexts`` unless given.
    public init(_ title: LocalizedStringKey? = nil) {
      self.title = title.map { Text($0) } ?? Text(verbatim: ScreenTexts.current.loading)
    }

    init(text: String) {
      title = Text(verbatim: text)
    }

    /// The progress view.
    public var body: some View {
      ProgressView { title }
        .accessibilityAddTraits(.updatesFrequently)
    }
  }
#endif
