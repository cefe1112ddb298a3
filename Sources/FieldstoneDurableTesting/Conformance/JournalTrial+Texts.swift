import FieldstoneDurable
import Foundation

/// Texts that differ by case, by a space or by being empty are different texts.
extension JournalTrial {
  static var texts: [Self] {
    [
      Self(.key) { try await $0.distinguishesKeys() },
      Self(.start) { try await $0.distinguishesConcurrencyKeys() },
      Self(.attributes) { try await $0.distinguishesAttributes() },
      Self(.signal) { try await $0.distinguishesNamesOfSignals() },
      Self(.signalOnce) { try await $0.distinguishesIdentifiersOfSignals() },
    ]
  }

  /// A text, and others that a careless journal takes for it.
  fileprivate static let similarTexts = ["x", "X", "x ", " x", ""]
}

extension JournalExamination {
  func distinguishesKeys() async throws {
    var ids: [RunID] = [try await start("similar").id]
    for key in JournalTrial.similarTexts {
      let record = try await start("similar", key: key)
      expect(record.key, equals: key, .key, "the key of the answer")
      expect(try await run(record.id).key, equals: key, .key, "the key of a run")
      expect(!ids.contains(record.id), .key, "the key “\(key)” was taken for another or for none.")
      ids.append(record.id)
    }
    for (key, id) in zip(JournalTrial.similarTexts, ids.dropFirst()) {
      let found = try await journal.runs(RunQuery(flow: "similar", key: key)).runs.map(\.id)
      expect(found, equals: [id], .key, "the run of the key “\(key)”")
      expect(
        try await start("similar", key: key).id, equals: id, .key, "a second start of “\(key)”")
    }
  }

  func distinguishesConcurrencyKeys() async throws {
    for paused in JournalTrial.similarTexts {
      let flow = "flow of “\(paused)”"
      var others: Set<RunID> = [try await start(flow, concurrencyKey: nil).id]
      for key in JournalTrial.similarTexts {
        let id = try await start(flow, concurrencyKey: key).id
        let found = try await run(id).concurrencyKey
        expect(found, equals: key, .start, "the concurrency key of a run")
        if key != paused { others.insert(id) }
      }
      try await pause(.concurrencyKey(paused, flow: flow))
      let given = try await claimed(flow)
      expect(given, equals: others, .pause, "what is claimed while the key “\(paused)” is paused")
    }
  }

  func distinguishesAttributes() async throws {
    var ids: [RunID] = []
    for value in JournalTrial.similarTexts {
      var start = RunStart(id: newID(), flow: "flow", version: 1, payload: json(0))
      start.attributes = ["text": .string(value)]
      ids.append(try await journal.start(start, at: time).id)
      let kept = try await run(start.id).attributes
      expect(kept, equals: start.attributes, .attributes, "the attributes of a run")
    }
    for (value, id) in zip(JournalTrial.similarTexts, ids) {
      var query = RunQuery()
      query.attributes = ["text": .string(value)]
      let found = try await journal.runs(query).runs.map(\.id)
      expect(found, equals: [id], .attributes, "the runs of the attribute “\(value)”")
    }
  }

  func distinguishesNamesOfSignals() async throws {
    for name in JournalTrial.similarTexts where !name.isEmpty {
      let flow = "flow of “\(name)”"
      let run = try await startAndClaim(flow)
      try await checkpoint(run, .receiving(json(1), signals: [name], until: nil))
      for other in JournalTrial.similarTexts where other != name {
        try await signal(run.id, "signal “\(other)”", named: other)
      }
      let early = try await claim(flow).runs
      expect(early, equals: [], .signal, "what is claimed by signals of similar names")
      guard early.isEmpty else { continue }
      try await signal(run.id, "right", named: name)
      let received = try await claimOne(flow).signal
      expect(received?.name, equals: name, .signal, "the name of a signal that came beside others")
    }
  }

  func distinguishesIdentifiersOfSignals() async throws {
    var run = try await startAndClaim()
    for id in JournalTrial.similarTexts {
      let receipt = try await signal(run.id, id)
      expect(receipt, equals: .sent, .signalOnce, "the answer to the first signal “\(id)”")
    }
    var consumed: [String] = []
    for id in JournalTrial.similarTexts {
      try await checkpoint(
        run, .receiving(json(1), signals: ["go"], until: nil), consuming: consumed)
      let claimed = try await claimOne()
      expect(claimed.signal?.id, equals: id, .signalOnce, "the next of similar signals")
      run = claimed.record
      consumed = [id]
    }
  }
}
