import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Synchronization
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The screen that imports a file", .timeLimit(.minutes(10)))
struct ImportScreenTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  /// Where the import waits before its third batch.
  let gate = Gate()
  let imports: DirectoryImports
  let model: AirfieldModel
  let screen: ImportScreen

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    var options = DurableRunnerOptions(shutdownGrace: .zero)
    options.aroundStage = { [gate] attempt in
      if attempt.sequence == 3 { try await gate.waitUnlessCancelled() }
      return try await attempt.perform()
    }
    imports = try DirectoryImports(
      directory: directory, limit: 1 << 20, options: options)
    model = AirfieldModel(
      source: AirportSource(directory), settings: folder.url.appending(path: "settings.json"),
      imports: imports)
    screen = try #require(model.importing)
  }

  private func file(_ text: String = Samples.file(rows: 2_000)) throws -> String {
    try folder.path("airports.csv", text)
  }

  /// Takes a file in and begins to import it, as a page does; what is thrown is given back.
  @discardableResult
  private func take(_ path: String, on other: ImportScreen? = nil) async -> (any Error)? {
    do {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let intake = try await (other ?? screen).receive(bytes: bytes.count)
      do {
        try await intake.open(name: path)
        try await intake.write(bytes)
        try await intake.begin()
      } catch {
        await intake.abandon()
        throw error
      }
      return nil
    } catch {
      return error
    }
  }

  private var kept: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: imports.folder.path)) ?? []
  }

  @Test("knows nothing before it has looked, and then that there is nothing")
  func nothing() async {
    #expect(screen.state == .unknown)
    await screen.load()
    #expect(screen.state == .nothing)
    #expect(!screen.state.isBusy)
  }

  @Test("shows a file coming in, how far its import is, and the end with counts and rejects")
  func follows() async throws {
    let intake = try await screen.receive(bytes: 400_000)
    #expect(screen.state == .uploading(received: 0, of: 400_000))
    try await intake.open(name: "airports.csv")
    let bytes = Array(Samples.file(rows: 2_000).utf8)
    try await intake.write(bytes)
    await intake.tell(received: 100_000)
    #expect(screen.state == .uploading(received: 100_000, of: 400_000))
    // Steps that nobody could see are not told.
    await intake.tell(received: 100_001)
    #expect(screen.state == .uploading(received: 100_000, of: 400_000))
    try await intake.begin()
    #expect(screen.state.status?.phase == .running)

    try await imports.working {
      await gate.arrivals(atLeast: 1)
      await eventually { (screen.state.status?.progress.counts.read ?? 0) > 500 }
      let status = try #require(screen.state.status)
      #expect(screen.state == .running(status))
      #expect(status.file == "airports.csv")
      #expect(status.progress.fraction > 0 && status.progress.fraction < 1)
      #expect(!status.rejects.isEmpty)
      gate.open()
      await eventually { !screen.state.isBusy }
    }
    let status = try #require(screen.state.status)
    #expect(screen.state == .finished(status))
    #expect(status.progress.counts.read == 2_000)
    #expect(status.progress.counts.stored == 1_972)
    #expect(status.rejects.count == 28)
    #expect(status.rejects.first?.line == 71)
    #expect(status.rejects.first?.reason == "tz “Nowhere” is not a known time zone")
    var rejects = try #require(try await screen.rejects())
    #expect(try await rejects.next()?.hasPrefix("record,line,reason\r\n70,71,") == true)
  }

  @Test("calls an import off and lets it go on from there")
  func cancels() async throws {
    await take(try file())
    try await imports.working {
      await gate.arrivals(atLeast: 1)
      await screen.cancel()
      let status = try #require(screen.state.status)
      #expect(screen.state == .cancelled(status))
      let stored = status.progress.counts.stored
      #expect(stored > 0 && stored < 1_972)
      gate.open()
      await screen.resume()
      await eventually { !screen.state.isBusy }
      #expect(screen.state.status?.phase == .finished)
      #expect(screen.state.status?.progress.counts.read == 2_000)
    }
    #expect(try await directory.count() == 1_972)
  }

  @Test("gives a cancelled import up")
  func givesUp() async throws {
    await take(try file())
    await screen.cancel()
    #expect(screen.state.status?.phase == .cancelled)
    #expect(kept.count == 1)
    await screen.giveUp()
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
  }

  @Test("takes one file at a time: not while one comes in, and not while one is imported")
  func one() async throws {
    let intake = try await screen.receive(bytes: 10)
    await #expect(throws: UploadError.busy) { try await screen.receive(bytes: 10) }
    await intake.abandon()
    #expect(screen.state == .nothing)
    await take(try file())
    #expect(screen.state.isBusy)
    await #expect(throws: UploadError.busy) { try await screen.receive(bytes: 10) }
    #expect(await take(try file()) as? UploadError == .busy)
    await screen.cancel()
    #expect(screen.problem == nil)
    let later = try await screen.receive(bytes: 10)
    await later.abandon()
  }

  @Test("refuses what is too large, as soon as that is known, and is free for another")
  func tooLarge() async throws {
    let error = await #expect(throws: UploadError.self) {
      try await screen.receive(bytes: 2 << 20)
    }
    #expect(error == .tooLarge(limit: 1 << 20))
    #expect(error?.message.contains("1 MB") == true)
    #expect(screen.state == .nothing)
    // It may also have more bytes than was said.
    let intake = try await screen.receive(bytes: 10)
    try await intake.open(name: "a.csv")
    await #expect(throws: UploadError.self) {
      try await intake.write(Array(repeating: 65, count: 2 << 20))
    }
    await intake.abandon()
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
  }

  @Test("says why a file can’t be imported, and that it can’t go on")
  func refused() async throws {
    await take(try file("icao;name\n"))
    try await imports.working { await eventually { !screen.state.isBusy } }
    guard case .failed(let status, let message, let canGoOn) = screen.state else {
      Issue.record("\(screen.state)")
      return
    }
    #expect(status.file == "airports.csv")
    #expect(message.hasPrefix("airports.csv is not a CSV file of airports: "))
    #expect(!canGoOn)
  }

  @Test("shows an import where it is that another process had begun")
  func restarted() async throws {
    await take(try file())
    try await imports.working { await gate.arrivals(atLeast: 1) }
    let read = try #require(try await imports.status()).progress.counts.read
    #expect(read > 0)

    let again = try DirectoryImports(directory: directory)
    let later = ImportScreen(again)
    await later.load()
    #expect(later.state.isBusy)
    #expect(later.state.status?.progress.counts.read == read)
    let work = Task { try await again.run() }
    await eventually { !later.state.isBusy }
    work.cancel()
    _ = await work.result
    #expect(later.state.status?.progress.counts.read == 2_000)
  }

  @Test("lets lists and counts of countries follow when it is over")
  func followed() async throws {
    gate.open()
    let list = DirectoryScreen(model, debounce: .zero, timing: .immediate)
    list.appear()
    await eventually { list.results?.total == 0 }
    #expect(try await model.countriesWithAirports().isEmpty)
    await take(try file())
    try await imports.working { await eventually { list.results?.total == 1_972 } }
    #expect(try await model.countriesWithAirports().map(\.count) == [1_972])
    // Nothing has changed the second time, and nobody is told.
    let told = Recorder<Int>()
    let registration = model.reloads.add { told.record(1) }
    await take(try file())
    try await imports.working { await eventually { !screen.state.isBusy } }
    #expect(screen.state.status?.progress.counts.unchanged == 1_972)
    #expect(told.count == 0)
    registration.cancel()
  }

  @Test("says so when it can’t tell how the import stands, until it can")
  func blind() async throws {
    let screen = ImportScreen(imports, reach: { throw MessageError("out of order") })
    await screen.load()
    #expect(screen.problem?.contains("can’t be told") == true)
    let intake = try await screen.receive(bytes: 10)
    await intake.abandon()
    #expect(!screen.state.isBusy)
    await screen.cancel()
    #expect(screen.problem?.contains("out of order") == true)
  }

  @Test("can’t reach the import while offline is switched on, and tries again")
  func offline() async throws {
    gate.open()
    var faults = Faults()
    faults.isOffline = true
    model.faults.use(faults)
    let unreachable = FaultError.offline.message
    await screen.load()
    #expect(screen.isBlind)
    #expect(screen.state == .unknown)
    #expect(screen.problem?.contains(unreachable) == true)
    #expect(await take(try file()) as? FaultError == .offline)
    #expect(kept.isEmpty)
    await screen.cancel()
    #expect(screen.problem == unreachable)
    await #expect(throws: FaultError.offline) { _ = try await screen.rejects() }
    await screen.retry()
    #expect(screen.isBlind)
    model.faults.clear()
    await screen.retry()
    #expect(screen.problem == nil)
    #expect(screen.state == .nothing)
    await take(try file())
    #expect(screen.state.isBusy)
    // An import is not held up by pages that can't see it.
    model.faults.use(faults)
    await screen.load()
    #expect(screen.isBlind)
    #expect(screen.state.isBusy)
    let changes = imports.changes()
    try await imports.working {
      for await _ in changes where try await imports.status()?.phase == .finished { break }
    }
    model.faults.clear()
    await screen.retry()
    #expect(screen.problem == nil)
    #expect(screen.state.status?.phase == .finished)
  }

  @Test("keeps no file while saving fails, and takes it afterwards")
  func failingSave() async throws {
    gate.open()
    var faults = Faults()
    faults.failsSave = true
    model.faults.use(faults)
    #expect(await take(try file()) as? FaultError == .save)
    #expect(!screen.isBlind)
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
    model.faults.clear()
    #expect(await take(try file()) == nil)
    try await imports.working { await eventually { !screen.state.isBusy } }
    #expect(try await directory.count() == 1_972)
  }

  @Test("is held back as long as is switched on")
  func latency() async throws {
    let time = ManualTime()
    let model = AirfieldModel(
      source: AirportSource(directory), settings: folder.url.appending(path: "settings.json"),
      imports: imports,
      time: time.source)
    let screen = try #require(model.importing)
    var faults = Faults()
    faults.latency = .seconds(3)
    model.faults.use(faults)
    let look = Task { await screen.load() }
    await time.sleepers(atLeast: 1)
    #expect(screen.state == .unknown)
    time.advance(by: .seconds(3))
    await look.value
    #expect(screen.state == .nothing)
  }

  @Test("tells of the end also when the import was out of sight before")
  func outOfSight() async throws {
    gate.open()
    let told = Recorder<Int>()
    let screen = ImportScreen(imports) { told.record(1) }
    await take(try file(), on: screen)
    #expect(screen.state.isBusy)
    // Another process gives it up while it is about to go on.
    let query = RunQuery(flow: DirectoryImports.flowName)
    let runs = try await imports.runner.journal.runs(query).runs
    try await directory.giveUp(try #require(runs.first).id)
    await screen.load()
    #expect(screen.state == .nothing)
    let changes = imports.changes()
    try await imports.working {
      for await _ in changes where try await imports.status()?.phase == .finished { break }
    }
    await screen.load()
    #expect(screen.state.status?.phase == .finished)
    #expect(told.elements == [1])
  }

  private func compare(
    _ text: String, on screen: ImportScreen, name: String = "airports.csv"
  ) async throws {
    let intake = try await screen.receive(bytes: text.utf8.count)
    try await intake.open(name: name)
    try await intake.write(Array(text.utf8))
    try await intake.begin(comparing: true)
  }

  /// Compares once a gate is open, and notes that it has begun.
  private func slowly(
    _ gate: Gate, _ begun: Recorder<String> = Recorder()
  ) -> @Sendable (UploadedFile) async throws -> ImportPreview {
    { [imports] file in
      begun.record(file.name)
      // Also where it was cancelled: what comes late must change nothing.
      await gate.wait()
      return try await imports.preview(file)
    }
  }

  private let changed = Samples.header + "BIRK,,Other,,,IS,,1,2,UTC,\r\nBIKF,,K,,,IS,,1,2,UTC,\r\n"

  @Test("compares a file with the directory, and imports it only when told so")
  func compares() async throws {
    gate.open()
    _ = try await directory.store([Samples.airport("BIRK", name: "Field", city: "Reykjavík")])
    let compares = Gate()
    let told = Recorder<Int>()
    let screen = ImportScreen(
      imports, didChange: { told.record(1) }, preview: slowly(compares))
    await screen.load()
    try await compare(changed, on: screen)
    #expect(screen.state == .comparing(file: "airports.csv"))
    #expect(screen.state.isBusy)
    await #expect(throws: UploadError.busy) { try await screen.receive(bytes: 10) }
    await screen.importCompared()
    #expect(screen.state == .comparing(file: "airports.csv"))
    compares.open()
    await eventually { !screen.state.isBusy }
    guard case .compared(_, let preview) = screen.state else {
      Issue.record("\(screen.state)")
      return
    }
    #expect(preview.counts.stored == 1 && preview.counts.updated == 1)
    #expect(preview.changed == [.name: 1] && preview.cleared == [.city: 1])
    #expect(preview.changes.map(\.old) == ["Field", "Reykjavík"])
    #expect(preview.changes.map(\.new) == ["Other", nil])
    #expect(try await directory.count() == 1)
    #expect(kept.count == 1)
    // Looking again shows nothing else meanwhile.
    await screen.load()
    #expect(screen.state == .compared(file: "airports.csv", preview))
    await screen.importCompared()
    await screen.importCompared()
    #expect(screen.problem == nil)
    try await imports.working { await eventually { !screen.state.isBusy } }
    #expect(screen.state.status?.progress.counts.updated == 1)
    #expect(try await directory.airport(icao: "BIRK")?.name == "Other")
    #expect(told.count == 1)
  }

  @Test("discards a file that was compared, also while that is going on or for another file")
  func discards() async throws {
    let (compares, comparisons) = (Gate(), Recorder<String>())
    let screen = ImportScreen(imports, preview: slowly(compares, comparisons))
    try await compare(changed, on: screen, name: "first.csv")
    await compares.arrivals(atLeast: 1)
    await screen.discard()
    await screen.discard()
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
    try await compare(changed, on: screen, name: "second.csv")
    compares.open()
    await eventually { screen.state != .comparing(file: "second.csv") }
    // What came late of the first one has changed nothing.
    #expect(comparisons.elements == ["first.csv", "second.csv"])
    #expect(kept.count == 1)
    let other = try await screen.receive(bytes: 10)
    #expect(kept.isEmpty)
    await other.abandon()
    #expect(screen.state == .nothing)
    #expect(screen.problem == nil)
    await screen.importCompared()
    #expect(screen.state == .nothing)
    try await compare("icao;name\n", on: screen)
    await eventually { screen.problem != nil }
    #expect(screen.problem?.contains("not a CSV file of airports") == true)
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
  }

  @Test("imports what was compared also while offline is switched on: the file is here")
  func offlineCompared() async throws {
    try await compare(changed, on: screen)
    await eventually { !screen.state.isBusy }
    var faults = Faults()
    faults.isOffline = true
    model.faults.use(faults)
    await screen.importCompared()
    #expect(try await imports.status()?.phase == .running)
    model.faults.clear()
    await screen.retry()
    #expect(screen.state.status?.phase == .running)
  }

  @Test("is gone when nobody holds it")
  func released() async throws {
    weak var gone: ImportScreen?
    do {
      let screen = ImportScreen(imports)
      await screen.load()
      gone = screen
    }
    #expect(gone == nil)
  }
}
