// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// There only in the check `platforms`, which puts this in the place of the macro `#Preview`.
#if canImport(DeveloperToolsSupport)
  @_exported public import DeveloperToolsSupport

  extension Preview {
    @MainActor
    public init(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) {
      self.init()
    }
  }
#endif
