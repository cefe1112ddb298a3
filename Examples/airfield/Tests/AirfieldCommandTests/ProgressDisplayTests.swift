import Synchronization
import Testing

@testable import AirfieldApp

@Suite("The progress of an import")
struct ProgressDisplayTests {
  private func shown(isTerminal: Bool, _ steps: [(Double, Int)]) -> String {
    let written = Recorded()
    let display = ProgressDisplay(
      console: Console(isTerminal: isTerminal, result: { _ in }, side: { written.add($0) }))
    for (fraction, rows) in steps {
      var counts = ImportCounts()
      counts.read = rows
      display.show(ImportProgress(fraction: fraction, counts: counts))
    }
    display.finish()
    return written.text
  }

  @Test("is a line each quarter where it goes to a file or a pipe")
  func plain() {
    let text = shown(isTerminal: false, [(0.1, 10), (0.3, 30), (0.4, 40), (0.9, 90), (1, 100)])
    #expect(
      text == """
        25 % imported, 30 rows read
        75 % imported, 90 rows read
        100 % imported, 100 rows read

        """)
  }

  @Test("is a bar on a terminal, which is gone in the end")
  func bar() {
    let text = shown(isTerminal: true, [(0.5, 1200), (1, 28_298)])
    let bars = text.split(separator: "\r")
    #expect(bars.first == "Importing [############............]  50 %  1200 rows")
    #expect(bars.dropFirst().first == "Importing [########################] 100 %  28298 rows")
    #expect(bars.last?.allSatisfy { $0 == " " } == true)
    #expect(text.hasSuffix("\r"))
    #expect(!text.contains("\n"))
  }

  @Test("says what is waited for on a line of its own, and that it goes on")
  func wait() {
    for isTerminal in [true, false] {
      let written = Recorded()
      let display = ProgressDisplay(
        console: Console(isTerminal: isTerminal, result: { _ in }, side: { written.add($0) }))
      display.show(wait: "The disk is full.")
      display.show(wait: nil)
      #expect(written.text == "Waiting to store more. The disk is full.\nIt goes on.\n")
    }
  }

  @Test("is that of an export in other words, and gives way to what is told besides")
  func export() {
    let written = Recorded()
    let console = Console(isTerminal: true, result: { _ in }, side: { written.add($0) })
    let display = ProgressDisplay(.exporting, console: console)
    display.show(ExportProgress(fraction: 0.5, rows: 12))
    display.tell("Something.")
    display.show(ExportProgress(fraction: 1, rows: 28_298))
    let bars = written.text.split(separator: "\r").filter { !$0.allSatisfy { $0 == " " } }
    #expect(
      bars == [
        "Exporting [############............]  50 %  12 rows", "Something.\n",
        "Exporting [########################] 100 %  28298 rows",
      ])
    #expect(bars.allSatisfy { $0.count <= 59 })

    let plain = Recorded()
    let lines = ProgressDisplay(
      .exporting, console: Console(isTerminal: false, result: { _ in }, side: { plain.add($0) }))
    lines.show(ExportProgress(fraction: 0.8, rows: 8))
    lines.tell("Something.")
    #expect(plain.text == "75 % exported, 8 rows\nSomething.\n")
  }
}

/// What was written, piece by piece.
final class Recorded: Sendable {
  private let pieces = Mutex<[String]>([])

  func add(_ piece: String) { pieces.withLock { $0.append(piece) } }

  var text: String { pieces.withLock { $0.joined() } }
}
