import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var attributes: [Self] {
    [
      Self(.attributes) { try await $0.findsByAttributes() },
      Self(.attributes) { try await $0.keepsAttributesAndTraces() },
      Self(.attributes) { try await $0.keepsAttributesOfManyAndOfChildren() },
    ]
  }
}

extension JournalExamination {
  func findsByAttributes() async throws {
    let day = time.date + 0.5
    let values: [[String: RunAttribute]] = [
      ["customer": "ada", "amount": 1, "isGift": true],
      ["customer": "ada", "amount": 2, "day": .date(day)],
      ["customer": "bob", "amount": 1],
      ["customer": "1", "accent": "\u{e9}"],
      [:],
    ]
    var ids: [RunID] = []
    for (number, attributes) in values.enumerated() {
      var start = RunStart(id: newID(), flow: "flow \(number % 2)", version: 1, payload: json(0))
      start.attributes = attributes
      ids.append(start.id)
      let record = try await journal.start(start, at: time)
      expect(record.attributes, equals: attributes, .attributes, "the answer to a start")
      expect(
        try await run(start.id).attributes, equals: attributes, .attributes, "what a run has")
      move(by: 1)
    }
    let wanted: [([String: RunAttribute], [Int])] = [
      (["customer": "ada"], [1, 0]), (["amount": 1], [2, 0]), (["amount": "1"], []),
      (["customer": "ada", "amount": 1], [0]), (["isGift": true], [0]), (["isGift": false], []),
      (["day": .date(day)], [1]), (["accent": "e\u{301}"], []), (["nothing": 1], []),
      ([:], [4, 3, 2, 1, 0]),
    ]
    for (attributes, places) in wanted {
      var query = RunQuery()
      query.attributes = attributes
      let found = try await journal.runs(query).runs.map(\.id)
      expect(found, equals: places.map { ids[$0] }, .attributes, "the runs of \(attributes)")
    }
    var query = RunQuery(flow: "flow 0", states: [.ready])
    query.attributes = ["customer": "ada"]
    var found = try await journal.runs(query).runs.map(\.id)
    expect(found, equals: [ids[0]], .attributes, "the runs of an attribute and a flow")
    query = RunQuery(limit: 1)
    query.attributes = ["customer": "ada"]
    let page = try await journal.runs(query)
    expect(page.next, equals: ids[1], .attributes, "where the next page begins")
    query.before = page.next
    found = try await journal.runs(query).runs.map(\.id)
    expect(found, equals: [ids[0]], .attributes, "the next page")
  }

  func keepsAttributesAndTraces() async throws {
    var start = RunStart(id: newID(), flow: "flow", version: 1, key: "key", payload: json(0))
    start.attributes = ["customer": "ada"]
    start.trace = ["traceparent": "00-1-2-01", "tracestate": "a=\"b\""]
    _ = try await journal.start(start, at: time)
    expect(try await run(start.id).trace, equals: start.trace, .attributes, "the trace of a run")
    let claimed = try await claimOne().record
    expect(claimed.trace, equals: start.trace, .attributes, "the trace of a claimed run")
    expect(claimed.attributes, equals: start.attributes, .attributes, "what a claimed run has")
    var second = RunStart(id: newID(), flow: "other", version: 1, key: "key", payload: json(0))
    second.attributes = ["customer": "bob", "amount": 1]
    let first = try await journal.start(second, at: time).id
    second.id = newID()
    second.ifTaken = .replaceUnlessBegun
    second.attributes = ["amount": 2]
    _ = try await journal.start(second, at: time)
    for (attributes, wanted) in [(["amount": 1], []), (["amount": 2], [first])]
      as [([String: RunAttribute], [RunID])]
    {
      var query = RunQuery()
      query.attributes = attributes
      let found = try await journal.runs(query).runs.map(\.id)
      expect(found, equals: wanted, .attributes, "the runs of \(attributes) after a replacement")
    }
    var many = RunStart(id: newID(), flow: "many", version: 1, payload: json(0))
    for number in 1...16 { many.attributes["\(number)"] = .integer(number) }
    _ = try await journal.start(many, at: time)
    many.id = newID()
    many.attributes["17"] = 17
    let tooMany = many
    try await expectRefusal(.attributes, .tooManyAttributes, "a start with 17 attributes") {
      _ = try await journal.start(tooMany, at: time)
    }
    if let long = keyAboveLimit {
      many.attributes = ["name": .string(long)]
      let tooLong = many
      try await expectRefusal(.attributes, .keyTooLong, "an attribute above the limit of keys") {
        _ = try await journal.start(tooLong, at: time)
      }
      many.attributes = [:]
      many.trace = ["traceparent": long]
      let tooLongTrace = many
      try await expectRefusal(.attributes, .traceTooLong, "a trace above the limit of keys") {
        _ = try await journal.start(tooLongTrace, at: time)
      }
    }
    let answers = await journal.start([start, second, tooMany], at: time)
    expect(
      answers.map { (try? $0.get()) != nil }, equals: [true, true, false], .attributes,
      "what is answered to many starts")
  }

  func keepsAttributesOfManyAndOfChildren() async throws {
    let starts = (0..<5).map { number in
      var start = RunStart(id: newID(), flow: "many", version: 1, payload: json(0))
      start.attributes = ["number": .integer(number), "isOne": true]
      start.trace = ["traceparent": "\(number)"]
      return start
    }
    for answer in await journal.start(starts, at: time) { _ = try answer.get() }
    for start in starts {
      let kept = try await run(start.id)
      expect(kept.attributes, equals: start.attributes, .attributes, "what one of many has")
      expect(kept.trace, equals: start.trace, .attributes, "the trace of one of many")
    }
    var start = child().start
    start.attributes = ["number": 3]
    start.trace = ["traceparent": "child"]
    let parent = try await startParent(of: [ChildStart(start)])
    expect(try await run(start.id).trace, equals: start.trace, .attributes, "the trace of a child")
    var query = RunQuery()
    query.attributes = ["number": 3]
    var found = try await journal.runs(query).runs.map(\.id)
    expect(
      Set(found), equals: [starts[3].id, start.id], .attributes,
      "the runs of an attribute, a child too")
    // A purged run has no attributes, so no query finds it.
    try await end(ChildStart(start))
    let woken = try await claimRun(parent.id, of: parent.flow)
    if let woken { try await checkpoint(woken, .completion(json(2))) }
    move(by: 10_000)
    try await journal.purge(JournalRetention(runs: .seconds(1_000)), at: time)
    found = try await journal.runs(query).runs.map(\.id)
    expect(found, equals: [starts[3].id], .attributes, "the runs of an attribute after a purge")
  }
}
