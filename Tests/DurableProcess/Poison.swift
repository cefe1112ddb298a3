#if SQLite
  import FieldstoneDurable
  import Foundation

  /// A flow whose work kills the process that does it.
  struct Poison: DurableStage, VersionedFlow {
    static let flowName = "poison"
    /// How often it may kill a process that has it alone.
    static let budget = 3

    func next(in context: DurableContext<Effects>) async throws -> DurableStep<Self, Int> {
      await context.services.crowd?.gather(for: context.attempt)
      try context.services.add("\(context.idempotencyKey) \(context.attempt)")
      kill(getpid(), SIGKILL)
      return .complete(0)
    }
  }
#endif
