// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What becomes of a preview, for the check `platforms`; SwiftUI says how it is made.

public struct Preview {
  @MainActor public init() {}
}
