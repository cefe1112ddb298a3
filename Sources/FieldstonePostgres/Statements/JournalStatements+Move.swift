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
    /// - Parameter mark: where the runs of the call before ended. A search from the beginning would
    ///   pass all runs that stay and all rows that were deleted, each time.
    /// - Returns: where these runs end; nil if there are none.
    func removeMoved(
      _ slots: [ClosedRange<UInt16>], after mark: CopiedCell?, most: Int
    ) throws -> CopiedCell? {
      try requireMove()
      try openSeal()
      var (condition, parameters) = ("", [PostgresParameter.integer(most)])
      if case .run(let last)? = mark {
        condition = "id > $2 AND "
        parameters.append(.identifier(last))
      }
      let ids = try rows(
        """
        SELECT id FROM run WHERE \(condition)(\(Self.owned("id", slots))) ORDER BY id LIMIT $1
        """, parameters
      ).map { try $0.identifier(0) }
      guard let end = ids.last else { return nil }
      for (table, column) in [
        ("step", "run"), ("signal", "run"), ("log", "run"), ("report", "run"),
        ("replacement", "run"), ("attribute", "id"), ("cancellation", "parent"), ("run", "id"),
      ] {
        try execute("DELETE FROM \(table) WHERE \(column) = ANY ($1)", [.identifiers(ids)])
      }
      try endPauses(of: ids)
      return .run(end)
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
