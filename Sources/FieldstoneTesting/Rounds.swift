import Foundation

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
