// Documented where they are Apple's.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @preconcurrency
public protocol Gesture<Value> {
  associatedtype Value

  /// What it does when it has ended.
  @MainActor func _end()
}

nonisolated public struct TapGesture: Gesture {
  public typealias Value = Void
  public var count: Int
  public init(count: Int = 1) { self.count = count }
  @MainActor public func _end() {}
}

nonisolated public struct _EndedGesture<Content: Gesture>: Gesture {
  public typealias Value = Content.Value
  let action: () -> Void
  @MainActor public func _end() { action() }
}

extension Gesture where Value == Void {
  nonisolated public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
    _EndedGesture { action(()) }
  }
}

public struct GestureMask: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let none: GestureMask = []
  public static let gesture = GestureMask(rawValue: 1)
  public static let subviews = GestureMask(rawValue: 2)
  public static let all: GestureMask = [.gesture, .subviews]
}

/// Apple's is off the main actor, in a way that is its own.
nonisolated public protocol Shape: Sendable, View {}

nonisolated public struct Rectangle: Shape, Leaf {
  public init() {}
  @MainActor public func _nodes(_ site: Site) -> [ViewNode] { [] }
}

extension View {
  nonisolated public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
    self
  }

  nonisolated public func gesture<T: Gesture>(
    _ gesture: T, including mask: GestureMask = .all
  ) -> some View {
    altered(by: gesture) { site, content, gesture in
      let nodes = content._nodes(site)
      if mask.contains(.gesture) { for node in nodes { node.tappedBeside = { gesture._end() } } }
      return nodes
    }
  }
}
