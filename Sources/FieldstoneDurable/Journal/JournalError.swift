public import FieldstoneCore

/// The reasons for which a journal refuses a call.
public enum JournalError: DescribedError, Hashable {
  /// Another worker has claimed the run since, or it was changed or cancelled: the work's result is
  /// void.
  case claimLost(RunID)
  /// The run does not exist.
  case noRun(RunID)
  /// The run's state does not allow the change.
  case notAllowed(RunID, state: RunState, action: String)
  /// The run can't be deleted yet: its parent may read its outcome, or its children are yet to be
  /// cancelled.
  case stillNeeded(RunID)
  /// The run has left the stage that an edit was made for.
  case hasGoneOn(RunID, from: Int, to: Int)
  /// A payload has more bytes than are allowed.
  case tooLarge(bytes: Int, limit: Int)
  /// A stage or a signal is not valid JSON.
  case notJSON
  /// A name or a key contains the character NUL, at which some journals truncate a text.
  case containsNUL(String)
  /// A stage awaits signals of no name or of more than 16, or a name contains the character U+001F.
  case invalidSignalNames([String])
  /// A key, a name, an attribute or an identifier has more bytes than are allowed.
  case keyTooLong(bytes: Int, limit: Int)
  /// A stage starts more children than are allowed.
  case tooManyChildren(Int, limit: Int)
  /// A child would have more ancestors than are allowed.
  case tooDeep(limit: Int)
  /// A child has the identifier of an existing run.
  case childTaken(RunID)
  /// A child needs a place of a concurrency key, or of a flow, that an ancestor holds until the
  /// child has ended.
  case placeHeldByParent(key: String?, flow: String, holder: RunID)
  /// A run has more attributes than allowed.
  case tooManyAttributes(Int, limit: Int)
  /// A run's trace has more bytes than are allowed.
  case traceTooLong(bytes: Int, limit: Int)
  /// The journal has no transactions for a stage's writes.
  case noTransactions
  /// The journal has no schedules.
  case noSchedules
  /// The journal has no record of slots, so it can't be one of several that share runs.
  case noSlots
  /// The run's slot belongs to another journal of the set.
  case foreignSlot
  /// A run that a checkpoint or a schedule starts or signals is on another journal of the set.
  case otherShard(RunID)
  /// The identifier of a start lacks the slot that its key, its concurrency key or its flow
  /// requires.
  case slotOfKey(RunID)
  /// The journal can't be read or written now; a later try may succeed. The reason may end with a
  /// semicolon and a remedy of its own.
  case unavailable(String)
  /// An app's transaction was not opened by the journal whose runs it changes.
  case notInWrite
  /// The journal's file was deleted, moved or replaced while it was open.
  case replaced(String)
  /// A signal with this identifier was sent to the run under another name.
  case signalTaken(id: String, name: String)
  /// The journal was closed.
  case closed
  /// Another live runner has the same worker name.
  case duplicateWorker(String)
  /// The journal's data is damaged.
  case corrupt(String)
  /// The journal was written by newer code.
  case newerSchema(found: Int, known: Int)
  /// The journal has pauses or limits that this code would ignore.
  case newerProtocol(minimum: Int, known: Int)
  /// The journal was copied to another one, is the target of a copy, or is moving slots.
  case sealed
  /// The file is no journal.
  case noJournal(String)
  /// This user has no permission for the file or its folder, or they can't be written at all; or
  /// the role lacks a right in the database.
  case notPermitted(String)

