#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// A page of the runs that a filter finds.
  struct RunSearch {
    /// The most runs that one page looks through for filters that the journal has no index for.
    static let limit = 2_000
    /// The most bytes of their stages.
    static let byteLimit = 16 << 20

    var page = RunPage(runs: [])
    /// How many runs were looked through; nil where the journal's indices have answered.
    var looked: Int?
  }

  extension Journal {
    /// A page of the runs of a filter, the youngest first.
    ///
    /// O(runs of the page) by the journal's indices. A filter by error or by reason of waiting looks
    /// through at most ``RunSearch/limit`` runs; the page after it goes on where it has stopped.
    func search(_ filter: RunFilter, _ pauses: RunPauses, at date: Date) async throws -> RunSearch {
      var query = filter.query
      guard filter.looksThrough else { return RunSearch(page: try await runs(query)) }
      var search = RunSearch(looked: 0)
      var (looked, bytes) = (0, 0)
      let wanted = query.effectiveLimit
      query.limit = 250
      while true {
        let page = try await runs(query)
        for run in page.runs {
          looked += 1
          bytes += run.payload.count
          if filter.takes(run, pauses, at: date) { search.page.runs.append(run) }
          search.page.next = run.id
          if search.page.runs.count == wanted || looked == RunSearch.limit
            || bytes > RunSearch.byteLimit
          {
            search.looked = looked
            return search
          }
        }
        // A journal that gives the same page again would be read for ever.
        guard let next = page.next, next != query.before, !page.runs.isEmpty else {
          search.page.next = nil
          search.looked = looked
          return search
        }
        query.before = next
      }
    }
  }
#endif
