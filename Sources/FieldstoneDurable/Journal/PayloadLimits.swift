package import Foundation

/// How many bytes a stage, a completion or a signal may have as JSON, and how many a key.
///
/// They are set in one place: at the journal. Above the warning a runner tells an event. Above the
/// error an attempt has failed; as the same work would come to the same, the run is dead at once
/// unless its policy says otherwise.
public struct PayloadLimits: Sendable, Hashable {
  /// Above this there is a warning.
  public var warning: Int
  /// Above this it is refused.
  public var error: Int
  /// How many bytes a run's key may have in UTF-8, and its attributes, its trace, and a signal's name
  /// and identifier; more are refused.
  public var key: Int
  /// How many children a stage may start; more are refused.
  ///
  /// They are started in one transaction, for which all other writers of a SQLite journal wait.
  public var children: Int
  /// How many ancestors a child may have; deeper ones are refused.
  public var depth: Int

  /// Makes limits; 256 KB and 1 MB, 1 KB for keys, 10,000 children and 16 ancestors unless told
  /// otherwise.
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
  /// Refuses a payload that is above the limit.
  package func check(_ payload: Data) throws(JournalError) {
    if payload.count > error { throw .tooLarge(bytes: payload.count, limit: error) }
  }

  /// Refuses a checkpoint of which a payload is above the limit, or a signal no JSON.
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

  /// Refuses a payload that is above the limit or no JSON.
  package func checkJSON(_ payload: Data) throws(JournalError) {
    try check(payload)
    guard (try? JSONSerialization.jsonObject(with: payload, options: .fragmentsAllowed)) != nil
    else { throw .notJSON }
  }
}

extension PayloadLimits {
  /// Refuses children with too many ancestors.
  ///
  /// - Parameter depth: how many ancestors their parent has.
  package func checkDepth(of checkpoint: Checkpoint, parentDepth depth: Int) throws(JournalError) {
    if !checkpoint.next.children.isEmpty, depth >= self.depth { throw .tooDeep(limit: self.depth) }
  }
}

extension PayloadLimits {
  /// Refuses a name or a key that a database would cut, as two of them might then be the same, and
  /// one that is too long.
  private func check(_ key: String) throws(JournalError) {
    let bytes = key.utf8.count
    if bytes > self.key { throw .keyTooLong(bytes: bytes, limit: self.key) }
    try key.checkName()
  }

  /// Refuses what can't be told from something else, and what is too long.
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
  }

  /// Refuses what can't be told from something else, and what is too long.
  package func checkName(ofSchedule name: String) throws(JournalError) { try check(name) }

  /// Refuses what can't be told from something else, and what is too long.
  package func checkNames(of target: PauseTarget) throws(JournalError) {
    try target.flow.checkName()
    if case .concurrencyKey(let key, flow: _) = target { try check(key) }
  }

  /// Refuses what can't be told from something else, and what is too long.
  package func checkNames(of signal: SignalRecord) throws(JournalError) {
    try check(signal.id)
    try check(signal.name)
  }

  /// Refuses what can't be told from something else, and what is too long.
  package func checkNames(of checkpoint: Checkpoint) throws(JournalError) {
    if case .receiving(_, let signal, until: _) = checkpoint.next { try check(signal) }
    for start in checkpoint.starts { try checkNames(of: start) }
    for child in checkpoint.next.children { try checkNames(of: child.start) }
    for signal in checkpoint.signals { try checkNames(of: signal.signal) }
  }
}

extension String {
  fileprivate func checkName() throws(JournalError) {
    if utf8.contains(0) { throw .containsNUL(self) }
  }
}
