import FieldstoneDurable
import Foundation

/// Texts that differ by case, by a space or by being empty are different texts; none has a NUL.
extension JournalTrial {
  static var texts: [Self] {
    [
      Self(.key) { try await $0.distinguishesKeys() },
      Self(.start) { try await $0.distinguishesConcurrencyKeys() },
      Self(.attributes) { try await $0.distinguishesAttributes() },
      Self(.signal) { try await $0.distinguishesNamesOfSignals() },
      Self(.signalOnce) { try await $0.distinguishesIdentifiersOfSignals() },
      Self(.start) { try await $0.refusesNULInStarts() },
      Self(.filter) { try await $0.findsNothingByNUL() },
      Self(.claim) { try await $0.claimsNothingByNUL() },
      Self(.auditPages) { try await $0.findsNoAuditByNUL() },
      Self(.checkpoint) { try await $0.refusesNULInCheckpoints() },
      Self(.signalRefusal) { try await $0.refusesNULInSignals() },
      Self(.pause) { try await $0.refusesNULInPauses() },
      Self(.limits) { try await $0.refusesNULInLimits() },
    ]
  }

  /// A text, and others that a careless journal takes for it.
  fileprivate static let similarTexts = ["x", "X", "x ", " x", ""]

  /// Texts that a database may cut to “x” and to nothing.
  fileprivate static let textsWithNUL = ["x\0y", "x\0", "\0"]
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

extension JournalExamination {
  func refusesNULInStarts() async throws {
    let plain = RunStart(id: newID(), flow: "x", version: 1, payload: json(0))
    for text in JournalTrial.textsWithNUL {
      var starts = [plain, plain, plain]
      (starts[0].flow, starts[1].key, starts[2].concurrencyKey) = (text, text, text)
      for var start in starts {
        start.id = newID()
        let refused = start
        try await expectRefusal(.start, .containsNUL, of: start.id, "a start with a NUL") {
          _ = try await journal.start(refused, at: time)
        }
        let answers = await journal.start([start], at: time)
        guard case .failure(let error as JournalError)? = answers.first, case .containsNUL = error
        else {
          expect(false, .start, "a start with a NUL among many was not refused.")
          continue
        }
      }
      // Texts that are no names may be refused, but not cut.
      starts = [plain, plain, plain, plain]
      starts[0].attributes = ["text": .string(text)]
      starts[1].attributes = [text: 1]
      starts[2].trace = ["trace": text]
      starts[3].trace = [text: "trace"]
      for var start in starts {
        start.id = newID()
        do {
          let run = try await journal.start(start, at: time)
          expect(
            run.attributes == start.attributes && run.trace == start.trace, .start,
            "an attribute or a trace with a NUL was cut.")
        } catch JournalError.containsNUL {}
      }
    }
  }

  func findsNothingByNUL() async throws {
    var start = RunStart(id: newID(), flow: "x", version: 1, key: "x", payload: json(0))
    start.attributes = ["x": "x"]
    _ = try await journal.start(start, at: time)
    let run = try await claimOne("x").record
    try await checkpoint(run, .receiving(json(1), signals: ["x"], until: nil))
    for text in JournalTrial.textsWithNUL {
      var queries =
        [RunQuery(flow: text), RunQuery(key: text)] + Array(repeating: RunQuery(), count: 4)
      queries[2].keyPrefix = text
      queries[3].attributes = ["x": .string(text)]
      queries[4].attributes = [text: "x"]
      queries[5].waiting = .signal(text)
      for query in queries {
        let page = try await journal.runs(query)
        expect(page, equals: RunPage(runs: []), .filter, "what a query with a NUL finds")
        let count = try await journal.count(query, atMost: 9)
        expect(count, equals: RunCount(0), .filter, "the count of a query with a NUL")
      }
    }
  }

