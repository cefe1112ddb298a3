import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in that names are cut at a NUL.
extension BrokenJournal {
  static var namesWithNUL: [Self] {
    [
      Self(.start, "names of runs are cut at a NUL") {
        $0.onStart = { base, start, time in try await base.start(start.cut, at: time) }
      },
      Self(.start, "attributes are cut at a NUL") {
        $0.onStart = { base, start, time in
          var start = start
          start.attributes = start.attributes.mapValues { value in
            if case .string(let text) = value { .string(text.cut) } else { value }
          }
          return try await base.start(start, at: time)
        }
      },
      Self(.filter, "names in a query are cut at a NUL") {
        $0.onRuns = { base, query in
          var query = query
          query.flow = query.flow?.cut
          query.key = query.key?.cut
          return try await base.runs(query)
        }
      },
      Self(.filter, "names in a count are cut at a NUL") {
        $0.onCount = { base, query, limit in
          var query = query
          query.keyPrefix = query.keyPrefix?.cut
          return try await base.count(query, atMost: limit)
        }
      },
      Self(.claim, "names of claimed flows are cut at a NUL") {
        $0.onClaim = { base, request, time in
          var request = request
          for index in request.flows.indices {
            request.flows[index].flow = request.flows[index].flow.cut
          }
          return try await base.claim(request, at: time)
        }
      },
      Self(.claim, "the name of a worker that claims is cut at a NUL") {
        $0.onClaim = { base, request, time in
          var request = request
          request.worker = request.worker.cut
          return try await base.claim(request, at: time)
        }
      },
      Self(.auditPages, "names in a query of the audit are cut at a NUL") {
        $0.onAudit = { base, query in
          var query = query
          query.subject =
            switch query.subject {
            case .flow(let flow): .flow(flow.cut)
            case .concurrencyKey(let key, let flow): .concurrencyKey(key.cut, flow: flow.cut)
            default: query.subject
            }
          return try await base.audit(query)
        }
      },
      Self(.checkpoint, "awaited names are cut at a NUL") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          if case .receiving(let payload, let names, let date) = checkpoint.next {
            checkpoint.next = .receiving(
              payload, signals: names.map(\.cut).filter { !$0.isEmpty }, until: date)
          }
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.checkpoint, "names of starts with a step are cut at a NUL") {
        $0.onCheckpoint = { base, checkpoint, time in
          var checkpoint = checkpoint
          checkpoint.starts = checkpoint.starts.map(\.cut)
          try await base.checkpoint(checkpoint, at: time)
        }
      },
      Self(.signalRefusal, "names of signals are cut at a NUL") {
        $0.onSignal = { base, id, signal, time in
          var signal = signal
          signal.name = signal.name.cut
          return try await base.signal(id, signal, at: time)
        }
      },
      Self(.pause, "names of pauses are cut at a NUL") {
        $0.onPause = { base, target, date, time in
          try await base.pause(target.cut, until: date, at: time)
        }
      },
      Self(.pause, "a pause is ended by a name that is cut at a NUL") {
        $0.onResume = { base, target, time in try await base.resume(target.cut, at: time) }
      },
      Self(.limits, "names of limited flows are cut at a NUL") {
        $0.onSetLimits = { base, limits, flow, replacing, time in
          try await base.setLimits(limits, of: flow.cut, replacing: replacing, at: time)
        }
      },
      Self(.schedules, "names of schedules are cut at a NUL") {
        $0.onSetSchedule = { base, name, old, new, starts, time in
          var new = new
          new?.name = name.cut
          return try await base.setSchedule(
            name.cut, from: old, to: new, starting: starts, at: time)
        }
      },
      Self(.workers, "names of workers are cut at a NUL") {
        $0.onSetWorker = { base, name, record, time in
          var record = record
          record?.name = name.cut
          try await base.setWorker(name.cut, to: record, at: time)
        }
      },
    ]
  }
}

extension String {
  fileprivate var cut: String { String(prefix { $0 != "\0" }) }
}

extension RunStart {
  fileprivate var cut: Self {
    var start = self
    (start.flow, start.key) = (flow.cut, key?.cut)
    start.concurrencyKey = concurrencyKey?.cut
    return start
  }
}

extension PauseTarget {
  fileprivate var cut: Self {
    switch self {
    case .flow(let flow): .flow(flow.cut)
    case .concurrencyKey(let key, flow: let flow): .concurrencyKey(key.cut, flow: flow.cut)
    case .run: self
    }
  }
}
