import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in that similar texts are taken for the same.
extension BrokenJournal {
  static var texts: [Self] {
    let careless: [(String, @Sendable (String) -> String?)] = [
      ("are compared without case", { $0.lowercased() }),
      ("are trimmed", { $0.trimmingCharacters(in: .whitespaces) }),
      ("are none if they are empty", { $0.isEmpty ? nil : $0 }),
    ]
    let starts = careless.flatMap { description, stored in
      [
        Self(.key, "keys \(description)") {
          $0.onStart = starting { $0.key = $0.key.flatMap(stored) }
        },
        Self(.start, "concurrency keys \(description)") {
          $0.onStart = starting { $0.concurrencyKey = $0.concurrencyKey.flatMap(stored) }
        },
        Self(.attributes, "values of attributes \(description)") {
          $0.onStart = starting { start in
            start.attributes = start.attributes.compactMapValues { value in
              if case .string(let text) = value { stored(text).map { .string($0) } } else { value }
            }
          }
        },
      ]
    }
    // An empty text can't be none here: a signal has a name and an identifier.
    let signals = careless.dropLast().flatMap { description, stored in
      [
        Self(.signal, "names of signals \(description)") {
          $0.onSignal = { base, id, signal, time in
            var signal = signal
            signal.name = stored(signal.name) ?? ""
            return try await base.signal(id, signal, at: time)
          }
        },
        Self(.signalOnce, "identifiers of signals \(description)") {
          $0.onSignal = { base, id, signal, time in
            var signal = signal
            signal.id = stored(signal.id) ?? ""
            return try await base.signal(id, signal, at: time)
          }
        },
      ]
    }
    return starts + signals + compared
  }

  private static var compared: [Self] {
    [
      Self(.pause, "a pause of a concurrency key is compared without case") {
        $0.onPause = { base, target, date, time in
          try await base.pause(target, until: date, by: nil, at: time)
          guard case .concurrencyKey(let key, let flow) = target else { return }
          for other in Set([key.uppercased(), key.lowercased()]) where other != key {
            try await base.pause(
              .concurrencyKey(other, flow: flow), until: date, by: nil, at: time)
          }
        }
      },
      Self(.attributes, "a query compares values without case") {
        $0.onRuns = { base, query in
          var page = try await base.runs(query)
          guard query.attributes == ["text": "x"] else { return page }
          var other = query
          other.attributes = ["text": "X"]
          page.runs += try await base.runs(other).runs
          return page
        }
      },
    ]
  }

  /// Starts of runs that are changed before.
  private static func starting(
    _ change: @escaping @Sendable (inout RunStart) -> Void
  ) -> @Sendable (InMemoryJournal, RunStart, JournalTime) async throws -> RunRecord {
    { base, start, time in
      var start = start
      change(&start)
      return try await base.start(start, at: time)
    }
  }
}
