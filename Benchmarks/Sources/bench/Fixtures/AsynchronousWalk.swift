import Fieldstone

/// The flow of ``Walk`` as asynchronous stages.
enum AsynchronousWalk: Stage {
  case left(UInt64, remaining: Int)
  case right(UInt64, remaining: Int)

  func next() async throws -> Step<AsynchronousWalk, UInt64> {
    switch self {
    case .left(let bits, let remaining):
      guard remaining > 0 else { return .complete(bits) }
      return .advance(to: .right(scrambled(bits), remaining: remaining - 1))
    case .right(let bits, let remaining):
      guard remaining > 0 else { return .complete(bits) }
      return .advance(to: .left(scrambled(bits), remaining: remaining - 1))
    }
  }
}

extension AsynchronousWalk {
  /// The floor: a loop that awaits an asynchronous function over the same enum.
  @inline(never) @concurrent
  static func bareLoop(from first: AsynchronousWalk) async -> UInt64 {
    var stage = first
    while true {
      switch await hop(from: stage) {
      case .advance(let next): stage = next
      case .complete(let bits): return bits
      case .wait(_, let next): stage = next
      }
    }
  }

  /// What follows a stage, told by a function that is really asynchronous.
  @inline(never) @concurrent
  static func hop(from stage: AsynchronousWalk) async -> Step<AsynchronousWalk, UInt64> {
    switch stage {
    case .left(let bits, let remaining):
      guard remaining > 0 else { return .complete(bits) }
      return .advance(to: .right(scrambled(bits), remaining: remaining - 1))
    case .right(let bits, let remaining):
      guard remaining > 0 else { return .complete(bits) }
      return .advance(to: .left(scrambled(bits), remaining: remaining - 1))
    }
  }
}
