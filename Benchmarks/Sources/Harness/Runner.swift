/// Takes the samples of a group.
public struct Runner: Sendable {
  /// How many samples each case gets.
  public let samples: Int

  /// How long a sample should last, where the harness may choose.
  private let target: Double = 15_000_000

  /// More runs than this are never needed to fill a sample.
  private let mostRuns = 1 << 26

  /// Makes a runner.
  ///
  /// - Parameter samples: How many samples each case gets; fewer than 15 are raised to 15.
  public init(samples: Int = 15) {
    self.samples = max(15, samples)
  }

  /// Measures the cases of a group in turns.
  ///
  /// - Returns: The group's result, its rows in the order in which its cases are listed.
  /// - Throws: `HarnessError` for a group without its floor, and what a body throws.
  @concurrent
  public func run(_ group: Group) async throws -> GroupResult {
    guard let floor = group.cases.firstIndex(where: { $0.name == group.floor }) else {
      throw HarnessError.noFloor(group: group.name, floor: group.floor)
    }
    if let name = Self.repeated(group.cases.map(\.name)) {
      throw HarnessError.repeatedCase(group: group.name, name: name)
    }

    var runs: [Int] = []
    for measured in group.cases { runs.append(try await calibrate(measured)) }

    var samples = [[Double]](repeating: [], count: group.cases.count)
    for turn in 0..<self.samples {
      for index in Self.order(of: group.cases.count, turn: turn) {
        let measured = group.cases[index]
        let total = try await measured.sample(runs[index])
        samples[index].append(total / Double(runs[index]) / Double(measured.operations))
      }
    }

    let rows = group.cases.indices.map { index in
      Row(
        group: group.name, name: group.cases[index].name, samples: samples[index],
        floor: samples[floor], isFloor: index == floor)
    }
    return GroupResult(group: group, rows: rows)
  }

  /// The order of a turn: each case is first in its turn, so that none always runs on the cache
  /// and the heap that the same other one leaves.
  public static func order(of count: Int, turn: Int) -> [Int] {
    (0..<count).map { ($0 + turn) % count }
  }

  /// Warms a case up and finds how many of its runs fill a sample.
  private func calibrate(_ measured: Case) async throws -> Int {
    if let runs = measured.runs {
      _ = try await measured.sample(runs)
      return runs
    }
    var runs = 1
    _ = try await measured.sample(runs)
    while true {
      let elapsed = try await measured.sample(runs)
      if elapsed >= target / 4 || runs >= mostRuns {
        let filling = Double(runs) * target / max(1, elapsed)
        return min(mostRuns, max(1, Int(filling.rounded())))
      }
      runs *= 2
    }
  }

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}