  /// Says what went wrong and what to do next.
  public var message: String {
    switch self {
    case .claimLost(let id):
      "Run \(id) belongs to somebody else now; drop this work, it is done by them."
    case .noRun(let id):
      "There is no run \(id) in this journal; look at the list of runs."
    case .notAllowed(let id, let state, let action):
      "Run \(id) is \(state.rawValue), so it can't be \(action); look at its state first."
    case .stillNeeded(let id):
      "Run \(id) is over, but its parent may still read its outcome, or its children are yet to be "
        + "cancelled; delete its parent first, or try again in a minute."
    case .hasGoneOn(let id, let before, let now):
      "Run \(id) has gone on from stage \(before) to stage \(now) since it was read, so nothing was "
        + "changed; look at it and edit it again."
    case .tooLarge(let bytes, let limit):
      "A payload of \(bytes) bytes is above the limit of \(limit); keep the bulk elsewhere and put "
        + "its place into the stage."
    case .notJSON:
      "The given text is no JSON; write the stage or the payload as its Codable conformance does."
    case .containsNUL(let text):
      "“\(text.replacing("\0", with: "␀"))” holds the character NUL, where a name or a key could be "
        + "taken to end; leave it out or write it otherwise."
    case .invalidSignalNames(let names):
      if let name = names.first(where: { $0.contains(AwaitedSignals.separator) }) {
        "“\(name.replacing(AwaitedSignals.separator, with: "␟"))” holds the character U+001F, which no "
          + "name of a signal can have; leave it out."
      } else {
        "A stage awaits the signals of 1 to \(AwaitedSignals.maximumCount) names, and these are "
          + "\(names.count)\(names.isEmpty ? "" : ": \(names.quoted())"); use `.wait` for a time alone, and one "
          + "name for signals of one purpose, told apart by their value."
      }
    case .keyTooLong(let bytes, let limit):
      "A key, name, attribute or identifier of \(bytes) bytes is above the limit of \(limit); use a digest of it, "
        + "or raise PayloadLimits.key. PostgreSQL counts a flow's name and a key together, and the "
        + "signals of a wait."
    case .tooManyChildren(let count, let limit):
      "A stage starts \(count) children, above the limit of \(limit); start children that start some of "
        + "them each, or raise PayloadLimits.children."
    case .tooDeep(let limit):
      "A child would have more than \(limit) ancestors; end the recursion, or raise PayloadLimits.depth."
    case .childTaken(let id):
      "There is a run \(id) already, so no child can have this identifier; make a new one."
    case .placeHeldByParent(let key?, let flow, let holder):
      "A child needs a place of the concurrency key “\(key)” of “\(flow)”, which run \(holder) holds until "
        + "the child has ended; give the child another key, or limit the key by .executing."
    case .placeHeldByParent(nil, let flow, let holder):
      "A child needs a place of its flow “\(flow)”, and run \(holder) holds one until the child has "
        + "ended; make the child a run of another flow, or limit the runs by .executing."
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
        + "`schedules()` and `setSchedule(_:from:to:starting:by:at:)`."
    case .unavailable(let reason):
      if let (cause, remedy) = Self.parts(of: reason) {
        "The journal can't be used now (\(cause)); \(remedy)."
      } else {
        "The journal can't be used now (\(reason)); make room or wait, and try again."
      }
    case .noSlots:
      "This journal keeps no record of slots, so it can't share runs with others; use one of Fieldstone's "
        + "journals, or let this one implement `slots()` and `setSlots(from:to:)`."
    case .foreignSlot:
      "The run's slot belongs to another journal of the set; start it by a ShardedJournal over all of "
        + "them, and restart processes that were open while slots moved."
    case .otherShard(let id):
      "Run \(id) lives on another shard, so it can't be started or signalled in one transaction with this "
        + "one; start it without a key or as a child, or call the runner in the stage's work, with a key "
        + "or a signal's identifier that is the same in each attempt."
    case .slotOfKey(let id):
      "The identifier \(id) does not have the slot of its key or of its flow, so that another run could "
        + "have the same key; leave RunOptions.id out, or make it by RunID(at:flow:key:), with an empty key if the "
        + "flow is one of flowsOnOneShard."
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
      if let (cause, remedy) = Self.parts(of: reason, remedy: "remove ") {
        "The journal's tables are not as they must be (\(cause)); \(remedy)."
      } else {
        "The journal is damaged (\(reason)); restore it from a backup."
      }
    case .newerSchema(let found, let known):
      "The journal has schema \(found), and this code knows up to \(known); update the code."
    case .newerProtocol(let minimum, let known):
      "The journal demands workers of protocol version \(minimum), and this code knows up to \(known); "
        + "update the code."
    case .sealed:
      "The journal is sealed by a copy, or while slots move; work on the one that it was copied to, or "
        + "repeat `fieldstone journal copy` or `move-slots` if it was interrupted."
    case .noJournal(let path):
      if let (place, remedy) = Self.parts(of: path, remedy: "name ") {
        "\(place) is no journal of Fieldstone; \(remedy)."
      } else {
        "\(path) is no journal of Fieldstone; check the path."
      }
    case .notPermitted(let path):
      if let (place, remedy) = Self.parts(of: path, remedy: "GRANT ") {
        "This user has no permission to use \(place) in this way; \(remedy)."
      } else {
        "This user has no permission to use \(path) in this way; give it for the database, the files "
          + "beside it and their folder."
      }
    }
  }

  /// The cause and the remedy, if a reason has a remedy of its own after a semicolon.
  ///
  /// - Parameter beginning: how the remedy begins, because paths may contain semicolons.
  private static func parts(
    of reason: String, remedy beginning: String = ""
  ) -> (cause: Substring, remedy: Substring)? {
    guard let semicolon = reason.firstRange(of: "; \(beginning)") else { return nil }
    let remedy = reason[semicolon.lowerBound...].dropFirst(2)
    return (reason[..<semicolon.lowerBound], remedy)
  }

  /// Whether the same call may be accepted later without any other change.
  public var isTransient: Bool {
    if case .unavailable = self { true } else { false }
  }
}
