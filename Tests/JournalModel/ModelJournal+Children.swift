import FieldstoneDurable

extension ModelJournal {
  mutating func startChildren(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) throws(JournalError) {
    guard case .joining(_, let join) = checkpoint.next else { return }
    try refuseKeysAbove(checkpoint.claim.id, join.children)
    for (ordinal, child) in join.children.enumerated() {
      if runs.contains(where: { $0.id == child.id || $0.replacements.contains(child.id) }) {
        throw .childTaken(child.id)
      }
      _ = start(child.start, at: time)
      runs[runs.count - 1].parent = checkpoint.claim.id
      runs[runs.count - 1].place = ChildPlace(
        sequence: checkpoint.claim.sequence, ordinal: ordinal)
      runs[runs.count - 1].isDetached = child.isDetached
    }
  }

  /// A child must not need what a run above it has until the child has ended.
  private func refuseKeysAbove(
    _ parent: RunID, _ children: [ChildStart]
  ) throws(JournalError) {
    var line: [ModelRun] = []
    var next: RunID? = parent
    while let run = runs.first(where: { $0.id == next }) {
      line.append(run)
      next = run.parent
    }
    for child in children {
      for run in line where run.flow == child.start.flow {
        if run.hasPlace, limits[run.flow]?.perKey?.counting == .wholeRun,
          let key = run.concurrencyKey, key == child.start.concurrencyKey
        {
          throw .placeHeldByParent(key: key, flow: run.flow, holder: run.id)
        }
        if run.hasFlowPlace {
          throw .placeHeldByParent(key: nil, flow: run.flow, holder: run.id)
        }
      }
    }
  }

  /// What parents and children make of a change of some run.
  mutating func follow(_ before: [ModelRun], at time: JournalTime) {
    for old in before {
      guard let index = runs.firstIndex(where: { $0.id == old.id }) else { continue }
      if case .joining = old.standing { leaveChildren(index) }
      if !old.state.isOver, runs[index].state.isOver { tellParent(of: index, at: time) }
    }
  }

  private mutating func leaveChildren(_ index: Int) {
    if case .joining = runs[index].standing { return }
    guard let join = runs[index].join, join.open > 0 else { return }
    orphans.append((runs[index].id, join.sequence))
  }

  private mutating func tellParent(of index: Int, at time: JournalTime) {
    guard runs[index].end == nil, let place = runs[index].place,
      let parent = runs.firstIndex(where: { $0.id == runs[index].parent }),
      case .joining = runs[parent].standing, var join = runs[parent].join,
      join.sequence == place.sequence
    else { return }
    runs[index].end = runs[index].state
    join.open -= 1
    runs[parent].join = join
    let isMet =
      switch join.policy {
      case .first: true
      case .failFast: join.open == 0 || runs[index].state != .completed
      case .all, nil: join.open == 0
      }
    guard isMet else { return }
    runs[parent].standing = .due
    runs[parent].changedAt = time.date
    leaveChildren(parent)
  }

  mutating func cancelOrphans(at time: JournalTime) {
    while !orphans.isEmpty {
      let (parent, sequence) = orphans.removeFirst()
      for index in runs.indices
      where runs[index].parent == parent && runs[index].place?.sequence == sequence
        && !runs[index].isDetached && !runs[index].state.isOver
      {
        cancel(index, at: time)
      }
    }
  }

  func isNeeded(_ run: ModelRun) -> Bool {
    orphans.contains { $0.parent == run.id }
      || runs.contains { $0.id == run.parent && $0.join?.sequence == run.place?.sequence }
  }

  func children(of id: RunID, at sequence: Int?, after place: ChildPlace?, limit: Int) -> ChildPage
  {
    // A run that was purged is unknown, and has none.
    guard runs.contains(where: { $0.id == id }) else { return ChildPage(children: []) }
    let all = runs.filter { $0.parent == id }.compactMap(\.child).sorted { $0.place < $1.place }
    let rest = all.filter { child in
      (sequence.map { child.place.sequence == $0 } ?? true)
        && (place.map { child.place > $0 } ?? true)
    }
    let page = Array(rest.prefix(max(1, limit)))
    return ChildPage(children: page, next: page.count < rest.count ? page.last?.place : nil)
  }
}
