import FieldstoneDurable
import Foundation

extension JournalTrial {
  static var coded: [Self] {
    [Self(.coded) { try await $0.keepsCodedPayloads() }]
  }
}

extension JournalExamination {
  func keepsCodedPayloads() async throws {
    // Bytes that end texts or are escaped, and some that are not UTF-8; together they are not JSON.
    let coded = (0..<4).map { number in
      PayloadEnvelope.seal(Data([number, 0, 10, 13, 34, 39, 92, 127, 128, 255]))
    }
    let start = RunStart(id: newID(), flow: "flow", version: 1, payload: coded[0])
    do {
      _ = try await journal.start(start, at: time)
    } catch is PayloadError {
      // A journal with its own codec encodes nothing twice.
      return
    }
    var claimed = try await claimOne()
    expect(claimed.record.payload, equals: coded[0], .coded, "an encoded first stage")
    try await checkpoint(claimed.record, .receiving(coded[1], signals: ["go"], until: nil))
    let signal = SignalRecord(id: "signal", name: "go", payload: coded[2], sentAt: time.date)
    try await journal.signal(start.id, signal, at: time)
    claimed = try await claimOne()
    expect(claimed.record.payload, equals: coded[1], .coded, "an encoded stage")
    expect(claimed.signal, equals: signal, .coded, "an encoded signal")
    try await park(claimed.record, .retry(at: time.date + 60, error: "no"))
    try await journal.change(start.id, .edit(coded[3], version: nil), at: time)
    claimed = try await claimOne()
    expect(claimed.record.payload, equals: coded[3], .coded, "an encoded stage of an edit")
    try await checkpoint(claimed.record, .completion(coded[0]))
    expect(try await run(start.id).payload, equals: coded[0], .coded, "an encoded completion")
    expect(
      try await steps(of: start.id).map(\.payload), equals: [coded[0], coded[1], coded[3]], .coded,
      "the encoded stages behind it")
    let schedule = ScheduleRecord(name: "coded", definition: coded[1], progress: json(1))
    _ = try await journal.setSchedule("coded", from: nil, to: schedule, starting: [], at: time)
    expect(try await journal.schedules(), equals: [schedule], .coded, "an encoded schedule")
  }
}
