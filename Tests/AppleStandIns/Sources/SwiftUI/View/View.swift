// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stand-in for SwiftUI's view; what begins with an underscore is ours, and Apple's has no such
/// thing.
///
/// As of Apple's, bodies are on the main actor, while views and modifiers can be made anywhere.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }

  /// What there is to see, for the host.
  func _nodes(_ site: Site) -> [ViewNode]
}

extension View {
  public func _nodes(_ site: Site) -> [ViewNode] {
    site.connect(self)
    return body._nodes(site.step("\(Body.self)"))
  }
}

extension Never: View {
  public var body: Never { fatalError("Never has no body.") }
}

/// A view that the host knows by itself.
@MainActor
protocol Leaf: View where Body == Never {}

extension Leaf {
  public var body: Never { fatalError("A leaf has no body.") }
}

nonisolated public struct EmptyView: View, Leaf {
  public init() {}
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { [] }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
  public var body: Never { fatalError("An optional view has no body.") }
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] {
    self?._nodes(site.step("some")) ?? []
  }
}

/// A view made from another one, and what its modifier was given.
nonisolated struct Altered<Content: View, Given>: View, Leaf {
  let content: Content
  let given: Given
  let alter: @MainActor (Site, Content, Given) -> [ViewNode]

  @MainActor func _nodes(_ site: Site) -> [ViewNode] { alter(site.step("m"), content, given) }
}

extension View {
  /// Changes what is to be seen of a view.
  nonisolated func altered<Given>(
    by given: Given, _ alter: @escaping @MainActor (Site, Self, Given) -> [ViewNode]
  ) -> Altered<Self, Given> {
    Altered(content: self, given: given, alter: alter)
  }

  /// Notes a modifier at each node of a view.
  nonisolated func noted<Given>(
    _ given: Given, _ change: @escaping @MainActor (ViewNode, Given) -> Void
  ) -> Altered<Self, Given> {
    altered(by: given) { site, content, given in
      let nodes = content._nodes(site)
      for node in nodes { change(node, given) }
      return nodes
    }
  }
}
