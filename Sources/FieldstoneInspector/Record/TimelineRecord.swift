#if INSPECTOR
  import FieldstoneCore
  import Foundation

  /// The last events of the process, bounded by their number and their bytes.
  ///
  /// Any thread may add an event, in O(1), also while pages hold snapshots. A full record drops and
  /// counts the oldest events. A paused record drops and counts new events.
  ///
  /// A detail may be given as a closure, which is called when a page reads the record. The record
  /// holds the newest ``Limits/unread`` of them; the details of older events stay
  /// ``unreadDetail``.
  final class TimelineRecord: Sendable {
    /// The maximum number and size of the entries.
    struct Limits: Sendable {
      var count = 10_000
      var bytes = 8 << 20
      /// The number of details that wait to be read, with the values that they hold.
      var unread = 200
    }

    /// Makes a detail; it may run code of users, such as a value's `encode(to:)`.
    typealias Detail = @Sendable () -> String

    /// The detail of an event whose value was not read.
    static let unreadDetail = "…"

    /// A copy of the record at one time.
    struct Snapshot: Sendable {
      /// The entries, oldest first.
      var entries = ChunkedEntries<TimelineEntry>()
      var isPaused = false
      /// The number of evicted entries.
      var dropped = 0
      /// The number of entries dropped during a pause.
      var missed = 0
    }

    private struct State {
      var entries = ChunkedEntries<TimelineEntry>()
      var bytes = 0
      var last = 0
      var isPaused = false
      var dropped = 0
      var missed = 0
      /// The details that no page has read, with the numbers of their events, oldest first.
      var unread: [(number: Int, make: Detail)] = []

      /// Evicts the oldest entries until the rest is within the limits.
      mutating func makeRoom(_ limits: Limits) {
        while entries.count > limits.count || bytes > limits.bytes, let first = entries.first {
          bytes -= first.cost
          entries.removeFirst()
          dropped += 1
        }
      }

      /// Sets the detail of an entry, unless it was evicted.
      mutating func set(_ detail: String, of number: Int) {
        // The numbers of the entries have no gap.
        guard let oldest = entries.first?.number else { return }
        let index = number - oldest
        guard entries.indices.contains(index) else { return }
        bytes -= entries[index].cost
        entries[index].detail = detail
        bytes += entries[index].cost
      }
    }

    private let limits: Limits
    private let state = Locked(State())

    init(limits: Limits = Limits()) {
      self.limits = limits
    }

    /// Adds an event, with a detail that is made when a page reads the record.
    func add(_ entry: TimelineEntry, detail: Detail? = nil) {
      var entry = entry
      if detail != nil { entry.detail = Self.unreadDetail }
      let bounded = entry.bounded
      let cost = bounded.cost
      let limits = limits
      // Returned, because values are released outside the lock.
      let evicted = state.withLock { state in
        guard !state.isPaused else {
          state.missed += 1
          return [(number: Int, make: Detail)]()
        }
        state.last += 1
        var entry = bounded
        entry.number = state.last
        state.entries.append(entry)
        state.bytes += cost
        state.makeRoom(limits)
        guard let detail else { return [] }
        state.unread.append((entry.number, detail))
        // Half of them at once, so that an event costs O(1).
        guard state.unread.count > 2 * limits.unread else { return [] }
        defer { state.unread.removeFirst(limits.unread) }
        return Array(state.unread.prefix(limits.unread))
      }
      withExtendedLifetime(evicted) {}
    }

    /// Makes the details that no page has read yet; call it before a snapshot for a page.
    func readDetails() {
      let unread = state.withLock { $0.unread }
      guard let last = unread.last?.number else { return }
      let limits = limits
      // The older ones are about to be evicted.
      for (number, make) in unread.suffix(limits.unread) {
        let detail = make().shortened(to: TimelineEntry.longestDetail)
        state.withLock { state in
          state.set(detail, of: number)
          state.makeRoom(limits)
        }
      }
      state.withLock { $0.unread.removeAll { $0.number <= last } }
      // Values are released outside the lock.
      withExtendedLifetime(unread) {}
    }

    /// Adds the events of an exported record, with its counts.
    func load(_ entries: [TimelineEntry], dropped: Int, missed: Int) {
      for entry in entries.suffix(limits.count) { add(entry) }
      let skipped = max(entries.count - limits.count, 0)
      state.withLock { state in
        state.dropped += skipped + Self.count(dropped)
        state.missed += Self.count(missed)
      }
    }

    /// A count of an untrusted file, so that no sum overflows.
    private static func count(_ number: Int) -> Int { min(max(number, 0), 1 << 52) }

    /// Whether an entry was ever added.
    var hasEntries: Bool { state.withLock { $0.last > 0 } }

    var snapshot: Snapshot {
      state.withLock { state in
        Snapshot(
          entries: state.entries, isPaused: state.isPaused, dropped: state.dropped,
          missed: state.missed)
      }
    }

    /// Pauses or resumes the recording.
    func setPaused(_ isPaused: Bool) {
      state.withLock { $0.isPaused = isPaused }
    }

    /// Removes all entries; the numbers continue.
    func clear() {
      let unread = state.withLock { state in
        (state.entries, state.bytes) = (ChunkedEntries(), 0)
        (state.dropped, state.missed) = (0, 0)
        defer { state.unread = [] }
        return state.unread
      }
      withExtendedLifetime(unread) {}
    }
  }
#endif
