// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ToolbarItemPlacement: Equatable, Sendable {
  let name: String
  public static let automatic = ToolbarItemPlacement(name: "automatic")
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  @available(visionOS, unavailable)
  public static let keyboard = ToolbarItemPlacement(name: "keyboard")
}

@MainActor @preconcurrency
public protocol ToolbarContent {
  func _nodes(_ site: Site) -> [ViewNode]
}

@resultBuilder
public struct ToolbarContentBuilder {
  public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { content }
}

nonisolated public struct ToolbarItemGroup<Content: View>: ToolbarContent {
  let placement: ToolbarItemPlacement
  let content: Content

  public init(
    placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
  ) {
    self.placement = placement
    self.content = content()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Toolbar")
    node.modifiers["placement"] = placement.name
    node.children = content._nodes(site.step("content"))
    return [node]
  }
}

extension View {
  nonisolated public func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View {
    altered(by: content()) { site, content, bar in
      content._nodes(site) + bar._nodes(site.step("toolbar"))
    }
  }
}

public struct ScrollDismissesKeyboardMode: Sendable {
  let name: String
  public static var automatic: ScrollDismissesKeyboardMode { .init(name: "automatic") }
  public static var interactively: ScrollDismissesKeyboardMode { .init(name: "interactively") }
}

extension View {
  @available(visionOS, unavailable)
  nonisolated public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View
  {
    noted(mode) { $0.modifiers["scrollDismissesKeyboard"] = $1.name }
  }

  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  nonisolated public func scrollContentBackground(_ visibility: Visibility) -> some View { self }
}

public enum Visibility: Hashable, CaseIterable, Sendable {
  case automatic, visible, hidden
}
