public import FieldstoneCore

/// What a journal refuses, and why.
public enum JournalError: DescribedError, Hashable {
  /// Another worker has claimed the run since, or it was changed or cancelled: the work is void.
  case claimLost(RunID)
  /// There is no such run.
  case noRun(RunID)
  /// The run's state does not allow it.
  case notAllowed(RunID, state: RunState, action: String)
  /// A payload has more bytes than are allowed.
  case tooLarge(bytes: Int, limit: Int)
  /// What was given as a stage or a signal is no JSON.
  case notJSON
  /// A name or a key holds the character NUL, at which some journals take a text to end.
  case containsNUL(String)
  /// A key, a name or an identifier has more bytes than are allowed.
  case keyTooLong(bytes: Int, limit: Int)
  /// The journal has no transactions that a stage could write in.
  case noTransactions
  /// The journal can't be read or written now; it may pass.
  case unavailable(String)
  /// The journal's file was deleted, moved or replaced while it was open.
  case replaced(String)
  /// A signal with this identifier was sent to the run under another name.
  case signalTaken(id: String, name: String)
  /// The journal was closed.
  case closed
  /// A runner that is alive has the worker's name that this one has.
  case duplicateWorker(String)
  /// What is in the journal is damaged.
  case corrupt(String)
  /// The journal was written by newer code.
  case newerSchema(found: Int, known: Int)
  /// The file is no journal.
  case noJournal(String)

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .claimLost(let id):
      "Run \(id) belongs to somebody else now; drop this work, it is done by them."
    case .noRun(let id):
      "There is no run \(id) in this journal; look at the list of runs."
    case .notAllowed(let id, let state, let action):
      "Run \(id) is \(state.rawValue), so it can't be \(action); look at its state first."
    case .tooLarge(let bytes, let limit):
      "A payload of \(bytes) bytes is above the limit of \(limit); keep the bulk elsewhere and put "
        + "its place into the stage."
    case .notJSON:
      "What was given is no JSON; write the stage as its Codable conformance does."
    case .containsNUL(let text):
      "“\(text.replacing("\0", with: "␀"))” holds the character NUL, where a name or a key could be "
        + "taken to end; leave it out or write it otherwise."
    case .keyTooLong(let bytes, let limit):
      "A key, name or identifier of \(bytes) bytes is above the limit of \(limit); use a digest of it, "
        + "or raise PayloadLimits.key."
    case .noTransactions:
      "This journal has no transactions to write in; write in the stage's work, or use SQLite."
    case .unavailable(let reason):
      "The journal can't be used now (\(reason)); make room or wait, and try again."
    case .replaced(let path):
      "The journal \(path) was deleted, moved or replaced while it was open; stop all processes that "
        + "use it, put the right file there, and start them again."
    case .signalTaken(let id, let name):
      "The run has a signal “\(id)” already, with the name “\(name)”; give this one another "
        + "identifier."
    case .closed:
      "The journal is closed; open it again, or end its runners before it is closed."
    case .duplicateWorker(let worker):
      "Another runner that is alive has the worker's name \(worker); give each runner a name of its own, "
        + "or leave the name out."
    case .corrupt(let reason):
      "The journal is damaged (\(reason)); restore it from a backup."
    case .newerSchema(let found, let known):
      "The journal has schema \(found), and this code knows up to \(known); update the code."
    case .noJournal(let path):
      "\(path) is no journal of Fieldstone; check the path."
    }
  }

  /// Whether the same may be accepted later without anything else being changed.
  public var isTransient: Bool {
    if case .unavailable = self { true } else { false }
  }
}
