import Foundation

/// Where a command writes: results to one side, progress and errors to the other.
struct Console: Sendable {
  /// Whether progress is shown on a terminal, which can redraw a line.
  let isTerminal: Bool

  let result: @Sendable (String) -> Void
  let side: @Sendable (String) -> Void

  /// The console of this process.
  ///
  /// Nothing is held back: each call writes at once.
  static let standard = Console(
    isTerminal: isatty(STDERR_FILENO) == 1,
    result: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
    side: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })

  func print(_ line: String) { result(line + "\n") }

  /// Writes a line about the command itself.
  func report(_ line: String) { side(line + "\n") }

  /// Writes a line about something that a person has not asked for.
  func note(_ line: String) { report("airfield: " + line) }

  /// Writes text as it is to where progress goes.
  func draw(_ text: String) { side(text) }
}
