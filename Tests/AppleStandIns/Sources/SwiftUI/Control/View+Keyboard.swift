// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension View {
    nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View {
      noted(type) { $0.modifiers["keyboardType"] = "\($1)" }
    }

    nonisolated public func textContentType(_ textContentType: UITextContentType?) -> some View {
      noted(textContentType) { $0.modifiers["textContentType"] = $1?.rawValue }
    }
  }
#endif
