#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import Foundation

  /// The command `fieldstone`, apart from the process that it runs in.
  package enum JournalTool {
    /// Runs a command.
    ///
    /// - Returns: the status to exit with: 0, or 2 when it was refused, with one line that says why.
    package static func run(
      _ arguments: [String], in environment: CommandEnvironment
    ) async -> Int32 {
      do {
        var command = try RootCommand.parseAsRoot(arguments)
        guard let work = command as? any JournalCommand else {
          try command.run()
          return 0
        }
        try await work.run(in: environment)
        return 0
      } catch let error as any DescribedError {
        environment.complain("fieldstone: \(error.message.inOneLine)")
        return 2
      } catch {
        guard RootCommand.exitCode(for: error) != .success else {
          environment.write(RootCommand.fullMessage(for: error) + "\n")
          return 0
        }
        environment.complain("fieldstone: \(RootCommand.message(for: error).inOneLine)")
        return 2
      }
    }
  }

  /// A command that works on a journal.
  protocol JournalCommand: ParsableCommand {
    func run(in environment: CommandEnvironment) async throws
  }
#endif
