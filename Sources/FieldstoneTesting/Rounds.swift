/// How often a property test does what it does.
///
/// A sanitizer looks at single accesses and takes ten times as long for each: it sees what there is
/// to see in a tenth of the sequences, and the lanes without one do them all.
package enum Rounds {
  /// All of them, or a tenth under a sanitizer.
  package static func of(_ count: Int) -> Int {
    #if TSAN || ASAN
      max(1, count / 10)
    #else
      count
    #endif
  }
}
