#if SQLite
  import FieldstoneDurable

  /// A stage whose work is what the test says.
  struct Errand: DurableStage, VersionedFlow {
    static let flowName = "errand"

    var name: String

    init(_ name: String) { self.name = name }

    struct Script: Sendable {
      let body:
        @Sendable (String, DurableContext<Script>) async throws -> DurableStep<Errand, String>
    }

    func next(in context: DurableContext<Script>) async throws -> DurableStep<Errand, String> {
      try await context.services.body(name, context)
    }
  }
#endif
