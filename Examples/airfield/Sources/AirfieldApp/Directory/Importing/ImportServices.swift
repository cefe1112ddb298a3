import FieldstoneDurable
import FieldstoneSQLite
import GRDB

/// What an import needs from outside; none of it is state of the import.
struct ImportServices: Sendable {
  let directory: AirportDirectory

  /// The name of the flow of imports; that of their parts follows from it.
  var flow = AirportImport.flowName

  /// Whether the journal is in another database than the airports.
  var isElsewhere = false
  var batchesPerPart = ImportCuts.batchesPerPart

  /// Whether the rejected rows of an import that is over stay in the database, to be looked at.
  var keepsRejects = false

  /// Called with what is stored of imports that are wanted.
  var progress: @Sendable (ImportProgress) -> Void = { _ in }

  /// Whether an import that is found unfinished goes on; it is given up otherwise.
  let isWanted: @Sendable (ImportSource) -> Bool

  let reading = ReadAhead()

  var rejects: RejectsFile { RejectsFile(database: directory.path) }

  /// Tells how far an import has come, if it is one that is wanted here.
  func report(_ fraction: Double, _ counts: ImportCounts, of source: ImportSource) {
    guard isWanted(source) else { return }
    progress(ImportProgress(fraction: fraction, counts: counts))
  }
}

extension DurableContext<ImportServices> {
  /// Stores what a stage comes to: in the transaction of its checkpoint where the journal is in the same
  /// database, and at once where it is elsewhere.
  ///
  /// Elsewhere a process may die between the two, and the stage is done again: what is stored has to say so
  /// itself. The place of an import does, as it moves on in the transaction that stores the rows before it.
  func store(_ write: @escaping @Sendable (Database) throws -> Void) async throws {
    guard services.isElsewhere else { return atCheckpoint(write) }
    try await services.directory.write(write)
  }
}

extension ImportServices {
  /// The name of the flow of parts.
  ///
  /// Imports of the command and of a server have parts of their own, as they are flows of their own.
  var partFlow: String { flow + ".part" }

  /// The flows of imports and of their parts, as a runner takes them.
  var flows: [DurableFlow] {
    [
      DurableFlow(
        AirportImport.self, name: flow, version: AirportImport.flowVersion, services: self,
        options: .oneAtATime.waiting(isElsewhere)),
      DurableFlow(
        AirportImportPart.self, name: partFlow, services: self,
        options: .partsInOrder.waiting(isElsewhere)),
    ]
  }
}

extension FlowOptions {
  /// Those of the same concurrency key one after the other on all workers, in the order of starting.
  ///
  /// Also where many processes could do several at once: of rows with the same code the first one counts,
  /// airports are numbered in the order of the file, and SQLite lets one process write at a time.
  ///
  /// One that is dead does not keep its place: those behind it are cancelled with its death, and those
  /// that are started in their stead must not wait for it.
  fileprivate static var partsInOrder: FlowOptions {
    var options = Self.oneAtATime
    options.limits = FlowLimits(perKey: FlowLimits.PerKey(1, whenStuck: .releases))
    return options
  }

  /// Those that wait where the directory can't be written, as on a full disk, if what they store is no part
  /// of their checkpoints, with which the runner waits by itself.
  fileprivate func waiting(_ isElsewhere: Bool) -> Self {
    guard isElsewhere else { return self }
    var options = self
    options.retryPolicy = { _ in
      StageRetryPolicy(maximumAttempts: .max, maximumDelay: .seconds(10)) { error in
        (error as? JournalError)?.isTransient == true
      }
    }
    return options
  }
}
