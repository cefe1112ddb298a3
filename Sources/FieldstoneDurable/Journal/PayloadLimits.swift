package import Foundation

/// The size limits of stages, completions and signals as JSON, and of keys.
///
/// They are set in one place: at the journal. Above the warning a runner emits an event. Above the
/// error an attempt fails; because the same work would have the same result, the run is dead at
/// once unless its policy says otherwise.
public struct PayloadLimits: Sendable, Hashable {
  /// Larger payloads cause a warning, in bytes.
  public var warning: Int
  /// Larger payloads are refused, in bytes.
  public var error: Int
  /// The largest size in UTF-8 bytes of a run's key, attributes and trace, of a signal's name and
  /// identifier, and of an actor's name; larger ones are refused.
  public var key: Int
  /// The largest number of children of a stage; more are refused.
  ///
  /// They are started in one transaction, which blocks all other writers of a SQLite journal.
  public var children: Int
  /// The largest number of a child's ancestors; deeper children are refused.
  public var depth: Int
  /// The number of newest log lines that a run keeps, clamped to 1…1,000.
  public var logLines = 200
  /// The largest size in UTF-8 bytes of a log line, and of a progress's text; longer ones are
  /// truncated.
  public var logLine = 1_000

  /// Makes limits; by default 256 KB and 1 MB, 1 KB for keys, 10,000 children and 16 ancestors.
  public init(
    warning: Int = 256 * 1024, error: Int = 1024 * 1024, key: Int = 1024, children: Int = 10_000,
    depth: Int = 16
  ) {
    self.warning = warning
    self.error = error
    self.key = key
    self.children = children
    self.depth = depth
  }
}

extension PayloadLimits {
  /// Throws for a payload above the limit.
  package func check(_ payload: Data) throws(JournalError) {
    if payload.count > error { throw .tooLarge(bytes: payload.count, limit: error) }
  }

  /// Throws for a checkpoint with a payload above the limit, or with a signal that is not JSON.
  package func checkPayloads(of checkpoint: Checkpoint) throws(JournalError) {
    try check(checkpoint.next.payload)
    for start in checkpoint.starts { try check(start.payload) }
    let children = checkpoint.next.children
    if children.count > self.children {
      throw .tooManyChildren(children.count, limit: self.children)
    }
    for child in children { try check(child.start.payload) }
    for signal in checkpoint.signals { try checkJSON(signal.signal.payload) }
  }

  /// Throws for a payload that is above the limit or not JSON; encoded payloads were checked
  /// before.
  package func checkJSON(_ payload: Data) throws(JournalError) {
    try check(payload)
    if PayloadEnvelope.isCoded(payload) { return }
    guard JSONSyntax.isValid(payload) else { throw .notJSON }
  }
}

extension PayloadLimits {
  /// Throws for children with too many ancestors.
  ///
  /// - Parameter depth: the number of their parent's ancestors.
  package func checkDepth(of checkpoint: Checkpoint, parentDepth depth: Int) throws(JournalError) {
    if !checkpoint.next.children.isEmpty, depth >= self.depth { throw .tooDeep(limit: self.depth) }
  }
}

extension PayloadLimits {
  /// Throws for a name or a key that is too long, or that contains a NUL.
  ///
  /// A database would truncate at the NUL, so two names might become equal.
  private func check(_ key: String) throws(JournalError) {
    let bytes = key.utf8.count
    if bytes > self.key { throw .keyTooLong(bytes: bytes, limit: self.key) }
    try key.checkName()
  }

  /// Throws for names that contain a NUL, and for names that are too long.
  package func checkNames(of start: RunStart) throws(JournalError) {
    try start.flow.checkName()
    if let key = start.key { try check(key) }
    if start.attributes.count > RunStart.mostAttributes {
      throw .tooManyAttributes(start.attributes.count, limit: RunStart.mostAttributes)
    }
    for (name, value) in start.attributes {
      try check(name)
      try check(value.stored)
    }
    if let trace = StoredDictionary.text(start.trace) {
      let bytes = trace.utf8.count
      if bytes > key { throw .traceTooLong(bytes: bytes, limit: key) }
      for (name, value) in start.trace {
        try name.checkName()
        try value.checkName()
      }
    }
    if let key = start.concurrencyKey { try check(key) }
    if let actor = start.actor { try check(actor) }
  }

  /// Throws for names that contain a NUL, and for names that are too long.
  package func check(actor: String?) throws(JournalError) {
    if let actor { try check(actor) }
  }

  /// Throws for names that contain a NUL, and for names that are too long.
  package func checkName(ofSchedule name: String) throws(JournalError) { try check(name) }

  /// Throws for names that contain a NUL, and for names that are too long.
  package func checkNames(of target: PauseTarget) throws(JournalError) {
    try target.flow.checkName()
    if case .concurrencyKey(let key, flow: _) = target { try check(key) }
  }

  /// Throws for names that contain a NUL, and for names that are too long.
  package func checkNames(of signal: SignalRecord) throws(JournalError) {
    try AwaitedSignals.check([signal.name])
    try check(signal.id)
    try check(signal.name)
    try check(actor: signal.actor)
  }

  /// Throws for names that contain a NUL, and for names that are too long.
  package func checkNames(of checkpoint: Checkpoint) throws(JournalError) {
    if case .receiving(_, let names, until: _) = checkpoint.next {
      try AwaitedSignals.check(names)
      for name in names { try check(name) }
    }
    for start in checkpoint.starts { try checkNames(of: start) }
    for child in checkpoint.next.children { try checkNames(of: child.start) }
    for signal in checkpoint.signals { try checkNames(of: signal.signal) }
  }
}

extension String {
  /// Whether a journal can hold the text as a name or a key: a database would cut it at a NUL, and
  /// take it for another.
  package var isStorable: Bool { !utf8.contains(0) }

  func checkName() throws(JournalError) {
    if !isStorable { throw .containsNUL(self) }
  }
}
