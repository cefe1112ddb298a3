// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension View {
    public func keyboardType(_ type: UIKeyboardType) -> some View {
      noted { $0.modifiers["keyboardType"] = "\(type)" }
    }

    public func textContentType(_ textContentType: UITextContentType?) -> some View {
      noted { $0.modifiers["textContentType"] = textContentType?.rawValue }
    }
  }
#endif
