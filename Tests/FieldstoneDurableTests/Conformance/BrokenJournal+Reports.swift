import FieldstoneCore
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation

/// Broken in what is kept of reports and workers.
extension BrokenJournal {
  static var reports: [Self] {
    [
      Self(.reports, "no report is kept") { $0.onWriteReports = { _, _, _ in } },
      Self(.reports, "texts are not kept") {
        $0.onReport = { _, _, _, report in
          var report = report
          report.progress?.text = nil
          return report
        }
      },
      Self(.reports, "a report of no run spoils the others") {
        $0.onWriteReports = { base, reports, time in
          for write in reports where try await base.run(write.run) == nil { return }
          try await base.write(reports, at: time)
        }
      },
      Self(.reports, "the report of a purged run stays") {
        let gone = Locked<[RunID: RunReport]>([:])
        $0.onReport = { base, id, _, report in
          if try await base.run(id) != nil { gone.withLock { $0[id] = report } }
          return gone.withLock { $0[id] } ?? report
        }
        $0.onPurge = { base, retention, time in
          for run in try await base.runs(RunQuery(limit: 1_000)).runs {
            let report = try await base.report(of: run.id, after: nil)
            gone.withLock { $0[run.id] = report }
          }
          return try await base.purge(retention, at: time)
        }
      },
      Self(.reports, "a progress comes without its stage") {
        $0.onReport = { _, _, _, report in
          var report = report
          report.progress?.sequence = 0
          return report
        }
      },
      Self(.reports, "a line that is written again is there twice") {
        $0.onReport = { _, _, _, report in
          var report = report
          if report.lines.count == 3, let line = report.lines.first {
            report.lines.insert(line, at: 0)
          }
          return report
        }
      },
      Self(.reports, "lines without a progress take it away") {
        $0.onReport = { _, _, _, report in
          var report = report
          if report.lines.count == 3 { report.progress = nil }
          return report
        }
      },
      Self(.reports, "a progress without a text keeps the one before") {
        $0.onReport = { _, _, _, report in
          var report = report
          if report.progress?.fraction == 1 { report.progress?.text = "a quarter" }
          return report
        }
      },
      Self(.reports, "a long text is taken") {
        $0.onWriteReports = { base, reports, time in
          do { try await base.write(reports, at: time) } catch JournalError.tooLarge {}
        }
      },
      Self(.reports, "the fence is not compared") {
        $0.onWriteReports = { base, reports, time in
          var now: [RunReportWrite] = []
          for var write in reports {
            write.fence = try await base.run(write.run)?.fence ?? write.fence
            now.append(write)
          }
          try await base.write(now, at: time)
        }
      },
      Self(.reports, "a refused worker leaves no line") {
        $0.onWriteReports = { base, reports, time in
          for write in reports where try await base.run(write.run)?.fence == write.fence {
            try await base.write([write], at: time)
          }
        }
      },
      Self(.reports, "a refused worker's progress comes with its line") {
        $0.onWriteReports = { base, reports, time in
          try await base.write(reports, at: time)
          for write in reports where write.lines.contains(where: \.isOfRunner) {
            guard let run = try await base.run(write.run) else { continue }
            try await base.write(
              [RunReportWrite(run: run.id, fence: run.fence, progress: write.progress)], at: time)
          }
        }
      },
      Self(.reports, "what comes late of a run that was given back is dropped") {
        $0.onWriteReports = { base, reports, time in
          try await base.write(
            reports.map { write in
              var write = write
              write.isGivenBack = false
              return write
            }, at: time)
        }
      },
      Self(.reports, "a late progress replaces the one after it") {
        $0.onWriteReports = { base, reports, time in
          try await base.write(reports, at: time)
          for var write in reports where write.isGivenBack {
            write.fence = try await base.run(write.run)?.fence ?? write.fence
            write.lines = []
            try await base.write([write], at: time)
          }
        }
      },
      Self(.reports, "a run that is over takes no report") {
        $0.onWriteReports = { base, reports, time in
          for write in reports where try await base.run(write.run)?.state.isOver == false {
            try await base.write([write], at: time)
          }
        }
      },
      Self(.reports, "the line of a parking is lost") {
        $0.onPark = { base, parking, time in
          try await base.park(Parking(claim: parking.claim, reason: parking.reason), at: time)
        }
      },
      Self(.reports, "the line of a parking is written before the claim is compared") {
        $0.onPark = { base, parking, time in
          if let line = parking.line, let run = try await base.run(parking.claim.id) {
            try await base.write(
              [RunReportWrite(run: run.id, fence: run.fence, lines: [line])], at: time)
          }
          try await base.park(Parking(claim: parking.claim, reason: parking.reason), at: time)
        }
      },
      Self(.reports, "the line of a parking is one of the work's") {
        $0.onPark = { base, parking, time in
          var parking = parking
          parking.line?.isOfRunner = false
          try await base.park(parking, at: time)
        }
      },
      Self(.reports, "a report is no change") {
        $0.onChanges = { base, mark in
          var changes = try await base.changes(since: mark)
          changes.runs = changes.runs?.filter { $0.value != .running }
          return changes
        }
      },
      Self(.logLines, "the oldest lines are kept") {
        $0.onReport = { base, id, _, report in
          let all = try await base.report(of: id, after: nil).lines
          guard all.count >= 200 else { return report }
          return RunReport(progress: report.progress, lines: report.lines.dropLast())
        }
      },
      Self(.logLines, "lines are always given from the first") {
        $0.onReport = { base, id, _, _ in try await base.report(of: id, after: nil) }
      },
      Self(.logLines, "the line at the place is given again") {
        $0.onReport = { base, id, place, report in
          guard let place else { return report }
          let before = RunLogLine.Place(fence: place.fence, number: place.number - 1)
          return try await base.report(of: id, after: before)
        }
      },
      Self(.workers, "no worker is kept") { $0.onSetWorker = { _, _, _, _ in } },
      Self(.workers, "a worker that has ended stays") {
        $0.onSetWorker = { base, name, record, time in
          if let record { try await base.setWorker(name, to: record, at: time) }
        }
      },
      Self(.workers, "workers are listed in any order") { $0.onWorkers = { $0.reversed() } },
      Self(.workers, "workers are seen when they say so") {
        $0.onWorkers = { workers in
          workers.map { worker in
            var worker = worker
            worker.lastSeenAt = .distantPast
            return worker
          }
        }
      },
      Self(.workers, "silent workers stay for two days") {
        $0.onSetWorker = { base, name, record, time in
          let silent = try await base.workers().filter {
            time.date.timeIntervalSince($0.lastSeenAt) < 2 * 86_400
          }
          try await base.setWorker(name, to: record, at: time)
          for worker in silent where worker.name != name {
            var then = time
            then.date = worker.lastSeenAt
            try await base.setWorker(worker.name, to: worker, at: then)
          }
        }
      },
      Self(.workers, "silent workers are dropped after an hour") {
        $0.onWorkers = { workers in
          guard let last = workers.map(\.lastSeenAt).max() else { return [] }
          return workers.filter { last.timeIntervalSince($0.lastSeenAt) < 3_600 }
        }
      },
    ]
  }
}
