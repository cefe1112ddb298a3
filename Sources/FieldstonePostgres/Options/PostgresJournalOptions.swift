#if PostgreSQL
  public import FieldstoneDurable

  /// The options of a journal in a PostgreSQL database.
  public struct PostgresJournalOptions: Sendable, Hashable {
    /// The schema of the journal's tables; it is created if it does not exist.
    ///
    /// Its name has 1 to 63 bytes, no NUL, and does not begin with `pg_`.
    public var schema: String
    /// The maximum size of a stage, a completion or a signal, in bytes; keys have at most 2,000
    /// bytes.
    public var limits: PayloadLimits
    /// The number of connections for checkpoints, at least one; each statement writes many
    /// checkpoints.
    public var checkpointConnections: Int
    /// The number of connections for other calls, at least one; renewals and notifications have one
    /// more each, and what waits for the locks of other transactions has two.
    public var connections: Int
    /// Whether a pooler shares the server's sessions between transactions, as PgBouncer does with
    /// `pool_mode = transaction`.
    ///
    /// Then statements are not kept prepared, and no setting outlasts a transaction; each call
    /// takes two more messages. Notifications of other processes do not arrive: runners and handles
    /// find changes at their polls.
    public var isPooled: Bool

    /// Makes options: the schema `fieldstone`, and at most eight connections.
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
