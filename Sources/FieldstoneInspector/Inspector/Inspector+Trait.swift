#if !INSPECTOR
  /// The pages of a journal's runs; available with the trait `Inspector`.
  @available(
    *, unavailable,
    message: "turn on the trait Inspector in Package.swift: .package(…, traits: [\"Inspector\"])"
  )
  public struct Inspector: Sendable {}
#endif
