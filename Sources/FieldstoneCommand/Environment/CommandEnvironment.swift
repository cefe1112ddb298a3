package import FieldstoneCore
package import FieldstoneDurable
package import FieldstoneRunDisplay
package import Foundation

/// The environment of a command: journals, output, input and confirmation.
package struct CommandEnvironment: Sendable {
  /// The kind of access that a command needs.
  package enum Access: Sendable, Hashable {
    /// Reads, on a read-only connection.
    case reading
    /// Writes.
    case writing
    /// Writes, and creates a server's journal if there is none.
    case making
  }

  /// Opens the journal at a path, or at the URL of a server.
  var open: @Sendable (_ path: String, _ access: Access) async throws -> any Journal
  /// Closes a journal at the end of the command.
  var close: @Sendable (any Journal) async -> Void
  /// Writes a text, which contains its own line end; throws if it can't.
  var write: @Sendable (String) throws -> Void
  /// Writes a line to the error output.
  package var complain: @Sendable (String) -> Void
  /// Asks for confirmation.
  var confirm: @Sendable (_ question: String) -> Bool
  /// Reads the whole standard input.
  var readInput: @Sendable () throws -> Data
  /// Writes a file, and replaces an existing one.
  var save: @Sendable (_ text: String, _ path: String) throws -> Void
  /// Serves the inspector's pages of a journal until the task is cancelled; nil if the inspector is
  /// not built in.
  package var serve: (@Sendable (_ request: ServeRequest) async throws -> Void)?
  /// The name of the user, for the audit.
  var user: String?
  /// The flows that the command was built with; nil for the stock command, which knows no flows.
  package var flows: [DurableFlow]?
  /// The signals that the command was built with; none for the stock command.
  package var signals: [OfferedSignal]
  /// The clocks.
  var time: TimeSource

  /// Makes an environment.
  package init(
    open: @escaping @Sendable (String, Access) async throws -> any Journal,
    close: @escaping @Sendable (any Journal) async -> Void = { _ in },
    write: @escaping @Sendable (String) throws -> Void,
    complain: @escaping @Sendable (String) -> Void,
    confirm: @escaping @Sendable (String) -> Bool,
    readInput: @escaping @Sendable () throws -> Data,
    save: @escaping @Sendable (String, String) throws -> Void,
    serve: (@Sendable (ServeRequest) async throws -> Void)? = nil,
    user: String? = nil, flows: [DurableFlow]? = nil, signals: [OfferedSignal] = [],
    time: TimeSource
  ) {
    self.open = open
    self.close = close
    self.write = write
    self.complain = complain
    self.confirm = confirm
    self.readInput = readInput
    self.save = save
    self.serve = serve
    self.user = user
    self.flows = flows
    self.signals = signals
    self.time = time
  }

  /// The clocks for a journal; a command takes no lease, so the boot does not matter.
  var journalTime: JournalTime { JournalTime(time, boot: "command line") }
}

/// A journal or a timeline to serve, and its options.
package struct ServeRequest: Sendable {
  /// The content to serve.
  package enum Content: Sendable {
    /// A journal.
    case journal(any Journal)
    /// The file of an exported timeline.
    case session(path: String)
  }

  /// The content to serve.
  package var content: Content
  /// Its name on the pages.
  package var name: String
  /// The address of this machine to serve on, as four numbers.
  package var host: String
  /// The port; 0 for any free one.
  package var port: UInt16
  /// Further host names that browsers may use, besides the loopback names and the address.
  package var hosts: [String]
  /// The path prefix of all pages; empty for none.
  package var path: String
  /// The file of the password; nil to use the environment.
  package var passwordFile: String?
  /// The file to which each change is appended as a line of JSON; nil for none.
  package var changesFile: String?
  /// Whether every change is refused.
  package var isReadOnly: Bool
  /// Parts of names whose values are redacted, besides the inspector's own.
  package var redactedNames: [String]
  /// The flows that the command was built with; nil where it knows none.
  package var flows: [DurableFlow]?
  /// The signals that the command was built with.
  package var signals: [OfferedSignal]
  /// Called with the address once it is open.
  package var onListening: @Sendable (_ address: String) -> Void
}

