#if SQLite
  import FieldstoneTesting
  import Foundation

  /// How much of what could be tried is tried: some in `Scripts/test`, all in `Scripts/crash`.
  enum Thoroughness {
    static let isFull = ProcessInfo.processInfo.environment["FIELDSTONE_CRASH_KILLS"] != nil

    /// All, or so many that the seed chooses; says how many when it is all.
    static func some<Element>(
      _ count: Int, of all: [Element], _ name: String, seed: UInt64
    ) -> [Element] {
      if isFull { print("\(all.count) \(name), seed \(seed)") }
      guard !isFull, all.count > count else { return all }
      var random = SeededGenerator(seed: seed)
      return all.indices.shuffled(using: &random).prefix(count).sorted().map { all[$0] }
    }
  }
#endif
