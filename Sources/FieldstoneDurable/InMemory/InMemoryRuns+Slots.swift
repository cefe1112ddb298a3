extension InMemoryRuns {
  /// Throws for a run of a slot that the journal does not own.
  func checkSlot(of id: RunID) throws(JournalError) {
    if let slots, !slots.contains(id.slot) { throw .foreignSlot }
  }

  /// Throws for a checkpoint that starts a run of a slot that the journal does not own.
  func checkSlots(of checkpoint: Checkpoint) throws(JournalError) {
    guard slots != nil else { return }
    for start in checkpoint.starts { try checkSlot(of: start.id) }
    for child in checkpoint.next.children { try checkSlot(of: child.id) }
  }

  /// Replaces the record, if it is the one that the caller has read.
  mutating func setSlots(
    from old: JournalSlots?, to new: JournalSlots
  ) throws(JournalError) -> Bool {
    guard slots == old else { return false }
    guard all.keys.allSatisfy({ new.contains($0.slot) }) else { throw .foreignSlot }
    slots = new
    return true
  }
}
