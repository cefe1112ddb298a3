#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Stores a run's attributes for queries.
    func index(_ attributes: [String: RunAttribute], of id: RunID) throws {
      guard !attributes.isEmpty else { return }
      try execute(
        """
        INSERT INTO attribute (name, value, id) SELECT n.name, n.value, $3 \
        FROM unnest($1::text[], $2::text[]) AS n(name, value)
        """,
        [
          .texts(Array(attributes.keys)), .texts(attributes.values.map(\.stored)), .identifier(id),
        ])
    }
  }
#endif
