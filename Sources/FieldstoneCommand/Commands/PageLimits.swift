/// How many runs a page has at most.
struct ListLimit: Hashable {
  var count: Int

  /// Reads a number that a person typed.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let count = Int(text), (1...1_000).contains(count) else { throw .noListLimit(text) }
    return Self(count: count)
  }
}

/// How many steps of a run are shown.
enum StepLimit: Hashable {
  case newest(Int)
  case all

  /// Reads a number, or "all", that a person typed.
  static func typed(_ text: String) throws(CommandError) -> Self {
    if text.lowercased() == "all" { return .all }
    guard let count = Int(text), count > 0 else { throw .noStepLimit(text) }
    return .newest(count)
  }

  /// Where the steps that are shown begin, when they end before a sequence.
  func first(before end: Int) -> Int {
    switch self {
    case .newest(let count): max(0, end - count)
    case .all: 0
    }
  }
}