  func claimsNothingByNUL() async throws {
    let ids = [try await start("x").id, try await start("y").id]
    let rooms = JournalTrial.textsWithNUL.map {
      ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 9)
    }
    func given(
      _ rooms: [ClaimRequest.FlowRoom], _ quarantine: ClaimRequest.Quarantine
    ) async throws -> Set<RunID> {
      let request = ClaimRequest(
        worker: "worker", flows: rooms, lease: .seconds(60), quarantine: quarantine)
      return Set(try await journal.claim(request, at: time).runs.map(\.record.id))
    }
    for quarantine in [ClaimRequest.Quarantine.disregarded, .left(after: 2)] {
      for room in rooms {
        expect(
          try await given([room], quarantine), equals: [], .claim,
          "what a claim of a name with a NUL gives")
      }
      expect(
        try await given(rooms, quarantine), equals: [], .claim,
        "what a claim of three such names gives")
    }
    let plain = ["x", "y"].map { ClaimRequest.FlowRoom(flow: $0, version: 1, limit: 9) }
    expect(
      try await given(plain + rooms, .left(after: 2)), equals: Set(ids), .claim,
      "what is claimed beside names with a NUL")
    for text in JournalTrial.textsWithNUL {
      try await expectRefusal(.claim, .containsNUL, of: ids[0], "a claim by a name with a NUL") {
        _ = try await claim("x", worker: text)
      }
    }
  }

  func findsNoAuditByNUL() async throws {
    for target in [PauseTarget.flow("x"), .concurrencyKey("x", flow: "x")] {
      try await journal.pause(target, until: nil, by: "ada", at: time)
    }
    for text in JournalTrial.textsWithNUL {
      let subjects: [AuditSubject] = [
        .flow(text), .concurrencyKey(text, flow: "x"), .concurrencyKey("x", flow: text),
      ]
      for subject in subjects {
        let page = try await journal.audit(AuditQuery(subject: subject))
        expect(
          page, equals: AuditPage(records: []), .auditPages, "the rows of a name with a NUL")
      }
    }
  }

  func refusesNULInCheckpoints() async throws {
    let run = try await startAndClaim()
    for text in JournalTrial.textsWithNUL {
      let start = RunStart(id: newID(), flow: text, version: 1, payload: json(0))
      let nexts: [Checkpoint.Next] = [
        .receiving(json(1), signals: ["go", text], until: nil),
        .joining(json(1), .init([ChildStart(start)])),
      ]
      for next in nexts {
        try await expectRefusal(.checkpoint, .containsNUL, of: run.id, "a step with a NUL") {
          try await checkpoint(run, next)
        }
      }
      var starting = Checkpoint(
        claim: run.claim, version: 1, next: .stage(json(1)), beganAt: time.date,
        lease: .seconds(60))
      starting.starts = [start]
      let refused = starting
      try await expectRefusal(.checkpoint, .containsNUL, of: run.id, "a step that starts a NUL") {
        _ = try await journal.checkpoint(refused, at: time)
      }
    }
  }

  func refusesNULInSignals() async throws {
    let run = try await startAndClaim()
    for text in JournalTrial.textsWithNUL {
      for (id, name) in [(text, "go"), ("signal", text)] {
        try await expectRefusal(.signalRefusal, .containsNUL, of: run.id, "a signal with a NUL") {
          try await signal(run.id, id, named: name)
        }
      }
    }
    try await checkpoint(run, .receiving(json(1), signals: ["go", "x"], until: nil))
    expect(
      try await claim().runs, equals: [], .signalRefusal, "what gets a signal that was refused")
  }

  func refusesNULInPauses() async throws {
    let kept = PauseTarget.flow("x")
    try await pause(kept)
    for text in JournalTrial.textsWithNUL {
      let targets: [PauseTarget] = [
        .flow(text), .concurrencyKey(text, flow: "x"), .concurrencyKey("x", flow: text),
      ]
      for target in targets {
        try await expectRefusal(.pause, .containsNUL, "a pause of a name with a NUL") {
          try await pause(target)
        }
        // It may be refused, too.
        let isEnded = try? await journal.resume(target, at: time)
        expect(isEnded != true, .pause, "a pause of a name with a NUL was ended.")
      }
    }
    let pauses = try await journal.pauses()
    expect(pauses, equals: [JournalPause(kept)], .pause, "the pauses after that")
  }

  func refusesNULInLimits() async throws {
    for text in JournalTrial.textsWithNUL {
      try await expectRefusal(.limits, .containsNUL, "limits of a flow with a NUL") {
        try await journal.setLimits(FlowLimits(runs: 1), of: text, replacing: true, at: time)
      }
    }
    expect(try await journal.flowLimits(), equals: [:], .limits, "the limits after refusals")
  }
}