/// An error of a command.
package enum CommandError: DescribedError, Hashable {
  case noIdentifier(String)
  case noDate(String)
  case noState(String)
  case noLimit(String, of: String)
  case noListLimit(String, of: String)
  case noExpression(RunExpressionError)
  case noTerm
  case givenTwice(String)
  case notOfPurge(String)
  case filteredPurge
  case pauseIsOver(String)
  case errorPart
  case noOrder(String)
  case noPlace(String)
  case beforeAndOrder
  case noSlots(String)
  case noCommand(String, of: String, among: [String])
  case notConfirmed
  case noRuns
  case runAndQuery
  case notChecked
  case noFlows
  case otherPayload(signal: String, example: String, reason: String)
  case keyOfMany
  case editOfMany
  case noEdit(RunID, stage: String)
  case noSignal
  case signalOfMany
  case noInspector
  case noPostgres
  case connectionText
  case noPassword(path: String, reason: String)
  case noTimeline(path: String, reason: String)
  case noChangesFile(path: String, reason: String)
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
    case .noLimit(let text, let things):
      "“\(text)” is no number of \(things); write one from 1 on, or all."
    case .noListLimit(let text, let things):
      "“\(text)” is no number of \(things) for a page; write one from 1 to 1,000."
    case .noExpression(let error):
      "The expression after --where is wrong. \(error.message)"
    case .noTerm:
      "The expression after --where is empty; write a term, as state=dead, or leave --where out."
    case .notOfPurge(let option):
      "\(option) is for a purge of chosen runs, and not for one by age; choose runs by --where "
        + "'stopped<2026-11-21' or the like, or leave it out."
    case .filteredPurge:
      "--days and --steps are for a purge by age; choose old runs by --where 'stopped<2026-11-21'."
    case .pauseIsOver(let date):
      "A pause until \(date) would be over; write a later time, or leave --until out."
    case .givenTwice(let name):
      "--\(name) is in the expression after --where, too; leave one of them out."
    case .errorPart:
      "A part of an error's text is looked up by runs list only; take error= and a fingerprint, which "
        + "runs errors lists."
    case .noOrder(let text):
      "“\(text)” is no order; take one of "
        + RunOrder.allCases.map(\.typed).joined(separator: ", ") + "."
    case .noPlace(let text):
      "“\(text)” is no place in a list; take one that the end of a page shows."
    case .beforeAndOrder:
      "--before goes with the order newest alone; give the place at the end of the page by --after."
    case .noSlots(let text):
      "“\(text)” are no slots; write numbers from 0 to 65535 and ranges of them, as in 5,100-199."
    case .noCommand(let text, let parent, let names):
      "“\(text)” is no command of \(parent); take one of \(names.joined(separator: ", "))."
    case .notConfirmed:
      "Nothing was changed; answer y, or say --yes."
    case .noRuns:
      "No run is named; give its identifier, or choose runs by --flow, --state, --key or --since."
    case .runAndQuery:
      "A run is named and others are chosen; give either its identifier or --flow and the like."
    case .notChecked:
      "The stage is not checked, as this command knows no flows. Build one that does with "
        + "FieldstoneCommand.main(flows:), or say --unchecked."
    case .noFlows:
      "This command knows no flows; build one that does with FieldstoneCommand.main(flows:)."
    case .otherPayload(let signal, let example, let reason):
      "The payload is no value of the signal \(signal) (\(reason)); nothing was sent. Write one such "
        + "as \(example), or say --unchecked."
    case .noSignal:
      "No signal is named; write signal RUN NAME, or signal NAME with --flow, --state, --key or --since."
    case .signalOfMany:
      "Signals to many runs have identifiers of their own; leave --id out, and go on by --change-id."
    case .keyOfMany:
      "Only one run can have the key of --new-key; name the run to fork, or leave the key out."
    case .editOfMany:
      "Many runs are edited by --patch, with what changes of their stages; --stage is for one run."
    case .noEdit(let id, let stage):
      "The patch changes nothing of run \(id), or is for another stage: it is at \(stage). Nothing was "
        + "changed; name that stage in the patch."
    case .noInspector:
      "This command was built without its inspector; build it with --traits "
        + "CommandLineTool,Inspector."
    case .noPostgres:
      "This command was built without PostgreSQL; build it with --traits "
        + "CommandLineTool,PostgreSQL."
    case .connectionText:
      "There is no such file; write a server's journal as postgresql://user@host/database, and not as "
        + "host=… dbname=…."
    case .noPassword(let path, let reason):
      "No password can be read from \(path) (\(reason)); write it there as the only line."
    case .noTimeline(let path, let reason):
      "No timeline can be read from \(path) (\(reason)); name a file that the inspector exported."
    case .noChangesFile(let path, let reason):
      "Changes can't be appended to \(path) (\(reason)); choose another place."
    case .notSaved(let path, let reason):
      "\(path) can't be written (\(reason)); choose another place."
    case .noOutput(let reason):
      "Nothing was changed: the standard output can't be written (\(reason)); send it elsewhere."
    case .outputFailed(let reason):
      "The answer can't be written to the standard output (\(reason)). What the command changes is "
        + "changed: look at the runs before you repeat it."
    }
  }
}

extension RunID {
  /// Parses an identifier from the command line.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let id = Self(text) else { throw .noIdentifier(text) }
    return id
  }
}

extension RunState {
  /// Parses a state from the command line.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let state = Self(rawValue: text.lowercased()) else { throw .noState(text) }
    return state
  }
}

extension RunOrder {
  /// The order's name on the command line.
  var typed: String {
    switch self {
    case .newestFirst: "newest"
    case .oldestFirst: "oldest"
    case .lastStoppedFirst: "stopped"
    case .firstStoppedFirst: "stopped-first"
    }
  }

  /// Parses an order from the command line.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let order = allCases.first(where: { $0.typed == text.lowercased() }) else {
      throw .noOrder(text)
    }
    return order
  }
}

extension RunPlace {
  /// Parses a place from the command line.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let place = Self(text) else { throw .noPlace(text) }
    return place
  }
}
