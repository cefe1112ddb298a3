// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum VerticalEdge: Int8, CaseIterable, Sendable {
  case top
  case bottom
}

public enum Edge: Int8, CaseIterable, Sendable {
  case top, leading, bottom, trailing

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let top = Set(rawValue: 1)
    public static let leading = Set(rawValue: 2)
    public static let bottom = Set(rawValue: 4)
    public static let trailing = Set(rawValue: 8)
    public static let all: Set = [.top, .leading, .bottom, .trailing]
    public static let horizontal: Set = [.leading, .trailing]
    public static let vertical: Set = [.top, .bottom]
  }
}

extension View {
  nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    self
  }

  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View { self }

  nonisolated public func safeAreaInset<V: View>(
    edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> V
  ) -> some View {
    altered(by: content()) { site, content, inset in
      let nodes = content._nodes(site.step("content"))
      let insets = inset._nodes(site.step("inset"))
      return edge == .top ? insets + nodes : nodes + insets
    }
  }

  nonisolated public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View {
    noted(limit) { $0.modifiers["lineLimit"] = "\($1.lowerBound)..." }
  }

  nonisolated public func opacity(_ opacity: Double) -> some View { self }

  nonisolated public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View {
    noted(limit) { $0.modifiers["lineLimit"] = "\($1)" }
  }
}

extension View {
  nonisolated public func padding(_ length: CGFloat) -> some View { self }
}
