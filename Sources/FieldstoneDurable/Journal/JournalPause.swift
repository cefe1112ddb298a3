public import Foundation

/// The target of a pause: all runs of a flow, all runs with a concurrency key, or one run.
public enum PauseTarget: Sendable {
  /// All runs of the flow with this name.
  case flow(String)
  /// All runs of a flow with this concurrency key.
  case concurrencyKey(String, flow: String)
  /// A run.
  case run(RunID)
}

extension PauseTarget: Hashable {
  /// The names as bytes, for comparisons as in a database.
  private var bytes: (kind: Int, flow: [UInt8], name: [UInt8]) {
    (kind, Array(flow.utf8), Array(name.utf8))
  }

  /// Whether two targets are equal, byte by byte.
  public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

  /// Feeds the kind and the names into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(bytes.flow)
    hasher.combine(bytes.name)
  }
}

extension PauseTarget {
  /// The number of the kind of target in databases, which never changes.
  package var kind: Int {
    switch self {
    case .flow: 0
    case .concurrencyKey: 1
    case .run: 2
    }
  }

  /// The flow; empty for a run.
  package var flow: String {
    switch self {
    case .flow(let name), .concurrencyKey(_, flow: let name): name
    case .run: ""
    }
  }

  /// The key or the identifier; empty for a flow.
  package var name: String {
    switch self {
    case .flow: ""
    case .concurrencyKey(let key, flow: _): key
    case .run(let id): id.description
    }
  }

  /// Reads a target from a database; nil for invalid values.
  package init?(kind: Int, flow: String, name: String) {
    switch kind {
    case 0: self = .flow(flow)
    case 1: self = .concurrencyKey(name, flow: flow)
    case 2:
      guard let id = RunID(name) else { return nil }
      self = .run(id)
    default: return nil
    }
  }
}

/// A pause in a journal.
public struct JournalPause: Sendable, Hashable {
  /// The paused flow, key or run.
  public var target: PauseTarget
  /// When it ends by itself, by the wall clock; nil until it is resumed.
  public var until: Date?

  /// Makes a pause.
  public init(_ target: PauseTarget, until: Date? = nil) {
    self.target = target
    self.until = until
  }

  /// The order in which pauses are listed.
  package static func precedes(_ left: Self, _ right: Self) -> Bool {
    let (left, right) = (left.target, right.target)
    if left.kind != right.kind { return left.kind < right.kind }
    if !left.flow.utf8.elementsEqual(right.flow.utf8) {
      return left.flow.utf8.lexicographicallyPrecedes(right.flow.utf8)
    }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}
