import FieldstoneDurable
import Foundation
import Harness

/// Durable stages on the embedded journal: what a checkpoint costs above the commit that it can't
/// do without, and whether a claim and a page stay what they are when there are many runs.
let durable = Area("durable") {
  checkpoints(1)
  checkpoints(16)
  checkpoints(64)
  singleStarts
  manyStarts
  runners(1)
  runners(64)
  runners(256)
  processorTime
  joins
  waitingHandles
  waitingStarts
  idleFlows
  journalClaims
  crowdedJournalClaims
  journalPages
  journalQueries
  bulkChanges
}

/// Checkpoints of so many runs that work at the same time, with full durability.
private func checkpoints(_ count: Int) -> Group {
  let total = 512
  return Group("checkpoint-\(count)", floor: "raw SQLite, a commit each") {
    Case(
      "raw SQLite, a commit each", operations: total, runs: 1,
      setup: { try await RawJournal() },
      { journal in for _ in 0..<total { try journal.checkpoint() } })
    Case(
      "fieldstone SQLiteJournal", operations: total, runs: 1,
      goals: [.atMost(count == 1 ? 1.67 : 0.67)],
      setup: { try await WorkingRuns(count) },
      { runs in try await runs.checkpoint(total / count) })
  }
}

/// Starts one after the other, each with a key, a commit and full durability.
private let singleStarts = Group("start-1", floor: "raw SQLite, a commit each") {
  Case(
    "raw SQLite, a commit each", operations: 256, runs: 1,
    setup: { try await RawStarts(256) }, { starts in for _ in 0..<256 { try starts.start(1) } })
  Case(
    "fieldstone DurableRunner", operations: 256, runs: 1, goals: [.atMost(1.5)],
    setup: { try await RunnerStarts() }, { starts in try await starts.startEach(256) })
}

/// Ten thousand starts by one call, each with a key, against one transaction with as many rows.
private let manyStarts = Group("start-10000", floor: "raw SQLite, one commit") {
  Case(
    "raw SQLite, one commit", operations: 10_000, runs: 1,
    setup: { try await RawStarts(10_000) }, { starts in try starts.start(10_000) })
  Case(
    "fieldstone DurableRunner", operations: 10_000, runs: 1, goals: [.atMost(3)],
    setup: { try await RunnerStarts() }, { starts in try await starts.startAll(10_000) })
}

/// Checkpoints that a runner makes, with all that it does around them: claims, reads stages, does
/// their work, writes them as JSON, and tells those that wait.
///
/// Runs have at least 32 stages, as in `runner-64-cpu`: a runner claims 16 of them at a time, so that
/// short ones are not all under way at once. With 16 stages it is 1.6 at 64 and 1.8 at 256.
private func runners(_ count: Int) -> Group {
  let stages = max(32, 512 / count)
  return Group("runner-\(count)", floor: "the journal's own checkpoints") {
    Case(
      "the journal's own checkpoints", operations: count * stages, runs: 1,
      setup: { try await WorkingRuns(count) },
      { runs in try await runs.checkpoint(stages) })
    Case(
      "fieldstone DurableRunner", operations: count * stages, runs: 1,
      goals: [.atMost(1.5)],
      setup: { try await RunnerRuns(count, stages: stages) },
      { runs in try await runs.finish() })
  }
}

/// The ends of 10,000 children, 64 at a time, up to their parent's claim and its reading of all
/// outcomes; per child against a checkpoint of runs that have no parent.
private let joins = Group("join-10000", floor: "a checkpoint each, without a parent") {
  Case(
    "a checkpoint each, without a parent", operations: 10_000, runs: 1,
    setup: { try await Family(10_000, areChildren: false) }, { try await $0.goOn() })
  // An end changes a run's state, and with it the indices of running runs and of those that are over.
  Case(
    "fieldstone, an end each, without a parent", operations: 10_000, runs: 1,
    setup: { try await Family(10_000, areChildren: false) }, { try await $0.endAlone() })
  Case(
    "fieldstone, children and their join", operations: 10_000, runs: 1, goals: [.atMost(1.5)],
    setup: { try await Family(10_000, areChildren: true) }, { try await $0.end() })
}

/// What the same costs in CPU time, of all threads.
private let processorTime = Group("runner-64-cpu", floor: "fieldstone DurableRunner") {
  Case(
    "fieldstone DurableRunner", operations: 64 * 32, runs: 1, goals: [.atMostAbsolute(80_000)],
    taking: { _ in try await RunnerRuns(64, stages: 32).finishOnCPU() })
}

private let oneHandle = WaitingRunner(handles: 1)
private let manyHandles = WaitingRunner(handles: 100_000)

/// The CPU time of a poll for all the handles that wait, while nothing happens.
private let waitingHandles = Group("handles-100000-cpu", floor: "a poll for one handle") {
  Case("a poll for one handle", runs: 200, taking: { try await oneHandle.poll(times: $0) })
  Case(
    "fieldstone, for 100,000 handles", runs: 200, goals: [.atMost(1.5)],
    taking: { try await manyHandles.poll(times: $0) })
}

