extension RunQuery {
  /// Whether a run is among those that are asked for, its place in the pages aside.
  package func wants(_ record: RunRecord) -> Bool {
    (flow == nil || flow == record.flow)
      && (states.isEmpty || states.contains(record.state))
      && (key == nil || record.key.map { $0.utf8.elementsEqual(key?.utf8 ?? "".utf8) } ?? false)
      && since.map { record.startedAt >= $0 } ?? true
  }
}
