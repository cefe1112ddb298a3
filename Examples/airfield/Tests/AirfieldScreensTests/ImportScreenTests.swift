import AirfieldDirectory
import AirfieldScreens
import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Synchronization
import Testing

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
      source: directory, settings: folder.url.appending(path: "settings.json"), imports: imports)
    screen = try #require(model.importing)
  }

  private func file(_ text: String = Samples.file(rows: 2_000)) throws -> String {
    try folder.path("airports.csv", text)
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
    #expect(try await screen.rejectsText()?.hasPrefix("record,line,reason\r\n70,71,") == true)
  }

  @Test("takes a file of this machine, too")
  func ownFile() async throws {
    gate.open()
    await screen.take(fileAt: try file())
    #expect(screen.problem == nil)
    #expect(screen.state.status?.file == "airports.csv")
    try await imports.working { await eventually { !screen.state.isBusy } }
    #expect(try await directory.count() == 1_972)
    await screen.take(fileAt: folder.url.path + "/missing.csv")
    #expect(screen.problem?.contains("missing.csv can’t be read") == true)
    #expect(!screen.state.isBusy)
  }

  @Test("calls an import off and lets it go on from there")
  func cancels() async throws {
    await screen.take(fileAt: try file())
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
    await screen.take(fileAt: try file())
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
    await screen.take(fileAt: try file())
    #expect(screen.state.isBusy)
    await #expect(throws: UploadError.busy) { try await screen.receive(bytes: 10) }
    await screen.take(fileAt: try file())
    #expect(screen.problem?.contains("Another import is under way") == true)
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
    await screen.take(fileAt: try file("icao;name\n"))
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
    await screen.take(fileAt: try file())
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
    #expect(list.countries.isEmpty)
    await screen.take(fileAt: try file())
    try await imports.working { await eventually { list.results?.total == 1_972 } }
    await eventually { list.countries.map(\.count) == [1_972] }
    // Nothing has changed the second time, and nobody is told.
    let told = Recorder<Int>()
    let registration = model.reloads.add { told.record(1) }
    await screen.take(fileAt: try file())
    try await imports.working { await eventually { !screen.state.isBusy } }
    #expect(screen.state.status?.progress.counts.unchanged == 1_972)
    #expect(told.count == 0)
    registration.cancel()
  }

  @Test("says so when it can’t tell how the import stands, until it can")
  func blind() async throws {
    let failing = FailingImports(base: imports)
    let screen = ImportScreen(failing)
    failing.fails.open()
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
    await screen.take(fileAt: try file())
    #expect(screen.problem == unreachable)
    #expect(kept.isEmpty)
    await screen.cancel()
    #expect(screen.problem == unreachable)
    await #expect(throws: FaultError.offline) { try await screen.rejectsText() }
    await screen.retry()
    #expect(screen.isBlind)
    model.faults.clear()
    await screen.retry()
    #expect(screen.problem == nil)
    #expect(screen.state == .nothing)
    await screen.take(fileAt: try file())
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
    await screen.take(fileAt: try file())
    #expect(screen.problem == FaultError.save.message)
    #expect(!screen.isBlind)
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
    model.faults.clear()
    await screen.take(fileAt: try file())
    #expect(screen.problem == nil)
    try await imports.working { await eventually { !screen.state.isBusy } }
    #expect(try await directory.count() == 1_972)
  }

  @Test("is held back as long as is switched on")
  func latency() async throws {
    let time = ManualTime()
    let model = AirfieldModel(
      source: directory, settings: folder.url.appending(path: "settings.json"), imports: imports,
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
    let hiding = FailingImports(base: imports)
    let told = Recorder<Int>()
    let screen = ImportScreen(hiding) { told.record(1) }
    await screen.take(fileAt: try file())
    #expect(screen.state.isBusy)
    hiding.hides.withLock { $0 = true }
    await screen.load()
    #expect(screen.state == .nothing)
    let changes = imports.changes()
    try await imports.working {
      for await _ in changes where try await imports.status()?.phase == .finished { break }
    }
    hiding.hides.withLock { $0 = false }
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

  private let changed = Samples.header + "BIRK,,Other,,,IS,,1,2,UTC,\r\nBIKF,,K,,,IS,,1,2,UTC,\r\n"

  @Test("compares a file with the directory, and imports it only when told so")
  func compares() async throws {
    gate.open()
    _ = try await directory.store([Samples.airport("BIRK", name: "Field", city: "Reykjavík")])
    let slow = FailingImports(base: imports)
    let told = Recorder<Int>()
    let screen = ImportScreen(slow) { told.record(1) }
    await screen.load()
    try await compare(changed, on: screen)
    #expect(screen.state == .comparing(file: "airports.csv"))
    #expect(screen.state.isBusy)
    await #expect(throws: UploadError.busy) { try await screen.receive(bytes: 10) }
    await screen.importCompared()
    #expect(screen.state == .comparing(file: "airports.csv"))
    slow.compares.open()
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
    let slow = FailingImports(base: imports)
    let screen = ImportScreen(slow)
    try await compare(changed, on: screen, name: "first.csv")
    await slow.compares.arrivals(atLeast: 1)
    await screen.discard()
    await screen.discard()
    #expect(screen.state == .nothing)
    #expect(kept.isEmpty)
    try await compare(changed, on: screen, name: "second.csv")
    slow.compares.open()
    await eventually { screen.state != .comparing(file: "second.csv") }
    // What came late of the first one has changed nothing.
    #expect(slow.comparisons.elements == ["first.csv", "second.csv"])
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

/// Imports that are out of order once its gate is open, and out of sight while they hide.
private final class FailingImports: AirportImports {
  let base: DirectoryImports
  let fails = Gate()
  let hides = Mutex(false)

  /// Where comparisons wait, and those that have begun.
  let compares = Gate()
  let comparisons = Recorder<String>()

  init(base: DirectoryImports) {
    self.base = base
  }

  var limit: Int { base.limit }

  private func check() throws {
    if fails.isOpen { throw MessageError("out of order") }
  }

  func receive(name: String) throws -> UploadFile { try base.receive(name: name) }
  func begin(_ file: UploadedFile) async throws { try await base.begin(file) }

  func preview(_ file: UploadedFile) async throws -> ImportPreview {
    comparisons.record(file.name)
    // Also where it was cancelled: what comes late must change nothing.
    await compares.wait()
    return try await base.preview(file)
  }

  func discard(_ file: UploadedFile) async { await base.discard(file) }
  func changes() -> AsyncStream<Void> { base.changes() }

  func status() async throws -> ImportStatus? {
    try check()
    return hides.withLock { $0 } ? nil : try await base.status()
  }

  func cancel() async throws {
    try check()
    try await base.cancel()
  }

  func resume() async throws { try await base.resume() }
  func giveUp() async throws { try await base.giveUp() }
  func rejectsText() async throws -> String? { try await base.rejectsText() }
}
