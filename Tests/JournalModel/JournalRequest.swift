import FieldstoneDurable
import FieldstoneTesting
import Foundation

/// A request to a journal.
enum JournalRequest: Sendable {
  case start(RunStart)
  case starts([RunStart])
  case claim(ClaimRequest)
  case checkpoint(Checkpoint)
  case renew([RunClaim], Duration)
  case park(Parking)
  case signal(RunID, SignalRecord)
  case change(RunID, RunChange)
  case runs(RunQuery)
  case count(RunQuery, atMost: Int)
  case errorGroups(atMost: Int)
  case steps(RunID, Int?, Int)
  case purge(JournalRetention)
  case pause(PauseTarget, until: Date?)
  case resume(PauseTarget)
  case pauses
  case limits(FlowLimits?, flow: String, replacing: Bool)
  case flowLimits
  case children(RunID, Int?, ChildPlace?, Int)
  case schedules
  case setSchedule(
    String, from: ScheduleRecord?, to: ScheduleRecord?, starting: [RunStart], by: String?)
  case purgeRun(RunID)
}

/// What a journal answers.
enum JournalAnswer: Equatable {
  case done
  case record(RunRecord)
  case records([RunRecord])
  case claim([ClaimedRun], Date?, Claim.Quarantined, DueSchedules?)
  case claims([RunClaim])
  case runs(RunPage)
  case runCount(RunCount)
  case errorGroups([ErrorGroup])
  case steps(StepPage)
  case count(Int)
  case children(ChildPage)
  case receipt(SignalReceipt)
  case checkpoint(CheckpointReceipt)
  case pauses([JournalPause])
  case limits(FlowLimits?)
  case flowLimits([String: FlowLimits])
  case resumed(Bool)
  case schedules([ScheduleRecord])
  case isSet(Bool)
  case refused(JournalError)
}

extension JournalRequest {
  func answer(of journal: some Journal, at time: JournalTime) async throws -> JournalAnswer {
    do {
      switch self {
      case .start(let start): return .record(try await journal.start(start, at: time))
      case .starts(let starts):
        return .records(try await journal.start(starts, at: time).map { try $0.get() })
      case .claim(let request):
        let claim = try await journal.claim(request, at: time)
        return .claim(claim.runs, claim.nextDueAt, claim.quarantined, claim.schedules)
      case .checkpoint(let checkpoint):
        return .checkpoint(try await journal.checkpoint(checkpoint, at: time))
      case .renew(let claims, let lease):
        return .claims(try await journal.renew(claims, lease: lease, at: time))
      case .park(let parking): try await journal.park(parking, at: time)
      case .signal(let id, let signal):
        return .receipt(try await journal.signal(id, signal, at: time))
      case .change(let id, let change):
        return .record(try await journal.change(id, change, at: time))
      case .runs(let query): return .runs(try await journal.runs(query))
      case .count(let query, let limit):
        return .runCount(try await journal.count(query, atMost: limit))
      case .errorGroups(let limit):
        return .errorGroups(try await journal.errorGroups(atMost: limit))
      case .steps(let id, let sequence, let limit):
        return .steps(try await journal.steps(of: id, after: sequence, limit: limit))
      case .purge(let retention): return .count(try await journal.purge(retention, at: time))
      case .pause(let target, until: let date):
        try await journal.pause(target, until: date, at: time)
      case .resume(let target): return .resumed(try await journal.resume(target, at: time))
      case .pauses: return .pauses(try await journal.pauses())
      case .limits(let limits, let flow, let replacing):
        return .limits(
          try await journal.setLimits(limits, of: flow, replacing: replacing, at: time))
      case .flowLimits: return .flowLimits(try await journal.flowLimits())
      case .children(let id, let sequence, let place, let limit):
        return .children(
          try await journal.children(of: id, at: sequence, after: place, limit: limit))
      case .schedules: return .schedules(try await journal.schedules())
      case .setSchedule(let name, from: let old, to: let new, starting: let starts, by: let actor):
        return .isSet(
          try await journal.setSchedule(
            name, from: old, to: new, starting: starts, by: actor, at: time))
      case .purgeRun(let id): try await journal.purge(id, by: "person", at: time)
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
      case .starts(let starts):
        var records: [RunRecord] = []
        for start in starts { records.append(model.start(start, at: time)) }
        return .records(records)
      case .claim(let request):
        let claim = try model.claim(request, at: time)
        return .claim(claim.runs, claim.nextDueAt, claim.quarantined, claim.schedules)
      case .checkpoint(let checkpoint):
        defer { model.forgetPauses() }
        return .checkpoint(try model.checkpoint(checkpoint, at: time))
      case .renew(let claims, let lease):
        return .claims(model.renew(claims, lease: lease, at: time))
      case .park(let parking):
        defer { model.forgetPauses() }
        try model.park(parking, at: time)
      case .signal(let id, let signal): return .receipt(try model.signal(id, signal))
      case .change(let id, let change):
        let record = try model.change(id, change, at: time)
        let action: AuditAction =
          switch change {
          case .retry: .retry
          case .edit: .edit
          case .cancel: .cancel
          }
        model.audit.append(ModelChange(action: action, subject: .run(id)))
        return .record(record)
      case .runs(let query): return .runs(model.page(query))
      case .count(let query, let limit): return .runCount(model.count(query, atMost: limit))
      case .errorGroups(let limit): return .errorGroups(model.errorGroups(atMost: limit))
      case .steps(let id, let sequence, let limit):
        return .steps(model.steps(of: id, after: sequence, limit: limit))
      case .purge(let retention): return .count(model.purge(retention, at: time))
      case .pause(let target, until: let date):
        try model.pause(target, until: date)
        model.audit.append(ModelChange(action: .pause, subject: AuditSubject(target)))
      case .resume(let target):
        let isResumed = model.resume(target)
        if isResumed {
          model.audit.append(ModelChange(action: .resume, subject: AuditSubject(target)))
        }
        return .resumed(isResumed)
      case .pauses: return .pauses(model.sortedPauses)
      case .limits(let limits, let flow, let replacing):
        return .limits(model.setLimits(limits, of: flow, replacing: replacing, at: time))
      case .flowLimits: return .flowLimits(model.limits)
      case .children(let id, let sequence, let place, let limit):
        return .children(model.children(of: id, at: sequence, after: place, limit: limit))
      case .schedules: return .schedules(model.schedules)
      case .setSchedule(let name, from: let old, to: let new, starting: let starts, by: let actor):
        return .isSet(
          model.setSchedule(name, from: old, to: new, starting: starts, by: actor, at: time))
      case .purgeRun(let id): try model.purge(id)
      }
      return .done
    } catch {
      return .refused(error)
    }
  }
}
