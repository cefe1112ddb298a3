// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct HorizontalAlignment: Equatable, Sendable {
  let name: String
  public static let leading = HorizontalAlignment(name: "leading")
  public static let center = HorizontalAlignment(name: "center")
  public static let trailing = HorizontalAlignment(name: "trailing")
}

public struct VerticalAlignment: Equatable, Sendable {
  let name: String
  public static let top = VerticalAlignment(name: "top")
  public static let center = VerticalAlignment(name: "center")
  public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
}

public struct Alignment: Equatable, Sendable {
  public var horizontal: HorizontalAlignment
  public var vertical: VerticalAlignment
  public static let center = Alignment(horizontal: .center, vertical: .center)
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
}

nonisolated public struct HStack<Content: View>: View, Leaf {
  let content: Content
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { site.container("HStack", content) }
}

nonisolated public struct VStack<Content: View>: View, Leaf {
  let content: Content
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.content = content()
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { site.container("VStack", content) }
}

nonisolated public struct ZStack<Content: View>: View, Leaf {
  let content: Content
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.content = content()
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { site.container("ZStack", content) }
}

nonisolated public struct Form<Content: View>: View, Leaf {
  let content: Content
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    var site = site
    site.environment.isLazy = true
    return site.container("Form", content)
  }
}

public struct Section<Parent, Content, Footer> {
  let header: Parent
  let content: Content
}

extension Section: View, Leaf where Parent: View, Content: View, Footer: View {
  public typealias Body = Never
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    let node = site.node("Section")
    node.children =
      header._nodes(site.step("header")) + content._nodes(site.step("content"))
    return [node]
  }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
    self.init(header: header(), content: content())
  }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content) {
    self.init(header: EmptyView(), content: content())
  }
}

nonisolated public struct List<SelectionValue: Hashable, Content: View>: View, Leaf {
  let content: Content

  public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, ID, RowContent>, SelectionValue == Never {
    content = ForEach(data, id: id, content: rowContent)
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { site.container("List", content) }
}

public struct ScrollViewProxy {
  let graph: ViewGraph

  @MainActor public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
    graph.scroll(to: AnyHashable(id))
  }
}

public struct UnitPoint: Hashable, Sendable {
  public var x: CGFloat
  public var y: CGFloat
  public static let center = UnitPoint(x: 0.5, y: 0.5)
}

nonisolated public struct ScrollViewReader<Content: View>: View, Leaf {
  public var content: (ScrollViewProxy) -> Content
  public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {
    self.content = content
  }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    content(ScrollViewProxy(graph: site.graph))._nodes(site.step("content"))
  }
}

nonisolated public struct Spacer: View, Leaf {
  public init(minLength: CGFloat? = nil) {}
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { [] }
}
