#if CommandLineTool
  import ArgumentParser

  /// A command that works on a journal.
  protocol JournalCommand: ParsableCommand {
    func run(in environment: CommandEnvironment) async throws
  }
#endif
