import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in how runs are paused.
extension BrokenJournal {
  static var pauses: [Self] {
    [
      Self(.pause, "a flow is not paused") { $0.onPause = pausing { $0.kind != 0 } },
      Self(.pause, "a key is not paused") { $0.onPause = pausing { $0.kind != 1 } },
      Self(.pause, "a run is not paused") { $0.onPause = pausing { $0.kind != 2 } },
      Self(.pause, "a worker is not told of a pause") { $0.onReceipt = { _ in .made } },
      Self(.pause, "a run goes on past its checkpoint") {
        $0.onCheckpoint = { base, checkpoint, time in
          let pauses = try await base.pauses()
          for pause in pauses { try await base.resume(pause.target, at: time) }
          try await base.checkpoint(checkpoint, at: time)
          for pause in pauses {
            try? await base.pause(pause.target, until: pause.until, at: time)
          }
        }
      },
      Self(.pause, "a retry ends the pauses") {
        $0.onChange = { base, id, change, time in
          for pause in try await base.pauses() { try await base.resume(pause.target, at: time) }
          return try await base.change(id, change, at: time)
        }
      },
      Self(.pauseEnd, "nothing goes on") { $0.onResume = { _, _, _ in true } },
      Self(.pauseEnd, "a pause has no end") {
        $0.onPause = { base, target, _, time in
          try await base.pause(target, until: nil, at: time)
        }
      },
      Self(.pauseEnd, "pauses are not listed") { $0.onPauses = { _ in [] } },
      Self(.protocolVersion, "old workers go on") {
        $0.onClaim = { base, request, time in
          var request = request
          request.protocolVersion = 2
          return try await base.claim(request, at: time)
        }
      },
    ]
  }

  /// Pauses some kinds of targets only.
  private static func pausing(
    _ isWanted: @escaping @Sendable (PauseTarget) -> Bool
  ) -> @Sendable (InMemoryJournal, PauseTarget, Date?, JournalTime) async throws -> Void {
    { base, target, date, time in
      if isWanted(target) { try await base.pause(target, until: date, at: time) }
    }
  }
}