private let oneFlow = WaitingRunner(flows: 1)
private let manyFlows = WaitingRunner(flows: 1_000)

/// The CPU time of a poll by a runner that has nothing to do.
private let idleFlows = Group("idle-flows-1000-cpu", floor: "a poll for one flow") {
  Case("a poll for one flow", runs: 200, taking: { try await oneFlow.poll(times: $0) })
  Case(
    "fieldstone, for 1,000 flows", runs: 200, goals: [.atMost(1.5)],
    taking: { try await manyFlows.poll(times: $0) })
}

/// What each of very many starts holds while the journal is not to be had.
///
/// Of 100,000, each in a task of its caller's, the tasks alone hold 150 MB: one that does nothing but
/// wait has 1,500 bytes here. So the limit is what a start adds to its task. By one call, 100,000 may
/// hold 100 MB.
private let waitingStarts = Group("waiting-starts", floor: "tasks that wait", unit: .bytes) {
  Case.memory(
    "tasks that wait", objects: 20_000, setup: { WaitingTasks(20_000) },
    hold: { try await $0.hold() })
  Case.memory(
    "fieldstone starts", objects: 20_000, goals: [.atMost(1.1)],
    setup: { try await WaitingStarts(20_000) }, hold: { try await $0.hold() })
  Case.memory(
    "fieldstone starts by one call", objects: 20_000, goals: [.atMostAbsolute(1_000)],
    setup: { try await WaitingStarts(20_000) }, hold: { try await $0.holdCall() })
}

private let fewClaims = ManyRuns(1_000, in: .ready)
private let manyClaims = ManyRuns(1_000_000, in: .ready)
private let begunClaims = ManyRuns(1_000_000, in: .ready, crowd: .begun)
private let fewPages = ManyRuns(1_000, in: .completed)
private let manyPages = ManyRuns(1_000_000, in: .completed)

/// A claim of sixteen runs; they are given back meanwhile, which is not timed.
private let journalClaims = Group("claim-1000000", floor: "of 1,000 ready runs") {
  Case("of 1,000 ready runs", runs: 20, taking: { try await fewClaims.claim(times: $0) })
  Case(
    "fieldstone, of 1,000,000 ready runs", runs: 20, goals: [.atMost(2)],
    taking: { try await manyClaims.claim(times: $0) })
  Case(
    "fieldstone, of 16 that have begun, with 1,000,000 behind a full flow", runs: 20,
    goals: [.atMost(2)], taking: { try await begunClaims.claim(times: $0) })
}

private let orderedClaims = ManyRuns(1_000_000, in: .ready, crowd: .order)
private let crowdedClaims = ManyRuns(1_000_000, in: .ready, crowd: .full)

/// The same among a million with priorities and keys, half of them behind one key that is full.
///
/// Priorities and keys have a claim take runs that lie apart, and those of the floor are as far apart:
/// how many pages of the table it reads and writes is the app's order, not the price of keys and
/// limits.
private let crowdedJournalClaims = Group("claim-crowded", floor: "without them, in the same order")
{
  Case(
    "without them, in the same order", runs: 20,
    taking: { try await orderedClaims.claim(times: $0) })
  Case(
    "fieldstone, with priorities, keys and a full limit", runs: 20, goals: [.atMost(1.5)],
    taking: { try await crowdedClaims.claim(times: $0) })
}

private let fewFound = FoundRuns(10_000)
private let manyFound = FoundRuns(1_000_000)

/// Pages of fifty by an attribute, an error, a signal that is awaited, the beginning of a key, times, in
/// several orders, and a count: one of each.
private let journalQueries = Group("query-attribute", floor: "of 10,000 runs") {
  Case("of 10,000 runs", runs: 20, taking: { try await fewFound.query(times: $0) })
  Case(
    "fieldstone, of 1,000,000 runs", runs: 20, goals: [.atMost(2)],
    taking: { try await manyFound.query(times: $0) })
}

/// Ready runs that one call counts and cancels, per run.
private let bulkChanges = Group("bulk-100000", floor: "of 1,000 runs") {
  Case(
    "of 1,000 runs", operations: 1_000, runs: 1, setup: { try await OpenRuns(1_000) },
    { runs in try await runs.cancelAll() })
  Case(
    "fieldstone, of 100,000 runs", operations: 100_000, runs: 1, goals: [.atMost(1.5)],
    setup: { try await OpenRuns(100_000) }, { runs in try await runs.cancelAll() })
}

/// A page of fifty, from anywhere.
private let journalPages = Group("page-1000000", floor: "of 1,000 finished runs") {
  Case("of 1,000 finished runs", runs: 50, taking: { try await fewPages.page(times: $0) })
  Case(
    "fieldstone, of 1,000,000 finished runs", runs: 50, goals: [.atMost(2)],
    taking: { try await manyPages.page(times: $0) })
}
