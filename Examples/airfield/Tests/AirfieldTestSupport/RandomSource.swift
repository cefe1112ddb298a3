import Foundation

/// Numbers that look random and are the same for the same seed (the generator SplitMix64).
public struct RandomSource: RandomNumberGenerator {
  /// What all its numbers come from.
  public let seed: UInt64
  private var state: UInt64

  /// Makes the source of a seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A new seed each time, or the one in `AIRFIELD_SEED`, to see a failure again.
  public static func fresh() -> RandomSource {
    let given = ProcessInfo.processInfo.environment["AIRFIELD_SEED"].flatMap { UInt64($0) }
    let source = RandomSource(seed: given ?? UInt64.random(in: 0...UInt64.max))
    print("AIRFIELD_SEED=\(source.seed)")
    return source
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
