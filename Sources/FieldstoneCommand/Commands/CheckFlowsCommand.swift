#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import FieldstoneRunDisplay

  struct CheckFlowsCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract:
        "Decodes all open runs with this build; ends with status 2 if one would be blocked.",
      discussion: """
        Only a command that an app has built with FieldstoneCommand.main(flows:) knows flows. Nothing \
        is written.
        """)

    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      guard let flows = environment.flows else { throw CommandError.noFlows }
      let journal = try await environment.open(options.journal, .reading)
      let result = try await journal.check(flows) { unreadable in
        let run = unreadable.record
        let reason = unreadable.reason.inOneLine
        try environment.write(
          options.json
            ? JSONText.line([
              ("run", .string("\(run.id)")), ("flow", .string(run.flow)),
              ("version", .number(run.version)), ("sequence", .number(run.sequence)),
              ("state", .string(run.state.rawValue)), ("reason", .string(reason)),
            ])
            : "\(run.id)  \(run.flow.inOneLine), version \(run.version)  "
              + "stage \(run.sequence) \(StageText.name(of: run.payload))  \(reason)\n")
      }
      if !options.json {
        for (flow, count) in result.leftAlone.sorted(by: { $0.key < $1.key }) {
          try environment.write(
            "\(flow.inOneLine): \(count) \(count == 1 ? "run" : "runs") of another flow or a newer "
              + "version, which this build leaves alone\n")
        }
        let runs = "\(result.checked) \(result.checked == 1 ? "run" : "runs")"
        try environment.write(
          result.unreadable == 0
            ? "\(runs) can be read.\n" : "\(result.unreadable) of \(runs) would be blocked.\n")
      }
      if result.unreadable > 0 { throw CommandBlockedRuns() }
    }
  }
#endif

/// A build would block runs, which have been written to the output.
struct CommandBlockedRuns: Error {}
