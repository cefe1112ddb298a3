#if CommandLineTool
  import ArgumentParser

  struct RootCommand: ParsableCommand {
    /// The newest version of the changelog.
    private static let version = "0.1.0"

    static let configuration = CommandConfiguration(
      commandName: "fieldstone", abstract: "Inspects and changes journals of durable stages.",
      version: version,
      subcommands: [
        RunsCommand.self, FlowsCommand.self, SchedulesCommand.self, JournalGroupCommand.self,
        ServeCommand.self,
      ])
  }

  struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "runs", abstract: "Lists, shows and changes runs.",
      subcommands: [
        ListCommand.self, ShowCommand.self, WhyCommand.self, RetryCommand.self, EditCommand.self,
        CancelCommand.self, SignalCommand.self, PauseRunCommand.self, ResumeRunCommand.self,
        PurgeCommand.self,
      ])
  }

  struct FlowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "flows", abstract: "Pauses flows and their concurrency keys.",
      subcommands: [PauseFlowCommand.self, ResumeFlowCommand.self])
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

  /// Names a run.
  struct RunArgument: ParsableArguments {
    @Argument(help: "The run's identifier, as the list shows it.")
    var run: String
  }

  /// A command that works on a journal.
  protocol JournalCommand: ParsableCommand {
    func run(in environment: CommandEnvironment) async throws
  }
#endif
