#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable
  import Foundation

  struct RetryCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract: "Makes a dead, blocked, cancelled or waiting run ready at once.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      try await environment.change(argument, .retry, options)
    }
  }

  struct CancelCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "cancel", abstract: "Calls a run off; whoever works on it loses it.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      try await environment.change(argument, .cancel, options)
    }
  }

  struct EditCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Puts another stage in the place of a run's.",
      discussion: "The stage that was there stays in the steps. Running runs can't be edited.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    @Option(help: "The stage as JSON; read from the standard input when it is not given.")
    var stage: String?

    @Option(
      parsing: .unconditional,
      help: "The version of the flow that the stage is written for; as it was, if not given.")
    var flowVersion: Int?

    @Flag(help: "Don't ask.")
    var yes = false

    func run(in environment: CommandEnvironment) async throws {
      let id = try RunID.typed(argument.run)
      let payload = try stage.map { Data($0.utf8) } ?? environment.readInput()
      guard StageText.isJSON(payload) else { throw JournalError.notJSON }
      let journal = try environment.open(options.journal, .reading)
      guard let run = try await journal.run(id) else { throw JournalError.noRun(id) }
      if !yes {
        let question = """
          Run \(id) of \(run.flow.inOneLine), stage \(run.sequence), \(run.state.rawValue):
            is  \(StageText.text(of: run.payload))
            new \(StageText.text(of: payload))
          Put the new one there? [y/N]
          """
        guard environment.confirm(question) else { throw CommandError.notConfirmed }
      }
      try await environment.change(
        argument, .edit(payload, version: flowVersion), options, as: run)
    }
  }

  extension CommandEnvironment {
    /// Changes a run and tells how it stands then.
    ///
    /// - Parameter seen: the run as a person has seen it; refused is what has gone on since.
    fileprivate func change(
      _ argument: RunArgument, _ change: RunChange, _ options: JournalOptions,
      as seen: RunRecord? = nil
    ) async throws {
      let id = try RunID.typed(argument.run)
      let journal = try open(options.journal, .writing)
      if let seen, let run = try await journal.run(id), run.sequence != seen.sequence {
        throw CommandError.hasGoneOn(from: seen.sequence, to: run.sequence)
      }
      let run = try await journal.change(id, change, at: journalTime)
      try write(
        options.json
          ? JSONText(run).text : "Run \(id) is \(run.state.rawValue) at stage \(run.sequence).\n")
    }
  }
#endif
