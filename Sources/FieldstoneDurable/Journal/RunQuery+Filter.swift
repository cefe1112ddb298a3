extension RunQuery {
  /// Whether a run is among those that are asked for, its place in the pages aside.
  package func wants(_ record: RunRecord) -> Bool {
    (flow == nil || flow == record.flow)
      && (states.isEmpty || states.contains(record.state))
      && (key == nil || isKey(of: record))
      && since.map { record.startedAt >= $0 } ?? true
  }

  /// Byte by byte, as a database compares.
  private func isKey(of record: RunRecord) -> Bool {
    guard let key, let other = record.key else { return false }
    return key.utf8.elementsEqual(other.utf8)
  }
}
