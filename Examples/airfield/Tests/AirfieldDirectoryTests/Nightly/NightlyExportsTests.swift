import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The nightly export", .timeLimit(.minutes(10)))
struct NightlyExportsTests {
  private let place: ExportFolder
  private let exported: TemporaryFolder

  /// 1 December 2026, noon in Berlin.
  private let time = ManualTime(now: Date(timeIntervalSince1970: 1_796_122_800))

  init() throws {
    place = try ExportFolder()
    exported = try TemporaryFolder()
  }

  private func plan(at time: String = "02:30", keeping kept: Int = 7) throws -> NightlyPlan {
    try NightlyPlan(folder: exported.url.path, at: time, zone: "Europe/Berlin", keeping: kept)
  }

  /// Exports whose stage of a number waits at a gate before its work, where there is one.
  private func exports(at sequence: Int = 3, gate: Gate? = nil) throws -> NightlyExports {
    var options = DurableRunnerOptions(lease: .seconds(10 * 86_400), shutdownGrace: .zero)
    if let gate {
      options.aroundStage = { attempt in
        if attempt.sequence == sequence { try await gate.waitUnlessCancelled() }
        return try await attempt.perform()
      }
    }
    let services = ExportServices(directory: place.directory, wanted: nil, pageSize: 5)
    return try NightlyExports(services: services, options: options, time: time.source)
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: exported.url.path).sorted()
    }
  }

  private func wait(
    _ exports: NightlyExports, until isMet: (NightlyStatus) -> Bool
  ) async throws {
    let changes = exports.changes()
    if let status = try await exports.status(), isMet(status) { return }
    for await _ in changes {
      if let status = try await exports.status(), isMet(status) { return }
    }
  }

  /// Lets so many hours pass, and the second by which a runner may look late.
  private func pass(hours: Int) { time.advance(by: .seconds(hours * 3_600 + 1)) }

  @Test("is forgotten after a quarter of a year, and its file stays")
  func forgotten() async throws {
    try await place.store(12)
    let first = try exports()
    try await first.set(try plan())
    try await first.working {
      pass(hours: 15)
      try await wait(first) { $0.past.count == 1 }
    }
    let oldest = try #require(try await first.status()?.past.first?.startedAt)
    pass(hours: 24 * 89)
    let second = try exports()
    try await second.working { try await wait(second) { $0.past.count == 2 } }
    pass(hours: 24 * 2)
    let third = try exports()
    try await third.working {
      try await wait(third) { status in
        status.past.count == 2 && status.past.allSatisfy { $0.startedAt > oldest }
      }
    }
    #expect(try names.count == 3)
    let runs = try await place.directory.journal.runs(RunQuery(flow: NightlyExport.flowName)).runs
    #expect(runs.count == 2)
  }

  @Test("is made at its time by the clocks of its zone, and its page has all of it")
  func night() async throws {
    try await place.store(12)
    let exports = try exports()
    #expect(try await exports.status() == nil)
    try await exports.set(try plan())
    let before = try #require(try await exports.status())
    #expect(before.next == Date(timeIntervalSince1970: 1_796_175_000))
    #expect(before.current == nil && before.past.isEmpty && !before.isPaused)
    try await exports.working {
      pass(hours: 15)
      try await wait(exports) { $0.past.count == 1 }
    }
    let status = try #require(try await exports.status())
    #expect(status.next == Date(timeIntervalSince1970: 1_796_261_400))
    let name = try #require(try names.first)
    #expect(try names.count == 1 && name.hasPrefix("airports-20261202T"))
    #expect(status.past.map(\.end) == [.exported(file: name, rows: 24)])
    #expect(status.past.first?.isKept == true)
    let text = try String(contentsOf: exported.url.appending(path: name), encoding: .utf8)
    #expect(text.split(separator: "\r\n").count == 25)
  }

  @Test("is made once for all nights on which no server ran")
  func missed() async throws {
    try await place.store(1)
    try await exports().set(try plan())
    pass(hours: 4 * 24)
    let exports = try exports()
    try await exports.working { try await wait(exports) { $0.past.count == 1 } }
    let status = try #require(try await exports.status())
    #expect(status.current == nil)
    #expect(try names.count == 1)
    #expect(status.next == Date(timeIntervalSince1970: 1_796_175_000 + 4 * 86_400))
  }

  @Test("is left out while another is under way, whose progress is told")
  func overlap() async throws {
    try await place.store(12)
    let gate = Gate()
    let exports = try exports(gate: gate)
    try await exports.set(try plan())
    try await exports.working {
      pass(hours: 15)
      await gate.arrivals(atLeast: 1)
      let current = try #require(try await exports.status()?.current)
      #expect(current.progress == ExportProgress(fraction: 5.0 / 24, rows: 5))
      #expect(current.wait == nil)
      await #expect(throws: NightlyError.busy) { try await exports.runNow() }
      pass(hours: 24)
      try await wait(exports) { $0.next == Date(timeIntervalSince1970: 1_796_175_000 + 2 * 86_400) }
      gate.open()
      try await wait(exports) { $0.current == nil }
    }
    #expect(try await exports.status()?.past.count == 1)
    #expect(try names.count == 1)
  }

  @Test("keeps the newest files, and leaves alone what it has not made")
  func kept() async throws {
    try await place.store(1)
    let mine = ["airports.csv", "airports-2026.csv", "airports-20261201T000000Z.csv.bak"]
    for name in mine { _ = try exported.path(name, "mine") }
    let exports = try exports()
    try await exports.set(try plan(keeping: 2))
    try await exports.working {
      for night in 1...4 {
        pass(hours: 24)
        try await wait(exports) { $0.past.count == night }
      }
    }
    let made = try names.filter { !mine.contains($0) }
    #expect(made.map { $0.prefix(17) } == ["airports-20261204", "airports-20261205"])
    #expect(try names.count == 5)
    #expect(try await exports.status()?.past.map(\.isKept) == [true, true, false, false])
  }

  @Test("keeps the file it has just made, also among those of a clock that was ahead")
  func clockAhead() async throws {
    try await place.store(1)
    let ahead = ["airports-20980101T000000Z.csv", "airports-20990101T000000Z.csv"]
    for name in ahead { _ = try exported.path(name, "ahead") }
    let exports = try exports()
    try await exports.set(try plan(keeping: 2))
    try await exports.working {
      pass(hours: 24)
      try await wait(exports) { $0.past.count == 1 }
    }
    #expect(try await exports.status()?.past.map(\.isKept) == [true])
    #expect(try names.count == 2 && names.last == ahead.last)
  }

  @Test("is paused and goes on, and is made now also while it is paused")
  func paused() async throws {
    try await place.store(1)
    let exports = try exports()
    await #expect(throws: NightlyError.notSet) { try await exports.runNow() }
    try await exports.set(try plan())
    try await exports.pause()
    // Setting the same again, as each start of a server does, lets it stay paused.
    try await exports.set(try plan())
    #expect(try await exports.status()?.isPaused == true)
    try await exports.working {
      pass(hours: 24)
      try await exports.runNow()
      try await wait(exports) { $0.past.count == 1 }
      try await exports.resume()
      pass(hours: 24)
      try await wait(exports) { $0.past.count == 2 }
    }
    #expect(try await exports.status()?.isPaused == false)
    #expect(try names.count == 2)
    try await exports.remove()
    #expect(try await exports.status() == nil)
  }

  @Test("that begins in the same second as one before takes the name of the next")
  func sameSecond() async throws {
    try await place.store(1)
    let exports = try exports()
    try await exports.set(try plan())
    try await exports.working {
      try await exports.runNow()
      try await wait(exports) { $0.past.count == 1 }
      try await exports.runNow()
      // It waits, and nothing else does.
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(1))
      try await wait(exports) { $0.past.count == 2 }
    }
    #expect(try names.count == 2)
  }

  @Test("that was called off leaves no file, once the next is made")
  func cancelled() async throws {
    try await place.store(12)
    let gate = Gate()
    let exports = try exports(gate: gate)
    try await exports.set(try plan())
    try await exports.working {
      try await exports.runNow()
      await gate.arrivals(atLeast: 1)
      #expect(try names.map { $0.hasSuffix(".part") } == [true])
      try await exports.cancel()
      try await wait(exports) { $0.past.map(\.end) == [.cancelled] }
      gate.open()
      pass(hours: 15)
      try await wait(exports) { $0.past.count == 2 }
    }
    #expect(try names.map { $0.hasSuffix("Z.csv") } == [true])
  }

  @Test("goes on where it was after its process has ended")
  func restarted() async throws {
    try await place.store(12)
    let gate = Gate()
    let first = try exports(gate: gate)
    try await first.set(try plan())
    try await first.working {
      try await first.runNow()
      await gate.arrivals(atLeast: 1)
    }
    let second = try exports()
    #expect(try await second.status()?.current?.progress.rows == 5)
    try await second.working { try await wait(second) { $0.past.count == 1 } }
    #expect(try await second.status()?.past.first?.isKept == true)
    #expect(try names.count == 1)
  }

  @Test("that can't be made says why, and the next night is tried again")
  func failing() async throws {
    try await place.store(1)
    let exports = try exports()
    try await exports.set(try plan())
    try FileManager.default.removeItem(at: exported.url)
    try await exports.working {
      pass(hours: 15)
      try await wait(exports) { $0.past.count == 1 }
      let message = ExportError.missingFolder(path: exported.url.path).message
      #expect(try await exports.status()?.past.map(\.end) == [.failed(message)])
      try FileManager.default.createDirectory(
        at: exported.url, withIntermediateDirectories: false)
      pass(hours: 24)
      try await wait(exports) { $0.past.count == 2 }
    }
    #expect(try names.count == 1)
  }
}
