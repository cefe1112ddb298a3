#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import Foundation

  struct ListCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists runs, the newest first.")

    @OptionGroup var options: JournalOptions

    @Option(help: "Only runs of this flow.")
    var flow: String?

    @Option(
      help: "Only runs in this state; may be given more than once.",
      transform: { text in try RunState.typed(text) })
    var state: [RunState] = []

    @Option(help: "Only the run with this key.")
    var key: String?

    @Option(help: "Only runs that were started then or later: 2026-11-21, or with a time.")
    var since: String?

    @Option(help: "Only runs older than this one: the last of the page before.")
    var before: String?

    @Option(
      parsing: .unconditional, help: "The largest number of runs, from 1 to 1,000.",
      transform: { text in try ListLimit.typed(text) })
    var limit = ListLimit(count: 50)

    func run(in environment: CommandEnvironment) async throws {
      let query = RunQuery(
        flow: flow, states: Set(state), key: key,
        since: try since.map { text in try Date.typed(text) },
        before: try before.map { text in try RunID.typed(text) }, limit: limit.count)
      let journal = try await environment.open(options.journal, .reading)
      let page = try await journal.runs(query)
      if options.json {
        try environment.write(JSONText(page).text)
      } else {
        try environment.write(RunTable.text(of: page))
      }
    }
  }
#endif

/// How many runs a page has at most.
struct ListLimit: Hashable {
  var count: Int

  /// Reads a number that a person typed.
  static func typed(_ text: String) throws(CommandError) -> Self {
    guard let count = Int(text), (1...1_000).contains(count) else { throw .noListLimit(text) }
    return Self(count: count)
  }
}
