#if SQLite
  package import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Keeps what a run can be found by.
    func index(_ attributes: [String: RunAttribute], of id: RunID) throws {
      for (name, value) in attributes {
        try execute(
          "INSERT INTO fieldstone_attribute (name, value, run_id) VALUES (?, ?, ?)",
          [name, value.stored, id.description])
      }
    }

    func removeAttributes(of number: Int) throws {
      try execute(
        """
        DELETE FROM fieldstone_attribute \
        WHERE run_id = (SELECT id FROM fieldstone_run WHERE number = ?)
        """, [number])
    }

    /// The runs that have attributes, the youngest first.
    ///
    /// O(log n + m) for the m runs that have the rarest of the attributes, and less where a page is full
    /// before.
    func records(having query: RunQuery, limit: Int) throws -> [RunRecord] {
      let all = try byRarity(query.attributes)
      var arguments: StatementArguments = []
      for (place, one) in all.enumerated() {
        arguments += [one.name, one.value]
        if place == 0 { arguments += [query.before?.description ?? "~"] }
      }
      if let flow = query.flow { arguments += [flow] }
      if let since = query.since { arguments += [since.stored] }
      let sql = AttributeSearch.sql(for: query, attributes: all.count, limit: limit)
      return try rows(sql, arguments).map(RunColumns.record)
    }

    /// Attributes as they are stored, the rarest first, as far as a thousand runs of each tell.
    private func byRarity(
      _ attributes: [String: RunAttribute]
    ) throws -> [(name: String, value: String)] {
      let all = attributes.map { (name: $0.key, value: $0.value.stored) }
      guard all.count > 1 else { return all }
      let sql = """
        SELECT COUNT(*) FROM \
        (SELECT 1 FROM fieldstone_attribute WHERE name = ? AND value = ? LIMIT 1000)
        """
      let counted = try all.map { one in
        (one, try row(sql, [one.name, one.value])?.whole(0) ?? 0)
      }
      return counted.sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }.map(\.0)
    }
  }

  /// The search for runs that have attributes.
  package enum AttributeSearch {
    /// A walk of the index of one attribute, from the youngest run on, with a look at each of its runs.
    ///
    /// - Parameter count: how many attributes there are; the first is the one to walk by.
    package static func sql(for query: RunQuery, attributes count: Int, limit: Int) -> String {
      var conditions = "name = ? AND value = ? AND run_id < ?"
      for _ in 1..<max(count, 1) {
        conditions += """
           AND EXISTS (SELECT 1 FROM fieldstone_attribute AS other WHERE other.name = ? \
          AND other.value = ? AND other.run_id = fieldstone_attribute.run_id)
          """
      }
      if query.flow != nil { conditions += " AND flow = ?" }
      if !query.states.isEmpty {
        let codes = query.states.map { "\($0.code)" }.sorted().joined(separator: ", ")
        conditions += " AND state IN (\(codes))"
      }
      if query.since != nil { conditions += " AND started_at >= ?" }
      // A cross join keeps its order: without statistics SQLite may begin with all runs of a flow.
      return """
        SELECT \(RunColumns.list) FROM fieldstone_attribute CROSS JOIN fieldstone_run \
        ON id = run_id WHERE \(conditions) ORDER BY run_id DESC LIMIT \(limit + 1)
        """
    }
  }
#endif
