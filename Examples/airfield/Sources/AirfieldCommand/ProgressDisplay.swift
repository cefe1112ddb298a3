package import AirfieldDirectory
import Synchronization

/// Shows how far an import has come: a bar on a terminal, a line each quarter elsewhere.
package final class ProgressDisplay: Sendable {
  private let console: Console
  private let state = Mutex((counts: ImportCounts(), quarter: 0, width: 0))

  package init(console: Console) {
    self.console = console
  }

  /// What became of the rows so far.
  var counts: ImportCounts { state.withLock { $0.counts } }

  /// Shows the next step.
  package func show(_ progress: ImportProgress) {
    let text = state.withLock { state in
      state.counts = progress.counts
      return console.isTerminal
        ? Self.bar(progress, &state.width) : Self.line(progress, &state.quarter)
    }
    if let text { console.draw(text) }
  }

  /// Takes the bar away, so that what follows begins on a line of its own.
  package func finish() {
    let width = state.withLock { $0.width }
    if width > 0 { console.draw("\r" + String(repeating: " ", count: width) + "\r") }
  }

  /// The longest is 59 characters wide, for the narrowest terminals in use.
  private static func bar(_ progress: ImportProgress, _ width: inout Int) -> String {
    let length = 24
    let done = Int(progress.fraction * Double(length))
    let percent = "\(Int(progress.fraction * 100))"
    let text =
      "Importing [" + String(repeating: "#", count: done)
      + String(repeating: ".", count: length - done) + "] "
      + String(repeating: " ", count: max(0, 3 - percent.count))
      + "\(percent) %  \(progress.counts.read) rows"
    width = max(width, text.count)
    return "\r" + text
  }

  private static func line(_ progress: ImportProgress, _ quarter: inout Int) -> String? {
    let reached = Int(progress.fraction * 4)
    guard reached > quarter else { return nil }
    quarter = reached
    return "\(reached * 25) % imported, \(progress.counts.read) rows read\n"
  }
}
