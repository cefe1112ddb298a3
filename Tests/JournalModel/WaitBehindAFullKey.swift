package import FieldstoneDurable
import FieldstoneTesting
package import Foundation

extension RandomRequestTrial {
  /// Lets a parent's time run out while its concurrency key is full, and compares each answer with the
  /// model's: its wait for children ends with the claim, and it waits for its key alone.
  ///
  /// - Parameters:
  ///   - journal: an empty journal.
  ///   - allEnd: whether all children end before the parent is claimed; otherwise one of two does.
  ///   - setClock: sets the clock of a journal that keeps a server's.
  /// - Returns: what is not as promised, in words; nil if all is.
  package mutating func failureOfTimeOutBehindAFullKey(
    of journal: some Journal, allEnd: Bool, setClock: (Date) -> Void = { _ in }
  ) async throws -> String? {
    var model = model(of: journal)
    var scene = WaitBehindAFullKey()
    while let request = scene.next(allEnd: allEnd) {
      setClock(scene.time.date)
      let (answer, wanted) = try await answers(
        to: request, of: journal, &model, at: scene.time, by: scene.time(by: journal.clock))
      guard answer == wanted else { return "\(request): \(answer) where \(wanted) is promised" }
      scene.learn(answer)
    }
    guard scene.isOver else { return "the scene stopped at step \(scene.step)" }
    return try await difference(of: journal, from: model).map { "at the end: \($0)" }
  }
}

/// The requests of a parent that waits behind its key.
private struct WaitBehindAFullKey {
  var time = JournalTime(
    date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .seconds(100), boot: "boot")
  private(set) var step = 0
  private(set) var isOver = false
  private var random = SeededGenerator(seed: 1)
  private var claims: [RunID: RunClaim] = [:]
  private var ids: [RunID] = []

  init() {
    for number in 0..<4 { ids.append(RunID(at: time.date + Double(number), using: &random)) }
  }

  func time(by clock: JournalClock) -> JournalTime {
    clock == .caller
      ? time
      : JournalTime(
        date: time.date, uptime: .seconds(time.date.timeIntervalSinceReferenceDate), boot: "server")
  }

  mutating func learn(_ answer: JournalAnswer) {
    guard case .claim(let runs, _, _, _) = answer else { return }
    for run in runs {
      claims[run.record.id] = RunClaim(
        id: run.record.id, sequence: run.record.sequence, fence: run.record.fence)
    }
  }

  private func start(_ number: Int, _ flow: String, key: String?) -> RunStart {
    RunStart(
      id: ids[number], flow: flow, version: 1, payload: Data("\(number)".utf8), concurrencyKey: key)
  }

  private func claim(_ flow: String, limit: Int = 4) -> JournalRequest {
    .claim(
      ClaimRequest(
        worker: "worker", flows: [.init(flow: flow, version: 1, limit: limit)],
        lease: .seconds(1_000), quarantine: .left(after: 2)))
  }

  private func leave(_ number: Int, _ next: Checkpoint.Next) -> JournalRequest? {
    claims[ids[number]].map {
      .checkpoint(
        Checkpoint(
          claim: $0, version: 1, next: next, beganAt: time.date, lease: .seconds(1_000)))
    }
  }

  private func waiting(_ wait: RunWait) -> JournalRequest {
    var query = RunQuery()
    query.waiting = wait
    return .runs(query)
  }

  private mutating func pass() {
    time.date += 10
    time.uptime += .seconds(10)
  }

  /// The runs are a parent, two children, and another run of the parent's key.
  mutating func next(allEnd: Bool) -> JournalRequest? {
    step += 1
    let done = Checkpoint.Next.completion(Data("9".utf8))
    switch step {
    case 1:
      return .limits(
        FlowLimits(perKey: .init(1, counting: .executing)), flow: "parent", replacing: true)
    case 2: return .start(start(0, "parent", key: "customer"))
    case 3: return claim("parent")
    case 4:
      let children = [1, 2].map { ChildStart(start($0, "child", key: nil)) }
      let join = Checkpoint.Join(children, when: .all, until: time.date + 5)
      return leave(0, .joining(Data("5".utf8), join))
    case 5: return .start(start(3, "parent", key: "customer"))
    case 6: return claim("parent")
    case 7: return waiting(.children)
    case 8:
      pass()
      // There is no room for the parent, whose time is out.
      return claim("parent")
    case 9, 14: return waiting(.children)
    case 10, 15: return waiting(.keyLimit)
    case 11: return claim("child", limit: allEnd ? 4 : 1)
    case 12: return leave(1, done)
    case 13: return allEnd ? leave(2, done) : .runs(RunQuery())
    case 16, 20: return .children(ids[0], nil, nil, 10)
    case 17: return leave(3, done)
    case 18: return claim("parent")
    // A child that the parent does not wait for any more is cancelled.
    case 19: return claim("child")
    case 21: return leave(0, done)
    default:
      isOver = step == 22
      return nil
    }
  }
}
