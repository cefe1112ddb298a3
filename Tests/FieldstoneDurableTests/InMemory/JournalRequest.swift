import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// A request to a journal.
enum JournalRequest: Sendable {
  case start(RunStart)
  case claim(ClaimRequest)
  case checkpoint(Checkpoint)
  case renew([RunClaim], Duration)
  case park(Parking)
  case signal(RunID, SignalRecord)
  case change(RunID, RunChange)
  case runs(RunQuery)
  case steps(RunID, Int?, Int)
  case purge(JournalRetention)
}

/// What a journal answers.
enum JournalAnswer: Equatable {
  case done
  case record(RunRecord)
  case claim([ClaimedRun], Date?, Claim.Quarantined)
  case claims([RunClaim])
  case runs(RunPage)
  case steps(StepPage)
  case count(Int)
  case receipt(SignalReceipt)
  case refused(JournalError)
}

extension JournalRequest {
  func answer(of journal: some Journal, at time: JournalTime) async throws -> JournalAnswer {
    do {
      switch self {
      case .start(let start): return .record(try await journal.start(start, at: time))
      case .claim(let request):
        let claim = try await journal.claim(request, at: time)
        return .claim(claim.runs, claim.nextDueAt, claim.quarantined)
      case .checkpoint(let checkpoint): try await journal.checkpoint(checkpoint, at: time)
      case .renew(let claims, let lease):
        return .claims(try await journal.renew(claims, lease: lease, at: time))
      case .park(let parking): try await journal.park(parking, at: time)
      case .signal(let id, let signal):
        return .receipt(try await journal.signal(id, signal, at: time))
      case .change(let id, let change):
        return .record(try await journal.change(id, change, at: time))
      case .runs(let query): return .runs(try await journal.runs(query))
      case .steps(let id, let sequence, let limit):
        return .steps(try await journal.steps(of: id, after: sequence, limit: limit))
      case .purge(let retention): return .count(try await journal.purge(retention, at: time))
      }
      return .done
    } catch let error as JournalError {
      return .refused(error)
    }
  }

  func answer(of model: inout ModelJournal, at time: JournalTime) -> JournalAnswer {
    do throws(JournalError) {
      switch self {
      case .start(let start): return .record(model.start(start, at: time))
      case .claim(let request):
        let claim = model.claim(request, at: time)
        return .claim(claim.runs, claim.nextDueAt, claim.quarantined)
      case .checkpoint(let checkpoint): try model.checkpoint(checkpoint, at: time)
      case .renew(let claims, let lease):
        return .claims(model.renew(claims, lease: lease, at: time))
      case .park(let parking): try model.park(parking, at: time)
      case .signal(let id, let signal): return .receipt(try model.signal(id, signal))
      case .change(let id, let change): return .record(try model.change(id, change, at: time))
      case .runs(let query): return .runs(model.page(query))
      case .steps(let id, let sequence, let limit):
        return .steps(model.steps(of: id, after: sequence, limit: limit))
      case .purge(let retention): return .count(model.purge(retention, at: time))
      }
      return .done
    } catch {
      return .refused(error)
    }
  }
}
