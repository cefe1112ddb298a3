package import FieldstoneDurable
import Foundation

/// A page of runs, some of which were found by a scan.
package struct RunLookup: Sendable {
  /// The matching runs, and the beginning of the next page.
  package var page = RunPage(runs: [])
  /// The number of scanned runs; nil if the journal's indices have answered.
  package var looked: Int?

  package init(page: RunPage = RunPage(runs: []), looked: Int? = nil) {
    self.page = page
    self.looked = looked
  }
}

extension Journal {
  /// A page of the runs of a query that pass a test without an index.
  ///
  /// It ends when the page is full, or at a maximum number of scanned runs; the next page continues
  /// there. O(runs scanned).
  ///
  /// - Parameters:
  ///   - query: the runs to scan.
  ///   - most: the maximum number of scanned runs.
  ///   - bytes: the maximum size of their stages, in bytes.
  ///   - isWanted: the test.
  package func lookThrough(
    _ query: RunQuery, atMost most: Int, bytes: Int = 64 << 20,
    where isWanted: (RunRecord) -> Bool
  ) async throws -> RunLookup {
    var query = query
    var lookup = RunLookup(looked: 0)
    var (looked, seen) = (0, 0)
    let wanted = query.effectiveLimit
    query.limit = 250
    while true {
      let page = try await runs(query)
      for run in page.runs {
        looked += 1
        seen += run.payload.count
        if isWanted(run) { lookup.page.runs.append(run) }
        if lookup.page.runs.count == wanted || looked == most || seen > bytes {
          let isLast = page.nextPlace == nil && run.id == page.runs.last?.id
          lookup.page.nextPlace = isLast ? nil : query.order.place(of: run)
          lookup.looked = looked
          return lookup
        }
      }
      // If a journal returned the same page again, the loop would not end.
      guard let next = page.nextPlace, next != query.after, !page.runs.isEmpty else {
        lookup.looked = looked
        return lookup
      }
      query.after = next
    }
  }
}

extension RunRecord {
  /// Whether its error contains a text, case-insensitive; O(length of its error).
  package func hasError(containing part: String) -> Bool {
    error?.range(of: part, options: .caseInsensitive) != nil
  }
}
