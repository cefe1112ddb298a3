// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stand-in for SwiftUI's view; what begins with an underscore is ours, and Apple's has no such
/// thing.
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

public struct EmptyView: View, Leaf {
  public init() {}
  public func _nodes(_ site: Site) -> [ViewNode] { [] }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
  public var body: Never { fatalError("An optional view has no body.") }
  public func _nodes(_ site: Site) -> [ViewNode] { self?._nodes(site.step("some")) ?? [] }
}

/// A view made from another one.
struct Altered<Content: View>: View, Leaf {
  let content: Content
  let alter: @MainActor (Site, Content) -> [ViewNode]

  func _nodes(_ site: Site) -> [ViewNode] { alter(site.step("m"), content) }
}

extension View {
  /// Changes what is to be seen of a view.
  func altered(_ alter: @escaping @MainActor (Site, Self) -> [ViewNode]) -> Altered<Self> {
    Altered(content: self, alter: alter)
  }

  /// Notes a modifier at each node of a view.
  func noted(_ change: @escaping @MainActor (ViewNode) -> Void) -> Altered<Self> {
    altered { site, content in
      let nodes = content._nodes(site)
      for node in nodes { change(node) }
      return nodes
    }
  }
}
