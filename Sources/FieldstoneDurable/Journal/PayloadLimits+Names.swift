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
    for signal in checkpoint.signals { try checkNames(of: signal.signal) }
  }
}

extension String {
  fileprivate func checkName() throws(JournalError) {
    if utf8.contains(0) { throw .containsNUL(self) }
  }
}
