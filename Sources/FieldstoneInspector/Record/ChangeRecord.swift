#if INSPECTOR
  import FieldstoneCore

  /// The last changes that were made or tried through the pages of this process.
  ///
  /// The journal stores successful changes of all processes; this record also has refused changes
  /// and those of watched objects.
  final class ChangeRecord: Sendable {
    /// The maximum number kept; the oldest are evicted.
    static let limit = 1_000

    /// A change and its number, starting at 1.
    struct Entry: Sendable {
      var number: Int
      var change: InspectorChange
    }

    private let entries = Locked((last: 0, kept: [Entry]()))
    private let onChange: (@Sendable (InspectorChange) -> Void)?

    init(_ onChange: (@Sendable (InspectorChange) -> Void)?) { self.onChange = onChange }

    /// Adds a change with bounded texts, and passes it to the caller's handler.
    func add(_ change: InspectorChange) {
      var change = change
      change.person = change.person?.shortened(to: 120)
      change.subject = change.subject.shortened(to: 300)
      change.refusal = change.refusal?.shortened(to: 500)
      entries.withLock { [change] entries in
        entries.last += 1
        entries.kept.append(Entry(number: entries.last, change: change))
        if entries.kept.count > 2 * Self.limit {
          entries.kept.removeFirst(entries.kept.count - Self.limit)
        }
      }
      onChange?(change)
    }

    /// The changes before a number, newest first, and the number of evicted ones.
    func page(before number: Int?, limit: Int) -> (entries: [Entry], hasMore: Bool, dropped: Int) {
      let (last, kept) = entries.withLock { ($0.last, $0.kept.suffix(Self.limit)) }
      let found = kept.reversed().lazy.filter { $0.number < number ?? .max }.prefix(limit + 1)
      return (Array(found.prefix(limit)), found.count > limit, max(last - Self.limit, 0))
    }
  }
#endif
