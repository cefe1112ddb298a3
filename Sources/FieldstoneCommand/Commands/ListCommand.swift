#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct ListCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists runs, the newest first.")

    @OptionGroup var options: JournalOptions
    @OptionGroup var filter: RunQueryOptions

    @Option(
      help: ArgumentHelp(
        "The order: newest, oldest, stopped (those that stopped, the last first) or stopped-first.",
        valueName: "order"),
      transform: { text in try RunOrder.typed(text) })
    var order = RunOrder.newestFirst

    @Option(help: "Only runs older than this one: the last of the page before.")
    var before: String?

    @Option(help: "Only runs after this place: the end of the page before, in any order.")
    var after: String?

    @Option(
      parsing: .unconditional, help: "The largest number of runs, from 1 to 1,000.",
      transform: { text in try ListLimit.typed(text) })
    var limit = ListLimit(count: 50)

    /// The maximum number of runs that a search for a part of an error's text scans.
    private static let lookLimit = 10_000

    func run(in environment: CommandEnvironment) async throws {
      let expression = try filter.parsed(limit: limit.count)
      var query = expression.query
      query.order = order
      if let before {
        guard order == .newestFirst, after == nil else { throw CommandError.beforeAndOrder }
        query.before = try RunID.typed(before)
      } else if let after {
        query.after = try RunPlace.typed(after)
      }
      let journal = try await environment.open(options.journal, .reading)
      var found: RunLookup
      if let part = expression.errorPart {
        found = try await journal.lookThrough(query, atMost: Self.lookLimit) {
          $0.hasError(containing: part)
        }
      } else {
        found = RunLookup(page: try await journal.runs(query))
      }
      if options.json {
        try environment.write(JSONText(found.page).text)
      } else {
        try environment.write(RunTable.text(of: found, in: order))
      }
    }
  }

  struct CountCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "count", abstract: "Counts runs, exactly up to 10,000.")

    @OptionGroup var options: JournalOptions
    @OptionGroup var filter: RunQueryOptions

    func run(in environment: CommandEnvironment) async throws {
      let query = try filter.query()
      let journal = try await environment.open(options.journal, .reading)
      let count = try await journal.count(query)
      try environment.write(options.json ? JSONText.line(of: count) : "\(count)\n")
    }
  }

  struct ErrorsCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "errors",
      abstract:
        "Lists the errors of dead and blocked runs by their fingerprints, the most frequent first.")

    @OptionGroup var options: JournalOptions

    @Option(
      parsing: .unconditional, help: "The largest number of fingerprints, from 1 to 1,000.",
      transform: { text in try ListLimit.typed(text) })
    var limit = ListLimit(count: 20)

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .reading)
      let groups = try await journal.errorGroups(atMost: limit.count)
      try environment.write(
        options.json ? groups.map(JSONText.line).joined() : RunTable.text(of: groups))
    }
  }
#endif

/// The maximum number of runs, or of changes, per page.
struct ListLimit: Hashable {
  var count: Int

  /// Parses a number from the command line.
  static func typed(_ text: String, of things: String = "runs") throws(CommandError) -> Self {
    guard let count = Int(text), (1...1_000).contains(count) else {
      throw .noListLimit(text, of: things)
    }
    return Self(count: count)
  }
}
