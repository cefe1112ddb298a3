#if PostgreSQL
  public import FieldstoneDurable

  /// How a journal in a PostgreSQL database works.
  public struct PostgresJournalOptions: Sendable, Hashable {
    /// The schema that the journal's tables are in; it is made where it is not there.
    public var schema: String
    /// How many bytes a stage, a completion or a signal may have; keys have 2,000 bytes at most.
    public var limits: PayloadLimits
    /// How many connections write checkpoints, at least one; each writes many in one statement.
    public var checkpointConnections: Int
    /// How many connections do the rest, at least one; renewals have one more of their own.
    public var connections: Int

    /// Makes options: the schema `fieldstone`, and five connections at most.
    public init(
      schema: String = "fieldstone", limits: PayloadLimits = PayloadLimits(),
      checkpointConnections: Int = 2, connections: Int = 2
    ) {
      self.schema = schema
      self.limits = limits
      self.checkpointConnections = checkpointConnections
      self.connections = connections
    }
  }
#endif
