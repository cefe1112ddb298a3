import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Reports that wait for the journal")
struct PendingReportTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let claim: PendingReports.Claim

  init() {
    var generator = SeededGenerator(seed: 4)
    claim = PendingReports.Claim(run: RunID(at: now, using: &generator), fence: 4)
  }

  private func texts(_ writes: [RunReportWrite]) -> [String] {
    writes.flatMap(\.lines).map(\.text)
  }

  @Test("What is put back comes before what came since, and makes room for it")
  func putBack() {
    var pending = PendingReports(keeping: 3)
    pending.open(claim)
    let progress = RunProgress(0.5, sequence: 0, reportedAt: now)
    let first = [
      pending.add("1", at: 0, of: claim, now: now), pending.add("2", at: 0, of: claim, now: now),
      pending.add(progress, of: claim),
    ]
    #expect(first == [true, false, false])
    let taken = pending.take()
    #expect(texts(taken) == ["1", "2"] && taken.first?.progress == progress && pending.isEmpty)
    let second = [
      pending.add("3", at: 0, of: claim, now: now), pending.add("4", at: 0, of: claim, now: now),
    ]
    #expect(second == [true, false])
    pending.putBack(taken)
    let again = pending.take()
    #expect(texts(again) == ["2", "3", "4"])
    #expect(again.first?.progress == progress)
    #expect(again.first?.lines.map(\.place.number) == [2, 3, 4])
  }

  @Test("A claim whose work has ended takes nothing more, and leaves nothing behind")
  func closed() {
    var pending = PendingReports(keeping: 3)
    var answers = [pending.add("before", at: 0, of: claim, now: now)]
    pending.open(claim)
    answers.append(pending.add("1", at: 0, of: claim, now: now))
    _ = pending.close(claim)
    answers.append(pending.add("late", at: 0, of: claim, now: now))
    let taken = pending.take()
    #expect(texts(taken) == ["1"])
    pending.putBack(taken)
    answers.append(pending.add("later", at: 0, of: claim, now: now))
    #expect(answers == [false, true, false, false])
    let again = pending.take()
    #expect(texts(again) == ["1"])
    let nothing = pending.take()
    #expect(pending.isEmpty && nothing.isEmpty)
  }

  @Test("What is being written as a run is given back is written once more")
  func overtaken() {
    for isGivenBack in [true, false] {
      var pending = PendingReports(keeping: 3)
      pending.open(claim)
      _ = pending.add("0", at: 0, of: claim, now: now)
      pending.confirm(pending.take())
      _ = pending.add("1", at: 0, of: claim, now: now)
      let taken = pending.take()
      pending.hold(claim)
      _ = pending.add("2", at: 0, of: claim, now: now)
      pending.confirm(taken)
      // Until the journal has answered, nothing is written.
      let held = pending.take()
      #expect(texts(taken) == ["1"] && held.isEmpty && taken.allSatisfy { !$0.isGivenBack })
      let isFirst = pending.close(claim, isGivenBack: isGivenBack)
      let last = pending.take()
      #expect(isFirst && texts(last) == (isGivenBack ? ["1", "2"] : ["2"]))
      #expect(last.allSatisfy { $0.isGivenBack == isGivenBack })
      pending.putBack(last)
      let again = pending.take()
      #expect(again == last && pending.isEmpty)
    }
  }

  @Test("What fails to be written as a run is given back is there once")
  func failsToBeWritten() {
    var pending = PendingReports(keeping: 3)
    pending.open(claim)
    _ = pending.add("1", at: 0, of: claim, now: now)
    let taken = pending.take()
    pending.hold(claim)
    _ = pending.close(claim, isGivenBack: true)
    pending.putBack(taken)
    let again = pending.take()
    #expect(texts(again) == ["1"] && again.allSatisfy(\.isGivenBack) && pending.isEmpty)
  }

  @Test("All runs together have no more than ten thousand lines, and a write some thousand")
  func bounded() {
    var pending = PendingReports(keeping: 1_000)
    var generator = SeededGenerator(seed: 7)
    let claims = (0..<20).map { _ in
      PendingReports.Claim(run: RunID(at: now, using: &generator), fence: 1)
    }
    for claim in claims {
      pending.open(claim)
      for number in 0..<1_000 { _ = pending.add("\(number)", at: 0, of: claim, now: now) }
    }
    var (lines, largest) = (0, 0)
    while !pending.isEmpty {
      let count = pending.take().reduce(0) { $0 + $1.lines.count }
      lines += count
      largest = max(largest, count)
    }
    #expect(lines == 10_000)
    #expect(largest <= 2_000)
  }
}
