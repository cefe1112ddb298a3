// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct SubmitTriggers: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let text = SubmitTriggers(rawValue: 1)
  public static let search = SubmitTriggers(rawValue: 2)
}

public struct SubmitLabel: Sendable {
  let name: String
  public static var done: SubmitLabel { SubmitLabel(name: "done") }
  public static var next: SubmitLabel { SubmitLabel(name: "next") }
  public static var `return`: SubmitLabel { SubmitLabel(name: "return") }
}

extension View {
  nonisolated public func disabled(_ disabled: Bool) -> some View {
    altered(by: disabled) { site, content, disabled in
      var site = site
      if disabled { site.environment.isEnabled = false }
      return content._nodes(site)
    }
  }

  nonisolated public func tag<V: Hashable>(_ tag: V) -> some View {
    noted(tag) { $0.tag = AnyHashable($1) }
  }

  /// As of Apple's, actions that are further out are called, too, unless the scope is blocked.
  nonisolated public func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
  ) -> some View {
    altered(by: action) { site, content, action in
      var site = site
      if triggers.contains(.text) { site.environment.submitActions.insert(action, at: 0) }
      return content._nodes(site)
    }
  }

  nonisolated public func submitScope(_ isBlocking: Bool = true) -> some View {
    altered(by: isBlocking) { site, content, isBlocking in
      var site = site
      if isBlocking { site.environment.submitActions = [] }
      return content._nodes(site)
    }
  }

  nonisolated public func submitLabel(_ submitLabel: SubmitLabel) -> some View {
    noted(submitLabel) { $0.modifiers["submitLabel"] = $1.name }
  }

  nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
    noted(disable) { $0.modifiers["autocorrectionDisabled"] = "\($1)" }
  }
}

@available(macOS, unavailable)
public struct TextInputAutocapitalization: Sendable {
  let name: String
  public static var never: TextInputAutocapitalization { .init(name: "never") }
  public static var sentences: TextInputAutocapitalization { .init(name: "sentences") }
}

extension View {
  @available(macOS, unavailable)
  nonisolated public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View {
    noted(autocapitalization) { $0.modifiers["textInputAutocapitalization"] = $1?.name }
  }
}
