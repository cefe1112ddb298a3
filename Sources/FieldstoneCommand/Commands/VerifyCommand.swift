#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay

  struct JournalGroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "journal", abstract: "Looks after a journal as a whole.",
      subcommands: [
        VerifyCommand.self, CopyCommand.self, SlotsCommand.self, MoveSlotsCommand.self,
      ])
  }

  struct VerifyCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Looks whether a journal keeps its rules; ends with status 1 if it does not.",
      discussion: """
        With --json each finding is an object on a line, with the members run and detail; the last \
        line is an object with the numbers of runs and findings.
        """)

    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .reading)
      var count = 0
      let runs = try await journal.verify { finding in
        count += 1
        try environment.write(
          options.json ? JSONText.line(of: finding) : "\(finding)".inOneLine + "\n")
      }
      if options.json {
        try environment.write(
          JSONText.line([("runs", .number(runs)), ("findings", .number(count))]))
      }
      guard count == 0 else { throw CommandFindings() }
      if !options.json {
        try environment.write("\(runs) \(runs == 1 ? "run" : "runs"), nothing is wrong.\n")
      }
    }
  }

  struct WhyCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "why", abstract: "Says why a run does not go on.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      let id = try RunID.typed(argument.run)
      let journal = try await environment.open(options.journal, .reading)
      let reason = try await journal.waitReason(of: id, at: environment.journalTime.date)
      let text = reason.message.inOneLine
      try environment.write(
        options.json
          ? JSONText.object([("run", .string("\(id)")), ("reason", .string(text))]).text
          : text + "\n")
    }
  }
#endif

/// A journal violates its invariants; the findings have been written to the output.
struct CommandFindings: Error {}
