#if CommandLineTool
  import ArgumentParser
  import FieldstoneDurable

  struct RootCommand: ParsableCommand {
    /// The latest version in the changelog.
    private static let version = "0.1.0"

    static let configuration = CommandConfiguration(
      commandName: "fieldstone", abstract: "Inspects and changes journals of durable stages.",
      version: version,
      subcommands: [
        RunsCommand.self, FlowsCommand.self, SchedulesCommand.self, WorkersCommand.self,
        JournalGroupCommand.self, AuditCommand.self, ServeCommand.self,
      ])
  }

  struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "runs", abstract: "Lists, shows and changes runs.",
      subcommands: [
        ListCommand.self, CountCommand.self, ErrorsCommand.self, ShowCommand.self, WhyCommand.self,
        RetryCommand.self, EditCommand.self, ForkCommand.self, CancelCommand.self,
        SignalCommand.self, PauseRunCommand.self, ResumeRunCommand.self,
        PurgeCommand.self,
      ])
  }

  struct FlowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "flows",
      abstract: "Pauses flows and their concurrency keys, and checks a build.",
      subcommands: [PauseFlowCommand.self, ResumeFlowCommand.self, CheckFlowsCommand.self])
  }

  struct SchedulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schedules", abstract: "Lists, pauses, removes and runs schedules.",
      subcommands: [
        ListSchedulesCommand.self, PauseScheduleCommand.self, ResumeScheduleCommand.self,
        RunScheduleCommand.self, RemoveScheduleCommand.self,
      ])
  }

  /// The options of all commands.
  struct JournalOptions: ParsableArguments {
    @Option(help: "The file of the journal, or postgresql://… for one on a server.")
    var journal: String

    @Flag(help: "Write JSON.")
    var json = false
  }

  /// Names the person or the program that makes the change.
  struct ActorOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The name for the audit; the system's user, if not given.", valueName: "name"))
    var actor: String?

    func name(in environment: CommandEnvironment) -> String? { actor ?? environment.user }
  }

  /// Allows writing a stage without decoding it.
  struct CheckOptions: ParsableArguments {
    @Flag(help: "Write the stage without decoding it: a worker that can't read it blocks the run.")
    var unchecked = false

    /// - Throws: ``CommandError/notChecked``.
    func check(in environment: CommandEnvironment) throws -> StageCheck {
      if unchecked { return .unchecked }
      guard let flows = environment.flows else { throw CommandError.notChecked }
      return .flows(flows)
    }
  }

  /// Names a run.
  struct RunArgument: ParsableArguments {
    @Argument(help: "The run's identifier, as the list shows it.")
    var run: String
  }

  /// A command that opens a journal.
  protocol JournalCommand: ParsableCommand {
    func run(in environment: CommandEnvironment) async throws
  }
#endif
