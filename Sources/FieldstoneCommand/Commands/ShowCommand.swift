#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct ShowCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Shows a run with its stages, times, attempts and errors.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    @Option(
      parsing: .unconditional, help: "The number of newest steps, or all.",
      transform: { text in try StepLimit.typed(text) })
    var steps = StepLimit.newest(50)

    @Option(
      parsing: .unconditional,
      help: "Only steps older than this one: the first of the page before.")
    var before: Int?

    @Option(help: "Also draws its whole path: writes NAME.svg and NAME.mmd (Mermaid).")
    var graph: String?

    func run(in environment: CommandEnvironment) async throws {
      let id = try RunID.typed(argument.run)
      let journal = try await environment.open(options.journal, .reading)
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      var shown = try await shownSteps(of: run, in: journal)
      shown.children = try await journal.children(of: id, at: nil, after: nil, limit: 50)
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

    /// The steps that are asked for, of those behind a run as it stood: what a worker adds meanwhile
    /// is not followed, for it may add more than can be read.
    private func shownSteps(
      of run: RunRecord, in journal: any Journal
    ) async throws -> ShownSteps {
      let end = max(0, min(before ?? run.sequence, run.sequence))
      var shown = ShownSteps(endsAtRun: end == run.sequence)
      try await Self.read(steps.first(before: end)..<end, of: run.id, in: journal) {
        shown.steps.append($0)
      }
      // The steps follow on each other, and only the oldest are ever purged.
      if let first = shown.steps.first?.sequence,
        let oldest = try await journal.steps(of: run.id, after: nil, limit: 1).steps.first?.sequence
      {
        shown.older = max(0, first - oldest)
      }
      return shown
    }

    /// Reads steps page by page, for all of them may be more than fits into memory.
    private static func read(
      _ range: Range<Int>, of id: RunID, in journal: any Journal, _ body: (StepRecord) -> Void
    ) async throws {
      var after = range.lowerBound > 0 ? range.lowerBound - 1 : nil
      var left = range.count
      while left > 0 {
        let page = try await journal.steps(of: id, after: after, limit: min(left, 1_000))
        // The beginning of the range may have been purged.
        for step in page.steps where step.sequence < range.upperBound { body(step) }
        guard let next = page.next else { return }
        after = next
        left = range.upperBound - 1 - next
      }
    }
  }
#endif

/// How many steps of a run are shown.
enum StepLimit: Hashable {
  case newest(Int)
  case all

  /// Reads a number, or "all", that a person typed.
  static func typed(_ text: String) throws(CommandError) -> Self {
    if text.lowercased() == "all" { return .all }
    guard let count = Int(text), count > 0 else { throw .noStepLimit(text) }
    return .newest(count)
  }

  /// Where the steps that are shown begin, when they end before a sequence.
  func first(before end: Int) -> Int {
    switch self {
    case .newest(let count): max(0, end - count)
    case .all: 0
    }
  }
}
