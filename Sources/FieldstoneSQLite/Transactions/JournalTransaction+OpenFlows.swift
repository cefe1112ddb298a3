#if SQLite
  import FieldstoneDurable
  import GRDB

  extension JournalTransaction {
    /// The flows with runs that are running, or ready and not in quarantine.
    ///
    /// It seeks in an index from one such flow to the next, so that a worker with a thousand flows that
    /// have none costs what one with one flow does.
    func openFlows(among rooms: [ClaimRequest.FlowRoom]) throws -> [ClaimRequest.FlowRoom] {
      guard rooms.count > 2 else { return rooms }
      let ready = """
        SELECT MIN(flow) FROM fieldstone_run WHERE state = 0 AND quarantine IS NULL AND flow >= ?
        """
      let running = "SELECT MIN(flow) FROM fieldstone_run WHERE state = 1 AND flow >= ?"
      // Mostly there is none at all: then a thousand names need not be put in order.
      let isAnyOpen = try [ready, running].contains { try row($0, [""])?.optionalText(0) != nil }
      guard isAnyOpen else { return [] }
      // By their bytes, as the index has them.
      let sorted = rooms.map(\.flow).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let open = try openFlows(among: sorted, ready).union(openFlows(among: sorted, running))
      return rooms.filter { open.contains(Array($0.flow.utf8)) }
    }

    private func openFlows(among sorted: [String], _ next: String) throws -> Set<[UInt8]> {
      var open: Set<[UInt8]> = []
      var rest = sorted[...]
      while let wanted = rest.first, let found = try row(next, [wanted])?.optionalText(0) {
        rest = rest.drop { $0.utf8.lexicographicallyPrecedes(found.utf8) }
        guard let first = rest.first, first.utf8.elementsEqual(found.utf8) else { continue }
        open.insert(Array(found.utf8))
        rest = rest.dropFirst()
      }
      return open
    }
  }
#endif
