#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation

  /// Asks a journal for one thing after the other: for the same, in the same order, with the same
  /// seed.
  struct Scribe {
    enum Request: Sendable {
      case start(RunStart)
      case claim(Int)
      case checkpoint(Checkpoint)
      case park(Parking)
      case renew([RunClaim])
      case signal(RunID, SignalRecord)
      case change(RunID, RunChange)
    }

    private var random: SeededGenerator
    private var count = 0
    private var started: [RunID] = []
    private var held: [ClaimedRun] = []

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
    }

    /// Asks for the next thing.
    ///
    /// - Parameter whenUnavailable: what is done about a journal that can't be used, before the same
    ///   is asked for again.
    mutating func ask(
      _ journal: SQLiteJournal, whenUnavailable: (JournalError) async throws -> Void = { throw $0 }
    ) async throws {
      let request = next()
      while true {
        do {
          held += try await perform(request, on: journal)
          return
        } catch let error as JournalError where error.isTransient {
          try await whenUnavailable(error)
        } catch JournalError.claimLost, JournalError.notAllowed {
          // An answer like another.
          return
        }
      }
    }

    private func perform(
      _ request: Request, on journal: SQLiteJournal
    ) async throws -> [ClaimedRun] {
      let time = JournalTime.at(Double(count))
      switch request {
      case .start(let start): _ = try await journal.start(start, at: time)
      case .claim(let limit):
        let flows = [ClaimRequest.FlowRoom(flow: "samples", version: 1, limit: limit)]
        return try await journal.claim(
          ClaimRequest(worker: "scribe", flows: flows, lease: .seconds(1_000)), at: time
        ).runs
      case .checkpoint(let checkpoint): try await journal.checkpoint(checkpoint, at: time)
      case .park(let parking): try await journal.park(parking, at: time)
      case .renew(let claims):
        _ = try await journal.renew(claims, lease: .seconds(1_000), at: time)
      case .signal(let id, let signal): try await journal.signal(id, signal, at: time)
      case .change(let id, let change): _ = try await journal.change(id, change, at: time)
      }
      return []
    }

    private mutating func next() -> Request {
      count += 1
      if started.isEmpty { return start() }
      if held.isEmpty { return Int.random(in: 0..<4, using: &random) == 0 ? start() : .claim(2) }
      switch Int.random(in: 0..<20, using: &random) {
      case 0...1: return start()
      case 2: return .claim(2)
      case 3: return .renew(held.map(\.record.claim))
      case 4...5:
        let signal = SignalRecord(
          id: "\(count)", name: "news", payload: payload(), sentAt: JournalTime.at(0).date)
        return .signal(someone(), signal)
      case 6: return .change(someone(), .edit(payload(), version: nil))
      case 7: return .change(someone(), .cancel)
      case 8...9: return park()
      default: return checkpoint()
      }
    }

    private mutating func start() -> Request {
      let start = RunStart(
        id: sampleID(count), flow: "samples", version: 1, key: "key \(count)", payload: payload())
      started.append(start.id)
      return .start(start)
    }

    private mutating func someone() -> RunID {
      started.randomElement(using: &random) ?? sampleID(0)
    }

    private mutating func park() -> Request {
      let claim = held.removeFirst().record.claim
      let isShutdown = Bool.random(using: &random)
      let date = JournalTime.at(Double(count + 1)).date
      return .park(
        Parking(claim: claim, reason: isShutdown ? .shutdown : .retry(at: date, error: "so so")))
    }

    private mutating func checkpoint() -> Request {
      var run = held.removeFirst()
      let date = JournalTime.at(Double(count + 2)).date
      let next: Checkpoint.Next
      switch Int.random(in: 0..<10, using: &random) {
      case 0: next = .completion(payload())
      case 1: next = .waiting(payload(), until: date)
      case 2: next = .receiving(payload(), signals: ["news"], until: date)
      case 3...4:
        let children = (0..<Int.random(in: 1...3, using: &random)).map { place in
          let start = RunStart(
            id: sampleID(100_000 + count * 10 + place), flow: "samples", version: 1,
            payload: payload())
          started.append(start.id)
          return ChildStart(start, isDetached: place == 2)
        }
        let policy = JoinPolicy.allCases[Int.random(in: 0..<3, using: &random)]
        next = .joining(payload(), .init(children, when: policy))
      default: next = .stage(payload())
      }
      let consumed = run.signal.map { [$0.id] } ?? []
      let checkpoint = Checkpoint(
        claim: run.record.claim, version: 1, next: next, consumedSignals: consumed,
        beganAt: JournalTime.at(0).date, lease: .seconds(1_000))
      if case .stage = next {
        run.record.sequence += 1
        run.signal = nil
        held.append(run)
      }
      return .checkpoint(checkpoint)
    }

    /// No two are alike; now and then one fills several pages.
    private mutating func payload() -> Data {
      let isLong = Int.random(in: 0..<6, using: &random) == 0
      let length = Int.random(in: 0..<(isLong ? 20_000 : 200), using: &random)
      return Data("\"\(count) \(String(repeating: "x", count: length))\"".utf8)
    }
  }
#endif
