import Foundation

/// Random numbers that a seed repeats (SplitMix64), for property tests that print their seed.
///
/// ```swift
/// var random = SeededGenerator(seed: 42)
/// let number = Int.random(in: 0..<10, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts a sequence that is the same for the same seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// How often a property test does what it does.
///
/// A quarter of the sequences finds what a change broke, and `Scripts/test --full` does them all.
/// A sanitizer looks at single accesses and takes ten times as long for each: it sees what there is
/// to see in a tenth of them.
package enum Rounds {
  private static let areAll = ProcessInfo.processInfo.environment["FIELDSTONE_ROUNDS"] == "all"

  /// All of them where `FIELDSTONE_ROUNDS` is `all`, otherwise a part; at least one.
  package static func of(_ count: Int) -> Int {
    #if TSAN || ASAN
      max(1, count / 10)
    #else
      areAll ? count : max(1, count / 4)
    #endif
  }

  /// The size of one large case: all of it, or a twentieth under a sanitizer.
  package static func size(_ count: Int) -> Int {
    #if TSAN || ASAN
      max(1, count / 20)
    #else
      count
    #endif
  }
}
