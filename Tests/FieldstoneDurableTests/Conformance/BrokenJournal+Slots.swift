import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting

/// Broken in which slots are taken.
extension BrokenJournal {
  static var slots: [Self] {
    [
      Self(.slots, "no record is told") { $0.onSlots = { _ in nil } },
      Self(.slots, "the old record is not compared") {
        $0.onSetSlots = { base, _, new in try await base.setSlots(from: base.slots(), to: new) }
      },
      Self(.slots, "the record is kept and nothing refused") { keepOnly(&$0) },
      Self(.slots, "only a start alone is refused") {
        let kept = keepOnly(&$0)
        $0.onStart = { base, start, time in
          if kept.withLock({ $0 })?.contains(start.id.slot) == false {
            throw JournalError.foreignSlot
          }
          return try await base.start(start, at: time)
        }
        $0.onStarts = { base, starts, time in
          var answers: [Result<RunRecord, any Error>] = []
          for start in starts {
            let isForeign = kept.withLock { $0 }?.contains(start.id.slot) == false
            if isForeign {
              answers.append(.failure(JournalError.foreignSlot))
            } else {
              answers += await base.start([start], at: time)
            }
          }
          return answers
        }
      },
      Self(.slots, "a slot with a run is given up") {
        let kept = Locked<JournalSlots?>(nil)
        $0.onSlots = { base in
          if let kept = kept.withLock({ $0 }) { return kept }
          return try await base.slots()
        }
        $0.onSetSlots = { base, old, new in
          do { return try await base.setSlots(from: old, to: new) } catch JournalError.foreignSlot {
            kept.withLock { $0 = new }
            return true
          }
        }
      },
      Self(.slots, "the slots between the first and the last are taken") {
        $0.onSetSlots = { base, old, new in
          var wide = new
          if let first = new.ranges.first, let last = new.ranges.last {
            wide = new.owning([first.lowerBound...last.upperBound])
          }
          return try await base.setSlots(from: old, to: wide)
        }
      },
    ]
  }

  /// Keeps the record beside the journal, which takes all runs.
  @discardableResult
  private static func keepOnly(_ mutant: inout JournalMutant) -> Locked<JournalSlots?> {
    let kept = Locked<JournalSlots?>(nil)
    mutant.onSlots = { _ in kept.withLock { $0 } }
    mutant.onSetSlots = { _, old, new in
      kept.withLock { kept in
        guard kept == old else { return false }
        kept = new
        return true
      }
    }
    return kept
  }
}
