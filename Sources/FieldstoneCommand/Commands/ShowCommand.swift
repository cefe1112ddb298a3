#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct ShowCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Shows a run with its stages, times, attempts, errors, progress and log lines.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    @Option(
      parsing: .unconditional, help: "The number of newest steps, or all.",
      transform: { text in try StepLimit.typed(text, of: "steps") })
    var steps = StepLimit.newest(50)

    @Option(
      parsing: .unconditional,
      help: "Only steps older than this one: the first of the page before.")
    var before: Int?

    @Option(
      parsing: .unconditional, help: "The number of newest log lines, or all that are kept.",
      transform: { text in try StepLimit.typed(text, of: "log lines") })
    var lines = StepLimit.newest(20)

    @Option(help: "Also draws its whole path: writes NAME.svg and NAME.mmd (Mermaid).")
    var graph: String?

    func run(in environment: CommandEnvironment) async throws {
      let id = try RunID.typed(argument.run)
      let journal = try await environment.open(options.journal, .reading)
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      var shown = try await shownSteps(of: run, in: journal)
      shown.children = try await journal.children(of: id, at: nil, after: nil, limit: 50)
      shown.report = try await journal.report(of: id, after: nil)
      shown.firstLine = lines.first(before: shown.report.lines.count)
      if let graph {
        var picture = RunGraph(run)
        try await Self.read(0..<run.sequence, of: id, in: journal) { picture.add($0) }
        picture.end()
        for (text, path) in [(picture.svg, graph + ".svg"), (picture.mermaid, graph + ".mmd")] {
          do {
            try environment.save(text, path)
          } catch {
            throw CommandError.notSaved(path: path, reason: error.localizedDescription)
          }
        }
      }
      if options.json {
        try environment.write(JSONText(run, shown).text)
      } else {
        try environment.write(RunTable.text(of: run, shown))
      }
    }

    /// The requested steps, up to the run's sequence when it was read.
    ///
    /// Steps that a worker adds meanwhile are ignored, because they may arrive faster than they are
    /// read.
    private func shownSteps(
      of run: RunRecord, in journal: any Journal
    ) async throws -> ShownSteps {
      let end = max(0, min(before ?? run.sequence, run.sequence))
      var shown = ShownSteps(endsAtRun: end == run.sequence)
      try await Self.read(steps.first(before: end)..<end, of: run.id, in: journal) {
        shown.steps.append($0)
      }
      // Sequences have no gaps, and only the oldest steps are purged.
      if let first = shown.steps.first?.sequence,
        let oldest = try await journal.steps(of: run.id, after: nil, limit: 1).steps.first?.sequence
      {
        shown.older = max(0, first - oldest)
      }
      return shown
    }

    /// Reads steps page by page, because all of them may not fit into memory.
    private static func read(
      _ range: Range<Int>, of id: RunID, in journal: any Journal, _ body: (StepRecord) -> Void
    ) async throws {
      var after = range.lowerBound > 0 ? range.lowerBound - 1 : nil
      var left = range.count
      while left > 0 {
        let page = try await journal.steps(of: id, after: after, limit: min(left, 1_000))
        // The first steps of the range may have been purged.
        for step in page.steps where step.sequence < range.upperBound { body(step) }
        guard let next = page.next else { return }
        after = next
        left = range.upperBound - 1 - next
      }
    }
  }
#endif

/// The number of steps or log lines of a run to show.
enum StepLimit: Hashable {
  case newest(Int)
  case all

  /// Parses the number of some things, or "all", from the command line.
  static func typed(_ text: String, of things: String) throws(CommandError) -> Self {
    if text.lowercased() == "all" { return .all }
    guard let count = Int(text), count > 0 else { throw .noLimit(text, of: things) }
    return .newest(count)
  }

  /// The first sequence to show before a given end.
  func first(before end: Int) -> Int {
    switch self {
    case .newest(let count): max(0, end - count)
    case .all: 0
    }
  }
}
