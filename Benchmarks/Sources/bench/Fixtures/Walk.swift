import Fieldstone

/// A flow of trivial stages: two cases in turns, with a payload that cannot be foretold, so that
/// no compiler can fold the loop.
enum Walk: SynchronousStage {
  case left(UInt64, remaining: Int)
  case right(UInt64, remaining: Int)

  func next() throws -> Step<Self, UInt64> {
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

extension Walk {
  /// The floor: the same enum in the loop that one would write by hand.
  @inline(never)
  static func bareLoop(from first: Walk) -> UInt64 {
    var stage = first
    while true {
      switch stage {
      case .left(let bits, let remaining):
        guard remaining > 0 else { return bits }
        stage = .right(scrambled(bits), remaining: remaining - 1)
      case .right(let bits, let remaining):
        guard remaining > 0 else { return bits }
        stage = .left(scrambled(bits), remaining: remaining - 1)
      }
    }
  }

  /// The stage that follows; the last one stays.
  var advanced: Walk {
    switch self {
    case .left(let bits, let remaining) where remaining > 0:
      .right(scrambled(bits), remaining: remaining - 1)
    case .right(let bits, let remaining) where remaining > 0:
      .left(scrambled(bits), remaining: remaining - 1)
    default: self
    }
  }

  /// How many stages are still to come.
  var remaining: Int {
    switch self {
    case .left(_, let remaining), .right(_, let remaining): remaining
    }
  }
}

/// One step of a xorshift generator.
func scrambled(_ bits: UInt64) -> UInt64 {
  var bits = bits
  bits ^= bits << 13
  bits ^= bits >> 7
  bits ^= bits << 17
  return bits
}
