import Foundation

extension InMemoryRuns {
  /// The children to cancel, because their parent no longer waits for them.
  struct Cancellation {
    var parent: RunID
    var sequence: Int
    /// The number of examined children.
    var done = 0
  }

  /// Throws for children that can't be started, before anything is changed.
  func checkChildren(
    of checkpoint: Checkpoint, leaving run: InMemoryRun, _ limits: PayloadLimits
  ) throws(JournalError) {
    try limits.checkDepth(of: checkpoint, parentDepth: run.depth)
    if !checkpoint.next.children.isEmpty {
      try checkpoint.checkPlaces(heldAbove: placesHeld(above: run))
    }
    var ids: Set<RunID> = []
    for child in checkpoint.next.children {
      guard ids.insert(child.id).inserted, !isKnown(child.id) else { throw .childTaken(child.id) }
    }
  }

  /// The places that a run and its ancestors hold until they are over, the nearest first.
  private func placesHeld(above run: InMemoryRun) -> [HeldPlace] {
    var held: [HeldPlace] = []
    var next: InMemoryRun? = run
    while let run = next {
      let record = run.record
      if run.hasPlace, let key = record.concurrencyKey,
        limits[record.flow]?.limits.perKey?.counting == .wholeRun
      {
        held.append(HeldPlace(flow: record.flow, key: key, holder: record.id))
      }
      if run.hasFlowPlace {
        held.append(HeldPlace(flow: record.flow, key: nil, holder: record.id))
      }
      next = record.parent.flatMap { all[$0] }
    }
    return held
  }

  /// Starts the children of a run that waits for them.
  mutating func startChildren(_ checkpoint: Checkpoint, at time: JournalTime) {
    let claim = checkpoint.claim
    let depth = all[claim.id]?.depth ?? 0
    for (ordinal, child) in checkpoint.next.children.enumerated() {
      _ = start(child.start, at: time)
      all[child.id]?.record.parent = claim.id
      all[child.id]?.place = ChildPlace(sequence: claim.sequence, ordinal: ordinal)
      all[child.id]?.isDetached = child.isDetached
      all[child.id]?.depth = depth + 1
      children[claim.id, default: []].append(child.id)
    }
  }

  /// Updates the family of a changed run: its parent's wait, or its own.
  mutating func follow(_ old: InMemoryRun, _ new: InMemoryRun) {
    if let join = new.record.join, old.record.join?.policy != nil, join.policy == nil,
      join.open > 0
    {
      cancellations.append(Cancellation(parent: new.record.id, sequence: join.sequence))
    }
    if !old.record.state.isOver, new.record.state.isOver { report(new) }
  }

  /// Reports the end of a run to the parent that waits for it.
  private mutating func report(_ child: InMemoryRun) {
    guard let id = child.record.parent, let place = child.place, child.joined == nil,
      var parent = all[id], var join = parent.record.join, let policy = join.policy,
      join.sequence == place.sequence
    else { return }
    all[child.record.id]?.joined = child.record.state
    join.open -= 1
    if policy.isMet(open: join.open, hasFailed: child.record.state != .completed) {
      join.policy = nil
      parent.record.dueAt = nil
      parent.record.changedAt = child.record.changedAt
    }
    parent.record.join = join
    put(parent)
  }

  /// Carries out cancellations of children, up to some hundred.
  ///
  /// - Returns: true if there are more.
  mutating func cancelChildren(at time: JournalTime) -> Bool {
    var room = cancelledAtOnce
    while room > 0, let next = cancellations.first {
      let theirs = places(of: next.parent, at: next.sequence).dropFirst(next.done)
      for id in theirs.prefix(room) {
        guard var child = all[id], !child.isDetached, !child.record.state.isOver else { continue }
        child.release(to: .cancelled, at: time)
        put(child)
      }
      if theirs.count > room {
        cancellations[0].done += room
      } else {
        cancellations.removeFirst()
      }
      room -= max(1, min(room, theirs.count))
    }
    return !cancellations.isEmpty
  }

  /// Whether it must not be purged: its parent waits for it or reads its outcome, or its children
  /// are yet to be cancelled.
  func isNeeded(_ run: InMemoryRun) -> Bool {
    if cancellations.contains(where: { $0.parent == run.record.id }) { return true }
    guard let place = run.place, let parent = run.record.parent.flatMap({ all[$0] }) else {
      return false
    }
    return parent.record.join?.sequence == place.sequence
  }

  /// Removes the places of purged children.
  mutating func dropPlaces(of gone: [InMemoryRun]) {
    for run in gone { children[run.record.id] = nil }
    for parent in Set(gone.compactMap(\.record.parent)) {
      children[parent]?.removeAll { all[$0] == nil }
    }
  }

  func page(
    ofChildrenOf id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int
  ) -> ChildPage {
    let ids = sequence.map { places(of: id, at: $0) } ?? children[id, default: []][...]
    let rest = ids[
      Self.firstIndex(in: ids) { child in
        place.map { (all[child]?.place ?? $0) > $0 } ?? true
      }...]
    let page = rest.prefix(min(max(limit, 1), 1_000)).compactMap { all[$0]?.asChild }
    return ChildPage(children: page, next: page.count < rest.count ? page.last?.place : nil)
  }

  /// The children of a stage, which are consecutive.
  private func places(of parent: RunID, at sequence: Int) -> ArraySlice<RunID> {
    let ids = children[parent, default: []][...]
    func first(from sequence: Int) -> Int {
      Self.firstIndex(in: ids) { (all[$0]?.place?.sequence ?? 0) >= sequence }
    }
    let end = sequence == .max ? ids.endIndex : first(from: sequence + 1)
    return ids[first(from: sequence)..<end]
  }

  /// The first index whose element matches, if all elements after it match, too.
  private static func firstIndex(
    in ids: ArraySlice<RunID>, where isSo: (RunID) -> Bool
  ) -> Int {
    var (low, high) = (ids.startIndex, ids.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isSo(ids[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension InMemoryRun {
  /// The run as a child of its parent.
  fileprivate var asChild: ChildRecord? {
    place.map { place in
      ChildRecord(
        id: record.id, place: place, flow: record.flow, isDetached: isDetached,
        state: record.state, end: joined,
        completion: joined == .completed ? record.payload : nil,
        error: joined == .dead ? joinedError ?? record.error : nil)
    }
  }
}
