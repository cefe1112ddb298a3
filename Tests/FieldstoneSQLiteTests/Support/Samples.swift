#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation

  extension JournalTime {
    /// Some seconds after a fixed moment, by both clocks.
    static func at(_ seconds: Double, boot: String = "boot") -> JournalTime {
      JournalTime(
        date: Date(timeIntervalSinceReferenceDate: 700_000_000 + seconds),
        uptime: .seconds(1_000) + .seconds(seconds), boot: boot)
    }

    /// What the clocks of this machine say, as the helper program reads them.
    static var real: JournalTime { JournalTime(.system, boot: DurableRunnerOptions().boot) }
  }

  extension RunStart {
    /// A run of the flow that the helper program knows, too.
    static func sample(_ number: Int, flow: String = "samples", key: String? = nil) -> RunStart {
      RunStart(
        id: sampleID(number), flow: flow, version: 1, key: key, payload: Data("{\"number\":0}".utf8)
      )
    }
  }

  /// Identifiers that sort by their number.
  func sampleID(_ number: Int) -> RunID {
    var generator = SeededGenerator(seed: UInt64(number))
    return RunID(at: Date(timeIntervalSince1970: Double(number)), using: &generator)
  }

  extension SQLiteJournal {
    /// Starts so many runs.
    @discardableResult
    func start(_ count: Int, from first: Int = 0) async throws -> [RunID] {
      var ids: [RunID] = []
      for number in first..<first + count {
        ids.append(try await start(.sample(number), at: .at(0)).id)
      }
      return ids
    }

    func claim(
      _ limit: Int, worker: String = "worker", lease: Duration = .seconds(60),
      at time: JournalTime = .at(0)
    ) async throws -> [RunRecord] {
      let request = ClaimRequest(
        worker: worker, flows: [.init(flow: "samples", version: 1, limit: limit)], lease: lease)
      return try await claim(request, at: time).runs.map(\.record)
    }

    /// All links of a run's chain.
    func chain(of id: RunID) async throws -> [StepRecord] {
      var steps: [StepRecord] = []
      var last: Int?
      repeat {
        let page = try await self.steps(of: id, after: last, limit: 1_000)
        steps += page.steps
        last = page.next
      } while last != nil
      return steps
    }
  }

  extension RunRecord {
    /// The claim that the record was made for.
    var claim: RunClaim { RunClaim(id: id, sequence: sequence, fence: fence) }

    /// A checkpoint that goes on to another stage.
    func checkpoint(_ next: Checkpoint.Next) -> Checkpoint {
      Checkpoint(
        claim: claim, version: 1, next: next, beganAt: JournalTime.at(0).date, lease: .seconds(60))
    }

    func checkpoint(
      _ payload: String = "{}", fence: Int? = nil, writes: [CheckpointWrite] = []
    ) -> Checkpoint {
      var claim = claim
      claim.fence = fence ?? self.fence
      return Checkpoint(
        claim: claim, version: 1, next: .stage(Data(payload.utf8)),
        beganAt: JournalTime.at(0).date, lease: .seconds(60), writes: writes)
    }
  }
#endif
