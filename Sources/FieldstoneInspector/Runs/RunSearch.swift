#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// The limits of a page of runs without an index.
  enum RunSearch {
    /// The maximum number of runs that one page scans for filters without an index.
    static let limit = 2_000
    /// The maximum size of their stages, in bytes.
    static let byteLimit = 16 << 20
  }

  extension Journal {
    /// A page of the runs of a filter, in its order.
    ///
    /// O(runs of the page) with the journal's indices. A filter by a part of an error, or for runs
    /// that wait for a worker, scans at most ``RunSearch/limit`` runs; the next page continues
    /// there.
    func search(_ filter: RunFilter, _ pauses: RunPauses, at date: Date) async throws -> RunLookup {
      guard filter.looksThrough else { return RunLookup(page: try await runs(filter.query)) }
      return try await lookThrough(
        filter.query, atMost: RunSearch.limit, bytes: RunSearch.byteLimit
      ) { filter.takes($0, pauses, at: date) }
    }
  }
#endif
