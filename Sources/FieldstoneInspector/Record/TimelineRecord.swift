#if INSPECTOR
  import FieldstoneCore
  import Foundation

  /// The last events of the process, bounded by their number and their bytes.
  ///
  /// Any thread may add an event, in O(1). A full record drops and counts the oldest events. A
  /// paused record drops and counts new events.
  final class TimelineRecord: Sendable {
    /// The maximum number and size of the entries.
    struct Limits: Sendable {
      var count = 10_000
      var bytes = 8 << 20
    }

    /// A copy of the record at one time.
    struct Snapshot: Sendable {
      /// The entries, oldest first.
      var entries: ArraySlice<TimelineEntry> = []
      var isPaused = false
      /// The number of evicted entries.
      var dropped = 0
      /// The number of entries dropped during a pause.
      var missed = 0
    }

    private struct State {
      var entries: [TimelineEntry] = []
      /// The index of the oldest entry; entries before it are released together.
      var first = 0
      var bytes = 0
      var last = 0
      var isPaused = false
      var dropped = 0
      var missed = 0
    }

    private let limits: Limits
    private let state = Locked(State())

    init(limits: Limits = Limits()) {
      self.limits = limits
    }

    func add(_ entry: TimelineEntry) {
      let entry = entry.bounded
      let cost = entry.cost
      let limits = limits
      state.withLock { state in
        guard !state.isPaused else {
          state.missed += 1
          return
        }
        state.last += 1
        var entry = entry
        entry.number = state.last
        state.entries.append(entry)
        state.bytes += cost
        while state.entries.count - state.first > limits.count
          || state.bytes > limits.bytes && state.first < state.entries.count
        {
          state.bytes -= state.entries[state.first].cost
          state.first += 1
          state.dropped += 1
        }
        if state.first > 256, state.first > state.entries.count / 2 {
          state.entries.removeFirst(state.first)
          state.first = 0
        }
      }
    }

    /// Whether an entry was ever added.
    var hasEntries: Bool { state.withLock { $0.last > 0 } }

    var snapshot: Snapshot {
      state.withLock { state in
        Snapshot(
          entries: state.entries[state.first...], isPaused: state.isPaused, dropped: state.dropped,
          missed: state.missed)
      }
    }

    /// Pauses or resumes the recording.
    func setPaused(_ isPaused: Bool) {
      state.withLock { $0.isPaused = isPaused }
    }

    /// Removes all entries; the numbers continue.
    func clear() {
      state.withLock { state in
        (state.entries, state.first, state.bytes) = ([], 0, 0)
        (state.dropped, state.missed) = (0, 0)
      }
    }
  }
#endif
