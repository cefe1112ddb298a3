// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content {
    content
  }

  public static func buildBlock() -> EmptyView { EmptyView() }

  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    var views: [any View] = []
    for view in repeat each content { views.append(view) }
    return TupleView((repeat each content), views: views)
  }

  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  public static func buildEither<True: View, False: View>(
    first: True
  ) -> _ConditionalContent<True, False> {
    _ConditionalContent(storage: .first(first))
  }

  public static func buildEither<True: View, False: View>(
    second: False
  ) -> _ConditionalContent<True, False> {
    _ConditionalContent(storage: .second(second))
  }
}

nonisolated public struct TupleView<T>: View, Leaf {
  public let value: T
  private let views: [any View]

  init(_ value: T, views: [any View]) {
    self.value = value
    self.views = views
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    views.enumerated().flatMap { index, view in view._nodes(site.step("\(index)")) }
  }
}

nonisolated public struct _ConditionalContent<First: View, Second: View>: View, Leaf {
  enum Storage {
    case first(First)
    case second(Second)
  }

  let storage: Storage

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    switch storage {
    case .first(let view): view._nodes(site.step("first"))
    case .second(let view): view._nodes(site.step("second"))
    }
  }
}

nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View,
  Leaf
{
  public let data: Data
  public let content: (Data.Element) -> Content
  private let id: KeyPath<Data.Element, ID>

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
    self.id = id
  }

  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    data.flatMap { element in
      content(element)._nodes(site.step("[\(element[keyPath: id])]"))
    }
  }
}
