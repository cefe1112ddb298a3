import Foundation

/// A random number generator that repeats its numbers for a seed (SplitMix64), for property tests.
///
/// ```swift
/// var random = SeededGenerator(seed: 42)
/// let number = Int.random(in: 0..<10, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; equal seeds give equal numbers.
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

/// The number of rounds of a property test.
///
/// A quarter of the rounds finds most defects; `Scripts/test --full` runs all, and over the allocator
/// of the address sanitizer it runs a tenth. A thread sanitizer build, where each round takes ten
/// times as long, runs a fortieth: tests with threads find races, sequences don't. An address
/// sanitizer build runs a tenth.
package enum Rounds {
  /// Of how many rounds one is made, by `FIELDSTONE_ROUNDS`.
  private static let part: Int =
    switch ProcessInfo.processInfo.environment["FIELDSTONE_ROUNDS"] {
    case "all": 1
    case "tenth": 10
    default: 4
    }

  /// All rounds if `FIELDSTONE_ROUNDS` is `all`, otherwise a part; at least one.
  package static func of(_ count: Int) -> Int {
    #if TSAN
      max(1, count / 40)
    #elseif ASAN
      max(1, count / 10)
    #else
      max(1, count / part)
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
