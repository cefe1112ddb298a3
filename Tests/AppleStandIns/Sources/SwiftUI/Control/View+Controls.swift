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
  public func disabled(_ disabled: Bool) -> some View {
    altered { site, content in
      var site = site
      if disabled { site.environment.isEnabled = false }
      return content._nodes(site)
    }
  }

  public func tag<V: Hashable>(_ tag: V) -> some View {
    noted { $0.tag = AnyHashable(tag) }
  }

  /// As of Apple's, actions that are further out are called, too, unless the scope is blocked.
  public func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
  ) -> some View {
    altered { site, content in
      var site = site
      if triggers.contains(.text) { site.environment.submitActions.insert(action, at: 0) }
      return content._nodes(site)
    }
  }

  public func submitScope(_ isBlocking: Bool = true) -> some View {
    altered { site, content in
      var site = site
      if isBlocking { site.environment.submitActions = [] }
      return content._nodes(site)
    }
  }

  public func submitLabel(_ submitLabel: SubmitLabel) -> some View {
    noted { $0.modifiers["submitLabel"] = submitLabel.name }
  }

  public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
    noted { $0.modifiers["autocorrectionDisabled"] = "\(disable)" }
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
  public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View {
    noted { $0.modifiers["textInputAutocapitalization"] = autocapitalization?.name }
  }
}
