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
    /// How many connections do the rest, at least one; renewals and notifications have one more each.
    public var connections: Int
    /// Whether a pooler gives the server's sessions to others between transactions, as PgBouncer does
    /// with `pool_mode = transaction`.
    ///
    /// Then statements are not kept prepared, and no setting outlasts a transaction; each call takes
    /// two messages more. No notifications of other processes come then: runners and handles find by
    /// their polls what others do.
    public var isPooled: Bool

    /// Makes options: the schema `fieldstone`, and six connections at most.
    public init(
      schema: String = "fieldstone", limits: PayloadLimits = PayloadLimits(),
      checkpointConnections: Int = 2, connections: Int = 2, isPooled: Bool = false
    ) {
      self.schema = schema
      self.limits = limits
      self.checkpointConnections = checkpointConnections
      self.connections = connections
      self.isPooled = isPooled
    }
  }
#endif
