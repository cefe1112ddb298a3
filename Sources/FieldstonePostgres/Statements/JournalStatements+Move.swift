#if PostgreSQL
  import FieldstoneDurable

  /// Moves the rows of slots between journals.
  extension JournalStatements {
    /// Seals the journal for a move.
    func beginMove() throws {
      switch try minimumProtocol() {
      case ClaimRequest.movingProtocolVersion: return
      case ClaimRequest.sealedProtocolVersion...: throw JournalError.sealed
      default: try seal(demanding: ClaimRequest.movingProtocolVersion)
      }
    }

    private func requireMove() throws {
      guard try minimumProtocol() == ClaimRequest.movingProtocolVersion else {
        throw JournalError.sealed
      }
    }

    func insertMoved(_ rows: [[CopiedCell]], into table: CopiedTable) throws {
      try requireMove()
      try insert(rows, into: table)
    }

    /// Deletes some runs of the slots with all their rows.
    ///
    /// - Returns: true if none are left.
    func removeMoved(_ slots: [ClosedRange<UInt16>], most: Int) throws -> Bool {
      try requireMove()
      try openSeal()
      let ids = try rows(
        "SELECT id FROM run WHERE \(Self.owned("id", slots)) LIMIT $1", [.integer(most)]
      ).map { try $0.identifier(0) }
      guard !ids.isEmpty else { return true }
      for (table, column) in [
        ("step", "run"), ("signal", "run"), ("log", "run"), ("report", "run"),
        ("replacement", "run"), ("attribute", "id"), ("cancellation", "parent"), ("run", "id"),
      ] {
        try execute("DELETE FROM \(table) WHERE \(column) = ANY ($1)", [.identifiers(ids)])
      }
      try endPauses(of: ids)
      return false
    }

    /// Stores the slots that the journal owns, and removes the seal.
    func endMove(
      owning slots: JournalSlots, adding pauses: [JournalPause], _ schedules: [ScheduleRecord],
      removing removed: [String]
    ) throws {
      guard try minimumProtocol() == ClaimRequest.movingProtocolVersion else { return }
      // Foreign runs exist, for instance, after an interrupted move of other slots.
      try requireNoOthers(slots)
      try openSeal()
      try execute("DELETE FROM schedule WHERE name = ANY ($1)", [.texts(removed)])
      for schedule in schedules {
        _ = try setSchedule(schedule.name, from: nil, to: schedule, starting: [])
      }
      // Recomputes the gates and the places of moved runs, as after a copy.
      for (flow, limits) in try flowLimits() {
        _ = try setLimits(limits, of: flow, replacing: true)
      }
      for each in try self.pauses() + pauses { try pause(each.target, until: each.until) }
      try keep(slots)
      try dropSeal()
    }
  }
#endif
