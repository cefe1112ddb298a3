#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import FieldstoneDurable

  struct PurgeCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "purge", abstract: "Lets go of completed and cancelled runs that are old.")

    @OptionGroup var options: JournalOptions

    @Option(parsing: .unconditional, help: "Runs that were over so many days ago go.")
    var days = 30

    @Option(
      parsing: .unconditional,
      help: "Of the runs that stay, so many of the newest steps are kept.")
    var steps = 10_000

    func validate() throws {
      guard (0...100_000).contains(days), steps >= 0 else {
        throw ValidationError("--days counts from 0 to 100,000, and --steps from 0.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      let journal = try environment.open(options.journal, .writing)
      let retention = JournalRetention(runs: .seconds(days * 86_400), stepsPerRun: steps)
      let count = try await journal.purge(retention, at: environment.journalTime)
      try environment.write(
        options.json
          ? JSONText.object([("purged", .number(count))]).text
          : "\(count) \(count == 1 ? "run" : "runs") went.\n")
    }
  }
#endif
