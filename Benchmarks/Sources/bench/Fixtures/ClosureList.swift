/// The floor of a notification: an array of closures and a loop.
final class ClosureList {
  private var closures: [(Int) -> Void]
  private var round = 0

  init(_ closures: [(Int) -> Void]) {
    self.closures = closures
  }

  @inline(never)
  func notify() {
    round &+= 1
    for closure in closures { closure(round) }
  }
}

/// The floor of coming and going: a dictionary of closures.
final class ClosureTable {
  private var closures: [Int: (Int) -> Void]
  private let passing = Tally()
  private var last: Int

  init(_ closures: [(Int) -> Void]) {
    self.closures = Dictionary(uniqueKeysWithValues: closures.enumerated().map { ($0, $1) })
    last = closures.count
  }

  @inline(never)
  func churn() {
    last += 1
    closures[last] = passing.closure()
    closures[last] = nil
  }
}
