import Foundation

#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneScreens

  /// A process with a journal and live objects, whose inspector the browser's tests look at.
  @main
  struct Main {
    @MainActor
    static func main() async throws {
      let journal = InMemoryJournal()
      try await SampleRuns(journal: journal).write()
      var options = InspectorOptions()
      options.token = "opened-once"
      let inspector = Inspector(journal: journal, name: "orders.sqlite", options: options)
      let objects = SampleObjects(inspector)
      await objects.begin()
      let events = inspector.runnerEvents(as: "imports")
      for run in try await journal.runs(RunQuery(limit: 5)).runs {
        events(RunnerEvent(.claimed(attempt: 1), flow: run.flow, run: run.id, sequence: 0))
        events(
          RunnerEvent(
            .stageFinished(attempt: 1, duration: .milliseconds(42)), flow: run.flow, run: run.id,
            sequence: 0))
      }
      try await inspector.run(port: 0) { address in
        try? FileHandle.standardOutput.write(contentsOf: Data("Serving \(address)\n".utf8))
      }
      withExtendedLifetime(objects) {}
    }
  }

  struct Airport: Codable, Sendable, Identifiable, Hashable {
    var id: String
    var name: String
    var city: String
  }

  struct Unreachable: DescribedError {
    let message = "The directory can't be reached; look at the network."
  }

  /// Live objects as an app has them.
  @MainActor
  final class SampleObjects {
    let search: Integrator<Void, [Airport]>
    let list: PaginatedList<Airport, Int>
    let screen: ScreenModel
    let name = Field<String>("Name", key: "name").require(.notBlank)
    let latitude = Field<Double>("Latitude", key: "latitude").require(.range(-90...90))
    let password = Field<String>("Password", key: "password").presented(as: .secure)
    private(set) lazy var form = FormModel {
      FormSection("Airport") {
        name
        latitude
      }
      FormSection("Account") { password }
    }
    let city = Field<String>("City", value: "Oslo")

    init(_ inspector: Inspector) {
      let airports = (0..<120).map {
        Airport(id: "LO\($0)", name: "Field \($0)", city: $0 % 2 == 0 ? "Graz" : "Linz")
      }
      search = Integrator(
        provider: inspector.forcing(
          ClosureProvider { Array(airports.prefix(3)) }, as: "Airports", empty: []))
      list = PaginatedList(
        provider: inspector.forcing(
          ClosureProvider { (request: PageRequest<Int>) in
            let start = request.cursor ?? 0
            return ItemPage(
              Array(airports[start..<start + 20]), next: start < 100 ? start + 20 : nil)
          }, as: "Directory"))
      screen = ScreenModel { throw Unreachable() }
      inspector.watch(search, as: "Airports")
      inspector.watch(list, as: "Directory")
      inspector.watch(screen, as: "Weather")
      inspector.watch(form, as: "Airport form")
      inspector.watch(city, as: "City")
    }

    func begin() async {
      _ = try? await search()
      _ = await list.reload(.firstPage).outcome
      screen.appear()
      form[name]?.text = "Graz"
      form[latitude]?.text = "north"
      form[password]?.text = "hunter2"
      city.set("Bergen", origin: .user)
    }
  }

  /// Runs of each state.
  struct SampleRuns {
    let journal: InMemoryJournal
    private let begin = Date(timeIntervalSinceNow: -3_600)

    init(journal: InMemoryJournal) {
      self.journal = journal
    }

    private func time(_ seconds: TimeInterval) -> JournalTime {
      JournalTime(
        date: begin.addingTimeInterval(seconds), uptime: .seconds(seconds), boot: "sample")
    }

    private func start(_ flow: String, _ key: String?, _ stage: String, at seconds: TimeInterval)
      async throws -> RunID
    {
      let id = RunID(at: time(seconds).date)
      return try await journal.start(
        RunStart(id: id, flow: flow, version: 1, key: key, payload: Data(stage.utf8)),
        at: time(seconds)
      ).id
    }

    /// A run that waits for children of which one is dead, a paused flow with limits, and a paused key.
    private func writeFamily() async throws {
      let id = try await start("catalogue", "spring", #"{"split":{"parts":14}}"#, at: 400)
      guard let claimed = try await claim("catalogue", at: 401).first?.record else { return }
      let children = (0..<14).map { number in
        ChildStart(
          RunStart(
            id: RunID(at: time(402).date), flow: "page", version: 1,
            payload: Data(#"{"render":{"number":\#(number)}}"#.utf8)), isDetached: number == 13)
      }
      try await journal.checkpoint(
        Checkpoint(
          claim: RunClaim(id: id, sequence: claimed.sequence, fence: claimed.fence), version: 1,
          next: .joining(
            Data(#"{"bind":{"parts":14}}"#.utf8), Checkpoint.Join(children, when: .all)),
          beganAt: time(401).date, lease: .seconds(30)), at: time(402))
      for run in try await claim("page", at: 403).prefix(2) {
        try await journal.park(
          Parking(
            claim: RunClaim(
              id: run.record.id, sequence: run.record.sequence, fence: run.record.fence),
            reason: .dead(error: "The page has no picture.")), at: time(404))
      }
      try await journal.setLimits(
        FlowLimits(runs: 20, perKey: .init(1), rate: .init(100, each: .seconds(60))),
        of: "order", replacing: true, at: time(405))
      try await journal.pause(.flow("order"), until: nil, at: time(406))
      try await journal.pause(
        .concurrencyKey("customer 17", flow: "order"), until: time(90_000).date, at: time(406))
    }

    /// A schedule that is due, a paused one with a queue, and one that no code can read.
    private func writeSchedules() async throws {
      let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
      let nightly = FlowSchedule(
        name: "nightly-export", flow: "import", version: 1, stage: #"{"read":{"row":0}}"#,
        timing: try .cron("30 2 * * *", in: zone))
      _ = try await journal.set(nightly, at: JournalTime(date: .now, uptime: .zero, boot: "now"))
      _ = try await journal.runNow("nightly-export", at: time(410)) { _ in
        RunID(at: time(410).date)
      }
      let weekly = FlowSchedule(
        name: "weekly report", flow: "order", version: 1, stage: #"{"send":{"to":"Graz"}}"#,
        timing: .every(.seconds(604_800), from: begin),
        options: ScheduleOptions(overlap: .queue(atMost: 3)))
      _ = try await journal.set(weekly, at: time(410))
      try await journal.pauseSchedule("weekly report", at: time(411))
      _ = try await journal.setSchedule(
        "written by another version", from: nil,
        to: ScheduleRecord(
          name: "written by another version", definition: Data("{}".utf8),
          progress: Data("{}".utf8)), starting: [], at: time(412))
    }

    private func claim(_ flow: String, at seconds: TimeInterval) async throws -> [ClaimedRun] {
      try await journal.claim(
        ClaimRequest(
          worker: "worker-1", flows: [.init(flow: flow, version: 9, limit: 100)],
          lease: .seconds(30)), at: time(seconds)
      ).runs
    }

    func write() async throws {
      for number in 0..<12 {
        _ = try await start(
          "order", "order \(1_000 + number)",
          #"{"send":{"to":"Akureyri","weight":1.\#(number)}}"#, at: Double(number))
      }
      for (number, claimed) in try await claim("order", at: 60).enumerated() {
        let claim = RunClaim(
          id: claimed.record.id, sequence: claimed.record.sequence, fence: claimed.record.fence)
        let reason: Parking.Reason? =
          switch number % 4 {
          case 0: .dead(error: "No courier goes to Akureyri; choose another town.")
          case 1: .blocked(error: "The stage “send” has no member “weight”.")
          case 2: .retry(at: time(7_200).date, error: "The courier did not answer.")
          default: nil
          }
        if let reason {
          try await journal.park(Parking(claim: claim, reason: reason), at: time(61))
        }
      }
      try await writeFamily()
      try await writeSchedules()
      _ = try await start("import", "airports.csv", #"{"read":{"row":0}}"#, at: 100)
      guard let long = try await claim("import", at: 101).first?.record else { return }
      for sequence in 0..<70 {
        let seconds = 102 + Double(sequence) * 3
        let stage = sequence % 2 == 0 ? "write" : "read"
        try await journal.checkpoint(
          Checkpoint(
            claim: RunClaim(id: long.id, sequence: sequence, fence: long.fence), version: 1,
            next: .stage(Data(#"{"\#(stage)":{"row":\#(sequence * 500)}}"#.utf8)),
            beganAt: time(seconds - 2).date, lease: .seconds(30)), at: time(seconds))
      }
    }
  }
#else
  @main
  struct Main {
    static func main() {
      try? FileHandle.standardError.write(
        contentsOf: Data("inspector-process: build it with --traits Inspector.\n".utf8))
      exit(2)
    }
  }
#endif
