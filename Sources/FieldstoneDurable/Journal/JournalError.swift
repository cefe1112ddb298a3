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
  /// A key, a name, an attribute or an identifier has more bytes than are allowed.
  case keyTooLong(bytes: Int, limit: Int)
  /// A stage starts more children than are allowed.
  case tooManyChildren(Int, limit: Int)
  /// A child would have more ancestors than are allowed.
  case tooDeep(limit: Int)
  /// A child has the identifier of a run that is there.
  case childTaken(RunID)
  /// A child needs a place of a concurrency key that a run above it holds until the child has ended.
  case keyHeldByParent(String, flow: String, holder: RunID)
  /// A run has more attributes than a journal keeps.
  case tooManyAttributes(Int, limit: Int)
  /// A run's trace has more bytes than are allowed.
  case traceTooLong(bytes: Int, limit: Int)
  /// The journal has no transactions that a stage could write in.
  case noTransactions
  /// The journal keeps no schedules.
  case noSchedules
  /// The journal can't be read or written now; it may pass.
  case unavailable(String)
  /// An app's transaction was not opened by the journal whose runs it changes.
  case notInWrite
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
  /// The journal keeps pauses or limits that this code would ignore.
  case newerProtocol(minimum: Int, known: Int)
  /// The journal was copied to another one, or is being copied to.
  case sealed
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
      "A key, name, attribute or identifier of \(bytes) bytes is above the limit of \(limit); use a digest of it, "
        + "or raise PayloadLimits.key."
    case .tooManyChildren(let count, let limit):
      "A stage starts \(count) children, above the limit of \(limit); start children that start some of "
        + "them each, or raise PayloadLimits.children."
    case .tooDeep(let limit):
      "A child would have more than \(limit) ancestors; end the recursion, or raise PayloadLimits.depth."
    case .childTaken(let id):
      "There is a run \(id) already, so no child can have this identifier; make a new one."
    case .keyHeldByParent(let key, let flow, let holder):
      "A child needs a place of the concurrency key “\(key)” of “\(flow)”, which run \(holder) holds until "
        + "the child has ended; give the child another key, or limit the key by .executing."
    case .tooManyAttributes(let count, let limit):
      "A run has \(count) attributes, above the limit of \(limit); leave out those that no query asks for, "
        + "and put them into its stage."
    case .traceTooLong(let bytes, let limit):
      "A run's trace of \(bytes) bytes is above the limit of \(limit); leave out baggage, or raise "
        + "PayloadLimits.key."
    case .noTransactions:
      "This journal has no transactions to write in; write in the stage's work, or use SQLite."
    case .noSchedules:
      "This journal keeps no schedules; use one of Fieldstone's journals, or let this one implement "
        + "`schedules()` and `setSchedule(_:from:to:starting:at:)`."
    case .unavailable(let reason):
      "The journal can't be used now (\(reason)); make room or wait, and try again."
    case .notInWrite:
      "This transaction was not opened by the journal's `write(_:)` or at a checkpoint of its runs, so "
        + "another process may write at the same time, which can damage the log before SQLite 3.51.3; "
        + "start and signal runs within `journal.write { … }`."
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
    case .newerProtocol(let minimum, let known):
      "The journal demands workers of protocol version \(minimum), and this code knows up to \(known); "
        + "update the code."
    case .sealed:
      "The journal is sealed by a copy; work on the one that it was copied to, or repeat "
        + "`fieldstone journal copy` if it was interrupted."
    case .noJournal(let path):
      "\(path) is no journal of Fieldstone; check the path."
    }
  }

  /// Whether the same may be accepted later without anything else being changed.
  public var isTransient: Bool {
    if case .unavailable = self { true } else { false }
  }
}
