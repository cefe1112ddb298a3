import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Renews every lease at a third of it, and cuts short the work on a lease that has ended.
  func keepLeases() async {
    await withDiscardingTaskGroup { group in
      while !hasNoMoreLeases {
        let uptime = time.uptime
        var next: Duration?
        var renewals: [Holding] = []
        for holding in holdings {
          switch holding.due(at: uptime) {
          case .renewal:
            renewals.append(holding)
            let end = holding.leaseEndsAt
            next = min(next ?? end, end)
          case .expired: holding.end(.lost(.leaseEnded))
          case .nothing(let until?): next = min(next ?? until, until)
          case .nothing(nil): break
          }
        }
        if !renewals.isEmpty {
          // Beside the loop: a journal that hangs must not keep it from seeing a lease end.
          let renewals = renewals
          group.addTask { await self.renew(renewals) }
        }
        await leaseBell.wait(until: next, by: time, on: options.executor)
      }
    }
  }

  private func renew(_ holdings: [Holding]) async {
    let now = journalTime
    let claims = holdings.map(\.claim)
    do {
      let lost = Set(try await journal.renew(claims, lease: lease, at: now))
      for (holding, claim) in zip(holdings, claims) {
        holding.renewed(claim, isLost: lost.contains(claim), beganAt: now.uptime)
      }
    } catch {
      emit(.journalUnavailable(error: Self.text(of: error)))
      let next = time.uptime + lease / 12
      for holding in holdings { holding.renewalFailed(nextAt: next) }
    }
    leaseBell.ring()
  }
}
