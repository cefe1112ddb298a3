import FieldstoneDurable
import Foundation

extension JournalExamination {
  /// Some hundred starts, so that they need several transactions; some of them meet existing runs.
  func startsMany() async throws {
    let taken = try await start(key: "taken")
    move(by: 1)
    var starts = (0..<600).map { _ in
      RunStart(id: newID(), flow: "flow", version: 1, payload: json(1))
    }
    starts[5].key = "taken"
    var refused: [Int: Refusal] = [:]
    if let payload = payloadAboveLimit { (starts[7].payload, refused[7]) = (payload, .tooLarge) }
    starts[8].key = "new"
    starts[9].key = "new"
    starts[11].id = starts[10].id
    starts[11].payload = json(2)
    (starts[12].key, starts[12].payload) = ("new", json(3))
    (starts[12].ifTaken, starts[12].notBefore) = (.replaceUnlessBegun, time.date + 10)
    starts[13].key = "new"
    (starts[20].key, starts[20].priority, starts[20].version) = ("alone", 2, 3)
    if let key = keyAboveLimit { (starts[599].key, refused[599]) = (key, .keyTooLong) }
    let answers = await journal.start(starts, at: time)
    guard answers.count == starts.count else {
      throw Missing(detail: "\(answers.count) answers came to \(starts.count) starts.")
    }
    func record(_ place: Int) -> RunRecord? { try? answers[place].get() }
    expect(record(5), equals: taken, .starts, "the start whose key is taken")
    expect(record(9), equals: record(8), .starts, "the second start of a key")
    expect(record(11), equals: record(10), .starts, "the second start of an identifier")
    expect(record(12)?.id, equals: starts[8].id, .starts, "the start that replaces another")
    expect(record(12)?.payload, equals: json(3), .starts, "the stage of the replacement")
    expect(record(13), equals: record(12), .starts, "the start after the replacement")
    for (place, wanted) in refused {
      if case .failure(let error as JournalError) = answers[place], wanted.isMet(by: error) {
        continue
      }
      expect(false, .starts, "the start \(place) was answered by \(answers[place]).")
    }
    let others = Set([5, 8, 9, 11, 12, 13]).union(refused.keys)
    for (place, start) in starts.enumerated() where !others.contains(place) {
      var wanted = RunRecord(
        id: start.id, flow: "flow", version: start.version, key: start.key, payload: start.payload,
        startedAt: time.date, changedAt: time.date)
      wanted.priority = start.priority
      guard record(place) == wanted, try await journal.run(start.id) == wanted else {
        let found = try await journal.run(start.id)
        return expect(
          false, .starts,
          "the start \(place) was answered by \(answers[place]) and made \(String(describing: found))."
        )
      }
    }
    for place in [5, 9, 12, 13] + refused.keys {
      let found = try await journal.run(starts[place].id)
      expect(found, equals: nil, .starts, "a run of the start \(place)")
    }
    expect(await journal.start([], at: time).count, equals: 0, .starts, "the answers to no starts")
    expect(
      try await claim(version: 3, limit: 1_000).runs.count, equals: 595 - refused.count,
      .starts,
      "the runs that a worker gets")
  }
}
