package import FieldstoneDurable

/// What worker processes wrote down of their turns at runs with concurrency keys, held against what
/// limits, starting orders and pauses promise.
///
/// Each line is `begin KEY RUN STAGE` or `end KEY RUN STAGE`, by the work of a stage, or `pause KEY` or
/// `resume KEY`, by a test while no worker is alive. A key has a limit of one whole run.
package struct TurnAudit {
  private let lines: [[String]]

  /// - Parameter lines: in the order in which they were written.
  package init(_ lines: [String]) {
    self.lines = lines.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
  }

  /// How many stages of runs of a key have begun.
  package func turns(of key: String) -> Int {
    lines.count { $0.count == 4 && $0[0] == "begin" && $0[1] == key }
  }

  /// What is not as promised, in words.
  ///
  /// - Parameters:
  ///   - started: the runs of each key, in the order of their starts.
  ///   - most: how many runs may have begun and not be over.
  package func violations(started: [String: [RunID]], most: Int) -> [String] {
    var found = lines.filter { !isTurn($0) && !isPause($0) }.map { "a strange line: \($0)" }
    for (key, runs) in started.sorted(by: { $0.key < $1.key }) {
      found += violations(of: key, started: runs.map(\.description))
    }
    return found + violations(most: most)
  }

  private func isTurn(_ line: [String]) -> Bool {
    line.count == 4 && (line[0] == "begin" || line[0] == "end")
  }

  private func isPause(_ line: [String]) -> Bool {
    line.count == 2 && (line[0] == "pause" || line[0] == "resume")
  }

  /// The runs of a key come one after the other, in the order of their starts, and none in a pause.
  private func violations(of key: String, started: [String]) -> [String] {
    var found: [String] = []
    /// In the order of their first stages.
    var order: [String] = []
    var begun: Set<String> = []
    var current: String?
    var isPaused = false
    for line in lines where line.count > 1 && line[1] == key {
      switch line[0] {
      case "pause": isPaused = true
      case "resume": isPaused = false
      case "begin" where isTurn(line):
        if isPaused { found.append("\(line[2]) began a stage while “\(key)” was paused") }
        if begun.insert(line[2]).inserted {
          order.append(line[2])
        } else if let current, current != line[2] {
          found.append("\(line[2]) of “\(key)” was not over when \(current) began")
        }
        current = line[2]
      default: continue
      }
    }
    if !started.starts(with: order) {
      found.append("the runs of “\(key)” began in the order \(order), started as \(started)")
    }
    return found
  }

  /// No more runs than allowed have begun and are not over.
  ///
  /// A run is over after its last line, or later: a violation may be missed, and none is made up.
  private func violations(most: Int) -> [String] {
    let turns = lines.filter(isTurn)
    var last: [String: Int] = [:]
    for (index, line) in turns.enumerated() { last[line[2]] = index }
    var open: Set<String> = []
    for (index, line) in turns.enumerated() {
      open.insert(line[2])
      if open.count > most { return ["\(open.count) runs had begun and were not over, of \(most)"] }
      if last[line[2]] == index { open.remove(line[2]) }
    }
    return []
  }
}
