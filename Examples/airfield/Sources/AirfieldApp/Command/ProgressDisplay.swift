import Synchronization

/// Shows how far an import or an export has come: a bar on a terminal, a line each quarter elsewhere.
final class ProgressDisplay: Sendable {
  enum Work: String, Sendable {
    case importing = "Importing"
    case exporting = "Exporting"
  }

  private struct State {
    var counts = ImportCounts()
    var rows = 0
    var quarter = 0
    var width = 0
  }

  private let work: Work
  private let console: Console
  private let state = Mutex(State())

  init(_ work: Work = .importing, console: Console) {
    self.work = work
    self.console = console
  }

  var counts: ImportCounts { state.withLock { $0.counts } }

  var rows: Int { state.withLock { $0.rows } }

  func show(_ progress: ImportProgress) {
    state.withLock { $0.counts = progress.counts }
    show(progress.fraction, rows: progress.counts.read)
  }

  func show(_ progress: ExportProgress) {
    show(progress.fraction, rows: progress.rows)
  }

  /// Says why nothing can be stored, or that it goes on.
  func show(wait reason: String?) {
    tell(reason.map { "Waiting to store more. \($0)" } ?? "It goes on.")
  }

  /// Says something besides, on a line of its own.
  func tell(_ text: String) {
    finish()
    console.report(text)
  }

  /// Takes the bar away, so that what follows begins on a line of its own.
  func finish() {
    let width = state.withLock { $0.width }
    if width > 0 { console.draw("\r" + String(repeating: " ", count: width) + "\r") }
  }

  /// Works, and takes the bar away however that ends.
  func around<Value>(
    _ body: () async throws -> Value, whenStopped interrupted: () -> any Error
  ) async throws -> Value {
    defer { finish() }
    do {
      return try await body()
    } catch is CancellationError {
      throw interrupted()
    }
  }

  private func show(_ fraction: Double, rows: Int) {
    let text = state.withLock { state in
      state.rows = rows
      return console.isTerminal
        ? bar(fraction, rows, &state.width) : line(fraction, rows, &state.quarter)
    }
    if let text { console.draw(text) }
  }

  /// The longest is 59 characters wide, for the narrowest terminals in use.
  private func bar(_ fraction: Double, _ rows: Int, _ width: inout Int) -> String {
    let length = 24
    let done = Int(fraction * Double(length))
    let percent = "\(Int(fraction * 100))"
    let text =
      work.rawValue + " [" + String(repeating: "#", count: done)
      + String(repeating: ".", count: length - done) + "] "
      + String(repeating: " ", count: max(0, 3 - percent.count))
      + "\(percent) %  \(rows) rows"
    width = max(width, text.count)
    return "\r" + text
  }

  private func line(_ fraction: Double, _ rows: Int, _ quarter: inout Int) -> String? {
    let reached = Int(fraction * 4)
    // Another import than before.
    quarter = min(quarter, reached)
    guard reached > quarter else { return nil }
    quarter = reached
    let done = work == .importing ? "imported, \(rows) rows read" : "exported, \(rows) rows"
    return "\(reached * 25) % \(done)\n"
  }
}
