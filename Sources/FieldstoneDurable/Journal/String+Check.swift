extension String {
  /// Refuses a name or a key that a database would cut: two of them might then be the same.
  package func checkName() throws(JournalError) {
    if utf8.contains(0) { throw .holdsNUL(self) }
  }
}

extension RunStart {
  /// Refuses what can't be told from something else.
  package func checkNames() throws(JournalError) {
    try flow.checkName()
    try key?.checkName()
  }
}

extension SignalRecord {
  /// Refuses what can't be told from something else.
  package func checkNames() throws(JournalError) {
    try id.checkName()
    try name.checkName()
  }
}

extension Checkpoint {
  /// Refuses what can't be told from something else.
  package func checkNames() throws(JournalError) {
    if case .receiving(_, let signal, until: _) = next { try signal.checkName() }
  }
}
