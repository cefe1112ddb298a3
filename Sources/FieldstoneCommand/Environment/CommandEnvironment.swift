package import FieldstoneCore
package import FieldstoneDurable
package import Foundation

/// The environment of a command: journals, output, input and questions.
package struct CommandEnvironment: Sendable {
  /// Whether a command only looks at a journal.
  package enum Access: Sendable, Hashable {
    /// It reads, on a connection that can't write.
    case reading
    /// It must write.
    case writing
    /// It must write, and makes the journal of a server where there is none.
    case making
  }

  /// Opens the journal at a path, or at the URL of a server.
  var open: @Sendable (_ path: String, _ access: Access) async throws -> any Journal
  /// Writes a text, which ends its line by itself; throws where it can't.
  var write: @Sendable (String) throws -> Void
  /// Writes a line about what went wrong.
  var complain: @Sendable (String) -> Void
  /// Asks whether it may go on.
  var confirm: @Sendable (_ question: String) -> Bool
  /// Reads all that is given on the standard input.
  var readInput: @Sendable () throws -> Data
  /// Writes a file, in place of the one that is there.
  var save: @Sendable (_ text: String, _ path: String) throws -> Void
  /// Serves the inspector's pages of a journal until the task is cancelled; nil where it is not
  /// built in.
  package var serve: (@Sendable (_ request: ServeRequest) async throws -> Void)?
  /// The clocks.
  var time: TimeSource

  /// Makes an environment.
  package init(
    open: @escaping @Sendable (String, Access) async throws -> any Journal,
    write: @escaping @Sendable (String) throws -> Void,
    complain: @escaping @Sendable (String) -> Void,
    confirm: @escaping @Sendable (String) -> Bool,
    readInput: @escaping @Sendable () throws -> Data,
    save: @escaping @Sendable (String, String) throws -> Void,
    serve: (@Sendable (ServeRequest) async throws -> Void)? = nil,
    time: TimeSource
  ) {
    self.open = open
    self.write = write
    self.complain = complain
    self.confirm = confirm
    self.readInput = readInput
    self.save = save
    self.serve = serve
    self.time = time
  }

  /// The clocks for a journal; a command takes no lease, so the boot does not matter.
  var journalTime: JournalTime { JournalTime(time, boot: "command line") }
}

/// A journal or a timeline to be served, and how.
package struct ServeRequest: Sendable {
  /// What is served.
  package enum Content: Sendable {
    /// A journal.
    case journal(any Journal)
    /// The file of an exported timeline.
    case session(path: String)
  }

  /// What is served.
  package var content: Content
  /// Its name for the pages.
  package var name: String
  /// The address of this machine to serve on, as four numbers.
  package var host: String
  /// The port; 0 takes a free one.
  package var port: UInt16
  /// The names under which browsers may ask, beside those of the loopback address and the address.
  package var hosts: [String]
  /// The path that all pages stand under; empty for none.
  package var path: String
  /// The file of the password; nil to look into the environment.
  package var passwordFile: String?
  /// The file that each change is appended to as a line of JSON; nil for none.
  package var changesFile: String?
  /// Whether every change is refused.
  package var isReadOnly: Bool
  /// Hears the address once it is open.
  package var onListening: @Sendable (_ address: String) -> Void
}

/// An error of a command.
package enum CommandError: DescribedError, Hashable {
  case noIdentifier(String)
  case noDate(String)
  case noState(String)
  case noStepLimit(String)
  case noListLimit(String)
  case noCommand(String, of: String, among: [String])
  case notConfirmed
  case noInspector
  case noPostgres
  case noPassword(path: String, reason: String)
  case noChangesFile(path: String, reason: String)
  case hasGoneOn(from: Int, to: Int)
  case notSaved(path: String, reason: String)
  case noOutput(reason: String)
  case outputFailed(reason: String)

  /// The error, then the remedy.
  package var message: String {
    switch self {
    case .noIdentifier(let text):
      "“\(text)” is no run's identifier. Take one of 26 characters from the list of runs."
    case .noDate(let text):
      "“\(text)” is no date; write it as 2026-11-21 or 2026-11-21T15:30:00Z."
    case .noState(let text):
      "“\(text)” is no state; take one of "
        + RunState.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .noStepLimit(let text):
      "“\(text)” is no number of steps; write one from 1 on, or all."
    case .noListLimit(let text):
      "“\(text)” is no number of runs for a page; write one from 1 to 1,000."
    case .noCommand(let text, let parent, let names):
      "“\(text)” is no command of \(parent); take one of \(names.joined(separator: ", "))."
    case .notConfirmed:
      "Nothing was changed; answer y, or say --yes."
    case .noInspector:
      "This command was built without its inspector; build it with --traits "
        + "CommandLineTool,Inspector."
    case .noPostgres:
      "This command was built without PostgreSQL; build it with --traits "
        + "CommandLineTool,PostgreSQL."
    case .noPassword(let path, let reason):
      "No password can be read from \(path) (\(reason)); write it there as the only line."
    case .noChangesFile(let path, let reason):
      "Changes can't be appended to \(path) (\(reason)); choose another place."
    case .hasGoneOn(let before, let now):
      "Nothing was changed: the run has gone on meanwhile, from stage \(before) to stage \(now); "
        + "look at it and edit it again."
    case .notSaved(let path, let reason):
      "\(path) can't be written (\(reason)); choose another place."
    case .noOutput(let reason):
      "Nothing was changed: the standard output can't be written (\(reason)); send it elsewhere."
    case .outputFailed(let reason):
      "The answer can't be written to the standard output (\(reason)), but the command is "
        + "done. Look at the runs before you repeat it."
    }
  }
}

extension RunID {
  /// Reads an identifier that a person typed.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let id = Self(text) else { throw .noIdentifier(text) }
    return id
  }
}

extension RunState {
  /// Reads a state that a person typed.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let state = Self(rawValue: text.lowercased()) else { throw .noState(text) }
    return state
  }
}
