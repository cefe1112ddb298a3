package import Foundation

/// The reports of a worker's stages that are not yet in the journal.
///
/// Its size is bounded: for each claim, the last progress and as many lines as the journal keeps.
package struct PendingReports {
  /// A claim of a run.
  package struct Claim: Hashable, Sendable {
    let run: RunID
    let fence: Int

    package init(run: RunID, fence: Int) {
      self.run = run
      self.fence = fence
    }
  }

  private struct Entry {
    var lastNumber = 0
    var progress: RunProgress?
    var lines: [RunLogLine] = []
    /// Whether this worker still works on its run.
    var isOpen = true
    /// Whether it waits to be written.
    var isWaiting = false
    /// Whether nothing of it is written until its work has ended.
    var isHeld = false
    /// Whether the journal has taken the run back from this worker.
    var isGivenBack = false
    /// What is being written, while its work goes on; kept if the claim may have ended before it.
    var sent: RunReportWrite?

    var isEmpty: Bool { progress == nil && lines.isEmpty }
  }

  private var entries: [Claim: Entry] = [:]
  /// The claims with something to write, in order.
  private var waiting: [Claim] = []
  private var lineCount = 0
  /// The largest number of waiting lines of a claim.
  private let kept: Int

  /// The largest number of waiting lines in all.
  private static let mostLines = 10_000
  /// The size of a write, except for further lines of its last claim.
  private static let batch = (claims: 500, lines: 1_000)

  package init(keeping kept: Int) { self.kept = kept }

  package var isEmpty: Bool { waiting.isEmpty }
  /// The number of claims that have been taken to be written.
  package private(set) var takenCount = 0
  /// That number, once all that waits now has been taken.
  package var end: Int { takenCount + waiting.count }

  /// Begins the work on a claim.
  package mutating func open(_ claim: Claim) {
    entries[claim] = Entry()
  }

  /// Keeps the reports of a claim back until its work ends, because its run is being given back.
  ///
  /// Until the journal has answered, the claim may have ended or not.
  package mutating func hold(_ claim: Claim) {
    guard let index = openEntry(of: claim) else { return }
    entries.values[index].isHeld = true
  }

  /// Ends the work on a claim; waiting reports are still written.
  ///
  /// What was being written as the run was given back is written once more, because the journal
  /// has dropped it if the run was claimed before.
  ///
  /// - Parameter isGivenBack: whether the journal has taken the run back from this worker.
  /// - Returns: true if nothing waited before, and something does now.
  package mutating func close(_ claim: Claim, isGivenBack: Bool = false) -> Bool {
    guard let index = entries.index(forKey: claim) else { return false }
    entries.values[index].isOpen = false
    entries.values[index].isHeld = false
    entries.values[index].isGivenBack = isGivenBack
    if let sent = entries.values[index].sent.take(), isGivenBack { restore(sent, at: index) }
    if !entries.values[index].isEmpty { return wait(claim, index) }
    if !entries.values[index].isWaiting { entries.remove(at: index) }
    return false
  }

  /// Takes a progress, which replaces the previous one.
  ///
  /// - Returns: true if nothing waited before.
  package mutating func add(_ progress: RunProgress, of claim: Claim) -> Bool {
    guard let index = openEntry(of: claim) else { return false }
    entries.values[index].progress = progress
    return wait(claim, index)
  }

  /// Takes the number of another line of a claim; nil once its work has ended.
  package mutating func nextNumber(of claim: Claim) -> Int? {
    guard let index = openEntry(of: claim) else { return nil }
    entries.values[index].lastNumber += 1
    return entries.values[index].lastNumber
  }

  /// Takes a line, and drops the oldest lines if there is no room.
  ///
  /// - Returns: true if nothing waited before.
  package mutating func add(
    _ text: String, at sequence: Int, of claim: Claim, now: Date, isOfRunner: Bool = false
  ) -> Bool {
    guard let number = nextNumber(of: claim), let index = openEntry(of: claim) else {
      return false
    }
    if entries.values[index].lines.count >= kept || lineCount >= Self.mostLines {
      guard !entries.values[index].lines.isEmpty else { return false }
      entries.values[index].lines.removeFirst()
      lineCount -= 1
    }
    entries.values[index].lines.append(
      RunLogLine(
        place: RunLogLine.Place(fence: claim.fence, number: number), text: text,
        sequence: sequence, loggedAt: now, isOfRunner: isOfRunner))
    lineCount += 1
    return wait(claim, index)
  }

  /// The index of a claim; nil once its work has ended.
  private func openEntry(of claim: Claim) -> [Claim: Entry].Index? {
    entries.index(forKey: claim).flatMap { entries.values[$0].isOpen ? $0 : nil }
  }

  private mutating func wait(_ claim: Claim, _ index: [Claim: Entry].Index) -> Bool {
    if entries.values[index].isWaiting || entries.values[index].isHeld { return false }
    entries.values[index].isWaiting = true
    waiting.append(claim)
    return waiting.count == 1
  }

  /// Removes the reports that have waited longest, to be written.
  package mutating func take() -> [RunReportWrite] {
    var writes: [RunReportWrite] = []
    var (claims, lines) = (0, 0)
    for claim in waiting.prefix(Self.batch.claims) where lines < Self.batch.lines {
      claims += 1
      guard let index = entries.index(forKey: claim) else { continue }
      let entry = entries.values[index]
      entries.values[index].isWaiting = false
      // It waits again when its work has ended.
      if entry.isHeld { continue }
      var write = RunReportWrite(
        run: claim.run, fence: claim.fence, progress: entry.progress, lines: entry.lines)
      write.isGivenBack = entry.isGivenBack
      writes.append(write)
      lines += entry.lines.count
      entries.values[index].progress = nil
      entries.values[index].lines = []
      if entry.isOpen { entries.values[index].sent = write } else { entries.remove(at: index) }
    }
    lineCount -= lines
    waiting.removeFirst(claims)
    takenCount += claims
    return writes
  }

  /// Notes that taken reports have been written.
  package mutating func confirm(_ writes: [RunReportWrite]) {
    for write in writes {
      let claim = Claim(run: write.run, fence: write.fence)
      guard let index = openEntry(of: claim), !entries.values[index].isHeld else { continue }
      entries.values[index].sent = nil
    }
  }

  /// Puts back reports that could not be written; newer reports take precedence if room is short.
  package mutating func putBack(_ writes: [RunReportWrite]) {
    for write in writes {
      let claim = Claim(run: write.run, fence: write.fence)
      if entries[claim] == nil {
        entries[claim] = Entry(isOpen: false, isGivenBack: write.isGivenBack)
      }
      guard let index = entries.index(forKey: claim) else { continue }
      entries.values[index].sent = nil
      restore(write, at: index)
      _ = wait(claim, index)
    }
  }

  /// Puts reports before those of their claim that came since, unless they are back already.
  private mutating func restore(_ write: RunReportWrite, at index: [Claim: Entry].Index) {
    var entry = entries.values[index]
    entry.progress = entry.progress ?? write.progress
    let room = min(kept - entry.lines.count, Self.mostLines - lineCount)
    let first = entry.lines.first?.place
    let lines = write.lines.filter { line in first.map { line.place < $0 } ?? true }
      .suffix(max(0, room))
    entry.lines.insert(contentsOf: lines, at: 0)
    lineCount += lines.count
    entries.values[index] = entry
  }
}
