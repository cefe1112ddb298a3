#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneTesting
  import Foundation
  import Testing

  /// A journal, in memory unless another is given, and a person who looks at it in a browser.
  final class InspectedJournal: Sendable {
    let journal: any Journal
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_795_000_000))
    let inspector: Inspector
    private let generator = Locked(SeededGenerator(seed: 22))

    init(
      over journal: any Journal = InMemoryJournal(),
      _ change: (inout InspectorOptions) -> Void = { _ in }
    ) {
      self.journal = journal
      var options = InspectorOptions.open
      change(&options)
      inspector = Inspector(
        journal: journal, name: "orders.sqlite", options: options, time: time.source)
    }

    /// - Parameter completed: the pages with what they know beside the journal.
    init(completed: (Inspector) throws -> Inspector) throws {
      journal = InMemoryJournal()
      inspector = try completed(
        Inspector(
          journal: journal, name: "orders.sqlite", options: .open, time: time.source))
    }

    var now: JournalTime { JournalTime(time.source, boot: "boot") }

    /// Starts a run of a flow, with a first stage as JSON.
    @discardableResult
    func start(
      _ stage: String = #"{"send":{"to":"Akureyri"}}"#, flow: String = "order", key: String? = nil,
      attributes: [String: RunAttribute] = [:]
    ) async throws -> RunID {
      time.advance(by: .milliseconds(1))
      let date = time.now
      let slot = journal.slot(of: flow, key: key)
      let id = generator.withLock { RunID(at: date, slot: slot, using: &$0) }
      var start = RunStart(id: id, flow: flow, version: 1, key: key, payload: Data(stage.utf8))
      start.attributes = attributes
      return try await journal.start(start, at: now).id
    }

    /// Starts runs of a flow by one call.
    func start(many count: Int) async throws {
      time.advance(by: .milliseconds(1))
      let starts = generator.withLock { generator in
        (0..<count).map { _ in
          RunStart(
            id: RunID(at: time.now, slot: journal.slot(of: "order", key: nil), using: &generator),
            flow: "order", version: 1,
            payload: Data(#"{"send":{"to":"Akureyri"}}"#.utf8))
        }
      }
      for result in await journal.start(starts, at: now) { _ = try result.get() }
    }

    /// Claims the runs of a flow that are due.
    func claim(_ flow: String = "order") async throws -> [ClaimedRun] {
      let request = ClaimRequest(
        worker: "worker-1", flows: [.init(flow: flow, version: 9, limit: 100)],
        lease: .seconds(30))
      return try await journal.claim(request, at: now).runs
    }

    /// Starts a run that has failed for good.
    func deadRun(
      _ stage: String = #"{"send":{"to":"Atlantis"}}"#, key: String? = nil,
      error: String = "No courier."
    ) async throws -> RunID {
      let id = try await start(stage, key: key)
      for run in try await claim() where run.record.id == id {
        try await journal.park(
          Parking(claim: Self.claim(of: run.record), reason: .dead(error: error)), at: now)
      }
      return id
    }

    /// Starts a run that a worker has found to be unreadable.
    func blockedRun(_ stage: String, flow: String = "order") async throws -> RunID {
      let id = try await start(stage, flow: flow)
      for run in try await claim(flow) where run.record.id == id {
        try await journal.park(
          Parking(claim: Self.claim(of: run.record), reason: .blocked(error: "unreadable")), at: now
        )
      }
      return id
    }

    /// Starts a run that waits for a signal.
    func receivingRun(_ signal: String) async throws -> RunID {
      let stage = #"{"send":{"to":"Akureyri"}}"#
      let id = try await start(stage)
      for run in try await claim() where run.record.id == id {
        try await journal.checkpoint(
          Checkpoint(
            claim: Self.claim(of: run.record), version: 1,
            next: .receiving(Data(stage.utf8), signals: [signal], until: nil),
            beganAt: now.date, lease: .seconds(30)), at: now)
      }
      return id
    }

    /// Starts a run that has come through some stages.
    func longRun(_ stages: [String], flow: String = "import") async throws -> RunID {
      let id = try await start(stages[0], flow: flow)
      guard let claimed = try await claim(flow).first(where: { $0.record.id == id }) else {
        return id
      }
      for (index, stage) in stages.dropFirst().enumerated() {
        time.advance(by: .milliseconds(250))
        var claim = Self.claim(of: claimed.record)
        claim.sequence = index
        try await journal.checkpoint(
          Checkpoint(
            claim: claim, version: 1, next: .stage(Data(stage.utf8)),
            beganAt: now.date.addingTimeInterval(-0.2), lease: .seconds(30)), at: now)
      }
      return id
    }

    static func claim(of run: RunRecord) -> RunClaim {
      RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
    }

    // MARK: The browser

    func get(_ target: String, _ headers: [String: String] = [:]) async -> SiteResponse {
      await inspector.response(
        to: SiteRequest(
          target: target, headers: ["Host": "localhost:8471"].merging(headers) { $1 }))
    }

    func post(
      _ target: String, _ values: [(String, String)], _ headers: [String: String] = [:]
    ) async -> SiteResponse {
      let allowed = CharacterSet.alphanumerics
      let body = values.map {
        "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
      }.joined(separator: "&")
      return await inspector.response(
        to: SiteRequest(
          method: "POST", target: target,
          headers: [
            "Host": "localhost:8471", "Origin": "http://localhost:8471",
            "Content-Type": "application/x-www-form-urlencoded",
          ].merging(headers) { $1 }, body: Array(body.utf8)))
    }

    /// The names and values of the hidden fields of a page's form.
    static func hidden(in page: String) -> [(String, String)] {
      let pattern = /<input type="hidden" name="([^"]*)" value="([^"]*)">/
      return page.matches(of: pattern).map { match in
        let value = [
          ("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ]
        .reduce(String(match.2)) { $0.replacing($1.0, with: $1.1) }
        return (String(match.1), value)
      }
    }

    /// Opens the form of an action and posts it with values, as often as it comes back as a question.
    func act(
      _ action: String, on id: RunID, _ values: [(String, String)] = []
    ) async -> SiteResponse {
      let target = "/runs/\(id)/\(action)"
      let form = await get(target)
      guard form.status == 200 else { return form }
      let review = await post(target, values + Self.hidden(in: form.text))
      guard review.status == 200, review.text.contains(#"name="confirmed""#) else { return review }
      return await post(target, Self.hidden(in: review.text))
    }
  }

  extension InspectorOptions {
    /// Options of pages that everyone may open.
    static var open: Self {
      var options = Self()
      options.token = nil
      return options
    }
  }

  extension Inspector {
    /// Opens a page as the browser does that was given the printed address.
    func opened(_ target: String) async -> SiteResponse {
      let headers = ["Host": "localhost"]
      let door = await response(
        to: SiteRequest(target: "/?token=\(printedToken ?? "")", headers: headers))
      let cookie = (door.headers["Set-Cookie"] ?? "").prefix { $0 != ";" }
      return await response(
        to: SiteRequest(
          target: target, headers: headers.merging(["Cookie": String(cookie)]) { $1 }))
    }
  }

  extension SiteResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
  }
#endif
