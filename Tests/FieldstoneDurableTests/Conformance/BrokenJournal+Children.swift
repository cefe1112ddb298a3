import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

extension BrokenJournal {
  /// Broken in what parents and children are to each other.
  static var ofFamilies: [Self] {
    [
      Self(.children, "the last child is lost") {
        $0.onCheckpoint = joining { $0.children = $0.children.dropLast() }
      },
      Self(.children, "a child is doubled") {
        $0.onCheckpoint = { base, checkpoint, time in
          try await base.checkpoint(checkpoint, at: time)
          guard case .joining(_, let join) = checkpoint.next, let first = join.children.first else {
            return
          }
          var start = first.start
          start.id = RunID(at: time.date)
          _ = try await base.start(start, at: time)
        }
      },
      Self(.children, "children are there without the step") {
        $0.onCheckpoint = { base, checkpoint, time in
          do { try await base.checkpoint(checkpoint, at: time) } catch {
            guard case .joining(_, let join) = checkpoint.next else { throw error }
            for child in join.children { _ = try await base.start(child.start, at: time) }
            throw error
          }
        }
      },
      Self(.children, "there is no limit of children") {
        $0.base = InMemoryJournal(limits: PayloadLimits(children: 10))
        $0.onCheckpoint = joining { $0.children = Array($0.children.prefix(10)) }
      },
      Self(.children, "a child may need the key that its parent holds") {
        $0.onCheckpoint = { base, checkpoint, time in
          do { try await base.checkpoint(checkpoint, at: time) } catch JournalError
            .placeHeldByParent
          {}
        }
      },
      Self(.join, "every policy is that of all") {
        $0.onCheckpoint = joining { $0.policy = .all }
      },
      Self(.join, "every policy is that of the first") {
        $0.onCheckpoint = joining { $0.policy = .first }
      },
      Self(.join, "a child of an earlier join counts in a later one") {
        $0.onRun = { base, id in
          guard var run = try await base.run(id), let join = run.join, join.policy != nil else {
            return try await base.run(id)
          }
          let ended = try await base.children(of: id, at: nil, after: nil, limit: 100).children
            .filter { $0.isDetached && $0.place.sequence < join.sequence && $0.state.isOver }
          run.join?.open -= ended.count
          return run
        }
      },
      Self(.childOutcomes, "a child that its parent needs is purged") {
        $0.onPurgeRun = { base, id, actor, time in
          do { try await base.purge(id, by: actor, at: time) } catch JournalError.stillNeeded {}
        }
      },
      Self(.join, "there is no time limit") {
        $0.onCheckpoint = joining { $0.until = nil }
      },
      Self(.join, "the end of a child that has died is lost") {
        $0.onPark = { base, parking, time in
          guard case .dead(let error) = parking.reason,
            try await base.run(parking.claim.id)?.parent != nil
          else { return try await base.park(parking, at: time) }
          try await base.park(
            Parking(claim: parking.claim, reason: .blocked(error: error)), at: time)
        }
      },
      Self(.join, "the end of the last child is lost") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if checkpoint.next.isEnd, let run = try await base.run(checkpoint.claim.id),
            let parent = run.parent, try await base.run(parent)?.join?.open == 1
          {
            checkpoint.next = .waiting(Data("1".utf8), until: .distantFuture)
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.orphans, "no orphan is cancelled") {
        $0.onCheckpoint = joining { join in
          join.children = join.children.map { ChildStart($0.start, isDetached: true) }
        }
      },
      Self(.orphans, "detached children are cancelled, too") {
        $0.onCheckpoint = joining { join in
          join.children = join.children.map { ChildStart($0.start) }
        }
      },
      Self(.childOutcomes, "outcomes are what the children are now") {
        $0.onChildren = changingChildren { child in
          child.end = child.state.isOver ? child.state : nil
        }
      },
      Self(.childOutcomes, "completions are lost") {
        $0.onChildren = changingChildren { $0.completion = nil }
      },
      Self(.childOutcomes, "pages hold the children of all stages") {
        $0.onChildren = { base, id, _, place, limit in
          try await base.children(of: id, at: nil, after: place, limit: limit)
        }
      },
      Self(.childOutcomes, "a page is the last") {
        $0.onChildren = { base, id, sequence, place, limit in
          var page = try await base.children(of: id, at: sequence, after: place, limit: limit)
          page.next = nil
          return page
        }
      },
      Self(.childOutcomes, "pages are larger than their limit") {
        $0.onChildren = { base, id, sequence, place, limit in
          try await base.children(of: id, at: sequence, after: place, limit: limit + 1)
        }
      },
    ]
  }

  /// Changes what is written of a wait for children.
  private static func joining(
    _ change: @escaping @Sendable (inout Checkpoint.Join) -> Void
  ) -> @Sendable (InMemoryJournal, Checkpoint, JournalTime) async throws -> Void {
    { base, checkpoint, time in
      var checkpoint = checkpoint
      if case .joining(let payload, var join) = checkpoint.next {
        change(&join)
        checkpoint.next = .joining(payload, join)
      }
      try await base.checkpoint(checkpoint, at: time)
    }
  }

  /// Changes what is read of children.
  private static func changingChildren(
    _ change: @escaping @Sendable (inout ChildRecord) -> Void
  ) -> @Sendable (InMemoryJournal, RunID, Int?, ChildPlace?, Int) async throws -> ChildPage {
    { base, id, sequence, place, limit in
      var page = try await base.children(of: id, at: sequence, after: place, limit: limit)
      for index in page.children.indices { change(&page.children[index]) }
      return page
    }
  }
}

extension Checkpoint.Next {
  fileprivate var isEnd: Bool {
    if case .completion = self { true } else { false }
  }
}
