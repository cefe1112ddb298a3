#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  struct PauseRunCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause",
      abstract: "Pauses a run, or many; a stage under way goes on to its checkpoint.")

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments
    @OptionGroup var end: PauseEnd

    func run(in environment: CommandEnvironment) async throws {
      let date = try end.date(after: environment.time.now)
      try await environment.changeMany(many, .pause(until: date), options, .unchecked) {
        try await environment.pause(.run($1), end, options, many.actor, in: $0)
      }
    }
  }

  struct ResumeRunCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "Lets a paused run go on, or many.")

    @OptionGroup var options: JournalOptions
    @OptionGroup var many: ManyRunsArguments

    func run(in environment: CommandEnvironment) async throws {
      try await environment.changeMany(many, .resume, options, .unchecked) { journal, id in
        try await environment.resume(.run(id), options, many.actor, in: journal)
      }
    }
  }

  struct PauseFlowCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause",
      abstract: "Pauses the runs of a flow; stages under way go on to their checkpoints.")

    @OptionGroup var argument: FlowArgument
    @OptionGroup var options: JournalOptions
    @OptionGroup var end: PauseEnd
    @OptionGroup var actor: ActorOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      try await environment.pause(argument.target, end, options, actor, in: journal)
    }
  }

  struct ResumeFlowCommand: JournalCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "Lets the runs of a paused flow go on.")

    @OptionGroup var argument: FlowArgument
    @OptionGroup var options: JournalOptions
    @OptionGroup var actor: ActorOptions

    func run(in environment: CommandEnvironment) async throws {
      let journal = try await environment.open(options.journal, .writing)
      try await environment.resume(argument.target, options, actor, in: journal)
    }
  }

  /// Names a flow, or one of its concurrency keys.
  struct FlowArgument: ParsableArguments {
    @Argument(help: "The name of the flow.")
    var flow: String

    @Option(help: "Only the runs with this concurrency key.")
    var concurrencyKey: String?

    func validate() throws {
      guard !flow.isEmpty else {
        throw ValidationError(
          "The name of the flow is empty; `fieldstone runs list` shows the flows.")
      }
    }

    var target: PauseTarget {
      concurrencyKey.map { .concurrencyKey($0, flow: flow) } ?? .flow(flow)
    }
  }

  /// The time at which a pause ends automatically.
  struct PauseEnd: ParsableArguments {
    @Option(help: "When the pause ends by itself: a day in UTC, or a time.")
    var until: String?

    /// - Throws: `CommandError` for what is no time, or none to come.
    func date(after now: Date) throws(CommandError) -> Date? {
      guard let until else { return nil }
      let date = try Date.typed(until)
      guard date > now else { throw .pauseIsOver(until) }
      return date
    }
  }

  extension CommandEnvironment {
    fileprivate func pause(
      _ target: PauseTarget, _ end: PauseEnd, _ options: JournalOptions, _ actor: ActorOptions,
      in journal: any Journal
    ) async throws {
      let date = try end.date(after: time.now)
      try await journal.pause(
        target, until: date, by: actor.name(in: self), at: journalTime)
      let until = date.map { " until \($0.ISO8601Format())" } ?? ""
      try write(
        options.json
          ? JSONText.object(
            target.members + [
              ("paused", .raw(Data("true".utf8))),
              ("until", date.map { .string($0.ISO8601Format()) } ?? .null),
            ]
          ).text
          : "\(target.words) is paused\(until).\n")
    }

    fileprivate func resume(
      _ target: PauseTarget, _ options: JournalOptions, _ actor: ActorOptions,
      in journal: any Journal
    ) async throws {
      let wasPaused = try await journal.resume(
        target, by: actor.name(in: self), at: journalTime)
      try write(
        options.json
          ? JSONText.object(target.members + [("wasPaused", .raw(Data("\(wasPaused)".utf8)))]).text
          : wasPaused
            ? "\(target.words) goes on.\n" : "\(target.words) was not paused; nothing changed.\n")
    }
  }

  extension PauseTarget {
    fileprivate var words: String {
      switch self {
      case .flow(let name): "Flow \(name.inOneLine)"
      case .concurrencyKey(let key, flow: let name):
        "Concurrency key \(key.inOneLine) of flow \(name.inOneLine)"
      case .run(let id): "Run \(id)"
      }
    }

    fileprivate var members: [(String, JSONText)] {
      switch self {
      case .flow(let name): [("flow", .string(name))]
      case .concurrencyKey(let key, flow: let name):
        [("flow", .string(name)), ("concurrencyKey", .string(key))]
      case .run(let id): [("run", .string("\(id)"))]
      }
    }
  }
#endif
