import Fieldstone
import Foundation

/// How a command failed: one line for the person, and a status for the shell.
struct CommandFailure: Equatable {
  let status: Int32
  let message: String

  /// The failure that an error means, or nil for one that the argument parser explains itself.
  ///
  /// Status 2 says that the file given can't be imported, the target or the country given can't be
  /// exported, or the nightly export can't be as it was asked for, 1 that something else failed, and 130 or
  /// 143 that a signal ended the command.
  init?(_ error: any Error, signal: StopSignal? = nil) {
    switch error {
    case let error as ImportError: self.init(2, error.message)
    case let error as ExportError: self.init(2, error.message)
    case let error as NightlyError: self.init(2, error.message)
    case let error as Interrupted: self.init((signal ?? .interrupt).status, error.message)
    case is CancellationError:
      self.init((signal ?? .interrupt).status, "interrupted")
    case let error as any DescribedError: self.init(1, error.message)
    default:
      guard Self.isOurs(error) else { return nil }
      self.init(1, "\(error)")
    }
  }

  private init(_ status: Int32, _ text: String) {
    self.status = status
    message = Self.line(text)
  }

  /// Paths may hold line breaks; a message is one line all the same.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func isOurs(_ error: any Error) -> Bool {
    !String(reflecting: type(of: error)).hasPrefix("ArgumentParser.")
  }
}

/// Work that was stopped before its end.
struct Interrupted: DescribedError {
  let message: String

  private init(_ message: String) {
    self.message = message
  }

  /// An import: what was stored stays.
  static func importing(_ counts: ImportCounts) -> Interrupted {
    Interrupted(
      "interrupted; what was stored stays, and the same command goes on from there: "
        + counts.sentence)
  }

  /// An export, of which so many airports are out.
  static func exporting(_ rows: Int) -> Interrupted {
    Interrupted("interrupted; the same command goes on from there: \(rows) airports exported")
  }
}
