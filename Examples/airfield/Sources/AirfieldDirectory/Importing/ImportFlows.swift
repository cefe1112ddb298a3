package import FieldstoneDurable

extension ImportServices {
  /// The name of the flow of parts.
  ///
  /// Imports of the command and of a server have parts of their own, as they are flows of their own.
  var partFlow: String { flow + ".part" }

  /// The flows of imports and of their parts, as a runner takes them.
  package var flows: [DurableFlow] {
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
