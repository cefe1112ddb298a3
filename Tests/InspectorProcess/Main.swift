import Foundation

#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneScreens
  import FieldstoneStages

  /// A process with a journal and live objects, whose inspector the browser's tests look at; with
  /// `--read-only`, one that changes nothing; with `--session FILE`, one that serves an exported
  /// timeline.
  @main
  struct Main {
    @MainActor
    static func main() async throws {
      var options = InspectorOptions()
      options.token = "opened-once"
      let arguments = CommandLine.arguments
      options.isReadOnly = arguments.contains("--read-only")
      if arguments.count == 3, arguments[1] == "--session" {
        let session = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
        return try await serve(Inspector(session: session, options: options))
      }
      let journal = InMemoryJournal()
      try await SampleRuns(journal: journal).write()
      let inspector = try Inspector(journal: journal, name: "orders.sqlite", options: options)
        .checking([DurableFlow(SampleOrder.self, name: "order")])
        .offering(SignalName("approval", example: SampleOrder.Weight(kilograms: 1.2)))
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
      try await serve(inspector)
      withExtendedLifetime(objects) {}
    }

    private static func serve(_ inspector: Inspector) async throws {
      try await inspector.run(port: 0) { address in
        try? FileHandle.standardOutput.write(contentsOf: Data("Serving \(address)\n".utf8))
      }
    }
  }

  /// The stage of the sample's orders, as the code of this process reads it.
  enum SampleOrder: Stage, Codable {
    case send(to: String, weight: Weight)

    struct Weight: Codable, Sendable {
      let kilograms: Double

      init(kilograms: Double) { self.kilograms = kilograms }

      init(from decoder: any Decoder) throws {
        kilograms = try decoder.singleValueContainer().decode(Double.self)
        guard kilograms < 1.8 else { throw Overweight() }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(kilograms)
      }
    }

    struct Overweight: DescribedError {
      let message = "No courier takes more than 1.8 kg; split the order."
    }

    func next() async throws -> Step<Self, Int> { .complete(1) }
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
    let lookup: Integrator<String, [Airport]>
    let forecast: ScreenModel
    let handle = Field<String>("Handle", key: "handle").require(.notBlank).require(
      .asynchronous(code: "taken", debounce: .seconds(600)) { _ in true })
    private(set) lazy var account = FormModel(timing: .onBlur) { handle }

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
      lookup = Integrator(
        provider: inspector.forcing(
          ClosureProvider { (city: String) in
            airports.filter { $0.city == city }.prefix(2).map { $0 }
          }, as: "Lookup"))
      forecast = ScreenModel(
        Integrator(
          provider: inspector.forcing(
            ClosureProvider { Array(airports.prefix(2)) }, as: "Forecast", empty: [])),
        parameters: ())
      inspector.watch(search, as: "Airports")
      inspector.watch(list, as: "Directory")
      inspector.watch(screen, as: "Weather")
      inspector.watch(form, as: "Airport form")
      inspector.watch(city, as: "City")
      inspector.watch(lookup, as: "Lookup")
      inspector.watch(forecast, as: "Forecast")
      inspector.watch(account, as: "Account form")
    }

    func begin() async {
      _ = try? await search()
      _ = await list.reload(.firstPage).outcome
      screen.appear()
      form[name]?.text = "Graz"
      form[latitude]?.text = "north"
      form[password]?.text = "hunter2"
      city.set("Bergen", origin: .user)
      _ = try? await lookup("Linz")
      lookup.update { $0.append(Airport(id: "LOXX", name: "Not loaded yet", city: "Linz")) }
      list.update("LO3") { $0.name = "Renamed here" }
      forecast.appear()
      // The answer of its rule is far away.
      account[handle]?.text = "ada"
      account[handle]?.blur()
    }
  }

  /// Runs of each state.
  struct SampleRuns {
    let journal: InMemoryJournal
    private let begin = Date(timeIntervalSinceNow: -3_000)

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

    /// A run that waits for the signal of which the pages know an example.
    private func writeRefund() async throws {
      let id = try await start("refund", "order 998", #"{"ask":{"amount":12.50}}"#, at: 90)
      guard let claimed = try await claim("refund", at: 91).first?.record else { return }
      try await journal.checkpoint(
        Checkpoint(
          claim: RunClaim(id: id, sequence: claimed.sequence, fence: claimed.fence), version: 1,
          next: .receiving(
            Data(#"{"approve":{"amount":12.50,"asked":["ada"]}}"#.utf8), signals: ["approval"],
            until: nil),
          beganAt: time(91).date, lease: .seconds(30)), at: time(92))
    }

    /// Refunds that went other ways than the one that waits.
    private func writeRefunds() async throws {
      let ways = [
        ["ask", "approve", "pay"], ["ask", "approve", "refuse"],
        ["ask", "approve", "ask", "approve", "pay", "thank"],
      ]
      for (number, way) in ways.enumerated() {
        let begin = 62 + Double(number) * 8
        let stage = { (name: String) in Data(#"{"\#(name)":{"amount":7.40}}"#.utf8) }
        let id = try await start(
          "refund", "order \(990 + number)", #"{"ask":{"amount":7.40}}"#, at: begin)
        guard let claimed = try await claim("refund", at: begin + 0.5).first?.record else { return }
        for (sequence, name) in (way.dropFirst() + [""]).enumerated() {
          let seconds = begin + 1 + Double(sequence)
          try await journal.checkpoint(
            Checkpoint(
              claim: RunClaim(id: id, sequence: sequence, fence: claimed.fence), version: 1,
              next: name.isEmpty ? .completion(Data("true".utf8)) : .stage(stage(name)),
              beganAt: time(seconds - 0.4).date, lease: .seconds(30)), at: time(seconds))
        }
      }
    }

    /// A flow whose only place is taken, and a run that is due behind it.
    private func writePictures() async throws {
      try await journal.setLimits(
        FlowLimits(runs: 1), of: "picture", replacing: true, at: time(407))
      for number in 1...2 {
        _ = try await start(
          "picture", "picture \(number)", #"{"draw":{"dots":300}}"#, at: 407 + Double(number))
      }
      _ = try await claim("picture", at: 410)
    }

    /// Runs that were completed, more and more of them.
    private func writeInvoices() async throws {
      for number in 0..<48 {
        let seconds = 500 + (Double(number * 48) * 2_300).squareRoot()
        let id = try await start(
          "invoice", "invoice \(2_000 + number)", #"{"print":{"copies":2}}"#, at: seconds)
        guard let claimed = try await claim("invoice", at: seconds).first?.record else { return }
        try await journal.checkpoint(
          Checkpoint(
            claim: RunClaim(id: id, sequence: claimed.sequence, fence: claimed.fence), version: 1,
            next: .completion(Data("2".utf8)), beganAt: time(seconds).date, lease: .seconds(30)),
          at: time(seconds + Double(number * 7 % 31)))
      }
    }

    /// A schedule that is due, a paused one with a queue, and one that no code can read.
    private func writeSchedules() async throws {
      let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
      let nightly = FlowSchedule(
        name: "nightly-export", flow: "import", version: 1, stage: #"{"read":{"row":0}}"#,
        timing: try .cron("30 2 * * *", in: zone))
      _ = try await journal.set(
        nightly, by: nil, at: JournalTime(date: .now, uptime: .zero, boot: "now"))
      _ = try await journal.runNow("nightly-export", by: "ada", at: time(410)) { _ in
        RunID(at: time(410).date)
      }
      let weekly = FlowSchedule(
        name: "weekly report", flow: "order", version: 1, stage: #"{"send":{"to":"Graz"}}"#,
        timing: .every(.seconds(604_800), from: begin),
        options: ScheduleOptions(overlap: .queue(atMost: 3)))
      _ = try await journal.set(weekly, by: nil, at: time(410))
      try await journal.pauseSchedule("weekly report", by: nil, at: time(411))
      _ = try await journal.setSchedule(
        "written by another version", from: nil,
        to: ScheduleRecord(
          name: "written by another version", definition: Data("{}".utf8),
          progress: Data("{}".utf8)), starting: [], at: time(412))
    }

    /// A worker that is alive, one that is silent, and what the first has reported of a run.
    private func writeReports(of run: RunRecord) async throws {
      for (name, ago) in [("worker-1", 3.0), ("worker-2 of the mill", 4_000)] {
        let then = JournalTime(date: .now - ago, uptime: .zero, boot: "now")
        try await journal.setWorker(
          name,
          to: WorkerRecord(
            name: name, machine: "mill.example.org", process: 4_711, protocolVersion: 2,
            flows: ["catalogue", "import", "order", "page"].map { name -> WorkerRecord.Flow in
              .init(name: name, version: 3)
            },
            startedAt: then.date - 3_600, lastSeenAt: then.date, interval: .seconds(30),
            runCount: 1, runs: [run.id]), at: then)
      }
      let lines = (1...40).map { number -> RunLogLine in
        RunLogLine(
          place: .init(fence: run.fence, number: number < 20 ? number : number + 7),
          text: "row \(number * 500): no such airport, “LO\(number)”", sequence: number,
          loggedAt: time(102 + Double(number)).date)
      }
      let progress = RunProgress(
        0.62, text: "row 35,000 of 56,451", sequence: 69, reportedAt: time(310).date)
      try await journal.write(
        [RunReportWrite(run: run.id, fence: run.fence, progress: progress, lines: lines)],
        at: time(311))
    }

    /// What gives a run back; of one that tries again, with the lines that its runner logs.
    private func parking(_ claim: RunClaim, _ reason: Parking.Reason) async throws -> Parking {
      guard case .retry(let date, let error) = reason else {
        return Parking(claim: claim, reason: reason)
      }
      func line(_ number: Int, _ text: String) -> RunLogLine {
        RunLogLine(
          place: .init(fence: claim.fence, number: number), text: text, sequence: claim.sequence,
          loggedAt: time(60 + Double(number) / 4).date, isOfRunner: true)
      }
      let taken = line(
        1, "Taken over by worker-1: workers have died or lost their lease once at this stage")
      try await journal.write(
        [RunReportWrite(run: claim.id, fence: claim.fence, progress: nil, lines: [taken])],
        at: time(60.5))
      let failed = line(
        2,
        "Attempt 1, by worker-1, failed; the next is at \(date.ISO8601Format()): \(error)")
      return Parking(claim: claim, reason: reason, line: failed)
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
          try await journal.park(try await parking(claim, reason), at: time(61))
        }
      }
      try await writeRefunds()
      try await writeRefund()
      try await writeInvoices()
      try await writeFamily()
      try await writePictures()
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
      try await writeReports(of: long)
      try await writeSchedules()
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
