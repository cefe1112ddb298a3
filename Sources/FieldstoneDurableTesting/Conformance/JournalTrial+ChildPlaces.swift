import FieldstoneDurable
import Foundation

/// Children that need a place that a run above them holds.
extension JournalExamination {
  func countsEachJoinAlone() async throws {
    let (detached, first, second) = (child(isDetached: true), child(), child(flow: "later"))
    let parent = try await startParent(of: [detached, first], when: .first)
    try await end(first)
    let claimed = try await claimOne().record
    try await checkpoint(claimed, .joining(json(2), .init([second], when: .all, until: nil)))
    try await end(detached)
    expect(
      try await run(parent.id).join, equals: RunJoin(sequence: 1, policy: .all, open: 1), .join,
      "the join of one after the end of a detached child of an earlier join")
    try await end(second)
    expect(
      try await isAwake(parent.id), .join,
      "a parent was not ready after its last child had ended, in a later join.")
  }

  /// Such a child would wait for a place that is free only once it has ended.
  func refusesKeysOfParents() async throws {
    func limit(_ perKey: FlowLimits.PerKey) async throws {
      try await journal.setLimits(
        FlowLimits(perKey: perKey), of: "flow", replacing: true, at: time)
    }
    func child(_ flow: String, key: String) -> ChildStart {
      ChildStart(
        RunStart(id: newID(), flow: flow, version: 1, payload: json(1), concurrencyKey: key))
    }
    try await limit(.init(2))
    let start = RunStart(
      id: newID(), flow: "flow", version: 1, payload: json(0), concurrencyKey: "a")
    _ = try await journal.start(start, at: time)
    let top = try await claimOne().record
    let refused = child("flow", key: "a")
    try await expectRefusal(
      .children, .placeHeldByParent, of: top.id, "a child with its parent's key"
    ) {
      try await checkpoint(top, .joining(json(1), .init([refused])))
    }
    expect(try await journal.run(refused.id), equals: nil, .children, "a child that was refused")
    // The same key of another flow is another key, and so is a different key.
    let middle = child("middle", key: "a")
    try await checkpoint(top, .joining(json(1), .init([middle, child("flow", key: "b")])))
    guard let between = try await claimRun(middle.id, of: "middle") else {
      return expect(false, .children, "a child with the same key of another flow is not given.")
    }
    try await expectRefusal(
      .children, .placeHeldByParent, of: between.id, "a child with a key of its parent's parent"
    ) {
      try await checkpoint(between, .joining(json(1), .init([child("flow", key: "a")])))
    }
    // A waiting run has no place of a key that counts execution.
    try await limit(.init(1, counting: .executing))
    try await checkpoint(between, .joining(json(1), .init([child("flow", key: "a")])))
    expect(try await run(between.id).sequence, equals: 1, .children, "the stage of a parent")
  }

  /// So would one of a flow whose whole runs are limited.
  func refusesFlowsOfParents() async throws {
    func limit(_ counting: FlowLimits.Counting) async throws {
      try await journal.setLimits(
        FlowLimits(runs: 5, counting: counting), of: "flow", replacing: true, at: time)
    }
    func child(_ flow: String) -> ChildStart {
      ChildStart(RunStart(id: newID(), flow: flow, version: 1, payload: json(1)))
    }
    try await limit(.wholeRun)
    let top = try await startAndClaim()
    let refused = child("flow")
    try await expectRefusal(
      .children, .placeHeldByParent, of: top.id, "a child of its parent's limited flow"
    ) {
      try await checkpoint(top, .joining(json(1), .init([child("middle"), refused])))
    }
    expect(try await journal.run(refused.id), equals: nil, .children, "a child that was refused")
    let middle = child("middle")
    try await checkpoint(top, .joining(json(1), .init([middle])))
    guard let between = try await claimRun(middle.id, of: "middle") else {
      return expect(false, .children, "a child of another flow is not given.")
    }
    try await expectRefusal(
      .children, .placeHeldByParent, of: between.id, "a child of the flow of its parent's parent"
    ) {
      try await checkpoint(between, .joining(json(1), .init([child("flow")])))
    }
    // A waiting run has no place of a flow that counts execution.
    try await limit(.executing)
    try await checkpoint(between, .joining(json(1), .init([child("flow")])))
    expect(try await run(between.id).sequence, equals: 1, .children, "the stage of a parent")
  }
}
