#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
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
      commandName: "cancel", abstract: "Cancels a run; its worker loses it.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    func run(in environment: CommandEnvironment) async throws {
      try await environment.change(argument, .cancel, options)
    }
  }

  struct EditCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Replaces the stage of a run.",
      discussion: "The steps keep the old stage. Running runs can't be edited.")

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
      let journal = try await environment.open(options.journal, .reading)
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
    /// Changes a run and writes its new state.
    ///
    /// - Parameter seen: the run that the user has seen; a run that has moved on is refused.
    fileprivate func change(
      _ argument: RunArgument, _ change: RunChange, _ options: JournalOptions,
      as seen: RunRecord? = nil
    ) async throws {
      let id = try RunID.typed(argument.run)
      let journal = try await open(options.journal, .writing)
      if let seen, let run = try await journal.run(id), run.sequence != seen.sequence {
        throw CommandError.hasGoneOn(from: seen.sequence, to: run.sequence)
      }
      let run = try await journal.change(id, change, at: journalTime)
      try write(
        options.json
          ? JSONText(run).text : "Run \(id) is \(run.state.rawValue) at stage \(run.sequence).\n")
    }
  }

  struct SignalCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "signal", abstract: "Sends a signal to a run.")

    @OptionGroup var argument: RunArgument
    @OptionGroup var options: JournalOptions

    @Argument(help: "The name of the signal that the run waits for.")
    var name: String

    @Option(help: "The payload of the signal, as JSON.")
    var payload = "null"

    @Option(help: "The identifier of the signal: a second signal with it is not sent.")
    var id: String?

    func run(in environment: CommandEnvironment) async throws {
      let run = try RunID.typed(argument.run)
      let time = environment.journalTime
      let signal = SignalRecord(
        id: id ?? UUID().uuidString, name: name, payload: Data(payload.utf8), sentAt: time.date)
      guard StageText.isJSON(signal.payload) else { throw JournalError.notJSON }
      let journal = try await environment.open(options.journal, .writing)
      let receipt = try await journal.signal(run, signal, at: time)
      if options.json {
        try environment.write(
          JSONText.object([
            ("run", .string("\(run)")), ("signal", .string(signal.id)),
            ("receipt", .string(receipt.rawValue)),
          ]).text)
      } else {
        let name = signal.id.inOneLine
        try environment.write(
          receipt == .sent
            ? "Signal \(name) was sent to run \(run).\n"
            : "Run \(run) has had signal \(name) before; nothing was sent.\n")
      }
    }
  }

  struct PurgeCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "purge", abstract: "Deletes old completed and cancelled runs.")

    @OptionGroup var options: JournalOptions

    @Option(parsing: .unconditional, help: "Deletes runs that ended more than this many days ago.")
    var days = 30

    @Option(
      parsing: .unconditional,
      help: "Keeps this many of the newest steps of the other runs.")
    var steps = 10_000

    func validate() throws {
      guard (0...100_000).contains(days), steps >= 0 else {
        throw ValidationError("--days counts from 0 to 100,000, and --steps from 0.")
      }
    }

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      let retention = JournalRetention(runs: .seconds(days * 86_400), stepsPerRun: steps)
      let count = try await journal.purge(retention, at: environment.journalTime)
      try environment.write(
        options.json
          ? JSONText.object([("purged", .number(count))]).text
          : "Deleted \(count) \(count == 1 ? "run" : "runs").\n")
    }
  }
#endif
