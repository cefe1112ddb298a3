import FieldstoneDurable

extension DurableRunner {
  /// Calls an import off together with the part that is under way, so that nothing of it is stored once
  /// this has returned.
  ///
  /// The journal cancels the parts, too, before it gives any run to a worker; what a worker has already
  /// it would keep until then.
  func cancel(_ id: RunID) async throws {
    try await handle(id, completion: ImportEnd.self).cancel()
    var place: ChildPlace?
    repeat {
      let page = try await journal.children(of: id, at: nil, after: place, limit: 1_000)
      for part in page.children where part.state == .running {
        try await handle(part.id, completion: ImportPartEnd.self).cancel()
      }
      place = page.next
    } while place != nil
  }
}
