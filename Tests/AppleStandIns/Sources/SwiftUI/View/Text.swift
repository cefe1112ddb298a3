// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stand-in: it is its own translation.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  let key: String
  public init(_ value: String) { key = value }
  public init(stringLiteral value: String) { key = value }
}

public struct Text: Equatable, Sendable {
  let content: String

  public init(verbatim content: String) { self.content = content }

  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) {
    content = key.key
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) { self.content = String(content) }
}

extension Text: View, Leaf {
  public typealias Body = Never
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { [site.node("Text", content)] }
}

nonisolated public struct Image: View, Leaf, Equatable {
  let name: String
  public init(systemName: String) { name = systemName }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Image")
    node.modifiers["systemName"] = name
    return [node]
  }
}

nonisolated public struct Label<Title: View, Icon: View>: View, Leaf {
  let title: Title
  let icon: Icon
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    self.title = title()
    self.icon = icon()
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Label")
    node.children = title._nodes(site.step("title")) + icon._nodes(site.step("icon"))
    return [node]
  }
}

extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init {
      Text(titleKey)
    } icon: {
      Image(systemName: name)
    }
  }

  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {
    self.init {
      Text(verbatim: String(title))
    } icon: {
      Image(systemName: name)
    }
  }
}

nonisolated public struct ContentUnavailableView<Label: View, Description: View, Actions: View>:
  View, Leaf
{
  let label: Label
  let description: Description
  let actions: Actions

  public init(
    @ViewBuilder label: () -> Label,
    @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {
    self.label = label()
    self.description = description()
    self.actions = actions()
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("ContentUnavailableView")
    node.children =
      label._nodes(site.step("label")) + description._nodes(site.step("description"))
      + actions._nodes(site.step("actions"))
    return [node]
  }
}
