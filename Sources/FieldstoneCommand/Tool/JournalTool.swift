#if CommandLineTool
  import ArgumentParser
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  /// The command `fieldstone`, independent of its process.
  package enum JournalTool {
    /// Runs a command, and closes the journals that it has opened.
    ///
    /// - Returns: the exit status: 0; 1 if a journal violates its invariants; 2 if the command was
    ///   refused, with one line of explanation, and if a build would block runs.
    package static func run(
      _ arguments: [String], in environment: CommandEnvironment
    ) async -> Int32 {
      let opened = Locked<[any Journal]>([])
      var environment = environment
      environment.open = { [open = environment.open] path, access in
        let journal = try await open(path, access)
        opened.withLock { $0.append(journal) }
        return journal
      }
      let status = await perform(arguments, in: environment)
      for journal in opened.withLock({ $0 }) { await environment.close(journal) }
      return status
    }

    private static func perform(
      _ arguments: [String], in environment: CommandEnvironment
    ) async -> Int32 {
      do {
        try refuseUnknownCommand(arguments)
        var command = try RootCommand.parseAsRoot(arguments)
        guard let work = command as? any JournalCommand else {
          try command.run()
          return 0
        }
        try await work.run(in: environment)
        return 0
      } catch is CommandFindings {
        return 1
      } catch is CommandBlockedRuns {
        return 2
      } catch let error as any DescribedError {
        environment.complain("fieldstone: \(error.message.inOneLine)")
        return 2
      } catch {
        guard RootCommand.exitCode(for: error) != .success else {
          return await answer(RootCommand.fullMessage(for: error) + "\n", in: environment)
        }
        environment.complain("fieldstone: \(RootCommand.message(for: error).inOneLine)")
        return 2
      }
    }

    /// Writes help or the version.
    private static func answer(_ text: String, in environment: CommandEnvironment) async -> Int32 {
      do {
        try environment.write(text)
        return 0
      } catch {
        environment.complain("fieldstone: \(RootCommand.message(for: error).inOneLine)")
        return 2
      }
    }

    /// Refuses an unknown command; the parser would report its options as unknown instead.
    private static func refuseUnknownCommand(_ arguments: [String]) throws(CommandError) {
      var command: any ParsableCommand.Type = RootCommand.self
      var path = "fieldstone"
      for argument in arguments {
        let known = command.configuration.subcommands
        guard !known.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return }
        let next = known.first { $0.configuration.commandName == argument }
        guard let next else {
          throw .noCommand(
            argument, of: path, among: known.compactMap { $0.configuration.commandName })
        }
        command = next
        path += " \(argument)"
      }
    }
  }
#endif
