#if canImport(SwiftUI)
  import SwiftUI

  extension View {
    /// Puts a bar above the keyboard, where there is one on the screen.
    func keyboardBar<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
      #if os(tvOS) || os(watchOS) || os(macOS)
        self
      #else
        toolbar { ToolbarItemGroup(placement: .keyboard, content: content) }
      #endif
    }

    /// Puts the keyboard away when what is under it is scrolled, as people are used to.
    func putsKeyboardAwayByScrolling() -> some View {
      #if os(visionOS)
        self
      #else
        scrollDismissesKeyboard(.interactively)
      #endif
    }

    /// Ends editing at a tap that no control takes.
    func putsKeyboardAway(if isThere: Bool, _ end: @escaping () -> Void) -> some View {
      contentShape(Rectangle())
        // Without a keyboard there is nothing to be tapped away, and no gesture in the way.
        .gesture(TapGesture().onEnded { end() }, including: isThere ? .all : .subviews)
    }
  }
#endif
