// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ToolbarItemPlacement: Equatable, Sendable {
  let name: String
  public static let automatic = ToolbarItemPlacement(name: "automatic")
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
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

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
  let placement: ToolbarItemPlacement
  let content: Content

  public init(
    placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
  ) {
    self.placement = placement
    self.content = content()
  }

  public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Toolbar")
    node.modifiers["placement"] = placement.name
    node.children = content._nodes(site.step("content"))
    return [node]
  }
}

extension View {
  public func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View {
    let bar = content()
    return altered { site, content in
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
  public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View {
    noted { $0.modifiers["scrollDismissesKeyboard"] = mode.name }
  }

  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  public func scrollContentBackground(_ visibility: Visibility) -> some View { self }
}

public enum Visibility: Hashable, CaseIterable, Sendable {
  case automatic, visible, hidden
}
